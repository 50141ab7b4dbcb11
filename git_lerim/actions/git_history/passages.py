"""The commits and documents of HEAD as passages for a model, redacted, each with its citation."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from git_lerim.agents.hooks import instructions
from git_lerim.errors import GitFailed
from git_lerim.extraction.from_git import commits, documents
from git_lerim.git.history import messages
from git_lerim.git.history.code_commits import files_of
from git_lerim.git.history.messages import FileChange, Message
from git_lerim.memories.memory import HISTORY, Source
from git_lerim.sessions.gate import redacted
from git_lerim.sessions.session import Record, Role, moment
from git_lerim.workspace import Workspace

_IS_READ = "read before"
_IGNORED = "with paths in lerim.ignorePath"
_OUR_BLOCK = re.compile(
    rf"{re.escape(instructions.START)}.*?(?:{re.escape(instructions.END)}|\Z)", re.DOTALL
)
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A commit, or some lines of a document."""

    record: Record  # redacted, not numbered yet
    cites: Source
    unit: str  # the commit or file version that it belongs to
    blob: str | None = None  # of a document

    @property
    def label(self) -> str:
        """Return a short name for messages: a commit's id, or a path with lines."""
        if self.blob is None:
            return self.cites.session[:12]
        first, last = self.cites.records[0]
        return f"{self.cites.session}:{first}-{last}"


@dataclass(slots=True)
class Gathered:
    """The passages to read, and how many commits and files are left out, by reason."""

    head: str
    documents: list[Passage] = field(default_factory=list)
    commits: list[Passage] = field(default_factory=list)  # oldest first
    files_left: Counter[str] = field(default_factory=Counter)  # by reason
    commits_left: Counter[str] = field(default_factory=Counter)
    redactions: int = 0


def gather(
    ws: Workspace, head: str, since: int, paths: Sequence[str], read: Collection[str]
) -> Gathered:
    """Return the passages of HEAD's documents, and of its commits since a time in seconds.

    `paths` limits both. `read` has the commits and file versions that an earlier run read; they are
    left out.
    """
    found = Gathered(head)
    for passage in _documents(ws, found, paths, read):
        _add(ws, found, found.documents, passage)
    for passage in _commits(ws, found, (since, paths), read):
        _add(ws, found, found.commits, passage)
    return found


def _add(ws: Workspace, found: Gathered, to: list[Passage], passage: Passage) -> None:
    """Redact a passage and add it to `to`; if a setting keeps it private, only count it."""
    kept, count = redacted((passage.record,), ws.redactor, ws.settings["ignorePath"])
    found.redactions += count
    if not kept:
        (found.commits_left if passage.blob is None else found.files_left)[_IGNORED] += 1
        return
    to.append(Passage(record=kept[0], cites=passage.cites, unit=passage.unit, blob=passage.blob))


def _documents(
    ws: Workspace, found: Gathered, paths: Sequence[str], read: Collection[str]
) -> Iterator[Passage]:
    seen: set[str] = set()
    files = files_of(ws.place, found.head)
    for path in sorted(filter(_wanted(paths), files), key=lambda path: (path.count("/"), path)):
        blob = files[path]
        unit = f"file {path} {blob}"
        if not path.isprintable():
            found.files_left["with a name that is not text"] += 1
            continue
        if unit in read or blob in seen:
            found.files_left[_IS_READ if unit in read else "the same as another"] += 1
            continue
        seen.add(blob)
        text, why = _text(ws, blob)
        if why:
            found.files_left[why] += 1
            continue
        for part in documents.parts_of(text):
            yield Passage(
                record=Record(
                    n=0,
                    role=Role.REPLY,
                    text=f"FILE {path}:{part.lines[0]}-{part.lines[1]}\n{part.text}",
                    uuid=f"{path}#{part.place}",
                    files=(path,),
                ),
                cites=Source(agent=HISTORY[0], session=path, records=(part.lines,)),
                unit=unit,
                blob=blob,
            )


def _wanted(paths: Sequence[str]) -> Callable[[str], bool]:
    """Return a predicate for the files to read: documents, or those that the user named."""
    if not paths:
        return documents.is_document
    folders = tuple(f"{path}/" for path in paths)
    return lambda path: path in paths or (path.startswith(folders) and documents.is_text(path))


def _text(ws: Workspace, blob: str) -> tuple[str, str]:
    """Return the text of a document and, if it cannot be read, the reason."""
    try:
        if ws.code.objects.size(blob) > documents.LARGEST:
            return "", "too large"
        data = ws.code.objects.blob(blob)
    except GitFailed:
        return "", "missing in this partial clone"
    if b"\0" in data:
        return "", "not text"
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    text = _OUR_BLOCK.sub(lambda ours: "\n" * ours[0].count("\n"), text)
    return _UNSEEN.sub(" ", text), ""


def _commits(
    ws: Workspace, found: Gathered, which: tuple[int, Sequence[str]], read: Collection[str]
) -> Iterator[Passage]:
    chosen: list[Message] = []
    for message in messages.messages(ws.place, found.head, *which):
        why = _IS_READ if f"commit {message.id}" in read else commits.left_out(message)
        if why:
            found.commits_left[why] += 1
        else:
            chosen.append(message)
    changed = messages.changes(ws.place, [message.id for message in chosen])
    wanted = {id_: names for id_, files in changed.items() if (names := commits.choosing(files))}
    diffs = messages.diffs(ws.place, wanted)
    for message in chosen:
        files = changed.get(message.id, ())
        if files and all(file.path.startswith(".lerim/") for file in files):
            found.commits_left[commits.OURS] += 1
            continue
        text = commits.shown(message, files, diffs.get(message.id, ""))
        yield _of_commit(message, text, files)


def _of_commit(message: Message, text: str, files: Sequence[FileChange]) -> Passage:
    paths = (file.path for file in files[: commits.FILES_KNOWN])
    last = message.text.strip().count("\n") + 1
    return Passage(
        record=Record(
            n=0,
            role=Role.REPLY,
            text=_UNSEEN.sub(" ", text),
            at=message.at * 1000,
            uuid=message.id,
            commit=message.id,
            files=tuple(filter(None, paths)),
        ),
        cites=Source(
            agent=HISTORY[0],
            session=message.id,
            records=((1, last),),
            at=moment(message.at * 1000),
            commit=message.id,
        ),
        unit=f"commit {message.id}",
    )
