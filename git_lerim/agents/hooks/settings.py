"""Plan what `install` writes into a settings file of an agent: our hooks behind those of others,
and nothing else changed.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import MCP, SKILL, Target
from git_lerim.agents.hooks import json_text
from git_lerim.agents.hooks.json_file import as_object, edited, filled
from git_lerim.agents.hooks.json_text import Node
from git_lerim.agents.hooks.servers import Server, json_file
from git_lerim.agents.hooks.skills import skill_file
from git_lerim.file_edits import ManagedFile, merged


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One hook of ours: for an event, or for some tools only; the timeout is in the agent's own
    unit.
    """

    event: str
    tools: str = ""
    timeout: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How an agent writes hooks: in groups with a matcher, as Claude Code does, or flat."""

    agent: str
    nested: bool = True
    command: str = "command"  # the key
    timeout: str = "timeout"  # the key
    version: int | None = None  # that the file has to say


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsHooks:
    """Hooks that are all in one settings file of an agent: what its module offers as
    `agents/hooked.py` asks for it.
    """

    form: Form
    hooks: tuple[Hook, ...]
    folder: str  # of the agent, below the user's home
    variable: str = ""  # that names another folder
    user: str  # the file, below that folder
    project: str  # the file, below the work tree
    server: Server | None = None  # how it writes MCP servers
    servers: str = ""  # the file of these, below that folder
    project_skills: str = ""  # below the work tree; else `skills` in the agent's folder there

    def found(self, places: Places) -> bool:
        """Tell whether the agent is on this machine: it has a folder of its own."""
        return self.home(places).is_dir()

    def files(self, target: Target) -> list[ManagedFile]:
        """Return the settings with our hooks and our MCP server, and the skill."""
        home = self.home(target.places)
        if target.scope == "project" and target.root:
            base, hooks, skills = (
                target.root,
                self.project,
                self.project_skills or f"{self.folder}/skills",
            )
        else:
            base, hooks, skills = home, self.user, "skills"
        found = [hook_file(base, hooks, self.form, self.hooks, target)]
        if self.server and target.has(MCP):
            found.append(json_file(home / self.servers, self.server, target))
        return merged([*found, *([skill_file(base, skills)] if target.has(SKILL) else [])])

    @staticmethod
    def nothing(target: Target) -> list[str]:  # noqa: ARG004 what a module is asked
        """Return no advice and no problem: these agents need nothing else."""
        return []

    def home(self, places: Places) -> Path:
        """Return the agent's own folder."""
        named = places.env.get(self.variable) if self.variable else None
        return Path(named) if named else places.home / self.folder


def command(target: Target, agent: str, event: str) -> str:
    """Return the command of a hook; where git-lerim is missing it exits 0 and says nothing.

    A file of a repository names no path of this machine. An agent may trust the command by its
    hash: it must not change.
    """
    if target.scope == "project":
        return f"if command -v git-lerim >/dev/null 2>&1; then git-lerim hook {agent} {event}; fi"
    if target.places.platform == "win32":
        return f'"{target.program}" hook {agent} {event}'
    program = shlex.quote(target.program)
    return f"if [ -x {program} ]; then {program} hook {agent} {event}; fi"


def hook_file(
    base: Path, name: str, form: Form, hooks: Sequence[Hook], target: Target
) -> ManagedFile:
    """Return the settings file of an agent, and how our hooks come in and go."""
    path = base / name
    events = list(dict.fromkeys(hook.event for hook in hooks))
    return ManagedFile(
        path=path,
        add=filled(
            str(path),
            partial(_added, form, [(hook.event, _entry(form, hook, target)) for hook in hooks]),
        ),
        strip=edited(str(path), partial(_stripped, form)),
        what=f"hooks {', '.join(events)} run git lerim hook {form.agent}",
        folders=name.count("/"),
    )


def _added(form: Form, entries: list[tuple[str, Any]], text: str) -> str:
    if form.version is not None and as_object(text, json_text.parse(text)).get("version") is None:
        text = json_text.inserted(text, json_text.parse(text), form.version, "version")
    for event in dict.fromkeys(event for event, _ in entries):
        text = _with_event(form, text, event, [entry for one, entry in entries if one == event])
    return text


def _with_event(form: Form, text: str, event: str, entries: list[Any]) -> str:
    """Put our hooks of one event in: what is there and right stays as it is, an older one gives its
    place to the new one.
    """
    root = as_object(text, json_text.parse(text))
    hooks = root.get("hooks")
    if hooks is None:
        return json_text.inserted(text, root, {event: entries}, "hooks")
    mine = as_object(text, hooks).get(event)
    if mine is None:
        return json_text.inserted(text, hooks, entries, event)
    if mine.kind != "array":
        raise ValueError(f"hooks.{event} is no list")
    for entry in entries:
        items = _items(text, event)
        wanted = _commands(form, entry)
        old = [
            child.value
            for child in items.children
            if _is_ours(form, json_text.value_of(text, child.value), event)
        ]
        if any(_commands(form, json_text.value_of(text, node)) == wanted for node in old):
            continue
        text = (
            json_text.replaced(text, old[0], entry)
            if old
            else json_text.inserted(text, items, entry)
        )
    return text


def _stripped(form: Form, text: str) -> str:
    """Take every hook of ours out, whatever version wrote it, and what is empty then."""
    root = json_text.parse(text)
    hooks = root.get("hooks") if root.kind == "object" else None
    if hooks is None or hooks.kind != "object":
        return text
    before = text
    for event in [
        child.key
        for child in hooks.children
        if child.key is not None and child.value.kind == "array"
    ]:
        text = _without_event(form, text, event)
    if text == before:
        return text
    root = json_text.parse(text)
    hooks = root.get("hooks")
    if hooks is not None and not hooks.children:
        text = json_text.without(text, root, "hooks")
        root = json_text.parse(text)
        if form.version is not None and [child.key for child in root.children] == ["version"]:
            return "{}"
    return text


def _without_event(form: Form, text: str, event: str) -> str:
    while True:
        items = _items(text, event)
        number = next(
            (
                n
                for n, child in enumerate(items.children)
                if _is_ours(form, json_text.value_of(text, child.value), event)
            ),
            None,
        )
        if number is None:
            return text
        text = json_text.removed(text, items, number)
        if len(items.children) == 1:
            hooks = json_text.parse(text).get("hooks")
            assert hooks is not None  # noqa: S101 it had the event
            return json_text.without(text, hooks, event)


def _items(text: str, event: str) -> Node:
    hooks = json_text.parse(text).get("hooks")
    items = hooks.get(event) if hooks else None
    assert items is not None  # noqa: S101 the caller has looked
    return items


def _entry(form: Form, hook: Hook, target: Target) -> dict[str, Any]:
    own = {
        "type": "command",
        form.command: command(target, form.agent, hook.event),
        form.timeout: hook.timeout,
    }
    if not form.nested:
        return own
    return ({"matcher": hook.tools} if hook.tools else {}) | {"hooks": [own]}


def _commands(form: Form, entry: Any) -> list[str]:
    """Return the commands of an entry."""
    if not isinstance(entry, dict):
        return []
    inner = entry.get("hooks") if form.nested else [entry]
    found = (
        [one.get(form.command) for one in inner if isinstance(one, dict)]
        if isinstance(inner, list)
        else []
    )
    return [one for one in found if isinstance(one, str)]


def _is_ours(form: Form, entry: Any, event: str) -> bool:
    """Tell whether an entry is ours, and ours alone."""
    commands = _commands(form, entry)
    return bool(commands) and all(
        "lerim" in one and f" hook {form.agent} {event}" in one for one in commands
    )
