"""A snapshot that reads what is asked for gives what one gives that reads everything."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.repos import Repo, bare
from support.stores import adding, decision, store_at

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry
from git_lerim.git.repo import place_of
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Primitive, Status
from git_lerim.storage import layout, reading
from git_lerim.storage.base import Change, FindKnown, Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import (
    contains,
    look_up,
    new_since,
    same_name,
    unread,
    with_prefix,
)
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.trust.validate import assemble

MADE = (
    decision(1), decision(2), decision(2, "Say it otherwise"),
    decision(3).having(status=Status.ARCHIVED),
    decision(4).having(primitive=Primitive.LEARNING),
    decision(1).having(primitive=Primitive.SUMMARY),
    decision(5).having(primitive=Primitive.SUMMARY),
    decision(6).having(primitive=Primitive.HANDOFF),
    decision(2).having(primitive=Primitive.HANDOFF),
)  # fmt: skip
PATHS = [f"{folder}{naming.path_of(memory)}" for memory in MADE for folder in ("", "archived/")]
STRANGE = [
    "README.md",
    "notes.txt",
    "decisions/notes.md",
    "decisions/2026-02",
    "learnings/2026-02/x.md",
    "archived/old.md",
    "other/deep/er/x.md",
]
CONTENTS = [
    *map(frontmatter.render, MADE),
    *map(frontmatter.render, MADE),
    b"broken\n",
    b"x" * 40_000,
]
IDS = [*sorted({memory.id for memory in MADE}), decision(9).id, "aaaaaaaaaaaaa", "not an id"]

Entries = Sequence[tuple[str, bytes, str]]  # path, content, mode
MODES = ["100644", "100644", "100644", "100644", "120000", "100755"]
BELONGING = [
    (f"{folder}{naming.path_of(memory)}", frontmatter.render(memory), "100644")
    for memory in MADE
    for folder in ("", "archived/")
]
ANYWHERE = st.tuples(
    st.sampled_from([*PATHS, *STRANGE]), st.sampled_from(CONTENTS), st.sampled_from(MODES)
)
STORES = st.lists(st.sampled_from(BELONGING) | ANYWHERE, max_size=9)


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Objects:
    return open_objects(
        place_of(bare(tmp_path_factory.mktemp("store") / "repo").path)
    )  # no commit: nobody is known here


def tree_of(objects: Objects, entries: Entries) -> str:
    """Write the tree of a store that anybody may have pushed."""
    folders: dict[str, dict[str, tuple[str, bytes]]] = {"": {}}
    for path, content, mode in entries:
        parent, _, name = path.rpartition("/")
        folders.setdefault(parent, {})[name] = mode, content
    return _written(objects, folders, "")


def _written(objects: Objects, folders: dict[str, dict[str, tuple[str, bytes]]], here: str) -> str:
    inside = f"{here}/" if here else ""
    below = {
        path.removeprefix(inside).split("/")[0]
        for path in folders
        if path != here and path.startswith(inside)
    }
    changes: dict[str, TreeEntry | None] = {
        name: TreeEntry(name.encode(), int(mode, 8), objects.write_blob(content))
        for name, (mode, content) in folders.get(here, {}).items()
    }
    for name in below:
        changes[name] = TreeEntry(name.encode(), FOLDER, _written(objects, folders, inside + name))
    changes = changes or {"format": TreeEntry(b"format", FILE, objects.write_blob(b"1\n"))}
    return objects.write_tree(None, changes) or ""


def both(objects: Objects, entries: Entries) -> tuple[Snapshot, Snapshot]:
    """Return a store as it is read at once, and as it is read when asked."""
    tree = tree_of(objects, entries)
    return assemble(tree, TreeReader(objects).files(tree)), unread(tree, TreeReader(objects), tree)


@given(STORES, st.permutations(IDS))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_single_look_ups_give_what_reading_everything_gives(
    objects: Objects, entries: Entries, ids: list[str]
) -> None:
    eager, lazy = both(objects, entries)

    for id_ in ids:
        assert lazy.memories.get(id_) == eager.memories.get(id_)
        assert lazy.handoffs.get(id_) == eager.handoffs.get(id_)
        for prefix in (id_, id_[:4]):
            assert with_prefix(unread("", TreeReader(objects), lazy.commit or ""), prefix).get(
                id_
            ) == with_prefix(eager, prefix).get(id_)
    assert look_up(unread("", TreeReader(objects), lazy.commit or ""), ids) == look_up(eager, ids)
    assert lazy.memories == eager.memories
    assert lazy.summaries == eager.summaries
    assert lazy.handoffs == eager.handoffs
    assert sorted(lazy.quarantined, key=repr) == sorted(eager.quarantined, key=repr)
    assert all(
        lazy.memories.get(id_) == eager.memories.get(id_) for id_ in ids
    )  # after all was read, too


@dataclass(frozen=True)
class Remembered:
    """What somebody who has seen an earlier state knows of some ids."""

    tree: str
    count: int
    files: list[tuple[str, str]]


def remembering(objects: Objects, tree: str) -> FindKnown:
    """Return who has seen a state, as the search index has."""
    stored = [file for file in TreeReader(objects).files(tree) if isinstance(file, Stored)]

    def known(ids: Collection[str]) -> Remembered:
        return Remembered(
            tree,
            len(stored),
            [(f.path, f.blob) for f in stored if f.memory.id.startswith(tuple(ids))],
        )

    return known


@given(STORES, STORES, st.permutations(IDS))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_with_what_is_known_of_an_earlier_state_the_same_is_found(
    objects: Objects, before: Entries, after: Entries, ids: list[str]
) -> None:
    filler = [
        (f"decisions/2025-{month:02}/x.md", b"x", "100644") for month in range(1, 13)
    ]  # so that few folders differ
    filler += [
        (f"archived/summaries/2025-{month:02}/x.md", b"x", "100644") for month in range(1, 13)
    ]
    known = remembering(objects, tree_of(objects, [*before, *filler]))
    tree = tree_of(objects, [*after, *filler])
    eager = assemble(tree, TreeReader(objects).files(tree))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "LARGE", 0)
        for id_ in ids:
            for prefix in (id_, id_[:4]):
                lazy = unread("", TreeReader(objects, known), tree)
                assert with_prefix(lazy, prefix).get(id_) == with_prefix(eager, prefix).get(id_)
        lazy = unread("", TreeReader(objects, known), tree)
        assert look_up(lazy, ids) == look_up(eager, ids)
        assert all(lazy.summaries.get(id_) == eager.summaries.get(id_) for id_ in ids)


@given(STORES, STORES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_has_arrived_is_what_comparing_everything_says(
    objects: Objects, before: Entries, after: Entries
) -> None:
    (old, unread_old), (new, unread_new) = both(objects, before), both(objects, [*before, *after])

    assert new_since(unread_old, unread_new)[0] == new_since(old, new)[0]
    assert new_since(unread_old, unread_new)[2] == new_since(old, new)[2]
    told = {
        file.path for file in new_since(unread_old, unread_new)[1] if "summaries" not in file.path
    }
    assert told == {file.path for file in new_since(old, new)[1] if "summaries" not in file.path}


def test_a_new_memory_is_seen_where_its_file_would_stand(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(1, 2))
    path = naming.path_of(decision(1))
    store.commit(
        lambda _: Change(
            files={path: None, f"archived/{path}": frontmatter.render(decision(1))},
            subject="forget",
        )
    )

    assert [contains(store.snapshot(), decision(number)) for number in (1, 2, 3)] == [
        True,
        True,
        False,
    ]


def test_beyond_the_limit_a_look_up_finds_what_reading_finds(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "FILES_LIMIT", 5)
    store_at(repo.path).commit(adding(*range(9)))
    ids = [decision(number).id for number in range(9)]

    found = {id_ for id_ in ids if id_ in store_at(repo.path).snapshot().memories}

    assert found == set(store_at(repo.path).snapshot().memories)
    assert len(found) == 5


def test_a_commit_reads_no_other_memory(repo: Repo) -> None:
    store_at(repo.path).commit(adding(*range(20)))
    for line in repo.git("ls-tree", "-r", "lerim/memory", "decisions").splitlines():
        blob = line.split()[2]
        (Path(repo.path) / ".git/objects" / blob[:2] / blob[2:]).unlink()

    store_at(repo.path).commit(
        lambda snapshot: None if contains(snapshot, decision(30)) else adding(30)(snapshot)
    )

    assert decision(30).id in store_at(repo.path).snapshot().memories


@dataclass
class Watched:
    """Objects, and the trees that were read of them."""

    objects: Objects
    read: set[str] = field(default_factory=set)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.objects, name)

    def raw_tree(self, tree: str) -> bytes:
        self.read.add(tree)
        return self.objects.raw_tree(tree)


def test_a_look_up_of_what_stands_where_it_stood_reads_no_other_month(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LARGE", 0)
    store = store_at(repo.path)
    old = decision(1).having(created=decision(1).created.replace(year=2024))
    files = {naming.path_of(memory): frontmatter.render(memory) for memory in (old, decision(2))}
    store.commit(lambda _: Change(files=files, subject="fill"))
    tree = repo.git("rev-parse", "lerim/memory^{tree}")
    objects = Watched(open_objects(place_of(repo.path)))
    known = remembering(open_objects(place_of(repo.path)), tree)

    found = with_prefix(unread("", TreeReader(objects, known), tree), old.id)

    assert list(found) == [old.id]
    assert repo.git("rev-parse", "lerim/memory:decisions/2026-02") not in objects.read


def test_what_was_set_aside_for_another_reason_before_has_not_arrived(objects: Objects) -> None:
    path, own, other = naming.path_of(MADE[0]), *(frontmatter.render(memory) for memory in MADE[:2])
    before = [(path, own, "100644"), (f"archived/{path}", own, "100644")]

    states = [both(objects, before), both(objects, [*before, (path, other, "100644")])]

    assert [new_since(old, new) for old, new in zip(*states, strict=True)] == [
        ([], [], []),
        ([], [], []),
    ]


def test_what_is_called_alike_is_found_in_its_month_and_its_archive_alone(repo: Repo) -> None:
    store = store_at(repo.path)
    old = decision(1).having(created=decision(1).created.replace(year=2024))
    kept, gone = (decision(2).having(id=decision(number).id) for number in (3, 4))
    files = {
        naming.path_of(old): frontmatter.render(old),
        naming.path_of(kept): frontmatter.render(kept),
    }
    files[f"archived/{naming.path_of(gone)}"] = frontmatter.render(gone)
    store.commit(lambda _: Change(files=files, subject="fill"))
    objects = Watched(open_objects(place_of(repo.path)))
    tree = repo.git("rev-parse", "lerim/memory^{tree}")

    found = same_name(unread("", TreeReader(objects, lambda _: None), tree), decision(2))

    assert {item.memory.id: item.memory.status for item in found} == {
        kept.id: Status.ACTIVE,
        gone.id: Status.ARCHIVED,
    }
    assert repo.git("rev-parse", "lerim/memory:decisions/2024-02") not in objects.read
