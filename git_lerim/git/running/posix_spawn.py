"""Run git from a hot path, without importing subprocess; POSIX only."""

import os
import select
from collections.abc import Sequence

from git_lerim.git.running.environment import SAFE, clean_environment


def start(args: Sequence[str], folder: str) -> tuple[int, int]:
    """Start git in a folder; return its process id and the descriptor of its output.

    Raises OSError.
    """
    reading, writing = os.pipe()
    nothing = os.devnull
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, nothing, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_OPEN, 2, nothing, os.O_WRONLY, 0),
    ]
    try:
        words = ["git", *SAFE, "-C", folder, *args]
        process = os.posix_spawnp("git", words, clean_environment(), file_actions=actions)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return process, reading


def answer(started: tuple[int, int], patience: float | None = None) -> bytes | None:
    """Wait for git and return its output, or None if it failed.

    If it prints nothing within `patience` seconds, it is killed.
    """
    process, reading = started
    if patience is not None and not select.select([reading], [], [], patience)[0]:
        import signal  # noqa: PLC0415 rarely needed, and slow to load

        os.kill(process, signal.SIGKILL)
    with open(reading, "rb") as pipe:  # noqa: PTH123 a pipe
        said = pipe.read()
    _, status = os.waitpid(process, 0)
    return None if status else said
