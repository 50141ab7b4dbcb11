"""Fetch the memory of a remote, merge it with ours, and report what is new."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from git_lerim.actions import authorship, mistrust
from git_lerim.actions.judged import shown_title
from git_lerim.actions.sharing import fetched, own_proposal
from git_lerim.actions.sharing.purged import purged_titles, withdrawn_titles
from git_lerim.actions.sharing.retired import Retired, own_first, retired_among
from git_lerim.actions.sync.resettle import resettle
from git_lerim.errors import LerimError, NoIdentity
from git_lerim.git import refs
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.remote.fetch import fetch_branch, fetch_branch_and_folder
from git_lerim.git.running.process import plain, run_git
from git_lerim.memories import naming
from git_lerim.memories.handoff import claimer
from git_lerim.memories.memory import Memory
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import MergeResult, Snapshot, Stored
from git_lerim.storage.branch import lost_commits
from git_lerim.storage.branch.lazy_snapshot import look_up, new_since
from git_lerim.storage.history import replace_branch
from git_lerim.storage.sharing import incoming
from git_lerim.storage.sharing.remote_holdings import lost_ref
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.storage.base import Waiting
    from git_lerim.storage.branch.branch_store import BranchStore

NAMED = 5  # memories of each list to name
_LISTS = (
    "added",
    "changed",
    "merged",
    "handoffs",
    "passed",
    "lost",
    "summaries",
    "purged",
    "withdrawn",
    "retired",
    "aside",
)
PULL_CODE = "the memory is part of your branch; to get others' commits: git pull"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """The result of a pull from a remote."""

    remote: str
    commit: str | None  # our tip now, if there is a memory
    theirs: str | None  # the remote's tip, if it has a memory
    lacking: int = 0  # commits that the remote has lost
    had: str | None = None  # the commit that had them
    moved: bool  # whether the branch moved, or the user's own proposal was changed
    added: tuple[str, ...] = ()  # ids
    changed: tuple[str, ...] = ()  # ids changed only by others
    merged: tuple[str, ...] = ()  # ids changed on both sides
    aside: tuple[str, ...] = ()  # files that are no memories: path and reason, safe to print
    handoffs: tuple[Memory, ...] = ()  # new handoffs
    # known handoffs that others claimed, released or cancelled
    passed: tuple[Memory, ...] = ()
    # handoffs claimed here, but by somebody else before
    lost: tuple[Memory, ...] = ()
    summaries: tuple[str, ...] = ()  # ids of new summaries
    purged: tuple[str, ...] = ()  # ids that others purged, and that are purged here now, too
    old: str | None = None  # our tip before the merge, which has what was purged
    # ids that others purged but that stay here: ours, or not known to come from that remote
    purges_waiting: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()  # ids that others deleted; the last version is still here
    # what others took out of use, reworded or revived of the user's memories and handoffs
    retired: tuple[Retired, ...] = ()
    # ids of the user's proposed memories that others rewrote; the user's versions are still here
    rewritten: tuple[str, ...] = ()
    # redacted titles, with status, of the first few of each list; none if waiting
    titles: Mapping[str, str] = field(default_factory=dict)
    waiting: "tuple[Waiting, ...]" = ()  # files that `lerim.trust` withholds


def pull(ws: Workspace, name: str | None = None, *, alone: bool = False) -> Pulled:
    """Fetch and merge the memory of a remote; with `alone`, never prompt for a password.

    Raises GitFailed, UsageError.
    """
    open_store.branch_only(ws, PULL_CODE)
    name = name or ws.settings["remote"]
    known = fetched.known_before(ws, name)
    mine = own_proposal.put_here(ws)
    stood = ws.store.tip()  # a write during the fetch may already merge what it brings
    theirs = fetch_memory(ws, name, alone=alone)
    lost = [(_keep_lost(ws, name, each, theirs), each) for each in known]
    lacking, had = max(lost, default=(0, ""))
    if theirs is None:
        return Pulled(
            remote=name, commit=ws.store.tip(), theirs=None, moved=False, lacking=lacking, had=had
        )
    waiting = (
        sorted(open_store.branch_only(ws, PULL_CODE).refused_purges(before, theirs, name))
        if (before := ws.store.tip())
        else ()
    )
    named = purged_titles(ws, before, theirs) if before else {}  # before they are gone
    merged = own_proposal.with_changes(ws, _merge(ws, name, theirs, stood), mine)
    expire_purged_logs(ws)
    return replace(
        merged,
        lacking=lacking,
        had=had,
        purges_waiting=tuple(waiting),
        old=before,
        titles={**named, **merged.titles},
        rewritten=tuple(open_store.rewritten(ws, ws.store.snapshot())),
    )


def expire_purged_logs(ws: Workspace) -> None:
    """Remove purged data from the reflogs of remote-tracking refs after a purge on the remote."""
    branch = ws.settings["branch"]
    if (tip := refs.read_ref(ws.place.common_dir, f"refs/heads/{branch}")) is not None:
        replace_branch.expire_fetched(ws.place, open_objects(ws.place), branch, tip)


def fetch_memory(ws: Workspace, name: str, *, alone: bool) -> str | None:
    """Fetch the memory of a remote, with others' proposals unless `alone`, and return its tip."""
    branch = ws.settings["branch"]
    if alone or ws.personal:
        return fetch_branch(ws.place, name, branch, alone=alone)
    theirs, why = fetch_branch_and_folder(ws.place, name, branch, layout.proposals(branch))
    if why:
        ws.note(f"others' proposals could not be fetched: {why}")
    return theirs


