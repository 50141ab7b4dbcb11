"""Build the records of tool calls and their results."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from git_lerim.agents.lines import objects
from git_lerim.agents.prose_of_edits import written_prose
from git_lerim.redaction.own_secrets.shown import lines_naming_secrets
from git_lerim.sessions.compact import failure, one_line
from git_lerim.sessions.session import Record, Role

_PATH_KEYS = (
    "file_path",
    "filePath",
    "path",
    "target_file",
    "targetFile",
    "relativeWorkspacePath",
    "absolute_path",
    "notebook_path",
)
_SUBJECT_KEYS = (
    *(
        "command",
        "cmd",
        "pattern",
        "query",
        "globPattern",
        "searchTerm",
        "search_term",
        *_PATH_KEYS,
        "url",
        "description",
    ),
    *(
        "subagent_type",
        "agent_type",
        "target_directory",
        "targetDirectory",
        "directoryPath",
        "dir_path",
    ),
    *("prompt", "task", "question", "name", "skill", "intent", "title"),
)
_PATCHED = re.compile(
    r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE
)
# Bounded, so that no output makes the search quadratic.
_COMMITTED = re.compile(
    r"^\[[^\]\n]{1,250} (?:\([^)\n]{1,50}\) )?([0-9a-f]{7,64})\] ", re.MULTILINE
)
_GIT = re.compile(r"\bgit\b")
_COMMITS = re.compile(r"\b(?:commit|cherry-pick|revert|merge|am)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """Which of an agent's tools run shell commands, and which write files."""

    shells: frozenset[str]
    writers: frozenset[str]


def arguments(value: Any) -> dict[str, Any]:
    """Return a tool's arguments as a mapping.

    They may be stored as a mapping or as a string of JSON. Any other text is returned under an
    empty key.
    """
    if isinstance(value, str):
        found, understood = objects(value.encode("utf-8", "replace"))
        return found[0] if found and understood else {"": value}
    return value if isinstance(value, dict) else {}


def call(
    stamp: Record, kit: Kit, tool: str, given: Mapping[str, Any], call_id: str | None
) -> Record:
    """Return the record of a tool call, with the time and place of the record `stamp`."""
    command = text_of(given, "command", "cmd") if tool in kit.shells else None
    files = written(given) if tool in kit.writers else ()
    subject = command or " ".join(files) or text_of(given, *_SUBJECT_KEYS) or ""
    return replace(
        stamp,
        role=Role.CALL,
        text=one_line(tool, subject),
        tool=tool,
        call=call_id,
        command=command,
        files=files,
        prose=written_prose(" ".join(files[:1]), given) if files else (),
    )


def result(
    called: Record, stamp: Record, output: str, *, failed: bool, exit_code: int | None = None
) -> Record:
    """Return the record of a call's result: the output if it failed, else the files it changed."""
    exit_code = code(exit_code)
    failed = failed or exit_code not in {None, 0}
    return replace(
        stamp,
        role=Role.RESULT,
        tool=called.tool,
        call=called.call,
        failed=failed,
        exit_code=exit_code,
        text=failure(output) if failed else "",
        output="" if failed else lines_naming_secrets(output),
        files=() if failed else called.files,
        commits=made_commits(called.command, output),
    )


def code(value: Any) -> int | None:
    """Return the value if it can be an exit code, else None.

    A bool is not an exit code, although it is an int in Python.
    """
    return value if type(value) is int and -(2**31) <= value < 2**32 else None


def made_commits(command: str | None, output: str) -> tuple[str, ...]:
    """Return the ids of the commits that a command made, according to its output.

    They are in lines such as `[main 3f2a9c1] subject`, which count only if the command may commit.
    """
    return tuple(dict.fromkeys(_COMMITTED.findall(output))) if command and _commits(command) else ()


def _commits(command: str) -> bool:
    git = _GIT.search(command)
    return bool(git and _COMMITS.search(command, git.end()))


def written(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files that the arguments of a writing tool name, in order."""
    path = text_of(given, *_PATH_KEYS)
    if path:
        return (path,)
    return patched(text_of(given, "", "patch", "patchText", "input") or "")


def patched(patch: str) -> tuple[str, ...]:
    """Return the files in a patch, which has lines such as `*** Update File: path`."""
    return tuple(dict.fromkeys(_PATCHED.findall(patch)))


def text_of(value: Mapping[str, Any], *keys: str) -> str | None:
    """Return the text under the first of the keys that has any; a list of words is joined."""
    for key in keys:
        found = value.get(key)
        if isinstance(found, list) and found and all(isinstance(word, str) for word in found):
            return " ".join(found)
        if isinstance(found, str) and found.strip():
            return found
    return None


def options(offered: Any) -> tuple[str, ...]:
    """Return the options of a question, each as `label: description`."""
    found = []
    for option in offered if isinstance(offered, list) else []:
        label = text_of(option, "label") if isinstance(option, Mapping) else option
        if isinstance(label, str) and label:
            said = text_of(option, "description") if isinstance(option, Mapping) else None
            found.append(f"{label}: {said}" if said else label)
    return tuple(found)


def answered(text: str, questions: Iterable[str]) -> dict[str, str]:
    """Map questions to the answers in a line of `"question"="answer"` pairs.

    An answer may quote such a pair, so only the questions that were asked are searched for. If the
    line is ambiguous, the result is empty.
    """
    asked = "|".join(re.escape(each) for each in sorted(questions, key=len, reverse=True))
    before, *pairs = re.split(rf'(?:\A[^"\n]*|, )"({asked})"="', text)
    found = {
        question: answer.partition('"')[0]
        for question, answer in zip(pairs[::2], pairs[1::2], strict=True)
    }
    return {} if before or not asked or len(found) < len(pairs) / 2 else found


def joined(content: Any, kinds: Iterable[str] = ("text",)) -> str:
    """Return the text of a message's content, which is a string or a list of parts.

    Only parts of the given `kinds` are included.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [part if isinstance(part, str) else _part_text(part, kinds) for part in content]
    return "\n".join(text for text in texts if text)


def _part_text(part: Any, kinds: Iterable[str]) -> str:
    if not isinstance(part, dict) or part.get("type", "text") not in kinds:
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""


def between(text: str, opening: str, closing: str) -> list[str]:
    """Return the texts between pairs of opening and closing marks, in linear time."""
    found: list[str] = []
    _, mark, rest = text.partition(opening)
    while mark:
        inner, ended, rest = rest.partition(closing)
        if not ended:
            break
        found.append(inner.strip())
        _, mark, rest = rest.partition(opening)
    return found


def kept(calls: Mapping[str, Record], quoted: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the pending calls as JSON values for a bookmark.

    The text of a call is dropped, unless its tool is in `quoted`: results of these tools repeat it.
    A command is reduced to whether it commits.
    """
    return {
        name: msgspec.to_builtins(call if call.tool in quoted else _wordless(call))
        for name, call in calls.items()
    }


def _wordless(called: Record) -> Record:
    gist = ("git commit" if _commits(called.command) else "other") if called.command else None
    return replace(called, text="", command=gist, prose=())


def restored(state: Mapping[str, Any]) -> dict[str, Record]:
    """Map the id of each pending call in a bookmark to the call's record."""
    return {call_id: msgspec.convert(record, Record) for call_id, record in state.items()}
