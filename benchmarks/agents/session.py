"""One session: a model does a task with the tools of a coding agent, and with those of the memory
where it has one.
"""

import json
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clones import git
from memory import PREFIX, Memory
from openai import OpenAI
from tasks import Task, span

SYSTEM = """\
You are a coding agent at work in a Git repository, for its maintainer. Do what the user asks, in \
the way this project does
things, by editing files with the tools. You cannot run anything. You may call several tools in \
one turn; when the edits are
made, call `finish` with a short message to the user, in the same turn if you like. Files that \
are open are shown to you below
the prompt, with line numbers that are not part of them. Ask the user only what you cannot settle \
otherwise. In your message and
in the code say what you did and why, but never where you know something from. You have {rounds} \
turns."""
MOST = 16_000  # characters of a tool's answer
ROUNDS = 8


def _tool(name: str, about: str, **properties: Any) -> dict[str, Any]:
    given = {
        key: value if isinstance(value, dict) else {"type": value}
        for key, value in properties.items()
    }
    required = [key for key in given if key not in {"first", "last", "below"}]
    parameters = {
        "type": "object",
        "properties": given,
        "required": required,
        "additionalProperties": False,
    }
    return {
        "type": "function",
        "function": {"name": name, "description": about, "parameters": parameters},
    }


TOOLS = [
    _tool("read_file", "Read a file, or some of its lines.", path="string", first="integer",
        last="integer"),
    _tool("grep", "List the lines in files below a path that match a basic regex.",
        pattern="string", below="string"),
    _tool(
        "edit_file",
        "Replace a text that occurs exactly once in a file; an empty `old` makes a new file.",
        path="string", old="string", new="string",
    ),
    _tool("ask_user", "Ask the user one question, and wait for the answer.", question="string"),
    _tool("finish", "End the work.",
        message={"type": "string", "description": "to the user: what was done, and why so"}),
]  # fmt: skip


@dataclass
class Result:
    """What came of a session."""

    condition: str
    final: str = ""
    diff: str = ""
    asked: list[str] = field(default_factory=list)
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    memory_calls: int = 0
    messages: list[dict[str, Any]] = field(default_factory=list)


class _Refused(Exception):
    """A call that the model can mend."""


