"""Log which memories were shown, by appending one line to a local file.

This module imports little, because the fast paths use it. `access_counts` counts the lines.
"""

import os
import time

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "accesses"
LIMIT = 16 << 20  # bytes; reached only if no writing verb ever counts the log

_FLAGS = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def log_shown(
    folder: str | os.PathLike[str], ids: "Iterable[str]", now: float | None = None
) -> None:
    """Log that memories were shown to a person or an agent; an unwritable folder is ignored.

    `folder` is the repository's `lerim` folder, `now` the time in seconds. Each call appends in a
    single write, so that concurrent processes lose nothing and need no lock.
    """
    line = " ".join(ids)
    if not line:
        return
    day = "{:04}-{:02}-{:02}".format(*time.gmtime(now)[:3])
    try:
        # pathlib alone would cost more than all of this
        handle = _open(os.path.join(folder, NAME))  # noqa: PTH118
        try:
            if os.fstat(handle).st_size < LIMIT:
                os.write(handle, f"{day} {line}\n".encode("ascii", "replace"))
        finally:
            os.close(handle)
    except OSError:
        return  # reading must not fail because of this


def _open(path: str) -> int:
    try:
        return os.open(path, _FLAGS, 0o600)
    except FileNotFoundError:
        from git_lerim import private_files  # noqa: PLC0415 needed once

        # as above
        private_files.make_folders(os.path.dirname(path))  # noqa: PTH120
        return os.open(path, _FLAGS, 0o600)
