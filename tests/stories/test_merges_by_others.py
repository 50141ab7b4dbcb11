"""Who wrote what a merge commit has, or what stands on a line beside that of its author."""

import re

import pytest
from support.inside import lerim
from support.repos import Repo
from support.team import REF, acting, path_of, remember, shared

WORDS, CHANGED = "Builds run with make.", "Builds run with bazel."


@pytest.fixture
def read(ann: Repo, bob: Repo) -> tuple[Repo, str, str]:
    """Return a clone of Mallory's, and the id and path of Bob's memory, which Ann has read."""
    with acting("Bob"):
        remember(bob, WORDS)
        shared(bob)
    assert "from Bob" in lerim(ann.path, "pull").out
    mal = Repo(ann.path.with_name("mal"))
    bob.git("clone", "-q", bob.git("remote", "get-url", "origin"), str(mal.path))
    mal.git("update-ref", REF, "refs/remotes/origin/lerim/memory")
    path = path_of(mal, "builds-run")
    return mal, path.removesuffix(".md")[-13:], path


def tree_with(mal: Repo, commit: str, path: str, text: str) -> str:
    """Write the tree of a commit with one file changed."""
    mal.git("read-tree", commit)
    blob = mal.git("hash-object", "-w", "--stdin", stdin=text)
    mal.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    return mal.git("write-tree")


def merge(mal: Repo, tree: str, *parents: str) -> str:
    made = mal.git("commit-tree", tree, *(f"-p{each}" for each in parents), "-m", "merge")
    mal.git("push", "-q", "origin", f"{made}:{REF}")
    return made


def text_in(mal: Repo, path: str) -> str:
    return re.sub("with make", "with bazel", mal.git("show", f"{REF}:{path}")) + "\n"


def test_what_a_merge_alone_has_is_by_its_author(read: tuple[Repo, str, str], ann: Repo) -> None:
    mal, id_, path = read
    tip = mal.git("rev-parse", REF)
    root = mal.git("rev-list", "--max-parents=0", tip)
    with acting("Mallory"):
        side = mal.git("commit-tree", f"{root}^{{tree}}", f"-p{root}", "-m", "side")
        made = merge(mal, tree_with(mal, tip, path, text_in(mal, path)), tip, side)

    told = lerim(ann.path, "pull").out

    assert f"changed   {id_}  from Mallory: {CHANGED[:-1]}" in told
    assert f"[{id_}] " in (brief := lerim(ann.path, "brief").out)
    assert f"from Mallory, not the user: {CHANGED[:-1]}" in brief
    assert f"{made[:10]}" in lerim(ann.path, "log", id_).out
    assert lerim(ann.path, "undo", made[:10]).code == 0
    assert WORDS[:-1] in lerim(ann.path, "list").out


@pytest.mark.parametrize("first", [True, False])
def test_what_stands_on_a_line_beside_the_author_s_is_by_who_wrote_it_there(
    read: tuple[Repo, str, str], ann: Repo, *, first: bool
) -> None:
    mal, id_, path = read
    tip = mal.git("rev-parse", REF)
    root = mal.git("rev-list", "--max-parents=0", tip)
    tree = tree_with(mal, root, path, text_in(mal, path))
    with acting("Mallory"):
        side = mal.git("commit-tree", tree, f"-p{root}", "-m", "side")
        parents = [side, tip] if first else [tip, side]
        merge(mal, tree_with(mal, tip, path, text_in(mal, path)), *parents)

    told = lerim(ann.path, "pull").out

    assert f"changed   {id_}  from Mallory: {CHANGED[:-1]}" in told
    assert f"from Mallory, not the user: {CHANGED[:-1]}" in lerim(ann.path, "brief").out


def test_who_archives_and_restores_a_memory_did_not_write_it(
    read: tuple[Repo, str, str], ann: Repo, bob: Repo
) -> None:
    mal, id_, path = read
    tip = mal.git("rev-parse", REF)
    with acting("Mallory"):
        merge(mal, tree_with(mal, tip, path, text_in(mal, path)), tip)
    with acting("Bob"):
        for words in (["pull"], ["forget", id_], ["restore", id_], ["push", "--yes"]):
            assert lerim(bob.path, *words).code == 0

    lerim(ann.path, "pull")

    assert f"from Mallory, not the user: {CHANGED[:-1]}" in lerim(ann.path, "brief").out
