"""Cut text from the user's prompts that was already in a file of the repository at that time.

An agent may have inserted it, as for a slash command, or the user may have pasted it. In any case,
it is already written down in the project.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from git_lerim.git.lines_in_files import in_commit, oldest_in_worktree
from git_lerim.git.repo import worktrees
from git_lerim.memories.memory import Origin
from git_lerim.sessions.session import Record, Role, Session
from git_lerim.storage import layout
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.extraction.base import Extracted

_PERSONS = {Origin.HUMAN, Origin.ANSWER}
_LEAST = 25  # characters; a shorter line or sentence can be in a file by chance
_LINES = 400  # that are looked up for one prompt, of which the rest is cut if one is found
_SENTENCE = re.compile(r"(?<=[.!?;:…])\s+|(?<=[。！？])")


def prompts_cited(session: Session, found: "Extracted") -> set[int]:
    """Return the places of the prompts whose words memories give as the user's."""
    numbers = [
        pair
        for candidate in found.candidates
        if candidate.provenance in _PERSONS
        for evidence in candidate.evidence
        for pair in evidence.records
    ]
    return {place for place in prompts(session) if _is_in(session.records[place].n, numbers)}


def prompts(session: Session) -> Iterator[int]:
    """Yield the places of the user's prompts in a session's records."""
    for place, record in enumerate(session.records):
        if record.role is Role.PROMPT and record.part is None:
            yield place


def _is_in(number: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(first <= number <= last for first, last in ranges)


def without_file_text(ws: Workspace, session: Session, places: Collection[int]) -> Session:
    """Return a session without the text of files in the prompts at some places of its records."""
    asked = (
        []
        if ws.personal
        else [
            _Prompt(place, session.records[place], time)
            for place in sorted(places)
            if (time := _time_of(session.records, place)) is not None
        ]
    )
    pieces = {piece for prompt in asked for piece in prompt.pieces}
    if not pieces:
        return session
    records, times = list(session.records), dict[Path, dict[str, float]]()
    known: dict[str, set[str]] = {}
    roots = sorted(worktrees(ws.place), key=lambda root: -len(root.parts))
    for prompt in asked:
        root = _root_of(prompt.record, roots)
        if root and root not in times:
            times[root] = oldest_in_worktree(ws.place, root, pieces, layout.TREE)
        found = {piece for piece, at in times.get(root or Path(), {}).items() if at <= prompt.time}
        commit = _commit_of(ws, prompt)
        if commit and commit not in known:
            known[commit] = in_commit(ws.place, commit, pieces, layout.TREE)
        if found := (found | known.get(commit or "", set())).intersection(prompt.pieces):
            text = _without(prompt.record.text, found)
            records[prompt.place] = msgspec.structs.replace(prompt.record, text=text)
    return msgspec.structs.replace(session, records=tuple(records))


class _Prompt:
    """A prompt, with the lines and sentences in it that are looked up."""

    def __init__(self, place: int, record: Record, time: int) -> None:
        self.place, self.record, self.time = place, record, time
        lines = record.text.splitlines()[:_LINES]
        self.pieces = {piece for line in lines for piece in _pieces(line) if len(piece) >= _LEAST}


def _pieces(line: str) -> Iterator[str]:
    yield line.strip()
    yield from map(str.strip, _SENTENCE.split(line))


def _without(text: str, found: Collection[str]) -> str:
    """Return a prompt without the lines and sentences that were found, and what comes after them.

    If only short lines would be left, nothing is.
    """
    lines = text.splitlines()[:_LINES]
    left = ["" if line.strip() in found else _without_sentences(line, found) for line in lines]
    return "\n".join(left) if any(len(line.strip()) >= _LEAST for line in left) else ""


def _without_sentences(line: str, found: Collection[str]) -> str:
    sentences = _SENTENCE.split(line)
    left = [each for each in sentences if each.strip() not in found]
    return line if len(left) == len(sentences) else " ".join(left)


def _time_of(records: Sequence[Record], place: int) -> int | None:
    """Return when a prompt was sent: its own time, or that of the record before or after it."""
    near = (*records[place::-1], *records[place:])
    return next((record.at for record in near if record.at is not None), None)


def _root_of(record: Record, roots: Sequence[Path]) -> Path | None:
    """Return the work tree in which a prompt was sent, or else the main one."""
    inside = (root for root in roots if record.cwd and Path(record.cwd).is_relative_to(root))
    return next((root for root in (*inside, *roots[-1:]) if root.is_dir()), None)


def _commit_of(ws: Workspace, prompt: _Prompt) -> str | None:
    """Return the commit at which a prompt was sent; None if it cannot be searched."""
    code, record = ws.code, prompt.record
    if code.objects.is_partial():  # git would have to fetch each file
        return None
    return (record.commit and code.exists(record.commit)) or code.commit_at(
        prompt.time, record.branch
    )
