"""`git lerim import`: import memories from files, or from the repository's history."""

# ruff: noqa: N999  the module has the name of the verb, and is imported by it

import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import click

from git_lerim.actions.files import import_files
from git_lerim.actions.files.import_files import FORMS, Imported, as_given
from git_lerim.actions.files.import_plan import DIFFERS, EDITED, WITHDRAWN
from git_lerim.actions.intake.session_commit import NAMED
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    DATE,
    PARTLY_DONE,
    data,
    data_json,
    detail,
    json_option,
    personal_option,
    say,
    takes_no,
    verb,
)
from git_lerim.commands.written import propose_option, written_options
from git_lerim.errors import UsageError
from git_lerim.memories.memory import Status
from git_lerim.tokens import counted

_GIT = "git"  # the source that is the repository's own history
_KEPT = "left alone"  # unlike an unchanged one, it differs from the source
_SIGNS = {"Add": "added", "Update": "updated", "Supersede": "superseded"}


@verb()
@click.argument("source", metavar="SOURCE|git")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--as",
    "form",
    type=click.Choice(list(FORMS)),
    help="The format of SOURCE (default: detected from file names).",
)
@click.option(
    "--since",
    metavar="DATE",
    help=f"With git: read only commits since DATE: {DATE}.  [1 year ago]",
)
@click.option(
    "--dry-run", is_flag=True, help="Show what would be imported, without writing anything."
)
@propose_option
@written_options
@personal_option
@json_option
def command(
    *,
    source: str,
    paths: tuple[str, ...],
    form: str | None,
    since: str | None,
    dry_run: bool,
    personal: bool,
    as_json: bool,
) -> int:
    """Import memories from a folder, a file, or the history of this repository.

    Reads Lerim's .lerim/memory, decision records (ADRs), agent rules, notes with front matter, and
    exports. Importing the same source again adds nothing; your edits are kept. Whatever is skipped
    is listed with the reason.

    With `git lerim import git [PATH]...`, the model set in lerim.model reads the commits, README,
    docs and agent rules of HEAD, or only those about PATH, and extracts decisions and learnings. To
    see how many tokens that takes, use --dry-run. Nothing is read twice.
    """
    if source == _GIT:
        takes_no("import git", **{"as": form}, personal=personal)
        # most imports are of files, and load no models
        from git_lerim.commands.import_git import import_git  # noqa: PLC0415

        return import_git(since=since, paths=paths, dry_run=dry_run, as_json=as_json)
    ws = opened(personal=personal, making=not dry_run)
    if paths:
        each = " && ".join(f"git lerim import {shlex.quote(one)}" for one in (source, *paths))
        raise UsageError("give one SOURCE at a time", hint=f"one after the other: {each}")
    takes_no("import SOURCE", since=since)
    done = import_files.import_files(
        ws, Path(source), form=FORMS[form] if form else None, dry_run=dry_run
    )
    if as_json:
        data_json(import_files.as_json(done, dry_run=dry_run))
    else:
        _tell(as_given(done, Path(source)), dry=dry_run)
    return PARTLY_DONE if done.failed else 0


def _tell(done: Imported, *, dry: bool) -> None:
    if not done.forms and not done.left:
        say(f"{done.source}: found nothing to import")
        return
    for form, count in done.forms.items():
        say(f"{done.source}: {import_files.form_name(form)}, {counted(count, 'file')}")
    for action in done.actions:
        _print(action)
    for line in _left(done):
        say(line)
    withheld = (type(each).__name__ == "Add" and each.memory.suspect for each in done.actions)
    counts = Counter(map(_outcome, done.actions))
    would = "would be " if dry else ""
    added, left = counted(counts["added"], "memory"), len(done.left)
    rest = ", ".join(f"{counts[what]} {what}" for what in ("updated", "superseded", "unchanged"))
    rest += f", {counts[_KEPT]} {_KEPT}" if counts[_KEPT] else ""
    say(f"{added} {would}added, {rest}")
    if done.redactions:
        would_be = "would redact" if dry else "redacted"
        say(f"{would_be} {counted(done.redactions, 'secret')}")
    if not dry and any(withheld):
        say("withheld memories are stored; to release one after reading it: git lerim restore ID")
    if left:
        say(f"skipped {counted(left, 'part')} of the source")
    if done.commit:
        say(f"to undo this import: git lerim undo {done.run_id}")


def _outcome(action: Any) -> str:
    if action.reason == DIFFERS or _is_named(action):
        return _KEPT
    return _SIGNS.get(type(action).__name__, "unchanged")


def _print(action: Any) -> None:
    kind = type(action).__name__
    if kind == "Skip":
        detail(f"= {action.memory.id}  {action.memory.title} ({action.reason})")
        return
    aside = (
        ""
        if kind != "Add" or action.memory.status is Status.ACTIVE
        else f"  ({action.memory.status})"
    )
    data(f"{action.sign} {action.memory.id}  {action.memory.title}{aside}")
    if kind != "Add":
        data(f"    {action.reason}")
    elif action.memory.suspect:
        data(f"    withheld from agents, because it {action.memory.suspect}")


def _left(done: Imported) -> list[str]:
    """Return lines about what was not imported and why, one for each failure.

    Lines of a file that were skipped for the same reason share one line.
    """
    failed = [f"warning: {one.place}: {one.reason}" for one in done.left if one.failed]
    grouped: dict[tuple[str, str], list[str]] = {}
    for one in done.left:
        if not one.failed:
            file, _, line = one.place.rpartition(":")
            place = (file, one.reason) if file and line.isdigit() else (one.place, one.reason)
            grouped.setdefault(place, []).append(line if file and line.isdigit() else "")
    rest = []
    for (file, reason), lines in grouped.items():
        where = (
            f"{file}, line{'s' if len(lines) > 1 else ''} {', '.join(lines)}" if lines[0] else file
        )
        rest.append(f"skipped {where}: {reason}")
    skipped = [
        f"skipped {a.memory.title}: {a.reason}"
        for a in done.actions
        if a.reason.startswith("says the same") or a.reason == DIFFERS
    ]
    # without the title, for which it may have been purged
    named = [f"skipped {a.memory.id}: {a.reason}" for a in done.actions if _is_named(a)]
    return [*failed, *rest, *skipped, *named]


def _is_named(action: Any) -> bool:
    """Return whether a memory is left out for what others can have done to the stored one."""
    return action.reason in {EDITED, WITHDRAWN, *NAMED} or action.reason.startswith(
        "was merged into "
    )
