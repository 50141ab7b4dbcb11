"""A guided tour: the real commands on sample sessions in a temporary repository."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from git_lerim.git.running.process import require_git

_CLAUDE = "5b0c1a2f-7c1e-4d0b-9a55-0e6f2b9d1c01"
_CHORE = "7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02"
_CODEX = "rollout-2026-02-21T14-00-00-019c7d20-4b1e-7a53-9c11-2f6d8e0a4b77"
_CODE = {
    "shop/catalog.py": "import sqlite3\n",
    "shop/prices.py": "price_cents = 1999\n",
    "tests/conftest.py": "# fixtures\n",
    "pyproject.toml": "[tool.pytest]\nenv = TZ=UTC\n",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the tour, why it is run, and its output."""

    why: str
    command: str
    output: str
    failed: bool


def tour(folder: Path) -> Iterator[Step]:
    """Run the tour in an empty folder; yield each step as soon as its command has ended."""
    require_git()  # before anything is created
    stage = _Stage(folder)
    stage.build()
    yield stage.run(
        "There are three sessions of two agents on this machine. Sync reads them and commits what"
        " is worth keeping, one commit per session:",
        "git lerim sync --window all",
    )
    yield stage.run(
        "The memory is an ordinary branch; its log is the audit trail:",
        "git log --oneline lerim/memory",
    )
    yield stage.run("These are the memories:", "git lerim list")
    yield stage.run(
        "Each memory cites the session records and the code that it comes from:",
        f"git lerim show {stage.first('decision')}",
    )
    yield stage.run(
        "A test printed a password. It was redacted before anything was written:",
        "git grep -c tr0ub4dor lerim/memory || echo 'not found on the branch'",
    )
    stage.go_on()
    yield stage.run(
        "Three days later the session continued, and the team changed its mind. Sync reads only"
        " what is new:",
        "git lerim sync --window all",
    )
    yield stage.run("Every change is a diff that can be reviewed and undone:", "git lerim diff")
    yield stage.run(
        "A second sync finds nothing new and commits nothing:", "git lerim sync --window all"
    )


class _Stage:
    """The temporary repository and home folder in which the tour runs."""

    def __init__(self, folder: Path) -> None:
        self._home, self._repo = folder / "home", folder / "shop"
        self._projects = self._home / ".claude" / "projects" / "shop"
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "LERIM_", "XDG_", "CLAUDE", "CODEX"))
        }
        self._env = kept | {
            "HOME": str(self._home),
            "USERPROFILE": str(self._home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_PAGER": "cat",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        }

    def build(self) -> None:
        """Create the repository, and store sample sessions in the folders of their agents."""
        self._projects.mkdir(parents=True)
        sessions = self._home / ".codex" / "sessions" / "2026" / "02" / "21"
        sessions.mkdir(parents=True)
        self._repo.mkdir()
        self._put("claude-catalog.jsonl", self._projects / f"{_CLAUDE}.jsonl")
        self._put("claude-rename.jsonl", self._projects / f"{_CHORE}.jsonl")
        self._put("codex-prices.jsonl", sessions / f"{_CODEX}.jsonl")
        for name, text in _CODE.items():
            (self._repo / name).parent.mkdir(exist_ok=True)
            (self._repo / name).write_text(text, encoding="utf-8")
        self._git("init", "-q", "-b", "main")
        # other agents' variables could lead to the real user's sessions
        self._git("config", "lerim.agents", "claude,codex")
        self._git("config", "user.name", "Ada")
        self._git("config", "user.email", "ada@example.org")
        self._git("add", ".")
        self._env |= {"GIT_COMMITTER_DATE": "2026-02-20T09:00:00Z"}
        self._git("commit", "-q", "-m", "Begin the shop", "--date", "2026-02-20T09:00:00Z")
        del self._env["GIT_COMMITTER_DATE"]

    def go_on(self) -> None:
        """Append more records to the first session, as if the user had continued it."""
        self._put("claude-catalog-continued.jsonl", self._projects / f"{_CLAUDE}.jsonl")

    def run(self, why: str, command: str) -> Step:
        """Run one command as a user would type it; return it with its output and the reason."""
        done = subprocess.run(
            _shell(command), cwd=self._repo, env=self._env, capture_output=True, check=False
        )
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        return Step(why=why, command=command, output=text.rstrip("\n"), failed=done.returncode != 0)

    def first(self, primitive: str) -> str:
        """Return the id of the oldest memory of a type, or of any type if there is none.

        Without memories, return `''`, which is an empty argument in a shell.
        """
        listed = subprocess.run(
            _shell("git lerim list --json"),
            cwd=self._repo,
            env=self._env,
            capture_output=True,
            check=False,
        )
        memories = json.loads(listed.stdout or "[]")
        ids = [memory["id"] for memory in memories if memory["primitive"] == primitive] or [
            memory["id"] for memory in memories
        ]
        return str(ids[-1]) if ids else "''"

    def _git(self, *words: str) -> None:
        subprocess.run(
            ["git", *words], cwd=self._repo, env=self._env, check=True, capture_output=True
        )

    def _put(self, name: str, target: Path) -> None:
        """Append a sample to a session file, with the repository as its working directory."""
        text = files("git_lerim").joinpath("samples", name).read_text(encoding="utf-8")
        with target.open("a", encoding="utf-8") as file:
            file.write(text.replace("@CWD@", json.dumps(str(self._repo))[1:-1]))


def _shell(command: str) -> list[str]:
    """Return the arguments that run a command line in a shell.

    `git lerim` is replaced with a call of this Python, because PATH may lack the program.
    """
    python = f'"{sys.executable}" -m git_lerim'
    line = command.replace("git lerim", python)
    return ["cmd", "/c", line] if sys.platform == "win32" else ["sh", "-c", line]
