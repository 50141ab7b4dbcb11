"""Import memories from files in one commit: Lerim's, ADRs, agent rules, notes, our own exports."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from git_lerim.actions.code import anchors
from git_lerim.actions.files import import_plan
from git_lerim.actions.files.export import SHARED_BY, user_name
from git_lerim.actions.intake.session_commit import Run
from git_lerim.actions.listing import iso
from git_lerim.bulk import halved, uncollected
from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files.found import Form, Found, LeftOut
from git_lerim.extraction.from_files.gather import Gathered, gather
from git_lerim.extraction.from_files.sources import TOLD
from git_lerim.extraction.reconcile import Action
from git_lerim.extraction.standing import IMPORTED
from git_lerim.git.engines.objects import open_objects
from git_lerim.git.history.filedates import last_commits
from git_lerim.memories import naming
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.checks.prompt_injection import suspicion
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import BODY_LIMIT, Anchor, Memory, Origin, Primitive, Source, Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.trust.authors import NOBODY, named
from git_lerim.storage.trust.judge import Judge
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

_ANCHORS = 5
_LOOKED_AT = 40  # file names per text
_NAMED = re.compile(r"(?<![\w/.-])(?:\./)?((?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?![\w/])")
_OLDEST = 1970
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The result of an import or a dry run."""

    run_id: str
    source: str  # its name in memories
    forms: Mapping[Form, int]  # files of each form
    actions: tuple[Action, ...]
    left: tuple[LeftOut, ...]
    redactions: int
    commit: str | None  # None: nothing to change

    @property
    def failed(self) -> bool:
        """Whether something could not be read."""
        return any(one.failed for one in self.left)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dated:
    at: datetime
    commit: str | None


@uncollected()
def take_in(
    ws: Workspace, source: Path, *, form: Form | None = None, dry_run: bool = False
) -> Imported:
    """Import a folder or a file, as `form` or as what it looks like. Raises UsageError.

    Importing the same again changes nothing. What a person changed here is kept; what the source no
    longer says is superseded.
    """
    place = Path(source).expanduser().resolve()
    single = not place.is_dir()
    root = place.parent if single else place
    prefix = _prefix(ws, root)

    def name(path: str) -> str:
        told = f"{prefix}{path}"
        return ws.redactor.redact(
            told.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        )[0]

    made = gather(place, form, name)
    candidates, blanked = _memories(ws, root, made)
    run = Run(id=ws.new_run("import"))
    shown = name(place.name if single else "").rstrip("/") or "this repository"
    given = import_plan.Given(
        memories=tuple(candidates),
        whole=tuple((path, _unsigned(memory)) for path, memory in made.reading.whole),
        files=frozenset(_read_well(made)),
        repeats=frozenset(
            found_id for found_id, found in _ids(made.reading.found).items() if found.repeats
        ),
        source=shown,
        redactions=blanked,
        authors={
            memory.id: named(str(memory.unknown.get(SHARED_BY) or NOBODY))
            for _, memory in made.reading.whole
        },
        own=frozenset(item.blob for item in ws.store.served().memories.values() if not item.author),
        user=user_name(ws),
    )
    decided: list[Action] = []

    def operation(snapshot: Snapshot) -> Change | None:
        decided[:] = import_plan.plan(given, snapshot)
        return import_plan.change(decided, snapshot, run, given)

    if dry_run:
        open_store.keep_nothing(ws)
        operation(ws.store.snapshot())
    commit = None if dry_run else ws.store.commit(operation)
    if commit is not None:
        ws.log(f"{run.id} {commit[:12] or ws.store_name} {len(decided)} memories from {shown}")
    return Imported(
        run_id=run.id,
        source=shown,
        forms=made.forms,
        actions=tuple(decided),
        left=tuple(made.reading.left),
        redactions=blanked,
        commit=commit,
    )


def _unsigned(memory: Memory) -> Memory:
    """Return a memory of an export as it stood: who wrote it is no part of it."""
    return replace(
        memory, unknown={key: value for key, value in memory.unknown.items() if key != SHARED_BY}
    )


def _prefix(ws: Workspace, root: Path) -> str:
    """Return the folder's path in the repository, else its name, as prefix of the files' names.

    Inside the repository a file has the same name in every clone, and its memories the same ids.
    """
    if not ws.personal and any(root == Path(tree).resolve() for tree in ws.territory.worktrees):
        return ""
    below = None if ws.personal else ws.code.relative(str(root))
    return f"{below or root.name}/".lstrip("/")


def _read_well(made: Gathered) -> set[str]:
    """Return the files that were read completely; what these no longer say is superseded."""
    failed = {one.place for one in made.reading.left if one.failed}
    return set(made.read) - failed


def _ids(found: Sequence[Found]) -> dict[str, Found]:
    ordinals: dict[tuple[str, str], int] = {}
    ids = {}
    for one in found:
        key = (one.origin, one.primitive)
        ordinals[key] = ordinals.get(key, 0) + 1
        ids[naming.memory_id(IMPORTED, one.origin, one.primitive, ordinals[key])] = one
    return ids


def _memories(ws: Workspace, root: Path, made: Gathered) -> tuple[list[Memory], int]:
    """Turn the findings into checked memories; return them and the number of redactions."""
    reading = made.reading
    ids = _ids(reading.found)
    by_origin = {one.origin: ident for ident, one in reversed(ids.items())}
    dates = last_commits(root) if reading.found else {}
    made_of = [
        _memory(ws, ident, one, by_origin, _dated(ws, root, made.read[one.file], dates))
        for ident, one in ids.items()
    ]
    files = [one.file for one in ids.values()] + [path for path, _ in reading.whole]
    given = [*made_of, *(ours for _, ours in reading.whole)]
    memories, whole, blanked = [], [], 0
    results = halved(lambda: partial(_checked, ws, Judge(ws.place, open_objects(ws.place))), given)
    for n, (file, result) in enumerate(zip(files, results, strict=True)):
        if isinstance(result, str):
            reading.leave(file, result, failed=True)
            continue
        memory, count = result
        blanked += count
        if n < len(made_of):
            memories.append(memory)
        else:
            whole.append((file, memory))
    reading.whole[:] = whole
    return memories, blanked


