"""Print the explanation that a model gives for `git lerim why`."""

import sys

from git_lerim.actions.answers.explain import NOTHING, Sentence, explain
from git_lerim.actions.answers.explain import as_json as explanation
from git_lerim.actions.why.answer_json import as_json as to_json
from git_lerim.actions.why.why import Answer
from git_lerim.commands.terminal import data, data_json, detail, heading, print_now, say, styled
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


def print_explanation(ws: Workspace, answer: Answer, limit: int, *, as_json: bool) -> None:
    """Print a model's explanation of code; each sentence cites its sources.

    The sources are commits, sessions or memories.
    """
    is_streamed = sys.stdout.isatty() and not as_json
    if is_streamed:
        print_now()
    reply = explain(
        ws, answer, say, _print_nothing if as_json else _print_sentence, is_streamed=is_streamed
    )
    if as_json:
        data_json(to_json(ws, answer, limit) | {"explanation": explanation(reply)})
        return
    if reply is None or not reply.sentences:
        data(NOTHING)
    if reply is None:
        return
    if reply.broke_off:
        say(reply.broke_off)
    if reply.left_out:
        say(
            f"dropped {counted(len(reply.left_out), 'sentence')} that no source supports; -v shows"
            " them"
        )
    for text, reason in reply.left_out:
        detail(f"  {text}\n    {reason}")


def _print_sentence(one: Sentence) -> None:
    styled(f"{heading(one.text)} {' '.join(heading(f'[{id_}]', fg='yellow') for id_ in one.ids)}")


def _print_nothing(_: Sentence) -> None:
    """Ignore a sentence, because the JSON output contains it."""
