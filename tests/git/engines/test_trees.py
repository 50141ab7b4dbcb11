import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import repos

from git_lerim.errors import GitFailed
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, edit_tree, split_entries
from git_lerim.git.repo import discover

TREE = "0" * 40
NAMES = st.sampled_from(["a", "a-b", "a.md", "a0", "b", "ä", "z"])
ENTRIES = st.builds(
    lambda mode, id_: (mode, f"{id_:040x}"), st.sampled_from([FILE, FOLDER]), st.integers(0, 9)
)


def tree_of(entries: dict[str, tuple[int, str]]) -> bytes:
    """Return the bytes of a tree in git's order: a folder stands where its name and a
    slash would.
    """
    rows = sorted(
        (name.encode() + (b"/" if mode == FOLDER else b""), mode, name, id_)
        for name, (mode, id_) in entries.items()
    )
    return b"".join(
        b"%o %s\0" % (mode, name.encode()) + bytes.fromhex(id_) for _, mode, name, id_ in rows
    )


@given(st.dictionaries(NAMES, ENTRIES), st.dictionaries(NAMES, st.none() | ENTRIES))
def test_a_changed_tree_is_what_one_made_anew_would_be(
    before: dict[str, tuple[int, str]], changes: dict[str, tuple[int, str] | None]
) -> None:
    after = {name: entry for name, entry in {**before, **changes}.items() if entry is not None}
    wanted = {name: entry and TreeEntry(name.encode(), *entry) for name, entry in changes.items()}

    assert edit_tree(split_entries(TREE, tree_of(before)), wanted) == tree_of(after)


@given(st.dictionaries(NAMES, ENTRIES))
def test_a_tree_just_made_has_the_entries_that_its_bytes_have(
    entries: dict[str, tuple[int, str]],
) -> None:
    made = edit_tree([], {name: TreeEntry(b"", *entry) for name, entry in entries.items()})

    assert split_entries(TREE, made) == split_entries("1" * 40, made)  # the second reads the bytes


def test_what_does_not_change_stays_byte_for_byte() -> None:
    odd = b"0100664 odd\0" + bytes(20) + b"100644 z\0" + bytes(20)
    twice = b"100644 a\0" + bytes(20) + b"100755 a\0" + bytes(20)
    odd = odd[1:]  # a mode that git would not write

    assert edit_tree(split_entries(TREE, odd), {"gone": None}) == odd
    assert edit_tree(split_entries(TREE, twice + odd), {"a": None}) == odd


def test_a_mode_that_nobody_writes_can_be_read_again() -> None:
    made = edit_tree([], {"a": TreeEntry(b"a", 0, TREE)})

    assert [(int(mode, 8), name) for mode, name, _ in split_entries(TREE, made)] == [(0, b"a")]


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_what_is_gathered_is_one_pack_and_the_same_tree(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    objects = open_objects(place := discover(repo.path, os.environ))
    with objects.together():
        entries = {f"{n}.md": TreeEntry(b"", FILE, objects.write_blob(b"%d" % n)) for n in range(5)}
        tree = objects.write_tree(None, entries)

    one_by_one = open_objects(place).write_tree(None, entries)

    assert tree == one_by_one
    assert repo.git("show", f"{tree}:3.md") == "3"
    assert [path.suffix for path in sorted((repo.path / ".git/objects/pack").glob("*.pack"))] == [
        ".pack"
    ]


def test_what_is_gathered_when_something_goes_wrong_is_not_written(tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "repo")
    objects = open_objects(discover(repo.path, os.environ))
    before = repo.git("count-objects", "-v")

    with pytest.raises(GitFailed), objects.together():
        objects.write_tree(None, {"..": TreeEntry(b"", FILE, objects.write_blob(b"left"))})

    assert repo.git("count-objects", "-v") == before
    assert objects.write_blob(b"alone") == repo.git("hash-object", "--stdin", stdin="alone")
    assert repo.git("cat-file", "blob", objects.write_blob(b"alone")) == "alone"


def test_a_tree_that_was_read_and_is_pruned_is_not_complete(tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "repo")
    objects = open_objects(discover(repo.path, os.environ))
    tree = objects.write_tree(None, {"a": TreeEntry(b"a", FILE, objects.write_blob(b"a"))}) or ""
    top = objects.write_tree(None, {"folder": TreeEntry(b"folder", FOLDER, tree)}) or ""
    commit = repo.git("commit-tree", top, stdin="said")
    assert objects.is_complete(commit)

    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()

    assert not objects.is_complete(commit)
