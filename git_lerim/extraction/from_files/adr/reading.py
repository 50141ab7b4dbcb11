"""Read a folder of decision records, and link those that supersede each other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files.adr.links import resolve, superseded_by_each
from git_lerim.extraction.from_files.adr.record import Record, parse
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.memories.memory import Status


def read(files: Sequence[File], into: Reading) -> None:
    """Read decision records, and add their memories to `into`, with links between them.

    Records that are only proposed are left out.
    """
    records: dict[str, Record] = {}
    for file in files:
        try:
            record = parse(file, into)
        except BadMemory as error:
            into.leave(file.name, str(error), failed=True)
            continue
        if record is not None:
            records[file.path] = record
    superseded = superseded_by_each(records, into)
    into.found += [
        _linked(path, records, superseded)
        for path, record in records.items()
        if record.status != "proposed"
    ]


def _linked(
    path: str, records: Mapping[str, Record], superseded: Mapping[str, Sequence[str]]
) -> Draft:
    """Return a record's memory with its status and links."""
    record, earlier = records[path], superseded.get(path, ())
    status = Status.ACTIVE
    if record.status == "superseded" or (
        record.status == "accepted" and any(path in others for others in superseded.values())
    ):
        status = Status.SUPERSEDED
    elif record.status == "deprecated":
        status = Status.ARCHIVED
    near = [other for name in record.touches if (other := resolve(name, path, records))]
    return replace(
        record.found,
        status=status,
        supersedes=tuple(records[other].found.origin for other in earlier),
        related=tuple(
            records[other].found.origin for other in near if other not in earlier and other != path
        ),
    )
