"""The tools offered to an agent.

A model reads all descriptions before each turn, so they are short: see `test_tool_table`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from git_lerim.errors import LerimError
from git_lerim.serve.mcp import reading, writing
from git_lerim.serve.mcp.protocol import INVALID_PARAMS, RpcError
from git_lerim.serve.mcp.repositories import Repositories
from git_lerim.serve.mcp.session import Client

Type: TypeAlias = Literal["decision", "pitfall", "procedure", "preference", "fact", "insight"]
Ids: TypeAlias = Annotated[list[str], Meta(min_length=1, max_length=10)]


class _Arguments(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The arguments that all tools accept."""

    repository: str = ""


class Search(_Arguments):
    """The arguments of the tool `search`."""

    query: Annotated[str, Meta(description="words; path:FILE and kind:pitfall narrow it")]
    limit: Annotated[int, Meta(ge=1, le=50)] = 8
    all: Annotated[bool, Meta(description="superseded and archived ones too")] = False


class Read(_Arguments):
    """The arguments of the tool `read`."""

    ids: Ids
    history: bool = False
    evidence: Annotated[bool, Meta(description="the session records behind it")] = False


class Why(_Arguments):
    """The arguments of the tool `why`."""

    path: Annotated[str, Meta(description="PATH, PATH:LINE or PATH:LINE-LINE")]


class Ask(_Arguments):
    """The arguments of the tool `ask`."""

    question: str


class Remember(_Arguments):
    """The arguments of the tool `remember`."""

    title: Annotated[str, Meta(description="one statement that reads without this session")]
    why: Annotated[str, Meta(description="the reason, and what follows")]
    type: Type
    rejected: Annotated[list[str], Meta(description="options not taken")] = []
    files: Annotated[list[str], Meta(description="PATH or PATH:LINE-LINE")] = []
    user_words: Annotated[
        str, Meta(description="the user's sentence, verbatim; required for a preference")
    ] = ""


class Update(_Arguments):
    """The arguments of the tool `update`."""

    id: str
    title: str = ""
    why: str = ""
    rejected: list[str] = []
    files: list[str] = []


class Forget(_Arguments):
    """The arguments of the tool `forget`."""

    ids: Ids


class Feedback(_Arguments):
    """The arguments of the tool `feedback`."""

    id: str
    verdict: Literal["used", "helpful", "wrong", "stale", "confirmed"]
    reason: str = ""


class Handoff(_Arguments):
    """The arguments of the tool `handoff`."""

    action: Literal["list", "begin", "claim"]
    text: Annotated[str, Meta(description="begin: how the work stands")] = ""
    questions: list[str] = []
    next: list[str] = []
    id: Annotated[str, Meta(description="claim: which one")] = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its description, the type of its arguments, and the function that it runs."""

    about: str
    takes: type[_Arguments]
    run: Callable[[Repositories, Client, Any], str]
    writes: bool = False


TOOLS: dict[str, Tool] = {
    "search": Tool(
        "Search the repository's memory: decisions, pitfalls, preferences of earlier sessions. Use"
        " it before choosing between options, or when something fails. Rows have id, date, title,"
        " state, tokens.",
        Search,
        reading.search,
    ),
    "read": Tool("Read memories in full, by ids or prefixes of 4+ characters.", Read, reading.read),
    "why": Tool(
        "Why code is as it is: memories, commits and sessions behind a file or lines.",
        Why,
        reading.why,
    ),
    "ask": Tool(
        "Answer a question with sentences from memories, each with its source; says so if none"
        " answers it.",
        Ask,
        reading.ask,
    ),
    "remember": Tool(
        "Keep what the next session must know and cannot see in code or git log: a choice and its"
        " reason, a trap that cost time, a wish of the user for all work. Not steps, status, edits."
        " At most five a session.",
        Remember,
        writing.remember,
        writes=True,
    ),
    "update": Tool(
        "Correct a memory that is no longer true; give only what changes.",
        Update,
        writing.update,
        writes=True,
    ),
    "forget": Tool(
        "Archive memories that are wrong or no longer of use.", Forget, writing.forget, writes=True
    ),
    "feedback": Tool(
        "Say that a memory helped, is wrong or stale, or was checked and holds.",
        Feedback,
        writing.feedback,
        writes=True,
    ),
    "handoff": Tool(
        "Hand unfinished work to the next session (begin), see what is open (list), take one over"
        " (claim, once only).",
        Handoff,
        writing.handoff,
        writes=True,
    ),
}


def listed(names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the answer to `tools/list`; `names` are the repositories to choose from."""
    return [
        {
            "name": name,
            "description": tool.about,
            "inputSchema": _schema(tool.takes, names),
            "annotations": {"destructiveHint": False} if tool.writes else {"readOnlyHint": True},
        }
        for name, tool in TOOLS.items()
    ]


def _schema(takes: type[_Arguments], names: Sequence[str]) -> dict[str, Any]:
    schema = msgspec.json.schema(takes)
    found = schema["$defs"][takes.__name__]
    properties = {
        name: {key: value for key, value in each.items() if key != "default"}
        for name, each in found["properties"].items()
        if name != "repository"
    }
    if names:
        properties["repository"] = {"enum": list(names)}
    return {"type": "object", "properties": properties, "required": found.get("required", [])}


def call(repositories: Repositories, client: Client, params: Mapping[str, Any]) -> dict[str, Any]:
    """Run a tool and return the answer to `tools/call`; errors are text that a model can act on."""
    name, given = params.get("name"), params.get("arguments", {})
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise RpcError(INVALID_PARAMS, f"there is no tool {str(name)[:80]}")
    try:
        arguments = msgspec.convert(given if given is not None else {}, tool.takes)
    except msgspec.ValidationError as error:
        return _text(f"{name}: {error}", failed=True)
    try:
        return _text(tool.run(repositories, client.called_with(params.get("_meta")), arguments))
    except LerimError as error:
        return _text(f"{error}{f' ({error.hint})' if error.hint else ''}", failed=True)


def _text(text: str, *, failed: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": failed}
