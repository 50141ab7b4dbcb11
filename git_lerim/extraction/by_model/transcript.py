"""Show a session to a model as shortened, numbered records.

Calls that only read, repeated texts, and the path of the working directory are left out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from git_lerim.extraction.by_model.wrote import wrote
from git_lerim.extraction.transcript.turns import live_records
from git_lerim.extraction.transcript.user_text import is_automated
from git_lerim.sessions.session import Record, Role, Session

_LABELS = {
    Role.PROMPT: "USER",
    Role.REPLY: "AGENT",
    Role.CALL: "CALL",
    Role.RESULT: "FAILED",
    Role.ANSWER: "ANSWER",
    Role.APPROVAL: "APPROVED",
    Role.REJECTION: "REJECTED",
    Role.SUMMARY: "SUMMARY",
    Role.REPORT: "REPORT",
    Role.INTERRUPT: "INTERRUPTED by the user",
}
_READING_TOOLS = re.compile(
    r"(?:read|grep|glob|ls|list|view|cat|find|search|fetch|web|notebookread|todo|bashoutput|"
    r"taskoutput|toolsearch|update_plan|report_intent|write_stdin|get_|codebase)",
    re.IGNORECASE,
)
_READING_COMMAND = re.compile(
    r"^(?:cd \S+ *(?:&&|;) *)?(?:cat|ls|head|tail|less|wc|grep|rg|find|fd|tree|pwd|echo|which|"
    r"stat|file|sed -n|nl|jq|git (?:-C \S+ )?(?:status|log|diff|show|branch|blame|ls-files|"
    r"rev-parse|grep|remote))\b(?!.*(?:>|&&|;|\btee\b))"
)
_SIBLING = re.compile(r"<tool_use_error>Sibling tool call errored|Sibling tool call errored")
_INJECTED = re.compile(r"<lerim-memory\b.*?(?:</lerim-memory[^>]*>|\Z)", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n+")
_WROTE = "WROTE"
_PAUSE = 3 * 3_600_000  # milliseconds after which a session counts as resumed
_REPEATED = 120  # characters; a repeat of a longer text is replaced by a reference
_END = 200  # characters kept at each end of a shortened output
CHARACTERS = 4  # per token, on average


@dataclass(frozen=True, slots=True)
class Line:
    """The text of one record, or of a part of it, as a model sees it."""

    record: Record
    text: str
    is_prose: bool = False  # comments, documentation or a commit message that a call wrote


@dataclass(slots=True)
class Transcript:
    """The lines of a session, or of a window of it, as a model sees them."""

    lines: list[Line] = field(default_factory=list)

    def text(self) -> str:
        """Return all lines as one text."""
        return "\n".join(line.text for line in self.lines)

    def numbered(self) -> dict[int, list[Line]]:
        """Map the number of each record to its lines."""
        found: dict[int, list[Line]] = {}
        for line in self.lines:
            found.setdefault(line.record.n, []).append(line)
        return found

    def has_words(self) -> bool:
        """Return whether both a user and an agent speak in these lines."""
        roles = {line.record.role for line in self.lines}
        return bool(roles & {Role.PROMPT, Role.ANSWER, Role.APPROVAL}) and bool(
            roles & {Role.REPLY, Role.SUMMARY, Role.REPORT}
        )

    def windows(self, limit: int, overlap: int) -> list["Transcript"]:
        """Split the transcript into windows of at most `limit` tokens.

        They overlap by about `overlap` tokens. A record longer than the limit stays whole.
        """
        parts: list[Transcript] = []
        current: list[Line] = []
        size = 0
        for line in self.lines:
            if current and size + len(line.text) > limit * CHARACTERS:
                parts.append(Transcript(current))
                current = _tail(current, overlap * CHARACTERS)
                size = sum(len(one.text) for one in current)
            current = [*current, line]
            size += len(line.text)
        return [*parts, Transcript(current)]


def tokens(text: str) -> int:
    """Estimate the number of tokens of a text."""
    return (len(text) + CHARACTERS - 1) // CHARACTERS


def shown_to_ask(session: Session) -> Transcript:
    """Return a session as a model sees it; empty unless both user and agent said something."""
    transcript = shown(session)
    return transcript if transcript.has_words() else Transcript()


def shown(session: Session) -> Transcript:
    """Return a session as a model sees it; the same records always yield the same text."""
    records = live_records(session)
    prefixes = _prefixes(records)
    lines = _lines(records, prefixes)
    undone = {
        record.call
        for record in records
        if record.call and (record.failed or record.role is Role.REJECTION)
    }
    size = sum(len(line.text) for own in lines for line in own)
    for index, passages in wrote(records, undone, size).items():
        record = records[index]
        heading = [] if record.command else [f"{record.text.partition(': ')[2]}:"]
        text = _clean("\n".join([*heading, *passages]), prefixes)
        line = Line(record, f"[{record.n}] {_WROTE}: {text}", is_prose=True)
        lines[index] = [*lines[index], line] if record.command else [line]
    _mark_pauses(records, lines)
    return Transcript([line for own in lines for line in own])


def _lines(records: Sequence[Record], prefixes: Sequence[str]) -> list[list[Line]]:
    """Return the lines of each record, without the text that a call wrote to files or commits."""
    failed = {record.call for record in records if record.failed and record.call}
    reading = {
        record.call
        for record in records
        if record.role is Role.CALL and record.call and _only_reads(record)
    }
    lines: list[list[Line]] = []
    first: dict[str, int] = {}
    edits: set[str] = set()
    for record in records:
        lines.append([])
        if record.role is Role.PROMPT:
            edits.clear()
        for label, whole in _parts(record, failed):
            text = (
                _ends(whole) if label == _LABELS[Role.RESULT] and record.call in reading else whole
            )
            clean = _clean(text, prefixes)
            if record.role is Role.CALL and not record.command:
                if clean in edits:
                    continue
                edits.add(clean)
            key = " ".join(clean.split())
            if len(key) >= _REPEATED and first.setdefault(key, record.n) != record.n:
                clean = f"(the same text as [{first[key]}])"
            lines[-1].append(
                Line(record, f"[{record.n}] {label}" + (f": {clean}" if clean else ""))
            )
    return lines


def _mark_pauses(records: Sequence[Record], lines: list[list[Line]]) -> None:
    """Add `(hours later)` to the first line after each pause of several hours."""
    timed = [(index, record.at) for index, record in enumerate(records) if record.at is not None]
    resumed = {index for (_, before), (index, at) in pairwise(timed) if at - before >= _PAUSE}
    is_later = False
    for index, own in enumerate(lines):
        is_later = is_later or index in resumed
        if is_later and own:
            label, colon, text = own[0].text.partition(":")
            own[0] = replace(own[0], text=f"{label} (hours later){colon}{text}")
            is_later = False


def _parts(record: Record, failed: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the label and text of each part of a record."""
    if record.role is Role.RESULT:
        if record.failed and record.text and not _SIBLING.search(record.text):
            yield _LABELS[record.role], record.text
        for commit in record.commits:
            yield "COMMIT", commit[:12]
    elif record.role is Role.CALL:
        if not _only_reads(record) or record.call in failed:
            yield _LABELS[record.role], record.text
    elif record.role is Role.PROMPT:
        text = _INJECTED.sub("", record.text)
        if text.strip():
            yield "USER (automated)" if is_automated(text) else "USER", text
    elif record.role is Role.ANSWER:
        options = f" (offered: {' | '.join(record.options)})" if record.options else ""
        yield _LABELS[record.role], f"{record.question or ''}{options} -> {record.text}"
    elif record.text or record.role in {Role.INTERRUPT, Role.REJECTION, Role.APPROVAL}:
        yield _LABELS[record.role], record.text


