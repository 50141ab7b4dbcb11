"""`git lerim status`: show the state of the memory, the sessions and the queue."""

import shlex
from collections.abc import Iterator
from typing import Any

from git_lerim.actions.code.clone_gaps import gaps_line
from git_lerim.actions.models.model_spending import dollars
from git_lerim.actions.sharing.purged import Deleted
from git_lerim.actions.status import status
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.commands.waiting import (
    aside_lines,
    tell_purged,
    tell_purges,
    tell_retired,
    tell_rewritten,
    tell_waiting,
)
from git_lerim.sessions.entry import shown_state
from git_lerim.tokens import counted, local_times
from git_lerim.workspace import Workspace

_NAMED = 5
_LABEL = 10  # columns


@verb(paged=True)
@personal_option
@json_option
def command(*, personal: bool, as_json: bool) -> None:
    """Show the state of the memory branch, the sessions and the queue."""
    ws = opened(personal=personal, fallback=True)
    state = status(ws)
    if as_json:
        data_json(state)
        return
    memories, sessions = state["memories"], state["sessions"]
    _line(_where(state))
    if state["offered"]:
        ws.note(state["offered"])
    _tell_lost(state)
    _line(f"memories  {', '.join(_number(n, word) for word, n in memories.items()) or 'none'}")
    _tell_aside(state)
    _tell_others(ws, state)
    if state["pending"]:
        _line(
            f"pending   {counted(state['pending'], 'file')} on {state['proposal']}: git lerim"
            " review"
        )
    seen = ", ".join(f"{n} {shown_state(word)}" for word, n in sessions.items())
    _line(f"sessions  {seen or 'none yet; git lerim sync looks for them'}")
    if state["model"]:
        _line(_model(state["model"]))
    aside = [f"{item['path']}: {item['reason']}" for item in state["quarantined"]]
    for line in (
        *_unchecked(state),
        *aside_lines("set aside", aside),
        *(f"trouble   {sentence}" for sentence in state["troubles"]),
    ):
        _line(line)
    tell_waiting([(item["id"] or item["path"], item["reason"]) for item in state["waiting"]])
    if state["last_run"]:
        _line(f"last run  {local_times(state['last_run'])}")
    for line in _hooks(state["hooks"]):
        _line(line)
    for hint in _hints(state):
        say(hint)


def _line(text: str) -> None:
    """Print a line that starts with a label."""
    data(text, hang=_LABEL)


def _tell_lost(state: dict[str, Any]) -> None:
    """Print what was deleted or rewound with git, but is still in backups."""
    if state["lost"]:
        commits = counted(sum(one["commits"] for one in state["lost"]), "commit")
        _line(f"lost      {commits} no longer on {state['branch']}: run git lerim doctor")
    if state["lost_proposals"]:
        number = counted(len(state["lost_proposals"]), "proposal")
        _line(f"lost      {number} of yours, deleted with git: run git lerim doctor")


def _tell_aside(state: dict[str, Any]) -> None:
    """Print how many memories are stale, how many are hidden, and how many `sync -i` dropped."""
    if state["stale"]:
        _line(f"stale     {counted(state['stale'], 'memory')}: git lerim stale shows why")
    for branch, number in state["hidden"].items():
        where = (
            f"on {branch}: git lerim list --branch {branch}"
            if branch
            else "on commits that are not in HEAD: git lerim list --all"
        )
        _line(f"waiting   {counted(number, 'memory')} {where}")
    if state["dropped"]:
        number = counted(state["dropped"], "memory")
        _line(f"dropped   {number} in sync -i: git lerim list --dropped")


def _model(model: dict[str, Any]) -> str:
    """Return a line about the configured model and its use this month."""
    spent = model["month"]
    if not spent:
        return f"model     {model['name']}: not asked this month"
    price = f", {dollars(spent['cost_usd'])}" if spent["cost_usd"] is not None else ""
    tokens = f"{spent['tokens_in']:,} tokens in, {spent['tokens_out']:,} out{price}"
    return (
        f"model     {model['name'] or 'no longer set'}: this month"
        f" {counted(spent['runs'], 'run')}, {tokens}"
    )


def _hooks(hooks: dict[str, Any]) -> Iterator[str]:
    """Yield lines about installed hooks and their last runs."""
    agents = (f"{name}{' (broken)' * (name in hooks['gone'])}" for name in hooks["agents"])
    names = [*(["git"] if hooks["git"] else []), *agents]
    if names:
        last = hooks["last"]
        what = (
            f"; last after {last['event']}, {local_times(last['at'])}:"
            f" {last['error'] or last['did'] or 'not finished yet'}"
            if last
            else ""
        )
        yield f"hooks     {', '.join(names)}{what if hooks['git'] else ''}"
    for agent, one in hooks["delivered"].items():
        yield (
            f"delivered {one['tokens']} tokens to {agent} on {one['event']},"
            f" {local_times(one['at'])}"
        )


