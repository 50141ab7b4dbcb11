"""Record which memories each session was given, so that none is given twice.

There is one small file per session; extraction uses it to recognise texts that only repeat a
memory. This module imports little, because a hook runs before each step of an agent.
"""

# ruff: noqa: PTH108, PTH110, PTH116, PTH118, PTH120, PTH123, PTH208 pathlib alone would
# cost more than all of this

import os
import time

from git_lerim import private_files

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_lerim.recall.index.index_reader import Document

FOLDER = "delivered"
LOG = "hooks.log"
KEPT = 90 * 86_400  # seconds after which a session's file is deleted
_LONGEST = 1 << 20  # bytes read of a file
_TASK = "+task"
_AT_ONCE = 5.0  # seconds in which one answer starts all its sub-agents
_BEGUN = 60.0  # seconds after which a task no longer belongs to a new sub-agent
_LOG_LIMIT = 1 << 18  # bytes; then the log is truncated
_FLAGS = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


class Delivery:
    """The last time that an agent was given memories."""

    __slots__ = ("at", "event", "tokens")

    def __init__(self, at: str, event: str, tokens: int) -> None:
        """Initialize with time (ISO 8601, UTC), event name, and a high estimate of the tokens."""
        self.at = at
        self.event = event
        self.tokens = tokens


def path_of(folder: str, agent: str, session: str, helper: str = "") -> str:
    """Return the path of the file that records what a session, or a sub-agent of it, was given.

    `folder` is the repository's `lerim` folder.
    """
    return os.path.join(
        folder, FOLDER, _name(agent, session) + (f"+{_plain(helper)}" if helper else "")
    )


def read(path: str) -> dict[str, str]:
    """Return which version (blob) of each memory a session was given last, by the memory's id."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            lines = file.read(_LONGEST).splitlines()
    except OSError:
        return {}
    return {id_: blob for id_, _, blob in (line.partition(" ") for line in lines) if len(id_) == 13}


def ids(folder: str, agent: str, session: str) -> set[str]:
    """Return the ids of all memories given to a session and its sub-agents."""
    name = _name(agent, session)
    try:
        names = os.listdir(os.path.join(folder, FOLDER))
    except OSError:
        return set()
    mine = [one for one in names if one == name or one.startswith(f"{name}+")]
    return {id_ for one in mine for id_ in read(os.path.join(folder, FOLDER, one))}


def note(path: str, documents: "Iterable[Document]") -> None:
    """Record memories as given to a session, in a single write.

    Raises OSError; the caller must then not deliver them, since they would be delivered again.
    """
    lines = "".join(f"{one.id} {one.blob}\n" for one in documents).encode("ascii", "replace")
    private_files.make_folders(os.path.dirname(path))
    handle = os.open(path, _FLAGS, 0o600)
    try:
        if os.write(handle, lines) != len(lines):
            raise OSError(28, "the disk is full")
    finally:
        os.close(handle)


def note_task(path: str, documents: "Iterable[Document]") -> None:
    """Record the memories to give to a sub-agent that is about to start. Raises OSError."""
    task = f"{path}{_TASK}"
    if _age(task) > _AT_ONCE and os.path.exists(task):  # one answer may start several sub-agents
        os.unlink(task)
    note(task, documents)


def task(path: str) -> list[str]:
    """Return the ids of the memories for the sub-agents that a session is starting now."""
    noted = f"{path}{_TASK}"
    return list(read(noted)) if _age(noted) < _BEGUN else []


def log(folder: str, agent: str, event: str, tokens: int) -> None:
    """Append a line about a delivery to the log; errors are ignored."""
    path = os.path.join(folder, LOG)
    try:
        handle = os.open(path, _FLAGS | (os.O_TRUNC if _size(path) > _LOG_LIMIT else 0), 0o600)
        try:
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            os.write(handle, f"{now} {agent} {event} {tokens}\n".encode())
        finally:
            os.close(handle)
    except OSError:
        return


def last_deliveries(folder: str | os.PathLike[str]) -> dict[str, Delivery]:
    """Map each agent to the last delivery of memories to it, from the log in the `lerim` folder."""
    try:
        text = private_files.read_text(os.path.join(folder, LOG), _LONGEST)
    except OSError:
        return {}
    return {
        row[1]: Delivery(row[0], row[2], int(row[3]))
        for row in map(str.split, text.splitlines())
        if len(row) == 4 and row[3].isdecimal()
    }


def prune(folder: str, now: float) -> None:
    """Delete the files of sessions that were given nothing for a long time."""
    place = os.path.join(folder, FOLDER)
    try:
        paths = [os.path.join(place, name) for name in os.listdir(place)]
        for path in paths:
            if os.stat(path).st_mtime < now - KEPT:
                os.unlink(path)
    except OSError:
        return


def _name(agent: str, session: str) -> str:
    return f"{_plain(agent)}-{_plain(session or 'unknown')}"


def _plain(name: str) -> str:
    """Return a name in a form that is safe as a file name: unchanged or, if needed, hashed."""
    if len(name) <= 80 and name.isascii() and name.replace("-", "").replace("_", "").isalnum():
        return name
    from hashlib import blake2b  # noqa: PLC0415 no agent has such ids today

    return "h" + blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _age(path: str) -> float:
    try:
        return time.time() - os.stat(path).st_mtime
    except OSError:
        return _BEGUN


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
