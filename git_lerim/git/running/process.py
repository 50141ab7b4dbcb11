"""Run git as a process, safely even in a hostile repository."""

import os
import re
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from git_lerim.errors import MAKE_SPACE, GitFailed, GitMissing, LerimError, ReadOnly
from git_lerim.git.endless_files import endless_ref
from git_lerim.git.running import environment

OLDEST = (2, 30)
# words of the commands by which git reads more refs than those that git-lerim has read itself
_READING_REFS = frozenset(
    ("--all", "@{upstream}", "bundle", "fetch", "for-each-ref", "pack-objects", "push", "worktree")
)
SAFE = environment.SAFE
clean_environment = environment.clean_environment
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])?")
_RUNS = "check that git runs: git version"
LOCKED = "try again when the other git process is done; if none is running, delete the lock file"
# exit status of a process killed at its file size limit, which cannot report it
_TOO_LARGE = -getattr(signal, "SIGXFSZ", 0)
_EXTENSION = re.compile(rb"unknown repository extensions? found:\s+(\S+)")
_DAMAGE = re.compile(r"is corrupt|unable to read|[Cc]ould not parse|Failed to traverse")
_NO_SPACE = (
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "Out of diskspace",
)
NO_WRITING = ("Permission denied", "Read-only file system", *_NO_SPACE)


def run_git(  # noqa: PLR0913 options with defaults
    args: Sequence[str],
    *,
    cwd: Path | None = None,
    input: bytes | None = None,  # noqa: A002 - the name that subprocess gives it
    check: bool = True,
    env: Mapping[str, str] | None = None,
    patience: float | None = None,
) -> bytes:
    """Run git and return its output. Raises GitFailed with git's error unless `check` is off.

    `env` is added to a clean environment, in which no variable points to a repository. GitFailed is
    also raised if git does not end within `patience` seconds.
    """
    done = _run(args, cwd, input, env, patience)
    if check and done.returncode:
        raise (
            read_only("File too large")
            if done.returncode == _TOO_LARGE
            else failure(args, done.stderr)
        )
    return done.stdout


def start_git(
    args: Sequence[str], *, cwd: Path | None = None
) -> Callable[[], subprocess.CompletedProcess[bytes]]:
    """Start git; return a function that waits for it and returns the completed process.

    The function must be called, or the process leaks.
    """
    try:
        started = subprocess.Popen(
            ["git", *SAFE, *args],
            cwd=cwd, env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        require_git()
        raise GitFailed(f"git cannot be run: {error}") from error

    def done() -> subprocess.CompletedProcess[bytes]:
        out, err = started.communicate()
        return subprocess.CompletedProcess(started.args, started.returncode, out, err)

    return done


def git_line(
    args: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> str | None:
    """Return git's output without its trailing newline, or None if it failed."""
    done = _run(args, cwd, None, env)
    return None if done.returncode else os.fsdecode(done.stdout).removesuffix("\n")


def repository_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, such as GIT_DIR, with which the user chose a repository.

    They may be passed on to git only to find the repository.
    """
    return {
        name: environ[name]
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
        if name in environ
    }


@cache
def git_version() -> tuple[int, ...]:
    """Return the version of the git on PATH."""
    try:
        done = subprocess.run(["git", "version"], capture_output=True, check=False)
    except OSError as error:
        raise GitMissing("git was not found on PATH", hint="install git 2.30 or newer") from error
    if done.returncode:
        raise GitFailed(f"git cannot be run: {_last_line(done.stderr)}", hint=_RUNS)
    return tuple(int(part) for part in re.findall(rb"\d+", done.stdout)[:3])


def require_git() -> None:
    """Raise GitMissing unless git is installed and new enough."""
    if git_version()[:2] < OLDEST:
        found = ".".join(map(str, git_version()))
        raise GitMissing(f"git {found} is too old", hint="install git 2.30 or newer")


def failure(args: Sequence[str], stderr: bytes) -> LerimError:
    """Return the error to raise for a git command that failed with this stderr."""
    require_git()
    said = _last_line(stderr)
    if unknown := _EXTENSION.search(stderr):
        name, found = plain(unknown[1].decode(errors="replace")), ".".join(map(str, git_version()))
        hint = "install git 2.45 or newer" if name == "refstorage" else "install a newer git"
        return GitFailed(
            f"git {found} cannot open this repository: unknown extension {name}",
            hint=hint,
        )
    if any(words in stderr.decode(errors="replace") for words in NO_WRITING):
        return read_only(said)
    verb = next(
        (
            word
            for before, word in zip(["", *args], args, strict=False)
            if before != "-c" and word[:1] != "-"
        ),
        "",
    )
    hint = ""
    if "dubious ownership" in said:
        hint = "if you trust its owner, add it to safe.directory in your git configuration"
    elif "File exists" in said and "lock" in said:
        hint = LOCKED
    elif _DAMAGE.search(said):
        hint = "git lerim doctor says more"
    return GitFailed(f"git {verb}: {said}", hint=hint)


def _last_line(stderr: bytes) -> str:
    """Return the line of stderr that states the reason."""
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    telling = (
        [line for line in lines if line.startswith(("fatal: ", "error: "))]
        or lines
        or ["it gave no reason"]
    )
    return plain(telling[-1]).removeprefix("fatal: ").removeprefix("error: ")


def not_run(error: OSError) -> GitFailed:
    """Return the error to raise if git could not be started."""
    return GitFailed(f"git cannot be run: {error.strerror}", hint=_RUNS)


def endless(path: str) -> LerimError:
    """Return the error to raise instead of running git, which would read this file forever."""
    return LerimError(
        f"{plain(path)} is a pipe or a device, which git would read without end",
        hint="delete it, or the setting in .git/config that names it; if you made neither, do not"
        " trust this folder",
    )


def refuse_endless_refs(git_dir: str, common: str, args: Sequence[str]) -> None:
    """Raise LerimError if git, run with these arguments, would wait for a pipe in place of a ref.

    This is checked only for commands that read more refs than git-lerim itself has already read.
    """
    if not _READING_REFS.isdisjoint(args) and (path := endless_ref(git_dir, common)):
        raise endless(path)


def read_only(said: str) -> ReadOnly:
    """Return the error to raise if the repository cannot be written."""
    is_full = any(words in said for words in _NO_SPACE)
    return ReadOnly(
        f"the repository cannot be written: {said}",
        hint=MAKE_SPACE if is_full else "check its permissions",
    )


def plain(text: str) -> str:
    """Return a text safe for a terminal, without escape sequences or control characters."""
    bare = ESCAPES.sub("", text)
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode()
        for c in bare
    )


def _run(
    args: Sequence[str],
    cwd: Path | None,
    given: bytes | None,
    env: Mapping[str, str] | None,
    patience: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    environment = {**clean_environment(), **(env or {})}
    try:
        return subprocess.run(
            ["git", *SAFE, *args],
            cwd=cwd,
            env=environment,
            capture_output=True,
            check=False,
            input=given or b"",
            timeout=patience,
        )
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"git did not finish within {patience} seconds") from error
    except OSError as error:
        if cwd is not None and not cwd.is_dir():
            raise GitFailed(f"cannot enter folder {plain(str(cwd))}") from error
        require_git()
        raise not_run(error) from error
    except ValueError as error:  # a NUL in an argument
        raise GitFailed(f"cannot run git with these arguments: {error}") from error
