"""What people get wrong and what machines do to them: each time a sentence, the right exit code,
and nothing lost.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import repos, troubles
from support.inside import lerim
from support.repos import Repo
from support.world import Ran, World

from git_lerim import cli

NEEDS_REPOSITORY = (
    ("init",), ("edit", "abcd", "--title", "x"), ("forget", "abcd"), ("restore", "abcd"),
    ("protect", "abcd"), ("connect", "auto"), ("remember", "x"), ("reset", "--yes"),
    ("handoff", "begin", "x"), ("import", "x"),
)  # fmt: skip
READING = (("list",), ("list", "--json"), ("log",), ("diff",), ("lint",), ("config",))


@pytest.fixture
def quick(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Return what runs a verb in the repository without a process of its own."""
    monkeypatch.chdir(repo.path)

    def run(*words: str) -> Ran:
        capfd.readouterr()
        code = cli.main(words)
        return Ran(code, *capfd.readouterr())

    return run


def clean(ran: Ran) -> Ran:
    """Check that a verb did not break, whatever it said."""
    assert "Traceback" not in ran.err + ran.out
    assert "internal error" not in ran.err, ran.err
    return ran


def refused(ran: Ran, says: str, code: int = 1) -> None:
    """Check that a verb said no, in one sentence and a hint."""
    clean(ran)
    assert ran.code == code, ran.err
    assert re.search(says, ran.err), ran.err
    assert ran.out == ""
    assert len(ran.err.splitlines()) <= 3


def synced(world: World, repo: Repo) -> list[str]:
    """Sync a sample session and return the ids of what it gave."""
    world.session("claude-catalog.jsonl", repo.path)
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    return ids(world, repo)


def ids(world: World, repo: Repo) -> list[str]:
    return [memory["id"] for memory in world.lerim(repo.path, "list", "--json").json]


def without_git(folder: Path) -> str:
    """Return a PATH with no git on it."""
    return str(troubles.program(folder, "sh", 'exec /bin/sh "$@"'))


def test_verbs_that_need_a_repository_say_so(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()

    for words in NEEDS_REPOSITORY:
        refused(lerim(outside, *words), "not in a git repository\nhint: .*--personal")

    assert list(outside.iterdir()) == []


def test_a_folder_that_is_gone_is_said_to_be_gone(tmp_path: Path) -> None:
    for words in ("list", "sync", "remember x"):
        line = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m git_lerim {words}"
        done = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False
        )

        refused(
            Ran(done.returncode, done.stdout, done.stderr), "the current folder no longer exists"
        )


def test_git_is_missing(world: World, repo: Repo, tmp_path: Path) -> None:
    path = without_git(tmp_path / "bin")

    for words in (("sync",), ("list",), ("remember", "x"), ("doctor",)):
        refused(
            world.lerim(repo.path, *words, env={"PATH": path}),
            "git was not found on PATH\nhint: install git",
        )


def test_git_is_too_old(world: World, repo: Repo, tmp_path: Path) -> None:
    script = (
        '[ "$1" = version ] && echo "git version 2.11.0" && exit\necho "usage: git [--version]"'
        " >&2; exit 129"
    )
    path = f"{troubles.program(tmp_path / 'bin', 'git', script)}{os.pathsep}{os.environ['PATH']}"

    for words in (("sync",), ("list",), ("remember", "x")):
        refused(
            world.lerim(repo.path, *words, env={"PATH": path}),
            r"git 2\.11\.0 is too old\nhint: install git 2\.30",
        )


