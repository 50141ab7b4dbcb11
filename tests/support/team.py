"""What members of a team do to the memory they share, by our verbs and by git alone."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from support.inside import lerim
from support.keys import signed_tip
from support.repos import Repo

REF = "refs/heads/lerim/memory"


@contextmanager
def acting(name: str) -> Iterator[None]:
    """Commit in the name of a person."""
    with pytest.MonkeyPatch.context() as patch:
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", name)
            patch.setenv(f"GIT_{role}_EMAIL", f"{name.lower()}@example.org")
        yield


def remember(repo: Repo, text: str) -> None:
    assert lerim(repo.path, "remember", text).code == 0


def shared(repo: Repo) -> None:
    assert lerim(repo.path, "push", "--yes").code == 0


def path_of(repo: Repo, words: str) -> str:
    return next(
        path for path in repo.git("ls-tree", "-r", "--name-only", REF).split("\n") if words in path
    )


def rewrite(repo: Repo, path: str, old: str, new: str, *, sign: bool = False) -> None:
    """Change a file of the branch by git alone, as anybody who can push could."""
    text = repo.git("show", f"{REF}:{path}").replace(old, new) + "\n"
    assert new in text
    stream = (
        f"commit {REF}\ncommitter Mallory <mallory@example.org> 1800000000 +0000\ndata 1\nx\nfrom"
        f" {repo.git('rev-parse', REF)}\n"
    )
    repo.git(
        "fast-import",
        "--quiet",
        stdin=f"{stream}M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n",
    )
    if sign:
        signed_tip(repo, REF)


def deleted(repo: Repo, paths: list[str], *added: tuple[str, str]) -> str:
    """Let Mallory delete files of the branch, and add some, by git alone; return the commit."""
    stream = (
        f"commit {REF}\ncommitter Mallory <mallory@example.org> 1800000000 +0000\ndata 7\nTidy up\n"
    )
    stream += f"from {repo.git('rev-parse', REF)}\n"
    stream += "".join(f"D {path}\n" for path in paths)
    stream += "".join(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n" for path, text in added)
    repo.git("fast-import", "--quiet", stdin=stream)
    return repo.git("rev-parse", REF)
