"""Select the prose that a session wrote into the repository, to show it to a model."""

import re
from collections.abc import Collection, Mapping, Sequence

from git_lerim.sessions import prose
from git_lerim.sessions.commit_messages import committed, piped
from git_lerim.sessions.session import Record, Role

CALL_LIMIT = 900  # characters shown of one call
# Most characters to show of a session: LEAST, or SHARE of its other text if that is more.
LEAST, SHARE = 1_500, 0.12
_ABSOLUTE = re.compile(r"/|[A-Za-z]:/|~")
# Plans and notes of agents, and temporary files; such folders are seldom in a repository.
_OUTSIDE = re.compile(
    r"(?:\A|/)(?:tmp|temp|scratchpad|\.(?:claude|codex|cursor|gemini|copilot|pi|opencode|qwen))/",
    re.IGNORECASE,
)


def wrote(records: Sequence[Record], undone: Collection[str], size: int) -> Mapping[int, list[str]]:
    """Map the index of each call's record to the passages of prose that the call wrote.

    A passage is returned only once. Calls in `undone` failed or were rejected, and are left out.
    `size` is the length of the session's other text, which limits how much is returned.
    """
    folders = {_slashed(record.cwd).rstrip("/") for record in records if record.cwd}
    found: dict[int, list[str]] = {}
    seen: set[str] = set()
    for index, record in enumerate(records):
        if record.role is not Role.CALL or record.call in undone:
            continue
        new = [each for each in dict.fromkeys(_of_call(record, folders)) if each not in seen]
        if kept := prose.shortened(new, CALL_LIMIT):
            found[index] = kept
            seen.update(kept)
    every = [passage for kept in found.values() for passage in kept]
    shown = set(prose.shortened(every, max(LEAST, int(size * SHARE))))
    return {
        index: rest
        for index, kept in found.items()
        if (rest := [passage for passage in kept if passage in shown])
    }


def _of_call(record: Record, folders: Collection[str]) -> list[str]:
    """Return the prose that a call wrote, without what the record's text shows anyway."""
    is_kept = all(_is_kept(path, folders) for path in record.files)
    found = list(record.prose) if is_kept else []
    if not record.command:
        return found
    line = " ".join(record.text.split())
    found += map(prose.cut, committed(record.command))
    for path, text in piped(record.command):
        if _is_kept(path, folders):
            found += map(prose.cut, prose.added(path, "", text))
    return [passage for passage in found if passage not in line]


def _is_kept(path: str, folders: Collection[str]) -> bool:
    """Return whether a file probably belongs to the repository."""
    name = _slashed(path)
    if _ABSOLUTE.match(name):
        below = [name[len(folder) :] for folder in folders if name.startswith(f"{folder}/")]
        name = min(below, key=len, default="/tmp/")  # noqa: S108 a path to compare
    return not name.startswith("../") and not _OUTSIDE.search(name)


def _slashed(path: str) -> str:
    return path.replace("\\", "/")
