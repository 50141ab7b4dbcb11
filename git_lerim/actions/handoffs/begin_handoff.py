"""Begin a handoff, on a person's command or automatically when a session ends."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from git_lerim.actions.authorship import by_agent, refuse_agent
from git_lerim.actions.decisions import did_person_archive
from git_lerim.actions.handoffs.handoff import Done, edit_fields
from git_lerim.actions.handoffs.handoff_draft import Draft, Drafted, draft_handoff
from git_lerim.actions.handoffs.handoff_view import Row, first_versions
from git_lerim.errors import UsageError
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.handoff import details
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.brief.handoff import State, state
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace


def begin(ws: Workspace, draft: Draft) -> Done:
    """Write a handoff from a draft, with facts from git and from the latest session.

    Raises UsageError if there is nothing to hand over.
    """
    made = draft_handoff(ws, draft)
    if made is None:
        raise UsageError(
            "nothing to hand over",
            hint='for example: git lerim handoff begin "what is done, and what comes next"',
        )
    return _begin(ws, made)


def from_session(ws: Workspace, session: str) -> Done | None:
    """Write a handoff for an ended session; return None if the session left nothing open.

    No model is asked. `session` is `<agent>/<id>`, as in the catalog. Calling this again for an
    unchanged session writes nothing. The new handoff replaces an open automatic one for the same
    branch and folder.
    """
    made = draft_handoff(ws, Draft(session=session, automatic=True))
    return _begin(ws, made) if made is not None else None


def _begin(ws: Workspace, made: Drafted) -> Done:
    """Store a handoff without waiting for review: what it hands over is for the next hours."""
    existing: list[Stored] = []
    mine = (
        {id_ for id_, first in first_versions(ws).items() if first.who == ws.store.committer()}
        if made.automatic
        else set()
    )

    def operation(snapshot: Snapshot) -> Change | None:
        handoffs = snapshot.handoffs.values()
        if not made.automatic:
            _refuse_cancelled(ws, handoffs, made.memory)
        existing[:] = [item for item in handoffs if _is_same(ws, item, made.memory)]
        if existing:
            return None
        replaced = [
            item
            for item in handoffs
            if item.memory.id in mine and _is_replaced_by(ws, item.memory, made.memory)
        ]
        return _change(ws, made, replaced)

    commit = (open_store.on_branch(ws) if ws.proposing else ws.store).commit(operation)
    memory, path = (
        (existing[0].memory, existing[0].path)
        if existing
        else (made.memory, naming.path_of(made.memory))
    )
    first = first_versions(ws).get(memory.id)
    row = Row(
        memory=memory,
        path=path,
        state=state(memory, ws.now),
        author=first.who if first else ws.store.committer(),
    )
    taken_from = f"{made.agent}/{made.session}" if made.session and made.is_filled else ""
    return Done(row=row, commit=commit, redactions=made.redactions, taken_from=taken_from)


def _change(ws: Workspace, made: Drafted, replaced: Sequence[Stored]) -> Change:
    memory = made.memory
    files: dict[str, bytes | None] = {naming.path_of(memory): frontmatter.render(memory)}
    for item in replaced:
        files[item.path] = frontmatter.render(
            edit_fields(ws, item.memory, status=Status.SUPERSEDED)
        )
    source = (("Lerim-Session", made.session), ("Lerim-Agent", made.agent)) if made.session else ()
    return Change(
        files=files,
        subject=clip(f"handoff: {memory.title}", 72),
        body="\n".join(
            [
                f"+ {memory.id} {memory.title}",
                *(f"~ {item.memory.id} {item.memory.title}" for item in replaced),
            ]
        ),
        trailers=(
            ("Lerim-Op", "handoff"),
            *source,
            ("Lerim-Added", memory.id),
            *(("Lerim-Changed", item.memory.id) for item in replaced),
            ("Lerim-Redactions", str(made.redactions)),
        ),
    )


def _is_same(ws: Workspace, item: Stored, memory: Memory) -> bool:
    """Return whether a stored handoff makes a new one superfluous.

    It does if both come from the same state of a session, or if it is open and has the same text.
    """
    old = item.memory
    # a release does not change the content
    facts = replace(details(old), released=None)
    return old.id == memory.id or (
        state(old, ws.now) is State.OPEN
        and (old.title, old.body, facts) == (memory.title, memory.body, details(memory))
    )


def _refuse_cancelled(ws: Workspace, handoffs: Iterable[Stored], memory: Memory) -> None:
    """Raise Declined if an agent begins a handoff that a person cancelled, in the same words."""
    for item in handoffs if by_agent(ws) else ():
        old = item.memory
        same = old.status is Status.ARCHIVED and (old.title, old.body) == (
            memory.title, memory.body
        )  # fmt: skip
        if same and did_person_archive(ws, old):
            refuse_agent(ws, f"a person cancelled {old.id}, which says the same")


def _is_replaced_by(ws: Workspace, old: Memory, new: Memory) -> bool:
    before, now = details(old), details(new)
    return (
        before.automatic
        and now.automatic
        and (before.branch, before.folder) == (now.branch, now.folder)
        and state(old, ws.now) in {State.OPEN, State.EXPIRED}
    )
