"""Ask a model through the program `claude`, with the user's login instead of a key.

With the options of this module, claude 2.1 loads no settings, tools, servers or skills, and leaves
no transcript.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from git_lerim.errors import ModelFailed
from git_lerim.llm.base import SCHEMA_TEXT, Answer, Findings, Hear, Message

_NO_HOOKS = {"LERIM_HOOKS": "0"}  # its hooks must not start a sync that runs it again
_OPTIONS = (
    "--print", "--output-format", "json", "--tools", "", "--no-session-persistence",
    "--setting-sources", "",
    "--strict-mcp-config", "--disable-slash-commands",
)  # fmt: skip
# git sets such variables in hooks; the program must not see them
_GIT = "GIT_"
_LONGEST = 1 << 22  # bytes of an answer
_UPDATE = "update it: npm install -g @anthropic-ai/claude-code"


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


class _Result(msgspec.Struct):
    result: str = ""
    is_error: bool = False
    usage: _Usage = msgspec.field(default_factory=_Usage)


class Claude:
    """The program `claude` as a language model."""

    def __init__(self, *, model: str, env: Mapping[str, str], patience: float) -> None:
        """Initialize with the model's name, `cli:claude` or `cli:claude:MODEL`. Raises ModelFailed.

        `patience` is the time for an answer, in seconds.
        """
        self.name = model
        self._patience = patience
        self._env = {
            name: value for name, value in env.items() if not name.startswith(_GIT)
        } | _NO_HOOKS
        chosen = model.removeprefix("cli:claude").removeprefix(":")
        self._options = [*_OPTIONS, *(["--model", chosen] if chosen else [])]
        program = shutil.which("claude", path=env.get("PATH"))
        if program is None:
            raise ModelFailed(
                "claude is not on PATH",
                hint="install Claude Code, or set lerim.model to a model at an endpoint",
            )
        self._program = program

    def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        hear: Hear | None = None,
    ) -> Answer:
        """Return the answer to messages. Raises ModelFailed."""
        system = "\n\n".join(text for role, text in messages if role == "system")
        turns = [f"{role.upper()}:\n{text}" for role, text in messages if role != "system"]
        prompt = turns[0].partition("\n")[2] if len(turns) == 1 else "\n\n".join(turns)
        if schema is not None:
            prompt += f"\n\n{SCHEMA_TEXT}{msgspec.json.encode(schema).decode()}"
        found = _answer(*self._run(["--system-prompt", system] if system else [], prompt))
        if hear:
            hear(found.text)
        return found

    def check(self) -> Findings:
        """Ask for one word, and return how long that took. Raises ModelFailed."""
        began = time.monotonic()
        self.ask([("user", "Answer with the word ok.")])
        return Findings(seconds=time.monotonic() - began)

    def _run(self, more: Sequence[str], prompt: str) -> tuple[int, bytes, bytes]:
        """Run the program in an empty folder, and kill it with its children at the deadline."""
        with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
            try:
                process = subprocess.Popen(
                    [self._program, *self._options, *more], cwd=folder, env=self._env,
                    start_new_session=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                )  # fmt: skip
            except OSError as error:
                raise ModelFailed(f"claude cannot be run: {error.strerror}") from error
            try:
                out, err = process.communicate(prompt.encode("utf-8", "replace"), self._patience)
            except subprocess.TimeoutExpired:
                raise ModelFailed(f"claude did not answer within {self._patience:g} s") from None
            finally:
                _end(process)
            return process.returncode, out, err


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        with suppress(OSError, ValueError):
            process.communicate()


def _answer(code: int, out: bytes, err: bytes) -> Answer:
    """Return the program's answer, or raise ModelFailed.

    The error does not quote the program's output, which may contain the prompt.
    """
    low = (out[:4096] + err[:4096]).decode("utf-8", "replace").lower()
    try:
        found = (
            msgspec.json.decode(out, type=_Result)
            if len(out) <= _LONGEST
            else _Result(is_error=True)
        )
    except (msgspec.MsgspecError, UnicodeDecodeError):
        found = _Result(is_error=True)
    if code == 0 and not found.is_error:
        used = found.usage
        sent = used.input_tokens + used.cache_creation_input_tokens + used.cache_read_input_tokens
        return Answer(text=found.result, tokens_in=sent, tokens_out=used.output_tokens)
    if "unknown option" in low or "unknown argument" in low:
        raise ModelFailed(
            "this version of claude lacks an option that git-lerim needs", hint=_UPDATE
        )
    if "login" in low or "api key" in low or "authentication" in low:
        raise ModelFailed("claude is not logged in", hint="run claude once, and log in")
    if "limit" in low:
        raise ModelFailed("claude has reached a subscription limit")
    raise ModelFailed(
        f"claude failed with exit code {code}" if code else "claude did not answer with a result"
    )
