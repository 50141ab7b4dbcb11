"""Read Markdown notes with front matter, one memory each.

Claude's own memory, basic-memory and ai-memory use this format.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from git_lerim.bulk import halved
from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files import markdown
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.extraction.transcript.text import plain, sentences
from git_lerim.memories.memory import TITLE_LIMIT, Kind, Primitive, Status
from git_lerim.tokens import clip

_DECISION = re.compile(r"(?:.*\b)?(?:decisions?|adr)\b.*", re.IGNORECASE)
_KINDS = tuple(
    (kind, re.compile(rf"_?(?:{names})", re.IGNORECASE))
    for kind, names in (
        (Kind.PREFERENCE, "preferences?|user|feedback|rules?|conventions?|style|invariant"),
        (
            Kind.PROCEDURE,
            "procedur(?:e|es|al)|how-?tos?|runbooks?|workflows?|guides?|recipes?|playbooks?",
        ),
        (
            Kind.PITFALL,
            (
                "pitfalls?|gotchas?|bugs?|friction|issues?|troubleshooting|error_resolution|"
                "postmortems?|problems?"
            ),
        ),
        (
            Kind.INSIGHT,
            (
                "insights?|concepts?|patterns?|architecture|observations?|learnings?|lessons?|"
                "investigations?"
            ),
        ),
        (Kind.FACT, "facts?|project|references?|notes?|context|general"),
    )
)
_STATUSES = {
    "superseded": Status.SUPERSEDED,
    "archived": Status.ARCHIVED,
    "deprecated": Status.ARCHIVED,
    "obsolete": Status.ARCHIVED,
}
_INDEX = re.compile(
    r"(?:.*/)?(?:index|readme|_index|_meta|log-\d{4}-\d{2}|bootstrap|hot-memory)\.md", re.IGNORECASE
)
_WORKING = re.compile(r"(?:.*/)?(?:sessions|_lint|_pending|_prompts|templates?)/")
_LINKED = re.compile(r"\s*(?:[-*+]|\d+\.)\s+\[[^\]]+\]\([^)]+\.md\)")
_CREATED = ("created", "created_at", "date", "timestamp", "createdAt", "modified", "updated")
_CHANGED = ("updated", "modified", "updated_at", "last_modified", "lastmod", "modified_at", "date")
_AGENTS_OWN = 0.7  # confidence of an agent's own notes


def read(files: Sequence[File], into: Reading, *, loose: bool = False, named: bool = False) -> None:
    """Read notes; they need front matter, unless `loose` is set or one is Claude's MEMORY.md."""
    own = any(file.path.rsplit("/", 1)[-1] == "MEMORY.md" for file in files)
    for found in halved(lambda: partial(read_alone, loose=loose or own, named=named), files):
        into.found += found.found
        into.left += found.left


def read_alone(file: File, *, loose: bool, named: bool = False) -> Reading:
    """Read one note; if it is invalid, the result says why."""
    into = Reading()
    try:
        read_one(file, into, loose=loose, named=named)
    except BadMemory as error:
        into.leave(file.name, str(error), failed=True)
    return into


def read_one(file: File, into: Reading, *, loose: bool, named: bool = False) -> None:
    """Read one note, and add its memory to `into`.

    With `loose`, the note needs no front matter. With `named`, the user chose this file, so it is
    read even if it is named like an index of notes.
    """
    if file.path.rsplit("/", 1)[-1] == "MEMORY.md":
        _index(file, into)
    elif _WORKING.match(file.path):
        into.leave(file.name, "is a session's or the tool's own file, not a note", skipped=True)
    elif _INDEX.fullmatch(file.path) and not named:
        into.leave(file.name, "is named like an index of notes", skipped=True)
    else:
        head, body, first = markdown.split(file.text)
        if not head and not loose:
            into.leave(
                file.name, "has no front matter; to import it anyway, use --as notes", skipped=True
            )
            return
        found = _note(file, head, body, first)
        if not found.body:
            why = "has no text besides its title" if file.text.strip() else "is empty"
            into.leave(file.name, why)
        else:
            into.found.append(found)


