"""`git lerim ask`: an answer from the memory, with the ids of the memories it rests on."""

import click

from git_lerim.actions.ask import as_json as to_json
from git_lerim.actions.ask import ask
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import at_option, data, data_json, heading, json_option, personal_option, say, styled, verb


@verb()
@click.argument("question", nargs=-1, required=True)
@click.option("--all", "everything", is_flag=True, help="Also from suspect, superseded and archived memories.")
@at_option
@personal_option
@json_option
def command(*, question: tuple[str, ...], everything: bool, at: str | None, personal: bool, as_json: bool) -> None:
    """Answer a QUESTION in the words of the memory, each sentence with its source; say so where there is nothing about it."""
    reply = ask(opened(personal=personal), " ".join(question), at=at, everything=everything)
    if as_json:
        data_json(to_json(reply))
        return
    for part in reply.cited:
        data(part.text)
        facts = ", ".join(
            fact
            for fact in (
                part.day,
                "" if part.state == "unknown" else part.told,
                part.source,
                f"from {part.author}" if part.author else "",
            )
            if fact
        )
        styled(f"    [{heading(part.id, fg='yellow')}] {heading(facts)}")
    if not reply.cited:
        data(reply.text)
        say("other words may find it: git lerim search shows what comes nearest")
