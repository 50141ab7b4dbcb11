"""Undo what a commit or a run did to the memory, and keep later changes."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from git_lerim.actions.authorship import mark_edited, path_for_reader
from git_lerim.actions.broken import broken_ids
from git_lerim.actions.decisions import refuse_agents_change, signed
from git_lerim.actions.doubted_commits import subjects
from git_lerim.actions.edit_memory import affects_others, edit_time, edited_files, settle_others
from git_lerim.actions.mistrust import refuse_to_change
from git_lerim.actions.redacted_texts import redact_texts
from git_lerim.actions.undo_change import (
    Span,
    added_junk,
    all_of,
    content,
    deleted,
    newly_archived,
    reverted,
)
from git_lerim.actions.undo_in_tree import refuse_move, refuse_uncommitted
from git_lerim.actions.undo_log import (
    RUN,
    accepted_by,
    added_by,
    has_touched,
    in_force,
    nothing_changed,
    run_of,
    span_name,
    with_followers,
    without_followers,
)
from git_lerim.errors import UnknownMemory, UsageError
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.history.past import LoggedCommit, credit_acceptor, key, revision
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

_ARCHIVINGS = {("Lerim-Op", "forget"), ("Lerim-Op", "undo")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """The result of an undo: the memories that were undone, and those that were skipped."""

    commit: str | None  # None: nothing to undo
    memories: tuple[Memory, ...]  # as they are now
    left: tuple[tuple[str, str], ...]  # memories not undone: id and reason
    removed: tuple[str, ...] = ()  # paths of files that are no memories
    archived: frozenset[str] = frozenset()  # ids of those that it archived


def undo(ws: Workspace, named: str) -> Undone:
    """Undo a run or a commit: archive what it added, and revert what it changed.

    Later changes to a memory are kept; what it superseded is decided again. A memory that a person
    wrote and that exists only in a proposal is removed from the proposal instead: there is nothing
    to archive, and no sync would add it again. Raises UnknownMemory or UsageError.
    """
    span = _span(ws, named)
    shared = open_store.on_branch(ws).snapshot() if ws.proposing else None
    done: list[Memory] = []
    left: list[tuple[str, str]] = []
    removed: list[str] = []
    archived: list[str] = []
    old = ws.store.snapshot()

    def operation(snapshot: Snapshot) -> Change | None:
        done.clear()
        left.clear()
        files = _files(ws, span, (snapshot, shared), done, left)
        titles = redact_texts(ws, [memory.title for memory in done])
        removed[:] = added_junk(span, snapshot) if not ws.in_tree else []
        files |= dict.fromkeys(removed)
        if not files:
            return None
        archived[:] = newly_archived(snapshot, done)
        before = [was for each in done if (was := all_of(span.before).get(each.id))]
        theirs = ws.store.of_others(before, span.before.commit)
        change = signed(ws, _change(span.name, done, titles, archived, files))
        return replace(change, theirs=theirs)

    name = open_store.reviewing(ws).own() if shared is not None else None
    commit = ws.store.commit(operation)
    _settle(ws, named, old, done, commit)
    if name is not None:
        _update_proposal(ws, name, [memory.id for memory in done])
    junk = tuple(path_for_reader(ws, path) for path in removed)
    return Undone(
        commit=commit, memories=tuple(done), left=tuple(left), removed=junk,
        archived=frozenset(archived),
    )  # fmt: skip


def _settle(
    ws: Workspace, named: str, old: Snapshot, done: Sequence[Memory], commit: str | None
) -> None:
    """Decide again what is superseded, unless a run was undone: that restores it, too."""
    was = all_of(old)
    changed = any(each.id in was and affects_others(was[each.id].memory, each) for each in done)
    if changed and not RUN.fullmatch(named):
        settle_others(ws, old, "undo", commit)


def _files(
    ws: Workspace,
    span: Span,
    states: tuple[Snapshot, Snapshot | None],
    done: list[Memory],
    left: list[tuple[str, str]],
) -> dict[str, bytes | None]:
    """Map the path of each file that an undo writes to its content, or to None to delete it.

    Memories that are undone are added to `done`, and those that cannot be undone to `left`, with
    the reason.
    """
    snapshot, shared = states
    files: dict[str, bytes | None] = {}
    lost = snapshot.withdrawn.keys() | broken_ids(ws, snapshot)
    for id_ in span.ids:
        now = all_of(snapshot).get(id_)
        if now is None and id_ in lost and (taken := deleted(span, id_)):
            done.append(taken.memory)
            files[taken.path] = ws.store.file(taken)
            continue
        new = reverted(ws, span, id_, now, left) if now else None
        if now and new and new != now.memory:
            refuse_to_change(ws, now)
            refuse_agents_change(ws, now.memory, new)
            new = _edited(ws, span, now.memory, new)
            done.append(new)
            was = all_of(span.before).get(id_)
            files |= (
                edited_files(now, new)
                if shared is None
                else _in_proposal(was, now, new, all_of(shared).get(id_))
            )
    return files


def _has_nothing_left(ws: Workspace, named: str) -> bool:
    """Return whether everything that a run or commit did has since been undone or replaced."""
    left: list[tuple[str, str]] = []
    files = _files(ws, _span(ws, named), (ws.store.snapshot(), None), [], left)
    return not files and not left


def last_run(ws: Workspace) -> tuple[str, list[LoggedCommit]]:
    """Return the name and the commits of the last run or single commit that can be undone.

    Raises UsageError if there is none, or if a work tree has uncommitted changes.
    """
    refuse_uncommitted(ws)
    commits = list(map(credit_acceptor, ws.store.history()))
    seen: set[str] = set()
    for commit in without_followers(in_force(commits), commits):
        name = run_of(commit)
        if has_touched(commit):
            refuse_move(ws, commit)
        if name not in seen and has_touched(commit) and not _has_nothing_left(ws, name):
            return name, with_followers(commits, name, commit)
        seen.add(name)
    raise UsageError(
        "there is nothing to undo", hint="git lerim log shows the history of the memory"
    )


def _update_proposal(ws: Workspace, name: str, ids: Sequence[str]) -> None:
    """Rebase the proposal after an undo, and reject undone memories in its pushed version.

    Of the memories `ids`, only those that the local version no longer has are rejected.
    """
    store = open_store.reviewing(ws)
    store.renew()
    kept = {naming.id_in(path) for path in store.pending()}
    if (gone := [id_ for id_ in ids if id_ not in kept]) and (fetched := store.fetched(name)):
        store.reject(fetched, store.reviewed().content(fetched), gone)


def _in_proposal(
    was: Stored | None, now: Stored, new: Memory, shared: Stored | None
) -> dict[str, bytes | None]:
    """Return the files to write in a proposal to undo a change of one memory.

    If the result differs from the shared version only in times, the shared version is used.
    """
    if shared is None:
        return {now.path: None} if was is None and not new.sources else edited_files(now, new)
    same = (
        replace(new, updated=shared.memory.updated, last_accessed=shared.memory.last_accessed)
        == shared.memory
    )
    return edited_files(now, shared.memory if same else new)


def _span(ws: Workspace, named: str) -> Span:
    commits = list(ws.store.history())
    chosen = (
        [c for c in commits if ("Lerim-Run", named) in c.trailers]
        if RUN.fullmatch(named)
        else _commit(ws, commits, named)
    )
    if not chosen:
        raise _unknown(ws, named)
    first = chosen[-1]
    tree = open_store.tree_of(ws)
    if first is commits[-1] and not tree:
        raise UsageError(
            "this is the first commit of the memory",
            hint="to archive single memories: git lerim forget",
        )
    before = tree.before(first.id) if tree else ws.store.snapshot(f"{first.id}^")
    then = ws.store.snapshot(chosen[0].id)
    summaries = {
        key(item.path): id_
        for snapshot in (before, then)
        for id_, item in snapshot.summaries.items()
    }
    named_by = [file.id or summaries.get(key(file.path)) for c in chosen for file in c.files]
    ids = dict.fromkeys(filter(None, [*named_by, *(id_ for c in chosen for id_ in accepted_by(c))]))
    added = added_by(chosen)
    if not ids and not added:
        raise nothing_changed(replace(first, subject=subjects(ws, [first])[0]))
    return Span(
        name=redact_texts(ws, [span_name(chosen, named)])[0],
        before=before,
        then=then,
        ids=tuple(ids),
        added=added,
        edits=all(("Lerim-Op", "edit") in c.trailers for c in chosen),
        archivings=all(_ARCHIVINGS & {*c.trailers} for c in chosen),
        later=tuple(in_force(commits[: commits.index(chosen[0])])),
    )


def _unknown(ws: Workspace, named: str) -> UnknownMemory:
    hint = "see git lerim log and git lerim logs"
    if ws.in_tree:
        hint += "; for uncommitted changes, use git restore, or delete the new file"
    elif not ws.proposing and open_store.proposal(ws)[0]:
        hint += "; to drop memories from your proposal: git lerim review reject"
    return UnknownMemory(f"no such run or commit: {named!a}", hint=hint)


def _commit(ws: Workspace, commits: Sequence[LoggedCommit], named: str) -> list[LoggedCommit]:
    if re.fullmatch(r"[0-9a-f]{4,64}", named):
        found = [commit for commit in commits if commit.id.startswith(named)]
    else:  # a revision, such as lerim/memory~1
        id_ = (
            revision(ws.place, named) if named.isprintable() and not named.startswith("-") else None
        )
        found = [commit for commit in commits if commit.id == id_]
    if len(found) > 1:
        raise UnknownMemory(
            f"{named} matches {len(found)} commits of the memory", hint="give more characters"
        )
    return found


def _edited(ws: Workspace, span: Span, now: Memory, new: Memory) -> Memory:
    """Return a memory after an undo, dated now, and marked as edited if its text or status changes.

    Undoing a person's archiving restores the earlier state without adding that mark.
    """
    new = replace(new, updated=edit_time(now.updated, ws.now.replace(microsecond=0)))
    restored = span.archivings and now.status is Status.ARCHIVED
    same = content(new) == content(now) and (restored or new.status is now.status)
    return new if same or new.status is Status.ARCHIVED else mark_edited(ws, new)


def _change(
    name: str,
    memories: Sequence[Memory],
    titles: Sequence[str],
    archived: Collection[str],
    files: dict[str, bytes | None],
) -> Change:
    return Change(
        files=files,
        subject=clip(f"undo: {name}", 72),
        body="\n".join(
            f"{'-' if m.id in archived else '~'} {m.id} {title}"
            for m, title in zip(memories, titles, strict=True)
        ),
        trailers=(
            ("Lerim-Op", "undo"),
            *(("Lerim-Archived" if m.id in archived else "Lerim-Changed", m.id) for m in memories),
        ),
    )
