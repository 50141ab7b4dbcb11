"""Hook git-lerim into OpenCode with a plugin, or with a line under `instructions`.

The plugin is installed only if OpenCode's plugin package is there: without the package, an offline
start is delayed by more than a minute. Otherwise, the line names the file with the brief, which
git-lerim writes after each sync; a missing file does no harm.
"""

import json
from pathlib import Path

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import MCP, SKILL, Target
from git_lerim.agents.hooks import json_text
from git_lerim.agents.hooks.json_file import as_object, edited, filled
from git_lerim.agents.hooks.own_file import own_file
from git_lerim.agents.hooks.servers import Server, json_file
from git_lerim.agents.hooks.skills import skill_file
from git_lerim.file_edits import ManagedFile, merged, read

NAME = "opencode"
SCOPES = ("user", "project")

BRIEF = ".git/lerim/brief.md"
_KEY = "instructions"
_SERVER = Server(key="mcp", more={"type": "local", "enabled": True}, in_list=True)
_PACKAGE = "node_modules/@opencode-ai/plugin"
_PLUGIN = """\
// git-lerim writes this file: git lerim uninstall removes it.
import { spawn } from "node:child_process";

const PROGRAM = @PROGRAM@;

function ask(event, payload, cwd) {
  return new Promise((done) => {
    const child = spawn(PROGRAM, ["hook", "opencode", event], { cwd, stdio: ["pipe", "pipe", \
"ignore"], timeout: 5000 });
    let said = "";
    child.on("error", () => done(""));
    child.stdout.on("data", (part) => (said += part));
    child.stdin.on("error", () => {});
    child.on("close", (code) => done(code === 0 ? said : ""));
    child.stdin.end(JSON.stringify(payload));
  });
}

export const GitLerim = async ({ directory }) => {
  const texts = new Map();
  const keep = async (event, sessionID, payload = {}) => {
    const said = await ask(event, { session_id: sessionID, cwd: directory, ...payload }, directory);
    if (said) texts.set(sessionID, (texts.get(sessionID) ?? "") + said);
    return said;
  };
  return {
    "chat.message": async ({ sessionID }, output) => {
      if (!texts.has(sessionID)) {
        texts.set(sessionID, "");
        await keep("session.start", sessionID, { source: "startup" });
      }
      const prompt = output.parts.filter((part) => part.type === "text").map((part) => \
part.text).join("\\n");
      await keep("chat.message", sessionID, { prompt });
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      const result = { output: output.output, metadata: output.metadata };
      await keep("tool.execute.after", sessionID, { tool_name: tool, tool_input: args, \
tool_response: result });
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const said = texts.get(sessionID);
      if (said) output.system.push(said);
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await ask("session.compacting", { session_id: sessionID, cwd: directory }, directory);
    },
    event: async ({ event }) => {
      const session_id = event.properties?.sessionID;
      if (event.type === "session.idle") await ask("session.idle", { session_id, cwd: directory \
}, directory);
    },
  };
};
"""


def found(places: Places) -> bool:
    """Return whether OpenCode is on this machine, judging by its folders."""
    return _home(places).is_dir() or (places.home / ".local/share/opencode").is_dir()


def files(target: Target) -> list[ManagedFile]:
    """Return the files to change: plugin or `instructions` line, MCP server and skill."""
    project = target.root if target.scope == "project" else None
    home = _home(target.places)
    folder = project or home
    path = next(
        (one for one in (folder / "opencode.jsonc", folder / "opencode.json") if one.exists()),
        folder / "opencode.json",
    )
    found = []
    has_package, plugin = (home / _PACKAGE).is_dir(), home / "plugins" / "git-lerim.js"
    # a plugin whose package is gone must be removable, too
    if project is None and (has_package or plugin.is_file()):
        text = _PLUGIN.replace("@PROGRAM@", json.dumps(target.program))
        found.append(own_file(plugin, text, "a plugin that runs git lerim hook opencode"))
    if project or not has_package or _names_the_brief(path):
        add, strip = filled(str(path), _added), edited(str(path), _stripped)
        found.append(
            ManagedFile(path=path, add=add, strip=strip, what=f"{_KEY} name the file {BRIEF}")
        )
    if target.has(MCP):
        found.append(json_file(path, _SERVER, target))
    if target.has(SKILL):
        found.append(skill_file(folder, ".opencode/skills" if project else "skills"))
    return merged(found)


def advice(target: Target) -> list[str]:
    """Return how to get the plugin, if OpenCode's plugin package is missing."""
    if target.scope == "project" or (_home(target.places) / _PACKAGE).is_dir():
        return []
    more = f"npm install --prefix {_home(target.places)} @opencode-ai/plugin, then install again"
    return [f"OpenCode gets only the brief, at its start; for memories during the session: {more}"]


def problems(target: Target) -> list[str]:
    """Return a problem if the plugin is installed without the package it needs."""
    home = _home(target.places)
    if (home / "plugins" / "git-lerim.js").is_file() and not (home / _PACKAGE).is_dir():
        what = (
            f"OpenCode's plugin package is missing from {home}, so OpenCode starts slowly without a"
            " network"
        )
        return [
            (f"{what}; to use no plugin: git lerim uninstall --agent opencode, then install again")
        ]
    return []


def _names_the_brief(path: Path) -> bool:
    """Return whether the settings name the file with the brief.

    They do if git-lerim was installed before the plugin package was.
    """
    return BRIEF.encode() in (read(path) or b"")


def _home(places: Places) -> Path:
    named = places.env.get("XDG_CONFIG_HOME")
    return (Path(named) if named else places.home / ".config") / "opencode"


def _added(text: str) -> str:
    root = as_object(text, json_text.parse(text))
    listed = root.get(_KEY)
    if listed is None:
        return json_text.inserted(text, root, [BRIEF], _KEY)
    if listed.kind != "array":
        raise ValueError(f"{_KEY} is not a list")
    return (
        text
        if BRIEF in json_text.value_of(text, listed)
        else json_text.inserted(text, listed, BRIEF)
    )


def _stripped(text: str) -> str:
    root = json_text.parse(text)
    listed = root.get(_KEY) if root.kind == "object" else None
    if listed is None or listed.kind != "array" or BRIEF not in json_text.value_of(text, listed):
        return text
    values = json_text.value_of(text, listed)
    if len(values) == 1:
        return json_text.without(text, root, _KEY)
    return json_text.removed(text, listed, values.index(BRIEF))
