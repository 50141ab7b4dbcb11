"""Find which memories are stale at HEAD, from the cached verdicts where possible."""

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_lerim.database import connect_reader, in_memory
from git_lerim.errors import Busy, LerimError
from git_lerim.recall.index.index_reader import Document
from git_lerim.recall.local import verdicts
from git_lerim.recall.local.verdicts import CachedVerdict
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace

__all__ = [
    "CachedVerdict",
    "Cause",
    "ModelVerdict",
    "cause_of",
    "of_all",
    "of_documents",
    "of_stored",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelVerdict:
    """A model's verdict on a memory, based on the change to its code."""

    model: str
    verdict: str  # true | outdated | untrue | unsure
    reason: str
    quote: str = ""
    title: str = ""  # of the corrected memory
    body: str = ""
    since: str = ""  # the commit that changed the code

    @property
    def label(self) -> str:
        """Return the verdict as shown to people, such as `changed, still true by model NAME`."""
        if self.verdict == "unsure":
            return f"model {self.model} cannot tell"
        what = "changed, still true" if self.verdict == "true" else self.verdict
        return f"{what} by model {self.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """The reason why a memory is stale, or would be if a model had not found it still true."""

    path: str  # at the time of anchoring
    lines: tuple[int, int] | None
    symbol: str | None
    now: str  # the current or last path
    lost: tuple[str, ...]  # what the memory mentions and the code no longer has
    hunk: str
    commit: str = ""
    author: str = ""
    day: str = ""
    subject: str = ""
    model: ModelVerdict | None = None  # what a model said about it
    is_back: bool = False  # `lost` is what the memory wants replaced and the code has again
    by_words: bool = True  # whether a word of the memory is gone from the code


def of_stored(
    ws: Workspace, items: Iterable[Stored], at: str | None = None
) -> dict[str, CachedVerdict]:
    """Map the blob of each memory to whether the memory is stale at `at` (default: HEAD)."""
    return _standings(ws, {item.blob: item for item in items if item.memory.anchors}, at)


def of_documents(
    ws: Workspace, documents: Iterable[Document], at: str | None = None
) -> dict[str, CachedVerdict]:
    """Map the blob of each document of the index to whether it is stale at `at` (default: HEAD)."""
    return _standings(ws, {each.blob: each for each in documents if each.anchors}, at)


def of_all(ws: Workspace, at: str | None = None) -> dict[str, CachedVerdict]:
    """Map the id of each active memory to whether it is stale at `at` (default: HEAD)."""
    head = at or ws.code.head()
    if head is None or ws.personal:
        return {}
    with contextlib.closing(ws.index()) as index:
        about = index.about_code()
        kept = open_cache(ws)
        found = verdicts.read(kept, head, about) if kept is not None else {}
        if kept is not None:
            kept.close()
        new = index.documents(
            [key for blob, (key, _) in about.items() if blob not in found], Document
        )
        found |= of_documents(ws, new, head)
    return {about[blob][1]: standing for blob, standing in found.items()}


def cause_of(standing: CachedVerdict) -> Cause | None:
    """Return why a memory is stale, or would be if no model had found it still true; else None."""
    if not standing.cause:
        return None
    import msgspec  # noqa: PLC0415 rarely needed

    return msgspec.json.decode(standing.cause, type=Cause)


def _standings(
    ws: Workspace, wanted: Mapping[str, Stored | Document], at: str | None
) -> dict[str, CachedVerdict]:
    head = at or ws.code.head()
    if head is None or ws.personal or not wanted:
        return {}
    with contextlib.ExitStack() as stack:
        kept = open_cache(ws)
        if kept is not None:
            stack.callback(kept.close)
        found = verdicts.read(kept, head, wanted) if kept is not None else {}
        new = {blob: each for blob, each in wanted.items() if blob not in found}
        if new:
            from git_lerim.actions.code.anchor_verdicts import judge  # noqa: PLC0415

            found |= judge(ws, kept, head, new)
    return found


def open_cache(ws: Workspace) -> sqlite3.Connection | None:
    """Open the cache of verdicts, recreating a damaged one; return None if that fails.

    While another process keeps it locked, what is found out is cached only in memory.
    """
    migrations = (verdicts.SCHEMA, verdicts.PLACES, *[verdicts.RULES] * 3)
    try:
        return connect_reader(ws.folder / verdicts.NAME, migrations, checked=True)
    except Busy:
        return in_memory(migrations)
    except LerimError:
        return None
