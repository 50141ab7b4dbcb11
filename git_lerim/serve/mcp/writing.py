"""The tools for writing memories: directly or as proposals, as `lerim.agentWrites` says."""

from typing import TYPE_CHECKING

from git_lerim.actions import add_memory, agent_notes, edit_memory
from git_lerim.actions import feedback as judging
from git_lerim.actions.agent_notes import AgentNote, Correction
from git_lerim.actions.authorship import agents_propose
from git_lerim.actions.for_agents import title_lines
from git_lerim.actions.handoffs import begin_handoff, claim_handoff, handoff_view
from git_lerim.actions.handoffs.handoff import list_handoffs
from git_lerim.actions.handoffs.handoff_draft import Draft
from git_lerim.actions.handoffs.handoff_view import fence_lines
from git_lerim.actions.sessions import read_session
from git_lerim.errors import Declined, UsageError
from git_lerim.memories.memory import Kind, Primitive
from git_lerim.serve.mcp.repositories import Repositories
from git_lerim.serve.mcp.session import MOST, Client
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.serve.mcp.tool_table import Feedback, Forget, Handoff, Remember, Update


def remember(repositories: Repositories, client: Client, given: "Remember") -> str:
    """Write one memory; the answer lists similar ones, and says if the memory waits for review."""
    if len(client.written) >= MOST:
        raise Declined(
            f"nothing was remembered: one session can add at most {MOST} memories",
            hint="update or forget one of this session's memories first",
        )
    ws = _writable(repositories, given.repository)
    decision = given.type == "decision"
    noted = agent_notes.remember(
        ws,
        AgentNote(
            title=given.title.strip(),
            why=given.why,
            primitive=Primitive.DECISION if decision else Primitive.LEARNING,
            kind=None if decision else Kind(given.type),
            rejected=tuple(given.rejected),
            anchors=tuple(add_memory.anchor(ws, file) for file in given.files),
            user_words=given.user_words,
        ),
    )
    titles = fence_lines(ws, title_lines(noted.near)) if noted.near else ""
    if noted.commit is None:
        return f"nothing changed: {noted.id} says the same:\n{titles}"
    client.written.add(noted.id)
    lines = [f"remembered {noted.id}{_proposed(ws)}"]
    if noted.suspect:
        lines.append(f"it is not handed out yet: it {noted.suspect}")
    if titles:
        lines += ["similar memories; if yours replaces one, forget or update one:", titles]
    return "\n".join(lines)


def update(repositories: Repositories, _: Client, given: "Update") -> str:
    """Replace the title, reason, rejected options or files of a memory."""
    if not (given.title.strip() or given.why.strip() or given.rejected or given.files):
        raise UsageError("nothing was changed: give at least one of title, why, rejected and files")
    ws = _writable(repositories, given.repository)
    correction = Correction(
        title=given.title.strip(),
        why=given.why,
        rejected=tuple(given.rejected),
        anchors=tuple(add_memory.anchor(ws, file) for file in given.files),
    )
    done = agent_notes.update(ws, given.id, correction)
    memory = done.memories[0]
    if not done.commit:
        return f"nothing changed: {memory.id}"
    said = f"updated {memory.id}{_proposed(ws)}"
    if given.why.strip() and not correction.title:
        said += "\nits title stays; update it, too, if it is no longer true:\n"
        said += fence_lines(ws, [memory.title])
    return said


def forget(repositories: Repositories, client: Client, given: "Forget") -> str:
    """Archive memories.

    Memories that this session wrote then no longer count towards the number that it may add.
    """
    ws = _writable(repositories, given.repository)
    done = edit_memory.forget(ws, given.ids)
    client.written.difference_update(memory.id for memory in done.memories)
    names = ", ".join(memory.id for memory in done.memories)
    return (
        f"archived {names}{_proposed(ws)}"
        if done.commit
        else f"nothing changed: {names} archived already"
    )


def feedback(repositories: Repositories, _: Client, given: "Feedback") -> str:
    """Record an agent's verdict on a memory."""
    ws = repositories.enter(given.repository)
    done = judging.feedback(ws, given.id, given.verdict, given.reason)
    return (
        f"recorded: {done.memory.id} {given.verdict}"
        if done.commit
        else "nothing changed: that is on record for today"
    )


def handoff(repositories: Repositories, client: Client, given: "Handoff") -> str:
    """Begin a handoff, list the open ones, or claim one, as the argument `action` says."""
    making = given.action == "begin"
    ws = repositories.enter(given.repository, making=making)
    if given.action == "list":
        rows = list_handoffs(ws, everything=False, at=None)
        return (
            "\n".join(handoff_view.fence_handoff(ws, row) for row in rows) or "no handoff is open"
        )
    if making:
        draft = Draft(
            text=given.text,
            questions=tuple(given.questions),
            steps=tuple(given.next),
            session=read_session(ws, client.agent, client.session),
            newest=False,  # the newest may be an earlier one, or another agent's
        )
        made = begin_handoff.begin(ws, draft).row.memory
        withheld = f"; it is not handed out yet: it {made.suspect}" if made.suspect else ""
        return f"handed over as {made.id}{withheld}"
    done = claim_handoff.claim(
        ws, given.id or None, agent=client.agent or None, session=client.session or None
    )
    return handoff_view.fence_handoff(ws, done.row)


def _writable(repositories: Repositories, name: str) -> Workspace:
    """Open a repository for writing, or for proposing if `lerim.agentWrites` says so.

    Raises Declined if changes must be proposed, but the memory cannot be reviewed.
    """
    ws = repositories.enter(name, making=True)
    return repositories.enter(name, making=True, propose=True) if agents_propose(ws) else ws


def _proposed(ws: Workspace) -> str:
    return "; it waits for review" if ws.proposing else ""
