"""`git lerim maintain`: merge duplicates, archive what is outdated, find contradictions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from git_lerim.actions.code.clone_gaps import clone_gaps, gaps_line
from git_lerim.actions.maintain import daily, upkeep_note
from git_lerim.actions.maintain.maintain_options import ACTIONS, Options, parse_actions
from git_lerim.actions.maintain.upkeep_note import NamedMemory, Pair
from git_lerim.actions.redacted_texts import redact_texts
from git_lerim.commands.editor import edited as in_editor
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    Whole,
    can_ask,
    data,
    data_json,
    is_quiet,
    json_option,
    personal_option,
    say,
    takes_no,
    verb,
)
from git_lerim.commands.written import propose_option, written_options
from git_lerim.errors import Declined, UsageError
from git_lerim.screen.progress import Progress
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:  # these load much, and most runs find nothing to do
    from git_lerim.actions.maintain.run_maintain import Outcome
    from git_lerim.memories.memory import Memory


@verb()
@click.argument("ids", nargs=-1, metavar="[--consolidate ID ID ID...]")
@click.option(
    "--consolidate",
    "by_hand",
    is_flag=True,
    help="Replace three or more memories with one that you write in your editor.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option(
    "--only", metavar="A,B", help=f"Run only these actions (comma-separated): {', '.join(ACTIONS)}."
)
@click.option(
    "--force",
    is_flag=True,
    help="Check everything, even if nothing changed since the last run.",
)
@click.option(
    "--no-model", is_flag=True, help="Do not use a language model, even if one is configured."
)
@click.option(
    "--wait",
    type=Whole(0),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="Wait this long for another run to finish.",
)
@click.option(
    "--background",
    is_flag=True,
    help="Run silently, and only if lerim.maintain is auto and a day has passed.",
)
@propose_option
@written_options
@personal_option
@json_option
def command(
    *,
    ids: tuple[str, ...],
    by_hand: bool,
    dry_run: bool,
    only: str | None,
    force: bool,
    no_model: bool,
    wait: int,
    background: bool,
    personal: bool,
    as_json: bool,
) -> None:
    """Merge duplicates, archive outdated memories, find contradictions.

    Each action makes one commit.
    """
    if by_hand:
        takes_no(
            "maintain --consolidate", dry_run=dry_run, only=only, force=force, background=background
        )
        _consolidate(opened(personal=personal), ids, model=not no_model, as_json=as_json)
        return
    if ids:
        raise UsageError(
            "maintain takes IDs only with --consolidate",
            hint="to combine three or more memories: git lerim maintain --consolidate ID ID ID",
        )
    ws = opened(personal=personal)
    if background:
        daily.run(ws)
        return
    options = Options(
        only=parse_actions(only) if only else ACTIONS,
        force=force or dry_run or bool(only),
        dry_run=dry_run,
        model=not no_model,
    )
    _maintain(ws, options, wait, as_json=as_json)


def _maintain(ws: Workspace, options: Options, wait: int, *, as_json: bool) -> None:
    """Run maintenance and print the result, or what the last run left open if nothing changed."""
    known = None if options.force else upkeep_note.pairs(ws, upkeep_note.key(ws))
    if gaps := clone_gaps(ws):
        say(gaps_line(gaps))
    if known is not None:
        _tell_nothing(ws, known, as_json=as_json)
        return
    from git_lerim.actions.maintain.run_maintain import maintain  # noqa: PLC0415 see above

    progress = Progress(quiet=is_quiet())
    try:
        with ws.locked(wait):
            outcome = maintain(ws, options, progress)
    finally:
        progress.close()
    if as_json:
        told = _as_json(outcome, dry_run=options.dry_run) | {"clone_gaps": gaps}
        data_json(ws.redactor.redact_json(told)[0])
    else:
        _tell(ws, outcome, dry_run=options.dry_run, alone=options.only == ("promote",))


def _consolidate(ws: Workspace, ids: Sequence[str], *, model: bool, as_json: bool) -> None:
    from git_lerim.actions.maintain.consolidate import consolidate  # noqa: PLC0415 few runs do

    changed = consolidate(ws, ids, lambda draft: _written(ws, draft), say, model=model)
    new, *old = changed.memories
    if as_json:
        data_json(
            {
                "id": new.id,
                "title": new.title,
                "superseded": [each.id for each in old],
                "commit": changed.commit,
            }
        )
        return
    _print_lines(
        ws, [f"{new.id}  {new.title}", *(f"    - {each.id}  {each.title}" for each in old)]
    )
    say("the old memories are superseded as long as the new one is active")


def _written(ws: Workspace, draft: "Memory") -> "Memory":
    """Let the user edit a draft, and return the result; without a terminal, return the draft."""
    if not can_ask():
        return draft
    from git_lerim.memories.format import frontmatter  # noqa: PLC0415 likewise

    text = frontmatter.render(draft)
    written = in_editor(text, ws.editor())
    if written is None:
        raise Declined("nothing was saved; no memory was changed")
    return frontmatter.parse(written)


def _tell_nothing(ws: Workspace, pairs: Sequence[Pair], *, as_json: bool) -> None:
    if as_json:
        found: dict[str, Any] = {
            "actions": [],
            "skipped": [],
            "groups": [],
            "would_send": None,
            "trouble": None,
            "promoted": [],
            "patch": "",
            "contradictions": _ids(pairs),
        }
        head = {"run_id": ws.new_run("maintain"), "dry_run": False, "clone_gaps": clone_gaps(ws)}
        data_json(head | found)
        return
    for pair in pairs:
        _print_pair(ws, pair)
    say("nothing to do")


def _ids(pairs: Sequence[Pair]) -> list[list[str]]:
    return [[later.id, earlier.id] for later, earlier in pairs]


def _as_json(outcome: "Outcome", *, dry_run: bool) -> dict[str, Any]:
    from git_lerim.actions.maintain import step_text  # noqa: PLC0415 see above

    return {
        "run_id": outcome.run,
        "dry_run": dry_run,
        "actions": [
            {
                "action": done.step.operation,
                "summary": step_text.summary_of(done.step, outcome.sharers),
                "ids": [memory.id for memory in done.step.memories],
                "added": [memory.id for memory in done.step.added],
                "archived": [
                    memory.id for memory in done.step.memories if memory.status == "archived"
                ],
                "reasons": list(done.step.reasons),
                "commit": done.commit,
            }
            for done in outcome.done
        ],
        "skipped": [step.summary for step in outcome.skipped],
        "groups": [[memory.id for memory in group] for group in outcome.groups],
        "would_send": _to_send(outcome),
        "trouble": outcome.trouble or None,
        "promoted": [memory.id for memory, _ in outcome.promoted],
        "patch": outcome.patch,
        "contradictions": _ids(outcome.pairs),
    }


def _to_send(outcome: "Outcome") -> dict[str, int] | None:
    """Return how many requests and tokens a dry run would have sent to a model, or None."""
    sizes = [size for each in outcome.requests.values() for size in each]
    return {"requests": len(sizes), "tokens_in": sum(sizes)} if outcome.requests else None


def _tell(ws: Workspace, outcome: "Outcome", *, dry_run: bool, alone: bool) -> None:
    from git_lerim.actions.maintain import step_text  # noqa: PLC0415 see above

    if alone:
        data(redact_texts(ws, [outcome.patch])[0], newline=False)
    titles = redact_texts(ws, [memory.title for memory, _ in outcome.promoted])
    for (memory, why), title in zip(outcome.promoted, titles, strict=True):
        say(f"{memory.id} could go into the agents' instructions ({why}): {title}")
    if outcome.promoted and not alone:
        say("to print the patch: git lerim maintain --only promote")
    for done in outcome.done:
        _print_lines(ws, step_text.lines(done.step, done.commit, outcome.sharers))
    for pair in outcome.pairs:
        _print_pair(ws, pair)
    _tell_open(ws, outcome)
    if not outcome.done:
        say("nothing to do" if not outcome.skipped else "run git lerim maintain again")
    elif dry_run:
        say(f"would make {counted(len(outcome.done), 'commit')}")
    else:
        say(
            f"made {counted(len(outcome.done), 'commit')}; to undo all of them: git lerim undo"
            f" {outcome.run}"
        )


def _tell_open(ws: Workspace, outcome: "Outcome") -> None:
    for group in outcome.groups:
        _print_lines(ws, ["similar memories:", *map(_named, group)])
    if outcome.groups:
        say(
            "if lerim.model is set, a model decides whether to combine each group (not in a dry"
            " run); to combine one by hand: git lerim maintain --consolidate ID ID ID"
        )
    if (sent := _to_send(outcome)) and sent["requests"]:
        say(
            f"would send {counted(sent['requests'], 'request')}, about {sent['tokens_in']:,}"
            f" tokens, to {ws.settings['model']}; merged memories can cause more requests"
        )
    if outcome.trouble:
        say(outcome.trouble)
    for summary in redact_texts(ws, [step.summary for step in outcome.skipped]):
        say(f"skipped, because another process changed it meanwhile: {summary}")


def _print_pair(ws: Workspace, pair: Pair) -> None:
    data(
        "these memories contradict each other; to resolve this, use git lerim edit, forget, or"
        " feedback ID wrong"
    )
    _print_lines(ws, [*map(_named, pair)])


def _named(memory: NamedMemory) -> str:
    return f"    {memory.id}  {memory.day}  {memory.title}"


def _print_lines(ws: Workspace, lines: Sequence[str]) -> None:
    """Print lines with secrets redacted, because a title from a colleague may contain one."""
    for line in redact_texts(ws, lines):
        data(line)
