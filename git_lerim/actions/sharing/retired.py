"""Find the user's own memories and handoffs that somebody else took out of use or reworded.

What the user archived, and somebody else took back into use, counts, too.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from git_lerim.actions.author_of import author_of
from git_lerim.actions.feedback_reasons import reasons
from git_lerim.extraction.supersession.force import replaced_by
from git_lerim.extraction.supersession.relations import Relations
from git_lerim.git.commits.author_names import named
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories.feedback import Feedback, disputed
from git_lerim.memories.handoff import place_of
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.branch.lazy_snapshot import look_up, look_up_in
from git_lerim.storage.history.past import LoggedCommit, key
from git_lerim.storage.layout import is_archived
from git_lerim.storage.own_feedback import accepted_files, believed, plausible
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.provenance.authors import author_mail
from git_lerim.storage.trust.provenance.introduced import anywhere, is_taken, logged
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.verdicts import wrong_to_others
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A memory or handoff of the user that somebody else took out of use, reworded or revived."""

    id: str
    # archived, superseded, suspect, disputed, doubted (called wrong by one other person, and
    # still in use), reworded, redirected or revived
    status: str
    author: str  # safe to print
    accept: str  # id of the memory to accept, to keep it so
    reason: str = ""  # of those who call it wrong; safe to print


def _last_change(
    store: BranchStore, objects: Objects, path: str, mine: str, ours: Collection[str]
) -> LoggedCommit | None:
    """Return the last commit that changed what a file says, preferably not a merge of the user.

    Commits made here (`ours`) that leave words, status and place, such as feedback, do not count.
    """
    last = next(store.history(limit=1, path=path), None)
    if last is None or not (last.is_merge or last.id in ours):
        return last
    return next(
        (
            commit
            for commit in _history(store, path)
            if commit.files
            and not (commit.is_merge and commit.mail == mine)
            and not (commit.id in ours and _says_the_same(objects, commit, path))
        ),
        last,
    )


def _history(store: BranchStore, path: str) -> Iterable[LoggedCommit]:
    """Return the commits that changed a memory, here or in the archive, newest first."""
    plain = path.removeprefix("archived/")
    other = plain if is_archived(path) else f"archived/{plain}"
    found = {commit.id: commit for commit in store.history(path=path)}
    for commit in store.history(path=other):
        moved = found.get(commit.id)
        found[commit.id] = replace(commit, files=(*moved.files, *commit.files)) if moved else commit
    return found.values()


def _says_the_same(objects: Objects, commit: LoggedCommit, path: str) -> bool:
    """Return whether a commit left a memory's words and status, and where it is served."""
    files = [file for file in commit.files if key(file.path) == key(path)]
    now = [_said(objects, file.path, file.blob) for file in files if file.blob]
    return now == [_said(objects, file.path, file.old) for file in files if file.old]


def _said(objects: Objects, path: str, blob: str) -> object:
    found = read_blob(objects, blob)
    if not isinstance(found, Memory):
        return blob
    status = Status.ARCHIVED if is_archived(path) else found.status
    return _words(found), status, served_at(found)


def retired(ws: Workspace, snapshot: Snapshot) -> Iterator[Retired]:
    """Yield the user's memories and handoffs that others took out of use or reworded.

    Of a store in the work tree or a personal one, only what others call wrong is found.
    """
    if ws.in_tree or ws.personal:
        yield from _called_wrong(ws, snapshot)
        return
    store = open_store.branch_only(ws, "")
    yield from _once(
        *_by_others(ws, store, {**snapshot.handoffs, **snapshot.memories}.values()),
        *_for_others(ws, store, snapshot, snapshot.memories.values()),
    )


def own_first(ws: Workspace, ids: Collection[str]) -> tuple[str, ...]:
    """Return the ids, those of memories that the user wrote or changed first."""
    own = open_store.branch_only(ws, "").trust.written_here(ids)
    return tuple(sorted(ids, key=lambda id_: id_ not in own))


def retired_among(ws: Workspace, snapshot: Snapshot, ids: Collection[str]) -> Iterator[Retired]:
    """Yield those of the user's memories and handoffs `ids` that others retired or reworded."""
    if not ids or ws.in_tree or ws.personal:
        return
    store, memories = open_store.branch_only(ws, ""), look_up(snapshot, ids)
    yield from _once(
        *_by_others(ws, store, {**look_up_in(snapshot.handoffs, ids), **memories}.values()),
        *_for_others(ws, store, snapshot, memories.values()),
    )


def _once(*found: Retired) -> Iterable[Retired]:
    """Return what is known of each memory, the last if there are several, in the order of ids."""
    return {each.id: each for each in sorted(found, key=lambda each: each.id)}.values()


def _by_others(ws: Workspace, store: BranchStore, items: Iterable[Stored]) -> Iterator[Retired]:
    """Yield the user's memories and handoffs that a commit of somebody else retired."""
    items = list(items)
    yield from _disputed(ws, store, items)
    objects, ours = open_objects(ws.place), own_by_reflog(ws.place, store.ref)
    waiting = {each.path for each in store.waiting()}  # named elsewhere
    theirs = {
        item.memory.id: replace(item, memory=plausible(item.memory))
        for item in items
        if store.trust.is_shared(item.path, item.blob)
        and not store.trust.own_words(item.path, item.blob)
        and (item.memory.status is not Status.ACTIVE or item.path not in waiting)
    }
    for id_ in store.trust.written_here(theirs.keys()) if theirs else ():
        item = theirs[id_]
        how = _how(list(_own_versions(ws, objects, item.path)), item.memory)
        mine = author_mail(ws.place)
        last = _last_change(store, objects, item.path, mine, ours) if how else None
        if last and (author := _author_of(store, objects, last, item.path, ours)):
            yield Retired(id=id_, status=how, author=author, accept=id_)