def _note(file: File, head: Mapping[str, Any], body: str, first: int) -> Draft:
    parts = markdown.sections(markdown.uncommented(body), first)
    heading = next((part.title for part in parts[:2] if part.level == 1), "")
    shown = _without_heading(body) if heading and parts[0].level == 1 else body.strip()
    description = markdown.text_of(head, "description", "summary", "abstract")
    name = (
        markdown.text_of(head, "title")
        or heading
        or _named(markdown.text_of(head, "name"), description)
        or _stem(file.path)
    )
    primitive, kind = _sort(file, head)
    tags = tuple(tag.lstrip("#") for tag in markdown.listed(head, "tags"))
    return Draft(
        file=file.name,
        origin=file.name,
        primitive=primitive,
        kind=kind,
        title=plain(name),
        body=markdown.cut(shown or description, file.name),
        status=_status(file, head, tags),
        created=_first(head, *_CREATED),
        changed=_first(head, *_CHANGED),
        confidence=_confidence(head),
        tags=tags,
        records=((first, max(first, file.text.rstrip("\n").count("\n") + 1)),),
        repeats=True,
    )


def _status(file: File, head: Mapping[str, Any], tags: Sequence[str]) -> Status:
    if re.search(r"(?:^|/)_?archived?/", file.path):
        return Status.ARCHIVED
    if "superseded" in tags:
        return Status.SUPERSEDED
    return _STATUSES.get(markdown.text_of(head, "status").lower(), Status.ACTIVE)


def _without_heading(body: str) -> str:
    lines = body.strip().split("\n")
    takes = 1 if lines[0].lstrip().startswith("#") else 2
    return "\n".join(lines[takes:]).strip()


def _named(name: str, description: str) -> str:
    """Return a title for a memory of Claude's: its name or, if that is a slug, its description."""
    if " " in name or not description:
        return (
            name if " " in name else name.replace("-", " ").replace("_", " ").strip().capitalize()
        )
    return clip(description.rstrip("."), TITLE_LIMIT)


def _stem(path: str) -> str:
    stem = path.rsplit("/", 1)[-1].rpartition(".")[0]
    return (
        re.sub(r"^\d{4}-?\d{2}-?\d{2}[-_ ]", "", stem)
        .replace("-", " ")
        .replace("_", " ")
        .strip()
        .capitalize()
        or stem
    )


def _first(head: Mapping[str, Any], *names: str) -> Any:
    return next(
        (at for name in names if (at := markdown.moment(markdown.text_of(head, name))) is not None),
        None,
    )


def _sort(file: File, head: Mapping[str, Any]) -> tuple[Primitive, Kind | None]:
    """Return a note's type from its front matter, or else from its folder."""
    inner = head.get("metadata")
    said = [
        markdown.text_of(head, "primitive"),
        markdown.text_of(head, "kind"),
        markdown.text_of(head, "type"),
        markdown.text_of(head, "category"),
    ]
    said += [markdown.text_of(inner, "type")] if isinstance(inner, dict) else []
    said += [
        *markdown.listed(head, "tags"),
        *reversed(file.path.split("/")[:-1]),
        file.path.rsplit("/", 1)[-1].split("_")[0],
    ]
    for word in said:
        if word and _DECISION.fullmatch(word):
            return Primitive.DECISION, None
        kind = next((kind for kind, names in _KINDS if word and names.fullmatch(word)), None)
        # folder or type `notes` tells nothing
        if kind is not None and not (kind is Kind.FACT and word.lower() in {"note", "notes"}):
            return Primitive.LEARNING, kind
    return Primitive.LEARNING, Kind.FACT


def _confidence(head: Mapping[str, Any]) -> float:
    stated = markdown.text_of(head, "confidence")
    if re.fullmatch(r"0?\.\d+|0|1(?:\.0+)?", stated):
        return float(stated)
    return _AGENTS_OWN


# --- MEMORY.md


def _index(file: File, into: Reading) -> None:
    """Read the sections of a MEMORY.md, without the lines that only link to other notes."""
    _, body, first = markdown.split(file.text)
    count = 0
    for part in markdown.sections(markdown.uncommented(body), first):
        text = "\n".join(line for line in part.text.split("\n") if not _LINKED.match(line)).strip()
        linked = text != part.text
        if not text or (linked and len(text) < 40):
            continue
        path = " > ".join(part.path) or part.title
        count += 1
        title = part.title if part.level > 1 else sentences(plain(text))[0]
        into.found.append(
            Draft(
                file=file.name,
                origin=f"{file.name}#{path.casefold()}",
                primitive=Primitive.LEARNING,
                kind=next(
                    (
                        kind
                        for kind, names in _KINDS
                        for word in title.split()[-1:]
                        if names.fullmatch(word)
                    ),
                    Kind.FACT,
                ),
                title=clip(title, TITLE_LIMIT),
                body=markdown.cut(text, file.name),
                confidence=_AGENTS_OWN,
                records=((part.first, part.last),),
                repeats=True,
            )
        )
    if not count:
        into.leave(file.name, "is an index of notes")
