"""Judge whether the code at a commit still matches what memories say; cache the verdicts."""

import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from git_lerim.actions.code.freshness import Cause, ModelVerdict, open_cache
from git_lerim.actions.models import model_answers
from git_lerim.database import connect_reader, transaction
from git_lerim.errors import LerimError
from git_lerim.git.history import compare
from git_lerim.memories.memory import Anchor
from git_lerim.recall.index.index_reader import Document
from git_lerim.recall.local.verdicts import CachedVerdict, with_model
from git_lerim.storage.base import Stored
from git_lerim.upkeep.freshness.code_changes import CodeChange, code_changes
from git_lerim.upkeep.freshness.freshness import Cache, Claim, Freshness, State, Verdict
from git_lerim.upkeep.freshness.returned import Returned
from git_lerim.workspace import Workspace

HEADS = 8  # commits to cache verdicts for, since users switch branches and work trees
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
    """Map each memory's blob to whether the memory is stale at a commit; cache the verdicts."""
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


def changes_at(
    ws: Workspace, head: str, items: Sequence[Stored]
) -> dict[str, tuple[CodeChange, ...]]:
    """Map the blob of each memory to what has changed in the lines of code that it is about."""
    with contextlib.ExitStack() as stack:
        kept = open_cache(ws)
        if kept is not None:
            stack.callback(kept.close)
        freshness = Freshness(ws.place, ws.code.objects, head, dict(_cached(kept)))
    claims = [_claim(item.blob, item) for item in items]
    found = freshness.verdicts(claims)
    return {each.id: code_changes(freshness.code, each, found[each.id]) for each in claims}


def drop(ws: Workspace, blobs: Sequence[str]) -> None:
    """Delete the cached verdicts on memories, so that the memories are judged again."""
    kept = open_cache(ws)
    if kept is None:
        return
    with contextlib.closing(kept), contextlib.suppress(LerimError), transaction(kept):
        kept.executemany("DELETE FROM verdict WHERE blob = ?", [(blob,) for blob in blobs])


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
    causes = {claim.id: _cause(claim, found[claim.id]) for claim in claims}
    causes |= _judged_by_model(ws, freshness, claims, found, causes)
    facts = compare.facts_of(
        ws.place, {cause.commit for cause in causes.values() if cause and cause.commit}
    )
    return {
        claim.id: _standing(claim, found[claim.id], causes[claim.id], facts) for claim in claims
    }


def _cause(claim: Claim, verdict: Verdict) -> Cause | None:
    """Return the change that removed a memory's words from the code, or None if there is none."""
    cause = verdict.cause
    if cause is None:
        return None
    anchor = claim.anchors[verdict.states.index(cause)]
    return Cause(
        path=anchor.path,
        lines=anchor.lines,
        symbol=anchor.symbol,
        now=cause.path,
        lost=tuple(one.text for one in cause.lost),
        is_back=any(isinstance(one, Returned) for one in cause.lost),
        hunk=cause.hunk,
        commit=cause.since,
    )


def _judged_by_model(
    ws: Workspace,
    freshness: Freshness,
    claims: list[Claim],
    found: Mapping[str, Verdict],
    causes: Mapping[str, Cause | None],
) -> dict[str, Cause | None]:
    """Map blobs of memories to why they are stale, by verdicts that a model gave earlier.

    The reason is None if a memory is not stale. Memories without such a verdict are left out. No
    model is asked.
    """
    if not model_answers.exist(ws):
        return {}
    judged: dict[str, Cause | None] = {}
    with contextlib.suppress(LerimError), model_answers.opened(ws, connect_reader) as answers:
        known = answers.claims()
        for claim in claims:
            if model_answers.claim_key(claim.title, claim.body) not in known:
                continue
            changes = code_changes(freshness.code, claim, found[claim.id])
            said = answers.verdict(model_answers.key_of(claim.title, claim.body, changes))
            if said and changes:
                judged[claim.id] = _with_model(freshness, causes[claim.id], changes, said)
    return judged


def _with_model(
    freshness: Freshness, cause: Cause | None, changes: Sequence[CodeChange], said: ModelVerdict
) -> Cause | None:
    """Return the cause of staleness with a model's verdict added.

    If no word of the memory is gone from the code (`cause` is None), return a cause only if the
    model found the memory outdated or untrue.
    """
    if cause is not None:
        return replace(cause, model=said)
    if said.verdict in {"true", "unsure"}:
        return None
    change = next((each for each in changes if said.quote in each.diff), changes[0])
    is_here = bool(said.since) and freshness.code.descends_from(said.since)
    return Cause(
        path=change.path,
        lines=change.lines,
        symbol=change.symbol,
        now=change.now,
        lost=(),
        hunk=change.hunk,
        commit=said.since if is_here else "",
        model=said,
        by_words=False,
    )


def _standing(
    claim: Claim,
    verdict: Verdict,
    cause: Cause | None,
    facts: Mapping[str, tuple[str, str, str]],
) -> CachedVerdict:
    states = " ".join(state.state for state in verdict.states)
    if cause is None:
        is_fresh = any(
            state.state != "unknown" and anchor.lines
            for anchor, state in zip(claim.anchors, verdict.states, strict=True)
        )
        return CachedVerdict(
            "fresh" if is_fresh or "fresh" in states.split() else "unknown", states
        )
    author, day, subject = facts.get(cause.commit, ("", "", ""))
    why = msgspec.json.encode(replace(cause, author=author, day=day, subject=subject)).decode()
    says = cause.model.label if cause.model and cause.model.verdict != "unsure" else ""
    if cause.model and cause.model.verdict == "true":
        return CachedVerdict(with_model("fresh", says), states, "", why)
    return CachedVerdict(with_model("stale", says), states, cause.commit, why)


def _cached(kept: sqlite3.Connection | None) -> Cache:
    """Return the cached verdicts on anchors, by the blobs that were compared."""
    if kept is None:
        return {}
    rows = kept.execute("SELECT name, state FROM judged").fetchall()
    return {tuple(name.split("\x01")): _state.decode(state) for name, state in rows}


def _keep(
    kept: sqlite3.Connection, head: str, judged: Mapping[str, CachedVerdict], anchors: Cache
) -> None:
    """Cache verdicts; if the cache cannot be written, they are computed again next time."""
    rows = [
        (
            head,
            blob,
            with_model(one.state, one.model_says),
            " ".join(one.anchors),
            one.since,
            one.cause,
        )
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
