"""Find pitfalls: commands that failed and later passed, and whose failure the agent explained."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.from_agent.causes import NAMED, Cause, cause_title, stated_cause
from git_lerim.extraction.by_rules.sentences.statements import LIMIT, capital, title_of
from git_lerim.extraction.transcript.text import finished
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import in_quotes
from git_lerim.sessions.session import Record, Role

_SHOWN = 70  # characters of an error in a title
_LONGEST = 50  # characters of a command in a title
_APART = 60  # most records between a failure and the passing command
# commands before it that do not matter when two runs are compared, unless they write to a file
_IDLE = r"(?:cd [^&;|]+|(?:sleep|wait|echo|true|date|clear)(?: [^&;|>]*)?)(?:&&|;)\s*"
_CD = re.compile(rf"^(?:{_IDLE}|[A-Z_]+=\S+\s+|\()+")
_TAIL = re.compile(  # read once, whether the end of the command follows or not
    r"(?:\s*(?:2>&1|\|\s*(?:tail|head|grep|cat|tee|less|wc|sort)\b(?:(?!;\s*echo )[^|])*+|"
    r";\s*echo .*|\)))++(?P<end>\s*$)?"
)
_FOLDER = re.compile(rf"^(?:\(|{_IDLE})+")
_LOOKS = re.compile(
    r"^(?:ls|cat|grep|rg|find|sed|head|tail|cd|pwd|echo|which|test|wc|git (?:status|diff|log|show|"
    r"add|commit|branch|checkout|stash|worktree|rev-parse|fetch)|curl|python3? -c|node -e|ps|kill|"
    r"sleep|mkdir|rm|cp|mv|awk|jq|(?:wait|true|date|clear)(?!-))\b"
)
_ERROR = re.compile(
    r"\b\w*(?:error|exception)\b(?: \w+)?:|\berror\[|^(?:fatal|panic|error|npm error)\b|"
    r": (?:fatal )?error\b|\b(?:cannot|can[’']t|not found|undefined|no such|denied|invalid|"
    r"unknown|unexpected|timed? ?out|refused|unable to|must be|does not|doesn[’']t)\b",
    re.IGNORECASE,
)
_ERROR_NOISE = re.compile(
    r"^\W*(?:exit code|assertion|\S+\.\w+[(:]\d+|\d+ (?:errors?|failed)|traceback|assert|def |"
    r"func |test|at |file \")|tool_use_error|sibling tool|[;{}\\]$|no such file or directory|"
    r"does not contain main module",
    re.IGNORECASE,
)

_POINTS = re.compile(r"\b(?:this|these|those|here)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|they)\b", re.IGNORECASE)


def repairs(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield one pitfall for each command that failed and then passed, if the cause was stated.

    The user must have done nothing in between.
    """
    starts = {turn.index: number for number, turn in enumerate(turns)}
    calls: dict[str | None, Record] = {
        record.call: record
        for record in records
        if record.role is Role.CALL and record.command and record.call
    }
    seen: set[str] = set()
    number = -1
    for index, record in enumerate(records):
        number = starts.get(index, number)
        if not _failed(record, calls) or number < 0:
            continue
        command = command_itself(calls[record.call].command or "")
        if command in seen or len(command) < 4 or _LOOKS.match(command):
            continue
        passed = _passed(records, calls, index, command, set(starts))
        repair = _repair(records, calls, index, passed) if passed is not None else None
        if repair is None:
            continue
        seen.add(command)
        title = _title(command, repair.error, repair.cause.text)
        if title:
            yield Finding(
                origin=Origin.REPAIR,
                primitive=Primitive.LEARNING,
                kind=Kind.PITFALL,
                title=title,
                body=_body(command, repair),
                said=f"{command} {repair.error} {repair.cause.text}",
                evidence=repair.evidence,
                turn=number,
                files=repair.changed,
                rank=1.6,
            )


@dataclass(frozen=True, slots=True)
class _Repair:
    """How a failed command was repaired."""

    error: str
    cause: Cause
    changed: tuple[str, ...]  # files
    evidence: tuple[int, ...]  # the failure, the stated cause, the success


def _failed(record: Record, calls: Mapping[str | None, Record]) -> bool:
    return record.role is Role.RESULT and record.failed and record.call in calls


def _repair(
    records: Sequence[Record], calls: Mapping[str | None, Record], index: int, passed: int
) -> _Repair | None:
    """Return how a failure was repaired; None if its cause was not stated or nothing was done."""
    error = error_line(records[index].text)
    if not error or _in_own_file(records[:index], records[index].text):
        return None
    failed, worked = (calls[records[at].call].command or "" for at in (index, passed))
    cause = stated_cause(records, index, passed, error, _added(failed, worked))
    changed = tuple(
        dict.fromkeys(name for one in records[index:passed] if not one.failed for name in one.files)
    )
    other_way = _with_settings(failed) != _with_settings(worked)
    done = changed or other_way or _other_command(records, calls, index, passed)
    if cause is None or not done:
        return None
    return _Repair(error, cause, changed, (index, cause.index, passed))


