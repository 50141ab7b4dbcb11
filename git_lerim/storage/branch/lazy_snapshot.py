"""A lazy snapshot: a memory is found by the id in its file's name and read only when needed."""

from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import replace
from datetime import timedelta
from functools import cached_property

from git_lerim.memories import naming
from git_lerim.memories.memory import Memory
from git_lerim.memories.slug import slug
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Snapshot, Stored
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.trust.validate import File, one_each


def unread(commit: str, reader: TreeReader, tree: str) -> Snapshot:
    """Return a snapshot of the store at a commit, with nothing read yet."""
    memories, summaries, handoffs = (
        Sort(reader, tree, name) for name in ("memories", "summaries", "handoffs")
    )
    aside = _Aside(lambda: reader.strangers(tree), (memories, summaries, handoffs))
    return Snapshot(
        commit=commit, memories=memories, summaries=summaries, handoffs=handoffs, quarantined=aside
    )


def with_prefix(snapshot: Snapshot, prefix: str) -> Mapping[str, Stored]:
    """Return the memories, summaries and handoffs whose ids start with a prefix.

    If a memory has the same id as a summary or handoff, the memory wins.
    """
    found = _beginning(snapshot.memories, prefix)
    if prefix in found:  # an exact match: nothing else need be read
        return found
    found = {
        **_beginning(snapshot.handoffs, prefix),
        **_beginning(snapshot.summaries, prefix),
        **found,
    }
    return found or _beginning_in_all(snapshot, prefix)


def contains(snapshot: Snapshot, memory: Memory) -> bool:
    """Return whether a decision or learning exists at its regular path or in the archive."""
    known = snapshot.memories
    return known.holds(memory) if isinstance(known, Sort) else memory.id in known


def same_name(snapshot: Snapshot, memory: Memory) -> list[Stored]:
    """Return memories that would have the same file name as a new memory.

    A store can be large, so only the new memory's month and the month before are searched.
    """
    before = memory.created - timedelta(days=memory.created.day)
    folders = {
        naming.path_of(one).rpartition("/")[0] for one in (memory, memory.having(created=before))
    }
    known = snapshot.memories
    if isinstance(known, Sort):
        return known.called(folders, slug(memory.title))
    return [item for item in known.values() if item.path.rpartition("/")[0] in folders]


def look_up(snapshot: Snapshot, ids: Iterable[str]) -> Mapping[str, Stored]:
    """Return the decisions and learnings with these ids, reading them in one go."""
    return look_up_in(snapshot.memories, ids)


def look_up_in(known: Mapping[str, Stored], ids: Iterable[str]) -> Mapping[str, Stored]:
    """Return the memories with these ids from one part of a snapshot, reading them in one go."""
    wanted = list(ids)
    if isinstance(known, Sort):
        known.look(wanted)
    return {id_: found for id_ in wanted if (found := known.get(id_))}


def unknown_files(snapshot: Snapshot, known: Mapping[str, str]) -> list[Quarantined] | None:
    """Return the quarantined files, or None if the index lacks a memory.

    `known` maps the path of each indexed memory to its blob.
    """
    memories = snapshot.memories
    found = memories.others(known) if isinstance(memories, Sort) else None
    aside = [file for file in found or () if isinstance(file, Quarantined)]
    return (
        None
        if found is None or len(aside) < len(found)
        else sorted(aside, key=lambda file: file.path)
    )


def new_since(before: Snapshot, after: Snapshot) -> tuple[list[str], list[Quarantined], list[str]]:
    """Compare two snapshots, and return what is new or changed in the later one.

    The result is the ids of new memories, the newly quarantined files, and the ids of changed
    memories. On a branch, only files that differ, or that share an id with one that differs, are
    read.
    """
    old, new = before.memories, after.memories
    before_handoffs, after_handoffs = before.handoffs, after.handoffs
    if not (
        isinstance(new, Sort)
        and isinstance(old, Sort)
        and isinstance(before_handoffs, Sort)
        and isinstance(after_handoffs, Sort)
    ):
        was = {file.path for file in before.quarantined}
        aside = [file for file in after.quarantined if file.path not in was]
        return sorted(new.keys() - old.keys()), aside, sorted(_changed(old, new))
    added, aside, changed = new.since(old, (before_handoffs, after_handoffs))
    return sorted(added), sorted(aside, key=lambda file: file.path), sorted(changed)


def _changed(old: Mapping[str, Stored], new: Mapping[str, Stored]) -> set[str]:
    """Return the ids of memories that differ in more than the day they were last shown."""
    pairs = ((id_, old[id_].memory, new[id_].memory) for id_ in old.keys() & new.keys())
    return {id_ for id_, was, now in pairs if replace(was, last_accessed=now.last_accessed) != now}


def _beginning(known: Mapping[str, Stored], prefix: str) -> Mapping[str, Stored]:
    if isinstance(known, Sort):
        return known.beginning(prefix)
    return {id_: item for id_, item in known.items() if id_.startswith(prefix)}


def _beginning_in_all(snapshot: Snapshot, prefix: str) -> dict[str, Stored]:
    """Do the same as `with_prefix`, but without the index, which may lack files."""
    sorts = [
        sort
        for sort in (snapshot.handoffs, snapshot.summaries, snapshot.memories)
        if isinstance(sort, Sort)
    ]
    return {
        id_: item for sort in sorts for id_, item in sort.beginning(prefix, use_known=False).items()
    }


