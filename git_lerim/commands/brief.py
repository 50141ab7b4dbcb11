"""`git lerim brief`: the block of memories that an agent is given at the start."""

import sys

import click

from git_lerim.actions.brief import as_json as to_json
from git_lerim.actions.brief import brief, read_prompt
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import Whole, at_option, data, data_json, json_option, personal_option, say, verb


@verb()
@click.option("--budget", type=Whole(1), metavar="TOKENS", help="At most so many tokens.  [lerim.briefTokens: 2000]")
@click.option("--for", "prompt", default="", metavar="PROMPT|-", help="What the agent is asked; - reads it from standard input.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "json"]),
    default="markdown",
    show_default=True,
    help="Print the block, or JSON.",
)
@at_option
@personal_option
@json_option
def command(*, budget: int | None, prompt: str, form: str, at: str | None, personal: bool, as_json: bool) -> None:
    """Print what an agent is to know: preferences, what concerns the files at hand and the prompt, what is recent.

    Nothing is printed where there is nothing to tell, or where the budget has no room for it.
    """
    ws = opened(personal=personal)
    made = brief(ws, budget=budget, prompt=read_prompt() if prompt == "-" else prompt, at=at)
    if as_json or form == "json":
        data_json(to_json(made))
    elif made.text:
        data(made.text, newline=False)
    elif sys.stderr.isatty():
        say("nothing fits into the budget" if made.left_out else "there is nothing to tell an agent yet")
