"""Read and write the activity log, and the report and the decisions that each run saves."""

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from git_lerim.actions.log import redacted
from git_lerim.actions.undo_log import RUN
from git_lerim.errors import UnknownMemory, Unreadable
from git_lerim.git.repo import private_folder
from git_lerim.memories import naming
from git_lerim.private_files import read_json
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.extraction.base import Dropped
    from git_lerim.extraction.reconcile import Action

_RUNS = 100  # runs to keep
_SIGNS = {"+": "add", "~": "change", "-": "archive"}  # of a commit's lines about memories
_LIST_HINT = "git lerim logs lists the runs"
_COUNT = re.compile(r"(?<![\w.-])(\d+(?:\.\d+)?) (?:of \d+ )?([a-z]+)\b")
_NAMES = {"s": "seconds", "memory": "memories"}
_LONGEST = 1 << 20  # bytes of the activity log


def activity(ws: Workspace, limit: int) -> list[str]:
    """Return the last lines of the activity log, oldest first."""
    try:
        text = _end(ws.folder / "activity.log", _LONGEST)
    except OSError:
        return []
    return text.decode("utf-8", "replace").splitlines()[-limit:]


def as_json(line: str) -> dict[str, Any]:
    """Split a line of the activity log into its time, its run, its counts and its text."""
    at, _, text = line.partition(" ")
    run = RUN.search(text)
    counts = text[run.end() :].partition(" from ")[0] if run else ""
    return {
        "at": at,
        "run": run[0] if run else None,
        "counts": {
            _counted(noun): float(number) if "." in number else int(number)
            for number, noun in _COUNT.findall(counts)
        },
        "text": text,
    }


def _counted(noun: str) -> str:
    """Return the plural of a noun that stands after a number in a log line."""
    return _NAMES.get(noun) or (noun if noun.endswith(("s", "ed")) else f"{noun}s")


def truncate(ws: Workspace) -> None:
    """Delete the older half of an oversized activity log.

    A line that another process writes at the same moment may be lost.
    """
    log = ws.folder / "activity.log"
    with contextlib.suppress(OSError):
        if log.stat().st_size > _LONGEST:
            kept = _end(log, _LONGEST // 2)
            shorter = log.with_name("activity.log.new")
            shorter.touch(mode=0o600)
            shorter.write_bytes(kept)
            shorter.replace(log)


def _end(log: Path, most: int) -> bytes:
    """Return the whole lines among the last `most` bytes of a log. Raises OSError."""
    with log.open("rb") as file:
        before = file.seek(0, os.SEEK_END) - most
        file.seek(max(0, before))
        text = file.read(most)
    return text.partition(b"\n")[2] if before > 0 else text


def run_artifacts(ws: Workspace, name: str) -> dict[str, Any]:
    """Return the decisions and the report that a run saved, or else the changes it committed.

    Raises UnknownMemory if no run or several match.
    """
    runs = sorted(path for path in (ws.folder / "runs").glob("*") if _is_called(path.name, name))
    if not runs and (actions := _committed(ws, name)):
        return {"report": {"errors": []}, "actions": actions, "candidates": [], "calls": []}
    if not runs and any(name in line for line in activity(ws, _RUNS)):
        raise UnknownMemory(
            f"run {name} made no decisions", hint="git lerim logs shows it in one line"
        )
    if len(runs) != 1:
        matches = f"{len(runs)} runs are" if runs else "no run is"
        raise UnknownMemory(f"{matches} called {name!r}", hint=_LIST_HINT)
    parts = [
        "report",
        "actions",
        *(["candidates"] if (runs[0] / "candidates.json").exists() else []),
    ]
    try:
        from git_lerim.actions.models import model_traces  # noqa: PLC0415

        calls = model_traces.calls_of(runs[0])
        # neither an `ask` nor a sync that was killed saves a report
        if calls and not (runs[0] / "report.json").exists():
            return {"report": {"errors": []}, "actions": [], "candidates": [], "calls": calls}
        return {"candidates": [], "calls": calls} | {
            part: read_json(runs[0] / f"{part}.json") for part in parts
        }
    except (OSError, ValueError) as error:
        raise Unreadable(
            f"the records of run {runs[0].name} cannot be read: {error}",
            hint="the run may have been killed",
        ) from error


def _is_called(run: str, name: str) -> bool:
    return run.startswith(name) or run.endswith(name)


def _committed(ws: Workspace, name: str) -> list[dict[str, Any]]:
    """Return the changes in a run's commits, for a run that saved no decisions.

    Raises UnknownMemory if several runs match.
    """
    commits = [
        commit
        for commit in ws.store.history()
        if _is_called(dict(commit.trailers).get("Lerim-Run", ""), name)
    ]
    runs = {dict(commit.trailers)["Lerim-Run"] for commit in commits}
    if len(runs) > 1:
        raise UnknownMemory(f"{len(runs)} runs are called {name!r}", hint=_LIST_HINT)
    return [
        {
            "session": dict(commit.trailers).get("Lerim-Session", ""),
            "action": _SIGNS[sign],
            "memory": id_,
            "title": title.rstrip(),
            "reason": f"{commit.id[:10]} {commit.subject}",
        }
        for commit in redacted(ws, reversed(commits))
        for sign, id_, title in (f"{line}  ".split(" ", 2) for line in commit.body.splitlines())
        if sign in _SIGNS and naming.is_id(id_)
    ]


def save_artifacts(
    ws: Workspace,
    run: str,
    report: dict[str, Any],
    results: "Iterable[tuple[str, Sequence[Action], Sequence[Dropped]]]",
) -> None:
    """Save a run's report, its decisions about memories, and dropped texts with the reasons.

    `results` contains, for each session or other source, its name, decisions and dropped texts.
    """
    results = list(results)
    folder = private_folder(private_folder(ws.folder / "runs") / run)
    actions = [
        {
            "session": name,
            "action": type(action).__name__.lower(),
            "memory": action.memory.id,
            "title": action.memory.title,
            "reason": action.reason,
        }
        for name, decided, _ in results
        for action in decided
    ]
    candidates = [
        _candidate(name, dropped) for name, _, all_dropped in results for dropped in all_dropped
    ]
    for old in sorted(folder.parent.iterdir())[:-_RUNS]:  # names sort by command and time
        shutil.rmtree(old, ignore_errors=True)
    for name, value in {"report": report, "actions": actions, "candidates": candidates}.items():
        _write(folder / f"{name}.json", value)


def _candidate(session: str, dropped: "Dropped") -> dict[str, Any]:
    evidence = [
        {"part": one.part, "records": [list(pair) for pair in one.records]}
        for one in dropped.evidence
    ]
    return {
        "session": session,
        "text": dropped.text,
        "reason": dropped.reason,
        "evidence": evidence,
    }


def _write(path: Path, value: object) -> None:
    path.touch(mode=0o600)
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    # non-UTF-8 bytes of names become JSON escapes
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
