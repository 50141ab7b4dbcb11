"""Resolve the links between architecture decision records: which supersedes which."""

import re
from collections.abc import Mapping

from git_lerim.extraction.from_files.adr.record import NUMBER, Record
from git_lerim.extraction.from_files.base import Reading
from git_lerim.extraction.transcript.text import plain


def superseded_by_each(records: Mapping[str, Record], into: Reading) -> dict[str, list[str]]:
    """Map the path of each superseding record to the paths of the records it supersedes.

    Either of the two records may say so. Links that lead to no record are noted in `into`.
    """
    over: dict[str, list[str]] = {}
    for path, record in records.items():
        pairs = [(path, name, False) for name in record.supersedes] + [
            (path, name, True) for name in record.superseded_by
        ]
        for here, name, turned in pairs:
            other = resolve(name, here, records)
            if other is None or other == here:
                into.leave(
                    record.file.name,
                    f"names as {'its successor' if turned else 'superseded'} {plain(name)[:60]!a},"
                    " which is not one of these records",
                )
                continue
            later, earlier = (other, here) if turned else (here, other)
            if records[later].status != "proposed" and earlier not in over.setdefault(later, []):
                over[later].append(earlier)
    return over


def resolve(name: str, near: str, records: Mapping[str, Record]) -> str | None:
    """Return the path of the record that a link or number refers to, or None.

    A number refers to a record in the same folder as `near`.
    """
    bare = re.sub(r"[#?].*", "", name).rsplit("/", 1)[-1].removesuffix(".md")
    number = NUMBER.match(bare)
    for path in records:
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        if stem == bare:
            return path
    folder = near.rpartition("/")[0]
    for path in records:
        own = NUMBER.match(path.rsplit("/", 1)[-1])
        if number and own and int(number[1]) == int(own[1]) and path.rpartition("/")[0] == folder:
            return path
    return None
