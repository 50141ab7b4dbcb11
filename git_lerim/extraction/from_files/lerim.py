"""Read `.lerim/memory/`, the files in which Lerim kept memories before it had a database."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files import markdown, notes
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.memories.memory import Kind, Primitive, Source, Status

PLACE = re.compile(
    r"(?:.*/)?(?:archived/)?(?:decisions|learnings)/\d{8}-[^/]+\.md|"
    r"(?:.*/)?summaries/\d{8}/\d{6}/[^/]+\.md"
)
_KINDS = {kind.value: kind for kind in Kind} | {"friction": Kind.PITFALL}
_OURS = re.compile(r"(?:.*?\.lerim/)?(?:memory/)?(.*)")
_MADE = {
    "index.md": "is an index made by Lerim",
    "hot-memory.md": "is an extract made by Lerim",
}
_UNSURE = 0.5


def read(files: Sequence[File], into: Reading) -> None:
    """Read Lerim's memories; an archived copy of one takes precedence over the original."""
    archived = {_place(file) for file in files if _is_archived(file)}
    for file in files:
        if reason := _MADE.get(file.path.rsplit("/", 1)[-1]):
            into.leave(file.name, reason)
        elif not _is_archived(file) and _place(file) in archived:
            into.leave(file.name, "is a leftover copy of a memory that Lerim archived")
        else:
            try:
                _read(file, into)
            except BadMemory as error:
                into.leave(file.name, str(error), failed=True)


def _is_archived(file: File) -> bool:
    return "archived" in file.path.split("/")[:-1]


def _place(file: File) -> str:
    """Return a file's path in Lerim's folder, as if it had not been moved into `archived/`."""
    found = _OURS.fullmatch(file.path)
    return "/".join(
        part for part in (found[1] if found else file.path).split("/") if part != "archived"
    )


def _read(file: File, into: Reading) -> None:
    head, body, first = markdown.split(file.text)
    place = _place(file)
    if not place.startswith(("decisions/", "learnings/", "summaries/")):
        # an older layout, `<type>_<topic>.md`
        notes.read_one(file, into, loose=False)
        return
    title, created = (
        markdown.text_of(head, "title"),
        markdown.moment(markdown.text_of(head, "created")),
    )
    if not title or not body.strip():
        raise BadMemory("has no title" if not title else "is empty")
    changed = markdown.moment(markdown.text_of(head, "updated"))
    run = markdown.text_of(head, "source", "run_id")
    end = max(first, file.text.rstrip("\n").count("\n") + 1)
    found = Draft(
        file=file.name,
        # independent of where the folder is now
        origin=f"lerim/{place}@{created.isoformat() if created else ''}",
        primitive=Primitive.DECISION if place.startswith("decisions/") else Primitive.LEARNING,
        kind=(
            None
            if place.startswith("decisions/")
            else _KINDS.get(markdown.text_of(head, "kind").lower(), Kind.INSIGHT)
        ),
        title=title,
        body=markdown.cut(body.strip(), file.name),
        status=Status.ARCHIVED if _is_archived(file) else Status.ACTIVE,
        created=created or _day_of(place),
        changed=changed,
        confidence=_confidence(head),
        tags=markdown.listed(head, "tags"),
        records=((first, end),),
        sources=(Source(agent="lerim", session=run, at=created),) if run else (),
    )
    into.found.append(_summary(found, head) if place.startswith("summaries/") else found)


def _summary(found: Draft, head: Mapping[str, Any]) -> Draft:
    agent, run = markdown.text_of(head, "coding_agent"), markdown.text_of(head, "run_id")
    body = re.sub(
        r"(?m)^## User Intent\b",
        "## Intent",
        re.sub(r"(?m)^## What Happened\b", "## What happened", found.body),
    )
    told = (Source(agent=agent.lower(), session=run),) if agent and run else ()
    return replace(
        found,
        primitive=Primitive.SUMMARY,
        kind=None,
        body=body,
        confidence=1.0,
        sources=(*told, *found.sources),
    )


def _day_of(place: str) -> datetime | None:
    day = re.search(r"(?:^|/)(\d{8})(?=[-/])", place)
    return markdown.moment(day[1]) if day else None


def _confidence(head: Mapping[str, Any]) -> float:
    try:
        return min(max(float(markdown.text_of(head, "confidence")), 0.0), 1.0)
    except ValueError:
        return _UNSURE
