"""What benchmarks stand on: a fresh repository of a user without a past, and the installed
program.
"""

import os
import subprocess
import sys
from pathlib import Path

LERIM = str(Path(sys.executable).with_name("git-lerim"))  # as a shell would find it


def prepared(folder: Path) -> tuple[Path, dict[str, str]]:
    """Return an empty repository, and the environment of its user: modules are kept compiled, as
    for an installed program.
    """
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "LERIM_", "PYTHON"))
    }
    env |= {"HOME": str(folder / "home")}
    (folder / "home").mkdir()
    return repository(folder / "repository", env), env


def repository(path: Path, env: dict[str, str] | None = None) -> Path:
    """Make a repository with one empty commit."""
    path.mkdir(parents=True)
    for words in (
        ["init", "-q"],
        ["config", "user.name", "Ada"],
        ["config", "user.email", "ada@example.org"],
        ["commit", "-q", "--allow-empty", "-m", "start"],
    ):
        subprocess.run(["git", *words], cwd=path, env=env, check=True)
    return path
