"""Claim, release and cancel handoffs."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

from git_lerim.actions.author_of import in_own_details
from git_lerim.actions.authorship import refuse_persons_words
from git_lerim.actions.decisions import signed
from git_lerim.actions.edit_memory import edited_files
from git_lerim.actions.handoffs.handoff import (
    LIST_HINT,
    Done,
    by_prefix,
    describe_state,
    edit_fields,
    rows_of,
)
from git_lerim.actions.handoffs.handoff_draft import folder_below
from git_lerim.actions.handoffs.handoff_view import Row, first_versions, row_of
from git_lerim.actions.judged import fit_to_hand_out, reason_of
from git_lerim.actions.listing import iso
from git_lerim.actions.mistrust import refuse_to_change
from git_lerim.errors import BadMemory, Declined, UnknownMemory, UsageError
from git_lerim.git import refs
from git_lerim.git.worktree import worktree
from git_lerim.memories import handoff
from git_lerim.memories.handoff import Claim, details, with_claim_of, with_details
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.brief.handoff import Here, State, choose, fits, state
from git_lerim.sessions.gate import clean_id
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.open_store import Chosen
from git_lerim.tokens import clip, counted
from git_lerim.workspace import Workspace


def claim(
    ws: Workspace, prefix: str | None, *, agent: str | None = None, session: str | None = None
) -> Done:
    """Claim the handoff with an id prefix, or else the newest open one for this branch and agent.

    If two sessions claim a handoff at once, one succeeds; the other gets Declined, which says who
    was faster. A session that claims again gets the handoff that it already has. Raises
    UnknownMemory if there is no handoff to claim.

    A claim does not wait for review, unless the handoff itself does: colleagues must see it.
    """
    session = clean_id(session, ws.redactor) if session else session
    who = _claimer(ws, agent, session)
    here = _here(ws, agent, session)
    taken: list[Stored] = []
    store, served, theirs, prefix = _offered(ws, prefix, here)

    def operation(snapshot: Snapshot) -> Change | None:
        if taken:
            item = snapshot.handoffs.get(taken[0].memory.id)
        else:
            shown = _shown(store, snapshot, served)
            item = _choose(ws, fit_to_hand_out(shown, served), prefix, here, theirs)
        if item is None:
            raise UnknownMemory(f"{taken[0].memory.id} no longer exists", hint=LIST_HINT)
        taken[:] = [item]
        if session is not None and _is_held(item.memory, here):
            return None
        _refuse(item.memory)
        _refuse_other_agent(item.memory, agent)
        claimed = replace(details(item.memory), claimed_by=who)
        new = with_details(edit_fields(ws, item.memory), claimed)
        taken[:] = [replace(item, memory=new)]
        return _change(item, new, "claim")

    commit = store.commit(operation)
    return Done(row=_row(ws, taken[0]), commit=commit)


def release(ws: Workspace, agent: str | None, session: str) -> Done | None:
    """Reopen the handoff that a session claimed but did not work on.

    Return None if the session claimed none.
    """
    session = clean_id(session, ws.redactor)
    given: list[Stored] = []
    here = Here(agent=agent, session=session)
    held = [id_ for id_, item in ws.store.handoffs().items() if _is_held(item.memory, here)]
    store = _store_of(ws, held[0]) if held else ws.store

    def operation(snapshot: Snapshot) -> Change | None:
        held = [item for item in snapshot.handoffs.values() if _is_held(item.memory, here)]
        given[:] = in_own_details(ws, held[:1])
        if not given:
            return None
        (item,) = given
        new = edit_fields(ws, item.memory)
        new = with_details(new, replace(details(new), claimed_by=None, released=iso(new.updated)))
        given[:] = [replace(item, memory=new)]
        return _change(item, new, "release")

    commit = store.commit(operation)
    return Done(row=_row(ws, given[0]), commit=commit) if given else None


class _Offered(NamedTuple):
    """The handoffs that may be claimed, and where a claim is stored."""

    store: Chosen
    served: Mapping[str, Stored]
    theirs: Collection[str]  # ids of those that others began
    prefix: str | None  # of the id to claim, if that is decided


def _offered(ws: Workspace, prefix: str | None, here: Here) -> _Offered:
    """Return the handoffs to choose from; fail early, without reading the rest of the store."""
    served = ws.store.handoffs()
    theirs = {id_ for id_, item in served.items() if item.author}
    first = _choose(ws, fit_to_hand_out(served), prefix, here, theirs).memory
    store = _store_of(ws, first.id)
    if store is ws.store:
        return _Offered(store, served, theirs, prefix)
    if not _is_held(first, here):
        _refuse(first)  # what the user's proposal changed counts, too
    return _Offered(store, store.handoffs(), theirs, first.id)


def _store_of(ws: Workspace, id_: str) -> Chosen:
    """Return the memory's own store for a handoff that is in it, else the one with the proposal."""
    if ws.proposing and id_ in (memory := open_store.on_branch(ws)).handoffs():
        return memory
    return ws.store


