"""Begin, list, claim and cancel handoffs between agents."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from git_lerim.actions.edit_memory import after, moved
from git_lerim.actions.handoffs.handoff_draft import Draft, Drafted, drafted, folder_below
from git_lerim.actions.handoffs.handoff_view import Row, authors, row_of
from git_lerim.actions.listing import iso
from git_lerim.errors import BadMemory, Declined, UnknownMemory, UsageError
from git_lerim.git import refs
from git_lerim.git.worktree import worktree
from git_lerim.memories import handoff as noun
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.handoff import Claim, details, with_details
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.brief.handoff import Here, State, choose, fits, state
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.tokens import clip, counted, local_times
from git_lerim.workspace import Workspace

_LIST = "git lerim handoff list --all shows them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The result of an action on a handoff."""

    row: Row
    commit: str | None  # None: nothing changed
    redactions: int = 0
    taken_from: str = ""  # the session that questions and steps come from


def begin(ws: Workspace, draft: Draft) -> Done:
    """Write a handoff from a draft, git and the latest session.

    Raises UsageError if there is nothing to hand over.
    """
    made = drafted(ws, draft)
    if made is None:
        raise UsageError(
            "there is nothing to hand over",
            hint='git lerim handoff begin "what stands, and what comes next"',
        )
    return _begin(ws, made)


def from_session(ws: Workspace, session: str) -> Done | None:
    """Write a handoff by rules from an ended session, once; None if it left nothing open.

    `session` is `<agent>/<id>`, as in the catalog. It replaces an open automatic handoff for the
    same branch and folder.
    """
    made = drafted(ws, Draft(session=session, automatic=True))
    return _begin(ws, made) if made is not None else None


def _begin(ws: Workspace, made: Drafted) -> Done:
    known: list[Stored] = []
    mine = (
        {id_ for id_, author in authors(ws).items() if author == ws.store.committer()}
        if made.automatic
        else set()
    )

    def operation(snapshot: Snapshot) -> Change | None:
        known[:] = [item for item in snapshot.handoffs.values() if _is_same(ws, item, made.memory)]
        if known:
            return None
        memory = made.memory
        files: dict[str, bytes | None] = {naming.path_of(memory): frontmatter.render(memory)}
        older = [
            item
            for item in snapshot.handoffs.values()
            if item.memory.id in mine and _gives_way(ws, item.memory, memory)
        ]
        for item in older:
            files[item.path] = frontmatter.render(
                _changed(ws, item.memory, status=Status.SUPERSEDED)
            )
        ids = [item.memory.id for item in older]
        return Change(
            files=files,
            subject=clip(f"handoff: {memory.title}", 72),
            body="\n".join(
                [
                    f"+ {memory.id} {memory.title}",
                    *(f"~ {item.memory.id} {item.memory.title}" for item in older),
                ]
            ),
            trailers=(
                ("Lerim-Op", "handoff"),
                *(
                    (("Lerim-Session", made.session), ("Lerim-Agent", made.agent))
                    if made.session
                    else ()
                ),
                ("Lerim-Added", memory.id),
                *(("Lerim-Changed", id_) for id_ in ids),
                ("Lerim-Redactions", str(made.redactions)),
            ),
        )

    commit = ws.store.commit(operation)
    memory, path = (
        (known[0].memory, known[0].path) if known else (made.memory, naming.path_of(made.memory))
    )
    row = Row(
        memory=memory,
        path=path,
        state=state(memory, ws.now),
        author=authors(ws).get(memory.id, ws.store.committer()),
    )
    taken = f"{made.agent}/{made.session}" if made.session else ""
    return Done(row=row, commit=commit, redactions=made.redactions, taken_from=taken)


def _is_same(ws: Workspace, item: Stored, memory: Memory) -> bool:
    """Tell whether a handoff exists already: same session state, or open with equal text."""
    # a release does not change the content
    old, told = (
        item.memory,
        replace(details(item.memory), released=None),
    )
    return old.id == memory.id or (
        state(old, ws.now) is State.OPEN
        and (old.title, old.body, told) == (memory.title, memory.body, details(memory))
    )


