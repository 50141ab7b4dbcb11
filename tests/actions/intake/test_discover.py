import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from support import repos
from support.claude import ID, Recording
from support.costs import grows_evenly
from support.repos import Repo

from git_lerim.actions.intake.discover import Discovery, Look, discover
from git_lerim.actions.intake.own_trees import own_trees
from git_lerim.agents import claude, roster
from git_lerim.agents.base import Bookmark, Reading, Source
from git_lerim.errors import ReadOnly
from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, State
from git_lerim.workspace import open_workspace

OTHER = "7c0d2b3a-0000-4000-8000-000000000002"
MINE = "own-Secret-4711-zyx"


@pytest.fixture
def folder(repo: Repo) -> Path:
    return repo.path / ".git" / "lerim"


@pytest.fixture
def catalog(folder: Path) -> Iterator[Catalog]:
    with closing(Catalog(folder)) as opened:
        yield opened


@pytest.fixture
def look(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Look]:
    """Return what makes a look from this repository, with changes."""

    def make(**changes: object) -> Look:
        monkeypatch.chdir(repo.path)
        ws, redactor = open_workspace(), Redactor([("TOKEN", MINE)])
        made = Look(
            places=ws.places,
            agents=tuple(roster.AGENTS),
            paths={},
            own=own_trees(ws),
            since=0,
            scope=ws.scope,
            fingerprint=ws.territory.fingerprint(),
            redactor=lambda: redactor,
            ignored=(),
        )
        return replace(made, **changes)  # type: ignore[arg-type]

    return make


@pytest.fixture
def recording(sealed_world: Path, repo: Repo) -> Recording:
    return Recording(sealed_world, str(repo.path))


def run(catalog: Catalog, look: Look) -> Discovery:
    return discover(catalog, look, lambda *_: None)


def entry(catalog: Catalog, session: str = ID) -> Entry:
    found = catalog.entry("claude", session)
    assert found
    return found


def texts(catalog: Catalog, session: str = ID) -> list[str]:
    return [record.text for record in catalog.session(entry(catalog, session)).records]


def untouched(path: Path, content: bytes) -> None:
    """Replace the bytes of a file by as many others and let its stamp say that nothing changed."""
    before = path.stat()
    assert len(content) == before.st_size
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


# -- reading


