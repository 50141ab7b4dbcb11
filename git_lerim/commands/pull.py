"""`git lerim pull`: merge a remote's memory."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from git_lerim.actions.handoffs.handoff import describe_state
from git_lerim.actions.handoffs.handoff_view import claim_json
from git_lerim.actions.sharing import propose, review_list
from git_lerim.actions.sharing.accept import accept_waiting, note_purges, note_shown
from git_lerim.actions.sharing.accept_purges import accept_purges as accept_shown_purges
from git_lerim.actions.sharing.connecting import agree_to_connect
from git_lerim.actions.sharing.fetched import (
    asks_to_restore,
    describe_lost,
    had_memory,
    push_command,
)
from git_lerim.actions.sharing.pull import NAMED, Pulled, pull
from git_lerim.actions.sharing.purged import note_told, untold
from git_lerim.actions.sharing.review_list import Waiting
from git_lerim.actions.sharing.shown_proposals import note_proposals
from git_lerim.commands.opening import opened
from git_lerim.commands.review import tell_each, tell_unread
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
from git_lerim.commands.waiting import (
    IN_USE,
    aside_lines,
    tell_kept,
    tell_purged,
    tell_purges,
    tell_retired,
    tell_rewritten,
    tell_waiting,
    tell_what_to_do,
)
from git_lerim.errors import UsageError
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb()
@click.argument("remote", required=False)
@click.option(
    "--accept",
    multiple=True,
    metavar="ID|PATH",
    help="Accept withheld memories (see lerim.trust), without fetching: an ID, the path of a"
    " summary, or all.",
)
@click.option(
    "--accept-purges",
    is_flag=True,
    help=(
        "Also delete, permanently, memories that others purged and that were kept because you wrote"
        " or changed them, or because they may not have come from REMOTE."
    ),
)
@personal_option
@yes_option
@json_option
def command(
    *,
    remote: str | None,
    accept: tuple[str, ...],
    accept_purges: bool,
    personal: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Fetch the memory of REMOTE (default: lerim.remote, or origin) and merge it into yours.

    There are never conflicts to resolve. Asks first if this repository's own configuration decides
    how git connects.
    """
    if accept and remote is not None:
        raise UsageError(
            "--accept takes no REMOTE; it applies to memories from all remotes",
            hint="git lerim pull --accept ID",
        )
    ws = opened(personal=personal, making=True)
    if accept:
        _accept(ws, accept, as_json=as_json)
        return
    agree_to_connect(ws, lambda question: confirm(question, yes=yes))
    deleted = _accept_purges(ws, remote, as_json=as_json) if accept_purges else []
    before = propose.fetched_proposals(ws, remote)
    pulled = _pull(ws, remote)
    proposed, unread = propose.new_proposals(ws, remote, before)
    note_proposals(ws, proposed)
    if as_json:
        accepted = {"purges_accepted": deleted} if accept_purges else {}
        data_json(to_json(pulled, proposed) | accepted)
        tell_unread(unread)
        return
    tell(pulled, proposed, unread)
    tell_deleted(ws, pulled)
    if pulled.commit is None or (pulled.theirs is None and not pulled.lacking):
        _tell_nothing(ws, pulled)
    elif not pulled.moved and not proposed and not unread:
        data("already up to date")


def _pull(ws: Workspace, remote: str | None) -> Pulled:
    """Pull, and warn if the remote has lost commits."""
    pulled = pull(ws, remote)
    note_shown(ws, {each.path: each.blob for each in pulled.waiting})
    note_purges(ws, pulled.purges_waiting)
    if pulled.lacking:
        lost = describe_lost(ws, pulled.remote, pulled.lacking, pulled.theirs)
        asks = asks_to_restore(ws, pulled.remote)
        said = f"{lost}; nothing is lost here"
        say(f"warning: {said}, and {asks}" if asks else f"warning: {said}")
    return pulled


def _tell_nothing(ws: Workspace, pulled: Pulled) -> None:
    """Say that the remote has no memory, and how to create or share one."""
    if pulled.commit is None:
        say(
            f"{pulled.remote} has no memory, and neither has this repository; git lerim sync"
            " creates one"
        )
        return
    has = "no longer has a memory" if had_memory(ws, pulled.remote) else "has no memory yet"
    say(f"{pulled.remote} {has}; to share yours: {push_command(ws, pulled.remote)}")


def tell(pulled: Pulled, proposed: Sequence[Waiting], unread: int = 0) -> None:
    """Print what was pulled, and the proposals of others."""
    if pulled.moved:
        data(f"Pulled {_counts(pulled)} from {pulled.remote}")
        lost = {each.id for each in pulled.lost}
        passed = [each for each in pulled.passed if each.id not in lost]
        stands = {
            each.id: f"  ({describe_state(each)})" for each in passed if each.id in pulled.titles
        }
        changed = {each.id: each for each in pulled.retired if each.status in IN_USE}
        named = set[str]()
        for what, ids in (
            ("new", pulled.added), ("changed", pulled.changed), ("merged", pulled.merged),
            ("purged", pulled.purged),
            ("withdrawn", pulled.withdrawn),
            ("handoff", [each.id for each in (*pulled.handoffs, *passed)]),
        ):  # fmt: skip
            for id_ in ids[:NAMED]:
                data(f"{what:<9} {id_}  {pulled.titles.get(id_, '')}{stands.get(id_, '')}".rstrip())
                if id_ in changed:
                    tell_what_to_do(asdict(changed[id_]))
                    named.add(id_)
            if len(ids) > NAMED:
                data(f"{what:<9} and {len(ids) - NAMED} more; git lerim log -v lists them")
        tell_retired([asdict(each) for each in pulled.retired if each.id not in named])
        _tell_lost(pulled)
        _tell_kept(pulled)
    tell_purges(pulled.purges_waiting, pulled.titles, pulled.remote)
    for line in aside_lines("set aside and withheld:", pulled.aside):
        say(line)
    tell_rewritten(pulled.rewritten)
    if pulled.moved:
        tell_waiting([(each.id or each.path, each.reason) for each in pulled.waiting])
    if proposed or unread:
        count = counted(len(proposed) + unread, "proposal")
        data(f"{count} to review; see git lerim review")
        tell_each(proposed)
        tell_unread(unread)


