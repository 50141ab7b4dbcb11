"""From sessions on disk to memories on the branch, as a person sees it."""

from pathlib import Path

import pytest
from support import repos
from support.claude import ID, Recording
from support.repos import Repo
from support.world import CATALOG, SECRET, World

from git_lerim.extraction.rules_version import RULES_VERSION


def titles(world: World, repo: Repo, *options: str) -> list[str]:
    return sorted(
        memory["title"] for memory in world.lerim(repo.path, "list", "--json", *options).json
    )


def tree(repo: Repo) -> str:
    return repo.git("rev-parse", "lerim/memory^{tree}")


def test_each_session_that_gave_something_is_one_commit(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.session("claude-rename.jsonl", repo.path, name="7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02")
    world.codex("codex-prices.jsonl", repo.path)

    synced = world.lerim(repo.path, "sync", "--window", "all", "--json")

    assert synced.code == 0, synced.err
    report = synced.json
    assert report["sessions_extracted"] == 3
    assert len(report["commits"]) == 2
    subjects = repo.git("log", "--format=%s", "lerim/memory").splitlines()
    assert [subject.partition(" from ")[2] for subject in subjects[:-1]] == [
        "codex 8e0a4b77",
        "claude 5b0c1a2f",
    ]
    assert report["decisions_added"] + report["learnings_added"] == len(titles(world, repo)) > 0


def test_trailers_are_read_by_git(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")

    trailers = repo.git(
        "log", "-1", "--format=%(trailers:only,unfold)", "lerim/memory"
    ).splitlines()

    assert "Lerim-Op: sync" in trailers
    assert f"Lerim-Session: {CATALOG}" in trailers
    assert f"Lerim-Model: rules/{RULES_VERSION}" in trailers
    assert any(line.startswith("Lerim-Added: ") for line in trailers)


def test_a_second_sync_reads_nothing_and_commits_nothing(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")
    before = repo.git("rev-parse", "lerim/memory")

    again = world.lerim(repo.path, "sync", "--window", "all", "--json").json

    assert (again["sessions_indexed"], again["sessions_extracted"], again["commits"]) == (0, 0, [])
    assert repo.git("rev-parse", "lerim/memory") == before


def test_a_dry_run_writes_nothing_at_all(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    before = sorted((p, p.stat().st_mtime_ns) for p in repo.path.rglob("*"))

    dry = world.lerim(repo.path, "sync", "--window", "all", "--dry-run")

    assert dry.code == 0
    assert "  + " in dry.out
    assert sorted((p, p.stat().st_mtime_ns) for p in repo.path.rglob("*")) == before


def test_a_dry_run_tells_what_sync_then_does(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.codex("codex-prices.jsonl", repo.path)
    told = world.lerim(repo.path, "sync", "--window", "all", "--dry-run").out

    world.lerim(repo.path, "sync", "--window", "all")

    for memory in world.lerim(repo.path, "list", "--json").json:
        assert f"+ {memory['id']}  {memory['title']}" in told


def test_a_dry_run_says_what_it_leaves_out_and_how_many_commits_it_would_make(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    edit = {"file_path": str(repo.path / "hello.py"), "content": "print()\n"}
    write = {"type": "tool_use", "id": "t1", "name": "Write", "input": edit}
    chat = Recording(sealed_world, str(repo.path)).prompt("Create hello.py, it prints nothing.")
    chat.add("assistant", [write])
    chat.add("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "written"}])
    chat.reply("I created the file hello.py, and it prints an empty line when you run it.")

    brief = world.lerim(repo.path, "sync", "--window", "all", "--dry-run")
    for words in ("From now on indent with tabs.", "From now on always indent with tabs."):
        chat.prompt(words).reply("From now on I indent with tabs.")
    dry = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "-v")
    done = world.lerim(repo.path, "sync", "--window", "all", "--json").json

    assert "would make 1 commit with only a session summary" in brief.err
    assert "dropped: From now on" in dry.err
    assert "another memory of the session says the same" in dry.err
    assert f"would make {len(done['commits'])} commit\n" in dry.err


def test_what_was_dropped_of_a_session_that_keeps_nothing_is_below_its_own_heading(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    chat = Recording(sealed_world, str(repo.path))
    chat.prompt("From now on always indent with tabs in this repository.").reply("Ok.")
    chat.prompt("Forget about the tabs, because the formatter uses spaces.").reply("Ok.")

    dry = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "-v")

    lines = dry.err.splitlines()
    dropped = next(n for n, line in enumerate(lines) if "dropped: " in line)
    assert dry.out == ""
    assert "From now on always indent" in lines[dropped - 1]


def test_while_the_rules_keep_nothing_a_sync_says_what_keeps_more(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    Recording(sealed_world, str(repo.path)).prompt("Hello, what does hello.py do?")

    dry = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "-v")
    first = world.lerim(repo.path, "sync", "--window", "all")
    world.session("claude-catalog.jsonl", repo.path)
    second = world.lerim(repo.path, "sync", "--window", "all")

    assert "found no decision or lesson" in dry.err
    assert "set a model (lerim.model" in first.err.splitlines()[-1]
    assert "lerim.model" not in second.err


def test_a_session_read_as_it_grew_leaves_what_reading_it_once_leaves(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    other = repos.normal(tmp_path / "other")
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")
    world.session("claude-catalog-continued.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")

    other.git("config", "--global", "--add", "lerim.repositoryPath", str(repo.path))
    world.lerim(other.path, "sync", "--window", "all")

    assert titles(world, repo) == titles(world, other) != []


def test_what_a_person_changed_stays_when_the_session_grows(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.codex("codex-prices.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")
    edited, forgotten = (
        memory["id"] for memory in world.lerim(repo.path, "list", "--json").json[:2]
    )
    world.lerim(repo.path, "edit", edited, "--title", "In my own words")
    world.lerim(repo.path, "forget", forgotten)

    world.session("claude-catalog-continued.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all", "--force")

    assert world.lerim(repo.path, "show", edited, "--json").json[0]["title"] == "In my own words"
    assert world.lerim(repo.path, "show", forgotten, "--json").json[0]["status"] == "archived"


def test_two_people_get_the_same_ids_in_whatever_order(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    other = repos.normal(tmp_path / "other")
    other.git("config", "--global", "--add", "lerim.repositoryPath", str(repo.path))
    world.session("claude-catalog.jsonl", repo.path)
    world.codex("codex-prices.jsonl", repo.path)
    for agent in ("claude", "codex"):
        world.lerim(repo.path, "sync", "--window", "all", "--agent", agent)
    for agent in ("codex", "claude"):
        world.lerim(other.path, "sync", "--window", "all", "--agent", agent)

    ids = [
        sorted(m["id"] for m in world.lerim(r.path, "list", "--json").json) for r in (repo, other)
    ]

    assert ids[0] == ids[1] != []


def test_no_secret_reaches_git_or_the_local_files(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")
    repo.git("-c", "gc.auto=0", "repack", "-adq")
    repo.git(
        "unpack-objects",
        "-q",
        stdin=next((repo.path / ".git/objects/pack").glob("*.pack")).read_bytes(),
        check=False,
    )

    objects = repo.git("cat-file", "--batch-all-objects", "--batch")
    local = b"".join(p.read_bytes() for p in (repo.path / ".git/lerim").rglob("*") if p.is_file())

    assert SECRET not in objects
    assert SECRET.encode() not in local
    assert b"database is locked" in local  # the rest of that output was kept


def test_what_the_user_told_to_leave_out_is_not_kept(world: World, repo: Repo) -> None:
    repo.git("config", "lerim.ignorePath", "tests/**")
    repo.git("config", "lerim.redactPattern", "Postgre[A-Za-z]+")
    world.session("claude-catalog.jsonl", repo.path)
    world.session("claude-catalog-continued.jsonl", repo.path)

    world.lerim(repo.path, "sync", "--window", "all")

    local = b"".join(p.read_bytes() for p in (repo.path / ".git/lerim").rglob("*") if p.is_file())
    assert b"database is locked" not in local
    assert b"PostgreSQL" not in local
    assert "PostgreSQL" not in repo.git("grep", "-h", "", "lerim/memory")


def test_sessions_outside_any_repository_go_to_the_personal_store(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    world.session("claude-catalog.jsonl", outside)

    here = world.lerim(repo.path, "sync", "--window", "all", "--json").json
    personal = world.lerim(outside, "sync", "--window", "all")

    assert here["sessions_extracted"] == 0
    assert "personal memory" in personal.err
    assert world.lerim(outside, "list", "--personal", "--json").json
    assert titles(world, repo) == []


def test_a_session_whose_folder_is_gone_is_listed_and_can_be_adopted(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    world.session("claude-catalog.jsonl", tmp_path / "gone")
    told = world.lerim(repo.path, "sync", "--window", "all").err
    listed = world.lerim(repo.path, "sessions", "--unscoped")
    line = next(line for line in listed.out.splitlines() if "repositoryPath" in line).strip()

    repo.git(*line.removeprefix("git ").split())
    adopted = world.lerim(repo.path, "sync", "--window", "all")

    assert "not used" not in adopted.err
    assert "1 session matches no known repository; to see and adopt them: git" in told
    assert line in told
    assert line == f"git config --add lerim.repositoryPath {tmp_path / 'gone'}"
    assert titles(world, repo) != []


def test_a_linked_worktree_shares_the_memory_of_its_repository(
    world: World, tmp_path: Path
) -> None:
    side = repos.worktree(tmp_path / "side")
    main = Repo(tmp_path / "side-main")
    world.session("claude-catalog.jsonl", side.path)

    world.lerim(main.path, "sync", "--window", "all")

    assert titles(world, side) == titles(world, main) != []


def test_the_window_leaves_old_sessions_out(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)

    recent = world.lerim(repo.path, "sync", "--json").json
    then = world.lerim(
        repo.path, "sync", "--since", "2026-02-20", "--until", "2026-02-21", "--json"
    ).json

    assert recent["sessions_extracted"] == 0
    assert then["sessions_extracted"] == 1


def test_the_newest_sessions_come_first_and_the_rest_stays_queued(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.codex("codex-prices.jsonl", repo.path)

    first = world.lerim(repo.path, "sync", "--window", "all", "--max-sessions", "1")
    waiting = world.lerim(repo.path, "queue", "--json").json
    world.lerim(repo.path, "sync", "--window", "all")

    assert "1 more session queued" in first.err
    assert [row["name"] for row in waiting] == [f"claude/{CATALOG}"]
    assert world.lerim(repo.path, "queue", "--json").json == []


def test_a_sync_names_queued_sessions_that_are_older_than_its_period(
    world: World, repo: Repo
) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.codex("codex-prices.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all", "--max-sessions", "1")

    plain = world.lerim(repo.path, "sync")
    world.lerim(repo.path, "sync", "--window", "all")
    empty = world.lerim(repo.path, "sync")

    assert plain.err.splitlines()[1:] == [
        "1 queued session is older than this period; to extract it: git lerim sync --window all"
    ]
    assert empty.err.splitlines()[1:] == [
        "no sessions in this period; --window all includes all of them"
    ]


def test_what_several_sessions_say_is_counted_once(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    for number in range(4):
        chat = Recording(sealed_world, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-{number:012}")
        chat.prompt("From now on always use retries=3, because the proxy drops requests.")
    words = ("sync", "--window", "all")

    first = world.lerim(repo.path, *words, "--max-sessions", "3")
    rest = world.lerim(repo.path, *words, "--json").json
    forced = world.lerim(repo.path, *words, "--force", "--max-sessions", "1")

    assert len(titles(world, repo)) == 1
    assert "0 decisions and 1 learning added, 0 changed, 2 more superseded by others" in first.err
    assert "1 more session queued; run sync again" in first.err
    assert rest["learnings_added"] == rest["memories_superseded"]
    assert "3 more sessions in this period; to extract them again too, raise" in forced.err


def test_a_memory_that_a_later_session_supports_too_counts_as_added_once(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    original = Recording(sealed_world, str(repo.path))
    original.prompt("From now on always use retries=3, because the proxy drops requests.")
    original.reply("I always use retries=3 from now on, because the proxy drops requests.")
    fork = original.path.with_name("5b0c1a2f-0000-4000-8000-00000000000f.jsonl")
    here = f'"sessionId": "{original.id}"'  # a fork has other ids of sessions, not of records
    fork.write_text(original.path.read_text().replace(here, here.replace(ID, fork.stem)))

    synced = world.lerim(repo.path, "sync", "--window", "all")

    assert "updated with new evidence" in synced.out
    assert "0 decisions and 1 learning added (1 of them then updated), 0 changed (" in synced.err


def test_commits_that_hold_no_memory_are_counted(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    for number in range(2):
        edit = {"file_path": str(repo.path / f"{number}.py"), "content": "print()\n"}
        write = {"type": "tool_use", "id": "t1", "name": "Write", "input": edit}
        chat = Recording(sealed_world, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-{number:012}")
        chat.prompt(f"Create {number}.py, it prints nothing.").add("assistant", [write])
        chat.add("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "written"}])
        chat.reply(f"I created the file {number}.py, and it prints an empty line when you run it.")
    world.session("claude-catalog.jsonl", repo.path)
    said = "3 commits, 2 of them with only a session summary\n"

    dry = world.lerim(repo.path, "sync", "--window", "all", "--dry-run")
    done = world.lerim(repo.path, "sync", "--window", "all")

    assert f"would make {said}" in dry.err
    assert f"git log lerim/memory shows the {said}" in done.err


def test_one_bad_file_is_a_warning_and_the_others_go_on(world: World, repo: Repo) -> None:
    good = world.session("claude-catalog.jsonl", repo.path)
    (good.parent / "0f0f0f0f-0000-4000-8000-000000000000.jsonl").write_bytes(
        good.read_bytes().replace(b'"uuid"', b'"uuid') + b"\xff\n{"
    )

    synced = world.lerim(repo.path, "sync", "--window", "all", "--json")

    assert synced.code == 0
    assert synced.json["sessions_extracted"] == 1
    assert any("0f0f0f0f" in error["error"] for error in synced.json["errors"])


def test_a_quiet_sync_still_names_a_bad_file(world: World, repo: Repo) -> None:
    good = world.session("claude-catalog.jsonl", repo.path)
    (good.parent / "0f0f0f0f-0000-4000-8000-000000000000.jsonl").write_bytes(
        good.read_bytes().replace(b'"uuid"', b'"uuid') + b"\xff\n{"
    )
    assert "0f0f0f0f" in world.lerim(repo.path, "sync", "--window", "all", "-q").err


def test_what_is_remembered_by_hand_goes_through_the_same_gate(world: World, repo: Repo) -> None:
    key = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"

    remembered = world.lerim(
        repo.path,
        "remember",
        f"The deploy script used {key} before it read the environment.",
        "--file",
        "hello.py:1",
    )

    assert remembered.code == 0, remembered.err
    shown = world.lerim(repo.path, "show", remembered.out.split()[0], "--json").json[0]
    assert "[REDACTED:" in shown["body"]
    assert shown["anchors"][0]["path"] == "hello.py"
    assert shown["anchors"][0]["state"] == "fresh"
    assert key not in repo.git("cat-file", "--batch-all-objects", "--batch")


def test_a_transcript_that_its_agent_deleted_takes_no_memory_back(world: World, repo: Repo) -> None:
    older = world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")
    before = titles(world, repo)
    lines = older.read_text().splitlines(keepends=True)
    older.write_text("".join(lines[-1:]))
    world.lerim(repo.path, "reset", "--yes")

    world.lerim(repo.path, "sync", "--window", "all")

    assert titles(world, repo) == before != []


def test_sync_makes_the_branch_even_where_there_is_nothing_to_keep(
    world: World, repo: Repo
) -> None:
    world.lerim(repo.path, "sync", "--no-extract")
    assert repo.git("branch", "--list", "lerim/memory") == ""

    world.lerim(repo.path, "sync")

    assert repo.git("log", "--format=%s", "lerim/memory") == "Begin the memory of this repository"


def test_what_is_protected_is_not_forgotten(world: World, repo: Repo) -> None:
    id_ = world.lerim(
        repo.path, "remember", "Releases go out on Tuesdays, because support is there then."
    ).out.split()[0]
    world.lerim(repo.path, "protect", id_)

    refused = world.lerim(repo.path, "forget", id_)

    assert refused.code == 1
    assert "protect --off" in refused.err
    assert world.lerim(repo.path, "show", id_, "--json").json[0]["status"] == "active"


def test_a_session_that_was_asked_for_and_not_extracted_is_told_why(
    world: World, repo: Repo
) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")

    again = world.lerim(repo.path, "sync", "--session", CATALOG[:8])
    world.lerim(repo.path, "queue", "skip", CATALOG[:8])
    skipped = world.lerim(repo.path, "sync", "--session", CATALOG[:8])

    assert "is extracted already; to extract it again, use --force" in again.err
    assert "git lerim queue retry" in skipped.err


def test_each_verb_takes_the_short_name_of_a_session(world: World, repo: Repo) -> None:
    id_ = "019d7e8e-fef6-7481-9a1b-d8d36a852ac4"  # begins with a time, so its end is printed
    Recording(world.home, str(repo.path), id=id_).prompt("Never push to main directly.").reply(
        "All right."
    )
    world.lerim(repo.path, "sync", "--window", "all")
    short = repo.git("log", "-1", "--format=%s", "lerim/memory").split()[-1]

    shown = world.lerim(repo.path, "sessions", "show", f"claude/{short}")
    logged = world.lerim(repo.path, "log", "--session", short)
    again = world.lerim(repo.path, "sync", "--session", short)
    forgotten = world.lerim(repo.path, "forget", "--session", f"claude/{short}", "--dry-run")
    unknown = world.lerim(repo.path, "log", "--session", "6a852ac5")

    assert short == "6a852ac4"
    assert (shown.code, logged.code, again.code, forgotten.code) == (0, 0, 0, 0)
    assert id_ in shown.out
    assert short in logged.out
    assert "is extracted already" in again.err
    assert "Never push to main" in forgotten.out
    assert (unknown.code, unknown.out) == (1, "")
    assert "no session is called '6a852ac5'" in unknown.err


def test_a_session_without_a_title_is_known_by_how_it_began(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)

    synced = world.lerim(repo.path, "sync", "--window", "all")

    assert "The shop needs a product catalog." in synced.out.splitlines()[0]
    assert (
        world.lerim(repo.path, "sessions", "--json")
        .json[0]["title"]
        .startswith("The shop needs a product catalog.")
    )


def test_a_dry_run_says_what_is_not_used_and_how_to_adopt_it(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    world.session("claude-catalog.jsonl", tmp_path / "gone")
    world.session(
        "claude-rename.jsonl",
        tmp_path / "gone" / "web",
        name="7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02",
    )

    told = world.lerim(repo.path, "sync", "--window", "all", "--dry-run").err.splitlines()

    assert told[-3:] == [
        "2 sessions match no known repository",
        "if this repository used to be in one of these folders, adopt its sessions by running:",
        f"  git config --add lerim.repositoryPath {tmp_path / 'gone'}",
    ]
    listed = world.lerim(repo.path, "sessions", "--unscoped").out
    assert listed.count("    ran in ") == 2
    assert listed.endswith(told[-1] + "\n")


def test_the_same_folders_are_named_once_and_outside_a_repository_no_command_for_one(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    world.session("claude-catalog.jsonl", tmp_path / "gone")

    first, again = (world.lerim(repo.path, "sync", "--window", "all").err for _ in range(2))
    world.session(
        "claude-rename.jsonl", tmp_path / "other", name="7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02"
    )
    later = world.lerim(repo.path, "sync", "--window", "all").err
    outside = world.lerim(repo.path, "sync", "--window", "all", "--personal").err

    assert f"git config --add lerim.repositoryPath {tmp_path / 'gone'}" in first
    assert "repositoryPath" not in again
    assert f"git config --add lerim.repositoryPath {tmp_path / 'other'}" in later
    assert f"lerim.repositoryPath {tmp_path}" not in outside
    assert "in the repository they belong to" in outside


def test_what_is_not_used_is_said_when_it_is_read_and_when_nothing_is_extracted(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.session(
        "claude-rename.jsonl", tmp_path / "gone", name="7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02"
    )

    first, *again = (world.lerim(repo.path, "sync", "--window", "all").err for _ in range(3))
    dry = world.lerim(repo.path, "sync", "--window", "all", "--dry-run").err
    named = world.lerim(repo.path, "sync", "--session", CATALOG).err
    Recording(world.home, str(repo.path)).prompt("Never push to main directly.").reply("I won't.")
    more = world.lerim(repo.path, "sync", "--window", "all").err

    said = "1 session matches no known repository; to see and adopt them: git lerim sessions"
    assert "extracted 1 of 1 session in this period" in first
    for told in (first, *again, dry):
        assert said in told
    for told in again:
        assert "extracted 0 of 1 session in this period" in told
        assert "repositoryPath" not in told
    assert "no known repository" not in named
    assert "extracted 1 of 2 sessions in this period" in more
    assert "no known repository" not in more


def test_another_repository_below_an_adopted_folder_is_not_adopted_with_it(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    repos.normal(old / "library")
    world.session("claude-catalog.jsonl", old / "library")
    world.session("claude-rename.jsonl", old / "web", name="7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02")
    repo.git("config", "--global", "lerim.repositoryPath", str(old))

    world.lerim(repo.path, "sync", "--window", "all", "--no-extract")

    states = {
        row["name"].partition("/")[2]: row["state"]
        for row in world.lerim(repo.path, "sessions", "--all", "--json").json
    }
    assert states == {CATALOG: "elsewhere", "7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02": "waiting"}


def test_a_secret_in_a_sessions_id_is_neither_committed_nor_shown(world: World, repo: Repo) -> None:
    token = "ghp_" + "a8Kd93LmQpZx72VbNw0TyUrEs5GhJ1cF4iO6"
    world.session("claude-catalog.jsonl", repo.path, name=token)
    said = [
        world.lerim(repo.path, *words).out
        for words in (("sync", "--window", "all"), ("sessions",), ("log",), ("sessions", "--json"))
    ]
    named = world.lerim(repo.path, "sync", "--session", f"claude/{token}", "--json")

    assert token not in "".join(said)
    assert named.json["sessions_scanned"] == 1
    assert "Lerim-Session: " in repo.git("log", "--format=%B", "lerim/memory")
    assert token not in repo.git("log", "-p", "lerim/memory")


def test_a_wish_that_the_user_takes_back_in_a_later_session_is_superseded(
    world: World, repo: Repo
) -> None:
    wishes = ("Always use tabs for indentation here.", "Forget what I said about tabs, use spaces.")
    for day, wish in enumerate(wishes):
        id_ = f"5b0c1a2f-0000-4000-8000-{day:012d}"
        session = Recording(world.home, str(repo.path), id=id_)
        at = f"2026-02-2{day}T09:00:00.000Z"
        session.prompt("Hello, how is it going?", timestamp=at).reply("Fine.", timestamp=at)
        session.prompt(wish, timestamp=at).reply("Understood.", timestamp=at)
        session.prompt("Thanks, bye.", timestamp=at).reply("Bye.", timestamp=at)
        assert world.lerim(repo.path, "sync", "--window", "all").code == 0

    assert titles(world, repo) == ["Use spaces"]
    assert len(titles(world, repo, "--all")) == 3  # with the one that takes the other back


def test_a_wish_stays_taken_back_when_the_memory_that_took_it_back_is_corrected(
    world: World, repo: Repo
) -> None:
    test_a_wish_that_the_user_takes_back_in_a_later_session_is_superseded(world, repo)
    id_ = world.lerim(repo.path, "list", "--json").json[0]["id"]
    edited = world.lerim(repo.path, "edit", id_, "--title", "Indent with spaces")

    assert "active now" not in edited.err
    assert titles(world, repo) == ["Indent with spaces"]
    world.lerim(repo.path, "sync", "--window", "all", "--force")
    assert titles(world, repo) == ["Indent with spaces"]
    world.lerim(repo.path, "undo", "--yes")
    assert titles(world, repo) == ["Use spaces"]

    (back,) = (
        row["id"]
        for row in world.lerim(repo.path, "list", "--all", "--json").json
        if row["title"].startswith("Forget")
    )
    forgotten = world.lerim(repo.path, "forget", back)
    assert "is active now: its replacement is gone" in forgotten.err
    assert "Always use tabs for indentation here" in titles(world, repo)
    undone = world.lerim(repo.path, "undo", "--yes")
    assert "supersede: 1 memory after forget" in undone.err
    assert titles(world, repo) == ["Use spaces"]


def test_what_the_user_said_in_a_session_is_trusted_in_the_log_and_in_an_export(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    session = Recording(world.home, str(repo.path), id="5b0c1a2f-0000-4000-8000-000000000001")
    session.prompt("Never commit tokens, put them into .env.").reply("Understood.")
    session.prompt("Never push to main without a review.").reply("Understood.")
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    assert len(titles(world, repo)) == 2

    assert "not trusted" not in world.lerim(repo.path, "log").out
    assert "not_trusted" not in world.lerim(repo.path, "log", "--json").out
    assert world.lerim(repo.path, "export", str(tmp_path / "all.json")).code == 0
    imported = world.lerim(repo.path, "import", str(tmp_path / "all.json"))
    assert "differs" not in imported.err
    assert "2 unchanged" in imported.err


def test_a_wish_that_nothing_replaces_goes_too_and_undo_brings_it_back(
    world: World, repo: Repo
) -> None:
    wish = "Always use CSV for the exports, because accounting opens them in Excel"
    for day, text in enumerate((f"{wish}.", "Forget what I said about CSV for the exports.")):
        session = Recording(world.home, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-{day:012d}")
        at = f"2026-02-2{day}T09:00:00.000Z"
        session.prompt(text, timestamp=at).reply("Done, changed.", timestamp=at)
        synced = world.lerim(repo.path, "sync", "--window", "all")
        assert synced.code == 0
        assert titles(world, repo) == [wish][day:]

    assert "superseded by others" not in synced.out
    assert world.lerim(repo.path, "undo", "--yes").code == 0
    assert titles(world, repo) == [wish]
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    assert titles(world, repo) == [wish]


@pytest.mark.parametrize(
    "wishes",
    [
        (
            "Never retry refunds in the worker, because customers were paid twice.",
            "Never retry payments in the worker, because customers were paid twice.",
        ),
        (
            "Always use port 8080 for the staging server.",
            "Always use port 8080 for the metrics server.",
        ),
        (
            "Always test the parser module with the alpha files.",
            "Always test the renderer module with the omega files.",
        ),
    ],
)
def test_wishes_about_different_things_are_all_kept(
    world: World, repo: Repo, wishes: tuple[str, str]
) -> None:
    for day, wish in enumerate(wishes):
        session = Recording(world.home, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-{day:012d}")
        at = f"2026-02-2{day}T09:00:00.000Z"
        session.prompt("Hello, how is it going?", timestamp=at).reply("Fine.", timestamp=at)
        session.prompt(wish, timestamp=at).reply("Understood.", timestamp=at)
        session.prompt("Thanks, bye.", timestamp=at).reply("Bye.", timestamp=at)

    assert world.lerim(repo.path, "sync", "--window", "all").code == 0

    assert sorted(titles(world, repo)) == sorted(wish.rstrip(".") for wish in wishes)


@pytest.mark.parametrize("window", [(), ("--window", "all")])
def test_a_sync_says_that_all_sessions_found_are_of_other_repositories(
    world: World, repo: Repo, tmp_path: Path, window: tuple[str, ...]
) -> None:
    world.session("claude-catalog.jsonl", repos.normal(tmp_path / "other").path)
    world.codex("codex-prices.jsonl", "/gone/place")

    first, again = (world.lerim(repo.path, "sync", *window).err for _ in range(2))

    for told in (first, again):
        assert "found 2 agent sessions, none of them of this repository; git lerim" in told
        assert "to see and adopt them: git lerim sessions --unscoped" in told
        assert "in this period; --window" not in told


def test_a_session_that_gave_no_memory_is_counted_in_words(world: World, repo: Repo) -> None:
    Recording(world.home, str(repo.path)).prompt("What is in this folder?").reply("One file.")
    world.lerim(repo.path, "sync", "--window", "all")

    assert "sessions  1 without memories\n" in world.lerim(repo.path, "status").out
    assert "catalog: 1 without memories (" in world.lerim(repo.path, "doctor").out
