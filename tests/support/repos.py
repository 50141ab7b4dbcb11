"""Real repositories to test on, in every shape that people have."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import copies

HELLO = "hello.py"


@dataclass(frozen=True)
class Repo:
    """A repository on disk, driven by git itself."""

    path: Path

    def git(self, *args: str, stdin: str | bytes = "", when: str = "", check: bool = True) -> str:
        """Run git here and return what it printed, without the last line end. `when` dates a
        commit.
        """
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when} if when else {}
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            check=False,
            env=os.environ | dates,
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(args)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode(errors="surrogateescape").rstrip("\n")

    def commit(self, files: dict[str, str], message: str = "change", when: str = "") -> str:
        """Write files, commit them and return the commit's id."""
        for name, text in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        self.git("add", "--", *files)
        self.git("commit", "-q", "-m", message, when=when)
        return self.git("rev-parse", "HEAD")


def unborn(path: Path, *options: str) -> Repo:
    """Make a repository without a commit."""
    path.mkdir(parents=True)
    made = Repo(path)
    made.git("init", "-q", *options)
    return made


def normal(path: Path, *options: str) -> Repo:
    """Make a repository with one commit."""
    if options:
        _committed(path, *options)
    else:
        copies.make(path, "normal", lambda: _committed(path))
    return Repo(path)


def _committed(path: Path, *options: str) -> None:
    unborn(path, *options).commit({HELLO: "print('hello')\n"}, "first", when="2026-02-01T10:00:00Z")


def with_files(path: Path, files: dict[str, str], *submodules: str) -> Repo:
    """Make a repository with files for a whole module of tests, which has no home of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
            patch.setenv(f"{name}_NAME", "Ada Tester")
            patch.setenv(f"{name}_EMAIL", "ada@example.org")
        made = normal(path)
        for name in submodules:
            made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{name}")
        made.commit(files)
    return made


def bare(path: Path, *options: str) -> Repo:
    """Make a bare repository without a commit."""
    if options:
        return unborn(path, "--bare", *options)
    copies.make(path, "bare", lambda: unborn(path, "--bare"))
    return Repo(path)


def cloned(hub: Repo, path: Path) -> Repo:
    """Make a repository with a commit of its own, and the hub as its remote."""
    made = normal(path)
    remote = f"url = {hub.path}\n\tfetch = +refs/heads/*:refs/remotes/origin/*"
    with (path / ".git" / "config").open("a") as config:  # as `git remote add` would
        config.write(f'[remote "origin"]\n\t{remote}\n')
    return made


def worktree(path: Path) -> Repo:
    """Make a linked worktree; its repository stands beside it, as `<name>-main`."""
    main = normal(path.with_name(path.name + "-main"))
    main.git("worktree", "add", "-q", "-b", "side", str(path))
    return Repo(path)


def detached(path: Path) -> Repo:
    """Make a repository whose HEAD is on no branch."""
    made = normal(path)
    made.git("checkout", "-q", "--detach")
    return made
