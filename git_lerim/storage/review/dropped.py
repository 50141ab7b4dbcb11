"""Memories that the user dropped in triage, on a local ref that survives `reset`.

The ref is never pushed. It has the layout of the memory branch, so that `restore` finds the
memories' text and `purge` can delete it. A value of the ref that this clone did not set is ignored
(see `own_refs`).
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import replace

from git_lerim.git import own_refs, refs
from git_lerim.git.repo import Place
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.trust.accepted import WHO
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.tokens import clip, counted

REF = "refs/lerim/dropped"
EXTRACTOR = "extractor"  # key of the extractor that offered the memory


class DroppedStore(BranchStore):
    """A store of the memories that the user dropped, on the ref `refs/lerim/dropped`."""

    def __init__(self, place: Place) -> None:
        """Open the repository; the first `add` creates the ref."""
        super().__init__(place, "lerim-dropped")
        self.ref = REF

    def tip(self) -> str | None:
        """Return the commit that this clone last set the ref to, or None if nothing was dropped."""
        found = self._foreign()
        if found is not None and found in own_by_reflog(self.place, REF):
            own_refs.note(self.place, REF, found)  # after `.git/lerim` was deleted
        return own_refs.kept(self.place, self._objects, REF, WHO)

    def _foreign(self) -> str | None:
        """Return the ref's value if it is not recorded as set by this clone, else None."""
        found = self._objects.ref(REF)
        return found if found and not own_refs.is_noted(self.place, REF, found) else None

    def memories(self) -> list[Memory]:
        """Return the dropped memories."""
        return [item.memory for item in self.snapshot().memories.values()]

    def add(self, memories: Collection[Memory], extractor: str) -> None:
        """Record that the user dropped memories which this extractor had offered."""
        marked = [
            replace(memory, unknown={**memory.unknown, EXTRACTOR: extractor}) for memory in memories
        ]
        files = {naming.path_of(memory): frontmatter.render(memory) for memory in marked}
        self.commit(_change(files, "drop", memories))

    def remove(self, memories: Collection[Memory]) -> None:
        """Forget dropped memories, so that extractors may offer them again."""
        ids = {memory.id for memory in memories}

        def operation(snapshot: Snapshot) -> Change | None:
            gone: dict[str, bytes | None] = {
                snapshot.memories[id_].path: None for id_ in ids if id_ in snapshot.memories
            }
            return _change(gone, "restore", memories)(snapshot) if gone else None

        self.commit(operation)

    def _follow(self, view: str) -> None:
        """Do nothing: this ref holds no commits of the memory."""

    def _move(self, commit: str, old: str | None, message: str) -> None:
        self._begin_log()
        old = old or self._foreign()  # what somebody else put there is replaced
        own_refs.note(self.place, REF, commit)
        self._objects.move_ref(REF, commit, old=old, message=message, who=self._identity())
        self._objects.settle()

    def _begin_log(self) -> None:
        """Create the ref's reflog: without it, git would log no changes of this ref."""
        common, log = self.place.common_dir, self.place.common_dir / "logs" / REF
        if not refs.in_table(common) and not refs.is_elsewhere(common, log):
            with suppress(OSError):
                log.parent.mkdir(parents=True, exist_ok=True)
                log.touch()


def dropped_in(place: Place) -> list[Memory]:
    """Return the memories dropped in a repository, without opening a store if there are none."""
    known = refs.read_ref(place.common_dir, REF) or next(own_refs.noted(place, REF), None)
    return DroppedStore(place).memories() if known else []


def extractor_of(memory: Memory) -> str:
    """Return the extractor that offered a dropped memory, such as `rules/2`."""
    return str(memory.unknown.get(EXTRACTOR, ""))


def original(memory: Memory) -> Memory:
    """Return a dropped memory as it was offered."""
    return replace(
        memory, unknown={key: value for key, value in memory.unknown.items() if key != EXTRACTOR}
    )


def _change(
    files: dict[str, bytes] | dict[str, bytes | None], word: str, memories: Iterable[Memory]
) -> Callable[[Snapshot], Change]:
    told = [f"{'-' if word == 'drop' else '+'} {memory.id} {memory.title}" for memory in memories]
    subject = (
        f"{word}:"
        f" {told[0][2:].partition(' ')[2] if len(told) == 1 else counted(len(told), 'memory')}"
    )
    return lambda _: Change(files=files, subject=clip(subject, 72), body="\n".join(told))