class Sort(Mapping[str, Stored]):
    """All memories of one type, by id; looking up one memory does not read the others."""

    def __init__(self, reader: TreeReader, tree: str, name: str) -> None:
        """Initialize without reading anything."""
        self._reader = reader
        self.tree = tree
        self._folders = layout.SORTS[name]
        self._named = name != "summaries"  # the file names of summaries contain no id
        self._looked: dict[str, Stored | None] = {}

    def __getitem__(self, id_: str) -> Stored:
        """Return the memory with this id, reading no other."""
        self.look((id_,))
        found = self._all[0].get(id_) if self._is_read else self._looked[id_]
        if found is None:
            raise KeyError(id_)
        return found

    def __iter__(self) -> Iterator[str]:
        """Yield the ids of all memories."""
        return iter(self._all[0])

    def __len__(self) -> int:
        """Return the number of memories."""
        return len(self._all[0])

    def items(self) -> ItemsView[str, Stored]:
        """Return the ids and memories, as fast as a dictionary does."""
        return self._all[0].items()

    def values(self) -> ValuesView[Stored]:
        """Return all memories."""
        return self._all[0].values()

    @property
    def aside(self) -> Collection[Quarantined]:
        """The quarantined files in the folders of this type."""
        return self._all[1]

    def look(self, ids: Iterable[str]) -> None:
        """Look up some ids together, and cache the results."""
        if self._is_read:
            return
        if wanted := frozenset(id_ for id_ in ids if id_ not in self._looked):
            found = self._found(wanted)
            self._looked |= {id_: found.get(id_) for id_ in wanted}

    def beginning(self, prefix: str, *, use_known: bool = True) -> Mapping[str, Stored]:
        """Return the memories whose ids start with a prefix.

        With `use_known`, they are looked up by their paths in the index.
        """
        return self._found((prefix,), use_known=use_known)

    def holds(self, memory: Memory) -> bool:
        """Return whether a memory exists at its regular path or in the archive."""
        if self._is_read or not self._named:
            return memory.id in self
        folder = naming.path_of(memory).rpartition("/")[0]
        return memory.id in self._one_each(self._reader.named_in(self.tree, folder, memory.id))[0]

    def called(self, folders: Collection[str], words: str) -> list[Stored]:
        """Return the memories with these title words in their file names.

        Only these folders, and the archived files from them, are searched.
        """
        return [*self._one_each(self._reader.called(self.tree, folders, words))[0].values()]

    def others(self, known: Mapping[str, str]) -> list[File]:
        """Return the store's files that are not in `known` (blobs by path)."""
        return list(self._reader.others(self.tree, known))

    def since(
        self, old: "Sort", beside: "tuple[Sort, Sort]"
    ) -> tuple[set[str], list[Quarantined], set[str]]:
        """Compare with an earlier state of the memories, and return what is new or changed.

        Return the ids of new memories, the newly quarantined files, and the ids of changed
        memories. `beside` holds the handoffs, old and new, whose quarantined files count, too.
        """
        apart = self._reader.apart(old.tree, self.tree)
        ids = {id_ for path, _, _ in apart if (id_ := naming.id_in(path))}
        (before, was), (after, now) = old.standing(ids), self.standing(ids)
        was += [*beside[0].standing(ids)[1], *self._reader.strangers(old.tree)]
        now += [*beside[1].standing(ids)[1], *self._reader.strangers(self.tree)]
        known = {
            file.path
            for file in (*was, *(each[1] for each in apart))
            if isinstance(file, Quarantined)
        }
        found = {
            file.path: file
            for file in (*now, *(each[2] for each in apart))
            if isinstance(file, Quarantined)
        }
        aside = [file for path, file in found.items() if path not in known]
        return after.keys() - before.keys(), aside, _changed(before, after)

    def standing(self, ids: Collection[str]) -> tuple[dict[str, Stored], list[Quarantined]]:
        """Return the memories and the quarantined files with these ids."""
        files = self._reader.named(self.tree, self._folders, ids)
        known, aside = self._all if files is None else self._one_each(files)
        return known, [*aside]

    def _one_each(self, files: Iterable[File]) -> tuple[dict[str, Stored], list[Quarantined]]:
        return one_each(files, self._reader.first)

    @property
    def _is_read(self) -> bool:
        return "_all" in self.__dict__

    @cached_property
    def _all(self) -> tuple[dict[str, Stored], list[Quarantined]]:
        return self._one_each(self._reader.part(self.tree, self._folders))

    def _found(self, ids: Collection[str], *, use_known: bool = True) -> dict[str, Stored]:
        files = (
            None
            if self._is_read or not use_known
            else self._reader.by_known_paths(self.tree, self._folders, ids)
        )
        if files is None and self._named and not self._is_read:
            files = self._reader.named(self.tree, self._folders, ids)
        is_wanted, found = (
            naming.prefix_matcher(ids),
            self._all[0] if files is None else self._one_each(files)[0],
        )
        return {id_: item for id_, item in found.items() if is_wanted(id_)}


class _Aside(Collection[Quarantined]):
    """All quarantined files, in the order of their paths."""

    def __init__(
        self, strangers: Callable[[], Iterable[Quarantined]], sorts: Iterable[Sort]
    ) -> None:
        self._strangers = strangers
        self._sorts = sorts

    @cached_property
    def _all(self) -> list[Quarantined]:
        found = [*self._strangers(), *(file for sort in self._sorts for file in sort.aside)]
        return sorted(found, key=lambda file: file.path)

    def __contains__(self, file: object) -> bool:
        return file in self._all

    def __iter__(self) -> Iterator[Quarantined]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)