def test_git_itself_cannot_read_its_configuration(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    (sealed_world / ".gitconfig").write_text('[user "x\n')

    refused(world.lerim(repo.path, "list"), "bad config line 1 in file")


def test_nobody_is_there_to_commit(world: World, repo: Repo, sealed_world: Path) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    known = (sealed_world / ".gitconfig").read_text()
    (sealed_world / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")

    refused(
        world.lerim(repo.path, "sync", "--window", "all"),
        "git has no author identity.*\nhint: git config --global",
    )
    refused(world.lerim(repo.path, "remember", "x"), "git has no author identity")
    refused(world.lerim(repo.path, "init"), "git has no author identity")

    (sealed_world / ".gitconfig").write_text(known)
    assert clean(world.lerim(repo.path, "sync", "--window", "all")).code == 0
    assert ids(world, repo)


def test_a_branch_called_lerim_leaves_no_room(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    repo.git("branch", "lerim")

    for words in (("sync", "--window", "all"), ("init",), ("remember", "x")):
        refused(
            world.lerim(repo.path, *words),
            "branch called lerim leaves no room.*\nhint: .*lerim.branch",
        )

    repo.git("config", "lerim.branch", "lerim-memory")
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    assert repo.git("rev-parse", "lerim-memory")


def test_a_branch_that_is_checked_out_is_read_and_not_written(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    first = synced(world, repo)
    repo.git("worktree", "add", "-q", str(tmp_path / "look"), "lerim/memory")
    world.codex("codex-prices.jsonl", repo.path)

    refused(
        world.lerim(repo.path, "sync", "--window", "all"),
        "checked out in .*look.*nothing was written\nhint: ",
    )
    refused(world.lerim(repo.path, "forget", first[0]), "checked out in .*look")
    assert ids(world, repo) == first

    repo.git("worktree", "remove", str(tmp_path / "look"))
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    assert len(ids(world, repo)) > len(first)


def test_a_read_only_repository_is_read(world: World, repo: Repo) -> None:
    first = synced(world, repo)
    world.codex("codex-prices.jsonl", repo.path)

    with troubles.read_only(repo.path):
        for words in READING:
            assert clean(world.lerim(repo.path, *words)).code == 0, words
        for words in (
            ("sync", "--window", "all"),
            ("remember", "x"),
            ("forget", first[0]),
            ("reset", "--yes"),
        ):
            refused(
                world.lerim(repo.path, *words),
                "(?i)cannot be (written|opened)|cannot write|read-only|could not be",
            )

    assert ids(world, repo) == first
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    assert len(ids(world, repo)) > len(first)


@pytest.mark.parametrize(
    "words", [("status",), ("sessions",), ("queue",), ("sync", "--window", "all", "--dry-run")]
)
def test_what_only_looks_works_in_a_read_only_repository(
    words: tuple[str, ...], world: World, repo: Repo
) -> None:
    synced(world, repo)

    with troubles.read_only(repo.path):
        ran = clean(world.lerim(repo.path, *words))

    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    "words", [("list",), ("status",), ("sessions",), ("queue",), ("log",), ("sync", "--dry-run")]
)
def test_what_only_looks_works_in_a_read_only_repository_without_memory(
    words: tuple[str, ...], world: World, repo: Repo
) -> None:
    world.session("claude-catalog.jsonl", repo.path)

    with troubles.read_only(repo.path):
        ran = clean(world.lerim(repo.path, *words))

    assert ran.code == 0, ran.err


def test_a_full_disk_loses_nothing(world: World, tmp_path: Path) -> None:
    with troubles.mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=2m", "none") as disk:
        repo = repos.normal(disk / "repo")
        first = synced(world, repo)
        world.codex("codex-prices.jsonl", repo.path)
        for room in (0, 4096, 16384, 65536):
            _fill(disk, room)
            for words in (("sync", "--window", "all"), ("remember", "It was full.")):
                ran = clean(world.lerim(repo.path, *words))
                assert ran.code in {0, 1}, ran.err
                assert ran.code == 0 or re.search("(?i)no space|full|cannot be written", ran.err), (
                    ran.err
                )
            assert set(first) <= set(ids(world, repo))
            (disk / "filling").unlink()

        assert world.lerim(repo.path, "sync", "--window", "all").code == 0
        assert len(ids(world, repo)) > len(first)
        repo.git("fsck", "--strict")


def test_on_a_full_disk_status_works_and_sync_does_not_advise_a_reset(
    world: World, tmp_path: Path
) -> None:
    with troubles.mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=2m", "none") as disk:
        repo = repos.normal(disk / "repo")
        assert world.lerim(repo.path, "init").code == 0
        _fill(disk, 0)

        assert clean(world.lerim(repo.path, "status")).code == 0
        ran = clean(world.lerim(repo.path, "sync"))
        assert ran.code == 1
        assert f"cannot write {repo.path / '.git/lerim'}" in ran.err
        assert "the disk is full" in ran.err
        assert "reset" not in ran.err
        assert clean(world.lerim(repo.path, "status")).code == 0  # beside an empty catalog
        assert clean(world.lerim(repo.path, "list")).code == 0


def _fill(disk: Path, room: int) -> None:
    with (disk / "filling").open("wb", buffering=0) as file:
        free = os.statvfs(disk)
        file.write(b"x" * max(free.f_bavail * free.f_bsize - room, 0))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("syncWindow", "soon"),
        ("maxSessions", "0"),
        ("maxSessions", "many"),
        ("branch", "../x"),
        ("branch", "-x"),
        ("branch", "a b"),
        ("store", "cloud"),
        ("agents", "claude,nobody"),
        ("redactPattern", "("),
        ("redactAllow", "*"),
        ("confidenceFloor", "2"),
        ("budgetUsd", "cheap"),
        ("apiBase", "ftp://x"),
        ("remote", "--upload-pack=touch x"),
    ],
)
def test_a_bad_setting_is_named_with_its_origin(
    name: str, value: str, quick: Callable[..., Ran], repo: Repo
) -> None:
    repo.git("config", f"lerim.{name}", value)

    refused(quick("sync"), rf"lerim\.{name} has .*\(file:.*config\)\nhint: expected ")


@pytest.mark.parametrize("path", ["/", "here"])
def test_an_old_place_that_cannot_be_is_left_out_with_a_warning(
    path: str, world: World, repo: Repo
) -> None:
    repo.git("config", "--global", "lerim.repositoryPath", path)

    synced = world.lerim(repo.path, "sync")

    assert synced.code == 0
    assert "warning: lerim.repositoryPath has the value" in synced.err


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["brief"],
        ["ask", "What is kept?"],
        ["stale"],
        ["stats"],
        ["export", "-"],
        ["handoff", "list"],
        ["remember", "Prices are in cents."],
    ],
)
def test_a_bad_setting_for_sync_does_not_stop_a_verb_that_needs_it_not(
    words: list[str], world: World, repo: Repo
) -> None:
    repo.git("config", "lerim.syncWindow", "banana")

    ran = world.lerim(repo.path, *words)

    assert ran.code == 0
    assert "warning: lerim.syncWindow has the invalid value 'banana' (file:" in ran.err
    assert "); expected a duration such as 7d" in ran.err


