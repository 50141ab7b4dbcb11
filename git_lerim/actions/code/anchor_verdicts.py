"""Judge anchors against the code at a commit, and cache the verdicts."""

import contextlib
import sqlite3
from collections.abc import Mapping

import msgspec

from git_lerim.actions.code.freshness import Cause
from git_lerim.database import transaction
from git_lerim.errors import LerimError
from git_lerim.git.history import compare
from git_lerim.memories.memory import Anchor
from git_lerim.recall.index.index_reader import Document
from git_lerim.recall.local.verdicts import CachedVerdict
from git_lerim.storage.base import Stored
from git_lerim.upkeep.freshness.freshness import Cache, Claim, Freshness, State, Verdict
from git_lerim.workspace import Workspace

HEADS = 8  # commits to cache verdicts for: work trees and branches alternate
MOST = 50_000  # anchor verdicts to cache


class _Row(msgspec.Struct):
    anchors: list[Anchor]


_row = msgspec.json.Decoder(_Row)
_state = msgspec.json.Decoder(State)


def judge(
    ws: Workspace,
    kept: sqlite3.Connection | None,
    head: str,
    wanted: Mapping[str, Stored | Document],
) -> dict[str, CachedVerdict]:
    """Return the standing of each memory at a commit, by the blob of its file, and cache it."""
    claims = [_claim(blob, each) for blob, each in wanted.items()]
    known = _cached(kept)
    freshness = Freshness(ws.place, ws.code.objects, head, dict(known))
    found = _verdicts(ws, freshness, claims)
    if kept is not None:
        _keep(
            kept,
            head,
            found,
            {key: state for key, state in freshness.known.items() if known.get(key) != state},
        )
    return found


def _claim(blob: str, each: Stored | Document) -> Claim:
    if isinstance(each, Stored):
        return Claim(
            id=blob, title=each.memory.title, body=each.memory.body, anchors=each.memory.anchors
        )
    return Claim(
        id=blob, title=each.title, body=each.body, anchors=tuple(_row.decode(each.row).anchors)
    )


def _verdicts(ws: Workspace, freshness: Freshness, claims: list[Claim]) -> dict[str, CachedVerdict]:
    found = freshness.verdicts(claims)
    facts = compare.facts_of(
        ws.place, {v.cause.since for v in found.values() if v.cause and v.cause.since}
    )
    return {claim.id: _standing(claim, found[claim.id], facts) for claim in claims}


def _standing(
    claim: Claim, verdict: Verdict, facts: Mapping[str, tuple[str, str, str]]
) -> CachedVerdict:
    states = " ".join(state.state for state in verdict.states)
    cause = verdict.cause
    if cause is None:
        is_fresh = any(
            state.state != "unknown" and anchor.lines
            for anchor, state in zip(claim.anchors, verdict.states, strict=True)
        )
        return CachedVerdict(
            "fresh" if is_fresh or "fresh" in states.split() else "unknown", states
        )
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
    return CachedVerdict("stale", states, cause.since, msgspec.json.encode(why).decode())


def _cached(kept: sqlite3.Connection | None) -> Cache:
    """Return the cached verdicts on anchors, by the blobs on both sides."""
    if kept is None:
        return {}
    rows = kept.execute("SELECT name, state FROM judged").fetchall()
    return {tuple(name.split("\x01")): _state.decode(state) for name, state in rows}


def _keep(
    kept: sqlite3.Connection, head: str, judged: Mapping[str, CachedVerdict], anchors: Cache
) -> None:
    """Cache verdicts; if the cache cannot be written, they are computed again next time."""
    rows = [
        (head, blob, one.state, " ".join(one.anchors), one.since, one.cause)
        for blob, one in judged.items()
    ]
    names = [
        ("\x01".join(key), msgspec.json.encode(state).decode()) for key, state in anchors.items()
    ]
    with contextlib.suppress(LerimError), transaction(kept):
        heads = [row[0] for row in kept.execute("SELECT DISTINCT head FROM verdict")]
        if head not in heads and len(heads) >= HEADS:
            kept.execute("DELETE FROM verdict")
        if kept.execute("SELECT count(*) FROM judged").fetchone()[0] + len(names) > MOST:
            kept.execute("DELETE FROM judged")
        kept.executemany("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?)", rows)
        kept.executemany("INSERT OR REPLACE INTO judged VALUES (?, ?)", names)
