"""Reading and taking back what was done to the memory."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from support.repos import Repo
from support.world import CATALOG, World


@pytest.fixture
def synced(world: World, repo: Repo) -> Repo:
    world.session("claude-catalog.jsonl", repo.path)
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    return repo


def rows(world: World, repo: Repo, *words: str) -> dict[str, dict[str, object]]:
    return {
        row["id"]: row for row in world.lerim(repo.path, "list", "--all", "--json", *words).json
    }


def test_a_run_is_taken_back_and_no_sync_brings_it_again(world: World, synced: Repo) -> None:
    run = synced.git(
        "log", "-1", "--format=%(trailers:key=Lerim-Run,valueonly)", "lerim/memory"
    ).strip()
    before = rows(world, synced)

    undone = world.lerim(synced.path, "undo", run, "--json").json
    world.lerim(synced.path, "sync", "--window", "all", "--force")

    assert set(undone["ids"]) > before.keys()  # the summary of the session, too
    assert {row["status"] for row in rows(world, synced).values()} == {"archived"}
    assert world.lerim(synced.path, "undo", undone["commit"]).code == 0
    assert {id_: row["status"] for id_, row in rows(world, synced).items()} == {
        id_: r["status"] for id_, r in before.items()
    }


def test_an_undo_and_a_sync_say_what_stays_archived_and_how_to_bring_it_back(
    world: World, synced: Repo
) -> None:
    added = rows(world, synced)
    count = f"left out {len(added)} archived memories: git lerim list --all lists them"

    undone = world.lerim(synced.path, "undo", "lerim/memory").err.splitlines()[-1]
    forced = world.lerim(synced.path, "sync", "--window", "all", "--force").err
    shutil.rmtree(synced.path / ".git" / "lerim")
    anew = world.lerim(synced.path, "sync", "--window", "all").err
    back, _, words = undone.rpartition(": git ")
    assert world.lerim(synced.path, *words.split()[1:]).code == 0

    assert back == (
        f"sync does not add these {len(added)} memories and 1 session summary again; to bring them"
        " back"
    )
    assert count in forced
    assert count in anew
    assert rows(world, synced).keys() == added.keys()
    assert {row["status"] for row in rows(world, synced).values()} == {"active"}
    assert "archived" not in world.lerim(synced.path, "sync", "--window", "all", "--force").err


def test_what_comes_back_from_an_undo_counts_as_edited_only_if_it_was(
    world: World, synced: Repo
) -> None:
    edited = next(iter(rows(world, synced)))
    world.lerim(synced.path, "edit", edited, "--title", "My own words")
    before = {id_: (r["edited"], r["worth"]) for id_, r in rows(world, synced).items()}
    session = f"--session={CATALOG}"

    for words in (["undo", "lerim/memory~1"], ["forget", session, "--yes"]):
        assert world.lerim(synced.path, *words).code == 0
        assert world.lerim(synced.path, "undo", "lerim/memory").code == 0
        after = {id_: (r["edited"], r["worth"]) for id_, r in rows(world, synced).items()}
        assert after == before
        asked = world.lerim(synced.path, "forget", session)
        assert "(1 of them edited or restored by a person)?" in asked.err


def test_what_was_edited_since_stays(world: World, synced: Repo) -> None:
    added = synced.git("rev-parse", "lerim/memory")
    edited, *others = rows(world, synced)
    world.lerim(synced.path, "edit", edited, "--title", "My own words")

    undone = world.lerim(synced.path, "undo", added[:10])

    assert f"skipped {edited}: it was changed since" in undone.err
    after = rows(world, synced)
    assert after[edited]["title"] == "My own words"
    assert {after[id_]["status"] for id_ in others} == {"archived"}


def test_before_the_memory_began_each_verb_says_when_it_did(world: World, synced: Repo) -> None:
    id_ = next(iter(rows(world, synced)))
    old = synced.git("rev-parse", "--short", "main")  # committed before the memory
    said = f"no memory existed at {old}; the memory begins 20"

    listed = world.lerim(synced.path, "list", "--at", old)
    shown = world.lerim(synced.path, "show", id_, "--at", old)
    asked = world.lerim(synced.path, "why", "hello.py", "--at", old)

    assert [ran.code for ran in (listed, shown, asked)] == [0, 1, 0]
    for ran in (listed, shown, asked):
        assert said in ran.err
        assert "list --all" not in ran.err
        assert "looks for new" not in ran.err


def test_an_id_unknown_in_the_past_is_looked_up_there(world: World, synced: Repo) -> None:
    early = synced.git("rev-parse", "--short", "lerim/memory")
    id_ = world.lerim(synced.path, "remember", "Prices are in cents.").out.split()[0]

    shown = world.lerim(synced.path, "show", id_, "--at", early)

    assert f"no memory ID starts with '{id_}' at {early}" in shown.err
    assert f"hint: to see all IDs: git lerim list --all --at {early}" in shown.err


def test_a_commit_is_taken_back_by_any_name_that_git_has_for_it(world: World, synced: Repo) -> None:
    id_ = next(iter(rows(world, synced)))
    title = rows(world, synced)[id_]["title"]
    world.lerim(synced.path, "edit", id_, "--title", "A mistake")
    world.lerim(synced.path, "edit", id_, "--tag", "kept")

    assert world.lerim(synced.path, "undo", "lerim/memory~1").code == 0

    assert rows(world, synced)[id_]["title"] == title
    assert "no such run or commit: 'HEAD'" in world.lerim(synced.path, "undo", "HEAD").err


def test_one_edit_is_taken_back_and_a_later_one_of_another_field_stays(
    world: World, synced: Repo
) -> None:
    id_ = next(iter(rows(world, synced)))
    title = rows(world, synced)[id_]["title"]
    world.lerim(synced.path, "edit", id_, "--title", "A mistake")
    mistake = synced.git("rev-parse", "lerim/memory")
    world.lerim(synced.path, "edit", id_, "--tag", "kept")

    assert world.lerim(synced.path, "undo", mistake).code == 0

    assert rows(world, synced)[id_]["title"] == title
    assert "kept" in rows(world, synced)[id_]["tags"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "named", ["sync-20200101T000000-abcd", "zzzz", "deadbeef", "", "--x", "HEAD"]
)
def test_what_is_no_run_and_no_commit_of_the_memory_is_refused(
    world: World, synced: Repo, named: str
) -> None:
    ran = world.lerim(synced.path, "undo", "--", named)

    assert ran.code == (1 if named else 2)
    assert "Traceback" not in ran.err


def test_blame_tells_of_each_line_who_wrote_it(world: World, synced: Repo) -> None:
    found = rows(world, synced)
    id_ = max(found, key=lambda each: len(found[each]["body"]))
    world.lerim(synced.path, "edit", id_, "--title", "My own words")
    world.lerim(synced.path, "forget", id_)

    lines = {row["field"]: row for row in world.lerim(synced.path, "blame", id_, "--json").json}
    shown = world.lerim(synced.path, "blame", id_).out

    assert lines["title"]["operation"] == "edit"
    assert lines["title"]["author"] == "Ada Tester"
    assert lines["title"]["session"] is None
    assert lines["body"]["operation"] == "sync"
    assert lines["body"]["session"].startswith("claude/")
    assert lines["status"]["operation"] == "forget"
    assert "My own words" in shown
    assert "---" not in shown


def test_a_backup_brings_everything_back_and_joins_what_came_since(
    world: World, synced: Repo, tmp_path: Path
) -> None:
    before = rows(world, synced)
    file = tmp_path / "memory.bundle"

    assert world.lerim(synced.path, "backup", str(file), "--json").json["commits"] >= 2
    assert world.lerim(synced.path, "backup", str(file)).code == 2
    assert world.lerim(synced.path, "backup", str(file), "--force").code == 0
    world.lerim(synced.path, "reset", "--branch", "--yes")
    world.lerim(synced.path, "remember", "Tests need TZ=UTC.")
    restored = world.lerim(synced.path, "backup", "restore", str(file), "--json").json

    assert sorted(restored["added"]) == sorted(before)
    assert len(rows(world, synced)) == len(before) + 1
    assert world.lerim(synced.path, "backup", "restore", str(file)).out == "already up to date\n"
    assert synced.git("for-each-ref", "refs/lerim/tmp") == ""


def test_a_file_that_is_no_backup_is_refused(world: World, synced: Repo, tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"# v2 git bundle\nnonsense")

    for name in ("broken", "missing"):
        ran = world.lerim(synced.path, "backup", "restore", str(tmp_path / name))
        assert ran.code == 2
        assert "Traceback" not in ran.err


def test_memories_are_exported_as_files_and_as_json_and_nothing_is_written_over(
    world: World, synced: Repo, tmp_path: Path
) -> None:
    folder, file = tmp_path / "out", tmp_path / "out.json"

    assert world.lerim(synced.path, "export", str(folder)).code == 0
    assert world.lerim(synced.path, "export", str(file)).code == 0

    listed = world.lerim(synced.path, "list", "--json").json
    exported = json.loads(file.read_text("utf-8"))
    assert {row.pop("shared_by") for row in exported} == {"Ada Tester"}
    assert exported == listed
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")} == {
        row["path"] for row in listed
    }
    assert world.lerim(synced.path, "export", str(folder)).code == 2
    assert world.lerim(synced.path, "export", str(file)).code == 2


def test_blame_works_where_the_code_names_revisions_to_ignore(world: World, synced: Repo) -> None:
    synced.commit({".git-blame-ignore-revs": ""})
    synced.git("config", "blame.ignoreRevsFile", ".git-blame-ignore-revs")
    id_ = next(iter(rows(world, synced)))

    done = world.lerim(synced.path, "blame", id_)

    assert done.code == 0, done.err
    assert "title: " in done.out


def blob_id(text: str) -> str:
    return hashlib.sha1(b"blob %d\0" % len(text) + text.encode(), usedforsecurity=False).hexdigest()


def test_restoring_a_backup_prunes_nothing(world: World, synced: Repo, tmp_path: Path) -> None:
    assert world.lerim(synced.path, "backup", str(tmp_path / "b.bundle")).code == 0
    world.lerim(synced.path, "remember", "Prices are rounded half to even.")
    world.lerim(synced.path, "backup", str(tmp_path / "c.bundle"))
    synced.git("update-ref", "refs/heads/lerim/memory", "lerim/memory~1")
    # from the number of objects in objects/17, git guesses that of all
    texts = (f"the user's dropped work {number}" for number in range(9999))
    some = [text for text in texts if blob_id(text).startswith("17")][:4]
    (dropped, *_) = [synced.git("hash-object", "-w", "--stdin", stdin=t).strip() for t in some]
    for name, value in (("auto", "1"), ("pruneExpire", "now"), ("autoDetach", "false")):
        synced.git("config", f"gc.{name}", value)
    synced.git("config", "maintenance.auto", "true")

    assert world.lerim(synced.path, "backup", "restore", str(tmp_path / "c.bundle")).code == 0

    assert synced.git("cat-file", "-t", dropped).strip() == "blob"
