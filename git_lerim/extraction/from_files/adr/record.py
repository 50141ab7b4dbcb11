"""Parse an architecture decision record (ADR) in a Markdown file."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from git_lerim.extraction.from_files import markdown
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.extraction.from_files.markdown import Section
from git_lerim.memories.memory import Primitive

NUMBER = re.compile(r"(?:adr[-_ ]?)?0*(\d{1,8})(?=[-_. ]|$)", re.IGNORECASE)
_NUMBERED_TITLE = re.compile(
    r"(?:adr|decision)?[-_ #]*\d{1,6}\s*[.:)–—-]*\s+|(?:adr)\s*[.:–—-]+\s+", re.IGNORECASE
)
_NO_RECORD = re.compile(
    r"(?:.*/)?(?:readme|index|toc|template|(?:adr|madr)[-_]?template.*|.*[-_]template|"
    r"0+-?template.*)$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\s*[*+-]?\s*\**(status|date|deciders|decision-makers|tags)\**\s*:\**\s*(.*)$", re.IGNORECASE
)
_DATED = re.compile(r"\b(\d{4}[-/.]\d{2}[-/.]\d{2})\b")
_LINK = re.compile(
    r"\[([^\]]*)\]\(([^)\s]+)[^)]*\)|\[\[([^\]|]+)[^\]]*\]\]|"
    r"\b(?:adr[- ]?)?0*(\d{1,6})\b(?![-/.]\d)",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(r"\b(?:supersedes|supercedes|replaces)\b\W*", re.IGNORECASE)
_TAKEN_OVER = re.compile(r"\b(?:supersed|superced|replac)ed\s+by\b\W*", re.IGNORECASE)
_TOUCHES = re.compile(
    r"\b(?:amend(?:s|ed by)|clarifi(?:es|ed by)|extend(?:s|ed by)|relat(?:es to|ed to)|refines|"
    r"refined by)\b\W*",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:proposed|draft|pending|in review|under review|open|wip|idea|tbd|on hold|deferred)\b",
    re.IGNORECASE,
)
_STANDS = (  # the first match counts: a status reached later comes before an earlier one
    ("superseded", re.compile(r"\b(?:superseded|superceded|replaced)\b", re.IGNORECASE)),
    (
        "deprecated",
        re.compile(r"\b(?:deprecated|obsolete|retired|withdrawn|no longer)\b", re.IGNORECASE),
    ),
    ("rejected", re.compile(r"\b(?:rejected|declined|not accepted|abandoned)\b", re.IGNORECASE)),
    (
        "accepted",
        re.compile(
            r"\b(?:accepted|approved|adopted|decided|done|implemented|final|active|agreed)\b",
            re.IGNORECASE,
        ),
    ),
    ("proposed", _OPEN),
)
_SAYS = re.compile(r"decision|chosen|outcome|resolution|solution", re.IGNORECASE)
_ORDER = (
    _SAYS,
    re.compile("consequence|implication|result", re.IGNORECASE),
    re.compile("context|problem|motivation|issue", re.IGNORECASE),
)
_LINE = 1000  # characters of a line to look at
_BARE = ("status", "date", "deciders", "links", "more information")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One decision record and its links to others."""

    file: File
    found: Draft
    status: str
    supersedes: tuple[str, ...]  # as written: a number or a file name
    superseded_by: tuple[str, ...]
    touches: tuple[str, ...]


def is_record(file: File) -> bool:
    """Return whether a file is a decision record.

    It has a section for the decision, and a status or a context.
    """
    if _NO_RECORD.fullmatch(file.path.removesuffix(".md")):
        return False
    titles = [
        section.title
        for section in markdown.sections(markdown.uncommented(file.text))
        if section.level > 1
    ]
    decides = any(_SAYS.search(title) for title in titles)
    framed = any(re.match(r"status\b|.*context\b", title, re.IGNORECASE) for title in titles)
    return decides and (
        framed
        or bool(
            re.search(r"^[ >*+_-]{0,8}status[*_ ]{0,4}:", file.text, re.IGNORECASE | re.MULTILINE)
        )
    )


def parse(file: File, into: Reading) -> Record | None:
    """Return the decision record in a file, or return None and note the reason in `into`."""
    if _NO_RECORD.fullmatch(file.path.removesuffix(".md")):
        into.leave(file.name, "is an index or a template, not a record", skipped=True)
        return None
    head, body, first = markdown.split(file.text)
    parts = markdown.sections(markdown.uncommented(body), first)
    top = [line for part in parts if part.level < 2 for line in part.text.split("\n")]
    listed = {row[1].lower(): row[2] for line in top if (row := _LISTED.match(line[:_LINE]))}
    if not any(_SAYS.search(part.title) for part in parts if part.level > 1):
        into.leave(file.name, "has no section with the decision", skipped=True)
        return None
    stated = _stated(head, parts, listed)
    status = _status(stated)
    if status is None:
        into.leave(
            file.name,
            f"has an unknown status, {stated.split(chr(10))[0][:40]!a}; treated as accepted",
        )
    if status == "proposed":
        into.leave(file.name, "is only proposed")
    title = _title(file, head, parts)
    found = Draft(
        file=file.name,
        origin=file.name,
        primitive=Primitive.DECISION,
        title=f"Rejected: {title}" if status == "rejected" else title,
        body=markdown.cut(_body(parts, top), file.name),
        created=_date(
            markdown.text_of(head, "date") or listed.get("date", ""),
            next((part.text for part in parts if _names(part, "date")), ""),
            stated,
        ),
        tags=markdown.listed(head, "tags") or markdown.listed(listed, "tags"),
        records=((1, max(file.text.rstrip("\n").count("\n") + 1, 1)),),
    )
    linking = [part.text for part in parts if _names(part, "links", "more information")]
    links = "\n".join([stated, *linking, *top])
    return _with_links(file, found, status or "accepted", head, links)


