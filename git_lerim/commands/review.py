"""`git lerim review`: show, accept or reject proposed memories."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict

import click

from git_lerim.actions.diff import as_json as difference_json
from git_lerim.actions.listing import iso
from git_lerim.actions.maintain import upkeep_note
from git_lerim.actions.redacted_texts import redact_texts
from git_lerim.actions.sharing import proposal_text, propose, review_list
from git_lerim.actions.sharing import review as action
from git_lerim.actions.sharing.connecting import agree_to_connect
from git_lerim.actions.sharing.review_list import Waiting
from git_lerim.actions.sharing.shown_proposals import note_proposals
from git_lerim.commands.diff import tell
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    can_ask,
    confirm,
    data,
    data_json,
    heading,
    json_option,
    say,
    styled,
    verb,
    yes_option,
)
from git_lerim.commands.waiting import aside_lines, tell_waiting
from git_lerim.errors import Declined, UsageError
from git_lerim.tokens import counted, local_times, printable
from git_lerim.workspace import Workspace

_HELP = """\
y - {0} this memory
n - leave it for later
a - {0} this memory and all remaining ones
d - leave this memory and all remaining ones
q - the same as d
? - print help"""


@verb()
@click.argument(
    "words",
    nargs=-1,
    metavar="[list|show [PROPOSAL]|accept PROPOSAL [ID...]|reject PROPOSAL [ID...]]",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="accept, reject: apply to all memories of the proposal; list: read all proposals.",
)
@click.option(
    "--open",
    "opening",
    is_flag=True,
    help="Push your own proposal and open a pull request, or print where to open one.",
)
@yes_option
@json_option
def command(
    *, words: tuple[str, ...], everything: bool, opening: bool, yes: bool, as_json: bool
) -> None:
    """Review proposed memories, yours and others': list, show, accept or reject them.

    PROPOSAL is the name of a proposal, a part of the name after its last slash, or the name of its
    author as in the list. On a terminal, accept and reject ask about each memory; otherwise give
    IDs or --all.
    """
    if opening and not words[1:]:
        _open(opened(), words[0] if words else None, yes=yes, as_json=as_json)
        return
    if everything and words[:1] not in {(), ("list",), ("accept",), ("reject",)}:
        raise UsageError(
            "--all works only with list, accept and reject", hint="see git lerim review -h"
        )
    match () if opening else words or ("list",):
        case ("list",):
            _list(opened(), everything=everything, as_json=as_json)
        case ("show",) | ("show", _):
            _show(opened(), words[1] if words[1:] else None, as_json=as_json)
        case ("accept" | "reject" as word, name, *prefixes):
            _decide(opened(), word, name, prefixes, everything=everything or yes, as_json=as_json)
        case ("accept" | "reject" as word,):
            raise UsageError(
                f"{word} needs the name of a proposal",
                hint="git lerim review lists the proposals",
            )
        case _:
            hint = "see git lerim review -h"
            raise UsageError(
                "review takes list, show, accept PROPOSAL or reject PROPOSAL; --open takes only a"
                " proposal",
                hint=hint,
            )


def _list(ws: Workspace, *, everything: bool, as_json: bool) -> None:
    waiting, unread = review_list.list_proposals(ws, everything=everything)
    note_proposals(ws, waiting, again=False)
    if as_json:
        data_json([review_list.as_json(each) for each in waiting])
        tell_unread(unread)
        return
    tell_each(waiting)
    tell_unread(unread)
    published = review_list.published(ws, waiting)
    for name in published:
        say(f"{name}: yours, waits on {printable(ws.settings['remote'])}; you have its memories")
    if not (waiting or unread or published):
        say("no proposals to review; git lerim pull fetches others' proposals")
    for later, earlier in upkeep_note.open_pairs(ws, ws.store.snapshot()):
        titles = redact_texts(ws, [later.title, earlier.title])
        say(
            f"{later.id} ({titles[0]}) contradicts {earlier.id} ({titles[1]}); git lerim maintain"
            " says how to resolve this"
        )


def tell_each(waiting: Sequence[Waiting]) -> None:
    """Print proposals, one line each: name, date, author, and number of changes."""
    for each in waiting:
        proposal = each.proposal
        whose = review_list.shown_author(proposal)
        where = f"  (from {proposal.remote})" if proposal.remote else ""
        name = heading(each.name, fg="yellow")
        styled(
            f"{name}  {local_times(iso(proposal.at))}  {heading(whose)} "
            f" {_counts(each)}{heading(where)}"
        )
        if each.content.aside:
            say(
                f"{counted(len(each.content.aside), 'file')} in this proposal cannot be accepted;"
                f" to see the reasons: git lerim review show {shlex.quote(each.name)}"
            )


def tell_unread(count: int) -> None:
    """Say how many older proposals were not read, and how to list them."""
    if count:
        say(f"{counted(count, 'older proposal')} not read; git lerim review --all lists all")


def _counts(waiting: Waiting) -> str:
    return (
        ", ".join(f"{number} {word}" for word, number in waiting.counts().items() if number)
        or "nothing"
    )


def _show(ws: Workspace, name: str | None, *, as_json: bool) -> None:
    waiting = review_list.get_proposal(ws, name)
    note_proposals(ws, [waiting])
    if as_json:
        differences = [difference_json(each) for each in waiting.differences]
        data_json(
            review_list.as_json(waiting)
            | {
                "differences": differences,
                "description": proposal_text.description(waiting),
            }
        )
        return
    proposal = waiting.proposal
    styled(f"{heading(waiting.name, fg='yellow')}  {_counts(waiting)}")
    data(f"by {proposal.who}, {local_times(iso(proposal.at))}")
    data()
    for difference in waiting.differences:
        tell(difference)
    for line in proposal_text.sources(waiting):
        data(f"from {line}")
    aside = [f"{file.path}: {file.reason}" for file in waiting.content.aside]
    for line in aside_lines("set aside:", aside, "git lerim review show --json"):
        say(line)


def _decide(
    ws: Workspace, word: str, name: str, prefixes: list[str], *, everything: bool, as_json: bool
) -> None:
    waiting = review_list.get_proposal(ws, name)
    action.require(waiting)
    if prefixes:
        ids = action.chosen(waiting, prefixes)
    elif everything:
        ids = list(waiting.ids)
    else:
        note_proposals(ws, [waiting])
        ids = _asked(waiting, word)
    commit = None
    if ids and word == "accept":
        commit = action.accept(ws, waiting, ids)
    elif ids:
        action.reject(ws, waiting, ids)
    if as_json:
        data_json({"proposal": waiting.name, f"{word}ed": ids, "commit": commit})
        return
    titles = {each.id: each.title for each in waiting.differences}
    for id_ in ids:
        data(f"{id_}  {titles[id_]}")
    left = len(waiting.ids) - len(ids)
    done = f"{word}ed {counted(len(ids), 'memory')}" if ids else f"nothing was {word}ed"
    say(done + (f", {left} left to review" if left else ""))
    if ids and word == "accept":
        held = [(each.id, each.reason) for each in ws.store.waiting() if each.id in ids]
        tell_waiting([(id_, reason) for id_, reason in held if id_])
        say("to share what you accepted: git lerim push")
    elif ids and not waiting.proposal.own:
        say("rejected memories are no longer listed here; their author is not notified")
    elif ids and (remote := action.published_on(ws, waiting)):
        _say_published(waiting.proposal.name, remote, left)


def _say_published(name: str, remote: str, left: int) -> None:
    """Say that a remote still has memories that were removed from the user's own proposal."""
    what = "to update it: git lerim review --open"
    if not left:
        what = "to withdraw it, delete that branch on the remote"
    say(f"{remote} still has {printable(name)} as you published it; {what}")


