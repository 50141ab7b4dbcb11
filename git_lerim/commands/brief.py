"""`git lerim brief`: print the context block that an agent gets when a session starts."""

import sys

import click

from git_lerim.actions.brief import as_json as to_json
from git_lerim.actions.brief import brief, given_prompt
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    Whole,
    at_option,
    data,
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)


@verb(paged=True)
@click.option(
    "--budget",
    type=Whole(1),
    metavar="TOKENS",
    help="Limit the output to N tokens.  [lerim.briefTokens: 2000]",
)
@click.option(
    "--for",
    "prompt",
    metavar="PROMPT|-",
    help="Print only what is relevant to this prompt (text, or a hook's JSON; - reads stdin).",
)
@click.option("--all", "everything", is_flag=True, help="With --for: print the whole brief, too.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "json"]),
    default="markdown",
    show_default=True,
    help="Output format.",
)
@at_option
@personal_option
@json_option
def command(
    *,
    budget: int | None,
    prompt: str | None,
    everything: bool,
    form: str,
    at: str | None,
    personal: bool,
    as_json: bool,
) -> None:
    """Print the context block for an agent: preferences, changed files, recent memories.

    With --for, print only what matches that prompt. Prints nothing if nothing matches or fits the
    budget.
    """
    ws = opened(personal=personal, fallback=True)
    asked = None if prompt is None else given_prompt(prompt)
    made = brief(ws, budget=budget, prompt=asked, everything=everything, at=at)
    if as_json or form == "json":
        data_json(to_json(made))
    elif made.text:
        data(made.text.removesuffix("\n"))
    elif sys.stderr.isatty():
        say("nothing fits the token budget" if made.left_out else "no memories for an agent yet")
