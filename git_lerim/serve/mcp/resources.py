"""Resources (the brief, each memory by its id), and prompts for users."""

from typing import Any

from git_lerim.actions.brief import brief
from git_lerim.actions.listing import list_memories as listed_memories
from git_lerim.errors import UnknownMemory, UsageError
from git_lerim.serve.mcp import reading
from git_lerim.serve.mcp.repositories import Repositories

BRIEF = "memory://brief"
_SCHEME = "memory://"
_LISTED = 50  # memories listed; others can be searched
TEMPLATES = [
    {
        "uriTemplate": "memory://{id}",
        "name": "memory",
        "description": "One memory, by its id",
        "mimeType": "text/plain",
    }
]
PROMPTS = [
    {"name": "brief", "description": "What this repository's memory says about the work at hand"},
    {
        "name": "wrap-up",
        "description": "Remember what this session learned, and hand over what is open",
    },
]
_WRAP_UP = (
    "Look back over this session. For each choice the user made, each trap that cost time and each"
    " wish for all work: search the memory and, if it is missing there, remember it with the"
    " reason. Then, if work is open, begin a handoff. Most sessions hold one or two such"
    " things, many none."
)


def listed(repositories: Repositories) -> list[dict[str, str]]:
    """Return the answer to `resources/list`: the brief and the newest active memories."""
    ws = repositories.enter()
    items = listed_memories(ws.store.served())[:_LISTED] if ws.has_memory() else []
    memories = [
        {"uri": f"{_SCHEME}{item.memory.id}", "name": item.memory.id, "mimeType": "text/plain"}
        for item in items
    ]
    return [
        {"uri": BRIEF, "name": "What to know before working here", "mimeType": "text/plain"},
        *memories,
    ]


def read(repositories: Repositories, uri: Any) -> dict[str, Any]:
    """Return the resource at a URI: the brief or a memory. Raises LerimError if there is none."""
    if not isinstance(uri, str) or not uri.startswith(_SCHEME):
        raise UnknownMemory(f"there is no resource {str(uri)[:200]!a}")
    text = (
        _brief(repositories)
        if uri == BRIEF
        else reading.read_one(repositories, uri.removeprefix(_SCHEME))
    )
    return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}


def prompt(repositories: Repositories, name: Any, _: Any) -> dict[str, Any]:
    """Return the messages of a prompt. Raises UsageError if there is no such prompt."""
    if name not in [each["name"] for each in PROMPTS]:  # `name` may be unhashable
        raise UsageError(f"there is no prompt {str(name)[:80]!a}")
    text = _brief(repositories) if name == "brief" else _WRAP_UP
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}


def _brief(repositories: Repositories) -> str:
    ws = repositories.enter()
    return (brief(ws).text if ws.has_memory() else "") or "nothing is remembered here yet"