def _author_of(
    store: BranchStore, objects: Objects, last: LoggedCommit, path: str, ours: Mapping[str, bool]
) -> str:
    """Return who else changed a file, or "" if the user did or no other author is found.

    What the user committed with git can be somebody else's change, as after `git merge --squash`.
    """
    if last.id not in ours:
        return last.author
    if ours[last.id]:
        return ""
    put = [each for each in logged(store.place, ("--no-walk", last.id, "--")) if each.path == path]
    others = [each for each in anywhere(store.place, [path]) if each.commit not in ours]
    copied = (each for made in put for each in others if is_taken(objects, made, [each]))
    return next((named(each.author) for each in copied), "")


def _disputed(ws: Workspace, store: BranchStore, items: Iterable[Stored]) -> Iterator[Retired]:
    """Yield the user's active memories that others, but not the user, call wrong."""
    objects, mine = open_objects(ws.place), author_mail(ws.place)
    called = {}
    for item in items:
        rows = item.memory.feedback if item.memory.status is Status.ACTIVE else ()
        if rows and wrong_to_others(rows, mine):
            rows = believed(ws.place, objects, item.path, rows, mine)
            called[item.memory.id] = replace(item, believed=rows)
    called = {id_: item for id_, item in called.items() if wrong_to_others(item.feedback, mine)}
    for id_ in store.trust.written_here(called.keys()) if called else ():
        item, ours = called[id_], own_by_reflog(ws.place, store.ref)
        last = _last_change(store, objects, item.path, mine, ours)
        if last:
            yield _wrong(ws, item, store.history(path=item.path), last.author)


def _called_wrong(ws: Workspace, snapshot: Snapshot) -> Iterator[Retired]:
    """Yield what `_disputed` does; git may not show who gave the verdicts."""
    mine, author = author_mail(ws.place), author_of(ws)
    for id_, item in sorted(snapshot.memories.items()):
        called = item.memory.status is Status.ACTIVE and wrong_to_others(item.feedback, mine)
        if called and not author(id_):
            yield _wrong(ws, item, ws.store.history(path=item.path), "others")


def _wrong(ws: Workspace, item: Stored, history: Iterable[LoggedCommit], author: str) -> Retired:
    """Return what others call wrong, with their reasons.

    They are named if commits of theirs have the verdicts, else `author` is.
    """
    rows: list[Feedback] = wrong_to_others(item.feedback, author_mail(ws.place))
    given = reasons(ws, history, rows)
    return Retired(
        id=item.memory.id,
        status="disputed" if disputed(item.feedback) else "doubted",
        author=" and ".join(dict.fromkeys(each.author for each in given)) or author,
        accept=item.memory.id,
        reason="; ".join(each.reason for each in given if each.reason),
    )


def _own_versions(ws: Workspace, objects: Objects, path: str) -> Iterator[Memory]:
    """Yield the user's versions of the memory at a path; they can be archived."""
    plain = path.removeprefix("archived/")
    for each in (plain, f"archived/{plain}"):
        for file in accepted_files(ws.place, objects, each):
            is_gone = is_archived(file.path)
            yield file.memory.having(status=Status.ARCHIVED) if is_gone else file.memory


def _how(own: Collection[Memory], now: Memory) -> str:
    """Return how others retired a memory or handoff, as `Retired.status`, or "" if they did not.

    `own` has the user's versions.
    """
    if not any(each.status is Status.ACTIVE for each in own):
        return "revived" if own and now.status is Status.ACTIVE else ""
    if now.status is not Status.ACTIVE:
        return now.status.value
    if all(_words(each) != _words(now) for each in own):
        return "reworded"
    return "redirected" if all(served_at(each) != served_at(now) for each in own) else ""


def _words(memory: Memory) -> tuple[object, ...]:
    return (memory.title, memory.body, memory.kind)


def served_at(memory: Memory) -> object:
    """Return on which branch a memory is served, and where and to whom a handoff is."""
    if memory.primitive is Primitive.HANDOFF:
        return place_of(memory)
    return {source.branch for source in memory.sources}


def _for_others(
    ws: Workspace, store: BranchStore, snapshot: Snapshot, items: Iterable[Stored]
) -> Iterator[Retired]:
    """Yield the user's memories that this clone superseded with somebody else's memory.

    Those that it only repeats, or that a memory superseded which the user accepted, are left out.
    """
    mine = [
        item
        for item in items
        if item.memory.status is Status.SUPERSEDED
        and not store.trust.is_shared(item.path, item.blob)
    ]
    memories, author = snapshot.memories, author_of(ws, snapshot)
    others = {id_: item.memory for id_, item in memories.items()} if mine else {}
    takers = {id_: memories[each.id] for each in others.values() for id_ in replaced_by(each)}
    relations = Relations(others, author)
    for item in mine:
        id_ = item.memory.id
        for later in (takers.get(id_), *map(memories.get, item.memory.related)):
            if (
                later is not None
                and author(later.memory.id)
                and not store.trust.is_accepted(later.path, later.blob)
                and not relations.same(later.memory, item.memory)
            ):
                yield Retired(
                    id=id_,
                    status=Status.SUPERSEDED.value,
                    author=author(later.memory.id),
                    accept=later.memory.id,
                )