def _keep_lost(ws: Workspace, name: str, had: str, theirs: str | None) -> int:
    """Merge the commits of `had` that the remote has lost since; return their number."""
    count = fetched.count_lost(ws, had, theirs)
    if count:
        run_git(ws.place.git("update-ref", lost_ref(name), had), cwd=ws.place.git_dir)
        open_store.branch_only(ws, PULL_CODE).join(had, name)
    return count


def merge_fetched(ws: Workspace, name: str, theirs: str) -> Pulled:
    """Merge a fetched history of the store with ours, and return what is new."""
    return _merge(ws, name, theirs, ws.store.tip())


def _merge(ws: Workspace, name: str, theirs: str, before: str | None) -> Pulled:
    """Merge a fetched history with ours; `before` is our tip before the fetch."""
    store = open_store.branch_only(ws, PULL_CODE)
    # what was fetched from the default remote is already part of the view
    shown = before if name == ws.settings["remote"] else store.view()
    had, mine = _had(ws, store, shown), store.trust.recorded()
    joined, tip = store.join(theirs, name), store.tip()
    is_new = tip != before and lost_commits.count_missing(ws.place, theirs, before)
    if joined is None and not is_new:
        return Pulled(remote=name, commit=tip, theirs=theirs, moved=False)
    _renew_proposal(ws)
    joined = joined or MergeResult()
    if before and not ws.proposing:  # no proposal unasked; a fast-forward settles only own ones
        own = None if joined != MergeResult() else store.trust.written_here
        resettle(ws, store.stood(before), f"merging {plain(name)}", own=own)
    added, aside, changed = new_since(old := had[0], after := store.snapshot())
    came = look_up(store.stood(theirs), added)  # other new ones were written here
    withdrawn = _taken_away(ws, had, after) if before else {}
    beside = incoming.find_incoming(ws.place, shown, after.commit or theirs).named_by(store)
    rewritten = _own_before(store, mine, beside.rewritten)
    elsewhere = {*joined.merged, *withdrawn}
    pulled = Pulled(
        remote=name,
        commit=after.commit,
        theirs=theirs,
        moved=True,
        added=tuple(id_ for id_ in added if id_ in came),
        changed=own_first(ws, [i for i in (*changed, *_ids(rewritten)) if i not in elsewhere]),
        merged=tuple(sorted(look_up(after, filter(naming.is_id, joined.merged)))),
        handoffs=tuple(item.memory for item in beside.handoffs),
        passed=tuple(item.memory for item in beside.changed),
        lost=tuple(item.memory for item, claim in beside.lost if claim.who == _own_name(ws)),
        summaries=beside.summaries,
        purged=tuple(sorted(after.purged - old.purged)) if before else (),
        withdrawn=tuple(withdrawn),
        aside=tuple(f"{authorship.path_for_reader(ws, f.path)}: {f.reason}" for f in aside),
        waiting=tuple(store.waiting()),
    )
    others = *beside.handoffs, *beside.changed, *rewritten, *list(withdrawn.values())[:NAMED]
    return _for_reader(ws, pulled, (old, after), others)


def _renew_proposal(ws: Workspace) -> None:
    """Rebase the user's own proposal; what others accepted of it stays the user's own."""
    if not ws.personal:
        with suppress(LerimError):
            open_store.reviewing(ws).renew()


