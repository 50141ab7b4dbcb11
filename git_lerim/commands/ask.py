"""`git lerim ask`: answer a question from the memory, citing memories."""

import sys
from collections.abc import Callable

import click

from git_lerim.actions.answers.ask import QUOTES, Cited, Reply
from git_lerim.actions.answers.ask import as_json as to_json
from git_lerim.actions.answers.ask import ask as ask_memory
from git_lerim.actions.judged import MARK
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    at_option,
    data,
    data_json,
    detail,
    heading,
    json_option,
    no_model_option,
    personal_option,
    say,
    styled,
    verb,
)
from git_lerim.memories.authors import agents_note, in_their_name
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb()
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include suspect, superseded, archived and hidden memories.",
)
@no_model_option
@at_option
@personal_option
@json_option
def command(
    *,
    question: tuple[str, ...],
    everything: bool,
    no_model: bool,
    at: str | None,
    personal: bool,
    as_json: bool,
) -> None:
    """Answer a QUESTION from the memory, each sentence with its source.

    If no memory answers it, says so. With lerim.askModel or lerim.model set, that model writes the
    answer; otherwise the memories closest to the question are quoted.
    """
    ws, text = opened(personal=personal, fallback=True), " ".join(question)
    if ws.settings.answers_by and not no_model:
        reply = _by_model(
            ws,
            text,
            at,
            _print_sentence if sys.stdout.isatty() and not as_json else None,
            everything=everything,
        )
        if reply.written:
            _print_written(reply, as_json=as_json)
            return
    else:
        reply = ask_memory(ws, text, at=at, everything=everything)
    if as_json:
        data_json(to_json(reply))
        return
    _print_quotes(reply)


def _print_quotes(reply: Reply) -> None:
    """Print the quoted memories that answer a question, or say that there are none."""
    if reply.cited:
        data(QUOTES)
    for part in reply.cited:
        data(part.marked)
        _print_source(part)
    if not reply.cited:
        data(f"{reply.text} Closest:" if reply.nearest else reply.text)
        for item in reply.nearest:
            hit = item.hit
            sharer = f"from {hit.author}: " if hit.author else ""
            title = f"{MARK if item.doubt else ''}{sharer}{in_their_name(hit.title, hit.author)}"
            states = [*filter(None, [item.mark]), *agents_note(hit.origin)]
            state = f"  ({', '.join(states)})" if states else ""
            styled(f"    [{heading(hit.id, fg='yellow')}] {heading(title)}{state}")
        say("try other words; git lerim search shows more")


def _by_model(
    ws: Workspace,
    text: str,
    at: str | None,
    hear: Callable[[Cited], None] | None,
    *,
    everything: bool,
) -> Reply:
    # only where a model is set
    from git_lerim.actions.answers.ask_model import Question, ask_with_model  # noqa: PLC0415

    return ask_with_model(ws, Question(text=text, at=at, everything=everything), say, hear)


def _print_written(reply: Reply, *, as_json: bool) -> None:
    """Print a model's answer; on a terminal, its sentences have already been printed."""
    written = reply.written
    if written is None:
        return
    if as_json:
        data_json(to_json(reply))
    else:
        for part in () if sys.stdout.isatty() else reply.cited:
            _print_sentence(part)
        for part in written.sources:
            _print_source(part, part.title)
        if not reply.cited:
            data(reply.text)
    if written.broke_off:
        say(written.broke_off)
    if written.left_out:
        say(
            f"dropped {counted(len(written.left_out), 'sentence')} that no memory supports; -v"
            " shows them"
        )
    for text, reason in written.left_out:
        detail(f"  {text}\n    {reason}")
    price = "" if written.cost_usd is None else f", ${written.cost_usd:.4f}"
    detail(f"{written.model}: {written.tokens_in:,} tokens in, {written.tokens_out:,} out{price}")


def _print_sentence(part: Cited) -> None:
    styled(
        f"{heading(part.marked)} {' '.join(heading(f'[{id_}]', fg='yellow') for id_ in part.ids)}"
    )


def _print_source(part: Cited, title: str = "") -> None:
    state = "" if part.told == "unknown" else part.told
    author = f"from {part.author}" if part.author else ""
    facts = [part.day, state, part.source, author, *agents_note(part.origin), title]
    styled(f"    [{heading(part.id, fg='yellow')}] {heading(', '.join(filter(None, facts)))}")