class Run:
    """A session under way."""

    def __init__(
        self, name: str, task: Task, place: Path, memory: Memory | None, rounds: int
    ) -> None:
        """Say what the session begins with."""
        self._task, self._place, self._memory, self._rounds = task, place, memory, rounds
        self.result = Result("with" if memory else "without")
        self._done = False
        self._name = name
        self._begin()

    def _begin(self) -> None:
        task = self._task.task
        system = SYSTEM.format(rounds=self._rounds)
        if self._memory:
            system += f"\n\n# MCP server lerim\n\n{self._memory.instructions}"
        self._say("system", system)
        self._say("system", self._memory.at_start() if self._memory else "")
        files = [f'<file path="{each}">\n{self._read(*span(each))}\n</file>' for each in task.open]
        self._say("user", "\n\n".join([task.prompt.strip(), *files]))
        if self._memory:
            self._say("system", self._memory.at_prompt(task.prompt))
            for each in task.open:
                self._say("system", self._memory.at_file("Read", span(each)[0]))

    def _say(self, role: str, text: str) -> None:
        if text:
            self.result.messages.append({"role": role, "content": text})

    def go(self, client: OpenAI, model: str) -> Result:
        """Let the model work until it finishes, or its turns are used up."""
        tools = [*TOOLS, *(self._memory.tools() if self._memory else [])]
        while not self._done and self.result.requests < self._rounds:
            answer = client.chat.completions.create(
                model=model, messages=self.result.messages, tools=tools,
                temperature=0  # type: ignore[call-overload]
            )  # fmt: skip
            self.result.requests += 1
            if answer.usage:
                self.result.prompt_tokens += answer.usage.prompt_tokens
                self.result.completion_tokens += answer.usage.completion_tokens
            self._take(answer.choices[0].message)
        git(self._place, "add", "-A", "-N")
        self.result.diff = git(self._place, "diff")
        return self.result

    def _take(self, message: Any) -> None:
        calls = message.tool_calls or []
        said: dict[str, Any] = {"role": "assistant", "content": message.content}
        if calls:
            said["tool_calls"] = [
                {
                    "id": one.id,
                    "type": "function",
                    "function": {"name": one.function.name, "arguments": one.function.arguments},
                }
                for one in calls
            ]
        self.result.messages.append(said)
        if not calls:
            self._done, self.result.final = True, message.content or ""
        failed = False
        for one in calls:
            try:
                early = failed and one.function.name == "finish"
                text = (
                    "not finished: a call before this one failed"
                    if early
                    else self._called(one.function)
                )
            except _Refused as refused:
                failed, text = True, f"error: {refused}"
            self.result.messages.append(
                {"role": "tool", "tool_call_id": one.id, "content": text[:MOST]}
            )

    def _called(self, function: Any) -> str:
        name = function.name
        tools = {
            "read_file": self._read_file,
            "grep": self._grep,
            "edit_file": self._edit,
            "ask_user": self._ask,
            "finish": self._finish,
        }
        try:
            given = json.loads(function.arguments or "{}")
            if name.startswith(PREFIX) and self._memory:
                self.result.memory_calls += 1
                return self._memory.call(name, given)
            return tools[name](**given)
        except KeyError as error:
            raise _Refused(f"there is no tool {error}") from error
        except (TypeError, ValueError) as error:
            raise _Refused(str(error)) from error

    def _path(self, path: str) -> Path:
        found = (self._place / path).resolve()
        if (
            not found.is_relative_to(self._place.resolve())
            or ".git" in found.relative_to(self._place.resolve()).parts
        ):
            raise _Refused(f"{path} is not in the work tree")
        return found

    def _read(self, path: str, first: int, last: int) -> str:
        file = self._path(path)
        if not file.is_file():
            raise _Refused(f"there is no file {path}")
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
        return "\n".join(
            f"{n}\t{line}"
            for n, line in enumerate(lines, 1)
            if n >= first and (not last or n <= last)
        )

    def _read_file(self, path: str, first: int = 1, last: int = 0) -> str:
        return self._with_note("Read", path, self._read(path, first, last)[:MOST])

    def _grep(self, pattern: str, below: str = ".") -> str:
        words = ["git", "grep", "-n", "-I", "--untracked", "-e", pattern, "--", below]
        done = subprocess.run(
            words, cwd=self._place, capture_output=True, text=True, errors="replace", check=False
        )
        return done.stdout or done.stderr or "no line matches"

    def _edit(self, path: str, old: str, new: str) -> str:
        file = self._path(path)
        text = file.read_text(encoding="utf-8") if file.is_file() else None
        if not old and text is None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(new, encoding="utf-8")
        elif not old or text is None or text.count(old) != 1:
            count = text.count(old) if old and text is not None else 0
            raise _Refused(
                f"`old` occurs {count} times in {path}"
                if text is not None
                else f"there is no file {path}"
            )
        else:
            file.write_text(text.replace(old, new), encoding="utf-8")
        return self._with_note("Edit", path, f"{path} was changed")

    def _with_note(self, tool: str, path: str, text: str) -> str:
        note = self._memory.at_file(tool, path) if self._memory else ""
        return f"{text}\n\n{note}" if note else text

    def _ask(self, question: str) -> str:
        self.result.asked.append(question)
        return self._task.task.reply

    def _finish(self, message: str) -> str:
        self._done, self.result.final = True, message
        return "done"


def run(  # noqa: PLR0913, PLR0917
    name: str,
    task: Task,
    place: Path,
    condition: str,
    client: OpenAI,
    model: str,
    rounds: int = ROUNDS,
) -> Result:
    """Do a task in a copy of its repository, with memory or without."""
    with ExitStack() as stack:
        memory = (
            stack.enter_context(Memory(place, f"{name}-{condition}"))
            if condition == "with"
            else None
        )
        return Run(name, task, place, memory, rounds).go(client, model)
