"""The kinds of text that a model reads, each with its prompts and how it is shown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from git_lerim.extraction.by_model import history, transcript
from git_lerim.extraction.by_model.answer import Basis
from git_lerim.extraction.by_model.transcript import Transcript
from git_lerim.extraction.prompt_version import HISTORY_VERSION, PROMPT_VERSION
from git_lerim.sessions.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """One kind of text that a model extracts memories from."""

    name: str  # what the prompt calls it
    prompt: str  # the file of the prompt
    known: str  # the file of the prompt's part about memories of an earlier reading
    version: int  # of both files
    bases: tuple[str, ...]  # what a memory can be based on
    shown: Callable[[Session], Transcript]  # empty if there is nothing to ask about


SESSION = Material(
    name="session",
    prompt="prompt.md",
    known="known.md",
    version=PROMPT_VERSION,
    bases=get_args(Basis),
    shown=transcript.shown_to_ask,
)
HISTORY = Material(
    name="history",
    prompt="history.md",
    known="known_history.md",
    version=HISTORY_VERSION,
    bases=("shown", "explained", "inferred", "proposed_only"),
    shown=history.shown,
)
