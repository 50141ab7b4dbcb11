"""Split a rules file into blocks: bullets and paragraphs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from git_lerim.extraction.from_files import markdown
from git_lerim.extraction.transcript.text import plain
from git_lerim.tokens import words

LONGEST = 600  # characters; longer text is an explanation
_LEAD = 60  # characters of a lead, the line that introduces a list
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)$", re.MULTILINE)
MUST = re.compile(
    r"\b(?:must|should|shall|may not|forbidden|not allowed|prohibited|mandatory|(?:is|are|"
    r"be)? ?required|preferred|you (?:need|have) to)\b|(?:^|[.;:,(!—–-]\s*|\b(?:and|but|please|so|"
    r"then)\s+)(?:do not|don[’']t|never|always|avoid|prefer|ensure|make sure|be sure)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A bullet with the lines below it, a paragraph, a code block, a table or a quotation."""

    text: str
    first: int
    last: int
    path: tuple[str, ...]
    sort: str  # item | paragraph | code | table | quote; the last three are no rules
    lead: str = ""  # a sub-bullet's parent


def blocks(body: str, first: int) -> Iterator[Block]:
    """Yield the blocks of a text; `first` is the line number of its first line."""
    lines = body.split("\n")
    for part in markdown.sections(body, first):
        at = part.first + (1 if part.level else 0)
        raw = lines[at - first : part.last - first + 1]
        splitter = _Splitter(part.path if part.level != 1 else ())
        for number, line, code in markdown.lines_outside_code("\n".join(raw), at):
            yield from splitter.take(number, line, code=code)
        yield from splitter.end()


class _Splitter:
    """A splitter that groups the lines of one section into blocks."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self._path = path
        self._pending: list[tuple[int, str]] = []
        self._sort = ""
        self._depth = 0  # indentation of the current bullet

    def take(self, number: int, line: str, *, code: bool) -> Iterator[Block]:
        """Add a line; yield the blocks that it completes."""
        if code:
            if self._sort != "code" and not (self._sort == "item" and line[:1].isspace()):
                yield from self._begin("code")
            self._pending.append((number, line))
            return
        if self._sort == "code":
            yield from self._begin("")
        if not line.strip():
            if self._sort != "item":
                yield from self._begin("")
            return
        if not self._continues(number, line):
            item = _ITEM.match(line)
            yield from self._begin("item" if item else _sort_of(line))
            self._depth = _width(item[1]) if item else self._depth
        self._pending.append((number, line))

    def end(self) -> Iterator[Block]:
        """Yield the blocks that the end of the section completes."""
        yield from self._begin("")

    def _continues(self, number: int, line: str) -> bool:
        """Return whether a line belongs to the current block."""
        if item := _ITEM.match(line):
            return self._sort == "item" and _width(item[1]) > self._depth
        if self._sort == "item":
            unindented = bool(self._pending) and self._pending[-1][0] == number - 1
            return len(line) - len(line.lstrip()) > self._depth or unindented
        return bool(self._sort and self._pending)

    def _begin(self, sort: str) -> Iterator[Block]:
        if self._pending:
            text = "\n".join(line for _, line in self._pending).rstrip()
            first, last = self._pending[0][0], self._pending[-1][0]
            yield from _shortened(Block(text, first, last, self._path, self._sort))
        self._pending.clear()
        self._sort = sort


def _sort_of(line: str) -> str:
    if line.lstrip().startswith("|"):
        return "table"
    return "quote" if line.lstrip().startswith(">") else "paragraph"


def _width(indentation: str) -> int:
    return len(indentation.expandtabs(4))


def _shortened(block: Block) -> Iterator[Block]:
    """Yield a block or, for a long bullet, the bullet and each of its sub-bullets separately.

    The `lead` of a sub-bullet is the bullet's first line.
    """
    lines = block.text.split("\n")
    below = [at for at, line in enumerate(lines) if at and (item := _ITEM.match(line)) and item[1]]
    lead = unmarked(lines[0]).rstrip(":").strip()
    if (
        block.sort != "item"
        or not below
        or (len(block.text) <= LONGEST // 2 and (not _is_heading(lines[0]) or MUST.search(lead)))
    ):
        yield block
        return
    depths = {at: _width(item[1]) for at in below if (item := _ITEM.match(lines[at]))}
    least = min(depths.values())
    starts = [at for at in below if depths[at] == least]
    own = "\n".join(lines[: starts[0]])
    if not _is_heading(lines[0]):
        yield Block(own, block.first, block.first + starts[0] - 1, block.path, block.sort)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        text, last = "\n".join(lines[start:end]).rstrip(), block.first + end - 1
        yield Block(
            text,
            block.first + start,
            last,
            block.path,
            block.sort,
            lead if len(lead) <= _LEAD else "",
        )


def _is_heading(line: str) -> bool:
    """Return whether a bullet only introduces the bullets below it."""
    said = unmarked(line)
    return said.endswith(":") and len(words(said)) < 12


def unmarked(text: str) -> str:
    """Return a block as one line, without bullet and emphasis."""
    item = _ITEM.match(text)
    bare = _CODE.sub("", (item[2] + text[item.end() :] if item else text)[: 4 * LONGEST])
    said = plain(re.sub(r"\n[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+", "; ", bare))
    return re.sub(r"^\[[ xX]\] +", "", said).replace(":;", ":")


def tidied(text: str) -> str:
    """Return a block without its bullet; a list below it stays a list."""
    lines = text.split("\n")
    item = _ITEM.match(lines[0])
    if not item:
        return text.strip()
    moved = [line for line in lines[1:] if line.strip()]
    shift = min((len(line) - len(line.lstrip()) for line in moved), default=0)
    return "\n".join([item[2], *(line[shift:] for line in moved)]).strip()
