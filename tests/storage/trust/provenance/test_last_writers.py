"""Who last wrote a memory, also in a history that is read piece by piece."""

import time
from contextlib import nullcontext

from support.repos import Repo
from support.stores import adding, store_at
from support.team import REF, acting, path_of

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.storage.trust.provenance.authors import NAME, Authors
from git_lerim.storage.trust.provenance.last_writers import Author


def author_of(repo: Repo, commit: str, path: str) -> Author:
    """Return the last writer, read with the cache of earlier calls."""
    place = discover(repo.path, {})
    author = Authors(place, open_objects(place), time.time()).of(commit, path)
    assert author is not None
    return author


def changed(repo: Repo, base: str, path: str, text: str, *parents: str) -> str:
    repo.git("read-tree", base)
    blob = repo.git("hash-object", "-w", "--stdin", stdin=text)
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    tree = repo.git("write-tree")
    return repo.git("commit-tree", tree, *(f"-p{each}" for each in parents), "-m", "change")


def test_a_version_that_a_merge_takes_from_an_older_line_is_by_who_wrote_it(repo: Repo) -> None:
    with acting("Bob"):
        store_at(repo.path).commit(adding(1))
    first = repo.git("rev-parse", REF)
    path = path_of(repo, "decisions/")
    text = repo.git("show", f"{REF}:{path}")
    with acting("Mallory"):
        second = changed(repo, first, path, f"{text}\n\nNever on Fridays.\n", first)
    with acting("Carol"):
        side = changed(repo, first, "README.md", "About\n", first)
        third = changed(repo, first, path, f"{text}\n", second, side)
        fourth = changed(repo, second, path, f"{text}\n\nOnly on Mondays.\n", second, side)

    told = [author_of(repo, commit, path).name for commit in (first, second, third, second, fourth)]

    assert told == ["Bob", "Mallory", "Bob", "Mallory", "Carol"]


def test_who_else_worded_a_memory_is_known_however_its_history_is_read(repo: Repo) -> None:
    with acting("Bob"):
        store_at(repo.path).commit(adding(1))
    commits = [repo.git("rev-parse", REF)]
    path = path_of(repo, "decisions/")
    text = repo.git("show", f"{REF}:{path}")
    for name, words in (
        ("Ada Tester", "Never on Fridays."),
        ("Bob", "Never on Fridays!"),
        ("Mallory", "Never."),
    ):
        with acting(name) if name != "Ada Tester" else nullcontext():
            new = changed(repo, commits[-1], path, f"{text}\n\n{words}\n", commits[-1])
        commits.append(new)

    told = [author_of(repo, commit, path) for commit in commits]
    place = discover(repo.path, {})
    at_once = []
    for commit in commits:
        (place.own_dir / NAME).unlink()
        at_once.append(author_of(repo, commit, path))

    assert [(each.name, each.joint) for each in told] == [
        ("Bob", False), ("Bob", False), ("Bob", True), ("Mallory", True)
    ]  # fmt: skip
    assert told == at_once
