import os
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from support.memories import by_person, later
from support.repos import Repo
from support.stores import adding, decision, store_at, titles

from git_lerim.errors import Unsafe
from git_lerim.git.repo import discover
from git_lerim.git.worktree.worktree_snapshot import LARGEST
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import FILE_LIMIT, Memory, Primitive, Source, Status
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.sharing.tombstones import Purge
from git_lerim.storage.worktree import convert_store
from git_lerim.storage.worktree.convert_store import Moved
from git_lerim.storage.worktree.worktree_store import TreeStore


def tree_in(repo: Repo) -> TreeStore:
    return TreeStore(discover(repo.path, os.environ))


def anything(_: Mapping[str, bytes | None]) -> None:
    pass


def content(snapshot: Snapshot) -> dict[str, Memory]:
    every = {**snapshot.memories, **snapshot.summaries, **snapshot.handoffs}
    return {item.path: item.memory for item in every.values()}


def full(branch: BranchStore) -> None:
    """Give a branch one memory of each sort, and an archived one."""
    branch.commit(adding(1, 2, 3))
    branch.commit(archiving(2))
    told = (Source(agent="claude", session="5b0c1a2f"),)
    summary = decision(7).having(
        primitive=Primitive.SUMMARY, sources=told, body="## Intent\nX\n\n## What happened\nY"
    )
    handoff = decision(8).having(primitive=Primitive.HANDOFF, body="## Open questions\n- X")
    files = {naming.path_of(each): frontmatter.render(each) for each in (summary, handoff)}
    branch.commit(lambda _: Change(files=files, subject="more"))


def archiving(number: int) -> Callable[[Snapshot], Change]:
    def operation(snapshot: Snapshot) -> Change:
        found = snapshot.memories[decision(number).id]
        gone = found.memory.having(status=Status.ARCHIVED, updated=later(40))
        return Change(
            files={f"archived/{found.path}": frontmatter.render(gone), found.path: None},
            subject="forget",
        )

    return operation


def editing(number: int, **changes: Any) -> Callable[[Snapshot], Change]:
    def operation(snapshot: Snapshot) -> Change:
        found = snapshot.memories[decision(number).id]
        new = by_person(found.memory, found.memory.having(**changes))
        return Change(files={found.path: frontmatter.render(new)}, subject="edit")

    return operation


def test_all_that_the_branch_holds_comes_into_the_work_tree_and_back(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    full(branch)
    tip = branch.tip()

    moved = convert_store.into_tree(branch, tree)

    assert moved == Moved(added=5)
    assert content(tree.snapshot()) == content(branch.snapshot())
    assert branch.tip() == tip
    repo.git("update-ref", "-d", "refs/heads/lerim/memory")
    repo.git("update-ref", "-d", "refs/lerim/moved")
    repo.git("update-ref", "-d", "refs/lerim/backup/memory")
    back = store_at(repo.path)
    assert convert_store.into_branch(back, tree, anything) == Moved(added=5)
    assert content(back.snapshot()) == content(tree.snapshot())


def test_moving_twice_changes_nothing(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    full(branch)
    convert_store.into_tree(branch, tree)
    state, tip = tree.look().tree, branch.tip()

    assert convert_store.into_tree(branch, tree) == Moved()
    assert convert_store.into_branch(branch, tree, anything) == Moved()
    assert convert_store.into_branch(branch, tree, anything) == Moved()
    assert (tree.look().tree, branch.tip()) == (state, tip)


def test_a_file_larger_than_any_memory_stays_where_it_is(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    tree.start()
    tree.commit(adding(1))
    for number, size in ((2, FILE_LIMIT + 1), (3, LARGEST + 1)):
        tree.top.joinpath(naming.path_of(decision(number))).write_bytes(b"x" * size)

    assert convert_store.into_branch(branch, tree, anything) == Moved(added=1)

    assert titles(branch.snapshot()) == titles(tree.snapshot())
    assert not list(branch.snapshot().quarantined)
    assert convert_store.into_tree(branch, tree) == Moved()


def test_an_edit_made_in_the_tree_is_an_edit_of_the_branch(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    full(branch)
    convert_store.into_tree(branch, tree)
    tree.commit(editing(1, body="Because it is better.", updated=later(50)))
    tree.commit(archiving(3))
    tree.commit(adding(4))

    assert convert_store.into_branch(branch, tree, anything) == Moved(added=1, changed=2)

    assert content(branch.snapshot()) == content(tree.snapshot())
    assert branch.snapshot().memories[decision(1).id].memory.body == "Because it is better."
    tip = branch.tip()
    convert_store.into_branch(branch, tree, anything)
    convert_store.into_tree(branch, tree)
    assert branch.tip() == tip


def test_edits_of_both_sides_become_one(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    full(branch)
    convert_store.into_tree(branch, tree)
    tree.commit(editing(1, title="From the tree", updated=later(50)))
    branch.commit(editing(1, tags=("branch",), updated=later(51)))

    assert convert_store.into_tree(branch, tree).merged == 1

    memory = tree.snapshot().memories[decision(1).id].memory
    assert (memory.title, memory.tags) == ("From the tree", ("branch",))
    convert_store.into_branch(branch, tree, anything)
    assert content(branch.snapshot()) == content(tree.snapshot())


def test_another_branch_of_the_users_that_has_no_memory_deletes_none(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    full(branch)
    convert_store.into_tree(branch, tree)
    before = content(branch.snapshot())
    for file in sorted((repo.path / ".lerim/memory").rglob("*.md"))[1:]:
        file.unlink()

    convert_store.into_branch(branch, tree, anything)

    assert content(branch.snapshot()) == before
    convert_store.into_tree(branch, tree)
    assert content(tree.snapshot()) == before


def test_an_older_version_in_the_tree_takes_nothing_back(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    branch.commit(adding(1))
    convert_store.into_tree(branch, tree)
    file = repo.path / ".lerim/memory" / naming.path_of(decision(1))
    old = file.read_bytes()
    branch.commit(editing(1, title="Newer", updated=later(50)))
    convert_store.into_tree(branch, tree)
    file.write_bytes(old)

    convert_store.into_branch(branch, tree, anything)

    assert titles(branch.snapshot()) == {"Newer"}


def test_what_was_purged_does_not_come_back(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    branch.commit(adding(1, 2))
    branch.purge(Purge(frozenset({decision(1).id})))

    convert_store.into_tree(branch, tree)

    assert titles(tree.snapshot()) == {"Use thing 2"}
    assert tree.snapshot().purged == {decision(1).id}
    assert tree.commit(adding(1)) is None


def test_what_is_refused_is_not_committed(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    tree.commit(adding(1))

    def refuse(files: Mapping[str, bytes | None]) -> None:
        raise Unsafe(f"{len(files)} files")

    with pytest.raises(Unsafe):
        convert_store.into_branch(branch, tree, refuse)

    assert branch.tip() is None


def test_strange_files_stay_where_they_are(repo: Repo) -> None:
    branch, tree = store_at(repo.path), tree_in(repo)
    tree.commit(adding(1))
    (repo.path / ".lerim/memory/notes.txt").write_text("mine")
    (repo.path / ".lerim/memory/README.md").write_text("my own words")

    convert_store.into_branch(branch, tree, anything)
    convert_store.into_tree(branch, tree)

    assert repo.git("ls-tree", "--name-only", "lerim/memory").split("\n") == [
        ".gitattributes",
        "README.md",
        "decisions",
        "format",
    ]
    assert (repo.path / ".lerim/memory/README.md").read_text() == "my own words"
    assert (repo.path / ".lerim/memory/notes.txt").read_text() == "mine"
