"""Choose which documents of a repository a model reads, and cut them into records."""

import re
from dataclasses import dataclass

from git_lerim.extraction.from_files.markdown import lines_outside_code
from git_lerim.memories.rule_files import is_rule_file

LARGEST = 1 << 20  # bytes
_PART = 1600  # characters of a record, unless one paragraph has more
_LONGEST = 6000  # characters of a record
_HEADING = re.compile(r" {0,3}(?:#{1,6}|={1,6})[ \t]+(.*)$")
_UNDERLINE = re.compile(r"([=~^+\"'-])\1{2,}[ \t]*$")

_TEXT = r"\.(?:md|markdown|mdx|mdc|rst|adoc|asciidoc|txt)"
_TEXTS = re.compile(rf".*{_TEXT}", re.IGNORECASE | re.DOTALL)
_KNOWN = re.compile(
    rf"(?:.*/)?(?:README|CONTRIBUTING|ARCHITECTURE|DESIGN|DECISIONS?|HACKING|DEVELOP(?:MENT|ING)|"
    rf"CONVENTIONS|STYLE(?:GUIDE)?|MAINTAIN(?:ERS|ING)|RELEASING|TESTING|ROADMAP)(?:{_TEXT})?|"
    r"(?:.*/)?(?:AGENTS?|CLAUDE|GEMINI|QWEN|COPILOT|CONVENTIONS)\.md|"
    r"(?:.*/)?\.(?:cursor|windsurf|clinerules|roo|continue)/(?:rules/)?[^/]+\.(?:md|mdc)|"
    r"\.github/(?:instructions/.+\.md|CONTRIBUTING\.md)|"
    rf"(?:.*/)?(?:docs?|documentation|adrs?|rfcs?|decisions?|design)/.+{_TEXT}",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"(?:.*/)?(?:node_modules|vendor|third[_-]?party|external|site-packages|fixtures?|testdata|"
    r"tests?|locales?|i18n|\.lerim|\.git)/.*|(?:.*/)?(?:requirements|robots|LICEN[CS]E)[^/]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a document that becomes one record: some lines, and the heading above them."""

    lines: tuple[int, int]  # the first and the last
    text: str
    place: str  # the heading above the lines, which edits in other parts do not change


def is_document(path: str) -> bool:
    """Return whether a file's name shows that it documents decisions about the repository."""
    return (is_rule_file(path) or bool(_KNOWN.fullmatch(path))) and not _FOREIGN.fullmatch(path)


def is_text(path: str) -> bool:
    """Return whether a file in a folder that the user named is a document.

    Any text in Markdown or a similar format is one, except in folders such as `vendor` and `tests`.
    """
    return bool(_TEXTS.fullmatch(path)) and not _FOREIGN.fullmatch(path)


def parts_of(text: str) -> list[Part]:
    """Cut a document into parts: at its headings, and between paragraphs if a part is long."""
    found: list[Part] = []
    current: list[tuple[int, str]] = []
    headings: dict[str, int] = {}
    place = ""

    def close() -> None:
        while current and not current[-1][1].strip():
            current.pop()
        shown = "\n".join(line for _, line in current).strip()
        if shown:
            lines = (current[0][0], current[-1][0])
            found.append(Part(lines=lines, text=shown[:_LONGEST], place=place))
        current.clear()

    lines = list(lines_outside_code(text))
    for at, (number, line, is_code) in enumerate(lines):
        heading = "" if is_code else _heading(line, lines[at + 1][1] if at + 1 < len(lines) else "")
        size = sum(len(each) for _, each in current)
        if heading or (not line.strip() and not is_code and size > _PART) or size > _LONGEST:
            close()
        if heading:
            headings[heading] = headings.get(heading, 0) + 1
            place = heading if headings[heading] == 1 else f"{heading} {headings[heading]}"
        if current or line.strip():
            current.append((number, line))
    close()
    return found


def _heading(line: str, following: str) -> str:
    """Return the heading in a line of Markdown, AsciiDoc or reStructuredText, or ""."""
    name = line.strip()
    marked = _HEADING.match(line)
    if marked:
        name = marked[1]
    elif not (name and _UNDERLINE.match(following) and len(following.strip()) >= len(name) // 2):
        return ""
    return " ".join(name.lower().split()) if re.search(r"\w", name) else ""
