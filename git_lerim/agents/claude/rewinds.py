"""Find the records of a Claude Code session that are on a branch the user rewound.

Each record names its parent, so the records form a tree. Not every branch of the tree is a rewind,
because parallel tool calls, hooks and commands make branches, too. The user rewound only where two
user messages, at least one of them a prompt, follow the same record. If the last record descends
from one of these messages, the other prompts and everything below them are abandoned.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The kind of a record in the conversation tree."""

    PROMPT = 1  # the user's words
    USER = 2  # other user records: commands, interruptions, injected text
    AGENT = 3  # the agent's words and tool results
    BETWEEN = 4  # hooks, attachments, system records


@dataclass(frozen=True, slots=True)
class Node:
    """A record in the conversation tree: the id of its parent, and its kind."""

    parent: str | None
    kind: Kind


def abandoned(nodes: dict[str, Node]) -> set[str]:
    """Return the ids of the records on branches that the user rewound.

    `nodes` contains the records by id, in the order of the file.
    """
    asked: dict[str, list[str]] = defaultdict(list)
    follows: dict[str, str | None] = {}  # id → itself, or the nearest ancestor that is not BETWEEN
    for uuid, node in nodes.items():
        after = follows.get(node.parent, node.parent) if node.parent is not None else None
        follows[uuid] = after if node.kind is Kind.BETWEEN else uuid
        if node.kind in {Kind.PROMPT, Kind.USER} and after is not None:
            asked[after].append(uuid)
    rivals = [
        group
        for group in asked.values()
        if len(group) > 1 and any(nodes[uuid].kind is Kind.PROMPT for uuid in group)
    ]
    if not rivals:
        return set()
    path = _path(nodes)
    lost = {
        uuid
        for group in rivals
        if not path.isdisjoint(group)
        for uuid in group
        if uuid not in path and nodes[uuid].kind is Kind.PROMPT
    }
    return _below(lost, nodes) if lost else set()


def _path(nodes: dict[str, Node]) -> set[str]:
    """Return the ids of the conversation's last record and all its ancestors."""
    at = next((uuid for uuid in reversed(nodes) if nodes[uuid].kind is not Kind.BETWEEN), None)
    path = set[str]()
    while at is not None and at not in path and at in nodes:
        path.add(at)
        at = nodes[at].parent
    return path


def _below(tops: Iterable[str], nodes: dict[str, Node]) -> set[str]:
    """Return the ids of the records `tops` and of all their descendants."""
    children: dict[str, list[str]] = defaultdict(list)
    for uuid, node in nodes.items():
        if node.parent is not None:
            children[node.parent].append(uuid)
    found, waiting = set[str](), list(tops)
    while waiting:
        uuid = waiting.pop()
        if uuid not in found:
            found.add(uuid)
            waiting.extend(children[uuid])
    return found
