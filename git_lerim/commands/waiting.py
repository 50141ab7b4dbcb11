"""Lines about memories that are not handed out, for `status` and `pull`."""

from collections.abc import Sequence

from git_lerim.commands.terminal import data, say
from git_lerim.tokens import counted

_NAMED = 5


def tell_waiting(waiting: Sequence[tuple[str, str]]) -> None:
    """Print the files that are not handed out: id or path, and reason."""
    for name, reason in waiting[:_NAMED]:
        data(f"waits     {name}: {reason}")
    if more := waiting[_NAMED:]:
        data(
            f"waits     {counted(len(more), 'more file')}: git lerim list --all and git lerim lint"
            " list them"
        )
    if waiting:
        say(
            "these memories are withheld; to read one: git lerim show ID; to accept it: git lerim"
            " pull --accept ID (or all)"
        )


def tell_purges(ids: Sequence[str]) -> None:
    """Print what others purged that is kept because it was written here."""
    if ids:
        named = ", ".join(ids[:_NAMED]) + (
            f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        )
        data(f"purge     someone else purged memories written or changed here: {named}")
        say(
            "they are kept and nothing is pushed until you delete them here too: git lerim pull"
            " --accept-purges"
        )
