"""The log of a store: its commit at a given time, and what each commit changed."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from git_lerim.errors import UsageError
from git_lerim.git.commits.ancestry import is_ancestor
from git_lerim.git.commits.author_names import mailed, named
from git_lerim.git.engines.tree_diffs import PathChange
from git_lerim.git.history import dates
from git_lerim.git.repo import Place
from git_lerim.git.running.environment import PLAIN_LOG
from git_lerim.git.running.process import git_line, run_git
from git_lerim.memories import naming
from git_lerim.storage.base import Stored
from git_lerim.storage.commit_files import HEADER, CommitFiles, commit_of
from git_lerim.storage.writing.message import SUBJECT_LIMIT

FIELDS = ("%H", "%ct", "%an", "%ae", "%cn", "%ce", "%s", "%b", "%(trailers:only,unfold)")
# characters of a commit message; ours name some 30,000 memories at most within that
LONGEST = 1 << 22
_TOO_LONG = f"The message has more than {LONGEST} characters, so it is not read."


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """One file that a commit changed."""

    status: str  # A added | M modified | D deleted | T another type
    path: str
    id: str | None  # the memory's id, if the file name has one
    blob: str = ""  # the new blob; empty if deleted
    old: str = ""  # the previous blob; empty if added


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCommit:
    """One commit of the store; its texts are untrusted."""

    id: str
    at: datetime  # of the committer, UTC
    author: str
    mail: str
    committer: tuple[str, str]  # name and address
    subject: str
    body: str  # without the trailers
    trailers: tuple[tuple[str, str], ...]
    files: tuple[Touched, ...]  # of a merge, those that differ from all parents
    is_merge: bool = False

    @property
    def who(self) -> str:
        """Return the author as `Name <mail>`."""
        return f"{self.author} <{self.mail}>"


def credit_acceptor(commit: LoggedCommit) -> LoggedCommit:
    """Return a commit, with its committer as the author if it accepts a part of a proposal."""
    if "Lerim-Proposal" not in dict(commit.trailers):
        return commit
    name, mail = commit.committer
    return replace(commit, author=name, mail=mail)


class Held(NamedTuple):
    """When the store first had a memory, and who added it."""

    at: datetime
    author: str | None  # `Name <mail>`; None if not committed yet


def first_held(history: Iterable[LoggedCommit]) -> dict[str, Held]:
    """Map each memory's key (see `key`) to when it was first added, and by whom.

    `history` starts with the newest commit.
    """
    held: dict[str, Held] = {}
    for commit in history:
        added = (
            file.path
            for file in commit.files
            if file.status == "A" and naming.valid_path(file.path)
        )
        held |= {key(path): Held(commit.at, commit.who) for path in added}
    return held


def held_since(held: Mapping[str, Held], item: Stored) -> Held | None:
    """Return when a memory was first in the store, and who added it; None if unknown."""
    return held.get(item.memory.id) or held.get(key(item.path))


def key(path: str) -> str:
    """Return a key that stays the same when a file is archived.

    It is the id of the memory, or the path of a summary.
    """
    return naming.id_in(path) or path.removeprefix("archived/")


def read_log(  # noqa: PLR0913
    place: Place,
    tip: str,
    *,
    limit: int | None,
    path: str | None,
    below: str = "",
    check: bool = True,
) -> Iterator[LoggedCommit]:
    """Yield the commits in the history of a tip, newest first, with what each changed.

    `below` is the store's folder in the tree, with a slash at its end; `path` is a file or folder
    in the store. Without `check`, a history with a gap ends there instead of raising GitFailed.
    """
    form = "%x00".join((HEADER, *FIELDS[1:]))
    few = [f"--max-count={limit}"] if limit is not None else []
    chosen = [f":(literal,top){below}{path or ''}".rstrip("/")] if path is not None or below else []
    log = run_git(
        place.git("log", "-z", f"--format={form}", *PLAIN_LOG, *few, tip, "--", *chosen),
        cwd=place.git_dir,
        check=check,
    )
    tokens = iter(log.decode("utf-8", "replace").split("\0"))
    entries = [list(each) for each in zip(*[tokens] * (len(FIELDS) + 2), strict=False)]
    commits = [commit_of(fields[:3]) for fields in entries]
    files = CommitFiles(place, commits, below)
    for fields, commit in zip(entries, commits, strict=True):
        logged = _logged([commit.id, *fields[3:]], tuple(_touched(files.of(commit), path)))
        yield replace(logged, is_merge=len(commit.parents) > 1)


def first_writer(place: Place, tip: str, path: str) -> str:
    """Return the author of the first commit with a file, or "" if this history has none.

    A commit also counts if a later merge dropped its file.
    """
    args = ("--full-history", "--date-order", "--format=%an", *PLAIN_LOG)
    log = place.git("log", *args, tip, "--", f":(literal,top){path}")
    names = run_git(log, cwd=place.git_dir, check=False).decode("utf-8", "replace").splitlines()
    return named(names[-1]) if names else ""


def _touched(changes: Iterable[PathChange], path: str | None) -> Iterator[Touched]:
    for change in changes:
        if path is None or f"{change.path}/".startswith(f"{path.rstrip('/')}/"):
            shown = change.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            old, new = change.ids
            yield Touched(
                status=change.status, path=shown, id=naming.id_in(shown), blob=new, old=old
            )


def _logged(fields: list[str], files: tuple[Touched, ...]) -> LoggedCommit:
    commit, seconds, author, mail, committer, address, subject, body, trailers = fields
    if len(subject) + len(body) > LONGEST:
        subject, body, trailers = subject[:SUBJECT_LIMIT], _TOO_LONG, ""
    pairs = tuple(
        (key, value.strip())
        for key, colon, value in (line.partition(":") for line in trailers.splitlines())
        if colon
    )
    text = body.strip("\n")
    return LoggedCommit(
        id=commit,
        at=datetime.fromtimestamp(dates.of_commit(seconds), UTC),
        author=named(author),
        mail=mailed(mail),
        committer=(named(committer), mailed(address)),
        subject=subject,
        body=("\n\n" + text).rpartition("\n\n")[0].strip("\n") if pairs else text,
        trailers=pairs,
        files=files,
    )


def commit_at(place: Place, tip: str | None, at: str) -> str | None:
    """Return the store's commit as of a date or a revision, or None.

    A revision may belong to the store itself; a revision of the code stands for the date of its
    commit. For a date, the result is the last commit of the store before that date. Raises
    UsageError if `at` is neither, even for a store without commits.
    """
    named = revision(place, at)
    date = _date(at) if named is None else ""
    if tip is None:
        return None
    if named is None:
        return _before(place, tip, date)
    if is_ancestor(place, named, tip):
        return named
    seconds = git_line(
        place.git("log", "-1", "--no-show-signature", "--format=%ct", named), cwd=place.git_dir
    )
    return _before(place, tip, _exact(dates.of_commit(seconds)))


def revision(place: Place, at: str) -> str | None:
    """Return the commit that a revision names, or None if there is none.

    Raises UsageError if no revision can have that name.
    """
    if not at.isprintable() or at.startswith("-"):
        raise _neither(at)
    return git_line(place.git("rev-parse", "-q", "--verify", f"{at}^{{commit}}"), cwd=place.git_dir)


def _date(at: str) -> str:
    try:
        return _exact(int(dates.parse_time(at, whole=True)))
    except ValueError:
        raise _neither(at) from None


def _neither(at: str) -> UsageError:
    return UsageError(
        f"{at!a} is neither a revision nor a date",
        hint=f"expected a revision such as v1.2, or {dates.TAKES}",
    )


def _exact(seconds: int) -> str:
    return f"@{max(seconds, 0)} +0000"  # the `@` keeps git from reading a small number as a day


def _before(place: Place, tip: str, date: str) -> str | None:
    found = run_git(place.git("rev-list", "-1", f"--before={date}", tip), cwd=place.git_dir)
    return os.fsdecode(found).strip() or None


def last_changed(history: Sequence[LoggedCommit]) -> dict[str, datetime]:
    """Map each memory's id to the time when its file last changed.

    `history` starts with the newest commit.
    """
    changed: dict[str, datetime] = {}
    for commit in history:
        for file in commit.files:
            if file.id:
                changed.setdefault(file.id, commit.at)
    return changed
