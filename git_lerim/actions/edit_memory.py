"""Write, edit, archive, restore and protect single memories, each in one commit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from git_lerim.actions import authorship, decisions
from git_lerim.actions.author_of import in_own_details
from git_lerim.actions.broken import broken_ids
from git_lerim.actions.edit_commit import commit_of
from git_lerim.actions.feedback_reasons import clean_reason
from git_lerim.actions.forgotten import refuse_forgotten
from git_lerim.actions.judged import NOTES, reason_of, withheld_text
from git_lerim.actions.listing import find_memory
from git_lerim.actions.mistrust import refuse_to_change
from git_lerim.errors import BadMemory, Declined, UnknownMemory
from git_lerim.memories import confidence
from git_lerim.memories.checks import lint_rules
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import TITLE_LIMIT, Edited, Memory, Primitive, Status
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.layout import is_archived
from git_lerim.tokens import without_codes
from git_lerim.workspace import Workspace

Edit: TypeAlias = Callable[[Memory], Memory]

_REWRITES = ("edit", "forget")  # what agents may not even try to do to a person's words
_SECOND = timedelta(seconds=1)
_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The result of a change to memories: the memories afterwards, and the commit."""

    memories: tuple[Memory, ...]
    commit: str | None  # None: nothing changed
    redactions: int = 0


def forget(ws: Workspace, prefixes: Sequence[str], reason: str = "") -> Changed:
    """Archive memories; they stay in git and can be restored.

    The reason is redacted and goes into the commit message.
    """
    text, blanked = clean_reason(ws, reason)
    done = _change(ws, "forget", prefixes, _archived, text)
    return replace(done, redactions=blanked)


def would_forget(ws: Workspace, prefixes: Sequence[str]) -> list[Memory]:
    """Return the memories that `forget` would archive, without duplicates."""
    snapshot = ws.store.snapshot()
    found = [item.memory for item in _named(snapshot, prefixes).values()]
    return [_archived(each) for each in found if each.status is not Status.ARCHIVED]


def _archived(memory: Memory) -> Memory:
    if memory.protected and memory.status is not Status.ARCHIVED:
        raise Declined(
            f"{memory.id} is protected; nothing was archived",
            hint=f"to remove the protection: git lerim protect --off {memory.id}",
        )
    return replace(memory, status=Status.ARCHIVED)


def restore(ws: Workspace, prefixes: Sequence[str]) -> Changed:
    """Reactivate archived, superseded or suspect memories; later syncs keep them active."""
    snapshot = ws.store.snapshot()
    gone, broken = snapshot.withdrawn, broken_ids(ws, snapshot)
    back = _change(
        ws, "restore", prefixes, lambda memory: _reactivated(ws, memory, gone.get(memory.id))
    )
    deleted = set[str]() if ws.in_tree else gone.keys() - broken
    asks = "git lerim push asks before restoring it for everyone"
    for id_ in (memory.id for memory in back.memories if memory.id in deleted):
        ws.note(f"someone else had deleted {id_}; {asks}")
    return back


def _reactivated(ws: Workspace, memory: Memory, deleted: Stored | None) -> Memory:
    """Return the memory as active; if retracted, it gets the confidence of its origin again.

    A handoff that was cancelled before somebody deleted it stays cancelled.
    """
    if deleted and memory.primitive is Primitive.HANDOFF:
        status = frontmatter.parse(ws.store.content(deleted.blob)).status
        if status is Status.ARCHIVED:
            ws.note(f"{memory.id} is still cancelled; to reopen it: git lerim restore {memory.id}")
            return replace(memory, updated=edit_time(memory.updated, ws.now))
    if memory.suspect:
        authorship.refuse_agent(ws, f"{memory.id} is suspect: it {reason_of(memory)}")
    believed = memory.confidence or confidence.OF_ORIGIN[memory.origin]
    active = replace(memory, status=Status.ACTIVE, suspect=None, confidence=believed)
    if memory.primitive not in NOTES or (active == memory and not withheld_text(memory)):
        return active
    # summaries and handoffs are judged whenever handed out, unless a person edited them
    return authorship.mark_edited(ws, active)


