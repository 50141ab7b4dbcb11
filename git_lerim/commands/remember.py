"""`git lerim remember`: write one memory by hand."""

import sys

import click

from git_lerim.actions import add_memory, agent_notes
from git_lerim.actions.edit_memory import Changed
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)
from git_lerim.commands.written import print_changed, propose_option, written_options
from git_lerim.errors import UsageError
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Primitive
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_READ = 1 << 20  # characters: far more than a memory holds


@verb()
@click.argument("words", nargs=-1, metavar="[TEXT...]")
@click.option("--decision", is_flag=True, help="Record a decision (default: a learning).")
@click.option(
    "--kind",
    type=click.Choice([k.value for k in Kind]),
    help="The kind of learning.  [default: fact]",
)
@click.option("--title", metavar="LINE", help="The title (default: the first sentence of TEXT).")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Add a tag; can be repeated.")
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH[:LINE[-LINE]]",
    help="A file, or lines in it, that the memory is about; can be repeated.",
)
@click.option(
    "--user-words",
    metavar="TEXT",
    help="For agents: the user's own words, verbatim; a preference needs them.",
)
@propose_option
@written_options
@personal_option
@json_option
def command(
    *,
    words: tuple[str, ...],
    decision: bool,
    kind: str | None,
    title: str | None,
    tags: tuple[str, ...],
    files: tuple[str, ...],
    user_words: str | None,
    personal: bool,
    as_json: bool,
) -> None:
    """Record a memory by hand: TEXT says what, and why.

    With -, or without TEXT if stdin is not a terminal, reads the text from stdin.
    """
    if decision and kind:
        raise UsageError("a decision has no kind", hint="use only one of --decision and --kind")
    text = _text(words)
    ws = opened(personal=personal, making=True)
    note = add_memory.Note(
        text=text,
        primitive=Primitive.DECISION if decision else Primitive.LEARNING,
        kind=None if decision else Kind(kind or Kind.FACT),
        title=title,
        tags=tags,
        anchors=tuple(add_memory.anchor(ws, file) for file in files),
    )
    changed = add_memory.remember(ws, agent_notes.with_user_words(ws, note, user_words or ""))
    if as_json:
        _print_json(changed)
    else:
        _print(ws, changed)


def _text(words: tuple[str, ...]) -> str:
    """Return the text of the arguments, or of stdin. Raises UsageError if there is none."""
    text = " ".join(words)
    if text in {"", "-"}:
        if not text and sys.stdin.isatty():
            raise UsageError(
                "no text given",
                hint='for example: git lerim remember "what, and why"; to type it here: git lerim'
                " remember -",
            )
        return sys.stdin.read(_READ)
    return text


def _print_json(changed: Changed) -> None:
    memory = changed.memories[0]
    data_json(
        {
            "id": memory.id,
            "title": memory.title,
            "commit": changed.commit,
            "redactions": changed.redactions,
        }
    )


def _print(ws: Workspace, changed: Changed) -> None:
    memory = changed.memories[0]
    print_changed(ws, [memory])
    if changed.commit is None:
        say(f"nothing changed: {memory.id} says the same")
    elif reason := noise(memory.title):
        say(f"warning: the title {reason}; to change it: git lerim edit {memory.id} --title LINE")
    if changed.commit and memory.suspect:
        say(f"{memory.id} is not handed out yet: it {memory.suspect}")
    if changed.commit and changed.redactions:
        say(f"redacted {counted(changed.redactions, 'secret')}")