def _gives_way(ws: Workspace, old: Memory, new: Memory) -> bool:
    told, now = details(old), details(new)
    same = (told.branch, told.folder) == (now.branch, now.folder)
    return (
        told.automatic
        and now.automatic
        and same
        and state(old, ws.now) in {State.OPEN, State.EXPIRED}
    )


def listed(ws: Workspace, *, everything: bool, at: str | None = None) -> list[Row]:
    """Return the open handoffs, newest first; with `everything`, those in any state."""
    items = ws.store.handoffs(at).values()
    known = authors(ws) if items else {}
    rows = [row_of(ws, item, known) for item in items]
    wanted = [row for row in rows if everything or row.state is State.OPEN]
    return sorted(wanted, key=lambda row: (row.memory.created, row.memory.id), reverse=True)


def one(ws: Workspace, prefix: str, at: str | None = None) -> Row:
    """Return the handoff with that id prefix. Raises UnknownMemory."""
    return row_of(ws, _found(ws.store.handoffs(at), prefix), authors(ws))


def claim(
    ws: Workspace, prefix: str | None, *, agent: str | None = None, session: str | None = None
) -> Done:
    """Claim the named handoff, else the newest open one for this branch and agent.

    Of two claimers one succeeds; the other gets Declined, which names the winner. A session that
    claims again gets the handoff it has. Raises UnknownMemory if there is none.
    """
    who = _claimer(ws, agent, session)
    here = _here(ws, agent, session)
    taken: list[Stored] = []
    # fails early, without reading the rest of the store
    _wanted(ws, ws.store.handoffs(), prefix, here)

    def operation(snapshot: Snapshot) -> Change | None:
        item = (
            snapshot.handoffs.get(taken[0].memory.id)
            if taken
            else _wanted(ws, ws.store.believed(snapshot).handoffs, prefix, here)
        )
        if item is None:
            raise UnknownMemory(f"{taken[0].memory.id} is no longer there", hint=_LIST)
        taken[:] = [item]
        held = details(item.memory).claimed_by
        if (
            held is not None
            and session is not None
            and (held.agent, held.session) == (agent, session)
        ):
            return None
        _refuse(item.memory)
        new = with_details(_changed(ws, item.memory), replace(details(item.memory), claimed_by=who))
        taken[:] = [replace(item, memory=new)]
        return _change(item, new, "claim")

    commit = ws.store.commit(operation)
    return Done(row=row_of(ws, taken[0], authors(ws)), commit=commit)


def release(ws: Workspace, agent: str | None, session: str) -> Done | None:
    """Reopen the handoff that a session claimed and did not work on; None if it claimed none."""
    given: list[Stored] = []

    def operation(snapshot: Snapshot) -> Change | None:
        held = [
            item
            for item in snapshot.handoffs.values()
            if _is_held(item.memory, Here(agent=agent, session=session))
        ]
        given[:] = held[:1]
        if not held:
            return None
        new = _changed(ws, held[0].memory)
        new = with_details(new, replace(details(new), claimed_by=None, released=iso(new.updated)))
        given[:] = [replace(held[0], memory=new)]
        return _change(held[0], new, "release")

    commit = ws.store.commit(operation)
    return Done(row=row_of(ws, given[0], authors(ws)), commit=commit) if given else None


def _claimer(ws: Workspace, agent: str | None, session: str | None) -> Claim:
    who = Claim(
        at=iso(ws.now), who=noun.claimer(ws.store.committer()), agent=agent, session=session
    )
    try:
        noun.check({"to": agent, "claimed_by": asdict(who)})
    except BadMemory as error:
        raise UsageError(
            "--agent and --session take a name in one line", hint="for example: --agent codex"
        ) from error
    return who


def cancel(ws: Workspace, prefix: str) -> Done:
    """Archive a handoff that nobody has claimed. Raises Declined if somebody has."""
    taken: list[Stored] = []

    def operation(snapshot: Snapshot) -> Change | None:
        item = _found(snapshot.handoffs, prefix)
        taken[:] = [item]
        if item.memory.status is Status.ARCHIVED:
            return None
        if details(item.memory).claimed_by:
            _refuse(item.memory)
        new = _changed(ws, item.memory, status=Status.ARCHIVED)
        taken[:] = [replace(item, memory=new, path=f"archived/{item.path}")]
        return _change(item, new, "cancel")

    commit = ws.store.commit(operation)
    return Done(row=row_of(ws, taken[0], authors(ws)), commit=commit)


