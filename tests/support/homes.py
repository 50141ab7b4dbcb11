"""People who have the corpus as their own sessions: which folder is which agent's home, and how
they sync it.
"""

import json
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support import counts, counts_of_rows
from support.counts import Counts
from support.world import Ran, World

COUNTERS: dict[str, Callable[[Path], Counts]] = {
    "claude": counts.claude, "codex": counts.codex, "opencode": counts_of_rows.opencode,
    "cursor": counts_of_rows.cursor,
    "gemini": counts.gemini, "copilot": counts.copilot, "pi": counts.pi,
}  # fmt: skip
SESSIONS = {  # agent → its homes below the corpus
    "claude": ("claude-code/JanDeDobbeleer+oh-my-posh", "claude-code/daaain+claude-code-log",
        "claude-code/entireio+cli",
               "claude-code/git-ai"),
    "codex": ("codex/EntityProcess+agentv", "codex/Standard-Syntax+basic",
        "codex/savekirk+session-bridge"),
    "opencode": ("opencode/eitatech+gatomia-vscode", "opencode/git-ai",
        "opencode/savekirk+session-bridge"),
    "cursor": ("cursor/Aleksey0x+CursorSync", "cursor/lerim-dev+lerim", "cursor-agent/git-ai"),
    "gemini": ("gemini-cli/entireio+cli", "gemini-cli/git-ai",
        "gemini-cli/savekirk+session-bridge"),
    "copilot": ("copilot-cli/EntityProcess+agentv", "copilot-cli/eitatech+gatomia-vscode",
        "copilot-cli/git-ai"),
    "pi": ("pi/badlogic+pi-mono", "pi/codyborders+yinshi", "pi/git-ai"),
}  # fmt: skip
HOMES = [(agent, below) for agent, places in SESSIONS.items() for below in places]
VARIABLES = {
    "claude": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME", "gemini": "GEMINI_CLI_HOME",
    "copilot": "COPILOT_HOME",
    "pi": "PI_CODING_AGENT_DIR",
}  # fmt: skip
# A folder that may be adopted: absolute, neither a root nor a home folder.
ADOPTABLE = re.compile(
    r"/(?!(?:home|Users)(?:/[^/]+)?/?$)[^/].*|[A-Za-z]:[\\/](?!Users(?:[\\/][^\\/]+)?$).+"
)


def counted(agent: str, home: Path) -> Counts:
    """Count what lies in an agent's home."""
    return COUNTERS[agent](home)


def adoptable(found: Counts) -> list[str]:
    """Return the folders that sessions ran in and that may be adopted."""
    return sorted(
        {cwd for count in found.values() for cwd in count.cwds if ADOPTABLE.fullmatch(cwd)}
    )


@dataclass
class Person:
    """One person, their repository, and the agents' homes they have."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def repo(self) -> Path:
        """The repository they sync."""
        return self.folder / "repo"

    @property
    def kept(self) -> Path:
        """The folder of what is local to their repository."""
        return self.repo / ".git" / "lerim"

    def lerim(self, *words: str) -> Ran:
        """Run a verb as a process of its own."""
        return World(self.folder / "home").lerim(self.repo, *words, env=self.env)

    def sync(self, *options: str) -> dict[str, Any]:
        """Sync, which must go well, and return the report."""
        ran = self.lerim("sync", "--window", "all", "--json", *options)
        assert ran.code == 0, ran.err
        assert "Traceback" not in ran.err
        assert "internal error" not in ran.err, ran.err
        report: dict[str, Any] = ran.json
        return report

    def sessions(self) -> dict[str, dict[str, Any]]:
        """Return all sessions as they are listed, by id."""
        return {
            row["name"].partition("/")[2]: row
            for row in self.lerim("sessions", "--all", "--json").json
        }

    def memories(self) -> dict[str, dict[str, Any]]:
        """Return all memories by id."""
        return {memory["id"]: memory for memory in self.lerim("list", "--all", "--json").json}

    def active(self) -> dict[str, tuple[str, str]]:
        """Return title and body of what is active, by id."""
        return {
            id_: (m["title"], m["body"])
            for id_, m in self.memories().items()
            if m["status"] == "active"
        }

    def cached(self, session: str) -> list[dict[str, Any]]:
        """Return the records that are kept of a session."""
        sql = "SELECT records FROM chunks WHERE session = ? ORDER BY part, source, rowid"
        rows = self.rows("cache/transcripts.sqlite3", sql, session)
        return [record for (blob,) in rows for record in json.loads(blob)]

    def rows(self, database: str, sql: str, *arguments: str) -> list[Any]:
        """Ask one of the local databases."""
        with closing(sqlite3.connect(f"file:{self.kept / database}?mode=ro", uri=True)) as db:
            return db.execute(sql, arguments).fetchall()

    def written(self) -> dict[str, bytes]:
        """Return all that was written: the objects of the repository, and the local files."""
        batch = ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"]
        objects = subprocess.run(batch, cwd=self.repo, capture_output=True, check=True).stdout
        files = [path for path in self.kept.rglob("*") if path.is_file()]
        return {"objects": objects} | {
            str(path.relative_to(self.kept)): path.read_bytes() for path in files
        }


Homes = Iterable[tuple[str, Path]]


def person(
    folder: Path, homes: Homes, places: Iterable[str], env: Mapping[str, str] | None = None
) -> Person:
    """Let a person have a new repository, connect agents' homes, and adopt the folders that
    sessions ran in.
    """
    own = folder / "home"
    own.mkdir(parents=True)
    (folder / "repo").mkdir()
    settings = ["[user]\n\tname = Ada Tester\n\temail = ada@example.org\n"]
    settings += [f'[lerim "{agent}"]\n\tpath = {json.dumps(str(home))}\n' for agent, home in homes]
    settings += ["[lerim]\n", *(f"\trepositoryPath = {json.dumps(place)}\n" for place in places)]
    (own / ".gitconfig").write_text("".join(settings))
    sealed = {
        "HOME": own,
        "GIT_CONFIG_GLOBAL": own / ".gitconfig",
        "XDG_CONFIG_HOME": own,
        "XDG_DATA_HOME": own,
        "XDG_STATE_HOME": own,
    }
    someone = Person(
        folder,
        {name: str(path) for name, path in sealed.items()}
        | {"GIT_CONFIG_NOSYSTEM": "1", **(env or {})},
    )
    subprocess.run(["git", "init", "-q", str(someone.repo)], check=True)
    return someone


def at_home(folder: Path, agent: str, home: Path, places: Iterable[str]) -> Person:
    """Let a person have one agent's home: by its variable where it has one, else connected."""
    named = VARIABLES.get(agent)
    someone = person(folder, [], places, {named: str(home)} if named else {})
    if not named:
        assert someone.lerim("connect", agent, "--path", str(home)).code == 0
    return someone
