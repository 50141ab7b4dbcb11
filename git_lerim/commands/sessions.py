"""`git lerim sessions`: list the sessions seen, and what became of them."""

import contextlib

import click

from git_lerim.actions import sessions as action
from git_lerim.actions.unscoped_sessions import unscoped_sessions
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data,
    data_json,
    is_quiet,
    json_option,
    limit_option,
    personal_option,
    say,
    takes_no,
    verb,
)
from git_lerim.errors import UsageError
from git_lerim.screen.progress import Progress
from git_lerim.tokens import clip, counted, local_times
from git_lerim.workspace import Workspace

_PLACE = 200  # characters shown of a folder


@verb(paged=True)
@click.argument("words", nargs=-1, metavar="[list|show ID]")
@click.option(
    "--unscoped",
    is_flag=True,
    help="Show sessions that match no repository, and how to adopt them.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include empty sessions and those of other repositories.",
)
@limit_option()
@personal_option
@json_option
def command(
    *,
    words: tuple[str, ...],
    unscoped: bool,
    everything: bool,
    limit: int | None,
    personal: bool,
    as_json: bool,
) -> None:
    """List the sessions that sync has seen, newest first, and why some were not used."""
    if words[:1] == ("show",):
        takes_no("sessions show", unscoped=unscoped, all=everything, limit=limit)
    ws = opened(personal=personal, fallback=True)
    match words:
        case ("show", id_):
            _show(action.get_session(ws, id_), as_json=as_json)
        case () | ("list",):
            if unscoped:
                _list_unscoped(ws, limit, as_json=as_json)
            else:
                _list(action.list_sessions(ws, everything=everything)[:limit], as_json=as_json)
        case _:
            raise UsageError("sessions takes list or show ID", hint="see git lerim sessions -h")


def _list_unscoped(ws: Workspace, limit: int | None, *, as_json: bool) -> None:
    with contextlib.closing(Progress(quiet=is_quiet())) as progress:
        found = unscoped_sessions(ws, progress)
    if as_json:
        data_json([row.as_dict() for row in found.rows[:limit]])
        return
    for row in found.rows[:limit]:
        _tell(row)
        named = (found.names.get(place, place) for place in row.places)
        places = ", ".join(clip(place, _PLACE) for place in named)
        data(_one_line(f"    ran in {places or 'an unknown folder'}"))
        if row.remote:
            data(_one_line(f"    {row.reason}: {clip(row.remote, _PLACE)}"))
    for each in found.mismatches:
        *why, command = action.mismatch_lines(each)
        say("\n".join(why))
        data(command)
    if found.folders:
        say("if this repository used to be in one of these folders, adopt its sessions by running:")
    for folder in found.folders:
        data("\n".join(action.adopting_lines(folder, found.names.get(folder))))
    if not found.rows:
        say(
            "all sessions read so far match a repository; to read the rest: git lerim sync"
            " --window all --no-extract"
        )


def _list(rows: list[action.Row], *, as_json: bool) -> None:
    if as_json:
        data_json([row.as_dict() for row in rows])
        return
    for row in rows:
        _tell(row)
    if not rows:
        say(
            "no sessions; to look for new ones: git lerim sync; to include other repositories:"
            " git lerim sessions --all"
        )


def _tell(row: action.Row) -> None:
    ended, prompts = local_times(row.ended or ""), counted(row.prompts, "prompt")
    line = f"{ended:<17} {row.state:<10} {prompts:<12} {row.name}  {clip(row.title, 60)}"
    data(_one_line(line).rstrip())


def _show(row: action.Row, *, as_json: bool) -> None:
    if as_json:
        data_json(row.as_dict())
        return
    for name, value in row.as_dict().items():
        if value not in (None, "", []):
            told = local_times(value) if name in {"started", "ended"} else value
            shown = ", ".join(map(str, told)) if isinstance(told, list) else str(told)
            data(_one_line(f"{name:<10} {shown}"))


def _one_line(text: str) -> str:
    """Return a text on one line, because texts of agents may contain line feeds."""
    return text.replace("\n", " ")
