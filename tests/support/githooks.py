"""Git's hooks in tests: every git that can be had, and what our hooks did."""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

# Folders of further gits, newer or older than the one on PATH, as PATH lists them.
GITS = ["", *filter(None, os.environ.get("LERIM_TEST_GITS", "").split(os.pathsep))]


def version(folder: str) -> tuple[int, ...]:
    """Return the version of the git in a folder; of the one on PATH without one."""
    program = shutil.which("git", path=folder or None) or "git"
    said = subprocess.run([program, "version"], capture_output=True, text=True, check=True)
    return tuple(map(int, re.findall(r"\d+", said.stdout)[:2]))


VERSIONS = {folder: version(folder) for folder in GITS}  # before a test has put another one first


def runs(own: Path) -> int:
    """Return how often our hooks have synced, once what they started has ended. `own` is the folder
    `.git/lerim`.
    """
    _settled(own)
    try:
        return (own / "activity.log").read_text().count(" sync sync-")
    except FileNotFoundError:
        return 0


def last(own: Path) -> dict[str, object]:
    """Return what the last run noted, once it has ended."""
    _settled(own)
    found: dict[str, object] = json.loads((own / "hook-ran").read_bytes())
    return found


def _settled(own: Path) -> None:
    quiet = 0
    for _ in range(600):
        quiet = 0 if _is_busy(own) else quiet + 1
        if quiet == 3:
            return
        time.sleep(0.05)
    raise AssertionError(f"what the hooks started in {own} does not end")


def _is_busy(own: Path) -> bool:
    starting, ran = own / "hook-starting", own / "hook-ran"
    try:
        if starting.exists() and _lives(int(starting.read_text() or "0")):
            return True
        if (own / "hook-again").exists():
            return True
        return ran.exists() and json.loads(ran.read_bytes())["seconds"] is None
    except (OSError, ValueError):  # just being written, or taken away
        return True


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return pid > 0