def _unchecked(state: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each memory that the current extraction rules could not check."""
    yield from (f"unchecked {one['id']}  {one['title']}" for one in state["unchecked"][:_NAMED])
    if more := state["unchecked"][_NAMED:]:
        yield f"unchecked {counted(len(more), 'more memory')}"


def _hints(state: dict[str, Any]) -> Iterator[str]:
    """Yield hints about missing parts of a clone, and about memories and sessions to look at."""
    if state["clone_gaps"]:
        yield gaps_line(state["clone_gaps"])
    if any(name.endswith(" suspect") for name in state["memories"]):
        yield (
            "suspect memories are given to no agent; to see them: git lerim list --all; to release"
            " one: git lerim restore ID"
        )
    if state["hooks"]["gone"]:
        yield "broken hooks run a program that is gone; to mend them: git lerim install"
    if state["unchecked"]:
        yield (
            "unchecked memories were found by older rules, and their transcripts are gone; git"
            " lerim sync on a terminal asks whether to keep them"
        )
    if state["sessions"].get("unscoped"):
        yield "to see sessions that match no repository: git lerim sessions --unscoped"
    if state["sessions"].get("waiting"):
        yield (
            f"to {'review' if state['sync'] == 'ask' else 'extract'} the queued sessions: git"
            f" lerim sync{' -i' if state['sync'] == 'ask' else ''} --window all"
        )
    if state["sessions"].get("failed"):
        yield "to see failed sessions: git lerim queue"


def _tell_others(ws: Workspace, state: dict[str, Any]) -> None:
    """Print what the user has to review: proposals, contradictions, and changes by others."""
    for name in state["proposed_as_other"]:
        _line(
            f"pending   {name} was proposed here under another user.name, and is not read; to see"
            f" it: git lerim review show {shlex.quote(name)}; git branch -m renames it"
        )
    if state["proposals"]:
        _line(f"review    {counted(state['proposals'], 'proposal')} by others: git lerim review")
    for later, earlier in state["contradictions"]:
        _line(
            f"conflict  {later} and {earlier} contradict each other: git lerim maintain shows them"
        )
    tell_purges(state["purges_waiting"], state["purges_titles"])
    tell_purged(ws, [Deleted(**each) for each in state["purged"]])
    if state["withdrawn"]:
        taken = counted(len(state["withdrawn"]), "memory")
        held = {each["id"] for each in state["waiting"]}
        also = "" if held.isdisjoint(state["withdrawn"]) else " or rewritten"
        _line(
            f"withdrawn {taken} deleted{also} by someone else; to see: git lerim list --all; to"
            " bring one back: git lerim restore ID"
        )
    if state["withdrawn_pending"]:
        taken = counted(len(state["withdrawn_pending"]), "memory")
        _line(f"withdrawn {taken} deleted by someone else, but in your proposal: git lerim review")
    tell_rewritten(state["rewritten"])
    tell_retired(state["retired"], personal=state["personal"])


def _where(state: dict[str, Any]) -> str:
    """Return a line about where the memory is stored, and when it last changed."""
    tip, name = state["commit"], state["branch"]
    when = (
        f"last changed {local_times(state['last_change'])}"
        if state["last_change"]
        else "no changes yet"
    )
    if state["store"] == "tree":
        left = (
            f"{counted(state['uncommitted'], 'file')} not committed"
            if state["uncommitted"]
            else when
        )
        return f"tree      {name}: {left if tip else 'none yet; git lerim init --tree creates it'}"
    if state["blocked"]:
        return f"branch    {name}: no memory; {state['blocked']}"
    if state["fetched"]:
        return f"branch    {name}: none yet; git lerim init creates it from {state['fetched']}"
    if not tip and state["lost"]:
        return f"branch    {name}: deleted; to restore it: git lerim doctor --restore"
    if not tip:
        return f"branch    {name}: none yet; git lerim sync creates it"
    joined = f", read together with {state['joined']}" if state["joined"] else ""
    return f"branch    {name} at {tip[:10]}, {when}{joined}"


def _number(number: int, words: str) -> str:
    noun, _, state = words.partition(" ")
    one = noun.removesuffix("ies") + "y" if noun.endswith("ies") else noun.removesuffix("s")
    return f"{number} {one if number == 1 else noun} {state}".rstrip()
