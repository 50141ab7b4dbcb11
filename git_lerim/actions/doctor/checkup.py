"""Check the installation: each function checks one thing, and yields what it found and advice."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from git_lerim.actions.authorship import path_for_reader
from git_lerim.actions.code.freshness import open_cache
from git_lerim.actions.doctor.branch_checks import branch
from git_lerim.actions.doctor.check import Check
from git_lerim.actions.hooks import delivery
from git_lerim.actions.setting_faults import unknown_settings
from git_lerim.actions.setup import connections
from git_lerim.actions.sharing import autopush
from git_lerim.errors import LerimError, ModelFailed
from git_lerim.git.running.process import git_version, require_git
from git_lerim.guarded import MODELS, REACHED, fallback, name_of
from git_lerim.llm.base import Findings
from git_lerim.recall.local import verdicts
from git_lerim.sessions.entry import shown_state
from git_lerim.tokens import counted, local_times, printable
from git_lerim.workspace import Workspace

_NAMED = 5
_PATIENCE = 60  # seconds for a model to answer
_LEAST_DISK = 100 * 1024 * 1024  # bytes
_DATABASES = {
    "catalog": "the catalog of sessions",
    "index": "the search index",
    "transcripts": "the cache of session texts",
    "verdicts": "the cache of which memories are stale",
    "vectors": "the vectors for semantic search",
}


def checkup(ws: Workspace) -> list[Check]:
    """Run every check, repairing what can be repaired without loss (a broken ref, a stale lock)."""
    checks: list[Check] = []
    for check in (
        _git,
        _python,
        _repository,
        _settings,
        _identity,
        branch,
        _files,
        _folder,
        _catalog,
        _aside,
        _disk,
        _agents,
        _hooks,
        _push,
        _models,
    ):
        try:
            checks += check(ws)
        except LerimError as error:
            checks.append(Check(check.__name__.strip("_"), "problem", str(error), error.hint))
    return checks


def _git(ws: Workspace) -> Iterator[Check]:  # noqa: ARG001 all checks take the same argument
    require_git()
    yield Check("git", "ok", ".".join(map(str, git_version())))


def _python(ws: Workspace) -> Iterator[Check]:
    """Report a PYTHONPATH that could make Python load a stranger's `git_lerim` instead of ours."""
    path = ws.env.get("PYTHONPATH", "")
    relative = [entry for entry in path.split(os.pathsep) if not Path(entry).is_absolute()]
    if path and relative:
        named = f"the relative entry {printable(relative[0])}" if relative[0] else "an empty entry"
        yield Check(
            "python",
            "warning",
            f"PYTHONPATH has {named}: Python imports from the current folder, here and in every"
            " program",
            "remove the entry where PYTHONPATH is set, such as in your shell's startup file",
        )


def _repository(ws: Workspace) -> Iterator[Check]:
    kind = "bare" if ws.place.bare else "a work tree"
    yield Check(
        "repository",
        "ok",
        f"{ws.place.common_dir} ({'personal store' if ws.personal else kind},"
        f" {ws.place.object_format})",
    )


def _settings(ws: Workspace) -> Iterator[Check]:
    for error in ws.settings.invalid:
        yield Check("settings", "problem", f"{error}; {fallback(error.name)}", error.hint)
    for one in unknown_settings(ws.settings):
        yield Check(
            "settings",
            "warning",
            f"{one.name} ({one.origin}) is not a setting of git-lerim and has no effect",
            one.suggestion or "git lerim config lists the settings",
        )


def _identity(ws: Workspace) -> Iterator[Check]:
    yield Check("identity", "ok", ws.store.committer())


def _files(ws: Workspace) -> Iterator[Check]:
    snapshot = ws.store.snapshot()
    for item in islice(snapshot.quarantined, _NAMED):
        yield Check(
            "memory",
            "warning",
            f"{path_for_reader(ws, item.path)} is set aside: {item.reason}",
            "run git lerim lint",
        )
    more = len(snapshot.quarantined) - _NAMED
    if more > 0:
        says = f"{counted(more, 'more file')} set aside"
        yield Check("memory", "warning", says, "run git lerim lint")
    yield Check("memories", "ok", f"{len(snapshot.memories)} read")


def _folder(ws: Workspace) -> Iterator[Check]:
    """Report a file or link in the place of the folder for local state."""
    if os.path.lexists(ws.folder) and not ws.folder.is_dir():
        message = f"{ws.folder} is not a folder, so git-lerim can keep no local state"
        yield Check("folder", "problem", message, "move it away; git-lerim then creates the folder")