@pytest.mark.parametrize(
    ("name", "words"),
    [("syncWindow", ["--window", "1d"]), ("syncWindow", ["--since", "2026-01-01"]),
        ("maxSessions", ["--max-sessions", "3"])],
)  # fmt: skip
def test_a_bad_setting_does_not_stop_a_sync_with_the_option_that_overrides_it(
    name: str, words: list[str], world: World, repo: Repo
) -> None:
    repo.git("config", f"lerim.{name}", "banana")

    assert world.lerim(repo.path, "sync", *words).code == 0
    assert world.lerim(repo.path, "sync", "--until", "2026-12-31").code == 1


def test_a_bad_setting_for_sync_does_not_silence_hooks(world: World, repo: Repo) -> None:
    world.lerim(repo.path, "remember", "Prices are in cents.")
    repo.git("config", "lerim.syncWindow", "banana")
    event = {"session_id": "5b0c", "cwd": str(repo.path), "hook_event_name": "SessionStart"}

    told = world.lerim(repo.path, "hook", "claude", "SessionStart", stdin=json.dumps(event))

    assert "Prices are in cents" in told.out
    assert world.lerim(repo.path, "statusline").out.startswith("lerim")
    assert world.lerim(repo.path, "maintain").code == 1


def test_a_bad_setting_that_protects_the_reader_stops_a_listing(world: World, repo: Repo) -> None:
    repo.git("config", "lerim.trust", "banana")

    assert world.lerim(repo.path, "list").code == 1


def test_a_bad_setting_of_the_environment_is_named(world: World, repo: Repo) -> None:
    refused(
        world.lerim(repo.path, "sync", env={"LERIM_MAX_SESSIONS": "1e9"}),
        r"lerim\.maxSessions has the invalid value '1e9' \(environment LERIM_MAX_SESSIONS\)\n"
        r"hint: ",
    )


@pytest.mark.parametrize(
    "words",
    [
        ("sync", "--window", "soon"),
        ("sync", "--window", ""),
        ("sync", "--window", "9999999w"),
        ("sync", "--window", "-7d"),
        ("sync", "--since", "yesterday-ish"),
        ("sync", "--since", "2026-13-45"),
        ("sync", "--until", "2026-02-30"),
        ("sync", "--since", "2026-02-02", "--until", "2026-02-01"),
        ("sync", "--wait", "long"),
        ("sync", "--max-sessions", "0"),
        ("sync", "--agent", "nobody"),
        ("sync", "--session", ""),
        ("sync", "--session", "nothing"),
        ("sync", "--no-such"),
        ("list", "--at", "2026-99-99"),
        ("list", "--at", "--output=x"),
        ("list", "--kind", "wisdom"),
        ("search", "--since", "yesterday-ish"),
        ("diff", "then..now"),
        ("why", ".git/config"),
        ("backup", "restore"),
        ("backup", "no/such/folder/file"),
        ("connect", "nobody"),
        ("connect", "claude", "--path", "/no/such/folder"),
        ("queue", "skip"),
        ("sessions", "show", "nothing"),
        ("logs", "nothing"),
        ("remember",),
        ("remember", "x", "--file", "../../etc/passwd"),
        ("remember", "x", "--file", "hello.py:1-"),
        ("remember", "x" * 5000),
        ("remember", "x", "--decision", "--kind", "fact"),
        ("show",),
        ("show", ""),
        ("completion", "tcsh"),
        ("rememberr", "x"),
    ],
)
def test_a_command_line_that_makes_no_sense(
    words: tuple[str, ...], quick: Callable[..., Ran], repo: Repo
) -> None:
    quick("init")
    before = repo.git("rev-parse", "lerim/memory")

    ran = quick(*words)

    clean(ran)
    is_unknown = words[0] in {"show", "remember"} or words[-1] == "nothing"
    assert ran.code in {1, 2} if is_unknown else ran.code == 2, ran.err
    assert ran.err.startswith("git lerim: ")
    assert ran.out == ""
    assert repo.git("rev-parse", "lerim/memory") == before


