"""What a session with memory is given, by the parts that a real agent uses: the hooks' command, and
the MCP server.
"""

import json
import sys
from pathlib import Path
from typing import Any, Self

from clones import lerim

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from support.mcp import Peer

PREFIX = "mcp__lerim__"


class Memory:
    """The memory of one repository, for one session."""

    def __init__(self, repository: Path, session: str) -> None:
        """Prepare what a hook hands out."""
        self._repository, self._session = repository, session
        lerim(
            repository, "brief"
        )  # else the first hook of a fresh copy gives what was prepared elsewhere
        self._peer = Peer(repository, {"CLAUDE_CODE_SESSION_ID": session})

    def __enter__(self) -> Self:
        self.instructions: str = self._peer.hello()["instructions"]
        return self

    def __exit__(self, *_: object) -> None:
        self._peer.__exit__()

    def tools(self) -> list[dict[str, Any]]:
        """Return the server's tools as a model's endpoint takes them."""
        return [
            {
                "type": "function",
                "function": {
                    "name": f"{PREFIX}{tool['name']}",
                    "description": tool["description"],
                    "parameters": tool["inputSchema"],
                },
            }
            for tool in self._peer.ask("tools/list")["result"]["tools"]
        ]

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Call a tool of the server."""
        answer = self._peer.ask(
            "tools/call", {"name": name.removeprefix(PREFIX), "arguments": arguments}
        )
        if "error" in answer:
            return f"error: {answer['error']['message']}"
        return str(answer["result"]["content"][0]["text"])

    def at_start(self) -> str:
        """Return what the hook says when a session begins."""
        return self._hook("SessionStart", source="startup")

    def at_prompt(self, prompt: str) -> str:
        """Return what the hook says to a prompt."""
        return self._hook("UserPromptSubmit", prompt=prompt)

    def at_file(self, tool: str, path: str) -> str:
        """Return what the hook says before a file is read or edited."""
        return self._hook(
            "PreToolUse", tool_name=tool, tool_input={"file_path": str(self._repository / path)}
        )

    def _hook(self, event: str, **more: Any) -> str:
        payload = {
            "session_id": self._session,
            "cwd": str(self._repository),
            "hook_event_name": event,
        } | more
        printed = lerim(self._repository, "hook", "claude", event, stdin=json.dumps(payload))
        return (
            str(json.loads(printed)["hookSpecificOutput"]["additionalContext"])
            if printed.strip()
            else ""
        )
