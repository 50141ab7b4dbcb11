"""Separate the user's own words from injected text in Claude Code's user records."""

import re
from collections.abc import Callable
from typing import Any

_TAG = re.compile(
    r"(^[ \t]*)?<(/?)(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|"
    r"user-prompt-submit-hook|session-start-hook)>",
    re.MULTILINE,
)
_IMAGE = re.compile(r"\[Image(?: #\d+|: [^\[\]\n]*)\]\s*")
_MACHINE = re.compile(
    r"<(?:local-command-|command-|bash-|task-notification|system-reminder|ci-monitor-event|"
    r"teammate-message|ide_|user-prompt-submit-hook|session-start-hook|new-diagnostics)|"
    r"Caveat: The messages below|Tool loaded\.|Base directory for this skill:|"
    r"This session is being continued from a previous conversation"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action right now)"
    r"|The agent proposed a plan that was rejected by the user|(?:Error: )?User rejected tool use"
)
_REFUSED_PLAN = re.compile(r"^Rejected plan:", re.MULTILINE)  # what follows is the agent's
_PLAN_TEXT = re.compile(r"^## Approved Plan.*\n", re.MULTILINE)
_REASON = re.compile(
    r"(?:the user said:|provided the following reason for the rejection:)\s*(.*?)(?:\n\nNote: |\Z)",
    re.DOTALL,
)
_CONTINUE = re.compile(
    r"\n(?:If you need specific details from before compaction|(?:Please c|"
    r"C)ontinue the conversation from where)"
)
_PREAMBLE = re.compile(
    r"\AThis session is being continued from a previous conversation[^\n]*\s*(?:Analysis:\n.*?\n"
    r"(?=Summary:\n))?(?:Summary:\s*)?",
    re.DOTALL,
)
_TAIL = 400  # characters at the end of a report that may hold a trailer
_TRAILER = re.compile(r"\s*(?:\bagentId: \w+[^\n]*\s*)?(?:<usage>[^<]*</usage>\s*)?\Z")

CONTINUED = "This session is being continued from a previous conversation"
INTERRUPTED = "[Request interrupted by user"
NOTIFIED = "<task-notification>"
PLAN = "Implement the following plan:"


def texts(content: Any, clean: Callable[[str], str] = str) -> str:
    """Return a message's text: a string, or the text blocks of a list, each cleaned by `clean`."""
    if isinstance(content, str):
        return clean(content)
    if not isinstance(content, list):
        return ""
    found = (
        block.get("text")
        for block in content
        if isinstance(block, dict) and block.get("type") == "text"
    )
    return "\n".join(clean(text) for text in found if isinstance(text, str))


def human(content: Any) -> str:
    """Return the user's own words in a user record, or an empty string if a program wrote it."""
    text = _IMAGE.sub("", texts(content, _without_blocks)).strip()
    if text.startswith(("<command-name>", "<command-message>")):
        return _command(text)
    if text.startswith("<user-memory-input>"):  # typed after a `#`
        return _inside(text, "user-memory-input")
    return "" if _MACHINE.match(text) or text.startswith(INTERRUPTED) else text


def _without_blocks(text: str) -> str:
    """Return a text without the blocks that the program and its hooks add, in linear time.

    The content of a block can contain the same tags. So a block extends to the last closing tag of
    its name, or to the end of the text if no closing tag follows.
    """
    blocks: dict[str, tuple[int, int]] = {}
    for tag in _TAG.finditer(text):
        begins_line, closes, name = tag.groups()
        start, end = blocks.get(name, (tag.start(), 0))
        if not closes:  # within a line, the user may merely be mentioning the tag
            blocks[name] = start, end if begins_line is None else len(text)
        elif name in blocks:
            blocks[name] = start, tag.end()
    kept, at = list[str](), 0
    for start, end in sorted(each for each in blocks.values() if each[1]):
        kept.append(text[at:start])
        at = max(at, end)
    return "".join([*kept, text[at:]])


def _inside(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0].strip()


def _command(text: str) -> str:
    """Return a slash command with its arguments if the arguments are prose, else an empty string.

    For example, `/compact keep the plan` is returned.
    """
    said = _inside(text, "command-args")
    return f"{_inside(text, 'command-name')} {said}" if len(_WORD.findall(said)) > 1 else ""


def finding(text: str) -> str:
    """Return a sub-agent's answer without the usage numbers that the program appends."""
    text = text.rstrip()
    return (
        text[:-_TAIL] + _TRAILER.sub("", text[-_TAIL:], count=1).rstrip()
        if len(text) > _TAIL
        else _TRAILER.sub("", text, count=1).strip()
    )


def report(text: str) -> str:
    """Return a sub-agent's report from a task notification."""
    return text.partition("<result>")[2].rpartition("</result>")[0].strip()


def refusal(text: str) -> str | None:
    """Return the reason the user gave for refusing a tool call; None if it was not refused.

    The result is an empty string if the user gave no reason.
    """
    if not _REFUSED.match(text):
        return None
    reason = _REASON.search(_REFUSED_PLAN.split(text, maxsplit=1)[0])
    return reason[1].strip() if reason else ""


def approved(text: str) -> str:
    """Return the plan from a message that says the plan was approved, or an empty string."""
    return _PLAN_TEXT.split(text, maxsplit=1)[1].strip() if _PLAN_TEXT.search(text) else ""


def summary(text: str) -> str:
    """Return the summary in a compaction, without the program's instructions to its model."""
    return _PREAMBLE.sub("", _CONTINUE.split(_without_blocks(text), maxsplit=1)[0]).strip()
