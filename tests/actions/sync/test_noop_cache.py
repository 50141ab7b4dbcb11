import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support import repos
from support.claude import Recording
from support.repos import Repo

from git_lerim import __main__, cli
from git_lerim.actions.sync import noop_cache
from git_lerim.storage.writing.lock import Lock

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="only where a file's times of change can be trusted"
)

Said = tuple[int | None, str, str]
OTHER = "7c0d2b3a-0000-4000-8000-000000000002"
MOVING = r"sync-\d{8}T\d{6}-[0-9a-f]{4}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\d+\.\d+"


class Place:
    """A repository whose sessions were synced, and in which nothing was left to do."""

    def __init__(self, repo: Repo, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.repo, self.home, self._capfd = repo, home, capfd
        self.recording = Recording(home, str(repo.path)).prompt(
            "We decided to use SQLite for the catalog, because it is there."
        )

    def at_once(self, *words: str) -> Said:
        """Return what the hot path answers: None if it leaves it to the command."""
        return self._said(lambda: noop_cache.replay(list(words)))

    def long_way(self, *words: str) -> Said:
        """Return what the command itself answers."""
        return self._said(lambda: cli.main(["sync", *words]))

    def settle(self, *words: str) -> None:
        """Sync until there is nothing to do, and once more when the clock has ticked."""
        self.long_way(*words)
        time.sleep(0.07)
        self.long_way(*words)

    def _said(self, run: Callable[[], int | None]) -> Said:
        self._capfd.readouterr()
        try:
            code = run()
        except OSError:  # as the program takes it
            code = None
        return code, *self._capfd.readouterr()

    @property
    def log(self) -> list[str]:
        """The lines of the activity log."""
        return (self.repo.path / ".git/lerim/activity.log").read_text().splitlines()


@pytest.fixture
def place(
    repo: Repo,
    sealed_world: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Place:
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
    monkeypatch.chdir(repo.path)
    found = Place(repo, sealed_world, capfd)
    found.settle("--window", "all")
    return found


def bare(said: Said) -> tuple[int | None, str, str]:
    """Return what was said without what differs from run to run."""
    code, out, err = said
    return code, re.sub(MOVING, "*", out), re.sub(MOVING, "*", err)


def goes_the_long_way(place: Place, *words: str) -> None:
    before = place.log
    assert place.at_once(*(words or ("--window", "all"))) == (None, "", "")
    assert place.log == before


# -- the same answer


@pytest.mark.parametrize(
    "words",
    [
        (), ("--json",), ("-q",), ("--quiet", "--json"), ("--no-model",), ("--max-sessions", "9"),
        ("--max-sessions=9", "--wait=0"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("window", ["all", "9000d"])
def test_what_is_told_at_once_is_what_the_command_tells(
    place: Place, window: str, words: tuple[str, ...]
) -> None:
    if window != "all":
        place.settle("--window", window)
    words = ("--window", window, *words)

    at_once, log = place.at_once(*words), place.log
    told = place.long_way(*words)

    assert at_once[0] == 0
    assert bare(at_once) == bare(told)
    assert re.sub(MOVING, "*", log[-1]) == re.sub(MOVING, "*", place.log[-1])
    assert len(place.log) == len(log) + 1


def test_the_report_is_that_of_this_run(place: Place) -> None:
    place.settle("--window", "9000d")
    code, out, err = place.at_once("--window", "9000d", "--json")
    report = json.loads(out)
    theirs = json.loads(place.long_way("--window", "9000d", "--json")[1])

    assert (code, err, list(report)) == (0, "", list(theirs))
    assert report["run_id"] in place.log[-2]
    for name in ("window_start", "window_end"):
        assert abs(seconds(report[name]) - seconds(theirs[name])) < 10
    assert isinstance(report["duration_seconds"], float)


def seconds(text: str) -> float:
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


def test_a_run_that_was_told_at_once_left_no_artifacts_as_the_command_leaves_none(
    place: Place,
) -> None:
    before = sorted((place.repo.path / ".git/lerim/runs").iterdir())
    assert place.at_once("--window", "all")[0] == 0
    place.long_way("--window", "all")

    assert sorted((place.repo.path / ".git/lerim/runs").iterdir()) == before


def test_it_is_told_at_once_in_a_folder_below_and_in_a_linked_worktree(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.repo.git("worktree", "add", "-q", str(tmp_path / "side"))
    (place.repo.path / "deep").mkdir()
    goes_the_long_way(place)
    place.settle("--window", "all")

    for folder in (place.repo.path / "deep", tmp_path / "side", place.repo.path):
        monkeypatch.chdir(folder)
        assert place.at_once("--window", "all")[0] == 0


def test_it_is_told_at_once_in_a_hook_of_a_linked_worktree(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.repo.git("worktree", "add", "-q", str(tmp_path / "side"))
    monkeypatch.chdir(tmp_path / "side")
    monkeypatch.setenv("GIT_DIR", str(place.repo.path / ".git/worktrees/side"))
    place.settle("--window", "all")

    assert place.at_once("--window", "all")[0] == 0
    monkeypatch.delenv("GIT_DIR")
    assert place.at_once("--window", "all")[0] == 0
    monkeypatch.setenv("GIT_DIR", str(repos.normal(tmp_path / "other").path / ".git"))
    goes_the_long_way(place)


def test_a_setting_without_effect_is_warned_of_alike(place: Place) -> None:
    place.repo.git("config", "lerim.briefTokens", "999")
    place.settle("--window", "all")

    assert bare(place.at_once("--window", "all")) == bare(place.long_way("--window", "all"))
    assert bare(place.at_once("--window", "all", "--json")) == bare(
        place.long_way("--window", "all", "--json")
    )


def test_where_no_agent_left_anything_that_is_told_at_once(place: Place) -> None:
    place.recording.path.unlink()
    shutil.rmtree(place.repo.path / ".git/lerim")
    place.settle()

    at_once = place.at_once()

    assert "no agent sessions found" in at_once[2]
    assert bare(at_once) == bare(place.long_way())


@pytest.mark.usefixtures("place")
def test_the_program_tells_it_at_once() -> None:
    # what is loaded shows which way was taken
    program = (
        "import sys; from git_lerim.__main__ import main; code = main(); print('click' in"
        " sys.modules); sys.exit(code)"
    )
    command = [sys.executable, "-c", program, "sync", "--window"]

    for window, loaded in (("all", "False"), ("9000d", "True")):
        done = subprocess.run([*command, window], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == [loaded]


# -- whatever may be new is left to the command


@pytest.mark.parametrize(
    "words",
    [
        (), ("--window", "8000d"), ("--agent", "claude", "--window", "all"),
        ("--window", "all", "-v"), ("-h",), ("--force",),
        ("--window", "all", "--dry-run"), ("--window", "all", "--no-extract"),
        ("--window", "all", "--session", "5b0c"),
        ("--window", "all", "--personal"), ("--window", "all", "--ignore-lock"),
        ("--window", "all", "--since", "2026-01-01"),
        ("--window", "all", "--max-sessions", "0"), ("--window", "all", "--max-sessions", "x"),
        ("--window", "all", "--wait", "-1"), ("--window", "all", "--agent", ","),
        ("--window",), ("--window=",), ("--window", "all", "more"), ("--window", "all", "--"),
        ("--json=x", "--window", "all"),
    ],
)  # fmt: skip
def test_another_question_goes_the_long_way(place: Place, words: tuple[str, ...]) -> None:
    assert place.at_once("--window", "all")[0] == 0
    goes_the_long_way(place, *words) if words else goes_the_long_way(place, "--json")


def _grow(place: Place) -> None:
    place.recording.prompt("More.")


def _another(place: Place) -> None:
    Recording(place.home, str(place.repo.path), id=OTHER).prompt("More.")


def _another_project(place: Place) -> None:
    Recording(place.home, str(place.repo.path), id=OTHER, project="-other").prompt("More.")


def _another_agent(place: Place) -> None:
    path = place.home / ".codex/sessions/2026/02/20/rollout-1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")


def _gone(place: Place) -> None:
    place.recording.path.unlink()


def _of_the_same_size(place: Place) -> None:
    data = place.recording.path.read_bytes()
    place.recording.path.write_bytes(data.replace(b"SQLite", b"sqlite"))
    os.utime(place.recording.path, ns=(0, 0))


def _a_database(place: Place) -> None:
    path = place.home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")


def _a_setting(place: Place) -> None:
    place.repo.git("config", "lerim.maxSessions", "7")


def _a_global_setting(place: Place) -> None:
    place.repo.git("config", "--global", "lerim.maxSessions", "7")


def _a_remote(place: Place) -> None:
    place.repo.git("remote", "add", "origin", "https://example.org/shop.git")


def _another_path(place: Place) -> None:
    place.repo.git("config", "--global", "lerim.claude.path", str(place.home / "elsewhere"))


def _a_worktree(place: Place) -> None:
    place.repo.git("worktree", "add", "-q", str(place.home / "side"))


def _no_branch(place: Place) -> None:
    place.repo.git("branch", "-D", "lerim/memory")


def _a_broken_branch(place: Place) -> None:
    (place.repo.path / ".git/refs/heads/lerim/memory").write_text("")


def _no_catalog(place: Place) -> None:
    (place.repo.path / ".git/lerim/catalog.sqlite3").unlink()


def _no_cache(place: Place) -> None:
    (place.repo.path / ".git/lerim/cache/transcripts.sqlite3").unlink()


def _a_session_to_try_again(place: Place) -> None:
    cli.main(["queue", "retry", place.recording.id])


def _another_version(place: Place) -> None:
    _rewrite(
        place,
        lambda text: text.replace("git-lerim unchanged 1 of", "git-lerim unchanged 1 of 0.0.0,"),
    )


def _too_old(place: Place) -> None:
    _rewrite(
        place,
        lambda text: re.sub(
            r"\n(\d{13})\n", lambda m: f"\n{int(m[1]) - 86_400_000}\n", text, count=1
        ),
    )


def _from_the_future(place: Place) -> None:
    _rewrite(
        place,
        lambda text: re.sub(
            r"\n(\d{13})\n", lambda m: f"\n{int(m[1]) + 86_400_000}\n", text, count=1
        ),
    )


def _no_number(place: Place) -> None:
    _rewrite(place, lambda text: re.sub(r"\n(\d{13})\n", "\nx\n", text, count=1))


def _hostile(place: Place) -> None:
    _rewrite(place, lambda text: text.replace("extracted", "\x1b[31mextracted"))


def _cut(place: Place) -> None:
    _rewrite(place, lambda text: text[: len(text) // 2])


def _rewrite(place: Place, change: Callable[[str], str]) -> None:
    path = place.repo.path / ".git/lerim/unchanged"
    before = path.read_text()
    path.write_text(change(before))
    assert path.read_text() != before


@pytest.mark.parametrize(
    "change",
    [
        _grow, _another, _another_project, _another_agent, _gone, _of_the_same_size, _a_database,
        _a_setting, _a_global_setting,
        _a_remote, _another_path, _a_worktree, _no_branch, _a_broken_branch, _no_catalog, _no_cache,
        _a_session_to_try_again,
        _another_version, _too_old, _from_the_future, _no_number, _hostile, _cut,
    ],
)  # fmt: skip
def test_after_a_change_the_command_looks_itself(
    place: Place, change: Callable[[Place], None]
) -> None:
    assert place.at_once("--window", "all")[0] == 0

    change(place)

    goes_the_long_way(place)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLAUDE_CONFIG_DIR", "/nowhere"), ("CODEX_HOME", ""), ("HOME", "/nowhere"),
        ("XDG_CONFIG_HOME", "/nowhere"),
        ("LERIM_MAX_SESSIONS", "7"), ("GIT_DIR", ".git"), ("GIT_CONFIG_COUNT", "0"),
        ("GIT_CONFIG_GLOBAL", "/nowhere"),
    ],
)  # fmt: skip
def test_another_environment_goes_the_long_way(
    place: Place, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    assert place.at_once("--window", "all")[0] == 0
    monkeypatch.setenv(name, value)

    goes_the_long_way(place)


def test_a_worktree_that_comes_to_lie_elsewhere_goes_the_long_way(
    place: Place, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    place.repo.git("worktree", "add", "-q", str(tmp_path / "link" / "side"))
    place.repo.git(
        "worktree", "move", str(tmp_path / "link" / "side"), str(tmp_path / "link" / "aside")
    )
    gitdir = next((place.repo.path / ".git/worktrees").glob("*/gitdir"))
    gitdir.write_text(f"{tmp_path}/link/aside/.git\n")
    place.settle("--window", "all")
    assert place.at_once("--window", "all")[0] == 0

    (tmp_path / "real").rename(tmp_path / "other")
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(tmp_path / "other")

    goes_the_long_way(place)


def test_while_another_run_is_at_work_the_command_waits(place: Place) -> None:
    with Lock(place.repo.path / ".git/lerim/lock").acquire(0):
        goes_the_long_way(place)
    assert place.at_once("--window", "all")[0] == 0


def test_nothing_is_kept_while_sessions_wait_for_their_turn(place: Place) -> None:
    Recording(place.home, str(place.repo.path), id=OTHER).prompt(
        "We decided to deploy on Fridays, because nobody minds."
    )
    place.long_way("--window", "all", "--no-extract")
    time.sleep(0.07)
    place.long_way("--window", "all", "--no-extract")

    goes_the_long_way(place)


def test_a_session_that_leaves_the_window_is_counted_no_more(place: Place) -> None:
    path, window = place.recording.path, "6s"
    soon = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 3))
    path.write_text(re.sub(r"2026-02-20T[0-9:.]*Z", soon, path.read_text()))
    place.settle("--window", window)
    assert "of 1 session " in place.at_once("--window", window)[2]

    time.sleep(4)

    goes_the_long_way(place, "--window", window)
    assert "of 0 sessions " in place.long_way("--window", window)[2]


def test_what_changed_a_moment_ago_is_not_kept(place: Place) -> None:
    _grow(place)
    place.long_way("--window", "all")

    goes_the_long_way(place)


@pytest.mark.parametrize("key", ["include.path", "includeIf.gitdir:**/.git.path"])
@pytest.mark.parametrize("there", [True, False])
def test_a_configuration_that_another_one_includes_counts(
    place: Place, key: str, *, there: bool
) -> None:
    other = place.home / "other.config"
    if there:
        other.write_text("[user]\n\tnote = x\n")
    place.repo.git("config", "--global", key, "other.config")
    place.settle("--window", "all")
    assert place.at_once("--window", "all")[0] == 0

    other.write_text("[lerim]\n\tmaxSessions = 7\n")

    goes_the_long_way(place)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("includeIf.onbranch:main.path", "other"),
        ("extensions.worktreeConfig", "true"),
        ("include.path", "%(prefix)/other"),
    ],
)
def test_a_configuration_that_hangs_on_more_than_files_is_not_kept(
    place: Place, key: str, value: str
) -> None:
    place.repo.git("config", key, value)
    place.settle("--window", "all")

    goes_the_long_way(place)


def test_where_there_are_more_worktrees_a_condition_may_hold_in_one_alone(place: Place) -> None:
    place.repo.git("config", "includeIf.gitdir:/nowhere/.path", "other")
    _a_worktree(place)
    place.settle("--window", "all")

    goes_the_long_way(place)


@pytest.mark.parametrize("name", ["LERIM_REDACT_ALLOW", "GIT_CONFIG_PARAMETERS"])
def test_a_value_that_may_be_a_secret_is_not_kept(
    place: Place, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "'user.secret'='s3cret'")
    place.settle("--window", "all")

    goes_the_long_way(place)
    assert "s3cret" not in (place.repo.path / ".git/lerim/unchanged").read_text()


def test_outside_a_repository_and_in_a_bare_one_the_command_looks_itself(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (repos.bare(tmp_path / "bare.git").path, tmp_path):
        monkeypatch.chdir(folder)
        place.settle("--window", "all")
        assert place.at_once("--window", "all")[0] is None


def test_a_command_line_that_is_not_known_comes_to_the_command(
    place: Place, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["git-lerim", "sync", "--nonsense"])

    assert __main__.main() == 2
    assert "--nonsense" in capfd.readouterr().err
    assert place.log
