"""`git lerim stale`: list memories that the code contradicts."""

import click

from git_lerim.actions.code.called_stale import Called, called_stale
from git_lerim.actions.code.called_stale import as_json as called_json
from git_lerim.actions.code.clone_gaps import clone_gaps, gaps_line
from git_lerim.actions.code.stale import Asked, Stale, ask, stale
from git_lerim.actions.code.stale import as_json as to_json
from git_lerim.actions.judged import sharer
from git_lerim.actions.listing import note_mark
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data,
    data_json,
    heading,
    json_option,
    no_model_option,
    say,
    styled,
    verb,
)
from git_lerim.tokens import clip, counted, span

_LOST = 4  # lost words that are listed
_SUBJECT = 60


@verb(paged=True)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--since", metavar="REV", help="Show only memories made stale by commits after REV.")
@click.option("--at", metavar="REV", help="Compare with the code at REV.  [HEAD]")
@no_model_option
@json_option
def command(
    *, paths: tuple[str, ...], since: str | None, at: str | None, no_model: bool, as_json: bool
) -> None:
    """List memories the code has outgrown, each with the change responsible.

    Memories that a person called stale, by feedback, come last.

    A memory is stale if names or values it mentions were in the lines it refers to and have since
    disappeared from them. Memories that refer to no lines are never stale. With PATH, list only
    memories about these files or folders.

    If lerim.model is set, that model is asked once about each memory whose lines changed (never
    with --at). Changes to memories it finds outdated or untrue are proposed: git lerim review.
    """
    ws = opened()
    asked = Asked() if no_model or at else ask(ws, paths, say)
    found = stale(ws, since=since, paths=paths, at=at)
    called = [] if since or at else called_stale(ws, paths, found)
    gaps = clone_gaps(ws)
    if as_json:
        data_json([*to_json(ws, found, gaps), *called_json(ws, called)])
    else:
        listed: list[Stale | Called] = [*found, *called]
        for number, one in enumerate(listed):
            if number:
                data()
            _print(one) if isinstance(one, Stale) else _print_called(one)
        _tell(sum(one.standing.stale is True for one in found) + len(called), paths)
    if gaps:
        say(gaps_line(gaps))
    _tell_asked(asked)


def _tell(number: int, paths: tuple[str, ...]) -> None:
    if number:
        say(
            f"{counted(number, 'stale memory')}; to correct one: git lerim edit ID; to archive"
            " it: git lerim forget ID"
        )
        say("to keep one that is still true: git lerim feedback ID confirmed")
    else:
        say(f"no stale memories about {', '.join(paths)}" if paths else "no stale memories")


def _tell_asked(asked: Asked) -> None:
    if asked.left:
        say(
            f"the model did not check {counted(asked.left, 'memory')}, so only the words were"
            f" compared: {asked.trouble}"
        )
    elif asked.trouble:
        say(asked.trouble)
    if asked.proposed:
        say(
            f"proposed {counted(len(asked.proposed), 'change')}; to see them: git lerim review show"
            f" {asked.branch.rpartition('/')[2]}"
        )


def _print_called(one: Called) -> None:
    _print_title(one)
    data(f"    called stale by {one.by} on {one.day}")


def _print_title(one: Stale | Called) -> None:
    item, memory = one.item, one.item.memory
    styled(
        f"{heading(memory.id, fg='yellow')}  {memory.created:%Y-%m-%d} "
        f" {sharer(item)}{heading(memory.title, bold=True)}{note_mark(memory)}"
    )


def _print(one: Stale) -> None:
    cause = one.cause
    _print_title(one)
    where = (
        cause.path
        + (f":{span(cause.lines)}" if cause.lines else "")
        + (f" ({cause.symbol})" if cause.symbol else "")
    )
    went = f", now {cause.now}" if cause.now != cause.path else ""
    words = ", ".join(cause.lost[:_LOST]) + (", …" if len(cause.lost) > _LOST else "")
    by = f"{cause.commit[:10]} {cause.day} {cause.author}: {clip(cause.subject, _SUBJECT)}"
    if one.is_deleted:
        data(f"    {where}{went}: the file was deleted{f' by {by}' if cause.commit else ''}")
        _print_verdict(one)
        return
    has = f"contains {words} again" if cause.is_back else f"no longer contains {words}"
    data(f"    {where}{went}: {has if words else 'changed'}")
    _print_verdict(one)
    if cause.commit:
        data(f"    {by}")
    if one.standing.stale:
        for row in cause.hunk.split("\n") if cause.hunk else ():
            data(f"    {row}")


def _print_verdict(one: Stale) -> None:
    said = one.cause.model
    if said is None:
        return
    reason = f": {said.reason}" if said.reason else ""
    data(f"    {said.label}{reason}")
    if said.verdict == "outdated":
        data(f"    proposed text: {' '.join(f'{said.title} | {said.body}'.split())}")
