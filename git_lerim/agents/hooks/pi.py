"""Hook git-lerim into Pi: an extension that runs `git lerim hook` for the model."""

import json
from pathlib import Path

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import SKILL, Target
from git_lerim.agents.hooks.own_file import own_file
from git_lerim.agents.hooks.skills import skill_file
from git_lerim.file_edits import ManagedFile

NAME = "pi"
SCOPES = ("user", "project")

_EXTENSION = """\
// git-lerim writes this file: git lerim uninstall removes it.
import { spawn } from "node:child_process";

const PROGRAM = @PROGRAM@;

function ask(event: string, payload: object, cwd: string): Promise<string> {
  return new Promise((done) => {
    const child = spawn(PROGRAM, ["hook", "pi", event], { cwd, stdio: ["pipe", "pipe", "ignore"], \
timeout: 5000 });
    let said = "";
    child.on("error", () => done(""));
    child.stdout.on("data", (part) => (said += part));
    child.stdin.on("error", () => {});
    child.on("close", (code) => done(code === 0 ? said : ""));
    child.stdin.end(JSON.stringify(payload));
  });
}

export default function (pi: any) {
  const about = (ctx: any) => ({ session_id: ctx.sessionManager?.getSessionId?.() ?? "", cwd: \
ctx.cwd });
  let brief = "";
  pi.on("session_start", async (event: any, ctx: any) => {
    brief = await ask("session_start", { ...about(ctx), source: event?.reason ?? "startup" }, \
ctx.cwd);
  });
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const near = await ask("before_agent_start", { ...about(ctx), prompt: event.prompt }, ctx.cwd);
    const content = brief + near;
    brief = "";
    if (content) return { message: { customType: "git-lerim", content, display: false } };
  });
  pi.on("tool_result", async (event: any, ctx: any) => {
    const payload = { tool_name: event.toolName, tool_input: event.input, tool_response: \
event.content, is_error: event.isError };
    const note = await ask("tool_result", { ...about(ctx), ...payload }, ctx.cwd);
    if (note) return { content: [...event.content, { type: "text", text: note }] };
  });
  pi.on("session_before_compact", async (_event: any, ctx: any) => {
    await ask("session_before_compact", about(ctx), ctx.cwd);
  });
  pi.on("session_shutdown", async (_event: any, ctx: any) => {
    await ask("session_shutdown", about(ctx), ctx.cwd);
  });
}
"""


def found(places: Places) -> bool:
    """Return whether Pi is on this machine, judging by its folder."""
    return _home(places).is_dir()


def files(target: Target) -> list[ManagedFile]:
    """Return the files to write: the extension and the skill, as Pi has no MCP."""
    project = target.scope == "project" and target.root
    folder = target.root / ".pi" if project and target.root else _home(target.places)
    program = "git-lerim" if project else target.program
    text = _EXTENSION.replace("@PROGRAM@", json.dumps(program))
    extension = own_file(
        folder / "extensions" / "git-lerim.ts", text, "an extension that runs git lerim hook pi"
    )
    return [extension, *([skill_file(folder, "skills")] if target.has(SKILL) else [])]


def advice(target: Target) -> list[str]:
    """Return no advice, because the user has nothing to do after installing."""
    del target
    return []


def problems(target: Target) -> list[str]:
    """Return no problems, because the extension needs nothing else to work."""
    del target
    return []


def _home(places: Places) -> Path:
    named = places.env.get("PI_CODING_AGENT_DIR")
    return Path(named) if named else places.home / ".pi" / "agent"
