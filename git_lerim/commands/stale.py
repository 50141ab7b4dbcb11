"""`git lerim stale`: list memories that the code contradicts."""

import click

from git_lerim.actions.code.stale import Stale, stale
from git_lerim.actions.code.stale import as_json as to_json
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, heading, json_option, say, styled, verb
from git_lerim.tokens import clip, counted, span

_LOST = 4  # words that are named
_SUBJECT = 60


@verb(paged=True)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--since", metavar="REV", help="Only those that a commit after REV made stale.")
@click.option("--at", metavar="REV", help="Compare with the code at REV.  [HEAD]")
@json_option
def command(*, paths: tuple[str, ...], since: str | None, at: str | None, as_json: bool) -> None:
    """List memories that the code contradicts, each with the change that did it.

    A memory is stale when identifiers or values that it names stood in the lines it is about and
    are gone from there. One that names no lines is never stale. With PATH, only memories about
    these files or folders.
    """
    ws = opened()
    found = stale(ws, since=since, paths=paths, at=at)
    if as_json:
        data_json(to_json(ws, found))
        return
    for number, one in enumerate(found):
        if number:
            data()
        _print(one)
    if found:
        say(
            f"{counted(len(found), 'stale memory')}; git lerim edit ID corrects one, git lerim"
            " forget ID archives it, and"
        )
        say("git lerim feedback ID confirmed keeps one that still holds")
    else:
        say(f"no stale memories about {', '.join(paths)}" if paths else "no stale memories")


def _print(one: Stale) -> None:
    memory, cause = one.item.memory, one.cause
    styled(
        f"{heading(memory.id, fg='yellow')}  {memory.created:%Y-%m-%d} "
        f" {heading(memory.title, bold=True)}"
    )
    where = (
        cause.path
        + (f":{span(cause.lines)}" if cause.lines else "")
        + (f" ({cause.symbol})" if cause.symbol else "")
    )
    went = f", now {cause.now}" if cause.now != cause.path else ""
    words = ", ".join(cause.lost[:_LOST]) + (", …" if len(cause.lost) > _LOST else "")
    data(f"    {where}{went}: gone from there: {words}")
    if cause.commit:
        data(f"    {cause.commit[:10]} {cause.day} {cause.author}: {clip(cause.subject, _SUBJECT)}")
    for row in cause.hunk.split("\n") if cause.hunk else ():
        data(f"    {row}")
