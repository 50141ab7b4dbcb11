"""The audit trail: what each commit of the store did."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from git_lerim.actions.listing import check_agent, find_memory, iso
from git_lerim.actions.redacted_texts import redact_texts
from git_lerim.errors import UsageError
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.history import dates
from git_lerim.memories import naming
from git_lerim.storage.base import Stored
from git_lerim.storage.history.past import LoggedCommit, Touched, credit_acceptor
from git_lerim.storage.trust.provenance.same_words import only_used
from git_lerim.storage.writing.message import OPERATIONS
from git_lerim.workspace import Workspace

_NAMING = ("Lerim-Added", "Lerim-Changed", "Lerim-Archived")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The criteria for the commits to show; a commit must meet all that are given."""

    memory: str | None = None  # the beginning of an id
    operation: str | None = None
    agent: str | None = None
    session: str | None = None  # a name, an id, or its beginning or end
    author: str | None = None  # part of a name or address
    since: str | None = None  # see git/history/dates.py


def log(ws: Workspace, wanted: Filter, limit: int | None) -> Iterator[LoggedCommit]:
    """Yield matching commits, newest first. Raises UsageError for an invalid filter.

    Raises UnknownMemory for a session that neither a commit nor the catalog has.
    """
    if wanted.operation is not None and wanted.operation not in OPERATIONS:
        raise UsageError(
            f"unknown operation {wanted.operation!a}",
            hint=f"choose one of {', '.join(OPERATIONS)}",
        )
    memory = find_memory(ws.store.snapshot(), wanted.memory) if wanted.memory is not None else None
    first = (
        dates.parse_option("--since", wanted.since, now=ws.now.timestamp())
        if wanted.since is not None
        else None
    )
    objects = open_objects(ws.place)
    count, met, named = 0, wanted.agent is None, False
    for commit in map(credit_acceptor, ws.store.history()):
        met = met or dict(commit.trailers).get("Lerim-Agent") == wanted.agent
        named = named or _is_of_session(commit, wanted.session)
        if (
            (first is None or commit.at.timestamp() >= first)
            and _is_wanted(commit, wanted)
            and (memory is None or _changes(objects, commit, memory))
        ):
            yield commit
            count += 1
            if count == limit:
                return
    if not met:
        check_agent(ws, wanted.agent)
    if wanted.session is not None and not named:
        # sessions take long to load, and few filter by one
        from git_lerim.sessions.session_names import find_session  # noqa: PLC0415

        with ws.catalog_to_read() as catalog:
            find_session(catalog.entries(), wanted.session)


def redacted(ws: Workspace, commits: Iterable[LoggedCommit]) -> list[LoggedCommit]:
    """Return commits with secrets in their messages redacted.

    A colleague may have committed a secret.
    """
    found = list(commits)
    texts = [text for each in found for text in (each.subject, each.body)]
    texts += [value for each in found for _, value in each.trailers]
    clean = dict(zip(texts, redact_texts(ws, texts), strict=True))  # each call saves a cache
    return [
        replace(
            commit,
            subject=clean[commit.subject],
            body=clean[commit.body],
            trailers=tuple((key, clean[value]) for key, value in commit.trailers),
        )
        for commit in found
    ]


def _is_wanted(commit: LoggedCommit, wanted: Filter) -> bool:
    values = dict(commit.trailers)
    return (
        (wanted.operation is None or values.get("Lerim-Op") == wanted.operation)
        and (wanted.agent is None or values.get("Lerim-Agent") == wanted.agent)
        and _is_of_session(commit, wanted.session)
        and (
            wanted.author is None
            or wanted.author.casefold() in f"{commit.author} {commit.mail}".casefold()
        )
    )


def _changes(objects: Objects, commit: LoggedCommit, memory: Stored) -> bool:
    """Return whether a commit changed more of a memory than the date of its last use."""
    files = [file for file in commit.files if _is_of(file, memory)]
    return any(file.status != "M" or not only_used(objects, file.old, file.blob) for file in files)


def _is_of_session(commit: LoggedCommit, session: str | None) -> bool:
    """Return whether `session` names the session that a commit is from; None matches any."""
    if session is None:
        return True
    from git_lerim.sessions.session_names import is_named  # noqa: PLC0415 as above

    values = dict(commit.trailers)
    return is_named(session, values.get("Lerim-Agent", ""), values.get("Lerim-Session", ""))


def _is_of(file: Touched, memory: Stored) -> bool:
    """Return whether a commit's file is that of a memory, by its id or its path.

    A summary's file name contains no id.
    """
    return file.id == memory.memory.id or _plain(file) == memory.path.removeprefix("archived/")


def _plain(file: Touched) -> str:
    return file.path.removeprefix("archived/")


def as_json(commit: LoggedCommit) -> dict[str, Any]:
    """Return a commit in the format of `log --json`."""
    return {
        "commit": commit.id,
        "at": iso(commit.at),
        "author": commit.author,
        "subject": commit.subject,
        "body": commit.body,
        "trailers": [list(pair) for pair in commit.trailers],
        "memories": [
            {"id": file.id, "path": file.path, "status": file.status} for file in _memories(commit)
        ],
    }


def changed_ids(commit: LoggedCommit) -> dict[str, list[str]]:
    """Return the ids of memories that were added (`+`), changed or moved (`~`), or removed (`-`).

    Summaries and handoffs are left out. So are memories that the commit's trailers do not
    name, because only their date of last use changed.
    """
    named = {value for key, value in commit.trailers if key in _NAMING}
    mine = [
        file for file in _memories(commit) if file.id and not _plain(file).startswith("handoffs/")
    ]
    files = [file for file in mine if file.status != "M" or not named or file.id in named]
    added = {_plain(file) for file in files if file.status == "A"}
    removed = {_plain(file) for file in files if file.status == "D"}
    changed = {_plain(file) for file in files if file.status in "MT"} | added & removed
    ids = {_plain(file): str(file.id) for file in files}
    found = {"+": added - removed, "~": changed, "-": removed - added}
    return {sign: sorted(map(ids.__getitem__, paths)) for sign, paths in found.items()}


def count_changes(commit: LoggedCommit) -> dict[str, int]:
    """Count the memories that a commit added, changed and removed, as in `changed_ids`."""
    return {sign: len(ids) for sign, ids in changed_ids(commit).items()}


def unnamed_rows(commit: LoggedCommit) -> list[str]:
    """Return a row for each memory that a commit changed and its message does not name.

    Git's own commits name none. A merge repeats what other commits of the history changed.
    """
    found = {} if commit.is_merge else changed_ids(commit)
    return [f"{sign} {id_}" for sign, ids in found.items() for id_ in ids if id_ not in commit.body]


def _memories(commit: LoggedCommit) -> list[Touched]:
    """Return the files of a commit that can be memories."""
    return [file for file in commit.files if naming.valid_path(file.path)]
