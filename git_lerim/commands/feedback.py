"""`git lerim feedback`: record whether a memory helped and whether it is true."""

import click

from git_lerim.actions.feedback import Given, feedback
from git_lerim.commands.ids import id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)
from git_lerim.commands.written import print_changed, propose_option, written_options
from git_lerim.memories.confidence import reckoned
from git_lerim.memories.feedback import (
    CONFIRMED,
    STALE,
    VERDICTS,
    WRONG,
    Voice,
    called_stale,
    last_confirmed,
    unanswered,
)
from git_lerim.memories.memory import Status
from git_lerim.tokens import counted


@verb()
@id_argument("id_", "ID")
@click.argument("verdict", type=click.Choice(VERDICTS))
@click.option("--reason", metavar="TEXT", help="The reason, stored in the commit message.")
@propose_option
@written_options
@personal_option
@json_option
def command(*, id_: str, verdict: str, reason: str | None, personal: bool, as_json: bool) -> None:
    """Report whether a memory is useful and still true.

    Verdicts: used (you acted on it), helpful (it saved you work), wrong (it was never true), stale
    (it is no longer true), or confirmed (it is still true today). used and helpful are only
    counted, for stats; helpful also withdraws your own wrong.
    """
    ws = opened(personal=personal)
    given = feedback(ws, id_, verdict, reason or "")
    memory, row = given.memory, given.row
    if as_json:
        data_json(
            {
                "id": memory.id,
                "verdict": row.verdict,
                "author": row.author,
                "by": row.by,
                "day": row.day,
                "count": row.count,
                "disputed": given.disputed,
                "confidence": round(reckoned(memory), 4),
                "commit": given.commit,
            }
        )
        return
    print_changed(ws, [memory])
    if effect := _effect(given, verdict):
        say(effect)
    if given.redactions:
        say(f"redacted {counted(given.redactions, 'secret')} in the reason")


def _effect(given: Given, verdict: str) -> str:
    """Return a sentence about what a verdict has changed, or an empty string."""
    is_person = given.row.by is Voice.PERSON
    if given.commit is None:
        return "nothing changed: already recorded today; use --reason to add a reason"
    effect = {WRONG: _effect_of_wrong, STALE: _effect_of_stale}.get(verdict)
    if effect and (said := effect(given)):
        return said
    if verdict in {WRONG, STALE}:
        return f"its confidence is now {reckoned(given.memory):.2f}"
    if verdict == CONFIRMED and given.memory.status is Status.SUPERSEDED:
        return f"it is still superseded; to bring it back: git lerim restore {given.memory.id}"
    moved = verdict == CONFIRMED and is_person and given.memory.anchors
    again = f", {given.row.count} times so far" if given.row.count > 1 else ""
    code = "; its code references now point to HEAD" if moved else ""
    return f"recorded: {verdict}{again}{code}"


def _answered(given: Given) -> str:
    day = last_confirmed(given.memory.feedback)
    return f"this does not count, because a person confirmed it on {day}"


def _effect_of_stale(given: Given) -> str:
    """Return what follows from a person's verdict of stale, or an empty string."""
    if given.row.by is not Voice.PERSON:
        return ""
    if called_stale(given.memory.feedback) is None:
        return _answered(given)
    if given.memory.status is not Status.ACTIVE:
        return f"noted, but it is already {given.memory.status.value}"
    return (
        "now called stale: list, stale and brief say so. If it is true after all, run git lerim"
        f" feedback {given.memory.id} confirmed; to correct it: git lerim edit {given.memory.id}"
    )


def _effect_of_wrong(given: Given) -> str:
    """Return what follows for `brief` from a verdict of wrong, or an empty string."""
    id_, feedback_now = given.memory.id, given.memory.feedback
    if given.disputed:
        return (
            "now disputed: brief no longer shows it. If it is true after all, run git lerim"
            f" feedback {id_} confirmed; if not, archive it with git lerim forget {id_}"
        )
    if given.row not in unanswered(feedback_now):
        return _answered(given)
    if given.row.by is Voice.PERSON:
        return "recorded; once a second person reports it as wrong, brief no longer shows it"
    return ""
