"""Parse Markdown files that people write: front matter, sections and dates."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.extraction.transcript.text import plain
from git_lerim.memories.format.forms import Plain
from git_lerim.memories.format.frontmatter import HEAD_LIMIT
from git_lerim.memories.memory import BODY_LIMIT
from git_lerim.tokens import clip

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEAD = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_TITLE = 400  # characters of a heading to look at
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DAYS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%B %d %Y",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and the text below it, up to the next heading."""

    level: int  # 0 before the first heading
    title: str
    text: str  # stripped
    first: int  # line of the heading
    last: int
    path: tuple[str, ...]  # headings from level 2 down to its own


def split(text: str) -> tuple[dict[str, Any], str, int]:
    """Return the front matter, the body, and the number of the body's first line.

    Raises BadMemory if the front matter is invalid or too long.
    """
    found = _HEAD.match(text)
    if found is None:
        return {}, text, 1
    if len(found[1].encode()) > HEAD_LIMIT:
        raise BadMemory(f"the front matter has more than {HEAD_LIMIT} bytes")
    # YAML is slow to import
    from git_lerim.memories.format.yaml_front_matter import read_head  # noqa: PLC0415

    head = read_head(found[1]) if found[1].strip() else {}
    return head, text[found.end() :], text.count("\n", 0, found.end()) + 1


def uncommented(text: str) -> str:
    """Return a text without HTML comments, keeping line numbers."""
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text) if "<!--" in text else text


def lines_outside_code(text: str, first: int = 1) -> Iterator[tuple[int, str, bool]]:
    """Yield each line with its number, and whether it belongs to a fenced code block."""
    closing = ""
    for number, line in enumerate(text.split("\n"), first):
        mark = FENCE.match(line)
        if closing:
            yield number, line, True
            if mark and mark[1].startswith(closing) and not line.strip().strip(closing[0]):
                closing = ""
        else:
            closing = mark[1] if mark else ""
            yield number, line, bool(mark)


def sections(body: str, first: int = 1) -> list[Section]:
    """Return the sections of a text in order; text before the first heading has level 0."""
    lines = list(lines_outside_code(body, first))
    # line index, level, title, number of lines of each heading
    heads: list[tuple[int, int, str, int]] = [(0, 0, "", 0)]
    for at, (_, line, code) in enumerate(lines):
        if code:
            continue
        if found := _HEADING.match(line):
            heads.append((at, len(found[1]), plain(found[2][:_TITLE].strip().rstrip("#")), 1))
        elif (
            (under := _UNDERLINE.match(line))
            and at
            and _may_be_title(lines[at - 1][1])
            and not lines[at - 1][2]
        ):
            heads.append((at - 1, 1 if "=" in under[1] else 2, plain(lines[at - 1][1].strip()), 2))
    made: list[Section] = []
    above: list[tuple[int, str]] = []
    for (at, level, title, takes), (end, *_) in zip(
        heads, [*heads[1:], (len(lines), 0, "", 0)], strict=True
    ):
        above = [*(pair for pair in above if pair[0] < level), (level, title)]
        text = "\n".join(line for _, line, _ in lines[at + takes : end]).strip()
        if level or text:
            path = tuple(title for level, title in above if level > 1)
            made.append(
                Section(
                    level=level,
                    title=title,
                    text=text,
                    first=first + at,
                    last=max(first + end - 1, 1),
                    path=path,
                )
            )
    return made


def _may_be_title(line: str) -> bool:
    return (
        bool(line.strip())
        and not line.lstrip().startswith(("#", "-", "*", ">", "|", "+"))
        and len(line) < 200
    )


def text_of(head: Mapping[str, Any], *names: str) -> str:
    """Return the first value that front matter has under one of these keys, as one line.

    Return an empty string if there is none.
    """
    for name in names:
        value = head.get(name)
        if isinstance(value, str) and not (isinstance(value, Plain) and value in {"", "null", "~"}):
            return " ".join(value.split())
    return ""


def listed(head: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """Return the first list that front matter has under one of these keys.

    The text `a, b` counts as a list, too.
    """
    for name in names:
        value = head.get(name)
        if isinstance(value, list):
            return tuple(str(item) for item in value if isinstance(item, str) and item.strip())
        if isinstance(value, str) and value not in {"", "null", "~"}:
            return tuple(part.strip().strip("[]\"'") for part in value.split(",") if part.strip())
    return ()


def moment(text: str) -> datetime | None:
    """Parse a time or a date (as midnight), and return it in UTC; None if it is neither."""
    shown = text.strip().strip("\"'[]{}*_` ")
    if not any(map(str.isdigit, shown)):
        return None
    try:
        return _utc(datetime.fromisoformat(shown))
    except (ValueError, OverflowError):
        pass
    for form in _DAYS:
        try:
            return datetime.strptime(shown, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _utc(found: datetime) -> datetime:
    zoned = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return zoned.replace(microsecond=0)


def cut(body: str, file: str) -> str:
    """Return a body cut to the limit of a memory, with a note about the cut."""
    if len(body) <= BODY_LIMIT:
        return body
    note = f"\n\n(cut: {file} says more, {len(body)} characters in all)"
    return clip(body, BODY_LIMIT - len(note) - 100) + note
