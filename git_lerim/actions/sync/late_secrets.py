"""Redact secrets that only later records reveal, in stored memories."""

from collections.abc import Iterator, Mapping
from itertools import chain

from git_lerim.actions.allow import DECIDED_BY_TRUST
from git_lerim.actions.reset import delete
from git_lerim.memories import naming
from git_lerim.memories.checks.gate import without_values
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory
from git_lerim.memories.slug import slug
from git_lerim.redaction.own_secrets.elsewhere import Values
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.layout import is_archived
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


def redact_stored(ws: Workspace, run: str, found: Mapping[tuple[str, str], Values]) -> list[str]:
    """Redact stored memories, given the secrets found in each session; return the commits made.

    In memories of others, only what the cited sessions reveal is redacted.
    """
    ids: list[str] = []

    def operation(snapshot: Snapshot) -> Change | None:
        done = list(_redacted(ws, snapshot, found))
        ids[:] = [memory.id for _, memory, _ in done]
        files: dict[str, bytes | None] = {}
        for item, memory, _ in done:
            files |= {item.path: None, _path(item, memory): frontmatter.render(memory)}
        return Change(
            files=files,
            subject=f"sync: redact {counted(len(done), 'memory')}",
            body="\n".join(f"~ {memory.id} {memory.title}" for _, memory, _ in done),
            trailers=(
                ("Lerim-Op", "sync"),
                ("Lerim-Run", run),
                *(("Lerim-Changed", id_) for id_ in ids),
                ("Lerim-Redactions", str(sum(count for *_, count in done))),
            ),
        )

    if not ws.has_memory() or not any(_redacted(ws, ws.store.snapshot(), found)):
        return []
    commit = ws.store.commit(operation)
    if commit is not None:
        ws.note(
            f"redacted what later turned out to be a secret in {', '.join(ids)}; {_where_it_is(ws)}"
        )
    return [commit] if commit else []


def delete_cached_output(ws: Workspace) -> None:
    """Delete cached output, which was redacted without the new secrets.

    It also contains what is not rewritten: memories of others, and accepted versions.
    """
    delete(ws.folder, DECIDED_BY_TRUST)


def _where_it_is(ws: Workspace) -> str:
    """Return where a redacted secret still is, and how to delete it there."""
    if ws.in_tree:
        return "your own commits may still have it: to delete it there, rewrite that history"
    personal = " --personal" if ws.personal else ""
    purge = f"git lerim purge{personal}"
    return f"earlier commits still have it; {purge} deletes a memory and its whole history"


def _path(item: Stored, memory: Memory) -> str:
    """Return the path of a redacted memory, whose words are those of its title now."""
    if naming.id_in(item.path) is None:  # a summary's path has no words, and is its key
        return item.path
    return naming.path_of(memory, archived=is_archived(item.path))


def _redacted(
    ws: Workspace, snapshot: Snapshot, found: Mapping[tuple[str, str], Values]
) -> Iterator[tuple[Stored, Memory, int]]:
    """Yield each memory with a known secret, its redacted copy, and the number of redactions."""
    kinds = (snapshot.memories, snapshot.summaries, snapshot.handoffs)
    every = {value: rule for values in found.values() for value, rule in values.items()}
    values = dict(sorted(every.items(), key=lambda each: len(each[0]), reverse=True))
    for item in chain.from_iterable(kind.values() for kind in kinds):
        memory, count = without_values(item.memory, values)
        count += _is_named_in(item.path, values) and _path(item, memory) != item.path
        if count and (_cites(item, found) or not any(n.author for n in ws.store.named([item]))):
            yield item, memory, count


def _cites(item: Stored, found: Mapping[tuple[str, str], Values]) -> bool:
    return any(source.reading in found for source in item.memory.sources)


def _is_named_in(path: str, values: Values) -> bool:
    """Return whether a file's name contains one of the values."""
    return any((words := slug(value, "")) and f"-{words}-" in path for value in values)