def _added(failed: str, worked: str) -> list[str]:
    """Return the variables and commands that stand before a command in its second run only."""
    before = {one.strip() for one in failed.split("&&")}
    parts = [one.strip() for one in worked.split("&&")[:-1]]
    variables = re.findall(r"\b([A-Z][A-Z_]+)=", worked)
    return [
        *(one for one in parts if one not in before and not _LOOKS.match(one)),
        *(one for one in variables if f"{one}=" not in failed),
    ]


def command_itself(command: str) -> str:
    """Return a command without a leading `cd` and trailing filters, to compare two runs of it."""
    return _without(_CD, command)


def _with_settings(command: str) -> str:
    """Return a command with its variables and setup commands, to compare these in two runs."""
    return _without(_FOLDER, command)


def _without(lead: re.Pattern[str], command: str) -> str:
    rest = lead.sub("", " ".join(command.split()))
    return _TAIL.sub(lambda tail: tail[0] * (tail["end"] is None), rest).strip()


def _runs(command: str) -> tuple[str, str]:
    """Return a command without its surroundings, and the last command of its chain."""
    whole = command_itself(command)
    return whole, command_itself(whole.rsplit(" && ", 1)[-1])


def _passed(
    records: Sequence[Record],
    calls: Mapping[str | None, Record],
    index: int,
    command: str,
    acts: set[int],
) -> int | None:
    for later in range(index + 1, min(index + _APART, len(records))):
        if later in acts:
            return None
        record = records[later]
        if (
            record.role is Role.RESULT
            and not record.failed
            and record.call in calls
            and command in _runs(calls[record.call].command or "")
        ):
            return later
    return None


def _in_own_file(before: Sequence[Record], output: str) -> bool:
    """Return whether a failure is in a file that the session wrote: a slip, not a pitfall."""
    written = {
        name.replace("\\", "/").rsplit("/", 1)[-1] for record in before for name in record.files
    }
    return any(name in output for name in written)


def _other_command(
    records: Sequence[Record], calls: Mapping[str | None, Record], index: int, passed: int
) -> bool:
    return any(
        one.role is Role.RESULT
        and not one.failed
        and one.call in calls
        and not _LOOKS.match(command_itself(calls[one.call].command or ""))
        for one in records[index + 1 : passed]
    )


def _title(command: str, error: str, cause: str) -> str:
    if title := _of_cause(cause):
        return title
    if len(command) > _LONGEST or "`" in command:
        return ""
    head = f"`{command}` fails with “"
    return f"{head}{_cut(error, min(_SHOWN, LIMIT - len(head) - 2)).rstrip(' .:')}”"


def _of_cause(cause: str) -> str:
    """Return the title that a cause gives by itself, without `Root cause:`, or ""."""
    named = NAMED.match(cause)
    if _POINTS.search(cause):
        return ""
    if named:
        is_whole = named[0].endswith((": ", " that "))
        return cause_title(cause[named.end() :] if is_whole else cause)
    is_clear = len(cause) <= LIMIT and cause.count("`") % 2 == 0 and not _PRONOUN.search(cause)
    return capital(cause.rstrip(" .")) if is_clear else title_of(cause)


def _cut(error: str, room: int) -> str:
    return error if len(error) <= room else f"{error[:room].rsplit(' ', 1)[0]}…"


def _body(command: str, repair: _Repair) -> str:
    names = list(
        dict.fromkeys(name.replace("\\", "/").rsplit("/", 1)[-1] for name in repair.changed)
    )
    what = (
        f"a change of {', '.join(f'`{name}`' for name in names[:3])} made it pass"
        if 0 < len(names) <= 3
        else "it passed afterwards"
    )
    shown = command if len(command) <= 160 else command[:159].rsplit(" ", 1)[0] + "…"
    remedy = f" The agent then said: {in_quotes(repair.cause.remedy)}" * bool(repair.cause.remedy)
    return (
        f"{capital(finished(repair.cause.text))} `{shown.replace('`', chr(39))}` failed with "
        f"“{repair.error}”; {what}.{remedy}"
    )


def error_line(output: str) -> str:
    """Return the line of a failed command's output that says what is wrong, or ""."""
    lines = [" ".join(line.split()).removeprefix("E ") for line in output.splitlines()]
    return next(
        (
            line
            for line in lines
            if 12 < len(line) < 160 and _ERROR.search(line) and not _ERROR_NOISE.search(line)
        ),
        "",
    )
