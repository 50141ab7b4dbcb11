"""A session of any agent in a common form: header and records."""

from datetime import UTC, datetime
from enum import StrEnum

import msgspec

_LAST_SECOND = (
    253_402_214_399  # one day before the latest datetime: wrong clocks can give later times
)


class Role(StrEnum):
    """Who wrote a record, and what kind it is."""

    PROMPT = "prompt"  # the human's words
    REPLY = "reply"  # the agent's words
    CALL = "call"  # one tool call, in one line
    RESULT = "result"  # what a tool call gave; text only where it failed
    ANSWER = "answer"  # the human answered a question of the agent
    APPROVAL = "approval"  # the human approved a plan; the text is the plan
    REJECTION = "rejection"  # the human refused a tool call or a plan; the text is the reason
    SUMMARY = "summary"  # a compaction's summary, written by the agent
    REPORT = "report"  # a sub-agent's final message, as its parent received it
    INTERRUPT = "interrupt"  # the human stopped the agent


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message or action; several can come from one stored record, with the same `n`."""

    n: int  # line number from 1, or the n-th message of a database store, from 1
    role: Role
    text: str = (
        ""  # PROMPT, REPLY, …: the words. CALL: one line. RESULT: head and tail, if it failed
    )
    at: int | None = None  # milliseconds since the epoch, UTC
    uuid: str | None = None  # the agent's own id of the stored record: the same in a fork
    message: str | None = None  # id shared by the parts of one message
    part: str | None = (
        None  # the sub-agent's file that holds the record, relative to the session's folder
    )
    cwd: str | None = None  # as the agent wrote it, Windows paths too
    branch: str | None = None
    commit: str | None = None  # the commit that was HEAD, if the agent stored it
    call: str | None = None  # joins a CALL with its RESULT, ANSWER or REJECTION
    tool: str | None = None  # the tool's name, as the agent writes it
    command: str | None = None  # the shell command, of a CALL that ran one
    failed: bool = False  # of a RESULT
    exit_code: int | None = None  # of a RESULT, if known
    files: tuple[
        str, ...
    ] = ()  # files that were written (CALL: is about to write, RESULT: has written)
    prose: tuple[
        str, ...
    ] = ()  # of a CALL: comments and documentation that it adds, a line for each paragraph
    commits: tuple[str, ...] = ()  # commits that the tool's output says were made
    question: str | None = None  # of an ANSWER
    below: str = ""  # of a PROMPT, while it is read: later parts, by which a command is recognized
    output: str = ""  # of a RESULT, while it is read: the lines that may show secrets
    options: tuple[str, ...] = ()  # of an ANSWER: what was offered, the chosen ones included
    abandoned: bool = False  # on a branch of the conversation that was rewound


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Facts about a whole session; those found by a later reading replace earlier ones."""

    title: str = ""
    opening: str = ""  # the first line of the first prompt, cut: shown if the session has no title
    version: str = ""  # of the agent's program
    model: str = ""
    remote: str = ""  # URL of the repository's remote, if the agent stored it
    root_commit: str = ""  # root commit of the repository (OpenCode)
    commit: str = ""  # HEAD at the start
    forked_from: str = ""  # id of the session that this one continues in a copy

    @property
    def heading(self) -> str:
        """The session's title, or else the beginning of its first prompt."""
        return self.title or self.opening


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """The redacted part of a conversation that belongs to one repository, in order."""

    agent: str
    id: str
    header: Header
    records: tuple[Record, ...]

    @property
    def name(self) -> str:
        """The session as users name it: `<agent>/<session id>`."""
        return f"{self.agent}/{self.id}"


def moment(milliseconds: int) -> datetime:
    """Convert a session's time from milliseconds to a UTC datetime in whole seconds."""
    return datetime.fromtimestamp(min(max(milliseconds // 1000, 0), _LAST_SECOND), UTC)


def merge_headers(old: Header | None, new: Header) -> Header:
    """Merge two headers of a session: the newer values win, unless they are empty."""
    if old is None:
        return new
    return msgspec.structs.replace(
        old, **{name: value for name in new.__struct_fields__ if (value := getattr(new, name))}
    )
