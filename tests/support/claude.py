"""Sessions as Claude Code leaves them, for tests."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ID = "5b0c1a2f-0000-4000-8000-000000000001"


@dataclass
class Recording:
    """One transcript, to which prompts and replies are added line by line."""

    home: Path
    cwd: str
    id: str = ID
    project: str = "-work"
    lines: int = field(default=0, init=False)

    @property
    def path(self) -> Path:
        """The file it stands in."""
        return self.home / ".claude" / "projects" / self.project / f"{self.id}.jsonl"

    def prompt(self, text: str, **more: Any) -> "Recording":
        """Add words of the human."""
        return self.add("user", text, **more)

    def reply(self, text: str, **more: Any) -> "Recording":
        """Add words of the agent."""
        return self.add("assistant", [{"type": "text", "text": text}], **more)

    def add(self, kind: str, content: Any, **more: Any) -> "Recording":
        """Add one stored record."""
        n = self.lines = self.lines + 1
        message = {"role": kind, "content": content} | (
            {"id": f"msg_{n}", "model": "claude-opus"} if kind == "assistant" else {}
        )
        stored = {
            "parentUuid": f"{self.id}-{n - 1}" if n > 1 else None,
            "isSidechain": False,
            "cwd": self.cwd,
            "sessionId": self.id,
            "version": "2.1.119",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": f"{self.id}-{n}",
            "timestamp": f"2026-02-20T09:{n // 60:02}:{n % 60:02}.000Z",
        }
        return self.raw(json.dumps(stored | more) + "\n")

    def raw(self, text: str | bytes) -> "Recording":
        """Add bytes as they are."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(text.encode() if isinstance(text, str) else text)
        return self
