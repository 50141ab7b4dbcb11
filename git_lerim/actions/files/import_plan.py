"""Decide how an import changes the store, and build its one commit.

As with a sync, memories that a person changed are never overwritten; archived or merged memories
do not come back; and a memory that its file no longer contains is superseded. Other memories are
not touched. An import that an agent runs changes nothing that a person imported, said or edited:
the agent itself may have edited the file.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from git_lerim.actions.authorship import IMPORTED_BY_PERSON, is_persons
from git_lerim.actions.edit_memory import edited_files
from git_lerim.actions.intake.session_commit import ASIDE, PURGED, Run
from git_lerim.extraction.reconcile import Action, Add, Skip, Supersede, Update, carried
from git_lerim.extraction.supersession.force import IMPORTED
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.merging import merge_same, redactions
from git_lerim.memories.similarity.similarity import Neighbours
from git_lerim.memories.writers import Author, only_user
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import clip, counted

_SAME = "is stored already"
WITHDRAWN = "was deleted by somebody else; git lerim restore ID brings it back"
EDITED = "was edited by a person"
DIFFERS = "the export differs from what is stored here, which is kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The memories that an import read, with the facts that decide what to do with them."""

    memories: tuple[Memory, ...]
    whole: tuple[tuple[str, Memory], ...]  # memories of an export, with their paths
    files: frozenset[str]  # the files that were read
    repeats: frozenset[str]  # ids to skip if another memory says the same thing
    source: str  # name of the imported folder or file
    redactions: int
    rendered: Mapping[str, tuple[Memory, bytes]]  # memories with their files, by id
    authors: Mapping[str, str]  # who wrote the memories of an export, by id
    prefix: str  # what the names of the files begin with
    by_agent: bool  # whether an agent runs the import


def plan(given: Given, snapshot: Snapshot, author: Author = only_user) -> list[Action]:
    """Decide what the import adds, updates, supersedes and skips in the store."""
    stored = {
        ident: item.memory for ident, item in {**snapshot.summaries, **snapshot.memories}.items()
    }
    # ids can be predicted: what others claim to have merged is imported all the same
    own = (m for m in stored.values() if m.merged_from and not author(m.id))
    merged = {ident: m.id for m in own for ident in m.merged_from if ident not in stored}
    aside = {naming.id_in(file.path) for file in snapshot.quarantined} - stored.keys()
    ids = {memory.id for memory in given.memories} | {memory.id for _, memory in given.whole}
    gone = [m for m in stored.values() if m.id not in ids and _is_from(m, given.files)]
    taken_back = {m.id for m in gone if not _why_kept(given, m)}
    known_texts = _KnownTexts(given, stored, taken_back)
    actions: list[Action] = []
    known = ids | stored.keys()
    for memory in [*(_linked(m, known) for m in given.memories), *(m for _, m in given.whole)]:
        if memory.id in merged:
            actions.append(Skip(memory=memory, reason=f"was merged into {merged[memory.id]}"))
        elif memory.id in snapshot.purged:
            actions.append(Skip(memory=memory, reason=PURGED))
        elif memory.id in snapshot.withdrawn and memory.id not in stored:
            actions.append(Skip(memory=memory, reason=WITHDRAWN))
        elif memory.id in aside:
            actions.append(Skip(memory=memory, reason=ASIDE))
        elif memory.id not in stored:
            actions.append(known_texts.new(memory))
        elif memory.id in known_texts.whole:
            actions.append(_kept(memory, stored[memory.id]))
        else:
            actions.append(_update(given, memory, stored[memory.id]))
    return [*actions, *_take_back(given, gone)]


def _why_kept(given: Given, before: Memory) -> str:
    """Return why this import must not change a stored memory, or ""."""
    if before.touched:
        return EDITED
    return IMPORTED_BY_PERSON if given.by_agent and is_persons(before) else ""


def _linked(memory: Memory, known: Container[str]) -> Memory:
    """Return a memory without links to memories that are neither stored nor imported."""
    kept = (
        tuple(ident for ident in links if ident in known)
        for links in (memory.supersedes, memory.related)
    )
    supersedes, related = kept
    if (supersedes, related) == (memory.supersedes, memory.related):
        return memory
    return replace(memory, supersedes=supersedes, related=related)


def _is_from(memory: Memory, files: frozenset[str]) -> bool:
    return any(source.agent == IMPORTED and source.session in files for source in memory.sources)


class _KnownTexts:
    """A finder of texts that are already in the store, or in an earlier file of the import."""

    def __init__(self, given: Given, stored: Mapping[str, Memory], taken_back: set[str]) -> None:
        self.whole = {memory.id for _, memory in given.whole}
        self._repeats = given.repeats
        self._standing = [
            m
            for m in stored.values()
            if m.id not in taken_back and m.status is not Status.SUPERSEDED
        ]

    @cached_property
    def _near(self) -> Neighbours:
        """Return an index of the stored memories and those added so far, built on first use."""
        return Neighbours(self._standing)

    def new(self, memory: Memory) -> Action:
        """Decide whether to add a memory that is not in the store, or skip it as a repetition."""
        if memory.id in self._repeats:
            for other in self._near.same(memory):
                away = ", which was archived" if other.status is Status.ARCHIVED else ""
                return Skip(memory=memory, reason=f"says the same as {other.id}{away}")
            self._near.add(memory)
        if memory.status is Status.SUSPECT:
            return Add(memory=memory, reason=f"is suspect: {memory.suspect}")
        return Add(memory=memory, reason="is new")