def test_a_session_of_this_repository_waits_to_be_extracted(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Use SQLite for the catalog.").reply("I use SQLite.")
    found = run(catalog, look())
    assert (found.sources, found.read, found.size, found.warnings) == (
        1,
        1,
        recording.path.stat().st_size,
        [],
    )
    assert found.sessions == {("claude", ID)}
    seen = entry(catalog)
    assert (seen.state, seen.prompts, seen.kept, seen.stored) == (State.WAITING, 1, 2, 2)
    assert seen.places == (recording.cwd,)
    assert texts(catalog) == ["Use SQLite for the catalog.", "I use SQLite."]


def test_nothing_is_found_where_no_agent_is(catalog: Catalog, look: Callable[..., Look]) -> None:
    assert run(catalog, look()) == Discovery()


def test_an_unchanged_file_is_not_opened(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Use SQLite.")
    run(catalog, look())
    untouched(recording.path, b"#" * recording.path.stat().st_size)
    found = run(catalog, look())
    assert (found.sources, found.read, found.size, found.sessions, found.warnings) == (
        1,
        0,
        0,
        set(),
        [],
    )
    assert texts(catalog) == ["Use SQLite."]


def test_of_a_file_that_grew_only_what_is_new_is_read(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Use SQLite. " + "x" * 5000)
    recording.reply("first reply")
    run(catalog, look())
    queue.done(catalog, entry(catalog), State.EXTRACTED, rules=1)
    content = recording.path.read_bytes()
    recording.path.write_bytes(
        content.replace(b"first reply", b"FIRST REPLY")
    )  # behind the head by which a file is known
    before = recording.path.stat().st_size
    recording.reply("second reply")
    found = run(catalog, look())
    assert found.size == recording.path.stat().st_size - before
    assert texts(catalog)[1:] == ["first reply", "second reply"]
    assert (entry(catalog).state, entry(catalog).kept) == (State.WAITING, 3)


def test_a_last_line_that_is_not_whole_yet_is_read_when_it_is(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("one")
    whole = recording.path.read_bytes()
    recording.path.write_bytes(whole[:-20])
    run(catalog, look())
    assert catalog.entries() == []
    recording.path.write_bytes(whole)
    run(catalog, look())
    assert texts(catalog) == ["one"]


def test_a_file_that_was_replaced_is_read_from_the_start(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("old words").reply("old reply")
    run(catalog, look())
    recording.path.unlink()
    Recording(recording.home, recording.cwd).prompt("new words").reply("new reply").reply("more")
    run(catalog, look())
    assert texts(catalog) == ["new words", "new reply", "more"]
    assert entry(catalog).kept == 3


def test_a_file_that_is_gone_leaves_what_was_read_of_it(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Use SQLite.")
    run(catalog, look())
    recording.path.unlink()
    assert run(catalog, look()).warnings == []
    assert texts(catalog) == ["Use SQLite."]


@pytest.mark.parametrize("lost", ["catalog.sqlite3", "cache/transcripts.sqlite3"])
def test_a_deleted_half_of_the_local_state_is_read_again(
    folder: Path, look: Callable[..., Look], recording: Recording, lost: str
) -> None:
    recording.prompt("Use SQLite.")
    with closing(Catalog(folder)) as catalog:
        run(catalog, look())
    (folder / lost).unlink()
    with closing(Catalog(folder)) as catalog:
        assert run(catalog, look()).read == 1
        assert texts(catalog) == ["Use SQLite."]
        assert entry(catalog).kept == 1


def test_what_did_not_change_since_the_window_began_is_not_opened(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Use SQLite.")
    os.utime(recording.path, (1_000_000, 1_000_000))
    found = run(catalog, look(since=1_000_000_001))
    assert (found.sources, found.read) == (1, 0)
    assert run(catalog, look(since=1_000_000_000)).read == 1


def test_a_copy_of_a_session_below_another_root_adds_nothing(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("one").reply("two")
    copy = replace(recording, project="-copy")
    copy.raw(recording.path.read_bytes()).path.touch()
    run(catalog, look())
    assert texts(catalog) == ["one", "two"]


# -- what cannot be read


def test_a_file_that_cannot_be_read_is_one_warning_that_names_it_and_the_others_go_on(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Use SQLite.")
    bad = recording.path.with_name(f"{OTHER}.jsonl")
    bad.symlink_to("/proc/self/mem")  # opens, and fails when it is read, for root too
    found = run(catalog, look())
    assert [w for w in found.warnings if bad.name in w] == found.warnings
    assert len(found.warnings) == 1
    assert found.warnings[0].count(str(bad)) == 1
    assert texts(catalog) == ["Use SQLite."]
    assert len(run(catalog, look()).warnings) == 1


def test_a_database_that_cannot_be_read_is_one_warning_that_names_it_and_the_others_go_on(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, sealed_world: Path
) -> None:
    recording.prompt("Use SQLite.")
    bad = sealed_world / ".local" / "share" / "opencode" / "opencode.db"
    bad.parent.mkdir(parents=True)
    bad.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    found = run(catalog, look())
    assert len(found.warnings) == 1
    assert str(bad) in found.warnings[0]
    assert texts(catalog) == ["Use SQLite."]


@pytest.mark.parametrize(
    "line",
    [
        b"not json at all\n",
        (
            b'{"type":"user","cwd":"\\ud800","message":{"role":"user","content":"\\udfff'
            b' words"},"sessionId":"x"}\n'
        ),
        b'{"type":"user","message":{"role":"user","content":'
        + b"[" * 100_000
        + b"]" * 100_000
        + b"}}\n",
        b"\xff\xfe\x00\n",
        b'{"type":"user","message":[],"uuid":5,"timestamp":[],"cwd":{},"sessionId":7}\n',
        b'{"type":"user","timestamp":"9999999-99-99","message":{"role":"user","content":"when?"},"uuid":"z","cwd":"\\u0000"}\n',
        b'{"type":"user","timestamp":1e400,"message":{"role":"user","content":null},"uuid":"z"}\n',
        b"null\n[]\n17\n",
    ],
)
def test_a_line_that_makes_no_sense_costs_no_other_line(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, line: bytes
) -> None:
    recording.prompt("before").raw(line).prompt("after")
    run(catalog, look())
    assert [text for text in texts(catalog) if text in {"before", "after"}] == ["before", "after"]


def test_a_file_that_a_reader_did_not_foresee_is_a_warning_without_its_words(
    catalog: Catalog,
    look: Callable[..., Look],
    recording: Recording,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Careless(ModuleType):
        NAME = "careless"
        roots, find = staticmethod(claude.roots), staticmethod(claude.find)

        def read(self, source: Source, _: Bookmark | None) -> Iterator[Reading]:
            yield Reading(session="half", stored=1)
            raise KeyError(source.path.read_text())

    monkeypatch.setitem(sys.modules, "careless", Careless("careless"))
    monkeypatch.setitem(roster.AGENTS, "careless", "careless")
    recording.prompt("private words")
    found = run(catalog, look(agents=("careless", "claude")))
    assert found.warnings == [f"{recording.path}: cannot be read (internal error: KeyError)"]
    assert [e.name for e in catalog.entries()] == [f"claude/{ID}"]


def test_a_full_disk_is_no_warning_but_the_end(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    for n in range(60):
        recording.prompt(f"{n} " + "words " * 400)
    catalog.execute("PRAGMA cache.max_page_count = 8")
    with pytest.raises(ReadOnly, match="full"):
        run(catalog, look())


def test_a_folder_that_connect_named_and_that_is_gone_is_a_warning(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, tmp_path: Path
) -> None:
    recording.prompt("not looked for")
    found = run(catalog, look(paths={"claude": str(tmp_path / "gone")}))
    assert found.sources == 0
    assert len(found.warnings) == 1
    assert str(tmp_path / "gone") in found.warnings[0]


def test_a_folder_that_connect_named_is_read_instead_of_the_usual_one(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("usual")
    elsewhere = Recording(recording.home / "elsewhere", recording.cwd, OTHER).prompt("named")
    run(catalog, look(paths={"claude": str(elsewhere.home / ".claude")}))
    assert [e.id for e in catalog.entries()] == [OTHER]
    run(catalog, look(paths={"claude": "~/.claude"}))
    assert {e.id for e in catalog.entries()} == {OTHER, ID}


# -- whose it is


def test_a_session_of_another_place_is_seen_and_nothing_of_it_is_kept(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, tmp_path: Path, folder: Path
) -> None:
    recording.cwd = str(repos.normal(tmp_path / "other").path)
    recording.prompt("words of another repository")
    run(catalog, look())
    assert (entry(catalog).state, entry(catalog).kept, entry(catalog).prompts) == (
        State.ELSEWHERE,
        0,
        1,
    )
    recording.raw(b'{"type":"tools-used","sessionId":"x"}\n')
    run(catalog, look())
    assert (entry(catalog).state, entry(catalog).reason) == (
        State.ELSEWHERE,
        "it belongs to another repository",
    )
    catalog.flush()
    assert all(
        b"words of another" not in path.read_bytes() for path in folder.rglob("*") if path.is_file()
    )


@pytest.mark.parametrize(("made", "state"), [(True, State.OUTSIDE), (False, State.UNSCOPED)])
def test_a_session_of_no_repository_says_what_is_true_of_its_folder(
    catalog: Catalog,
    look: Callable[..., Look],
    recording: Recording,
    tmp_path: Path,
    state: State,
    *,
    made: bool,
) -> None:
    recording.cwd = str(tmp_path / "plain")
    if made:
        (tmp_path / "plain").mkdir()
    recording.prompt("words")
    run(catalog, look())
    assert (entry(catalog).state, entry(catalog).places) == (state, (str(tmp_path / "plain"),))
    assert ("folder is gone" in entry(catalog).reason) is not made


def test_a_session_that_moved_gives_each_repository_its_own_part(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, tmp_path: Path
) -> None:
    here, there = recording.cwd, str(repos.normal(tmp_path / "there").path)
    for cwd, words in ((here, "one"), (there, "two"), (here, "three"), (there, "four")):
        recording.cwd = cwd
        recording.prompt(words)
    run(catalog, look())
    assert texts(catalog) == ["one", "three"]
    assert entry(catalog).places == (here, there)
    recording.prompt("five")
    run(catalog, look())
    assert texts(catalog) == ["one", "three"]


def test_a_path_that_no_system_takes_is_no_folder_even_below_our_own(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    here = recording.cwd
    recording.prompt("ours", cwd=here + "/" + "a" * (4095 - len(here)))
    recording.prompt("nobody's", cwd=here + "/" + "é" * 2048)
    recording.prompt("nobody's either", cwd=here + "/\0")
    run(catalog, look())
    assert texts(catalog) == ["ours"]
    assert [len(place) for place in entry(catalog).places] == [4096]


def test_a_long_path_is_not_slow_to_judge(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    def sync(size: int) -> None:
        recording.prompt("words", cwd="/a" * size)
        run(catalog, look())

    assert grows_evenly(sync, 3000)
    assert (entry(catalog).state, entry(catalog).places) == (State.UNSCOPED, ())


def test_an_old_path_that_is_adopted_brings_back_what_was_not_ours_and_only_that(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, repo: Repo, tmp_path: Path
) -> None:
    recording.prompt("ours all the time")
    moved = Recording(recording.home, str(tmp_path / "before"), OTHER).prompt(
        "said before the move"
    )
    run(catalog, look())
    assert entry(catalog, OTHER).state is State.UNSCOPED
    untouched(
        recording.path, b"#" * recording.path.stat().st_size
    )  # read again, it would give a warning
    repo.git("config", "--global", "--add", "lerim.repositoryPath", moved.cwd)
    found = run(catalog, look())
    assert (found.read, found.warnings) == (1, [])
    assert entry(catalog, OTHER).state is State.WAITING
    assert texts(catalog, OTHER) == ["said before the move"]
    assert run(catalog, look()).read == 0


def test_an_empty_session_is_empty(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.add("user", "<command-name>/clear</command-name>")
    run(catalog, look())
    assert [(e.state, e.reason) for e in catalog.entries()] == [(State.EMPTY, "it has no messages")]


# -- what is never kept


def test_no_secret_reaches_a_file_of_ours_in_any_form(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, folder: Path
) -> None:
    token = "ghp_" + "aB3dE6gH9jK2" * 3
    secrets = [MINE, token]
    for secret in secrets:
        recording.prompt(f"the token is {secret}", gitBranch=f"try-{secret}")
        recording.reply(f'{{"token": "{secret}"}}')
        call = {
            "type": "tool_use",
            "id": f"c{recording.lines}",
            "name": "Bash",
            "input": {"command": f"curl -u x:{secret} http://x"},
        }
        recording.add("assistant", [call])
        wrote = {"type": "tool_use", "id": f"w{recording.lines}", "name": "Write"}
        recording.add(
            "assistant", [wrote | {"input": {"file_path": f"/x/{secret}.txt", "content": secret}}]
        )
        result = {
            "type": "tool_result",
            "tool_use_id": call["id"],
            "is_error": True,
            "content": f"401 for {secret}",
        }
        recording.add("user", [result])
        recording.raw(
            json.dumps({"type": "custom-title", "customTitle": f"About {secret}", "sessionId": ID})
            + "\n"
        )
    recording.prompt("a folder of that name", cwd=f"{recording.cwd}/{MINE}")
    found = run(catalog, look())
    assert found.redactions >= 10
    catalog.flush()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"catalog.sqlite3", "transcripts.sqlite3"} <= {path.name for path in files}
    for path in files:
        content = path.read_bytes()
        for secret in secrets:
            for form in (
                secret,
                secret[4:],
                secret[::-1],
                json.dumps(secret)[1:-1],
                secret.encode().hex(),
            ):
                assert form.encode() not in content, (path, form)


def test_a_remote_with_a_password_is_kept_without_it(
    catalog: Catalog, look: Callable[..., Look], repo: Repo, folder: Path, sealed_world: Path
) -> None:
    repo.git("remote", "add", "origin", "https://example.org/ada/shop.git")
    rollout = (
        sealed_world
        / ".codex"
        / "sessions"
        / "2026"
        / "02"
        / "20"
        / f"rollout-2026-02-20T09-30-00-{ID}.jsonl"
    )
    rollout.parent.mkdir(parents=True)
    git = {
        "repository_url": "https://ada:hunter2-Passw0rd@example.org/ada/shop.git",
        "branch": "main",
    }
    meta = {
        "id": ID,
        "timestamp": "2026-02-20T09:30:00Z",
        "cwd": "/gone/shop",
        "cli_version": "0.50.0",
        "git": git,
    }
    said = {"type": "user_message", "message": "Use SQLite.", "kind": "plain"}
    lines = [("session_meta", meta), ("event_msg", said)]
    rollout.write_text(
        "".join(
            json.dumps({"timestamp": "2026-02-20T09:30:01Z", "type": t, "payload": p}) + "\n"
            for t, p in lines
        )
    )
    run(catalog, look())
    (seen,) = catalog.entries()
    assert (seen.state, seen.header.remote) == (State.WAITING, "https://example.org/ada/shop.git")
    catalog.flush()
    assert all(b"hunter2" not in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_what_is_said_about_an_ignored_path_is_not_kept(
    catalog: Catalog, look: Callable[..., Look], recording: Recording, folder: Path
) -> None:
    recording.prompt("Put the salaries in private/pay.csv.").prompt("Use SQLite.")
    only = Recording(recording.home, recording.cwd, OTHER).prompt("Read private/pay.csv again.")
    run(catalog, look(ignored=("private/**",)))
    assert texts(catalog) == ["Use SQLite."]
    assert (entry(catalog, only.id).state, entry(catalog, only.id).kept) == (State.EMPTY, 0)
    assert "ignorePath" in entry(catalog, only.id).reason
    catalog.flush()
    assert all(b"salaries" not in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_path_that_is_ignored_from_now_on_is_forgotten_and_comes_back_when_it_is_not(
    catalog: Catalog, look: Callable[..., Look], recording: Recording
) -> None:
    recording.prompt("Put the salaries in private/pay.csv.").prompt("Use SQLite.")
    run(catalog, look())
    assert len(texts(catalog)) == 2
    run(catalog, look(ignored=("private/**",)))
    assert texts(catalog) == ["Use SQLite."]
    run(catalog, look())
    assert len(texts(catalog)) == 2


def test_a_session_with_a_secret_in_its_id_goes_by_a_digest(
    catalog: Catalog, look: Callable[..., Look], sealed_world: Path, repo: Repo
) -> None:
    named = Recording(sealed_world, str(repo.path), id=f"s-{MINE}").prompt("Hello.").reply("Hi.")
    found = run(catalog, look())
    named.prompt("Go on.")
    again = run(catalog, look())

    (known,) = catalog.entries()
    assert found.sessions == again.sessions == {("claude", known.id)}
    assert [record.text for record in catalog.session(known).records] == ["Hello.", "Hi.", "Go on."]
    assert MINE not in repr((known, catalog.session(known)))
    assert MINE not in str(catalog.bookmark(str(named.path)))
