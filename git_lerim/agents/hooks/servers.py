"""Add `git lerim mcp` to an agent's MCP servers, and remove it without touching others."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from git_lerim.agents.hooked import Target
from git_lerim.agents.hooks import json_text
from git_lerim.agents.hooks.json_file import as_object, edited, filled
from git_lerim.errors import LerimError
from git_lerim.file_edits import ManagedFile

_NAMES = ("lerim", "git-lerim")  # the second one if another server has the first name
_OURS = re.compile(r"(?:.*[/\\])?git-lerim(?:\.exe)?")
_WHAT = "an MCP server runs git lerim mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The form in which an agent's JSON settings list MCP servers."""

    key: str = "mcpServers"
    more: Mapping[str, Any] = field(default_factory=dict)  # other keys of an entry
    in_list: bool = False  # `command` is a list with the arguments


def json_file(path: Path, server: Server, target: Target) -> ManagedFile:
    """Return a settings file in JSON, with the edits that add and remove our MCP server."""
    return ManagedFile(
        path=path,
        add=filled(str(path), partial(_added, server, target.program)),
        strip=edited(str(path), partial(_stripped, server)),
        what=_WHAT,
    )


def toml_file(path: Path, target: Target) -> ManagedFile:
    """Return Codex's `config.toml`, with the edits that add and remove our MCP server."""
    return ManagedFile(
        path=path,
        add=partial(_toml_added, path, target.program),
        strip=partial(_toml_stripped, path),
        what=_WHAT,
    )


def _words(entry: Any) -> list[str]:
    """Return the words of the command line that starts an MCP server."""
    if not isinstance(entry, dict):
        return []
    command, rest = entry.get("command"), entry.get("args")
    words = [
        *(command if isinstance(command, list) else [command]),
        *(rest if isinstance(rest, list) else []),
    ]
    return [word for word in words if isinstance(word, str)]


def _is_ours(entry: Any) -> bool:
    words = _words(entry)
    return words[1:] == ["mcp"] and is_program(words[0])


def is_program(word: str) -> bool:
    """Return whether a word of a command line is git-lerim's program, with or without a folder."""
    return bool(_OURS.fullmatch(word))


def _name(there: Mapping[str | None, Any]) -> str:
    """Return the name of the server that runs git-lerim, or a free name if there is none.

    A server that the user has configured to run git-lerim counts, too.
    """
    mine = (
        name
        for name in _NAMES
        if name in there and (_is_ours(there[name]) or _words(there[name])[-2:] == ["lerim", "mcp"])
    )
    return next(mine, _NAMES[0] if _NAMES[0] not in there else _NAMES[1])


def _added(server: Server, program: str, text: str) -> str:
    root = as_object(text, json_text.parse(text))
    command: Any = [program, "mcp"] if server.in_list else program
    entry = {**server.more, "command": command} | ({} if server.in_list else {"args": ["mcp"]})
    holder = root.get(server.key)
    if holder is None:
        return json_text.inserted(text, root, {_NAMES[0]: entry}, server.key)
    there = json_text.value_of(text, as_object(text, holder))
    name = _name(there)
    old = holder.get(name)
    if old is None:
        return json_text.inserted(text, holder, entry, name)
    node = old.get("command")
    if node is None or not _is_ours(there[name]) or there[name]["command"] == command:
        return text
    return json_text.replaced(text, node, command)


def _stripped(server: Server, text: str) -> str:
    for name in _NAMES:
        root = json_text.parse(text)
        holder = root.get(server.key) if root.kind == "object" else None
        old = holder.get(name) if holder and holder.kind == "object" else None
        if holder is None or old is None or not _is_ours(json_text.value_of(text, old)):
            continue
        last = len(holder.children) == 1
        text = (
            json_text.without(text, root, server.key)
            if last
            else json_text.without(text, holder, name)
        )
    return text


def _toml_added(path: Path, program: str, data: bytes | None) -> bytes:
    text, newline, servers = _toml(path, data or b"")
    name = _name(servers)
    if name not in servers:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        text += f'{gap}[mcp_servers.{name}]\ncommand = {_quoted(program)}\nargs = ["mcp"]\n'
    elif _is_ours(servers[name]) and servers[name]["command"] != program:
        command = f"command = {_quoted(program)}"
        text = _table(name).sub(
            lambda found: re.sub(
                r"^command\s*=.*$", lambda _: command, found[0], flags=re.MULTILINE
            ),
            text,
        )
    new = text.replace("\n", newline).encode()
    _toml(path, new)
    return new


def _toml_stripped(path: Path, data: bytes) -> bytes | None:
    text, newline, servers = _toml(path, data)
    before = text
    for name in _NAMES:
        if _is_ours(servers.get(name)):
            text = _table(name).sub(_comments, text)
    if text == before:
        return data
    return text.replace("\n", newline).encode() if text.strip() else None


def _table(name: str) -> re.Pattern[str]:
    """Return a pattern for a server's TOML table, its sub-tables, and an empty line before it."""
    header = rf"\[mcp_servers\.{re.escape(name)}(?:\.[^\]\n]+)?\][^\n]*\n"
    return re.compile(rf"(?:(?<=\n)\n)?^{header}(?:(?!\s*\[)[^\n]*\n?)*", re.MULTILINE)


def _comments(table: re.Match[str]) -> str:
    """Return the user's comments in and after our table, to be kept when the table is removed."""
    lines = table[0].splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if line.strip() and line.lstrip()[0] != "#")
    inside = [line for line in lines[:last] if line.lstrip().startswith("#")]
    after = lines[last + 1 :] if any(line.strip() for line in lines[last + 1 :]) else []
    gap = "\n" if table[0].startswith("\n") else ""
    return "".join([gap, *inside, *after]) if inside or after else ""


def _toml(path: Path, data: bytes) -> tuple[str, str, dict[str | None, Any]]:
    """Return the text with normalized newlines, the file's newline, and its MCP servers.

    Raises LerimError if the file is not valid TOML.
    """
    hint = "correct it, then try again"
    try:
        text = data.decode("utf-8")
        servers = tomllib.loads(text).get("mcp_servers", {})
    except (ValueError, RecursionError) as error:
        raise LerimError(f"git-lerim cannot read {path} as TOML: {error}", hint=hint) from error
    if not isinstance(servers, dict):
        raise LerimError(f"mcp_servers in {path} is not a table", hint=hint)
    newline = "\r\n" if "\r\n" in text and "\n" not in text.replace("\r\n", "") else "\n"
    return (text.replace("\r\n", "\n") if newline == "\r\n" else text), newline, servers


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
