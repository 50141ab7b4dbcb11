"""Mark commits whose message gives an order or names a memory that is not trusted.

Agents that read the log get neither the message nor the file names of such commits.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from git_lerim.actions import log
from git_lerim.actions.authorship import by_agent
from git_lerim.actions.judged import WITHHELD, order_in
from git_lerim.actions.listing import iso
from git_lerim.actions.mistrust import doubts, not_trusted, suspicions
from git_lerim.errors import LerimError
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import Trees
from git_lerim.git.running.process import plain
from git_lerim.memories import naming
from git_lerim.memories.memory import Origin
from git_lerim.sessions.session import Header
from git_lerim.storage import open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.branch.lazy_snapshot import look_up_in
from git_lerim.storage.history.past import LoggedCommit, key
from git_lerim.storage.own_feedback import accepted_version
from git_lerim.storage.sharing.changes import read_memories
from git_lerim.storage.trust import marks
from git_lerim.storage.trust.judge import Judge
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.workspace import Workspace

_ROW = re.compile(r"^[+~-] ([a-z2-7]{13})\b", re.MULTILINE)
_WORD = re.compile(r"\S{1,80}")  # a trailer's value that is one word, not a sentence
_COMMITS = 20
_SPOKEN = {Origin.HUMAN, Origin.ANSWER}


def doubted(ws: Workspace, commits: Sequence[LoggedCommit]) -> dict[str, str]:
    """Say why texts of commits are not trusted: map the id of each such commit to a sentence."""
    named = {commit.id: frozenset(_ids(commit)) for commit in commits}
    now = _doubted_now(ws, frozenset[str]().union(*named.values()))
    objects = open_objects(ws.place)
    judge, own = Judge(ws.place, objects), _own(ws)
    found = {}
    for commit in commits:
        written = _versions(objects, commit)
        then = suspicions(written).values()
        reasons = (*then, *(now[id_] for id_ in sorted(named[commit.id] & now.keys())))
        reason = next(iter(reasons), "")
        if not reason and own is not None and commit.id not in own:
            accepted = _accepted_titles(ws, objects, written)
            reason = _withheld_then(judge, commit, written, accepted)
        if reason or (
            _order_in(commit)
            and not _is_by_hand(ws, objects, commit, written)
            and (reason := _order_in(commit, _spoken_titles(ws, objects, written)))
        ):
            found[commit.id] = reason
    return found


def _own(ws: Workspace) -> Collection[str] | None:
    """Return the commits of the memory branch that were made here; None in the work tree."""
    if ws.in_tree or ws.personal:
        return None
    return own_by_reflog(ws.place, open_store.branch_only(ws, "").ref)


def _withheld_then(
    judge: Judge, commit: LoggedCommit, written: Sequence[Stored], accepted: Collection[str]
) -> str:
    """Return why somebody else's commit is not trusted, or "".

    Its memories can have waited to be accepted. A commit without any can have any message.
    """
    items = [item for item in written if item.memory.title not in accepted]
    reason = next(filter(None, (judge.reason(item.blob) for item in items)), "")
    if not written:
        # the rules take long to load
        from git_lerim.memories.checks.orders_of_others import doubts as doubt  # noqa: PLC0415

        reason = doubt(commit.subject, "", (), runs=judge.is_own) or ""
    return not_trusted(reason, f"{plain(commit.author)} wrote it") if reason else ""


def _is_by_hand(
    ws: Workspace, objects: Objects, commit: LoggedCommit, written: Sequence[Stored]
) -> bool:
    """Return whether a commit was made in this clone, and the user wrote all memories in it."""
    if ws.in_tree or not written or any(file.status == "D" for file in commit.files):
        return False
    store = open_store.branch_only(ws, "")
    kept = store.trust.recorded()
    return (
        all(item.memory.origin is Origin.HUMAN and not item.memory.sources for item in written)
        and commit.id in own_by_reflog(ws.place, store.ref)
        and kept is not None
        and marks.only_own(objects, kept, {item.memory.id for item in written})
    )


def for_reader(
    ws: Workspace, commits: Iterable[LoggedCommit], why: Mapping[str, str]
) -> list[LoggedCommit]:
    """Return the commits; if an agent reads them, remove the messages of those in `why`."""
    if not by_agent(ws):
        return list(commits)
    return [_without_words(commit) if commit.id in why else commit for commit in commits]


def subjects(ws: Workspace, commits: Sequence[LoggedCommit]) -> list[str]:
    """Return the redacted subjects of commits; agents get a placeholder for untrusted ones."""
    return [each.subject for each in readable(ws, commits)]


def readable(ws: Workspace, commits: Sequence[LoggedCommit]) -> list[LoggedCommit]:
    """Return redacted commits; an agent gets neither message nor files of untrusted ones."""
    found = log.redacted(ws, commits)
    why = doubted(ws, found)
    hidden = why if by_agent(ws) else {}
    return [
        replace(commit, files=()) if commit.id in hidden else commit
        for commit in for_reader(ws, found, why)
    ]


def as_json(ws: Workspace, commit: LoggedCommit, why: str) -> dict[str, Any]:
    """Return a commit in the format of `log --json`; any reason for mistrust comes first.

    Agents do not get paths, because they contain words that anybody who can push may choose.
    """
    row = log.as_json(commit)
    if by_agent(ws):
        row["memories"] = [memory | {"path": None} for memory in row["memories"]]
    return {"not_trusted": why} | row if why else row


def history_lines(ws: Workspace, item: Stored) -> Iterator[str]:
    """Yield the commits that changed a memory, newest first, for an agent."""
    wanted = log.Filter(memory=item.memory.id)
    commits = log.redacted(ws, log.log(ws, wanted, _COMMITS))
    why = doubted(ws, commits)
    for commit in commits:
        subject = WITHHELD if commit.id in why else commit.subject
        yield f"history {commit.id[:10]} {iso(commit.at)[:10]} {commit.author}: {subject}"


def subject_for_agents(subject: str) -> str:
    """Return the subject of a commit to the code, or a placeholder if it gives an order."""
    return WITHHELD if order_in(subject) else subject


def heading_for_reader(ws: Workspace, header: Header) -> str:
    """Return a session's title, or a placeholder for an agent if the title gives an order.

    A model may have written the title.
    """
    if not by_agent(ws):
        return header.heading
    # the rules take long to load
    from git_lerim.memories.checks.orders_of_others import harm_in_label  # noqa: PLC0415

    harm = harm_in_label(header.title) if header.title else order_in(header.opening)
    return WITHHELD if harm else header.heading


def _ids(commit: LoggedCommit) -> Iterator[str]:
    """Yield the ids of memories and the names of summaries that a commit changed or mentions."""
    yield from (key(file.path) for file in commit.files if naming.valid_path(file.path))
    yield from (value for _, value in commit.trailers if naming.is_id(value))
    yield from _ROW.findall(commit.body)


def _doubted_now(ws: Workspace, named: Collection[str]) -> dict[str, str]:
    """Map the ids of memories, and the names of summaries, to why they are not trusted now.

    Those that are trusted are left out.
    """
    now = ws.store.snapshot()
    sorts = (now.memories, now.summaries, now.handoffs, now.withdrawn)
    found = [item for sort in sorts for item in look_up_in(sort, named).values()]
    if not all(map(naming.is_id, named)):  # a summary's name contains no id
        found += [item for item in now.summaries.values() if key(item.path) in named]
    items = ws.store.named(found)
    why = doubts(ws, items)
    return {key(item.path): why[item.path] for item in items if item.path in why}


def _versions(objects: Trees, commit: LoggedCommit) -> list[Stored]:
    """Return the memories that a commit wrote, as far as this clone has them."""
    written = {file.path: file.blob for file in commit.files if file.status != "D"}
    with suppress(LerimError):  # a partial clone may lack old versions
        return list(
            read_memories(objects, {p: blob for p, blob in written.items() if naming.valid_path(p)})
        )
    return []


def _accepted_titles(ws: Workspace, objects: Objects, items: Iterable[Stored]) -> set[str]:
    """Return the titles that memories of others had when the user accepted them."""
    if ws.in_tree or ws.personal:
        return set()
    trust = open_store.branch_only(ws, "").trust
    kept = trust.recorded()
    return {
        version.title
        for item in items
        if kept is not None and not trust.was_own(kept, item.path)
        for version in accepted_version(
            ws.place, objects, f"archived/{item.path.removeprefix('archived/')}"
        )
    }


def _spoken_titles(ws: Workspace, objects: Objects, items: Sequence[Stored]) -> set[str]:
    """Return the titles among those of `items` that the user accepted, or said in a session here.

    What a person said was judged with its session; if it gave an order, the person gave it.
    """
    accepted = _accepted_titles(ws, objects, items)
    if ws.in_tree or ws.personal:
        return accepted
    said = {item.memory.id: item.memory.title for item in items if item.memory.origin in _SPOKEN}
    kept = open_store.branch_only(ws, "").trust.recorded()
    is_own = kept is not None and marks.only_own(objects, kept, said)
    return accepted | {*said.values()} if is_own else accepted


def _order_in(commit: LoggedCommit, accepted: Collection[str] = ()) -> str:
    """Return why a commit message is not trusted if it gives an order, else "".

    Titles that the user accepted or said are not searched for orders.
    """
    verb, _, said = commit.subject.partition(": ")
    start = said.removesuffix("…")
    is_title = said in accepted or (
        start not in {said, ""} and any(title.startswith(start) for title in accepted)
    )
    rows = (row for row in commit.body.split("\n") if _ROW.sub("", row)[1:] not in accepted)
    values = (value for _, value in commit.trailers)
    reason = order_in("\n".join((verb if is_title else commit.subject, *rows, *values)))
    return not_trusted(reason, f"{plain(commit.author)} wrote it") if reason else ""


def _without_words(commit: LoggedCommit) -> LoggedCommit:
    hint = f"to read it, run git show {commit.id[:10]} in a terminal not started by an agent"
    trailers = tuple(pair for pair in commit.trailers if _WORD.fullmatch(pair[1]))
    return replace(commit, subject=WITHHELD, body=hint, trailers=trailers)