def _wanted(
    ws: Workspace, handoffs: Mapping[str, Stored], prefix: str | None, here: Here
) -> Stored:
    if prefix is not None:
        return _found(handoffs, prefix)
    memories = [item.memory for item in handoffs.values()]
    mine = [m for m in memories if here.session and _is_held(m, here)]
    chosen = max(mine, key=lambda m: m.updated, default=None) or choose(memories, here, ws.now)
    if chosen is None:
        raise _none(ws, memories, here)
    return handoffs[chosen.id]


def _is_held(memory: Memory, here: Here) -> bool:
    held = details(memory).claimed_by
    return held is not None and (held.agent, held.session) == (here.agent, here.session)


def _none(ws: Workspace, memories: Iterable[Memory], here: Here) -> UnknownMemory:
    """Return the error for no open handoff, which says who claimed the last one."""
    others = [memory for memory in memories if state(memory, ws.now) is State.OPEN]
    gone = [memory for memory in memories if details(memory).claimed_by and fits(memory, here)]
    told = "no handoff is open" + (f" for {here.branch}" if here.branch else "")
    last = max(gone, key=lambda memory: memory.updated, default=None)
    if last is not None:
        told += f"; the last one, {last.id}, {standing(last)}"
    hint = (
        f"{counted(len(others), 'other')} can be claimed by ID: git lerim handoff list"
        if others
        else _LIST
    )
    return UnknownMemory(told, hint=hint)


def _refuse(memory: Memory) -> None:
    """Raise Declined if a handoff is claimed, cancelled or suspect."""
    if details(memory).claimed_by:
        raise Declined(
            f"{memory.id} {standing(memory)}", hint="git lerim handoff show prints it all the same"
        )
    if memory.status is Status.ARCHIVED:
        raise Declined(
            f"{memory.id} was cancelled", hint=f"git lerim restore {memory.id} takes that back"
        )
    if memory.status is Status.SUSPECT:
        raise Declined(
            f"{memory.id} is suspect: {memory.suspect}",
            hint=f"git lerim restore {memory.id} says that it is right",
        )


def standing(memory: Memory) -> str:
    """Return what became of a handoff, as the end of a sentence that is safe to print."""
    held = details(memory).claimed_by
    if held:
        return (
            f"was claimed by {held.who}{f' for {held.agent}' if held.agent else ''} at"
            f" {local_times(held.at)}"
        )
    return "was cancelled" if memory.status is Status.ARCHIVED else "is open"


def _changed(ws: Workspace, memory: Memory, **changes: Any) -> Memory:
    return memory.having(updated=after(memory.updated, ws.now.replace(microsecond=0)), **changes)


def _change(item: Stored, new: Memory, verb: str) -> Change:
    trailer = ("Lerim-Archived" if new.status is Status.ARCHIVED else "Lerim-Changed", new.id)
    sign = "-" if new.status is Status.ARCHIVED else "~"
    return Change(
        files=moved(item, new),
        subject=clip(f"handoff: {verb} {new.title}", 72),
        body=f"{sign} {new.id} {new.title}",
        trailers=(("Lerim-Op", "handoff"), trailer),
    )


def _found(handoffs: Mapping[str, Stored], prefix: str) -> Stored:
    try:
        return handoffs[naming.find_id(handoffs, prefix)]
    except UnknownMemory as error:
        raise UnknownMemory(
            str(error).replace("memory", "handoff").replace("memories", "handoffs"), hint=_LIST
        ) from error


def _here(ws: Workspace, agent: str | None, session: str | None) -> Here:
    common = ws.place.common_dir
    return Here(
        branch=worktree.branch(ws.place),
        folder=folder_below(ws, Path.cwd()),
        agent=agent,
        session=session,
        exists=lambda name: refs.read_ref(common, f"refs/heads/{name}") is not None,
    )