def _checked(ws: Workspace, judge: Judge, memory: Memory) -> tuple[Memory, int] | str:
    """Return the checked memory and its number of redactions, or why it is invalid."""
    try:
        return _through_gates(ws, judge, memory)
    except BadMemory as error:
        return str(error)


def _through_gates(ws: Workspace, judge: Judge, memory: Memory) -> tuple[Memory, int]:
    text = f"{memory.title}\n{memory.body}"
    reason = suspicion(text, runs=judge.is_own) if memory.status is Status.ACTIVE else None
    if reason:
        memory = replace(memory, status=Status.SUSPECT, suspect=reason)
    memory, blanked = gated(memory, ws.redactor)
    if not frontmatter.body_itself(memory.body).strip():
        raise BadMemory("says nothing")
    # a redaction marker can be longer than the secret
    if len(frontmatter.body_itself(memory.body)) > BODY_LIMIT:
        memory = replace(memory, body=clip(memory.body, BODY_LIMIT))
    frontmatter.render(memory)
    return memory, blanked


def _memory(
    ws: Workspace, ident: str, one: Found, by_origin: Mapping[str, str], file: _Dated
) -> Memory:
    created = (
        one.created
        if one.created and one.created.year >= _OLDEST and one.created <= ws.now + _CLOCKS_DIFFER
        else file.at
    )
    at = (
        max(created, one.changed)
        if one.changed and one.changed <= ws.now + _CLOCKS_DIFFER
        else created
    )
    own = Source(agent=IMPORTED, session=one.file, records=one.records, at=at, commit=file.commit)
    return Memory(
        id=ident,
        primitive=one.primitive,
        kind=one.kind,
        title=one.title,
        body=one.body,
        status=one.status,
        created=created,
        updated=created,
        confidence=one.confidence,
        origin=Origin.IMPORT,
        tags=one.tags,
        sources=(own, *one.sources),
        anchors=_anchors(ws, one),
        supersedes=tuple(_id_of(origin, by_origin) for origin in one.supersedes),
        related=tuple(_id_of(origin, by_origin) for origin in one.related),
    )


def _id_of(origin: str, by_origin: Mapping[str, str]) -> str:
    """Return the id of the memory from `origin`, even if this import did not read it."""
    return by_origin.get(origin) or naming.memory_id(IMPORTED, origin, Primitive.DECISION, 1)


def _dated(
    ws: Workspace, root: Path, path: Path, dates: Mapping[str, tuple[datetime, str]]
) -> _Dated:
    """Return a file's last commit, else its modification time."""
    committed = dates.get(path.as_posix())
    if committed is not None:
        return _Dated(at=committed[0], commit=None if ws.personal else ws.code.exists(committed[1]))
    try:
        seconds = min(max(int((root / path).stat().st_mtime), 0), int(ws.now.timestamp()))
    except OSError:
        seconds = int(ws.now.timestamp())
    return _Dated(at=datetime.fromtimestamp(seconds, UTC), commit=None)


def _anchors(ws: Workspace, one: Found) -> tuple[Anchor, ...]:
    """Return anchors for the repository's files that a text mentions."""
    head = None if ws.personal else ws.code.head()
    if head is None:
        return ()
    named = dict.fromkeys(
        match[1].rstrip(".") for match in _NAMED.finditer(f"{one.title}\n{one.body}")
    )
    looked = [name for name in named if name != one.file][:_LOOKED_AT]
    files = dict(found for name in looked if (found := ws.code.file(name, head)))
    mentions = (
        Anchor(path=path, blob=blob, commit=head) for path, blob in list(files.items())[:_ANCHORS]
    )
    return anchors.found(ws.code, mentions, one.title, one.body)


FORMS = {form.value: form for form in Form}


def told(form: Form) -> str:
    """Return a form's name for people."""
    return TOLD[form]


def as_json(done: Imported, *, dry_run: bool) -> dict[str, Any]:
    """Return the result in the format of `import --json`."""
    by_sign: dict[str, list[dict[str, Any]]] = {"+": [], "~": [], "-": [], "=": []}
    for action in done.actions:
        by_sign[action.sign].append(_json(action))
    return {
        "run_id": done.run_id,
        "source": done.source,
        "forms": {form.value: count for form, count in done.forms.items()},
        "dry_run": dry_run,
        "added": by_sign["+"],
        "updated": by_sign["~"],
        "superseded": by_sign["-"],
        "unchanged": by_sign["="],
        "left_out": [
            {"place": one.place, "reason": one.reason} for one in done.left if not one.failed
        ],
        "failed": [{"place": one.place, "reason": one.reason} for one in done.left if one.failed],
        "redactions": done.redactions,
        "commit": done.commit,
    }


def _json(action: Action) -> dict[str, Any]:
    memory = action.memory
    places = [source.session for source in memory.sources if source.agent == IMPORTED]
    return {
        "id": memory.id,
        "primitive": memory.primitive,
        "kind": memory.kind,
        "title": memory.title,
        "status": memory.status,
        "created": iso(memory.created),
        "file": next(iter(places), None),
        "reason": action.reason,
    }
