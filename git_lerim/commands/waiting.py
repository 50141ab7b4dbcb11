"""Print lines about memories withheld, rewritten, purged or set aside, for `status` and `pull`."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from git_lerim.actions.sharing.purged import Deleted, note_told
from git_lerim.commands.terminal import data, say
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_NAMED = 5
_HANG = 10  # columns of a label
# how a memory was retired, and what brings it back; else as in `Retired.status`
_SAID = {
    "suspect": "marked suspect",
    "disputed": "called wrong",
    "doubted": "called wrong",
    "revived": "taken back into use",
}
_BACK = {
    "disputed": "feedback {} confirmed brings it back",
    "doubted": "feedback {} confirmed keeps it",
    "revived": "forget {} archives it again",
}
_AGREE = dict.fromkeys(("disputed", "doubted"), "forget {} archives it")
IN_USE = {"doubted", "reworded", "redirected", "revived"}


def tell_waiting(waiting: Sequence[tuple[str, str]]) -> None:
    """Print the withheld memory files: the id or path, and the reason."""
    for name, reason in waiting[:_NAMED]:
        data(f"waits     {name}: {reason}")
    if more := waiting[_NAMED:]:
        data(
            f"waits     {counted(len(more), 'more file')}; to see all: git lerim list --all, or git"
            " lerim lint"
        )
    if waiting:
        say(
            "these memories are withheld; to read one: git lerim show ID; to accept it: git lerim"
            " pull --accept ID (or all)"
        )


def tell_rewritten(ids: Sequence[str]) -> None:
    """List all memories of the user that others rewrote, and say how to choose a version."""
    for id_ in ids:
        data(
            f"rewritten {id_} by someone else: git lerim restore {id_} brings yours back, git lerim"
            f" pull --accept {id_} keeps theirs"
        )


def tell_retired(retired: Sequence[Mapping[str, Any]], *, personal: bool = False) -> None:
    """List all memories of the user that others took away or changed, and say what to do."""
    for each in retired:
        label = "changed" if each["status"] in IN_USE else "retired"
        data(f"{label}   {each['id']} {what_to_do(each, personal=personal)}", hang=_HANG)


def tell_what_to_do(each: Mapping[str, Any]) -> None:
    """Print, below a line about a memory, who took it away or changed it, and what to do."""
    data(f"{'':<{_HANG}}{what_to_do(each)}", hang=_HANG)


def what_to_do(each: Mapping[str, Any], *, personal: bool = False) -> str:
    """Say who took a memory of the user away or changed it, and what to do."""
    where, status = " --personal" if personal else "", each["status"]
    back = _BACK.get(status, "restore {} brings it back").format(f"{each['id']}{where}")
    agree = _AGREE.get(status, "pull --accept {} accepts this")
    agree = agree.format(f"{each['accept']}{where}")
    reason = f" (“{each['reason']}”)" if each["reason"] else ""
    who = f"{_SAID.get(status, status)} by {each['author']}{reason}"
    return f"{who}: git lerim {back}, git lerim {agree}"


def aside_lines(lead: str, files: Sequence[str], listing: str = "git lerim lint") -> list[str]:
    """Return a line for each of the first few files set aside, and one that counts the rest."""
    more = [f"{lead} {counted(len(files) - _NAMED, 'more file')}; {listing} lists them"]
    return [*(f"{lead} {file}" for file in files[:_NAMED]), *(more if files[_NAMED:] else ())]


def tell_purged(ws: Workspace, deleted: Sequence[Deleted]) -> None:
    """List the memories that others' purges deleted, and say how to read them once more."""
    for each in deleted:
        data(f"purged    {each.id}  {each.title or '(purged by someone else)'}")
    tell_kept(dict.fromkeys(each.tip for each in deleted))
    note_told(ws, deleted)


def tell_kept(tips: Iterable[str]) -> None:
    """Say which commits still have what others purged."""
    for tip in tips:
        say(
            f"memories that others purged are still on this machine: git log -p {tip[:10]} --"
            " '*ID*' shows one, git lerim remember adds its text again"
        )


def tell_purges(ids: Sequence[str], titles: Mapping[str, str], remote: str = "") -> None:
    """Print the memories that others purged, but that stay until the user accepts the purge.

    Until then, nothing is pushed to the remote.
    """
    for id_ in ids:  # all of them, because they can then be deleted together
        data(f"purge     {id_}  {titles.get(id_) or '(purged by someone else)'}")
    if ids:
        say(
            "you wrote or changed these memories, or they may not have come from that remote, so"
            " they are kept; nothing is pushed to that remote until you delete them, too: git lerim"
            f" pull {f'{shlex.quote(remote)} ' if remote else ''}--accept-purges"
        )
