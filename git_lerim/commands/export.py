"""`git lerim export`: write the memories as plain files."""

from pathlib import Path

import click

from git_lerim.actions.files.export import export, export_rows
from git_lerim.commands.list import warned_of_files
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import at_option, data, data_json, personal_option, verb
from git_lerim.tokens import counted


@verb()
@click.argument("target", metavar="FOLDER|FILE.json|-")
@click.option(
    "--all", "everything", is_flag=True, help="Include suspect, superseded and archived memories."
)
@at_option
@personal_option
def command(*, target: str, everything: bool, at: str | None, personal: bool) -> None:
    """Export the memories to a new FOLDER of Markdown files, or to one JSON file.

    The JSON is the same as that of list --json. Use - instead of a file to print it to stdout.
    """
    ws = opened(personal=personal, fallback=True)
    warned_of_files(ws.store.snapshot(at))
    if target == "-":
        data_json(export_rows(ws, everything=everything, at=at))
        return
    place = Path(target).expanduser()
    count = export(ws, place, everything=everything, at=at)
    data(f"Exported {counted(count, 'memory')} to {place}")
