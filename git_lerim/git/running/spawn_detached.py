"""Start `git lerim` as a detached process, which outlives the current one."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from git_lerim.git.running.environment import POINTING

# Windows only. A job, such as that of an editor's terminal, would end the child with its parent.
_APART = sum(
    getattr(subprocess, name, 0) for name in ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP")
)
_LEAVING = getattr(subprocess, "CREATE_BREAKAWAY_FROM_JOB", 0)
_UNASKED = {"GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never"}
# processes that are never waited for, but polled when the next one starts
_started: list["subprocess.Popen[bytes]"] = []


def start(words: Sequence[str], folder: Path, env: Mapping[str, str]) -> bool:
    """Start `git lerim WORDS` as a detached process; return whether it started.

    `env` is added to its environment.
    """
    kept = {name: value for name, value in os.environ.items() if name not in POINTING}
    _started[:] = [process for process in _started if process.poll() is None]
    for leaving in dict.fromkeys((_LEAVING, 0)):
        try:
            process = subprocess.Popen(
                # -P: the folder may contain a module of any name
                [sys.executable, "-P", "-m", "git_lerim", *words],
                cwd=folder, env=kept | _UNASKED | dict(env), start_new_session=True,
                creationflags=_APART | leaving,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:  # e.g. a job that forbids breaking away
            continue
        _started.append(process)
        return True
    return False


def lower_priority() -> None:
    """Lower the priority of this process, if the system allows it."""
    if hasattr(os, "nice"):
        os.nice(10)
