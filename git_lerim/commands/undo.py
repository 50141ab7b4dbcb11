"""`git lerim undo`: revert the changes that a run or a commit made to the memories."""

from collections.abc import Sequence
from typing import Any

import click

from git_lerim.actions.doubted_commits import readable
from git_lerim.actions.listing import iso
from git_lerim.actions.mistrust import titles
from git_lerim.actions.sharing.sent import counted_kinds
from git_lerim.actions.undo import Undone, last_run, undo
from git_lerim.actions.undo_log import SHORT, last_undo
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    confirm,
    data,
    data_json,
    json_option,
    personal_option,
    say,
    verb,
    yes_option,
)
from git_lerim.commands.written import written_options
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Primitive
from git_lerim.tokens import counted, local_times
from git_lerim.workspace import Workspace

_NAMED = 10  # commits listed in the question, and files of each
_DONE = {"A": "added", "M": "changed", "D": "deleted", "T": "changed"}  # by status


@verb()
@click.argument("named", metavar="[RUN|COMMIT]", required=False)
@written_options
@yes_option
@personal_option
@json_option
def command(*, named: str | None, yes: bool, personal: bool, as_json: bool) -> None:
    """Undo a run or a commit. Without a name, undo the last one not undone yet, after asking.

    Archives the memories that it added and reverts those that it changed; later edits are kept.
    With lerim.store=tree and uncommitted changes, a name is needed.
    """
    ws = opened(personal=personal)
    undone = undo(ws, _agreed(ws, yes=yes) if named is None else named)
    if as_json:
        ids = [memory.id for memory in undone.memories]
        data_json(
            {
                "commit": undone.commit,
                "ids": ids,
                "removed": list(undone.removed),
                "left": [{"id": id_, "why": why} for id_, why in undone.left],
            }
        )
        return
    _tell(ws, undone)


def _tell(ws: Workspace, undone: Undone) -> None:
    """Print what was undone and what was skipped, and how to bring back archived memories."""
    for memory, title in zip(undone.memories, titles(ws, undone.memories), strict=True):
        noun = "session summary: " if memory.primitive is Primitive.SUMMARY else ""
        data(f"{'-' if memory.id in undone.archived else '~'} {memory.id}  {noun}{title}")
    for path in undone.removed:
        data(f"- {path}")
    for id_, why in undone.left:
        say(f"skipped {id_}: it {why}")
    if undone.commit is None:
        say("nothing to undo")
    archived = [m for m in undone.memories if m.id in undone.archived and m.sources]
    if archived:
        say(_how_back(archived, undone.commit))
    if ws.in_tree and undone.commit == "" and not ws.then:
        say(f"not committed; to stage it: git add {ws.store_name}")


def _how_back(archived: Sequence[Memory], commit: str | None) -> str:
    """Return a hint on how to bring back the memories that an undo archived.

    These memories come from sessions, but sync does not add them again.
    """
    kinds = counted_kinds(memory.primitive for memory in archived)
    is_one = len(archived) == 1
    these, them = (f"this {kinds[2:]}", "it") if is_one else (f"these {kinds}", "them")
    restore = f"restore {archived[0].id if is_one else 'ID...'}"
    how = f"undo {commit[:SHORT]}" if commit else restore
    return f"sync does not add {these} again; to bring {them} back: git lerim {how}"


def _agreed(ws: Workspace, *, yes: bool) -> str:
    """Return the name of the last run if the user agrees to undo it. Raises Declined."""
    name, commits = last_run(ws)
    lines: list[str] = []
    for commit in readable(ws, commits[:_NAMED]):
        lines.append(f"  {commit.id[:10]}  {commit.subject}")
        # the commit may hold code, too
        lines += _memory_files(ws, commit) if ws.in_tree else []
    if more := commits[_NAMED:]:
        lines.append(f"  and {counted(len(more), 'more commit')}")
    newest = commits[0]
    when = local_times(iso(newest.at))
    what = f"these changes of {name} to the memory, and nothing else" if ws.in_tree else name
    if last := last_undo(ws):
        lines.append(f"this is older than the last undo; to take that back: git lerim undo {last}")
    lines.append(f"undo {what} ({newest.author}, {when})?")
    confirm("\n".join(lines), yes=yes)
    return name


def _memory_files(ws: Workspace, commit: Any) -> list[str]:
    """Return lines that list a commit's memory files, for a store in the work tree."""
    files = [file for file in commit.files if naming.valid_path(file.path)]
    lines = [f"      {_DONE[file.status]}  {ws.store_name}/{file.path}" for file in files[:_NAMED]]
    if more := files[_NAMED:]:
        lines.append(f"      and {counted(len(more), 'more file')}")
    return lines
