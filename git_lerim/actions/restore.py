"""Restore archived, superseded or suspect memories, and those dropped in triage."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from git_lerim.actions import edit_memory, listing
from git_lerim.actions.authorship import mark_edited, refuse_agent, refuse_persons_words
from git_lerim.actions.broken import last_readable
from git_lerim.actions.decisions import refuse_agents_change
from git_lerim.actions.edit_memory import Changed, edit_time
from git_lerim.actions.mistrust import refuse_to_change
from git_lerim.actions.sharing import own_proposal
from git_lerim.actions.sharing.retired import retired, served_at
from git_lerim.errors import LerimError
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.branch.lazy_snapshot import with_prefix
from git_lerim.storage.own_feedback import accepted_files
from git_lerim.storage.review.dropped import DroppedStore, dropped_in, original
from git_lerim.storage.sharing import withdrawn
from git_lerim.tokens import clip, counted
from git_lerim.workspace import Workspace


def restore(ws: Workspace, prefixes: Sequence[str]) -> Changed:
    """Restore memories, with one commit for each way in which they were lost.

    A memory may be archived, superseded or suspect; made unreadable by a commit; rewritten by
    others, even if the new text is withheld; or dropped in triage. Raises UnknownMemory.
    """
    proposed = own_proposal.put_here(ws)
    dropped = {memory.id: memory for memory in dropped_in(ws.place)}
    ids = _dropped_ids(ws, dropped, prefixes) if dropped else {}
    if ids:
        refuse_agent(ws, f"{min(ids.values())} was dropped by a person, and was not restored")
    others = [prefix for prefix in prefixes if prefix not in ids]
    broken = _broken(ws, others)
    others = [prefix for prefix in others if prefix not in broken]
    mine = _rewritten(ws, others)
    others = [prefix for prefix in others if prefix not in mine]
    kept = _kept(ws, others)
    others = [prefix for prefix in others if prefix not in kept]
    kept |= _reworded(ws, others)
    others = [prefix for prefix in others if prefix not in kept]
    done = [edit_memory.restore(ws, others)] if others else []
    done += [_repair(ws, list(broken.values()))] if broken else []
    done += [_put_back(ws, list(mine.values()))] if mine else []
    done += [_as_active(ws, list(kept.values()), ws.store.of_others(kept.values()))] if kept else []
    done += [_add_back(ws, [dropped[id_] for id_ in dict.fromkeys(ids.values())])] if ids else []
    commits = [each.commit for each in done if each.commit is not None]
    memories = tuple(memory for each in done for memory in each.memories)
    _note_replaced(ws, proposed, memories)
    if back := [each for each in memories if each.id in dropped and each.id not in ids.values()]:
        DroppedStore(ws.place).remove(back)  # doctor had archived it again
    return Changed(memories=memories, commit=commits[-1] if commits else None)


def _note_replaced(
    ws: Workspace, proposed: Mapping[str, Stored], memories: Iterable[Memory]
) -> None:
    """Tell the user which of their pending edits the restored memories replace in the proposal."""
    edited = [each for each in memories if each.id in proposed]
    kept: Mapping[str, Stored] = {}
    with suppress(LerimError):  # the memories are restored anyway
        if edited:
            store = open_store.reviewing(ws)
            store.renew()  # keeps what leaves the proposal
            kept = store.rewritten()
    for memory in edited:
        mine, was = kept.get(memory.id), proposed[memory.id].memory
        if mine and mine.memory.text == was.text != memory.text:
            ws.note(
                f"{memory.id} is no longer in your proposal, but your edit of it is kept; to"
                f" restore that instead: git lerim restore {memory.id}"
            )


def _rewritten(ws: Workspace, prefixes: Sequence[str]) -> Mapping[str, Stored]:
    """Map each ID prefix to the user's own version of a memory that others rewrote."""
    store = ws.store
    own = store.rewritten() if isinstance(store, BranchStore) else store.snapshot().rewritten
    if not own:
        return {}
    snapshot, found = store.snapshot(), {}
    for prefix in prefixes:
        item = listing.find_memory(snapshot, prefix)
        mine = own.get(item.memory.id)
        if mine and (ws.in_tree or _is_rewritten(item.memory, mine.memory)):
            refuse_persons_words(ws, item.memory)
            found[prefix] = mine
    return found


def _kept(ws: Workspace, prefixes: Sequence[str]) -> dict[str, Stored]:
    """Map ID prefixes of memories to their versions before rewritings that are withheld.

    A deleted memory is included if it is unknown whether others wrote it, so that it does not
    become the user's.
    """
    snapshot, found = ws.store.snapshot(), {}
    is_unknown = not ws.in_tree and withdrawn.is_unknown(ws.place, open_objects(ws.place))
    for prefix in prefixes if snapshot.withdrawn else ():
        item = listing.find_memory(snapshot, prefix)
        kept = snapshot.withdrawn.get(item.memory.id)
        if kept and (kept != item or is_unknown):
            refuse_persons_words(ws, item.memory)
            found[prefix] = kept
    return found


