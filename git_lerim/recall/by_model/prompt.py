"""Build a request to a model: instructions, notes in a fence, and the question."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from git_lerim.llm.base import Message
from git_lerim.memories.format.body import body_itself
from git_lerim.recall.brief.prompt_fence import safe
from git_lerim.recall.by_model.cited import Note

PROMPT_VERSION = 2  # raised with any change of what a model is asked


@cache
def _instructions(name: str) -> str:
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def text_of(title: str, body: str) -> str:
    """Join title and body, without a repeated title and without the section `## Also recorded`."""
    body = body_itself(body)
    ends = "" if title.endswith((".", "!", "?")) else "."
    return body if body.startswith(title.rstrip(".")) else f"{title}{ends} {body}"


def messages(
    name: str, notes: Sequence[Note], question: str, code: Sequence[str] = ()
) -> list[Message]:
    """Return the messages of a request: instructions from `{name}.md`, notes and question.

    The same notes and question give the same request.
    """
    shown = [
        *(f"code | {safe(line)}" for line in code),
        *(f"{note.name} | {safe(note.facts)} | {safe(note.text)}" for note in notes),
    ]
    return [
        ("system", _instructions(name)),
        ("user", "\n".join(["<notes>", *shown, "</notes>", "", safe(question)])),
    ]