def _shown(store: Chosen, snapshot: Snapshot, served: Mapping[str, Stored]) -> dict[str, Stored]:
    """Map ids to the handoffs that may be claimed, in versions that are not withheld.

    If several claims were made, a handoff shows the one that won. It never shows a creation date
    that others forged.
    """

    def as_served(item: Stored) -> Stored:
        known = served[item.memory.id].memory
        memory = with_claim_of(item.memory, known).having(created=known.created)
        return replace(item, memory=memory)

    believed = store.believed(snapshot).handoffs
    shown = {
        id_: believed.get(id_) or replace(served[id_], path=item.path)
        for id_, item in snapshot.handoffs.items()
        if id_ in believed or id_ in served
    }
    return {
        id_: as_served(item) if id_ in served and served[id_].blob == item.blob else item
        for id_, item in shown.items()
    }


def _row(ws: Workspace, item: Stored) -> Row:
    """Return a changed handoff for output, with its author if somebody else wrote it."""
    served = ws.store.handoffs().get(item.memory.id)
    author, is_joint = (served.author, served.is_joint) if served else ("", False)
    return row_of(ws, replace(item, author=author, is_joint=is_joint), first_versions(ws))


def _claimer(ws: Workspace, agent: str | None, session: str | None) -> Claim:
    who = Claim(
        at=iso(ws.now), who=handoff.claimer(ws.store.committer()), agent=agent, session=session
    )
    try:
        handoff.check({"to": agent, "claimed_by": asdict(who)})
    except BadMemory as error:
        raise UsageError(
            "--agent and --session take a one-line name", hint="for example: --agent codex"
        ) from error
    return who


def cancel(ws: Workspace, prefix: str) -> Done:
    """Archive a handoff that nobody has claimed; raise Declined if somebody has.

    As with a claim, only a handoff that itself waits for review is cancelled there.
    """
    taken: list[Stored] = []
    store = _store_of(ws, by_prefix(ws.store.snapshot().handoffs, prefix).memory.id)

    def operation(snapshot: Snapshot) -> Change | None:
        (item,) = in_own_details(ws, [by_prefix(snapshot.handoffs, prefix)])
        refuse_to_change(ws, item)
        refuse_persons_words(ws, item.memory)
        taken[:] = [item]
        if item.memory.status is Status.ARCHIVED:
            return None
        (known,) = store.named([item])  # with the claim that counts
        _refuse_claimed(known.memory, f"to archive it anyway: git lerim forget {item.memory.id}")
        new = edit_fields(ws, item.memory, status=Status.ARCHIVED)
        taken[:] = [replace(item, memory=new, path=f"archived/{item.path}")]
        return signed(ws, _change(item, new, "cancel"))

    commit = store.commit(operation)
    (row,) = rows_of(ws, taken)
    return Done(row=row, commit=commit)