def protect(ws: Workspace, prefixes: Sequence[str], *, on: bool) -> Changed:
    """Protect memories from being archived or merged; with `on=False`, end the protection."""
    return _change(ws, "protect", prefixes, lambda m: replace(m, protected=on))


def edit(ws: Workspace, prefix: str, edited: Edit) -> Changed:
    """Let `edited` change a memory's text; its id, sources and creation time stay the same."""
    # do not ask the person again if the commit is retried
    done: list[tuple[Memory, Memory, int]] = []

    def apply(memory: Memory) -> Memory:
        if not done or done[-1][0] != memory:
            done.append((memory, *validate_edit(ws, memory, edited(memory))))
        return done[-1][1]

    changed = _change(ws, "edit", [prefix], apply)
    return replace(changed, redactions=done[-1][2])


def merged(ws: Workspace, base: Memory, edited: Memory, now: Memory) -> Memory:
    """Merge an edit with the current memory, which has changed meanwhile; both texts are kept."""
    mine = authorship.mark_edited(ws, replace(edited, updated=ws.now.replace(microsecond=0)))
    (found,) = ws.store.named([find_memory(ws.store.snapshot(), now.id)])
    hand = Edited(by=found.author or ws.store.committer(), at=now.updated)
    return merge(base, Side(memory=now, by="", by_hand=hand), Side(memory=mine, by=""))


def validate_edit(ws: Workspace, memory: Memory, edited: Memory) -> tuple[Memory, int]:
    """Validate and redact an edited memory; return it with the number of redactions.

    Raises BadMemory if it is invalid, UsageError if an agent's text quotes the user.
    """
    refuse_other_encodings("the memory was not changed", edited.title, edited.body, *edited.tags)
    note_long_title(ws, edited.title)
    edited = replace(
        edited,
        # before redaction, because removing codes can join the parts of a secret
        title=without_codes(edited.title),
        body=without_codes(edited.body),
        tags=tuple(map(without_codes, edited.tags)),
    )
    new, blanked = gated(edited, ws.redactor)
    new = replace(
        new,
        id=memory.id,
        primitive=memory.primitive,
        created=memory.created,
        sources=memory.sources,
    )
    authorship.refuse_forged_quote(ws, new, memory)
    new = authorship.withhold_rewritten(ws, authorship.flag_injection(ws, new), memory)
    refuse_invalid(new, "the memory was not changed")
    if (new.title, new.body) != (memory.title, memory.body):
        refuse_forgotten(ws, new, "the memory was not changed")
    return new, blanked


def note_long_title(ws: Workspace, title: str) -> None:
    """Warn if a title is so long that it will be cut."""
    if len(title) > TITLE_LIMIT:
        ws.note(f"the title has {len(title)} characters and was cut after {TITLE_LIMIT}")


def refuse_other_encodings(what: str, *texts: str) -> None:
    """Raise BadMemory if a text contains bytes that are not UTF-8 (surrogate escapes)."""
    if any("\ud800" <= char <= "\udfff" for text in texts for char in text):
        hint = "use a UTF-8 terminal or file; to convert a file: iconv -f latin1 -t utf-8 FILE"
        raise BadMemory(f"{what}: the text contains bytes that are not UTF-8", hint=hint)


def refuse_invalid(memory: Memory, what: str) -> None:
    """Raise BadMemory if a memory does not pass the lint rules."""
    problems = [problem.sentence for problem in lint_rules.check_memory(memory)]
    if problems:
        raise BadMemory(f"{what}: it {'; '.join(problems)}")


def _named(snapshot: Snapshot, prefixes: Sequence[str]) -> dict[str, Stored]:
    """Return the memories with these id prefixes, each once. Raises UnknownMemory."""
    try:
        items = [find_memory(snapshot, prefix) for prefix in prefixes]
    except UnknownMemory as error:
        if len(prefixes) == 1:
            raise
        raise UnknownMemory(f"{error}; nothing was changed", hint=error.hint) from error
    return {item.memory.id: item for item in items}


