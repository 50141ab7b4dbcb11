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
            " name them"
        )
    if waiting:
        say(
            "what waits is not handed out; git lerim show reads it, git lerim pull --accept ID (or"
            " all) accepts it"
        )


def tell_purges(ids: Sequence[str]) -> None:
    """Print what others purged that is kept because it was written here."""
    if ids:
        named = ", ".join(ids[:_NAMED]) + (
            f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        )
        data(f"purge     somebody else purged what was written or changed here: {named}")
        say(
            "it stays, and nothing is pushed, until git lerim pull --accept-purges deletes it"
            " here, too"
        )
