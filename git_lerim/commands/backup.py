"""`git lerim backup`: write the memory and its history to a file, or restore it."""

from pathlib import Path

import click

from git_lerim.actions.backup import backup, restore
from git_lerim.commands import pull
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data,
    data_json,
    json_option,
    personal_option,
    say,
    takes_no,
    verb,
)
from git_lerim.errors import UsageError
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_LISTS = ("added", "changed", "merged", "withdrawn", "purged", "waiting")


@verb()
@click.argument("words", nargs=-1, required=True, metavar="[restore] FILE")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@personal_option
@json_option
def command(*, words: tuple[str, ...], force: bool, personal: bool, as_json: bool) -> None:
    """Save the memory with its whole history to FILE, a git bundle.

    backup restore FILE merges such a file into the memory here.
    """
    is_restore = len(words) == 2 and words[0] == "restore"
    _check(words, is_restore=is_restore)
    takes_no("backup restore", force=is_restore and force)
    ws, file = opened(personal=personal), Path(words[-1]).expanduser()
    if is_restore:
        _restore(ws, file, as_json=as_json)
        return
    commits = backup(ws, file, force=force)
    if as_json:
        data_json({"file": str(file), "commits": commits})
    else:
        data(f"Saved {counted(commits, 'commit')} to {file}")


def _check(words: tuple[str, ...], *, is_restore: bool) -> None:
    """Raise UsageError unless the arguments name exactly one file; `-` is refused."""
    if words == ("restore",):
        raise UsageError(
            "backup restore needs a file",
            hint="to write a backup to a file called restore, run: git lerim backup ./restore",
        )
    if not is_restore and len(words) != 1:
        raise UsageError(
            "backup takes exactly one file",
            hint="git lerim backup FILE, or git lerim backup restore FILE",
        )
    if words[-1] == "-":
        hint = "name a file; to write a bundle to stdout, use git bundle create - BRANCH"
        raise UsageError("a backup cannot be read from stdin or written to stdout", hint=hint)


def _restore(ws: Workspace, file: Path, *, as_json: bool) -> None:
    restored = restore(ws, file)
    if as_json:
        row = pull.to_json(restored, ())
        commit = restored.commit if restored.moved else None
        data_json({"commit": commit} | {name: row[name] for name in _LISTS})
        return
    if not restored.moved:
        data("already up to date")
        return
    pull.tell(restored, ())
    if restored.changed:
        say(
            "to see which commit changed a memory: git lerim log ID; to undo it: git lerim"
            " undo COMMIT"
        )