def _ends(text: str) -> str:
    """Shorten a failed read's long output to its start and end; in between is mostly a file."""
    return text if len(text) <= 2 * _END else f"{text[:_END]} […] {text[-_END:]}"


def _only_reads(record: Record) -> bool:
    if record.files or record.commits:
        return False
    if record.command:
        return bool(_READING_COMMAND.match(record.command.strip()))
    return bool(_READING_TOOLS.match(record.tool or ""))


def _clean(text: str, prefixes: Sequence[str]) -> str:
    """Return a text without the folders in `prefixes`, with all lines but the first indented.

    Thus no line looks like the beginning of another record.
    """
    for prefix in prefixes:
        text = text.replace(prefix, "")
    return _BLANK_LINES.sub("\n", text.strip()).replace("\r", "").replace("\n", "\n ")


def _prefixes(records: Iterable[Record]) -> list[str]:
    folders = {record.cwd.rstrip("/\\") for record in records if record.cwd}
    return sorted(
        (f"{folder}{'/' if '/' in folder else chr(92)}" for folder in folders if len(folder) > 3),
        key=lambda p: (-len(p), p),
    )


def _tail(lines: Sequence[Line], size: int) -> list[Line]:
    kept: list[Line] = []
    for line in reversed(lines):
        size -= len(line.text)
        if size < 0:
            break
        kept.insert(0, line)
    return kept
