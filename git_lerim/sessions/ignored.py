"""Leave out of a session what was said and done about the paths in `lerim.ignorePath`."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from git_lerim.redaction.paths import is_ignored, mentions
from git_lerim.sessions.session import Record, Role

# the agent's words, which may repeat what it has read
_RETELLS = {Role.REPLY, Role.REPORT, Role.SUMMARY}
_ENTERS = re.compile(r"(?:^|[;&|(]\s*)(?:cd|pushd)\s+['\"]?([^\s;&|'\")]+)")
_DONE = {Role.CALL, Role.RESULT}


def without_ignored(
    records: Iterable[Record], ignored: Sequence[str], below: Callable[[str], str]
) -> Iterator[Record]:
    """Yield the records that are about no ignored path.

    A tool call that names an ignored path is left out with its result, since results seldom name
    the path, and so is a result whose call is not among the records. The agent's words after it are
    left out until the next prompt, since they may repeat what it has read; so are they if no prompt
    of the user is among the records before. All that was said in an ignored folder is left out;
    `below` returns the path of a folder below its work tree.
    """
    calls: set[str | None] = {None}
    has_read: bool | None = None  # None: perhaps, before the first of these records
    for record in records:
        has_read = False if record.role is Role.PROMPT else has_read
        is_about = _is_about(record, calls, ignored) or _is_within(record, ignored, below)
        if is_about or (has_read is not False and record.role in _RETELLS):
            has_read = True if is_about and record.role in _DONE else has_read
            continue
        calls.add(record.call)
        if record.prose:
            public = tuple(
                text for text in record.prose if not (has_read or mentions(text, (), ignored))
            )
            record = msgspec.structs.replace(record, prose=public)  # noqa: PLW2901
        yield record


def _is_about(record: Record, calls: set[str | None], ignored: Sequence[str]) -> bool:
    if record.role is Role.RESULT and record.call not in calls:
        return True
    command = record.command or ""
    entered = [f"{found[1]}/." for found in _ENTERS.finditer(command)]
    return mentions(f"{record.text} {command}", [*record.files, *entered], ignored)


def _is_within(record: Record, ignored: Sequence[str], below: Callable[[str], str]) -> bool:
    folder = below(record.cwd) if record.cwd else ""
    return bool(folder) and is_ignored(f"{folder}/", ignored)
