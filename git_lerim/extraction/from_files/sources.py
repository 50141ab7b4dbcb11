"""Detect the formats of files to import, by path and name, or else by content."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from git_lerim.extraction.from_files import adr, exported, lerim, notes, rules
from git_lerim.extraction.from_files.base import File, Form, Reading
from git_lerim.memories import naming
from git_lerim.memories.rule_files import is_rule_file

Read = Callable[[Sequence[File], Reading], None]

READERS: Mapping[Form, Read] = {
    Form.LERIM: lerim.read,
    Form.ADR: adr.read,
    Form.RULES: rules.read,
    Form.NOTES: notes.read,
    Form.EXPORT: exported.read,
}
DESCRIPTIONS = {
    Form.LERIM: "Lerim memories",
    Form.ADR: "decision records",
    Form.RULES: "agent rules",
    Form.NOTES: "notes",
    Form.EXPORT: "a git lerim export",
}
_MEMORY = re.compile(r"(?:.*/)?\.lerim/memory/.*", re.DOTALL)
_RECORDS = re.compile(
    r"(?:.*/)?(?:adrs?|architecture[-_]decisions?|decisions|"
    r"decision[-_]records)/(?:[^/]+/)?[^/]+\.md",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r".*\.(?:md|markdown)", re.IGNORECASE | re.DOTALL)
_OURS = re.compile(r"\A---\n(?:.*\n){0,3}?primitive: ")


@dataclass(slots=True)
class Sorted:
    """The files to import, grouped by format, and the files of unknown format."""

    by_form: dict[Form, list[str]] = field(default_factory=dict)  # paths in the source
    beside: list[str] = field(default_factory=list)  # Markdown files of no known format
    other: int = 0  # number of other files


def sort_out(paths: Sequence[str], place: str, text: Callable[[str], str | None]) -> Sorted:
    """Group the files of a folder by format.

    `place` is the folder's path; `text` returns the content of a file, or None if it cannot be
    read.
    """
    plain = [path for path in paths if _MARKDOWN.fullmatch(path)]
    other = len(paths) - len(plain)
    ours = [path for path in plain if naming.valid_path(_below(path))]
    if ours and _OURS.match(text(ours[0]) or ""):
        return Sorted({Form.EXPORT: plain}, other=other)
    if re.search(r"/\.lerim(?:/memory)?/?$", place) or any(
        lerim.PLACE.fullmatch(path) and path.count("/") < 5
        for path in plain
        if not _MEMORY.fullmatch(path)
    ):
        return Sorted({Form.LERIM: plain}, other=other)
    found = _known_places(paths, place, text)
    if found:
        taken = {path for some in found.values() for path in some}
        return Sorted(found, beside=[path for path in plain if path not in taken], other=other)
    judged = [
        File(name=path, path=path, text=shown)
        for path in plain
        if not re.search(r"(?:readme|index|template)[^/]*$", path, re.IGNORECASE)
        and (shown := text(path)) is not None
    ]
    records = list(filter(adr.is_record, judged))
    return Sorted(
        {Form.ADR if records and 2 * len(records) >= len(judged) else Form.NOTES: plain},
        other=other,
    )


def _below(path: str) -> str:
    return "/".join(path.split("/")[-4:]) if "archived/" in path else "/".join(path.split("/")[-3:])


def _known_places(
    paths: Sequence[str], place: str, text: Callable[[str], str | None]
) -> dict[Form, list[str]]:
    """Group the files at well-known paths of a repository by format."""
    found: dict[Form, list[str]] = {}
    folders: dict[str, bool] = {}
    for path in paths:
        if _MEMORY.fullmatch(path) and _MARKDOWN.fullmatch(path):
            found.setdefault(Form.LERIM, []).append(path)
        elif is_rule_file(path) or (is_rule_file(f"{place}/{path}") and _MARKDOWN.fullmatch(path)):
            found.setdefault(Form.RULES, []).append(path)
        elif _RECORDS.fullmatch(path):
            folder = path.rpartition("/")[0]
            folders[folder] = folders.get(folder, False) or adr.is_record(
                File(name=path, path=path, text=text(path) or "")
            )
            if folders[folder]:
                found.setdefault(Form.ADR, [])
    if Form.ADR in found:
        found[Form.ADR] = [
            path
            for path in paths
            if _RECORDS.fullmatch(path) and folders.get(path.rpartition("/")[0])
        ]
    return found


def form_of_file(path: str, read: Callable[[], str | None]) -> Form | None:
    """Return the format of a single file, judging by path and content; None if it is unknown."""
    if path.endswith(".json"):
        return Form.EXPORT
    if is_rule_file(path):
        return Form.RULES
    if not _MARKDOWN.fullmatch(path):
        return None
    if _MEMORY.fullmatch(path):
        return Form.LERIM
    text = read() or ""
    if _OURS.match(text):
        return Form.EXPORT
    return Form.ADR if adr.is_record(File(name=path, path=path, text=text)) else Form.NOTES