def _choose(
    ws: Workspace,
    handoffs: Mapping[str, Stored],
    prefix: str | None,
    here: Here,
    theirs: Collection[str],
) -> Stored:
    if prefix is not None:
        return by_prefix(handoffs, prefix)
    memories = [item.memory for item in handoffs.values()]
    mine = [m for m in memories if here.session and _is_held(m, here)]
    held = max(mine, key=lambda m: m.updated, default=None)
    chosen = held or choose(memories, here, ws.now, theirs)
    if chosen is None:
        raise _none_open(ws, memories, here)
    return handoffs[chosen.id]


def _is_held(memory: Memory, here: Here) -> bool:
    held = details(memory).claimed_by
    return held is not None and (held.agent, held.session) == (here.agent, here.session)


def _none_open(ws: Workspace, memories: Iterable[Memory], here: Here) -> UnknownMemory:
    """Return the error to raise if no handoff is open; it says who claimed the last one."""
    others = [memory for memory in memories if state(memory, ws.now) is State.OPEN]
    barred = [memory for memory in others if _is_for_other(memory, here.agent)]
    gone = [memory for memory in memories if details(memory).claimed_by and fits(memory, here)]
    meant = filter(None, (here.agent if barred else None, here.branch))
    message = " for ".join(["no handoff is open", " on ".join(meant)]).removesuffix(" for ")
    last = max(gone, key=lambda memory: memory.updated, default=None)
    if last is not None:
        message += f"; the last one, {last.id}, {describe_state(last)}"
    free = len(others) - len(barred)
    counts = [f"{counted(free, 'other')} can be claimed by ID"] if free else []
    counts += [f"{len(barred)} can be claimed only by another agent"] if barred else []
    hint = f"{', '.join(counts)}; see git lerim handoff list" if counts else LIST_HINT
    return UnknownMemory(message, hint=hint)


def _here(ws: Workspace, agent: str | None, session: str | None) -> Here:
    common = ws.place.common_dir
    return Here(
        branch=worktree.branch(ws.place),
        folder=folder_below(ws, Path.cwd()),
        agent=agent,
        session=session,
        exists=lambda name: refs.read_ref(common, f"refs/heads/{name}") is not None,
    )


def _refuse(memory: Memory) -> None:
    """Raise Declined if a handoff is claimed, cancelled or suspect."""
    _refuse_claimed(memory, f"to read it anyway: git lerim handoff show {memory.id}")
    if memory.status is Status.ARCHIVED:
        raise Declined(
            f"{memory.id} was cancelled", hint=f"to undo that: git lerim restore {memory.id}"
        )
    if memory.status is Status.SUSPECT:
        raise Declined(
            f"{memory.id} was not claimed: it {reason_of(memory)}",
            hint=f"if it is harmless, restore it: git lerim restore {memory.id}",
        )


def _refuse_claimed(memory: Memory, hint: str) -> None:
    if details(memory).claimed_by:
        raise Declined(f"{memory.id} {describe_state(memory)}", hint=hint)


def _refuse_other_agent(memory: Memory, agent: str | None) -> None:
    """Raise Declined if a handoff is addressed to an agent other than the claiming one."""
    if _is_for_other(memory, agent):
        raise Declined(
            f"{memory.id} is for {details(memory).to}, not for {agent}",
            hint=f"to read it anyway: git lerim handoff show {memory.id}",
        )


def _is_for_other(memory: Memory, agent: str | None) -> bool:
    to = details(memory).to
    return bool(agent and to) and agent != to


def _change(item: Stored, new: Memory, verb: str) -> Change:
    trailer = ("Lerim-Archived" if new.status is Status.ARCHIVED else "Lerim-Changed", new.id)
    sign = "-" if new.status is Status.ARCHIVED else "~"
    return Change(
        files=edited_files(item, new),
        subject=clip(f"handoff: {verb} {new.title}", 72),
        body=f"{sign} {new.id} {new.title}",
        trailers=(("Lerim-Op", "handoff"), trailer),
    )
