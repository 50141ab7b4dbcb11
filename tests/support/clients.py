"""Real coding agents on this machine, each with a home of its own, against a scripted model on
loopback.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.corpus import SHARED

MODEL = Path(
    os.environ.get("LERIM_SCRIPTED_MODEL") or SHARED / "tools" / "clients" / "scripted_model.py"
)
FOLDER = Path(
    os.environ.get("LERIM_CLIENTS", "/nowhere")
)  # a test's world has none of our variables
PROGRAMS = {
    "claude": ("claude-code", "claude"), "codex": ("codex", "codex"),
    "gemini": ("gemini-cli", "gemini"),
    "copilot": ("copilot", "copilot"), "pi": ("pi-coding-agent", "pi"),
    "qwen": ("qwen-code", "qwen"),
    "opencode": ("opencode", "opencode"),
}  # fmt: skip
MCP = (
    "claude",
    "codex",
    "copilot",
    "gemini",
    "opencode",
    "qwen",
)  # take a server of ours; Pi has no MCP
KEY = "sk-test-not-real"
_READ = {
    "claude": ("Read", "file_path"), "codex": ("exec_command", "cmd"),
    "gemini": ("read_file", "file_path"),
    "copilot": ("view", "path"), "pi": ("read", "path"), "qwen": ("read_file", "file_path"),
    "opencode": ("read", "filePath"),
}  # fmt: skip
_SHELL = {
    "claude": "Bash",
    "codex": "exec_command",
    "copilot": "bash",
    "pi": "bash",
    "opencode": "bash",
}
_PLUGINS = FOLDER / "opencode-plugin"  # where npm put OpenCode's own package, which a plugin needs


def program(agent: str) -> Path | None:
    """Return an agent's program below the folder that LERIM_CLIENTS names; None where it is
    missing.
    """
    found = folder_of(agent) / PROGRAMS[agent][1]
    return found if found.exists() and MODEL.exists() else None


def folder_of(agent: str) -> Path:
    """Return where an agent's program lies, with a Node of its own where it needs a newer one."""
    return FOLDER / PROGRAMS[agent][0] / "node_modules" / ".bin"


def allow_plugins(home: Path) -> bool:
    """Give OpenCode the package without which a plugin delays its start; tell whether that
    is here.
    """
    there = (_PLUGINS / "node_modules" / "@opencode-ai" / "plugin").is_dir()
    if there:
        shutil.copytree(_PLUGINS, home / ".config" / "opencode", symlinks=True, dirs_exist_ok=True)
    return there


