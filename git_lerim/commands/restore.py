"""`git lerim restore`: bring memories back."""

from pathlib import Path

from git_lerim.actions.mistrust import to_accept
from git_lerim.actions.restore import restore
from git_lerim.commands.ids import any_id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)
from git_lerim.commands.written import print_changed, propose_option, written_options
from git_lerim.errors import UsageError
from git_lerim.memories import naming
from git_lerim.memories.feedback import disputed


@verb()
@any_id_argument("ids", "ID...", nargs=-1, required=True)
@propose_option
@written_options
@personal_option
@json_option
def command(*, ids: tuple[str, ...], personal: bool, as_json: bool) -> None:
    """Restore archived, superseded or suspect memories, and those dropped in sync -i."""
    for word in ids:
        if not naming.is_prefix(word.lower()) and Path(word).is_file():
            hint = f"to restore a backup: git lerim backup restore {word}"
            raise UsageError(f"{word} is a file, not a memory ID", hint=hint)
    ws = opened(personal=personal)
    changed = restore(ws, ids)
    if as_json:
        data_json({"ids": [memory.id for memory in changed.memories], "commit": changed.commit})
        return
    print_changed(ws, changed.memories)
    if changed.commit is None:
        say("nothing changed: already active")
    withheld = {each.id for each in ws.store.waiting()}
    for memory in changed.memories:
        if memory.id in withheld:
            say(f"{memory.id} is withheld{to_accept(memory.id)}")
        if disputed(memory.feedback):
            say(
                f"{memory.id} is still disputed, and brief leaves it out; if it is true: git lerim"
                f" feedback {memory.id} confirmed"
            )
