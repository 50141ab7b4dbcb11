"""`git lerim diff`: show what changed, memory by memory."""

import click

from git_lerim.actions.diff import Difference, diff, diff_unpushed, unpushed_history
from git_lerim.actions.diff import as_json as to_json
from git_lerim.actions.judged import MARK
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data_json,
    heading,
    json_option,
    personal_option,
    say,
    styled,
    verb,
)
from git_lerim.errors import UsageError

_SIGNS = {
    "added": "+",
    "restored": "+",
    "removed": "-",
    "archived": "-",
    "superseded": "-",
    "set aside": "-",
}
_COLOURS = {"+": "green", "-": "red"}


@verb(paged=True)
@click.argument("revisions", nargs=-1, metavar="[REV|DATE[..REV|DATE]]")
@click.option(
    "--unpushed", is_flag=True, help="Show what lerim.remote does not have, as of the last fetch."
)
@personal_option
@json_option
def command(*, revisions: tuple[str, ...], unpushed: bool, personal: bool, as_json: bool) -> None:
    """Show what changed in the memory.

    Compare two revisions or dates, or one with the current state; by default, show the last commit.
    """
    if unpushed and revisions:
        raise UsageError("--unpushed compares with the remote", hint="leave out REV, or --unpushed")
    if len(revisions) > 2 or (revisions[1:] and any(".." in name for name in revisions)):
        raise UsageError("diff compares two revisions", hint="see git lerim diff -h")
    ws = opened(personal=personal, fallback=True)
    differences = diff_unpushed(ws) if unpushed else diff(ws, "..".join(revisions) or None)
    if as_json:
        data_json([to_json(difference) for difference in differences])
        return
    for difference in differences:
        tell(difference, f"from {difference.author}: " if difference.author else "")
    if not differences:
        say("no changes")
    if unpushed and (history := unpushed_history(ws)):
        say(history)


def tell(d: Difference, who: str = "") -> None:
    """Print the changes of one memory; `who`, such as `from Ann: `, comes before the title."""
    title = f"{MARK if d.doubt else ''}{who}{heading(d.title, bold=True)}"
    styled(f"{_SIGNS.get(d.change, '~')} {heading(d.id, fg='yellow')}  {title}  ({d.change})")
    for name, before, after in d.fields:
        styled(f"    {name}: {heading(before, fg='red')} → {heading(after, fg='green')}")
    for line in d.body:
        styled(f"    {heading(line, fg=_COLOURS.get(line[:1]))}")