@dataclass(frozen=True)
class Client:
    """One agent that can be run."""

    agent: str
    home: Path
    repo: Path
    log: Path
    env: dict[str, str]

    def ask(self, prompt: str) -> str:
        """Let the agent answer a prompt; return all that its model was sent, unescaped."""
        before = self.log.stat().st_size if self.log.exists() else 0
        before_prompt = {
            "claude": ["-p"], "codex": ["exec", "--dangerously-bypass-hook-trust"],
            "gemini": ["-y", "-p"], "qwen": ["-y", "-p"],
            "copilot": ["--allow-all-tools", "-p"], "pi": ["-p"], "opencode": ["run"],
        }[self.agent]  # fmt: skip
        command = [str(program(self.agent)), *before_prompt, prompt]
        done = subprocess.run(
            command,
            cwd=self.repo,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return self.log.read_text()[before:].replace("&lt;", "<").replace("&gt;", ">")

    def script(self, match: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
        """Let the model answer a prompt that holds `match` with calls of the server `lerim`, one a
        turn.
        """
        turns = [
            {"text": "", "ops": [{"op": "mcp", "server": "lerim", "tool": tool, "args": arguments}]}
            for tool, arguments in calls
        ]
        scenario = {"match": match, "turns": [*turns, {"text": "Done."}]}
        (self.log.parent / "script.json").write_text(json.dumps({"scenarios": [scenario]}))


@contextmanager
def running(agent: str, home: Path, repo: Path) -> Iterator[Client]:
    """Start a scripted model, and set an agent up to ask it."""
    folder = home / "model"
    folder.mkdir()
    name, key = _READ[agent]
    read = {key: "cat slug.py" if agent == "codex" else str(repo / "slug.py")}
    shell = {
        "cmd" if agent == "codex" else "command": "python3 test_slug.py",
        "description": "Run the test",
    }
    steps = [
        (name, read),
        (
            _SHELL.get(agent, "run_shell_command"),
            shell | ({"is_background": False} if agent == "qwen" else {}),
        ),
    ]
    turns = [
        {"text": "", "ops": [{"op": "raw", "name": tool, "input": given}]} for tool, given in steps
    ]
    task = {
        "op": "agent",
        "desc": "titles",
        "prompt": "HELP: how is Unicode folded in titles, with unidecode?",
    }
    scenarios = [
        {"match": "HELP:", "turns": [{"text": "With unidecode."}]},
        {"match": "Ask a helper", "turns": [{"text": "", "ops": [task]}, {"text": "Done."}]},
        {"match": "unidecode", "turns": [*turns, {"text": "Done."}]},
    ]
    (folder / "script.json").write_text(json.dumps({"scenarios": scenarios}))
    words = ["--script", "script.json", "--log", "log.jsonl", "--port", "0", "--portfile", "port"]
    with subprocess.Popen(
        [sys.executable, MODEL, *words], cwd=folder, stdout=subprocess.DEVNULL
    ) as model:
        try:
            while not (folder / "port").exists() or not (folder / "port").read_text().strip():
                time.sleep(0.05)
            url = f"http://127.0.0.1:{(folder / 'port').read_text().strip()}"
            env = {
                "PATH": f"{folder_of(agent)}:/usr/local/bin:/usr/bin:/bin",
                "HOME": str(home),
                "TERM": "xterm-256color",
                "LANG": "C.UTF-8",
            }
            yield Client(
                agent,
                home,
                repo,
                folder / "log.jsonl",
                env | {"TMPDIR": str(folder)} | _settled(agent, home, repo, url),
            )
        finally:
            model.terminate()


Write = Callable[[str, Any], None]


def _settled(agent: str, home: Path, repo: Path, url: str) -> dict[str, str]:
    """Write the settings of an agent, among them a hook or a rule of another tool, and return its
    variables.
    """

    def write(path: str, value: Any) -> None:
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(value if isinstance(value, str) else json.dumps(value, indent=2))

    if agent == "opencode":
        (repo / "THEIRS.md").write_text("The rules of another tool.\n")
        return _opencode(write, url)
    return _pi(write, url) if agent == "pi" else _with_hooks(agent, write, repo, url)


def _with_hooks(agent: str, write: Write, repo: Path, url: str) -> dict[str, str]:
    theirs = {"SessionStart": [{"hooks": [{"type": "command", "command": "touch ~/theirs-ran"}]}]}
    more = {"docs": {"command": "true", "args": ["of another tool"]}}
    if agent == "claude":
        write(
            ".claude/settings.json",
            {"permissions": {"allow": ["Bash(*)", "Read", "mcp__lerim"]}, "hooks": theirs},
        )
        quiet = (
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_AUTOUPDATER",
            "DISABLE_TELEMETRY",
        )
        return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY} | dict.fromkeys(quiet, "1")
    if agent == "codex":
        write(
            ".codex/config.toml",
            'model = "gpt-5.4"\nmodel_provider = "scripted"\napproval_policy ='
            ' "never"\nsandbox_mode = "danger-full-access"\ncheck_for_update_on_startup ='
            f' false\n[model_providers.scripted]\nname = "scripted"\nbase_url = "{url}/v1"\nenv_key'
            f' = "SCRIPTED_KEY"\nwire_api = "responses"\n[projects."{repo}"]\ntrust_level ='
            ' "trusted"\n',
        )
        write(".codex/hooks.json", {"hooks": theirs})
        return {"SCRIPTED_KEY": KEY}
    if agent == "gemini":
        security = {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
        write(
            ".gemini/settings.json",
            {
                "general": {"enableAutoUpdate": False},
                "security": security,
                "hooks": theirs,
                "mcpServers": more,
            },
        )
        return {
            "GEMINI_API_KEY": KEY,
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
    if agent == "qwen":
        write(
            ".qwen/settings.json",
            {
                "security": {"auth": {"selectedType": "openai"}},
                "$version": 4,
                "hooks": {"UserPromptSubmit": theirs["SessionStart"]},
            },
        )
        return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "scripted-1"}
    start = {"type": "command", "bash": "touch ~/theirs-ran"}
    write(".copilot/hooks/theirs.json", {"version": 1, "hooks": {"sessionStart": [start]}})
    write(".copilot/mcp-config.json", {"mcpServers": {}})
    about = {"BASE_URL": f"{url}/v1", "TYPE": "openai", "API_KEY": KEY}
    variables = {f"COPILOT_PROVIDER_{name}": value for name, value in about.items()}
    return variables | {"COPILOT_OFFLINE": "true", "COPILOT_MODEL": "scripted-1"}


def _opencode(write: Write, url: str) -> dict[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible", "name": "scripted",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {"m": {"name": "m", "tool_call": True,
                "limit": {"context": 128_000, "output": 8000}}},
    }  # fmt: skip
    settings: dict[str, Any] = {
        "$schema": "https://opencode.ai/config.json"
    }  # which it would write itself
    settings |= {
        "autoupdate": False,
        "share": "disabled",
        "model": "scripted/m",
        "small_model": "scripted/m",
    }
    settings |= {
        "provider": {"scripted": provider},
        "permission": {"edit": "allow", "bash": "allow"},
    }
    write(".config/opencode/opencode.json", settings | {"instructions": ["THEIRS.md"]})
    return {
        f"OPENCODE_DISABLE_{name}": "1" for name in ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")
    }


def _pi(write: Write, url: str) -> dict[str, str]:
    cost = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite"), 0)
    model = {
        "id": "m",
        "name": "m",
        "reasoning": False,
        "input": ["text"],
        "cost": cost,
        "contextWindow": 99999,
        "maxTokens": 999,
    }
    provider = {
        "baseUrl": f"{url}/v1",
        "api": "openai-completions",
        "apiKey": KEY,
        "models": [model],
    }
    write(".pi/agent/models.json", {"providers": {"scripted": provider}})
    write(".pi/agent/settings.json", {"defaultProvider": "scripted", "defaultModel": "m"})
    return {}
