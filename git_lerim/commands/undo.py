"""`git lerim undo`: revert a run or a commit of the memory."""

import click

from git_lerim.actions.undo import undo
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.commands.written import written_options
from git_lerim.memories.memory import Status


@verb()
@click.argument("named", metavar="RUN|COMMIT")
@written_options
@personal_option
@json_option
def command(*, named: str, personal: bool, as_json: bool) -> None:
    """Take back a run or a commit of the memory.

    What it added is archived, what it changed is as before; later edits stay.
    """
    undone = undo(opened(personal=personal), named)
    if as_json:
        ids = [memory.id for memory in undone.memories]
        data_json(
            {
                "commit": undone.commit,
                "ids": ids,
                "left": [{"id": id_, "why": why} for id_, why in undone.left],
            }
        )
        return
    for memory in undone.memories:
        data(f"{'-' if memory.status is Status.ARCHIVED else '~'} {memory.id}  {memory.title}")
    for id_, why in undone.left:
        say(f"{id_} {why}, and was left as it is")
    if undone.commit is None:
        say("nothing was to be taken back")