def _catalog(ws: Workspace) -> Iterator[Check]:
    if not (ws.folder / "catalog.sqlite3").exists():
        yield Check("catalog", "ok", "none yet")
        return
    with ws.catalog() as catalog:
        result = str(catalog.execute("PRAGMA integrity_check").fetchone()[0])
        states = sorted(catalog.counts().items())
        counts = ", ".join(f"{n} {shown_state(word)}" for word, n in states)
    if result == "ok":
        yield Check("catalog", "ok", f"{counts or 'no sessions'} (SQLite {sqlite3.sqlite_version})")
    else:
        yield Check(
            "catalog", "problem", result, "git lerim reset recreates it; the memories are kept"
        )


def _aside(ws: Workspace) -> Iterator[Check]:
    """Report each unreadable database that was set aside (see `database.connect`)."""
    if (ws.folder / verdicts.NAME).exists() and (cache := open_cache(ws)) is not None:
        cache.close()  # opening sets a damaged one aside
    for path in sorted(ws.folder.rglob("*.sqlite3.broken")):
        name = path.name.removesuffix(".sqlite3.broken")
        message = (
            f"{path}, {_DATABASES.get(name, 'a database of git-lerim')}, could not be read; it was"
            " moved aside and replaced by a new one"
        )
        yield Check(name, "warning", message, "delete it if you do not need it")


def _disk(ws: Workspace) -> Iterator[Check]:
    free = shutil.disk_usage(ws.place.common_dir).free
    enough = free > _LEAST_DISK
    yield Check(
        "disk",
        "ok" if enough else "warning",
        f"{free // 1024 // 1024} MiB free",
        "" if enough else "a sync may run out of space",
    )


def _agents(ws: Workspace) -> Iterator[Check]:
    rows = [row for row in connections(ws) if row.sources]
    counts = ", ".join(
        f"{row.agent} {row.sources}" + ("" if row.connected else " (not connected)") for row in rows
    )
    if rows:
        yield Check("agents", "ok", f"session files: {counts}")
    else:
        yield Check(
            "agents",
            "warning",
            "no agent sessions found",
            "git lerim connect shows the folders searched",
        )


def _hooks(ws: Workspace) -> Iterator[Check]:
    hooks = delivery.hook_status(ws)
    problems = list(delivery.problems(ws))
    for problem, hint in problems:
        yield Check("hooks", "warning", problem, hint)
    if not hooks["git"] and not ws.personal:
        yield Check(
            "hooks",
            "ok",
            "no git hooks of git-lerim are installed here",
            "git lerim install sets them up",
        )
    elif hooks["git"] and not problems:
        last = hooks["last"]
        yield Check(
            "hooks",
            "ok",
            f"git runs them; last {local_times(last['at'])}" if last else "git runs them",
        )
    for agent, problem, hint in delivery.agent_problems(ws):
        yield Check(agent, "warning", problem, hint)


def _push(ws: Workspace) -> Iterator[Check]:
    """Report what keeps automatic pushes from the remote."""
    if ws.settings["push"] != "auto":
        return
    if failed := autopush.last_error(ws):
        yield Check("push", "warning", f"cannot push to {failed}", "to try again: git lerim push")
    if remote := autopush.missing_consent(ws):
        said = f"automatic push to {remote} needs your approval once"
        yield Check("push", "warning", said, "git lerim push")


def _models(ws: Workspace) -> Iterator[Check]:
    """Check that each configured model answers, by asking it for one token."""
    for refused, _ in ws.settings.asking:
        if name_of(refused) in {*MODELS, *REACHED}:
            says = f"no model was asked, because {refused} needs your approval"
            yield Check("model", "warning", says, "git lerim allow")
    names = {
        ws.settings[setting]: setting
        for setting in ("fallbackModel", "askModel", "model")
        if ws.settings[setting]
    }
    for name, setting in reversed(names.items()):
        try:
            answer = _probe(ws, setting)
        except ModelFailed as error:
            hint = error.hint or "check the settings with git lerim config"
            yield Check(setting, "warning", f"{name}: {error}", hint)
        else:
            yield Check(setting, "ok", _described(name, answer))
            yield from _window(ws, setting, name, answer)


def _probe(ws: Workspace, setting: str) -> Findings:
    from git_lerim import models  # noqa: PLC0415 rarely needed

    seconds = min(ws.settings["modelTimeout"], _PATIENCE)
    return models.one_model(ws.settings, ws.api_key, ws.env, setting, seconds).check()


def _described(name: str, answer: Findings) -> str:
    schema = {
        None: "",
        True: ", accepts a JSON schema",
        False: ", takes no JSON schema (described in the prompt instead)",
    }
    context = f", context of {answer.context:,} tokens" if answer.context else ""
    return f"{name} answers ({answer.seconds:.1f} s){schema[answer.takes_schema]}{context}"


def _window(ws: Workspace, setting: str, name: str, answer: Findings) -> Iterator[Check]:
    if answer.context and answer.context < ws.settings["maxWindowTokens"]:
        yield Check(
            setting,
            "warning",
            f"{name} accepts fewer tokens than lerim.maxWindowTokens sends",
            f"to send fewer: git config lerim.maxWindowTokens {answer.context * 3 // 4}",
        )