def tell_deleted(ws: Workspace, pulled: Pulled) -> None:
    """Name what others' purges deleted here before this pull, such as by an agent's write."""
    found = untold(ws)
    new = {*pulled.purged} if pulled.moved else set()
    note_told(ws, [each for each in found if each.id in new])
    tell_purged(ws, [each for each in found if each.id not in new])


def _counts(pulled: Pulled) -> str:
    """Return how many items of each type were pulled; types without any are left out."""
    same = (
        ("changed", pulled.changed),
        ("merged", pulled.merged),
        ("purged", pulled.purged),
        ("withdrawn", pulled.withdrawn),
    )
    changed = [f"{len(ids)} {what}" for what, ids in same if ids]
    beside = (
        ("new handoff", pulled.handoffs),
        ("changed handoff", pulled.passed),
        ("new summary", pulled.summaries),
    )
    others = [counted(len(found), what) for what, found in beside if found]
    added = (
        [counted(len(pulled.added), "new memory")] if pulled.added or changed or not others else []
    )
    return ", ".join([*added, *changed, *others])


def _tell_lost(pulled: Pulled) -> None:
    """Print the handoffs that the user had claimed, but that somebody else had claimed earlier."""
    for memory in pulled.lost:
        data(
            f"lost      {memory.id}  {pulled.titles.get(memory.id, '')}  (you had claimed it; it"
            f" {describe_state(memory)})"
        )
    if pulled.lost:
        say(
            "when a handoff is claimed twice, the earlier claim wins; git lerim handoff list shows"
            " open ones"
        )


def _tell_kept(pulled: Pulled) -> None:
    """Say how to read or bring back what others purged or deleted."""
    if pulled.purged and pulled.old:
        tell_kept([pulled.old])
    if pulled.withdrawn:
        also = " or rewrote" if {*pulled.withdrawn} & {each.id for each in pulled.waiting} else ""
        say(
            f"memories that others deleted{also} are kept here: git lerim list --all shows"
            " them, git lerim restore ID brings one back"
        )


def _accept(ws: Workspace, wanted: tuple[str, ...], *, as_json: bool) -> None:
    changed, released = accept_waiting(ws, None if wanted == ("all",) else wanted)
    if as_json:
        data_json({"accepted": changed})
        return
    of_them = f"{len(released)} of them " if len(released) < len(changed) else ""
    then = f"{of_them}no longer withheld" if released else "none of them was withheld"
    data(f"Accepted {counted(len(changed), 'file')}; {then}" if changed else "nothing to accept")
    for name, title, reason in released:
        data(f"released  {name}  {title}".rstrip())
        data(f"          it had waited: {reason}", hang=10)


def _accept_purges(ws: Workspace, remote: str | None, *, as_json: bool) -> list[str]:
    """Delete what others purged and the user was told of; return the ids."""
    with ws.locked(wait=10):
        named, left, holding = accept_shown_purges(ws, remote)
    for id_, title in named:
        (say if as_json else data)(f"deleted   {id_}  {title}".rstrip())
    if named:
        memories = counted(len(named), "memory")
        say(f"Deleted {memories} from the whole history, as purged by others")
    for ref, how in holding:
        say(f"{ref} still contains the purged text; {how}")
    if left:
        say(
            "not deleted, because no pull or status had told you of these purges before:"
            f" {', '.join(left)}"
        )
    if not named and not left:
        say("no purges to accept")
    return [id_ for id_, _ in named]


def to_json(pulled: Pulled, proposed: Sequence[Waiting]) -> dict[str, object]:
    """Return the result of a pull in the format of `pull --json`."""
    return {
        "remote": pulled.remote,
        "commit": pulled.commit,
        "moved": pulled.moved,
        "added": list(pulled.added),
        "changed": list(pulled.changed),
        "merged": list(pulled.merged),
        "handoffs": [memory.id for memory in pulled.handoffs],
        "handoffs_changed": [memory.id for memory in pulled.passed],
        "claims_lost": [
            {"id": memory.id, "claimed_by": claim_json(memory)} for memory in pulled.lost
        ],
        "summaries": list(pulled.summaries),
        "purged": list(pulled.purged),
        "withdrawn": list(pulled.withdrawn),
        "retired": [asdict(each) for each in pulled.retired],
        "rewritten": list(pulled.rewritten),
        "purges_waiting": list(pulled.purges_waiting),
        "lacking": pulled.lacking,
        "quarantined": list(pulled.aside),
        "waiting": [
            {"id": each.id, "path": each.path, "reason": each.reason} for each in pulled.waiting
        ],
        "proposals": [review_list.as_json(each) for each in proposed],
    }
