import importlib.util
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from support import repos
from support.repos import Repo

from git_lerim import __version__
from git_lerim.cli import INTERNAL, VERBS, Ended, main
from git_lerim.errors import MAKE_SPACE, Busy, LerimError
from git_lerim.git.running.process import git_version
from git_lerim.storage.writing.lock import Lock

HEAVY = ("pygit2", "openai", "tiktoken", "yaml", "frontmatter")


def run(*args: str, cwd: Path, **how: object) -> subprocess.CompletedProcess[str]:
    options: dict[str, object] = {
        "capture_output": True,
        "text": True,
        "stdin": subprocess.DEVNULL,
    } | how
    return subprocess.run(
        [sys.executable, "-m", "git_lerim", *args], cwd=cwd, check=False, **options
    )  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Return what makes a function the verb `trial`."""

    def make(function: Callable[[], object]) -> None:
        module = ModuleType("git_lerim.commands.trial")
        module.command = click.command("trial")(function)  # type: ignore[attr-defined]
        monkeypatch.setitem(VERBS, "trial", "For a test.")
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return make


def raising(error: BaseException) -> Callable[[], object]:
    def function() -> None:
        raise error

    return function


# -- help and usage


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec(f"git_lerim.commands.{name}") is None:
        pytest.skip(f"{name} is not written yet")
    assert main([name, "-h"]) == 0
    short = capsys.readouterr()
    assert short.out.startswith(f"Usage: git lerim {name}")
    assert short.err == ""
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out == short.out


@pytest.mark.parametrize("name", VERBS)
def test_what_an_option_takes_is_not_told_in_the_words_of_a_programmer(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "-h"]) == 0
    assert not re.search(r"INTEGER|FLOAT|BOOLEAN|[<>]=", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "least"),
    [
        (("list", "-n"), 1), (("log", "--limit"), 1), (("search", "x", "-n"), 1),
        (("why", "x", "-n"), 1), (("logs", "-n"), 1),
        (("sessions", "-n"), 1), (("brief", "--budget"), 1), (("sync", "--max-sessions"), 1),
        (("sync", "--wait"), 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("number", ["none", "-1", "1.5", "1e3", "+1", "\u0661", "9" * 40])
def test_a_number_that_is_none_is_refused_in_the_same_words(
    words: tuple[str, ...], least: int, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, number]) == 2
    told = capsys.readouterr().err.splitlines()[0]
    assert told.startswith("git lerim: invalid value for ")
    assert told.endswith(f"{number!a} is not a whole number of at least {least}")


@pytest.mark.parametrize("name", VERBS)
def test_an_option_takes_the_same_thing_wherever_it_is_called_so(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    many = name in {"sync", "install", "uninstall"}
    takes = {
        "--limit": "N", "--at": "REV|DATE", "--since": "DATE", "--until": "DATE", "--tag": "TAG",
        "--title": "LINE",
        **({"--at": "REV", "--since": "REV"} if name == "stale" else {}),  # of the code
        "--agent": "A,B" if many else "AGENT", "--session": "ID",
        "--path": "FOLDER" if name == "connect" else "PATH",
    }  # fmt: skip
    assert main([name, "-h"]) == 0
    for option, what in re.findall(
        r"^ +(?:-\w, )?(--[a-z-]+)(?:, --run-id)? ([A-Z]\S*)  ",
        capsys.readouterr().out,
        re.MULTILINE,
    ):
        assert what == takes.get(option, what), option


@pytest.mark.parametrize(
    "words",
    [
        ("sessions", "show", "x", "--all"), ("sessions", "show", "x", "--unscoped"),
        ("sessions", "show", "x", "--limit", "3"),
        ("backup", "restore", "x", "--force"), ("handoff", "list", "--question", "x"),
        ("handoff", "claim", "--to", "codex"),
    ],
)  # fmt: skip
def test_an_option_that_would_do_nothing_is_refused(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 2
    option = next(word for word in words if word.startswith("--"))
    said = (
        f"git lerim: git lerim {words[0]} {words[1]} does not accept {option}\n"
        f"hint: see git lerim {words[0]} -h\n"
    )
    assert capsys.readouterr() == ("", said)


def test_the_table_has_every_verb_and_nothing_else() -> None:
    commands = Path(str(importlib.util.find_spec("git_lerim.cli").origin)).parent / "commands"  # type: ignore[union-attr]
    written = {
        path.stem
        for path in commands.glob("*.py")
        if "\ndef command(" in path.read_text(encoding="utf-8")
    }
    assert written | {"recall"} == {*VERBS, *INTERNAL}  # `recall` is `search`


def test_help_and_version_are_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr()
    assert all(f"\n  {name} " in shown.out for name in VERBS)
    assert shown.err == ""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"git-lerim {__version__}\n"


@pytest.mark.parametrize(
    ("words", "same"),
    [(["help"], ["--help"]), (["help", "list"], ["list", "--help"]), (["help", "help"], ["-h"])],
)
def test_help_works_as_the_help_of_git(
    words: list[str], same: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(same) == 0
    expected = capsys.readouterr()

    assert main(words) == 0
    assert capsys.readouterr() == expected
    assert main(["help", "nope"]) == 2
    assert "no such verb: nope" in capsys.readouterr().err


def test_without_a_verb_the_help_is_shown_and_nothing_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("Usage: git lerim")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["snyc"], "no such verb: snyc. Did you mean sync"),
        (["frobnicate"], "no such verb: frobnicate"),
        (["--frobnicate"], "--frobnicate"),
        (["sync", "--frobnicate"], "--frobnicate"),
        (["sync", "superfluous"], "superfluous"),
        (["list", "--limit", "none"], "none"),
        (["\x1b[2J"], "\\x1b[2J"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_explained(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("git lerim: ")
    assert told in shown.err
    assert "Usage: git lerim" in shown.err
    assert "\x1b" not in shown.err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("serach", "search"),
        ("stauts", "status"),
        ("rember", "remember"),
        ("synch", "sync"),
        ("lgo", "log"),
        ("aks", "ask"),
    ],
)
def test_a_verb_that_is_nearly_right_is_named(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([typed]) == 2
    assert re.search(
        rf"no such verb: {typed}\. Did you mean (\w+ or )*{meant}\b", capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["search", "x", "--sicne"], ". Did you mean --since?"),
        (["list", "--limt=3"], ". Did you mean --limit?"),
        (["log", "--josn"], ". Did you mean --json?"),
        (["list", "--al"], ". Did you mean --all?"),
        (["log", "--verbos"], ". Did you mean --verbose?"),
        (["edit", "x", "--bogus"], ""),
        (["push", "--xyz"], ""),
        (["log", "--foo"], ""),
    ],
)
def test_an_option_is_named_only_where_it_is_nearly_right(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    typed = words[-1].partition("=")[0]
    assert capsys.readouterr().err.startswith(f"git lerim: no such option: {typed}{meant}\nUsage: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "x", "--raw", "--json"], "git lerim show --raw does not accept --json\n"),
        (
            ["search", "x", "--files-with", "--json"],
            "git lerim search --files-with does not accept --json\n",
        ),
        (
            ["backup", "restore", "x", "--force"],
            "git lerim backup restore does not accept --force\n",
        ),
        (
            ["pull", "upstream", "--accept", "all"],
            "--accept takes no REMOTE; it applies to memories from all remotes\n",
        ),
        (
            ["push", "upstream", "--background"],
            "a background push goes only to lerim.remote\n",
        ),
    ],
)
def test_what_would_be_passed_over_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"git lerim: {said}hint: ")


@pytest.mark.parametrize("typed", ["bogus", "xyz", "stash", "branch", "start", "delete"])
def test_what_is_near_no_verb_is_not_taken_for_one(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([typed]) == 2
    assert capsys.readouterr().err.startswith(f"git lerim: no such verb: {typed}\n")


def _empties(empty: str) -> Iterator[tuple[list[str], str]]:
    """Yield a command line for each value that a verb takes, with an empty one in its place, and
    what it is called.
    """
    for name in VERBS:
        for parameter in importlib.import_module(f"git_lerim.commands.{name}").command.params:
            if isinstance(parameter, click.Argument):
                yield [name, empty], "an argument"
                yield [name, *["word"] * max(parameter.nargs - 1, 0), empty], "an argument"
            elif not parameter.is_flag and (name, parameter.opts) != (
                "brief",
                ["--for"],
            ):  # a prompt may say nothing
                for option in parameter.opts:
                    yield [name, option, empty], max(parameter.opts, key=len)


@pytest.mark.parametrize("empty", ["", " ", "\t\n"])
def test_what_is_empty_is_refused_by_every_verb_in_the_same_words(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # nothing is even looked at
    for words, called in _empties(empty):
        assert main(words) == 2, words
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith(f"git lerim: {called} is empty\nUsage: git lerim {words[0]}"), (
            words
        )
        assert shown.err.endswith(f"hint: see git lerim {words[0]} -h\n"), words


@pytest.mark.parametrize(
    "arguments", [["--help"], ["sync", "-h"], ["snyc"], ["sync", "--frobnicate"], ["--version"]]
)
def test_help_and_usage_errors_load_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    code = (
        f"import sys; from git_lerim.cli import main; main({arguments!r}); print(*sys.modules,"
        " sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "git_lerim.cli" in done.stderr.splitlines()
    assert [name for name in done.stderr.splitlines() if name.split(".")[0] in HEAVY] == []


# -- the one place where errors become words


@pytest.mark.parametrize(("error", "code"), [(LerimError("no"), 1), (Busy("no"), 4)])
def test_an_error_is_a_sentence_a_hint_and_a_code(
    error: LerimError,
    code: int,
    verb: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    error.hint = "do this\x1b[2J"
    verb(raising(error))
    assert main(["trial"]) == code
    assert capsys.readouterr() == ("", "git lerim: no\nhint: do this\\x1b[2J\n")


def test_what_a_verb_returns_is_the_exit_code(verb: Callable[[Callable[[], object]], None]) -> None:
    verb(lambda: 3)
    assert main(["trial"]) == 3
    verb(lambda: "text")
    assert main(["trial"]) == 0


def test_a_bug_is_one_sentence_and_a_log_without_values(
    verb: Callable[[Callable[[], object]], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    private = f"hunter{2}-Passw0rd"
    verb(raising(KeyError(private)))
    assert main(["trial"]) == 1
    shown = capsys.readouterr()
    (log,) = tmp_path.glob("git-lerim-*.log")
    assert shown.err == (
        f"git lerim: internal error (KeyError), please report it; details are in {log}\n"
    )
    assert shown.out == ""
    text = log.read_text()
    assert private not in text
    assert "Traceback" not in shown.err
    assert __version__ in text
    assert "raise error" in text
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_bug_that_cannot_be_logged_is_one_sentence_all_the_same(
    verb: Callable[[Callable[[], object]], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    verb(raising(ValueError("no")))
    assert main(["trial"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_the_system_refuses_is_a_sentence(
    verb: Callable[[Callable[[], object]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    verb(raising(PermissionError(13, "Permission denied", "/some/file")))
    assert main(["trial"]) == 1
    assert capsys.readouterr().err == "git lerim: Permission denied (/some/file)\n"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_130(
    error: BaseException,
    verb: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    verb(raising(error))
    assert main(["trial"]) == 130
    assert capsys.readouterr().err == "git lerim: interrupted\n"


@pytest.mark.parametrize("sentence", ["", "lerim/memory was committed"])
def test_an_interruption_says_that_commits_are_kept_if_there_are_any(
    sentence: str,
    verb: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted() -> None:
        click.get_current_context().meta["git_lerim.committed"] = lambda: sentence
        raise KeyboardInterrupt

    verb(interrupted)
    assert main(["trial"]) == 130
    kept = "; finished commits are kept" if sentence else ""
    assert capsys.readouterr().err == f"git lerim: interrupted{kept}\n"


def test_an_interruption_that_python_wraps_in_a_class_body_is_one(
    verb: Callable[[Callable[[], object]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def __set_name__(self, owner: type, name: str) -> None:
            raise Ended(143)

    verb(lambda: type("Chat", (), {"field": Interrupted()}))
    assert main(["trial"]) == 143
    assert capsys.readouterr().err == "git lerim: interrupted\n"


def test_an_error_of_click_that_is_none_of_usage_is_a_sentence(
    verb: Callable[[Callable[[], object]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    verb(raising(click.FileError("a.txt", "gone")))
    assert main(["trial"]) == 1
    assert "a.txt" in capsys.readouterr().err


# -- in a process of its own


def test_outside_a_repository_a_verb_that_needs_one_says_so(tmp_path: Path) -> None:
    done = run("remember", "x", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"git lerim: {tmp_path} is not in a git repository\nhint: ")


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_run_that_is_told_to_end_says_so_without_a_traceback(
    repo: Repo, number: signal.Signals, code: int
) -> None:
    with Lock(repo.path / ".git" / "lerim" / "lock").acquire(1):
        child = subprocess.Popen(
            [sys.executable, "-m", "git_lerim", "sync", "--wait", "60"],
            cwd=repo.path,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(1.5)
        assert child.poll() is None
        child.send_signal(number)
        told = child.communicate(timeout=20)[1]
    assert child.returncode == code
    # nothing was queued yet
    assert told.strip().splitlines()[-1] == "git lerim: interrupted; the next sync continues"
    assert "Traceback" not in told


def test_a_signal_that_the_caller_ignores_stays_ignored(repo: Repo) -> None:
    with Lock(repo.path / ".git" / "lerim" / "lock").acquire(1):
        command = f'trap "" HUP; exec "{sys.executable}" -m git_lerim sync --wait 3'
        child = subprocess.Popen(["sh", "-c", command], cwd=repo.path, stderr=subprocess.PIPE)
        time.sleep(1.5)
        child.send_signal(signal.SIGHUP)
        child.communicate(timeout=20)
    assert child.returncode == 4


def test_a_reader_that_goes_away_is_no_error(repo: Repo) -> None:
    script = f'"{sys.executable}" -m git_lerim config --json; echo $? >&2'
    shell = subprocess.Popen(
        ["sh", "-c", script],
        cwd=repo.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert shell.stdout
    shell.stdout.close()
    assert shell.stderr
    assert shell.stderr.read() == "0\n"
    shell.stderr.close()
    shell.wait()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_stdout_is_a_sentence(repo: Repo) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(
            "config",
            "--json",
            cwd=repo.path,
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1
    assert done.stderr == (
        f"git lerim: cannot write to standard output: No space left on device\nhint: {MAKE_SPACE}\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_what_was_committed_is_named_where_the_output_cannot_be_written(repo: Repo) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(
            "remember",
            "Prices are cents, because floats round.",
            cwd=repo.path,
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )

    commit = repo.git("rev-parse", "lerim/memory")[:10]
    assert done.returncode == 1
    assert done.stderr == (
        "git lerim: cannot write to standard output: No space left on device\n"
        "hint: the change was committed to lerim/memory nevertheless; to see it: git show"
        f" {commit}\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("words", "code"),
    [(["remember", "Prices are cents."], 0), (["lint"], 0), (["show", "nosuch"], 1), (["snyc"], 2)],
)
def test_talk_that_finds_no_room_changes_nothing(words: list[str], code: int, repo: Repo) -> None:
    with Path("/dev/full").open("w") as full:
        done = run(*words, cwd=repo.path, capture_output=False, stdout=subprocess.PIPE, stderr=full)

    assert done.returncode == code
    assert (words[0] == "remember") == (repo.git("for-each-ref", "refs/heads/lerim") != "")


def test_closed_streams_are_no_bug(repo: Repo) -> None:
    for closed in (">&-", "<&-", "2>&-", ">&- 2>&- <&-"):
        done = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m git_lerim config {closed}'],
            cwd=repo.path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, "internal error" in done.stderr, "Traceback" in done.stderr) == (
            0,
            False,
            False,
        ), closed


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_that_knows_few_characters_ends_nothing(encoding: str, repo: Repo) -> None:
    env = os.environ | {"PYTHONIOENCODING": encoding, "LERIM_IGNORE_PATH": "日本/😀"}
    for arguments in (["config"], ["config", "--json"], ["reset"]):
        done = run(*arguments, cwd=repo.path, env=env, encoding="utf-8", errors="replace")
        assert done.returncode == (1 if arguments == ["reset"] else 0)
        assert "internal error" not in done.stderr


def test_a_question_without_a_terminal_does_nothing_and_exits_1(repo: Repo) -> None:
    (repo.path / ".git" / "lerim").mkdir()
    (repo.path / ".git" / "lerim" / "activity.log").write_text("x")
    done = run("reset", cwd=repo.path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "--yes" in done.stderr
    assert (repo.path / ".git" / "lerim" / "activity.log").read_text() == "x"


def test_a_setting_with_a_bad_value_is_named_with_its_origin(repo: Repo) -> None:
    repo.git("config", "lerim.syncWindow", "soon")
    done = run("sync", cwd=repo.path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"git lerim: lerim.syncWindow has the invalid value 'soon' (file:{repo.path}/.git/config)",
        "hint: expected a duration such as 7d, 24h, 30m, 30s, or all",
    ]


@pytest.mark.parametrize(
    "name", [name for name in VERBS if name not in {"completion", "skill", "hook", "mcp"}]
)  # mcp tells its client
def test_a_missing_git_is_named_by_every_verb(
    name: str,
    repo: Repo,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    git_version.cache_clear()
    command = importlib.import_module(f"git_lerim.commands.{name}").command
    words = ["word" for parameter in command.params if isinstance(parameter, click.Argument)]
    if name in {"connect", "sessions", "queue", "handoff", "review"}:
        words = ["list"]
    words = [] if name == "maintain" else words
    if name == "feedback":
        words = ["word", "used"]

    for place in (repo.path, tmp_path):
        monkeypatch.chdir(place)
        assert main([name, *words]) == 1
        assert capsys.readouterr() == (
            "",
            "git lerim: git was not found on PATH\nhint: install git 2.30 or newer\n",
        )


def test_it_works_through_git_itself(tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "git-lerim"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m git_lerim "$@"\n')
    tool.chmod(0o755)
    made = repos.normal(tmp_path / "repo")
    env = os.environ | {"PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}"}
    asked = ["git", "-c", "lerim.syncWindow=3d", "lerim", "config", "--json"]
    done = subprocess.run(
        asked, cwd=made.path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "3d" in done.stdout
    done = subprocess.run(
        ["git", "lerim", "sync", "-h"],
        cwd=made.path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.startswith("Usage: git lerim sync")) == (0, True)


@pytest.mark.parametrize("option", ["-q", "-v", "--json"])
def test_an_option_of_a_verb_before_it_is_told_its_place(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([option, "list"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("git lerim: no such option")
    assert "a verb's options go after it\n" in said


def test_usage_is_explained_by_the_oldest_click_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(click.exceptions, "NoArgsIsHelpError", raising=False)  # as in click 8.1

    assert main(["list", "--frobnicate"]) == 2
    assert capsys.readouterr().err.startswith("git lerim: no such option")


def test_what_click_says_is_written_as_all_that_we_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "git lerim: missing argument 'ID...'"


def test_a_decision_is_given_no_kind(repo: Repo) -> None:
    told = run("remember", "Use SQLite for the catalog.", "--decision", cwd=repo.path)

    refused = run("edit", told.stdout.split()[0], "--kind", "fact", cwd=repo.path)

    assert (refused.returncode, refused.stderr.splitlines()[0]) == (
        2,
        "git lerim: a decision has no kind",
    )