def test_a_question_without_a_terminal_is_not_answered(world: World, repo: Repo) -> None:
    first = synced(world, repo)

    refused(world.lerim(repo.path, "reset", "--branch"), "nothing was done: .*\nhint: .*--yes")
    refused(
        world.lerim(repo.path, "edit", first[0]),
        "cannot open an editor without a terminal; nothing was changed\nhint: ",
    )

    assert ids(world, repo) == first


def test_home_is_missing_or_unset(world: World, repo: Repo, tmp_path: Path) -> None:
    git = {
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@x.y",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@x.y",
    }
    bare = {
        name: value
        for name, value in os.environ.items()
        if name not in {"HOME", "USERPROFILE"} and "XDG" not in name
    } | git
    for env in (bare, bare | {"HOME": str(tmp_path / "none")}, bare | {"HOME": ""}):
        for words in (["sync"], ["remember", "x"], ["list"], ["status"], ["doctor"]):
            done = subprocess.run(
                [sys.executable, "-m", "git_lerim", *words],
                cwd=repo.path,
                env=env,
                capture_output=True,
                text=True,
                check=False,
            )

            assert clean(Ran(done.returncode, done.stdout, done.stderr)).code == 0, done.stderr
    assert (
        len(ids(world, repo)) == 1 or len({*ids(world, repo)}) == 3
    )  # one a moment: the id of a note has its second


def test_a_catalog_of_garbage_is_set_aside(world: World, repo: Repo) -> None:
    first = synced(world, repo)
    for garbage in (b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 5000):
        (repo.path / ".git/lerim/catalog.sqlite3").write_bytes(garbage)

        for words in (("status",), ("sync", "--window", "all")):
            assert clean(world.lerim(repo.path, *words)).code == 0, words

        assert ids(world, repo) == first


def test_local_files_that_are_something_else(world: World, repo: Repo) -> None:
    first = synced(world, repo)
    own = repo.path / ".git/lerim"
    shutil.rmtree(own)
    own.write_text("a file where the folder should be\n")

    refused(world.lerim(repo.path, "sync"), "(?i)cannot write|cannot be opened")
    assert clean(world.lerim(repo.path, "status")).code == 0

    assert ids(world, repo) == first


def test_a_personal_memory_that_cannot_be_made(world: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/none")):
        refused(
            world.lerim(tmp_path, "remember", "--personal", "x", env={"LERIM_HOME": str(place)}),
            "the personal memory cannot be created in .*\nhint: set LERIM_HOME",
        )


def test_a_relative_folder_for_the_personal_memory_is_not_the_work_tree(
    world: World, repo: Repo, sealed_world: Path
) -> None:
    for variable in ("LERIM_HOME", "XDG_DATA_HOME"):
        assert (
            world.lerim(repo.path, "remember", "--personal", "x", env={variable: "here"}).code == 0
        )

        assert repo.git("status", "--porcelain") == ""
    assert (sealed_world / "here" / "memory.git").is_dir()


def test_a_date_that_git_cannot_read_is_said_to_be_one(world: World, repo: Repo) -> None:
    refused(
        world.lerim(repo.path, "remember", "x", env={"GIT_AUTHOR_DATE": "garbage"}),
        "invalid date format: garbage",
    )


def test_a_wait_that_is_no_number(world: World, repo: Repo) -> None:
    ran = world.lerim(repo.path, "sync", "--wait", "nan")

    assert ran.code == 2


def test_what_an_agent_stored_of_a_session_forges_no_line(world: World, repo: Repo) -> None:
    session = world.session("claude-catalog.jsonl", repo.path, name="odd")
    text = session.read_text().replace('"sessionId":"odd', r'"sessionId":"x1\n\nforged: id')
    text = text.replace('"version":"', r'"version":"2\nforged: version ')
    session.write_text(text.replace('"gitBranch":"main', r'"gitBranch":"b\nforged: branch'))

    shown = lerim(repo.path, "sync", "--window", "all").out
    for words in (["sessions"], ["sessions", "show", "x1"], ["log"], ["show", *ids(world, repo)]):
        ran = lerim(repo.path, *words)
        assert ran.code == 0, ran.err
        shown += ran.out

    assert [f"forged: {each}" in shown for each in ("id", "version", "branch")] == [True] * 3
    assert [line for line in shown.split("\n") if line.startswith("forged")] == []
