"""`git lerim maintain`: keep the store true."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from git_lerim.actions import maintain_daily, upkeep_note
from git_lerim.actions.maintain_options import ACTIONS, Options, chosen
from git_lerim.actions.upkeep_note import Pair
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    Progress,
    Whole,
    data,
    data_json,
    json_option,
    personal_option,
    propose_option,
    say,
    verb,
    written_options,
)
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:  # these load much, and most runs find nothing to do
    from git_lerim.actions.maintain import Done, Outcome


@verb()
@click.option("--dry-run", is_flag=True, help="Print what would be done; write nothing.")
@click.option("--only", metavar="A,B", help=f"Only some of: {', '.join(ACTIONS)}.")
@click.option("--force", is_flag=True, help="Check everything, even if nothing has changed since the last run.")
@click.option("--wait", type=Whole(0), default=10, show_default=True, metavar="SECONDS", help="How long to wait for another run.")
@click.option("--background", is_flag=True, help="Run silently, and only if lerim.maintain is auto and a day has passed.")
@propose_option
@written_options
@personal_option
@json_option
def command(*, dry_run: bool, only: str | None, force: bool, wait: int, background: bool, personal: bool, as_json: bool) -> None:
    """Merge what says the same, retire what no longer counts, find what cannot both hold; one commit for each action."""
    ws = opened(personal=personal)
    if background:
        maintain_daily.run(ws)
        return
    options = Options(only=chosen(only) if only else ACTIONS, force=force or dry_run or bool(only), dry_run=dry_run)
    known = None if options.force else upkeep_note.pairs(ws, upkeep_note.key(ws))
    if known is not None:
        _tell_nothing(ws, known, as_json=as_json)
        return
    from git_lerim.actions.maintain import maintain  # noqa: PLC0415 see above

    progress = Progress()
    try:
        with ws.locked(wait):
            outcome = maintain(ws, options, progress)
    finally:
        progress.close()
    if as_json:
        data_json(_as_json(outcome, dry_run=dry_run))
    else:
        _tell(outcome, dry_run=dry_run)


def _tell_nothing(ws: Workspace, pairs: Sequence[Pair], *, as_json: bool) -> None:
    if as_json:
        found: dict[str, Any] = {"actions": [], "skipped": [], "contradictions": _ids(pairs)}
        data_json({"run_id": ws.new_run("maintain"), "dry_run": False} | found)
        return
    for pair in pairs:
        _print_pair(pair)
    say("nothing to do")


def _ids(pairs: Sequence[Pair]) -> list[list[str]]:
    return [[later.id, earlier.id] for later, earlier in pairs]


def _as_json(outcome: "Outcome", *, dry_run: bool) -> dict[str, Any]:
    return {
        "run_id": outcome.run,
        "dry_run": dry_run,
        "actions": [
            {
                "action": done.step.operation,
                "summary": done.step.summary,
                "ids": [memory.id for memory in done.step.memories],
                "archived": [memory.id for memory in done.step.memories if memory.status == "archived"],
                "reasons": list(done.step.reasons),
                "commit": done.commit,
            }
            for done in outcome.done
        ],
        "skipped": [step.summary for step in outcome.skipped],
        "contradictions": _ids(outcome.pairs),
    }


def _tell(outcome: "Outcome", *, dry_run: bool) -> None:
    for done in outcome.done:
        _print(done)
    for pair in outcome.pairs:
        _print_pair(pair)
    for step in outcome.skipped:
        say(f"not done, because somebody else changed it meanwhile: {step.summary}")
    if not outcome.done:
        say("nothing to do" if not outcome.skipped else "run it again")
    elif dry_run:
        say(f"{counted(len(outcome.done), 'commit')} would be made")
    else:
        say(f"{counted(len(outcome.done), 'commit')}; git lerim undo {outcome.run} takes all of it back")


def _print(done: "Done") -> None:
    data(f"{done.commit[:12] + '  ' if done.commit else ''}{done.step.summary}")
    for memory in done.step.memories:
        data(f"    {'-' if memory.status in {'archived', 'superseded'} else '~'} {memory.id}  {memory.title}")
    for reason in dict.fromkeys(done.step.reasons):
        data(f"      {reason}")


def _print_pair(pair: Pair) -> None:
    data("to decide: these cannot both hold; git lerim feedback ID wrong, edit or forget settles it")
    for each in pair:
        data(f"    {each.id}  {each.day}  {each.title}")
