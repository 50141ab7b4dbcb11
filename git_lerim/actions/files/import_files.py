"""Import Lerim's files, ADRs, agent rules, notes and exports as memories, in one commit."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from git_lerim.actions.author_of import author_of
from git_lerim.actions.authorship import as_note, by_agent
from git_lerim.actions.files import import_plan
from git_lerim.actions.files.export import SHARED_BY
from git_lerim.actions.files.file_memories import memories_of, with_ids
from git_lerim.actions.forgotten import Forgotten
from git_lerim.actions.intake.session_commit import Run
from git_lerim.actions.listing import iso
from git_lerim.actions.mistrust import decided_for_reader
from git_lerim.bulk import uncollected
from git_lerim.errors import UsageError
from git_lerim.extraction.from_files.base import Form, LeftOut
from git_lerim.extraction.from_files.gather import Gathered, gather
from git_lerim.extraction.from_files.sources import DESCRIPTIONS
from git_lerim.extraction.reconcile import Action, Add, Skip, Update
from git_lerim.extraction.supersession.force import IMPORTED
from git_lerim.git.commits.author_names import CLAIMED, NOBODY, named
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import counted, printable
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The result of an import or a dry run."""

    run_id: str
    source: str  # name of the imported folder or file
    prefix: str  # what the names of its files begin with
    forms: Mapping[Form, int]  # files of each form
    actions: tuple[Action, ...]
    left: tuple[LeftOut, ...]
    redactions: int
    commit: str | None  # None: nothing to change

    @property
    def failed(self) -> bool:
        """Return whether any file could not be read."""
        return any(one.failed for one in self.left)


@uncollected()
def import_files(
    ws: Workspace, source: Path, *, form: Form | None = None, dry_run: bool = False
) -> Imported:
    """Import the memories in a folder or file, in the format `form` or the one detected.

    Importing the same source again changes nothing. Memories that a person changed in this store
    are kept; memories that the source no longer contains are superseded. Raises UsageError.
    """
    if dry_run:
        open_store.keep_nothing(ws)
    gathered, given = _read(ws, source, form)
    run = Run(id=ws.new_run("import"))
    forgotten = Forgotten(ws)
    decided: list[Action] = []

    def operation(snapshot: Snapshot) -> Change | None:
        planned = import_plan.plan(given, snapshot, author_of(ws, snapshot))
        decided[:] = (_unless_forgotten(action, forgotten) for action in planned)
        return import_plan.change(decided, snapshot, run, given)

    if dry_run:
        operation(ws.store.snapshot())
    commit = None if dry_run else ws.store.commit(operation)
    if commit is not None:
        where = commit[:12] or ws.store_name
        ws.log(f"{run.id} {where} {counted(len(decided), 'memory')} from {given.source}")
    return Imported(
        run_id=run.id,
        source=given.source,
        prefix=given.prefix,
        forms=gathered.forms,
        actions=decided_for_reader(ws, decided),
        left=tuple(gathered.reading.left),
        redactions=given.redactions,
        commit=commit,
    )


def _unless_forgotten(action: Action, forgotten: Forgotten) -> Action:
    """Return an action, or a skip if it would give an agent what a person forgot."""
    is_written = isinstance(action, Add | Update) and action.memory.status is not Status.ARCHIVED
    why = forgotten.why(action.memory) if is_written else None
    return Skip(memory=action.memory, reason=why) if why else action


def _as_imported(ws: Workspace, memory: Memory) -> Memory:
    """Return an exported memory without its author's name; if an agent imports it, as its note.

    An agent may have written the export.
    """
    unknown = {key: value for key, value in memory.unknown.items() if key != SHARED_BY}
    return replace(as_note(memory) if by_agent(ws) else memory, unknown=unknown)


def _refuse_leading_out(ws: Workspace, source: Path) -> Path:
    """Return the resolved source; raise UsageError if a link leads out of the work tree."""
    try:
        place = source.resolve()
    except RuntimeError:  # since Python 3.13, such a link is returned as it is
        place = source
    if place.is_symlink():
        raise UsageError(
            f"{printable(str(source))} is a symbolic link that leads to itself",
            hint="give the file or folder itself",
        )
    top = ws.place.worktree
    root = top.resolve() if top else None
    given = Path(os.path.abspath(source))  # noqa: PTH100 without following links
    if root and given.is_relative_to(root) and not place.is_relative_to(root):
        raise UsageError(
            f"{printable(str(source))} is a symbolic link to a place outside this repository",
            hint=f"to import that place: git lerim import {shlex.quote(printable(str(place)))}",
        )
    return place


def _read(ws: Workspace, source: Path, form: Form | None) -> tuple[Gathered, import_plan.Given]:
    place = _refuse_leading_out(ws, Path(source).expanduser())
    single = not place.is_dir()
    root = place.parent if single else place
    prefix = _prefix(ws, root)

    redactor = ws.redactor

    def name(path: str) -> str:
        full = f"{prefix}{path}".encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return redactor.redact(full)[0]

    gathered = gather(place, form, name)
    found = with_ids(gathered.reading.found)
    memories, checked = memories_of(ws, root, gathered, found)
    return gathered, import_plan.Given(
        memories=tuple(memories),
        whole=tuple((path, _as_imported(ws, memory)) for path, memory in gathered.reading.whole),
        files=frozenset(_read_well(gathered, form)),
        repeats=frozenset(id_ for id_, one in found.items() if one.repeats),
        source=name(place.name if single else "").rstrip("/") or "this repository",
        redactions=sum(each.redactions for each in checked),
        rendered={each.memory.id: (each.memory, each.data) for each in checked},
        authors={
            memory.id: named(f"{memory.unknown.get(SHARED_BY) or NOBODY}{CLAIMED}")
            for _, memory in gathered.reading.whole
        },
        prefix=name(""),
        by_agent=by_agent(ws),
    )


def as_given(done: Imported, source: Path) -> Imported:
    """Return the result with the files' paths as seen from the current folder, to print them."""
    folder = source if source.is_dir() else source.parent

    def path(place: str) -> str:
        inside = bool(done.prefix) and f"{place}/".startswith(done.prefix)
        return (folder / place[len(done.prefix) :]).as_posix() if inside else place

    left = tuple(replace(one, place=path(one.place)) for one in done.left)
    return replace(done, source=path(done.source), left=left)


def _prefix(ws: Workspace, root: Path) -> str:
    """Return a prefix for file names: the folder's path if it is in the repository.

    Elsewhere, it is the folder's name. So a file has the same name in every clone, and its memories
    have the same ids.
    """
    if not ws.personal and any(root == Path(tree).resolve() for tree in ws.territory.worktrees):
        return ""
    below = None if ws.personal else ws.code.relative(str(root))
    return f"{below or root.name}/".lstrip("/")


def _read_well(made: Gathered, form: Form | None) -> set[str]:
    """Return the files that were read completely; memories missing from these are superseded.

    With `form`, only files with memories in that format count, because the others may contain
    memories in another format.
    """
    unread = {one.place for one in made.reading.left if one.failed or one.skipped}
    read = set(made.read) if form is None else {one.file for one in made.reading.found}
    return read - unread


FORMS = {form.value: form for form in Form}


def form_name(form: Form) -> str:
    """Return a format's display name."""
    return DESCRIPTIONS[form]


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
