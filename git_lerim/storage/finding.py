"""A snapshot of which only what is asked for is read: the memory of an id is found by the name of its file."""

from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property

from git_lerim.memories import naming
from git_lerim.memories.memory import Memory
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Snapshot, Stored
from git_lerim.storage.judging import one_each
from git_lerim.storage.reading import TreeReader


def unread(commit: str, reader: TreeReader, tree: str) -> Snapshot:
    """Return the store at a commit; nothing of it is read yet."""
    sorts = {name: Sort(reader, tree, name) for name in layout.SORTS}
    aside = _Aside(lambda: reader.strangers(tree), sorts.values())
    return Snapshot(commit=commit, **sorts, quarantined=aside)  # type: ignore[arg-type]  # the sorts are three of its fields


def beginning(snapshot: Snapshot, prefix: str) -> Mapping[str, Stored]:
    """Return the memories, summaries and handoffs whose ids begin so; of those that share an id, the memory."""
    found = _beginning(snapshot.memories, prefix)
    if prefix in found:  # no other is meant, so no other need be read
        return found
    return {**_beginning(snapshot.handoffs, prefix), **_beginning(snapshot.summaries, prefix), **found}


def holds(snapshot: Snapshot, memory: Memory) -> bool:
    """Tell whether a decision or learning is there already: where its file would be written, or archived from there."""
    known = snapshot.memories
    return known.holds(memory) if isinstance(known, Sort) else memory.id in known


def looked_up(snapshot: Snapshot, ids: Iterable[str]) -> Mapping[str, Stored]:
    """Return the decisions and learnings of some ids, looked up together."""
    known = snapshot.memories
    wanted = list(ids)
    if isinstance(known, Sort):
        known.look(wanted)
    return {id_: found for id_ in wanted if (found := known.get(id_))}


def _beginning(known: Mapping[str, Stored], prefix: str) -> Mapping[str, Stored]:
    if isinstance(known, Sort):
        return known.beginning(prefix)
    return {id_: item for id_, item in known.items() if id_.startswith(prefix)}


class Sort(Mapping[str, Stored]):
    """The memories of one sort by id: single ones are looked up; all are read when all are asked for."""

    def __init__(self, reader: TreeReader, tree: str, name: str) -> None:
        """Read nothing yet."""
        self._reader = reader
        self._tree = tree
        self._folders = layout.SORTS[name]
        self._named = name != "summaries"  # their files' names hold no id
        self._looked: dict[str, Stored | None] = {}

    def __getitem__(self, id_: str) -> Stored:
        """Return the memory of an id, and read no other."""
        self.look((id_,))
        found = self._all[0].get(id_) if self._is_read else self._looked[id_]
        if found is None:
            raise KeyError(id_)
        return found

    def __iter__(self) -> Iterator[str]:
        """Yield all ids."""
        return iter(self._all[0])

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._all[0])

    def items(self) -> ItemsView[str, Stored]:
        """Return all of them with their ids, as fast as a dictionary does."""
        return self._all[0].items()

    def values(self) -> ValuesView[Stored]:
        """Return all of them."""
        return self._all[0].values()

    @property
    def aside(self) -> Collection[Quarantined]:
        """What stands in the folders of this sort and is no memory."""
        return self._all[1]

    def look(self, ids: Iterable[str]) -> None:
        """Look some ids up together."""
        if not self._is_read and (wanted := frozenset(ids) - self._looked.keys()):
            found = self._found(wanted.__contains__)
            self._looked |= {id_: found.get(id_) for id_ in wanted}

    def beginning(self, prefix: str) -> Mapping[str, Stored]:
        """Return those whose ids begin so."""
        return self._found(lambda id_: id_.startswith(prefix))

    def holds(self, memory: Memory) -> bool:
        """Tell whether a memory stands where its file would be written, or was archived from there."""
        if self._is_read or not self._named:
            return memory.id in self
        folder = naming.path_of(memory).rpartition("/")[0]
        return memory.id in one_each(self._reader.named_in(self._tree, folder, memory.id))[0]

    @property
    def _is_read(self) -> bool:
        return "_all" in self.__dict__

    @cached_property
    def _all(self) -> tuple[dict[str, Stored], list[Quarantined]]:
        return one_each(self._reader.part(self._tree, self._folders))

    def _found(self, is_wanted: Callable[[str], bool]) -> dict[str, Stored]:
        by_name = self._named and not self._is_read
        files = self._reader.named(self._tree, self._folders, is_wanted) if by_name else None
        if files is None:
            return {id_: item for id_, item in self._all[0].items() if is_wanted(id_)}
        return one_each(files)[0]


class _Aside(Collection[Quarantined]):
    """All that is no memory, by path."""

    def __init__(self, strangers: Callable[[], Iterable[Quarantined]], sorts: Iterable[Sort]) -> None:
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
