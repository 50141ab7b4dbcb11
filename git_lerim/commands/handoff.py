"""`git lerim handoff`: pass work from one agent to the next."""

import sys
from dataclasses import dataclass
from typing import Any

import click

from git_lerim.actions.handoffs import begin_handoff, claim_handoff, handoff_view
from git_lerim.actions.handoffs import handoff as action
from git_lerim.actions.handoffs.handoff_draft import Draft
from git_lerim.actions.judged import MARK
from git_lerim.actions.listing import check_agent, iso
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
from git_lerim.commands.written import print_changed, written_options
from git_lerim.errors import UsageError
from git_lerim.memories.handoff import details
from git_lerim.tokens import counted, local_times
from git_lerim.workspace import Workspace

_READ = 1 << 20  # characters: far more than a handoff holds
_HINT = "see git lerim handoff -h"
_OPTIONS = {  # the options of each subcommand, besides those that all take
    "begin": {"question", "next", "to", "session"},
    "list": {"all", "at"},
    "show": {"at"},
    "claim": {"agent", "session"},
    "cancel": set(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options of `git lerim handoff`."""

    question: tuple[str, ...]
    next: tuple[str, ...]
    to: str | None
    session: str | None
    agent: str | None
    all: bool
    at: str | None


@verb()
@click.argument("words", nargs=-1, metavar="[list|begin [TEXT]|show ID|claim [ID]|cancel ID]")
@click.option(
    "--question",
    metavar="TEXT",
    multiple=True,
    help="begin: an open question; can be repeated.",
)
@click.option("--next", metavar="TEXT", multiple=True, help="begin: a next step; can be repeated.")
@click.option("--to", metavar="AGENT", help="begin: the agent the handoff is for.")
@click.option(
    "--session",
    metavar="ID",
    help="begin: the session to fill missing details from. claim: the session that claims.",
)
@click.option(
    "--agent",
    metavar="AGENT",
    help="claim: the agent that claims. It can claim only handoffs for itself or for any agent.",
)
@click.option(
    "--all",
    is_flag=True,
    help="list: include claimed, cancelled, replaced and expired handoffs.",
)
@at_option
@written_options
@personal_option
@json_option
def command(*, words: tuple[str, ...], personal: bool, as_json: bool, **options: Any) -> None:
    """Hand work over from one agent to the next.

    begin writes a handoff; details you leave out are filled in from git and the newest session
    here. claim takes one over: the newest that you wrote, before those of your agents and of
    colleagues; each can be claimed only once. Without arguments, the open handoffs are listed.
    """
    word = words[0] if words else "list"
    takes_no(
        f"handoff {word}",
        **{
            name: value
            for name, value in options.items()
            if name not in _OPTIONS.get(word, options)
        },
    )
    asked = _Asked(**options)
    reads = word in {"list", "show"}
    ws = opened(personal=personal, fallback=reads, making=word == "begin")
    match words:
        case () | ("list",):
            _list(ws, asked, as_json=as_json)
        case ("begin", *text):
            _begin(ws, " ".join(text), asked, as_json=as_json)
        case ("show", id_):
            row = action.get_handoff(ws, id_, asked.at)
            (
                data_json(handoff_view.as_json(ws, row))
                if as_json
                else data(handoff_view.fence_handoff(ws, row), newline=False)
            )
        case ("claim",) | ("claim", _):
            _claim(ws, words[1] if words[1:] else None, asked, as_json=as_json)
        case ("cancel", id_):
            _cancel(ws, id_, as_json=as_json)
        case _:
            raise UsageError(
                "handoff takes list, begin [TEXT], show ID, claim [ID] or cancel ID",
                hint=_HINT,
            )


def _list(ws: Workspace, asked: _Asked, *, as_json: bool) -> None:
    rows = action.list_handoffs(ws, everything=asked.all, at=asked.at)
    if as_json:
        data_json([handoff_view.as_json(ws, row) for row in rows])
        return
    for row in rows:
        told = details(row.memory)
        facts = [
            local_times(iso(row.memory.created)),
            told.branch or "-",
            handoff_view.short_author(row),
        ]
        by = told.claimed_by.who if told.claimed_by else row.other * (row.state == "cancelled")
        state = "" if row.state == "open" else f"  ({row.state}{f' by {by}' if by else ''})"
        to = f"  for {told.to}" if told.to else ""
        id_, title = heading(row.memory.id, fg="yellow"), heading(row.memory.title, bold=True)
        title = f"{MARK if row.doubt else ''}{title}"
        styled("  ".join([id_, *map(heading, facts), title]) + heading(to + state))
    if not rows:
        say("no handoffs" if asked.all else "no open handoffs; --all shows the others")


def _begin(ws: Workspace, text: str, asked: _Asked, *, as_json: bool) -> None:
    said = sys.stdin.read(_READ) if text == "-" else text
    if text == "-" and not said.strip():
        raise UsageError(
            "no text given",
            hint="to fill in the handoff from git and the newest session, leave out the -",
        )
    draft = Draft(
        text=said, questions=asked.question, steps=asked.next, to=asked.to, session=asked.session
    )
    check_agent(ws, asked.to)
    done = begin_handoff.begin(ws, draft)
    if as_json:
        data_json(
            handoff_view.as_json(ws, done.row)
            | {
                "commit": done.commit,
                "redactions": done.redactions,
                "taken_from": done.taken_from,
            }
        )
        return
    print_changed(ws, [done.row.memory])
    if done.commit is None:
        say("nothing changed: this handoff is open already")
    if done.row.memory.suspect:
        say(
            f"withheld from agents, because it {done.row.memory.suspect}; to release it: git lerim"
            f" restore {done.row.memory.id}"
        )
    if done.taken_from:
        say(
            f"missing details were filled in from {done.taken_from}; to see them: git lerim"
            f" handoff show {done.row.memory.id}"
        )
    if done.redactions:
        say(f"redacted {counted(done.redactions, 'secret')}")


def _claim(ws: Workspace, id_: str | None, asked: _Asked, *, as_json: bool) -> None:
    check_agent(ws, asked.agent)
    done = claim_handoff.claim(ws, id_, agent=asked.agent, session=asked.session)
    if as_json:
        data_json(handoff_view.as_json(ws, done.row) | {"commit": done.commit})
        return
    data(handoff_view.fence_handoff(ws, done.row), newline=False)
    say(
        "nothing changed: this session has claimed it already"
        if done.commit is None
        else (
            f"claimed {done.row.memory.id}; if someone elsewhere claimed it too, the earliest"
            " claim wins once both are shared"
        )
    )


def _cancel(ws: Workspace, id_: str, *, as_json: bool) -> None:
    done = claim_handoff.cancel(ws, id_)
    if as_json:
        data_json(handoff_view.as_json(ws, done.row) | {"commit": done.commit})
        return
    print_changed(ws, [done.row.memory])
    if done.commit is None:
        say("nothing changed: already cancelled")