def _asked(waiting: Waiting, word: str) -> list[str]:
    """Ask whether to accept or reject each memory, like `git add -p`.

    Returns the ids of the memories for which the user said yes.
    """
    if not can_ask():
        hint = "without a terminal, give memory IDs or --all"
        raise Declined(f"nothing was {word}ed", hint=hint)
    taken: list[str] = []
    for number, difference in enumerate(waiting.differences, 1):
        tell(difference)
        question = f"({number}/{len(waiting.differences)}) {word} this memory [y,n,a,d,q,?]? "
        try:
            answer = _answer(question, word)
        except click.Abort:
            say(f"\nnothing was {word}ed")
            raise
        if answer == "a":
            return [*taken, *waiting.ids[number - 1 :]]
        if answer in {"d", "q"}:
            break
        if answer == "y":
            taken.append(difference.id)
    return taken


def _answer(question: str, word: str) -> str:
    while True:
        said: str = click.prompt(
            question, default="", show_default=False, prompt_suffix="", err=True
        )
        letter = said.strip().lower()[:1]
        if letter and letter in "ynadq":
            return letter
        click.echo(_HELP.format(word), err=True)


def _open(ws: Workspace, name: str | None, *, yes: bool, as_json: bool) -> None:
    agree_to_connect(ws, lambda question: confirm(question, yes=yes))
    offered = propose.push_proposal(ws, name, lambda question: confirm(question, yes=yes))
    opened_by = asdict(offered.opened) if offered.opened else None
    if as_json:
        told = {
            "proposal": offered.name,
            "remote": offered.remote,
            "url": offered.url,
            "commit": offered.commit,
        }
        more = {"moved": offered.moved, "title": offered.title, "description": offered.text}
        data_json({**told, **more, "address": offered.address, "opened": opened_by})
        return
    what = "pushed to" if offered.moved else "is up to date on"
    say(f"{offered.name} {what} {offered.remote} ({offered.url}), at {offered.commit[:10]}")
    if offered.opened is not None and offered.opened.done:
        data(offered.opened.said)
        return
    if offered.opened is not None:
        say(f"{offered.opened.program} did not open a pull request: {offered.opened.said}")
    if offered.address:
        data(offered.address)
    else:
        say(
            f"cannot open a pull request at {offered.url}; anyone who can push there can accept"
            f" the proposal: git lerim review accept {offered.name}"
        )
