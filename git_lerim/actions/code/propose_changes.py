"""Propose changes to memories that a model found outdated, for a person to accept.

Outdated details are corrected and untrue memories are archived, each in a separate commit of the
user's own proposal. Nothing is proposed for memories that people protected or edited.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from git_lerim.actions import authorship
from git_lerim.actions.code.ask_model import Asked, Changed
from git_lerim.actions.code.freshness import ModelVerdict
from git_lerim.actions.edit_memory import edit_time, edited_files
from git_lerim.actions.feedback import anchors_at_head
from git_lerim.actions.models import model_answers
from git_lerim.errors import LerimError
from git_lerim.memories import confidence
from git_lerim.memories.checks import lint_rules
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.checks.prompt_injection import suspicion
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot, Store, Stored
from git_lerim.tokens import clip
from git_lerim.upkeep.eligible import may_change
from git_lerim.workspace import Workspace

_PERSONS = {Origin.HUMAN, Origin.ANSWER}  # origins of memories that no model rewrites


@dataclass(slots=True, kw_only=True)
class Proposed:
    """The result of proposing changes: the changed memories, their branch, and any trouble."""

    memories: list[Memory] = field(default_factory=list)
    branch: str = ""
    trouble: str = ""


def propose_changes(ws: Workspace, head: str, asked: Asked) -> Proposed:
    """Propose the changes that follow from a model's verdicts, each change only once."""
    done = Proposed()
    due = [(each, verdict) for each, verdict in asked.judged if _is_due(each, verdict)]
    if not due or ws.in_tree or ws.personal:
        return done
    try:
        store = open_store.reviewing(ws)
        with model_answers.opened(ws) as answers:
            for changed, verdict in due:
                if answers.was_proposed(changed.key):
                    continue
                new = _changed(ws, changed.item.memory, verdict)
                if new is not None and _commit(store, head, changed, (new, verdict)):
                    answers.note_proposed(changed.key)
                    done.memories.append(new)
        done.branch = (store.own() or "") if done.memories else ""
    except LerimError as error:
        done.trouble = f"nothing was proposed: {error}" if not done.memories else str(error)
    return done


def _is_due(changed: Changed, verdict: ModelVerdict) -> bool:
    memory = changed.item.memory
    if verdict.verdict == "untrue":
        return may_change(memory)
    is_rewritable = memory.origin not in _PERSONS
    return verdict.verdict == "outdated" and may_change(memory) and is_rewritable


def _changed(ws: Workspace, memory: Memory, verdict: ModelVerdict) -> Memory | None:
    """Return the memory with the proposed change, or None if the model's text is unacceptable."""
    updated = edit_time(memory.updated, ws.now.replace(microsecond=0))
    if verdict.verdict == "untrue":
        return replace(memory, status=Status.ARCHIVED, updated=updated)
    text = f"{verdict.title}\n{verdict.body}"
    if suspicion(text, heard="") and not suspicion(f"{memory.title}\n{memory.body}", heard=""):
        return None
    new = replace(
        memory,
        title=verdict.title,
        body=verdict.body,
        origin=Origin.MODEL,
        confidence=confidence.OF_ORIGIN[Origin.MODEL],
        updated=updated,
    )
    # a person accepts the proposal, so a later sync must not bring the old text back
    new = authorship.mark_edited(ws, replace(new, anchors=anchors_at_head(ws, new)))
    new, _ = gated(new, ws.redactor)
    return None if any(lint_rules.check_memory(new)) else new


def _commit(
    store: Store,
    head: str,
    changed: Changed,
    proposed: tuple[Memory, ModelVerdict],
) -> bool:
    """Commit one change to the proposal, unless somebody else changed the memory meanwhile."""
    new, verdict = proposed

    def operation(snapshot: Snapshot) -> Change | None:
        stored = snapshot.memories.get(new.id)
        is_same = stored is not None and _text(stored) == _text(changed.item)
        return _change(stored, new, verdict, head) if stored is not None and is_same else None

    return store.commit(operation) is not None


def _text(stored: Stored) -> tuple[object, ...]:
    memory = stored.memory
    return memory.title, memory.body, memory.anchors, memory.status


def _change(stored: Stored, new: Memory, verdict: ModelVerdict, head: str) -> Change:
    is_archived = new.status is Status.ARCHIVED
    quote = f"\nCode: {verdict.quote}" if verdict.quote else ""
    lines: Sequence[str] = (
        f"{'-' if is_archived else '~'} {new.id} {new.title}",
        "",
        f"Reason: {verdict.reason or verdict.verdict}{quote}",
    )
    return Change(
        files=edited_files(stored, new),
        subject=clip(f"stale: {'archive' if is_archived else 'correct'}: {new.title}", 72),
        body="\n".join(lines),
        trailers=(
            ("Lerim-Op", "archive" if is_archived else "edit"),
            ("Lerim-Model", verdict.model),
            ("Lerim-Source-Commit", head),
            ("Lerim-Archived" if is_archived else "Lerim-Changed", new.id),
        ),
    )
