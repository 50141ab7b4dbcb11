"""Identify the agent that is connected, and its session."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

MOST = 5  # memories that an agent may write per run of the server

# The known agents: the name in an agent's `clientInfo` contains one of these.
_AGENTS = ("claude", "codex", "opencode", "gemini", "copilot", "cursor", "qwen")
_SESSIONS = {  # environment variables that agents set for servers
    "claude": "CLAUDE_CODE_SESSION_ID",
    "copilot": "COPILOT_AGENT_SESSION_ID",
    "qwen": "QWEN_CODE_SESSION_ID",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The connected agent, its session, and the memories that it wrote in this run."""

    agent: str = ""  # as in the roster; empty if unknown
    session: str = ""
    written: set[str] = field(default_factory=set)  # ids, shared by all calls of one run

    def named(self, info: Any) -> "Client":
        """Return the client with the agent that its `clientInfo` names, and the agent's session."""
        name = str(info.get("name", "")).lower() if isinstance(info, Mapping) else ""
        agent = next((known for known in _AGENTS if known in name), "")
        session = os.environ.get(_SESSIONS.get(agent, ""), "")
        return replace(self, agent=agent, session=session)

    def called_with(self, meta: Any) -> "Client":
        """Return the client with the session that a call's metadata names, as Codex sends it."""
        turn = meta.get("x-codex-turn-metadata") if isinstance(meta, Mapping) else None
        session = turn.get("session_id") if isinstance(turn, Mapping) else None
        return replace(self, session=session) if isinstance(session, str) and session else self
