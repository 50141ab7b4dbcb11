"""Validate the files of a store by content and path, without heavy imports."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Snapshot, Stored

File = Stored | Quarantined
First: TypeAlias = Callable[[Collection[str]], Sequence[str]]  # orders paths, the first come first


@dataclass(frozen=True, slots=True)
class BadFile:
    """A file whose content is invalid, with the reason."""

    reason: str


def place_file(path: str, blob: str, content: Memory | BadFile) -> File:
    """Return a file as `Stored` if its content fits its path, else as `Quarantined`."""
    if isinstance(content, BadFile):
        return Quarantined(path=path, reason=content.reason)
    told = naming.id_in(path)
    if told is not None and told != content.id:
        return Quarantined(
            path=path,
            reason=f"its file name has the ID {told}, but its front matter has {content.id}",
        )
    if content.primitive != layout.primitive_at(path):
        return Quarantined(
            path=path, reason=f"a {content.primitive} does not belong in this folder"
        )
    if layout.is_archived(path) and content.status is not Status.ARCHIVED:
        content = content.having(status=Status.ARCHIVED)
    return Stored(memory=content, path=path, blob=blob)


def assemble(commit: str, files: Iterable[File], first: First = sorted) -> Snapshot:
    """Make a snapshot from some files; of those with the same id, it has only one."""
    groups: dict[Primitive, list[File]] = {
        primitive: [] for primitive in (Primitive.SUMMARY, Primitive.HANDOFF)
    }
    others: list[File] = []
    for file in files:
        (groups.get(file.memory.primitive, others) if isinstance(file, Stored) else others).append(
            file
        )
    memories, aside = one_each(others, first)
    summaries, more = one_each(groups[Primitive.SUMMARY], first)
    handoffs, most = one_each(groups[Primitive.HANDOFF], first)
    return Snapshot(
        commit=commit,
        memories=memories,
        summaries=summaries,
        handoffs=handoffs,
        quarantined=sorted([*aside, *more, *most], key=lambda file: file.path),
    )


def one_each(
    files: Iterable[File], first: First = sorted
) -> tuple[dict[str, Stored], list[Quarantined]]:
    """Return one file for each id, and the quarantined files.

    Of several files with the same id, an archived one wins, then the `first` one.
    """
    found = list(files)
    aside = [file for file in found if isinstance(file, Quarantined)]
    stored = [file for file in found if isinstance(file, Stored)]
    stored.sort(key=lambda file: (not layout.is_archived(file.path), file.path))
    chosen = {file.memory.id: file for file in stored}
    if len(chosen) == len(stored):
        return chosen, aside
    sizes = Counter(file.memory.id for file in stored)
    rivals = [file for file in stored if sizes[file.memory.id] > 1]
    places = {path: place for place, path in enumerate(first([file.path for file in rivals]))}
    rivals.sort(key=lambda file: (layout.is_archived(file.path), -places[file.path]))
    chosen |= {file.memory.id: file for file in rivals}  # the last one of each id stays
    for file in sorted(rivals, key=lambda file: file.path):
        kept = chosen[file.memory.id]
        if kept is not file:
            aside.append(Quarantined(path=file.path, reason=f"{kept.path} has the same id"))
    return chosen, aside