def _stated(head: Mapping[str, Any], parts: Sequence[Section], listed: Mapping[str, str]) -> str:
    """Return all that a record says about its status."""
    said = " ".join(markdown.text_of(head, "status").split())
    sections = (part.text for part in parts if _names(part, "status"))
    return "\n".join([said or listed.get("status", ""), *sections]).strip()[: 4 * _LINE]


def _title(file: File, head: Mapping[str, Any], parts: Sequence[Section]) -> str:
    heading = next((part.title for part in parts if part.level == 1), "")
    title = _NUMBERED_TITLE.sub("", heading or markdown.text_of(head, "title"), count=1).strip()
    return title or _stem(file.path)


def _with_links(
    file: File, found: Draft, status: str, head: Mapping[str, Any], links: str
) -> Record:
    return Record(
        file=file,
        found=found,
        status=status,
        supersedes=_once(
            _named(_TAKES_OVER, links), markdown.listed(head, "supersedes", "replaces")
        ),
        superseded_by=_once(
            _named(_TAKEN_OVER, links),
            markdown.listed(head, "superseded_by", "superseded-by", "superseded by"),
        ),
        touches=_once(_named(_TOUCHES, links), markdown.listed(head, "related", "amends")),
    )


def _once(*names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for some in names for name in some))


def _names(part: Section, *titles: str) -> bool:
    return part.level > 1 and part.title.lower().strip(": ") in titles


def _stem(path: str) -> str:
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    return (
        NUMBER.sub("", stem, count=1).strip("-_. ").replace("-", " ").replace("_", " ").capitalize()
        or stem
    )


def _status(said: str) -> str | None:
    """Return a decision's status; None if the word for it is unknown."""
    plainly = _TAKES_OVER.sub("", re.sub(r"~~.*?~~", " ", said))
    # drop the choices of an unfilled template
    plainly = re.sub(r"\{[^}]*\|[^}]*\}|\[[^\]]*\|[^\]]*\]", " ", plainly)
    if not plainly.strip(" \n*_-"):
        return "accepted"
    return next((name for name, word in _STANDS if word.search(plainly)), None)


def _date(*texts: str) -> datetime | None:
    for text in texts:
        if (at := markdown.moment(text)) is not None:
            return at
        if (day := _DATED.search(text)) and (at := markdown.moment(day[1])) is not None:
            return at
    return None


def _body(parts: Sequence[Section], top: Sequence[str]) -> str:
    """Return a record's text with the decision first; subsections stay with their section."""
    groups: list[list[Section]] = []
    for part in parts:
        if part.level < 2:
            continue
        if part.level == 2 or not groups:
            groups.append([])
        groups[-1].append(part)
    groups = [group for group in groups if not _names(group[0], *_BARE)]
    ranked = sorted(
        groups,
        key=lambda group: next(
            (at for at, word in enumerate(_ORDER) if word.search(group[0].title)), len(_ORDER)
        ),
    )
    told = [text for text in _paragraph(top) if text]
    for at, group in enumerate(ranked):
        said = "\n\n".join(_shown(part, bare=at == 0 and part is group[0]) for part in group)
        told.append(said.strip())
    decided = told[1:] + told[:1] if _paragraph(top) else told
    return "\n\n".join(text for text in decided if text)


def _paragraph(top: Sequence[str]) -> list[str]:
    """Return the text below the title that is neither status nor date."""
    text = "\n".join(line for line in top if not _LISTED.match(line[:_LINE])).strip()
    return [text] if text else []


def _shown(part: Section, *, bare: bool) -> str:
    if bare or not part.text:
        return part.text
    return f"{'#' * part.level} {part.title}\n\n{part.text}"


def _named(verb: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield the links and numbers after a verb such as `supersedes`, up to the next verb."""
    for line in text.split("\n"):
        line = line[:_LINE]  # noqa: PLW2901  a longer line is no list of links
        found = verb.search(line)
        if not found:
            continue
        rest = re.split(
            r"(?:superse?c?ded\s+by|supersedes|amend|clarif|relates)",
            line[found.end() :],
            maxsplit=1,
            flags=re.IGNORECASE,
        )[0]
        for link in _LINK.finditer(rest):
            yield link[2] or link[3] or link[4]
