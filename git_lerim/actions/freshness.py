"""Find out which memories are stale at the commit that is checked out, and keep that for the hot paths."""

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from git_lerim.database import connect, transaction
from git_lerim.errors import LerimError
from git_lerim.git import compare
from git_lerim.memories.memory import Anchor
from git_lerim.recall import verdicts
from git_lerim.recall.reader import Document
from git_lerim.recall.verdicts import Standing
from git_lerim.storage.base import Stored
from git_lerim.upkeep.freshness import Cache, Claim, Freshness, State, Verdict
from git_lerim.workspace import Workspace

__all__ = ["Cause", "Standing", "cause_of", "of_all", "of_documents", "of_stored"]

HEADS = 8  # commits whose verdicts are kept: those of several work trees and branches
MOST = 50_000  # judged anchors that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why a memory is stale."""

    path: str  # of the code as it was
    lines: tuple[int, int] | None
    symbol: str | None
    now: str  # where it stands, or stood last
    lost: tuple[str, ...]  # what it claims and is there no more
    hunk: str
    commit: str = ""
    author: str = ""
    day: str = ""
    subject: str = ""


class _Row(msgspec.Struct):
    anchors: list[Anchor]


_row = msgspec.json.Decoder(_Row)
_state = msgspec.json.Decoder(State)
_cause = msgspec.json.Decoder(Cause)


def of_stored(ws: Workspace, items: Iterable[Stored], at: str | None = None) -> dict[str, Standing]:
    """Return how memories stand to the code at HEAD or another commit, by the blobs of their files."""
    return _standings(ws, {item.blob: item for item in items if item.memory.anchors}, at)


def of_documents(ws: Workspace, documents: Iterable[Document], at: str | None = None) -> dict[str, Standing]:
    """Return the same for memories as the index holds them."""
    return _standings(ws, {each.blob: each for each in documents if each.anchors}, at)


def of_all(ws: Workspace, at: str | None = None) -> dict[str, Standing]:
    """Return how all active memories that are about code stand to it at HEAD or another commit, by their ids."""
    head = at or ws.code.head()
    if head is None or ws.personal:
        return {}
    with contextlib.closing(ws.index()) as index:
        about = index.about_code()
        kept = verdicts.opened(str(ws.folder))
        found = verdicts.read(kept, head, about) if kept is not None else {}
        if kept is not None:
            kept.close()
        new = index.documents([key for blob, (key, _) in about.items() if blob not in found], Document)
        found |= of_documents(ws, new, head)
    return {about[blob][1]: standing for blob, standing in found.items()}


def cause_of(standing: Standing) -> Cause | None:
    """Return why a memory is stale; None where it is not."""
    return _cause.decode(standing.cause) if standing.cause else None


def _standings(ws: Workspace, wanted: Mapping[str, Stored | Document], at: str | None) -> dict[str, Standing]:
    head = at or ws.code.head()
    if head is None or ws.personal or not wanted:
        return {}
    with contextlib.ExitStack() as stack:
        kept = opened(ws)
        if kept is not None:
            stack.callback(kept.close)
        found = verdicts.read(kept, head, wanted) if kept is not None else {}
        claims = [_claim(blob, each) for blob, each in wanted.items() if blob not in found]
        if claims:
            known = _known(kept)
            freshness = Freshness(ws.place, ws.code.objects, head, dict(known))
            judged = _judged(ws, freshness, claims)
            if kept is not None:
                new = {key: state for key, state in freshness.known.items() if known.get(key) != state}
                _keep(kept, head, judged, new)
            found |= judged
    return found


def _claim(blob: str, each: Stored | Document) -> Claim:
    if isinstance(each, Stored):
        return Claim(id=blob, title=each.memory.title, body=each.memory.body, anchors=each.memory.anchors)
    return Claim(id=blob, title=each.title, body=each.body, anchors=tuple(_row.decode(each.row).anchors))


def _judged(ws: Workspace, freshness: Freshness, claims: list[Claim]) -> dict[str, Standing]:
    found = freshness.verdicts(claims)
    facts = compare.facts_of(ws.place, {v.cause.since for v in found.values() if v.cause and v.cause.since})
    return {claim.id: _standing(claim, found[claim.id], facts) for claim in claims}


def _standing(claim: Claim, verdict: Verdict, facts: Mapping[str, tuple[str, str, str]]) -> Standing:
    states = " ".join(state.state for state in verdict.states)
    cause = verdict.cause
    if cause is None:
        told = any(state.state != "unknown" and anchor.lines for anchor, state in zip(claim.anchors, verdict.states, strict=True))
        return Standing("fresh" if told or "fresh" in states.split() else "unknown", states)
    anchor = claim.anchors[verdict.states.index(cause)]
    author, day, subject = facts.get(cause.since, ("", "", ""))
    why = Cause(
        path=anchor.path,
        lines=anchor.lines,
        symbol=anchor.symbol,
        now=cause.path,
        lost=tuple(one.text for one in cause.lost),
        hunk=cause.hunk,
        commit=cause.since,
        author=author,
        day=day,
        subject=subject,
    )
    return Standing("stale", states, cause.since, msgspec.json.encode(why).decode())


# -- what is kept


def opened(ws: Workspace) -> sqlite3.Connection | None:
    """Open what is kept; None where nothing can be."""
    try:
        return connect(ws.folder / verdicts.NAME, (verdicts.SCHEMA, verdicts.PLACES))
    except LerimError:
        return None


def _known(kept: sqlite3.Connection | None) -> Cache:
    """Return how anchors were judged before, by the blobs on both sides."""
    if kept is None:
        return {}
    rows = kept.execute("SELECT name, state FROM judged").fetchall()
    return {tuple(name.split("\x01")): _state.decode(state) for name, state in rows}


def _keep(kept: sqlite3.Connection, head: str, judged: Mapping[str, Standing], anchors: Cache) -> None:
    """Keep verdicts; where nothing can be written, they are found anew the next time."""
    rows = [(head, blob, one.state, " ".join(one.anchors), one.since, one.cause) for blob, one in judged.items()]
    names = [("\x01".join(key), msgspec.json.encode(state).decode()) for key, state in anchors.items()]
    with contextlib.suppress(LerimError), transaction(kept):
        heads = [row[0] for row in kept.execute("SELECT DISTINCT head FROM verdict")]
        if head not in heads and len(heads) >= HEADS:
            kept.execute("DELETE FROM verdict")
        if kept.execute("SELECT count(*) FROM judged").fetchone()[0] + len(names) > MOST:
            kept.execute("DELETE FROM judged")
        kept.executemany("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?)", rows)
        kept.executemany("INSERT OR REPLACE INTO judged VALUES (?, ?)", names)
