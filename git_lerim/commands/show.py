"""`git lerim show`: show memories in full."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import click

from git_lerim.actions.authorship import by_agent
from git_lerim.actions.code.freshness import CachedVerdict
from git_lerim.actions.feedback_reasons import reasons
from git_lerim.actions.judged import WITHHELD, marked, shown_title
from git_lerim.actions.listing import as_json as to_json
from git_lerim.actions.listing import (
    author_of,
    file_of,
    find_memory,
    ignored_feedback,
    iso,
    log_shown,
    redact_memories,
    standing_of,
    too_early,
    waiting_ids,
)
from git_lerim.actions.mistrust import doubts, for_reader
from git_lerim.actions.sharing.accept import note_shown
from git_lerim.actions.successors import successors
from git_lerim.commands.ids import any_id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    at_option,
    data,
    data_json,
    heading,
    json_option,
    personal_option,
    say,
    styled,
    takes_no,
    verb,
)
from git_lerim.errors import BadMemory, UnknownMemory
from git_lerim.memories.authors import told_by
from git_lerim.memories.confidence import reckoned
from git_lerim.memories.feedback import caller, disputed
from git_lerim.memories.format.body import without_title
from git_lerim.memories.format.frontmatter import parse
from git_lerim.memories.format.shown import PERSON
from git_lerim.memories.format.unshown import unshown
from git_lerim.memories.handoff import Details, details
from git_lerim.memories.memory import COLUMNS, Memory, Origin, Primitive, Source, Status
from git_lerim.tokens import local_times, span

_ORIGINS = {
    Origin.HUMAN: "a person's words",
    Origin.ANSWER: "a person's answer to an agent",
    Origin.AGENT: "recorded by an agent",
    Origin.MODEL: "extracted by a model",
    Origin.REPAIR: "extracted by rules from a fixed failure",
    Origin.RULES: "extracted by rules",
    Origin.IMPORT: "imported from a file",
}


@verb(paged=True)
@any_id_argument("ids", "ID...", nargs=-1, required=True)
@click.option("--raw", is_flag=True, help="Print the memory file as stored.")
@at_option
@personal_option
@json_option
def command(
    *, ids: tuple[str, ...], raw: bool, at: str | None, personal: bool, as_json: bool
) -> None:
    """Show memories, each with the sessions and the code it comes from.

    Any unique prefix of an ID works, from four characters.
    """
    if raw:
        takes_no("show --raw", json=as_json)
    ws = opened(personal=personal, fallback=True)
    snapshot = ws.store.snapshot(at)
    if early := too_early(ws, at):
        raise UnknownMemory(early, hint="leave out --at to read the present memory")
    found = [find_memory(snapshot, id_, at) for id_ in ids]
    items = redact_memories(ws, ws.store.named(found, at))
    why = doubts(ws, items, at)
    if at is None:  # showing a past state does not count as use
        _note(ws, items, why)
    items = for_reader(ws, items, why)
    then = successors(ws, snapshot, items, at)
    if as_json:
        rows = zip(items, to_json(ws, items), strict=True)
        data_json(
            [
                marked(ws, why.get(item.path), row | _beside(ws, item, then.get(item.memory.id)))
                for item, row in rows
            ]
        )
        return
    for number, item in enumerate(items):
        doubt = why.get(item.path)
        if number:
            data()
        if raw:
            _print_raw(ws, item, doubt)
        else:
            _print_all(ws, item, doubt, then.get(item.memory.id, ()))


def _beside(ws: Any, item: Any, then: Sequence[Any] | None) -> dict[str, Any]:
    """Return what the JSON of `show` has beside that of `list`."""
    named = [{"id": each.memory.id, "title": each.memory.title} for each in then or ()]
    return {"superseded_by": named, "feedback_reasons": _reasons(ws, item)}


def _print_all(ws: Any, item: Any, doubt: str | None, then: Sequence[Any]) -> None:
    if doubt:
        data(doubt)
    _print(
        replace(told_by(item.memory, item.speaker), feedback=item.feedback),
        author_of(ws, item),
        item.author,
        pending=bool(waiting_ids(ws, [item])),
        standing=standing_of(ws, item),
    )
    for each in then:
        data(f"replaced by {each.memory.id}  {shown_title(each, '')}")
    for row in _reasons(ws, item):
        data(f"reason  “{row['reason']}” ({row['verdict']}, {row['author']})")
    if doubt:  # its reason may be a text that is printed nowhere else
        for name, text in unshown(_with_editor(ws, item)):
            data(f"{name:<7} {text}")
    for line in ignored_feedback(ws, item):
        data(f"ignored {line}")


def _with_editor(ws: Any, item: Any) -> Memory:
    """Return a memory with its editor as the file names them, unless an agent reads it."""
    shown: Memory = item.memory
    # what makes a memory suspect is in its own words
    if by_agent(ws) or shown.edited is None or shown.suspect:
        return shown
    try:
        return replace(shown, edited=parse(file_of(ws, item)).edited)
    except BadMemory:  # a redacted secret can make the file too long, for example
        return shown


def _reasons(ws: Any, item: Any) -> list[dict[str, str]]:
    """Return the reasons that people gave with the feedback on a memory."""
    history = ws.store.history(path=item.path) if item.feedback else ()
    return [asdict(each) for each in reasons(ws, history, item.feedback) if each.reason]


def _note(ws: Any, items: Any, why: Any) -> None:
    log_shown(ws, items)
    note_shown(ws, {item.path: item.blob for item in items if item.path in why})


def _print_raw(ws: Any, item: Any, doubt: str | None) -> None:
    if doubt:
        say(f"{item.memory.id} is {doubt}")
    if doubt and by_agent(ws):
        say(item.memory.body)
    else:
        data(file_of(ws, item).decode("utf-8", "replace"), newline=False)


def _print(
    memory: Memory, author: str | None, shared_by: str, *, pending: bool, standing: CachedVerdict
) -> None:
    styled(heading(memory.title, bold=True))
    styled(f"{heading(memory.id, fg='yellow')}  {_facts(memory, standing, pending=pending)}")
    _print_doubts(memory)
    data()
    body = without_title(memory.title, memory.body)
    # an import names its file, which is printed below anyway
    if body and body not in {f"({source.session})" for source in memory.sources}:
        data(body)
        data()
    _print_origin(memory, author, shared_by)
    if memory.primitive is Primitive.HANDOFF:
        _print_handoff(details(memory))
    _print_anchors(memory, standing)
    _print_rest(memory)


def _facts(memory: Memory, standing: CachedVerdict, *, pending: bool) -> str:
    """Return the type and the state of a memory, on one line."""
    kind = f" ({memory.kind})" if memory.kind else ""
    state = "" if memory.status is Status.ACTIVE else f", {memory.status}"
    state += f", {standing.mark}" if standing.mark and memory.status is Status.ACTIVE else ""
    state += f", called stale by {stale_by}" if (stale_by := caller(memory.feedback)) else ""
    state += ", pending" if pending else ""
    protected = ", protected" if memory.protected else ""
    return (
        f"{memory.primitive}{kind}{state}{protected}, {memory.created:%Y-%m-%d}, confidence"
        f" {reckoned(memory):.2f}"
    )


def _print_doubts(memory: Memory) -> None:
    if memory.suspect:
        data(f"suspect: agents do not see the text; to release it: git lerim restore {memory.id}")
    if disputed(memory.feedback):
        data(
            "disputed: reported as wrong; brief leaves it out. If it is true: git lerim feedback"
            f" {memory.id} confirmed"
        )


def _print_origin(memory: Memory, author: str | None, shared_by: str) -> None:
    """Print where a memory comes from, and who has changed it."""
    is_changed = shared_by and author and author.partition(" <")[0] != shared_by
    made = f"; {'first ' if is_changed else ''}committed by {author}" if author else ""
    data(f"origin  {_ORIGINS[memory.origin]}{made}")
    if shared_by:
        data(f"shared  by {shared_by}, the last to change it besides you")
    if memory.edited:
        data(f"edited  by {PERSON.shown(memory.edited.by)}, {local_times(iso(memory.edited.at))}")
    for source in memory.sources:
        data(f"from    {_source(source)}")
    if not memory.sources and memory.origin is Origin.HUMAN and memory.title != WITHHELD:
        data("from    written by a person")


def _print_anchors(memory: Memory, standing: CachedVerdict) -> None:
    """Print the code that a memory is about, and whether it has changed."""
    states = standing.anchors or [""] * len(memory.anchors)
    for anchor, now in zip(memory.anchors, states, strict=True):
        lines = f":{span(anchor.lines)}" if anchor.lines else ""
        symbol = f", {anchor.symbol}" if anchor.symbol else ""
        state = "" if now in {"", "fresh", "unknown"} else f" ({now})"
        data(f"about   {anchor.path}{lines}{symbol}{state}")


def _print_rest(memory: Memory) -> None:
    """Print the non-empty fields that no other function prints."""
    for column in COLUMNS:
        value, label = (
            getattr(memory, column.name),
            column.name if column.label is None else column.label,
        )
        if label and value != column.default:
            for line in column.form.lines(value):
                data(f"{label:<7} {line}")


def _print_handoff(told: Details) -> None:
    for word, value in (("branch", told.branch), ("head", told.head), ("for", told.to)):
        if value:
            data(f"{word:<7} {value}")
    if claim := told.claimed_by:
        data(
            f"claimed by {claim.who}{f' for {claim.agent}' if claim.agent else ''} at"
            f" {local_times(claim.at)}"
        )


def _source(source: Source) -> str:
    records = ", ".join(map(span, source.records))
    part = f" in {source.part}" if source.part else ""
    at = f", {local_times(iso(source.at))}" if source.at else ""
    commit = f", at commit {source.commit[:10]}" if source.commit else ""
    branch = f", on branch {source.branch}" if source.branch else ""
    return f"{source.agent}/{source.session}, {source.counts} {records}{part}{at}{commit}{branch}"