def _reworded(ws: Workspace, prefixes: Sequence[str]) -> dict[str, Stored]:
    """Map ID prefixes of memories that others changed to the versions that the user accepted.

    Only memories that others archived or superseded, or whose changes are withheld, are included,
    and only if the words of the two versions differ.
    """
    if not prefixes or ws.in_tree:
        return {}
    snapshot, objects, found = ws.store.snapshot(), open_objects(ws.place), dict[str, Stored]()
    by_others = {each.id for each in retired(ws, snapshot)}
    by_others |= {each.id for each in ws.store.waiting() if each.id}
    for prefix in prefixes if by_others else ():
        item = listing.find_memory(snapshot, prefix)
        if item.memory.id not in by_others:
            continue
        refuse_to_change(ws, item)
        for kept in accepted_files(ws.place, objects, item.path):
            if kept.memory.status is Status.ACTIVE and _says_else(kept.memory, item.memory):
                archived = replace(kept.memory, status=item.memory.status)
                refuse_agents_change(ws, archived, kept.memory)
                found[prefix] = kept
    return found


def _says_else(mine: Memory, now: Memory) -> bool:
    return mine.text != now.text or served_at(mine) != served_at(now)


def _is_rewritten(memory: Memory, mine: Memory) -> bool:
    return memory.status is Status.ACTIVE and memory.text != mine.text


def _broken(ws: Workspace, prefixes: Sequence[str]) -> Mapping[str, tuple[Stored, str]]:
    """Map each ID prefix of a broken memory to its last readable version, with its commit."""
    snapshot, found = ws.store.snapshot(), {}
    versions = last_readable(ws, snapshot)
    for prefix in prefixes if versions else ():
        wanted = prefix.strip().lower()
        if naming.is_prefix(wanted) and any(id_.startswith(wanted) for id_ in versions):
            id_ = naming.find_id({*versions, *with_prefix(snapshot, wanted)}, wanted)
            if id_ in versions and id_ not in snapshot.withdrawn:
                found[prefix] = versions[id_]
    return found


def _repair(ws: Workspace, versions: Collection[tuple[Stored, str]]) -> Changed:
    """Put back earlier versions of broken memories, as active; the authors stay the same."""
    for item, _ in versions:
        if item.memory.status is not Status.ACTIVE:
            refuse_persons_words(ws, item.memory)
    authors = (ws.store.of_others([item], commit) for item, commit in versions)
    theirs = {key: author for each in authors for key, author in each.items()}
    return _as_active(ws, [item for item, _ in versions], theirs)


def _as_active(ws: Workspace, items: Iterable[Stored], theirs: Mapping[str, str]) -> Changed:
    """Put back earlier versions of memories, as active, at their original paths."""
    plain = {
        each.memory.id: replace(each, path=each.path.removeprefix("archived/")) for each in items
    }
    put = _put_back(ws, list(plain.values()), theirs)
    active = edit_memory.restore(ws, list(plain))
    return replace(active, commit=active.commit or put.commit)


def _put_back(
    ws: Workspace, items: Sequence[Stored], theirs: Mapping[str, str] | None = None
) -> Changed:
    """Put back earlier versions of memories, byte for byte; `theirs` names their authors."""

    def operation(snapshot: Snapshot) -> Change | None:
        files: dict[str, bytes | None] = {}
        for item in items:
            id_ = item.memory.id
            standing = snapshot.memories.get(id_) or snapshot.handoffs.get(id_)
            files |= dict.fromkeys([standing.path] if standing else _aside(snapshot, item))
            files[item.path] = ws.store.file(item)
        what = items[0].memory.title if len(items) == 1 else counted(len(items), "memory")
        return Change(
            files=files,
            subject=clip(f"restore: {what}", 72),
            body="\n".join(f"~ {item.memory.id} {item.memory.title}" for item in items),
            trailers=(
                ("Lerim-Op", "restore"),
                *(("Lerim-Changed", item.memory.id) for item in items),
            ),
            theirs=theirs or {},
        )

    return Changed(memories=tuple(item.memory for item in items), commit=ws.store.commit(operation))


def _aside(snapshot: Snapshot, item: Stored) -> list[str]:
    """Return the paths of files that have a memory's ID in their name, but cannot be read."""
    paths = (file.path for file in snapshot.quarantined)
    return [path for path in paths if naming.id_in(path) == item.memory.id]


def _dropped_ids(
    ws: Workspace, dropped: Collection[str], prefixes: Sequence[str]
) -> Mapping[str, str]:
    """Map prefixes to the dropped memories they match; memories in the store take precedence."""
    snapshot, found = ws.store.snapshot(), {}
    for prefix in prefixes:
        wanted = prefix.strip().lower()
        if naming.is_prefix(wanted) and any(id_.startswith(wanted) for id_ in dropped):
            id_ = naming.find_id({*dropped, *with_prefix(snapshot, wanted)}, wanted)
            if id_ not in snapshot.memories:
                found[prefix] = id_
    return found


def _add_back(ws: Workspace, dropped: Sequence[Memory]) -> Changed:
    now = ws.now.replace(microsecond=0)
    memories = [
        mark_edited(ws, replace(original(memory), updated=edit_time(memory.updated, now)))
        for memory in dropped
    ]

    def operation(snapshot: Snapshot) -> Change | None:
        new = [memory for memory in memories if memory.id not in snapshot.memories]
        subject = (
            f"restore: {new[0].title if len(new) == 1 else counted(len(new), 'memory')}"
            if new
            else ""
        )
        return Change(
            files={naming.path_of(memory): frontmatter.render(memory) for memory in new},
            subject=clip(subject, 72),
            body="\n".join(f"+ {memory.id} {memory.title}" for memory in new),
            trailers=(("Lerim-Op", "restore"), *(("Lerim-Added", memory.id) for memory in new)),
        )

    commit = ws.store.commit(operation)
    DroppedStore(ws.place).remove(dropped)
    return Changed(memories=tuple(memories), commit=commit)