def _change(
    ws: Workspace, operation_name: str, prefixes: Sequence[str], apply: Edit, reason: str = ""
) -> Changed:
    touched: list[Memory] = []
    # the store before the change, if other memories depend on the changed ones
    linked: list[Snapshot] = []

    def operation(snapshot: Snapshot) -> Change | None:
        touched.clear()
        linked.clear()
        files: dict[str, bytes | None] = {}
        changed: list[Memory] = []
        for stored in in_own_details(ws, _named(snapshot, prefixes).values()):
            refuse_to_change(ws, stored, rewords=operation_name == "edit")
            if operation_name in _REWRITES:
                authorship.refuse_persons_words(ws, stored.memory)
            new = apply(stored.memory)
            if new == stored.memory:
                files |= unchanged_file(ws, stored)
            else:
                decisions.refuse_agents_change(ws, stored.memory, new)
                new = _stamped(ws, operation_name, stored.memory, new)
                linked.extend([snapshot] if affects_others(stored.memory, new) else [])
                files |= edited_files(stored, new)
                changed.append(new)
            touched.append(new)
        if not files:
            return None
        return decisions.signed(ws, commit_of(operation_name, reason, files, changed, touched))

    commit = ws.store.commit(operation)
    if linked:
        settle_others(ws, linked[0], operation_name, commit)
    return Changed(commit=commit, memories=tuple(touched))


def _stamped(ws: Workspace, operation_name: str, old: Memory, new: Memory) -> Memory:
    """Return an edited memory with the time of the edit and, if a person made it, their name."""
    new = replace(new, updated=edit_time(old.updated, ws.now.replace(microsecond=0)))
    if operation_name == "edit":
        return authorship.mark_rewritten(ws, new, old)
    return authorship.mark_edited(ws, new) if operation_name == "restore" else new


def affects_others(old: Memory, new: Memory) -> bool:
    """Return whether a change can lead sync's rules to activate or supersede other memories."""
    changed = (old.status, old.title, old.body) != (new.status, new.title, new.body)
    return changed and bool(old.supersedes or old.related)


def settle_others(ws: Workspace, old: Snapshot, operation_name: str, cause: str | None) -> None:
    """Decide again, as sync does, which session memories are active; tell the user of changes."""
    from git_lerim.actions.sync.resettle import resettle  # noqa: PLC0415 rarely needed

    believed = ws.store.believed(old)
    before = {id_: item.memory.status for id_, item in believed.memories.items()}
    for action in resettle(ws, believed, operation_name, cause):
        id_, status = action.memory.id, action.memory.status
        if before.get(id_) is not status:
            ws.note(f"{id_} is {status} now: {action.reason}")


def edit_time(before: datetime, now: datetime) -> datetime:
    """Return the time to record for an edit: now, or just after `before` if that is later.

    The time must grow with each edit, so that sync notices the edit.
    """
    return max(now, before + min(_SECOND, _END - before))


def unchanged_file(ws: Workspace, stored: Stored) -> dict[str, bytes | None]:
    """Map an unchanged memory's path to its content if it must be moved, staged or committed."""
    if stored.memory.status is Status.ARCHIVED and not is_archived(stored.path):
        return edited_files(stored, stored.memory)  # somebody changed the file by hand
    return {stored.path: ws.store.file(stored)} if ws.in_tree and ws.then else {}


def edited_files(stored: Stored, new: Memory) -> dict[str, bytes | None]:
    """Return the files to write for a changed memory, below `archived/` if it is archived."""
    plain = stored.path.removeprefix("archived/")
    path = f"archived/{plain}" if new.status is Status.ARCHIVED else plain
    files: dict[str, bytes | None] = {path: frontmatter.render(new)}
    if path != stored.path:
        files[stored.path] = None
    return files
