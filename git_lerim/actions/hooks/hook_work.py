"""What a hook does in the background: sync one session, hand it off, prepare the next brief.

`start` imports almost nothing, because a hook runs before every step of an agent.
"""

import contextlib
import os
import sys
import time

from git_lerim import private_files
from git_lerim.git.running.environment import POINTING

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the cost of importing typing
if TYPE_CHECKING:
    from git_lerim.workspace import Workspace

LAST_WORDS = 0.5  # seconds for an ending agent to write the rest of its session
WAIT = 300  # seconds to wait for other runs
BRIEF = "brief.md"  # for agents that read a file and have no hooks


def start(agent: str, session: str, *, ended: bool) -> None:
    """Start work on a session in the background; without a session, prepare the next brief.

    Raises OSError.
    """
    words = ["hook", "--work", f"{agent}/{session}" if session else "-", *["--ended"] * ended]
    if not hasattr(os, "posix_spawn"):
        from pathlib import Path  # noqa: PLC0415 keep it fast

        from git_lerim.git.running import spawn_detached  # noqa: PLC0415

        spawn_detached.start(words, Path.cwd(), {})
        return
    nothing = os.devnull
    streams = [(os.POSIX_SPAWN_OPEN, number, nothing, os.O_RDWR, 0) for number in range(3)]
    env = {name: value for name, value in os.environ.items() if name not in POINTING} | {
        "GIT_TERMINAL_PROMPT": "0"
    }
    # -P: do not import a git_lerim from the current folder
    command = [
        sys.executable,
        "-P",
        "-m",
        "git_lerim",
        *words,
    ]
    try:
        os.posix_spawn(sys.executable, command, env, file_actions=streams, setsid=True)
    except NotImplementedError:  # an old C library: stay in the agent's process session
        os.posix_spawn(sys.executable, command, env, file_actions=streams)


def work(ws: "Workspace", session: str, *, ended: bool) -> None:
    """Do the work that `start` starts: sync a session, then prepare the next brief.

    `session` is `<agent>/<id>`, or "" for the brief alone. If the session ended and syncs are
    automatic, it is also handed off. Raises LerimError.
    """
    # imported here because `start` needs none of these
    from git_lerim import agent_limits  # noqa: PLC0415
    from git_lerim.git.running.spawn_detached import lower_priority  # noqa: PLC0415
    from git_lerim.recall.brief import delivered  # noqa: PLC0415

    lower_priority()
    if not ws.has_memory() or agent_limits.forbids_work(ws.env, ws.settings):
        return
    if session:
        time.sleep(LAST_WORDS)
        _synced(ws, session, ended=ended)
    prepare(ws)
    delivered.prune(str(ws.folder), ws.now.timestamp())


def prepare(ws: "Workspace") -> None:
    """Update the index, write the next session's brief, and cache what the next hook needs."""
    from git_lerim.actions.brief import brief  # noqa: PLC0415

    made = brief(ws)
    with contextlib.suppress(OSError):
        private_files.replace(ws.folder / BRIEF, made.text)


def _synced(ws: "Workspace", session: str, *, ended: bool) -> None:
    from git_lerim.actions.handoffs.begin_handoff import from_session  # noqa: PLC0415
    from git_lerim.actions.sync.run_sync import sync  # noqa: PLC0415
    from git_lerim.actions.sync.sync_options import Options  # noqa: PLC0415
    from git_lerim.errors import LerimError  # noqa: PLC0415

    agent, _, id_ = session.partition("/")
    # LerimError: the session left no transcript
    with (
        contextlib.suppress(LerimError),
        ws.locked(WAIT),
    ):
        sync(ws, Options(session=id_, agents=(agent,), background=True), lambda *_: None)
        if ended and ws.settings["sync"] == "auto":
            from_session(ws, session)
