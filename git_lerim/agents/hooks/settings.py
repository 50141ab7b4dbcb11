"""Add our hooks to an agent's settings file, after the hooks of others.

Nothing else in the file changes.
"""

import shlex
from collections.abc import Collection, Sequence
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
    """One of git-lerim's hooks: the event, optionally some tools, and a timeout.

    The timeout is in the unit that the agent uses.
    """

    event: str
    tools: str = ""
    timeout: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How an agent's settings store hooks: in groups with a matcher, or flat.

    Claude Code, for example, has groups with a matcher.
    """

    agent: str
    nested: bool = True
    command: str = "command"  # the key of a hook's command
    timeout: str = "timeout"  # the key of a hook's timeout
    version: int | None = None  # the `version` the file must have


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsHooks:
    """The `Hooked` implementation for agents with all hooks in one settings file."""

    form: Form
    hooks: tuple[Hook, ...]
    folder: str  # the agent's folder in the user's home
    variable: str = ""  # environment variable for another folder
    user: str  # settings file in that folder
    project: str  # settings file in the work tree
    server: Server | None = None
    servers: str = ""  # MCP settings file in that folder
    project_skills: str = ""  # in the work tree; default: `skills` in the agent's folder there

    def found(self, places: Places) -> bool:
        """Return whether the agent is on this machine, judging by its folder."""
        return self.home(places).is_dir()

    def files(self, target: Target) -> list[ManagedFile]:
        """Return the files to change: the settings with hooks and MCP server, and the skill."""
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
    def nothing(target: Target) -> list[str]:  # noqa: ARG004 required by Hooked
        """Return an empty list of advice or of problems, as these agents need nothing else."""
        return []

    def home(self, places: Places) -> Path:
        """Return the agent's folder for the user: the one its variable names, else the default."""
        named = places.env.get(self.variable) if self.variable else None
        return Path(named) if named else places.home / self.folder


def command(target: Target, agent: str, event: str) -> str:
    """Return the shell command of a hook.

    In a POSIX shell, it exits with 0 if git-lerim is missing. For a file in a repository, it
    contains no path of this machine. Agents may trust a command by its hash, so its text must not
    change.
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
    """Return an agent's settings file with the edits that add and remove our hooks."""
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
    """Add our hooks for one event; replace outdated ones, and leave current ones as they are."""
    root = as_object(text, json_text.parse(text))
    hooks = root.get("hooks")
    if hooks is None:
        return json_text.inserted(text, root, {event: entries}, "hooks")
    mine = as_object(text, hooks).get(event)
    if mine is None:
        return json_text.inserted(text, hooks, entries, event)
    if mine.kind != "array":
        raise ValueError(f"hooks.{event} is not a list")
    current = {command for entry in entries for command in _commands(form, entry)}
    text = _without_mixed(form, text, event, current)
    for entry in entries:
        items = _items(text, event)
        wanted = set(_commands(form, entry))
        found = [(child.value, json_text.value_of(text, child.value)) for child in items.children]
        if any(wanted.issubset(_commands(form, value)) for _, value in found):
            continue
        old = [node for node, value in found if _is_ours(form, value, event)]
        text = (
            json_text.replaced(text, old[0], entry)
            if old
            else json_text.inserted(text, items, entry)
        )
    return text


def _stripped(form: Form, text: str) -> str:
    """Remove our hooks of any version, and the groups that then have no hooks."""
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


def _without_mixed(form: Form, text: str, event: str, current: Collection[str] = ()) -> str:
    """Remove our hooks, except those in `current`, from groups that also contain other hooks."""
    while form.nested:
        groups = ((child.value, child.value.get("hooks")) for child in _items(text, event).children)
        found = next(
            (
                (inner, number)
                for group, inner in groups
                if inner is not None and inner.kind == "array"
                if not _is_ours(form, json_text.value_of(text, group), event)
                for number, child in enumerate(inner.children)
                for entry in ({"hooks": [json_text.value_of(text, child.value)]},)
                if _is_ours(form, entry, event)
                if not set(current).issuperset(_commands(form, entry))
            ),
            None,
        )
        if found is None:
            break
        text = json_text.removed(text, *found)
    return text


def _without_event(form: Form, text: str, event: str) -> str:
    text = _without_mixed(form, text, event)
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
            assert hooks is not None  # noqa: S101 it has this event
            return json_text.without(text, hooks, event)


def _items(text: str, event: str) -> Node:
    hooks = json_text.parse(text).get("hooks")
    items = hooks.get(event) if hooks else None
    assert items is not None  # noqa: S101 the caller checked
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
    """Return the commands in an event's entry, which is a group of hooks or a single hook."""
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
    """Return whether all commands of an entry are git-lerim's; False if it has none."""
    commands = _commands(form, entry)
    return bool(commands) and all(
        "lerim" in one and f" hook {form.agent} {event}" in one for one in commands
    )
