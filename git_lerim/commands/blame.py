"""`git lerim blame`: show who wrote each line of a memory, and in which session."""

import click

from git_lerim.actions.blame import Written, blame
from git_lerim.actions.listing import iso
from git_lerim.commands.ids import any_id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    at_option,
    data,
    data_json,
    json_option,
    personal_option,
    takes_no,
    verb,
)
from git_lerim.tokens import clip, local_times

_TEXT = {"title", "body"}


@verb(paged=True)
@any_id_argument("id_", "ID")
@click.option("--all", "everything", is_flag=True, help="Show the other fields of the file, too.")
@at_option
@personal_option
@json_option
def command(*, id_: str, everything: bool, at: str | None, personal: bool, as_json: bool) -> None:
    """Show which commit last changed the title and each line of the text of a memory.

    Each line has the date, the author and the session. JSON has all fields of the file.
    """
    if everything:
        takes_no("blame --all", json=as_json)
    rows = blame(opened(personal=personal, fallback=True), id_, at)
    if as_json:
        data_json([_json(row) for row in rows])
        return
    rows = [row for row in rows if everything or row.field in _TEXT]
    whos = [_who(row) for row in rows]
    width = max(map(len, whos), default=0)
    for row, who in zip(rows, whos, strict=True):
        day = local_times(iso(row.at))[:10] if row.at else " " * 10
        data(f"{row.commit[:8]}  {day}  {who:<{width}}  {row.text}".rstrip())


def _who(row: Written) -> str:
    return clip(row.session or row.author, 32)


def _json(row: Written) -> dict[str, str | None]:
    return {
        "field": row.field,
        "text": row.text,
        "commit": row.commit,
        "at": iso(row.at) if row.at else None,
        "author": row.author,
        "operation": row.operation,
        "session": row.session or None,
    }
