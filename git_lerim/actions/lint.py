"""Check a whole store: each file, the links between files, and whether any contains a secret."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from git_lerim.actions.authorship import by_agent, path_for_reader
from git_lerim.actions.broken import last_readable
from git_lerim.actions.judged import MARK, sharer
from git_lerim.actions.mistrust import doubts, shown, to_accept
from git_lerim.errors import GitFailed
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FOLDER, SUBMODULE
from git_lerim.memories import naming
from git_lerim.memories.checks.lint_rules import Problem, check
from git_lerim.memories.memory import Status
from git_lerim.memories.slug import path_without_words
from git_lerim.redaction.finding import Finding
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.upkeep.contradictions import contradictions
from git_lerim.upkeep.likeness.pairs import near
from git_lerim.workspace import Workspace

LARGEST = 1 << 20  # maximum bytes of a file set aside that is searched for secrets


def lint(ws: Workspace, at: str | None) -> tuple[int, list[Problem]]:
    """Return the number of files checked and the problems found."""
    snapshot = ws.store.snapshot(at)
    if snapshot.commit is None and at is None and not (ws.in_tree or ws.personal):
        return _lint_unused(ws, open_store.on_branch(ws).unused())
    waiting = ws.store.waiting() if at is None else []
    items = _items(snapshot)
    problems = _aside(ws, snapshot, at)
    problems += [
        Problem(
            path=w.path,
            id=w.id or "",
            rule="waiting",
            sentence=f"withheld: {w.reason}{to_accept(w.id) if w.id else ''}",
        )
        for w in waiting
    ]
    problems += _secrets_aside(ws, snapshot)
    rated = ws.store.named([item for item in items if item.memory.feedback], at)
    counted = {item.path: item.feedback for item in rated}  # without forged feedback
    problems += check(
        [(it.path, it.memory.having(feedback=counted.get(it.path, ()))) for it in items], ws.now
    )
    problems += _opposed(ws, snapshot, at)
    problems += _secrets(ws, items)
    problems.sort(key=lambda p: (p.path, p.rule))
    if by_agent(ws):
        named = ws.store.named(items, at)
        hidden = {*doubts(ws, items, at), *(each.path for each in waiting), *_worded(named)}
        problems = [replace(p, path=p.id) if p.id and p.path in hidden else p for p in problems]
        aside = {each.path for each in snapshot.quarantined}
        problems = [
            replace(p, path=path_for_reader(ws, p.path)) if p.path in aside else p for p in problems
        ]
    return len(items) + len(snapshot.quarantined), problems


def _lint_unused(ws: Workspace, snapshot: Snapshot) -> tuple[int, list[Problem]]:
    """Check the files of a remote's memory that was fetched, but is not used here yet.

    Only files are checked: what its users have to decide is not for somebody who does not use it.
    """
    items = _items(snapshot)
    problems = [*_aside(ws, snapshot, None), *_secrets_aside(ws, snapshot), *_secrets(ws, items)]
    problems += check([(it.path, it.memory.having(feedback=())) for it in items], ws.now)
    problems.sort(key=lambda p: (p.path, p.rule))
    if by_agent(ws):
        problems = [replace(p, path=p.id or path_for_reader(ws, p.path)) for p in problems]
    return len(items) + len(snapshot.quarantined), problems


def _items(snapshot: Snapshot) -> list[Stored]:
    return [
        *snapshot.memories.values(),
        *snapshot.summaries.values(),
        *snapshot.handoffs.values(),
    ]


def _secrets(ws: Workspace, items: Iterable[Stored]) -> Iterator[Problem]:
    for item in items:
        found = ws.redactor.find(
            "\n".join(
                (item.memory.title, item.memory.body, item.memory.suspect or "", *item.memory.tags)
            )
        )
        if found:
            yield _secret(item.path, item.memory.id, found)


def _worded(items: Iterable[Stored]) -> Iterator[str]:
    """Yield the paths that contain words chosen by others, which an agent must not see."""
    for item in items:
        if path_without_words(item.path, item.memory.title, item.author) is None:
            yield item.path


def _aside(ws: Workspace, snapshot: Snapshot, at: str | None) -> list[Problem]:
    """Return a problem for each quarantined file, with a way to repair it if there is one."""
    readable = last_readable(ws, snapshot) if at is None else {}
    repairs = {
        id_: f"; to bring back its last readable version: git lerim restore {id_}"
        for id_ in readable
    }
    return [
        Problem(
            path=q.path,
            id="",
            rule="quarantined",
            sentence=f"{q.reason}{repairs.get(naming.id_in(q.path) or '', '')}",
        )
        for q in snapshot.quarantined
    ]


def _secret(path: str, id_: str, found: Sequence[Finding]) -> Problem:
    rules = ", ".join(sorted({finding.rule for finding in found}))
    sentence = f"contains a possible secret ({rules})"
    return Problem(path=path, id=id_, rule="secret", sentence=sentence)


def _secrets_aside(ws: Workspace, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield a problem for each quarantined file with a secret, because a push would send it."""
    if snapshot.commit is None or ws.in_tree:
        return
    objects = open_objects(ws.place)
    for path in {file.path for file in snapshot.quarantined}:
        with suppress(GitFailed):  # a damaged or missing object, reported as quarantined
            entry = objects.entry_at(snapshot.commit, path)
            if entry is None or entry.mode in {FOLDER, SUBMODULE}:
                continue
            if objects.size(entry.id) > LARGEST:
                continue
            text = objects.blob(entry.id).decode("utf-8", "replace")
            if found := ws.redactor.find(text):
                yield _secret(path, "", found)


def _opposed(ws: Workspace, snapshot: Snapshot, at: str | None) -> Iterator[Problem]:
    """Yield a problem for each unresolved contradiction between two active memories."""
    memories = {id_: item.memory for id_, item in snapshot.memories.items()}
    active = [memory for memory in memories.values() if memory.status is Status.ACTIVE]
    replaced, left = contradictions(memories, near(active))
    pairs = [(each.winner.id, each.loser.id) for each in replaced] + [
        (each.later, each.earlier) for each in left
    ]
    named = shown(ws, at)(snapshot.memories[earlier] for _, earlier in pairs)
    for (later, earlier), (item, doubt) in zip(pairs, named, strict=True):
        mark = f"{MARK if doubt else ''}{sharer(item)}"
        sentence = f"contradicts {earlier}: {mark}{item.memory.title}"
        yield Problem(
            path=snapshot.memories[later].path, id=later, rule="contradiction", sentence=sentence
        )
