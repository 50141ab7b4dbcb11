"""Repositories of every shape, each as its users have it: where they stand, and what they made it
from.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from git_lerim.git.running.process import git_version
from support import repos
from support.repos import Repo

needs_reftables = pytest.mark.skipif(
    git_version() < (2, 45), reason="git writes reftables since 2.45"
)
# what makes a repository that libgit2 does not open, as options of `git init`
OF_GIT_ALONE = [
    "--object-format=sha256",
    pytest.param("--ref-format=reftable", marks=needs_reftables),
]
STRANGERS = {
    "click.py": "raise SystemExit(9)\n",
    "json.py": "raise SystemExit(9)\n",
    "lerim/__init__.py": "raise SystemExit(9)\n",
}


def _clone(path: Path, *options: str, made: tuple[str, ...] = ()) -> Repo:
    hub = repos.normal(path.with_name("hub"), *made)
    hub.commit({"b.py": "b = 1\n", "src/c.py": "c = 1\n"}, "second")
    hub.git("branch", "other")
    hub.git("config", "uploadpack.allowFilter", "true")
    source = str(hub.path) if "--shared" in options else f"file://{hub.path}"
    hub.git("clone", "-q", *options, source, str(path))
    return Repo(path)


def _separate(path: Path) -> Repo:
    made = repos.unborn(path, f"--separate-git-dir={path.with_name('kept.git')}")
    made.commit({"hello.py": "x\n"})
    return made


def _submodule(path: Path) -> Repo:
    inner, outer = repos.normal(path.with_name("inner")), repos.normal(path)
    outer.git("submodule", "--quiet", "add", str(inner.path), "part")
    outer.git("commit", "-q", "-m", "with a part")
    return Repo(path / "part")


def _relative_worktree(path: Path) -> Repo:
    """Make what git makes with worktree.useRelativePaths, since 2.48."""
    made = repos.worktree(path)
    git_dir = Path(made.git("rev-parse", "--absolute-git-dir"))
    (path / ".git").write_text(f"gitdir: {os.path.relpath(git_dir, path)}\n")
    (git_dir / "gitdir").write_text(f"{os.path.relpath(path / '.git', git_dir)}\n")
    if git_version() >= (2, 48):
        made.git("config", "core.repositoryFormatVersion", "1")
        made.git("config", "extensions.relativeWorktrees", "true")
    return made


def _beside_a_bare_one(path: Path) -> Repo:
    hub = repos.bare(path.with_name("hub.git"))
    repos.normal(path.with_name("first")).git("push", "-q", str(hub.path), "main")
    hub.git("worktree", "add", "-q", str(path), "main")
    return Repo(path)


def _sparse(path: Path) -> Repo:
    made = _clone(path)
    made.git("sparse-checkout", "set", "src")
    return made


def _strangers(path: Path) -> Repo:
    made = repos.normal(path)
    made.commit(STRANGERS)
    return made


def _foreign(path: Path) -> Repo:
    if os.name != "posix" or os.geteuid():
        pytest.skip("only root can give a repository to somebody else")
    made = repos.normal(path)
    subprocess.run(["chown", "-R", "12345", str(path)], check=True)
    made.git("config", "--global", "--add", "safe.directory", str(path))
    return made


def _old_partial(path: Path) -> Repo:
    made = _clone(path, "--filter=blob:none")
    made.git("config", "core.repositoryFormatVersion", "1")
    made.git("config", "extensions.partialClone", "origin")
    return made


def _in_a_reftable(path: Path, *options: str) -> Repo:
    if git_version() < (2, 45):
        pytest.skip("git writes reftables since 2.45")
    return repos.normal(path, "--ref-format=reftable", *options)


SHAPES: dict[str, Callable[[Path], Repo]] = {
    "normal": repos.normal,
    "bare": repos.bare,
    "worktree": repos.worktree,
    "worktree by a relative path": _relative_worktree,
    "worktree of a bare one": _beside_a_bare_one,
    "submodule": _submodule,
    "separate": _separate,
    "shallow": lambda path: _clone(path, "--depth=1"),
    "single-branch": lambda path: _clone(path, "--single-branch"),
    "blob:none": lambda path: _clone(path, "--filter=blob:none"),
    "tree:0": lambda path: _clone(path, "--filter=tree:0"),
    "partial of old": _old_partial,
    "sparse": _sparse,
    "alternates": lambda path: _clone(path, "--shared"),
    "unborn": repos.unborn,
    "detached": repos.detached,
    "sha256": lambda path: repos.normal(path, "--object-format=sha256"),
    "sha256 clone": lambda path: _clone(path, made=("--object-format=sha256",)),
    "sha256 shallow": lambda path: _clone(path, "--depth=1", made=("--object-format=sha256",)),
    "sha256 blob:none": lambda path: _clone(
        path, "--filter=blob:none", made=("--object-format=sha256",)
    ),
    "sha256 bare": lambda path: repos.bare(path, "--object-format=sha256"),
    "reftable": _in_a_reftable,
    "reftable sha256": lambda path: _in_a_reftable(path, "--object-format=sha256"),
    "of another owner": _foreign,
    "with strangers' names": _strangers,
    "a name with spaces": lambda path: repos.normal(path / " a  b "),
    "a name with a line end": lambda path: repos.normal(path / "a\nb"),
    "a name of other bytes": lambda path: repos.normal(path / os.fsdecode(b"caf\xe9")),
}
