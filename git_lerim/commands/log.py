"""`git lerim log`: show the memory's history."""

from typing import Any

import click

from git_lerim.actions.doubted_commits import as_json as to_json
from git_lerim.actions.doubted_commits import doubted, for_reader
from git_lerim.actions.judged import MARK
from git_lerim.actions.listing import iso
from git_lerim.actions.log import Filter, count_changes, log, redacted, unnamed_rows
from git_lerim.actions.placeholders import fill, of_commit
from git_lerim.commands.ids import any_id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    DATE,
    as_is,
    data_json,
    detail,
    format_option,
    heading,
    is_coloured,
    json_option,
    limit_option,
    personal_option,
    say,
    styled,
    takes_no,
    verb,
)
from git_lerim.tokens import local_times


@verb(paged=True)
@any_id_argument("memory", "[ID]", required=False)
@limit_option()
@click.option(
    "--op",
    "operation",
    metavar="NAME",
    help="Show only this operation, such as sync, edit or undo.",
)
@click.option("--agent", metavar="AGENT", help="Show only what came from this agent's sessions.")
@click.option("--session", metavar="ID", help="Show only what came from this session.")
@click.option("--author", metavar="NAME", help="Show only this person's commits.")
@click.option("--since", metavar="DATE", help=f"Show only what happened since DATE: {DATE}.")
@format_option
@personal_option
@json_option
def command(
    *,
    limit: int | None,
    template: str | None,
    personal: bool,
    as_json: bool,
    **wanted: str | None,
) -> None:
    """Show the history of all memories, newest first; with ID, of one memory.

    For the full commits, use git log lerim/memory.
    """
    if template is not None:
        takes_no("log --format", json=as_json)
    ws = opened(personal=personal, fallback=True)
    commits = redacted(ws, log(ws, Filter(**wanted), limit))
    why = doubted(ws, commits)
    commits = for_reader(ws, commits, why)
    if as_json:
        data_json([to_json(ws, commit, why.get(commit.id, "")) for commit in commits])
        return
    for commit in commits:
        if template is None:
            _print(commit, MARK if commit.id in why else "")
        else:
            as_is(fill(template, of_commit(commit), coloured=is_coloured()))
    if not commits:
        say(
            "no matching entries"
            if any(value is not None for value in wanted.values())
            else "no history yet"
        )


def _print(commit: Any, mark: str) -> None:
    counts = "".join(f" {sign}{number}" for sign, number in count_changes(commit).items() if number)
    id_, author = heading(commit.id[:10], fg="yellow"), heading(commit.author[:20])
    subject = f"{mark}{heading(commit.subject)}"
    styled(f"{id_}  {local_times(iso(commit.at))}  {author}  {subject}{counts}")
    if body := "\n".join(filter(None, [commit.body, *unnamed_rows(commit)])):
        detail(body)
