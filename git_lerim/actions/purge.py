"""Delete memories for good: from the branch's history, local caches, and a remote."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from git_lerim.actions import reset
from git_lerim.actions.authorship import refuse_agent, refuse_persons_words
from git_lerim.actions.mistrust import refuse_to_change, titles
from git_lerim.actions.sharing.connecting import agree_to_connect
from git_lerim.actions.sharing.push import (
    ROUNDS,
    Ask,
    Pushed,
    common_tip,
    display_urls,
    merge_remote,
    record_push,
    rejection,
)
from git_lerim.actions.sharing.secret_scan import refuse_secrets
from git_lerim.errors import BadMemory, LerimError, UsageError
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.remote.push import Answer, push_branch
from git_lerim.git.remote.remote_urls import push_urls, tracking_ref
from git_lerim.git.running.process import plain, run_git
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Primitive
from git_lerim.sessions import queue
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.history import purged_refs, replace_branch
from git_lerim.storage.history.replace_branch import Purged
from git_lerim.storage.history.rewriting import Rewriting
from git_lerim.storage.sharing.tombstones import Purge
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_INSTEAD = (
    "to archive it: git lerim forget; to delete it from your own history, you must rewrite"
    " that history yourself"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a purge would delete and rewrite."""

    purge: Purge
    rewriting: Rewriting  # the new history; no ref was moved yet
    named: tuple[tuple[str, str], ...]  # id and redacted title
    commits: int  # to rewrite
    sessions: tuple[tuple[str, str], ...]  # agent and id of their source sessions
    # ids of memories that stay, although derived from purged ones or about the same sessions
    repeating: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a purge deleted and rewrote."""

    plan: Plan
    commit: str
    rewritten: int
    kept: str | None  # the backup ref, if any
    holding: tuple[str, ...]  # other refs that still hold purged memories
    sessions: tuple[str, ...]  # sessions whose cached copy was deleted


def plan(ws: Workspace, prefixes: Sequence[str]) -> Plan:
    """Return a plan to purge the named memories, which may be in the store or in its history."""
    store = open_store.branch_only(ws, _INSTEAD)
    snapshot = store.snapshot()
    known = {
        **snapshot.withdrawn, **snapshot.handoffs, **snapshot.summaries, **snapshot.memories
    }  # fmt: skip
    proposed = open_store.reviewing(ws).snapshot()
    pending = (*proposed.handoffs, *proposed.summaries, *proposed.memories)
    ids = _find_ids(ws, {*known, *pending, *snapshot.purged}, prefixes)
    for id_ in ids & known.keys():
        refuse_to_change(ws, known[id_])
        refuse_persons_words(ws, known[id_].memory)
    refuse_agent(ws, "a purge deletes memories from the whole history, for good")
    purge = Purge(
        ids,
        {id_: _summary_paths(proposed.summaries[id_]) for id_ in ids if id_ in proposed.summaries},
    )
    rewriting = store.without(purge)
    if rewriting is None:
        raise LerimError("no memory here yet", hint="to get a remote's memory: git lerim pull")
    versions = _versions(ws, rewriting.gone)
    sessions = {(source.agent, source.session) for memory in versions for source in memory.sources}
    names = dict(zip((each.id for each in versions), titles(ws, versions), strict=True))
    return Plan(
        purge=purge,
        rewriting=rewriting,
        named=tuple((id_, names.get(id_, "")) for id_ in sorted(ids)),
        commits=rewriting.rewritten,
        sessions=tuple(sorted(sessions)),
        repeating=tuple(
            sorted(
                id_
                for id_, item in known.items()
                if id_ not in ids and _is_derived(item.memory, ids, sessions)
            )
        ),
    )


def _find_ids(ws: Workspace, known: Collection[str], prefixes: Sequence[str]) -> frozenset[str]:
    """Return the ids with these prefixes, searching the history for ids not in the store."""
    here = [prefix for prefix in prefixes if _is_known(known, prefix)]
    gone = [prefix for prefix in prefixes if prefix not in here]
    past = _ids_in_history(ws) if gone else set()
    return frozenset(
        [
            *(naming.find_id(known, prefix) for prefix in here),
            *(naming.find_id(past, prefix) for prefix in gone),
        ]
    )


def _is_known(known: Iterable[str], prefix: str) -> bool:
    return any(id_.startswith(prefix.strip().lower()) for id_ in known)


def _ids_in_history(ws: Workspace) -> set[str]:
    return {file.id for commit in ws.store.history() for file in commit.files if file.id}


def _summary_paths(item: Stored) -> frozenset[str]:
    """Return a summary's possible paths.

    Two sessions from the same second can have the same short name; one then gets a longer path.
    """
    path = item.path.removeprefix("archived/")
    own = naming.path_of(item.memory)
    return frozenset((path, own, f"{own.removesuffix('.md')}-{item.memory.id}.md"))


def _versions(ws: Workspace, blobs: Iterable[str]) -> list[Memory]:
    """Return the memories in these blobs, the latest version of each last."""
    found: list[Memory] = []
    for blob in sorted(blobs):
        with suppress(BadMemory):
            found.append(frontmatter.parse(ws.store.content(blob)))
    return sorted(found, key=lambda memory: memory.updated)


def _is_derived(memory: Memory, ids: frozenset[str], sessions: set[tuple[str, str]]) -> bool:
    compared = (row.other for row in memory.compared)
    if ids.intersection((*memory.merged_from, *memory.supersedes, *memory.related, *compared)):
        return True
    tells = memory.primitive in {Primitive.SUMMARY, Primitive.HANDOFF}
    return tells and any((source.agent, source.session) in sessions for source in memory.sources)


def purge(ws: Workspace, planned: Plan) -> Done:
    """Delete the planned memories from the branch's history and from local caches.

    The caller must hold the lock.
    """
    done: Purged = open_store.branch_only(ws, _INSTEAD).purge(planned.purge, planned.rewriting)
    reset.delete(ws.folder, reset.DERIVED, "may contain purged data, and could not be deleted")
    return Done(
        plan=planned,
        commit=done.commit,
        rewritten=done.rewritten,
        kept=done.kept,
        holding=tuple(_refs_with_purged(ws, done)),
        sessions=tuple(_drop_sessions(ws, planned.sessions)),
    )


def _refs_with_purged(ws: Workspace, done: Purged) -> list[str]:
    objects = open_objects(ws.place)
    return purged_refs.refs_with_purged(ws.place, objects, done.commit, done.rewriting.first)


def _drop_sessions(ws: Workspace, sessions: Iterable[tuple[str, str]]) -> Iterable[str]:
    if not (ws.folder / "catalog.sqlite3").exists():
        return
    with ws.catalog() as catalog:
        for agent, session in sessions:
            entry = catalog.entry(agent, session)
            if entry is not None:
                queue.drop(catalog, entry)
                yield entry.name


def push(ws: Workspace, name: str | None, ask: Ask) -> Pushed:
    """Ask the user, then replace a remote's history with the purged one.

    Changes that others push meanwhile are merged first. Raises Declined, Unsafe, GitFailed,
    UsageError.
    """
    agree_to_connect(ws, ask)
    name = name or ws.settings["remote"]
    branch = ws.settings["branch"]
    urls = push_urls(ws.place, name)
    asked, pulled = False, None
    for _ in range(ROUNDS):
        pulled, tips = merge_remote(ws, name, urls, pulled)
        tip = ws.store.tip()
        if tip is None or not any(tips.values()):
            raise UsageError(
                f"{plain(name)} has no memory, so there is nothing to purge",
                hint="to share yours: git lerim push",
            )
        theirs = next((theirs for theirs in tips.values() if theirs and theirs != tip), None)
        if theirs is None:
            if pulled.theirs == tip and name == ws.settings["remote"]:
                open_store.branch_only(ws, _INSTEAD).replaced()
            replace_branch.expire_reflogs(ws.place, [tracking_ref(name, branch)])
            return record_push(ws, [url for url in urls if tips[url]], tip, pulled, moved=asked)
        if not asked:
            ask(_question(ws, name, urls, tip, theirs))
            asked = True
        refuse_secrets(ws, tip, common_tip(tips))
        answer = push_branch(ws.place, name, branch, tip, alone=False, instead_of=theirs)
        if answer.answer is Answer.REFUSED:
            raise rejection(ws, name, branch, answer.said)
    raise LerimError(
        f"{plain(name)} was changed by others {ROUNDS} times during the push",
        hint="try again later",
    )


def _question(ws: Workspace, name: str, urls: Sequence[str], tip: str, theirs: str) -> str:
    output = run_git(ws.place.git("rev-list", "--count", theirs, f"^{tip}"), cwd=ws.place.git_dir)
    place = f"{plain(name)} ({display_urls(urls)})"
    lost = counted(int(output), "commit")
    return (
        f"replace {ws.settings['branch']} on {place} with this history, which drops {lost} that"
        " only the remote has?"
    )


def is_replaced_by_push(ws: Workspace, ref: str, remote: str | None = None) -> bool:
    """Return whether a ref is the memory branch on a remote, which `purge --push` replaces.

    Without `remote`, the memory branch on any remote counts.
    """
    branch = ws.settings["branch"]
    if remote:
        return ref == tracking_ref(remote, branch)
    return ref.startswith("refs/remotes/") and ref.endswith(f"/{branch}")


def removal_hint(ws: Workspace, ref: str) -> str:
    """Return how to remove a ref with purged memories, or "" if git-lerim did not create it."""
    branch = ws.settings["branch"]
    if not ref.startswith("refs/remotes/"):
        return ""
    if is_replaced_by_push(ws, ref):
        return "to replace it there: git lerim purge --push"
    if f"/{layout.proposals(branch)}/" in ref:
        own, _ = open_store.proposal(ws)
        how = "to replace it there: git lerim review --open"
        if own and ref.endswith(f"/{own}"):
            return how
        return (
            f"{how} (by its author, after a pull); if nothing is left to propose, its author"
            " deletes that branch on the remote"
        )
    return ""


def as_dict(done: Done) -> dict[str, Any]:
    """Return the result in the format of `--json`."""
    return {
        "commit": done.commit,
        "ids": [id_ for id_, _ in done.plan.named],
        "rewritten": done.rewritten,
        "kept": done.kept,
        "holding": list(done.holding),
        "sessions": list(done.sessions),
        "repeating": list(done.plan.repeating),
    }
