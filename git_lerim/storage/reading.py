"""From the files of a store to a snapshot: whatever is no memory is set aside and named."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from git_lerim.errors import BadMemory
from git_lerim.memories import frontmatter, naming
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Snapshot, Stored


@dataclass(frozen=True, slots=True)
class BadFile:
    """What is wrong with a file's content."""

    reason: str


def read_file(data: bytes) -> Memory | BadFile:
    """Parse a file, and return what is wrong with it where that fails."""
    try:
        return frontmatter.parse(data)
    except BadMemory as error:
        return BadFile(str(error))


def place_file(path: str, blob: str, content: Memory | BadFile) -> Stored | Quarantined:
    """Judge a file by its content and by where it stands."""
    if isinstance(content, BadFile):
        return Quarantined(path=path, reason=content.reason)
    told = naming.id_in(path)
    if told is not None and told != content.id:
        return Quarantined(path=path, reason=f"its name says {told}, its front matter {content.id}")
    if content.primitive != layout.primitive_at(path):
        return Quarantined(path=path, reason=f"a {content.primitive} does not stand in this folder")
    if layout.is_archived(path) and content.status is not Status.ARCHIVED:
        content = content.having(status=Status.ARCHIVED)
    return Stored(memory=content, path=path, blob=blob)


def assemble(commit: str, files: Iterable[Stored | Quarantined]) -> Snapshot:
    """Make a snapshot of all files, one for each id: an archived one wins, then the first by path."""
    aside: list[Quarantined] = []
    stored: list[Stored] = []
    for file in files:
        (stored if isinstance(file, Stored) else aside).append(file)  # type: ignore[arg-type]  # sorted by its own class
    memories: dict[str, Stored] = {}
    summaries: dict[str, Stored] = {}
    handoffs: dict[str, Stored] = {}
    groups = {Primitive.SUMMARY: summaries, Primitive.HANDOFF: handoffs}
    for file in sorted(stored, key=lambda file: (not layout.is_archived(file.path), file.path)):
        kept = groups.get(file.memory.primitive, memories).setdefault(file.memory.id, file)
        if kept is not file:
            aside.append(Quarantined(path=file.path, reason=f"{kept.path} has the same id"))
    return Snapshot(commit=commit, memories=memories, summaries=summaries, handoffs=handoffs, quarantined=tuple(_in_order(aside)))


def _in_order(aside: list[Quarantined]) -> Iterator[Quarantined]:
    yield from sorted(aside, key=lambda file: file.path)
