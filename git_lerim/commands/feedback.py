"""`git lerim feedback`: record whether a memory helped and whether it is true."""

import click

from git_lerim.actions.feedback import Given, feedback
from git_lerim.commands.ids import id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.commands.written import propose_option, written_options
from git_lerim.memories.confidence import reckoned
from git_lerim.memories.feedback import CONFIRMED, STALE, VERDICTS, WRONG, Voice
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

    Verdicts: used, helpful, wrong, stale, or confirmed (still true today).
    """
    given = feedback(opened(personal=personal), id_, verdict, reason or "")
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
    data(f"{memory.id}  {memory.title}")
    say(_effect(given, verdict))
    if given.redactions:
        say(f"{counted(given.redactions, 'secret')} blanked in the reason")


def _effect(given: Given, verdict: str) -> str:
    """Return a sentence about the effect of a verdict."""
    id_, is_person = given.memory.id, given.row.by is Voice.PERSON
    if given.commit is None:
        return "nothing changed: that is on record for today; --reason adds one"
    if verdict == WRONG and given.disputed:
        return (
            f"brief leaves it out from now on; git lerim feedback {id_} confirmed takes that back,"
            " forget archives it"
        )
    if verdict == WRONG and is_person:
        return "when a second person says so, brief leaves it out"
    if verdict in {WRONG, STALE}:
        return f"its confidence is {reckoned(given.memory):.2f} now"
    if verdict == CONFIRMED and is_person and given.memory.anchors:
        return "its anchors are at the code of HEAD now"
    return "recorded"