def _update(given: Given, memory: Memory, before: Memory) -> Action:
    """Decide whether to update a memory that was imported before, or to leave it unchanged."""
    if (why := _why_kept(given, before)) or _is_same(memory, before):
        if before.status is Status.ARCHIVED and memory.status is not Status.ARCHIVED:
            return Skip(memory=before, reason="is archived")
        return Skip(memory=before, reason=_SAME if _is_same(memory, before) else why)
    others = tuple(s for s in before.sources if s not in memory.sources and s.agent != IMPORTED)
    new = replace(
        memory,
        created=min(memory.created, before.created),
        sources=(*memory.sources, *others),
        **carried(before),
    )
    if redactions(before) > redactions(
        memory
    ):  # whoever redacted it before knows more secret patterns
        new = replace(new, title=before.title, body=before.body)
    new = clean(replace(new, updated=new.created))
    if _is_same(new, before):
        return Skip(memory=before, reason=_SAME)
    if _statement(new) == _statement(before):
        return Update(memory=new, before=before, reason="an agent had imported it")
    return Update(memory=new, before=before, reason="its file has changed")


def _is_same(memory: Memory, before: Memory) -> bool:
    """Return whether a memory adds nothing to the stored one: no word, and no person's import."""
    by_person = memory.origin is not Origin.AGENT is before.origin
    return _statement(memory) == _statement(before) and not by_person


def _statement(memory: Memory) -> tuple[object, ...]:
    """Return the memory's content without the fields that depend on when and where it is read."""
    return (
        memory.title,
        memory.body,
        memory.kind,
        memory.status,
        memory.confidence,
        memory.tags,
        memory.supersedes,
    )


def _kept(memory: Memory, before: Memory) -> Skip:
    """Keep the stored version of an exported memory: anybody may have written the export."""
    if before.updated > memory.updated:
        return Skip(memory=before, reason="was changed here in the meantime")
    if memory.suspect:  # what a file says is doubted sooner than what a person said
        memory = replace(memory, status=before.status, suspect=before.suspect)
    same = merge_same(before, memory) == before and _words(memory) == _words(before)
    return Skip(memory=before, reason=_SAME if same else DIFFERS)


def _words(memory: Memory) -> tuple[object, ...]:
    return (memory.title, memory.body, memory.kind)


def _take_back(given: Given, gone: Sequence[Memory]) -> Iterator[Action]:
    for memory in gone:
        is_away = memory.status is Status.SUPERSEDED and not memory.confidence
        if memory.status is Status.ARCHIVED or (is_away and not memory.touched):
            continue
        if why := _why_kept(given, memory):
            yield Skip(memory=memory, reason=f"is gone from its file, but {why}")
            continue
        away = replace(
            memory,
            status=Status.SUPERSEDED,
            confidence=0.0,
            supersedes=(),
            related=(),
            suspect=None,
        )
        yield Supersede(memory=away, by=None, reason="is gone from its file")


def change(actions: Sequence[Action], snapshot: Snapshot, run: Run, given: Given) -> Change | None:
    """Return the commit that carries out the actions, or None if nothing would change."""
    writing = [action for action in actions if not isinstance(action, Skip)]
    files = _files(writing, snapshot, given)
    if not files:
        return None
    changed = (
        ("Lerim-Added" if isinstance(action, Add) else "Lerim-Changed", action.memory.id)
        for action in writing
    )
    return Change(
        files=files,
        subject=f"import: {_counts(actions)} from {clip(given.source, 50)}",
        body="\n".join(f"{each.sign} {each.memory.id} {each.memory.title}" for each in writing),
        trailers=(
            ("Lerim-Op", "import"),
            ("Lerim-Run", run.id),
            *changed,
            ("Lerim-Redactions", str(given.redactions)),
        ),
        theirs={
            action.memory.id: given.authors[action.memory.id]
            for action in actions
            if isinstance(action, Add) and action.memory.id in given.authors
        },
    )


def _files(actions: Iterable[Action], snapshot: Snapshot, given: Given) -> dict[str, bytes | None]:
    """Map the path of each file to write to its new content, or to None if it is to be deleted."""
    files: dict[str, bytes | None] = {}
    paths = {memory.id: path for path, memory in given.whole}
    stored = {**snapshot.summaries, **snapshot.memories}
    used = {item.path for item in stored.values()}
    for action in actions:
        memory = action.memory
        if isinstance(action, Add):
            path = _free(
                paths.get(memory.id)
                or naming.path_of(memory, archived=memory.status is Status.ARCHIVED),
                memory,
                used,
            )
            same, data = given.rendered.get(memory.id, (None, b""))
            files[path] = data if same is memory else frontmatter.render(memory)
        else:
            files |= edited_files(stored[memory.id], memory)
    return files


def _free(path: str, memory: Memory, used: set[str]) -> str:
    """Return `path`, or a longer path if another summary already uses it."""
    if path in used:
        path = f"{path.removesuffix('.md')}-{memory.id}.md"
    used.add(path)
    return path


def _counts(actions: Sequence[Action]) -> str:
    count = {
        kind: sum(isinstance(action, kind) for action in actions)
        for kind in (Add, Update, Supersede)
    }
    parts = [counted(count[Add], "memory")] if count[Add] else []
    parts += [
        f"{count[kind]} {word}"
        for kind, word in ((Update, "updated"), (Supersede, "superseded"))
        if count[kind]
    ]
    return ", ".join(parts)
