"""`git lerim timeline`: list memories by time, around a memory or about a path."""

import click

from git_lerim.actions.judged import MARK, marked, sharer
from git_lerim.actions.listing import as_json as to_json
from git_lerim.actions.listing import kind_column, note_mark
from git_lerim.actions.mistrust import doubts, for_reader
from git_lerim.actions.timeline import timeline
from git_lerim.commands.ids import id_or_path_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data_json,
    heading,
    json_option,
    limit_option,
    personal_option,
    say,
    styled,
    verb,
)


@verb(paged=True)
@id_or_path_argument("named", "ID|PATH")
@limit_option(5, "Show at most N before and after a memory, or about a path.")
@click.option(
    "--all", "everything", is_flag=True, help="Include suspect, superseded and archived memories."
)
@personal_option
@json_option
def command(*, named: str, limit: int, everything: bool, personal: bool, as_json: bool) -> None:
    """Show what was learned before and after a memory, or about a file or folder, oldest first."""
    ws = opened(personal=personal, fallback=True)
    items, middle = timeline(ws, named, limit, everything=everything)
    why = doubts(ws, items) if everything else {}
    items = for_reader(ws, items, why)
    if as_json:
        rows = zip(items, to_json(ws, items), strict=True)
        data_json([marked(ws, why.get(item.path), row) for item, row in rows])
        return
    for item in items:
        memory = item.memory
        mark = ">" if memory.id == middle else " "
        title = heading(memory.title, bold=memory.id == middle)
        title = f"{MARK if item.path in why else ''}{sharer(item)}{title}{note_mark(memory)}"
        styled(
            f"{mark} {heading(memory.id, fg='yellow')}  {memory.created:%Y-%m-%d %H:%M} "
            f" {kind_column(memory)}  {title}"
        )
    if not items:
        say("no memories about this")