def _own_before(
    store: "BranchStore", recorded: str | None, changed: Iterable[tuple[Stored, Stored]]
) -> list[Stored]:
    """Return the changed items whose earlier version is recorded as the user's own."""
    return [now for was, now in changed if recorded and store.trust.was_own(recorded, was.path)]


def _ids(items: Iterable[Stored]) -> Iterable[str]:
    return (item.memory.id for item in items)


def _had(ws: Workspace, store: "BranchStore", shown: str | None) -> list[Snapshot]:
    """Return snapshots from before a merge: of the memory, then of the user's own proposals."""
    proposed = open_store.reviewing(ws).own_tips() if ws.proposing else []
    return [
        store.stood(shown) if shown else Snapshot(commit=None),
        *map(store.stood, proposed),
    ]


def _taken_away(ws: Workspace, had: Sequence[Snapshot], after: Snapshot) -> dict[str, Stored]:
    """Map ids to what others removed from the memory, and from the user's own proposals."""
    found = _withdrawn(had[:1], after)
    return found | (_withdrawn(had, ws.store.snapshot()) if ws.proposing else {})


def _withdrawn(before: Sequence[Snapshot], now: Snapshot) -> dict[str, Stored]:
    """Map ids to the items that others removed since the snapshots in `before`.

    An item is a memory, summary or handoff. If another version of it remains, the item counts only
    if that version is new.
    """
    had = {id_ for old in before for id_ in (*old.memories, *old.handoffs, *old.summaries)}
    gone = {id_: now.withdrawn[id_] for id_ in sorted(now.withdrawn.keys() & had)}
    return {
        id_: item
        for id_, item in gone.items()
        if (new := now.standing(item)) is None or all(new != old.standing(item) for old in before)
    }


def _for_reader(
    ws: Workspace, pulled: Pulled, snapshots: tuple[Snapshot, Snapshot], others: Iterable[Stored]
) -> Pulled:
    """Add the titles of memories, except those withheld from the reader, and what was retired."""
    after = snapshots[1]
    ids = [id_ for each in (pulled.added, pulled.changed, pulled.merged) for id_ in each[:NAMED]]
    held = {each.path for each in pulled.waiting}
    items = [item for item in (*look_up(after, ids).values(), *others) if item.path not in held]
    titles = {item.memory.id: shown_title(item, why) for item, why in mistrust.shown(ws)(items)}
    were, are = (_protected(each, pulled.changed) for each in snapshots)
    titles |= {id_: f"{titles[id_]}  (no longer protected)" for id_ in were - are if id_ in titles}
    gone = [item for item in items if item.memory.id in pulled.withdrawn]
    titles |= withdrawn_titles(ws, after.commit or pulled.theirs or "", gone, titles)
    taken = (*pulled.changed, *pulled.merged, *(each.id for each in pulled.passed))
    return replace(
        pulled,
        titles=titles,
        retired=tuple(retired_among(ws, after, taken)),
        waiting=_waiting(ws, pulled.waiting),
    )


def _protected(snapshot: Snapshot, ids: Iterable[str]) -> set[str]:
    return {id_ for id_, item in look_up(snapshot, ids).items() if item.memory.protected}


def _own_name(ws: Workspace) -> str:
    """Return the name under which we claim handoffs, or "" if git has no identity."""
    with suppress(NoIdentity):
        return claimer(ws.store.committer())
    return ""


def combine(first: Pulled | None, then: Pulled) -> Pulled:
    """Combine the results of two pulls from one remote into one result."""
    if first and first.lacking > then.lacking:
        then = replace(then, lacking=first.lacking, had=first.had)
    if first is None or not first.moved:
        return then
    # Any, because the lists have different types
    lists: dict[str, Any] = {
        name: _all_of(getattr(first, name), getattr(then, name)) for name in _LISTS
    }
    for name in ("changed", "merged"):  # name a new memory only once
        lists[name] = tuple(id_ for id_ in lists[name] if id_ not in lists["added"])
    waiting = then.waiting if then.moved else first.waiting
    titles = {**first.titles, **then.titles}
    return replace(then, moved=True, titles=titles, waiting=waiting, **lists)


def _all_of(first: tuple[Any, ...], then: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple({getattr(each, "id", each): each for each in (*first, *then)}.values())


def _waiting(ws: Workspace, waiting: "Sequence[Waiting]") -> "tuple[Waiting, ...]":
    """Return the withheld files, each with the path that its reader may see."""
    return tuple(replace(each, path=authorship.path_for_reader(ws, each.path)) for each in waiting)
