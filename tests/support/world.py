"""A person at a prompt: runs verbs, and has agents that left sessions."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from support import forks

# the sample session that decides on a storage, and goes on later
CATALOG = "5b0c1a2f-7c1e-4d0b-9a55-0e6f2b9d1c01"
SECRET = "tr0ub4dor-and-three"  # noqa: S105 it is there to be found nowhere else


@dataclass(frozen=True)
class Ran:
    """What a verb did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What was printed, read as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class World:
    """One person on one machine."""

    home: Path
    starts_python: bool = False  # for each verb, since what Python does then is tested

    def lerim(
        self,
        folder: Path,
        *words: str,
        stdin: str = "",
        env: dict[str, str] | None = None,
        timeout: float = 120,
    ) -> Ran:
        """Run `git lerim …` in a folder, as a process of its own."""
        env = os.environ | {"PYTHONSAFEPATH": "1"} | (env or {})
        if not self.starts_python and forks.can_run(env):
            code, out, err = forks.run(folder, words, env, stdin.encode(), timeout)
            return Ran(code, out.decode(), err.decode())
        done = subprocess.run(
            [sys.executable, "-m", "git_lerim", *words], cwd=folder, env=env,
            input=stdin.encode(), capture_output=True, check=False, timeout=timeout,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def session(self, sample: str, cwd: Path | str, *, name: str = CATALOG) -> Path:
        """Let Claude Code write a bundled sample session (or go on with it) that ran in a
        folder.
        """
        target = self.home / ".claude" / "projects" / "shop" / f"{name}.jsonl"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = files("git_lerim").joinpath("samples", sample).read_text(encoding="utf-8")
        text = text.replace("@CWD@", json.dumps(str(cwd))[1:-1]).replace(CATALOG, name)
        with target.open("a", encoding="utf-8") as file:
            file.write(text)
        return target

    def codex(self, sample: str, cwd: Path | str) -> Path:
        """Let Codex write a bundled sample session that ran in a folder."""
        target = (
            self.home
            / ".codex/sessions/2026/02/21/rollout-2026-02-21T14-00-00-019c7d20-4b1e-7a53-9c11-2f6d8e0a4b77.jsonl"  # noqa: E501
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        text = files("git_lerim").joinpath("samples", sample).read_text(encoding="utf-8")
        target.write_text(text.replace("@CWD@", json.dumps(str(cwd))[1:-1]), encoding="utf-8")
        return target
