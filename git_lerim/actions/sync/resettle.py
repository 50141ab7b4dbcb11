"""Decide again which memories from sessions are active, after the store changed outside a sync."""

from collections.abc import Callable, Collection, Sequence

from git_lerim.actions.author_of import author_of
from git_lerim.actions.undo_log import AFTER
from git_lerim.extraction.reconcile import Supersede, Update, settle
from git_lerim.memories.format import frontmatter
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


def resettle(
    ws: Workspace,
    old: Snapshot,
    after: str,
    cause: str | None = None,
    *,
    own: Callable[[Collection[str]], Collection[str]] | None = None,
) -> list[Update | Supersede]:
    """Decide again which memories are active after the changes since `old`; return the updates.

    For example, two memories may now be equal, or one that superseded another may be gone. The
    updates are one commit, whose subject names `after`; `cause` is the commit that they follow.
    With `own`, which picks ids, only memories with these ids become superseded; no others change.
    """
    done: list[Update | Supersede] = []

    def operation(snapshot: Snapshot) -> Change | None:
        now = ws.store.believed(snapshot)
        stored, before = (
            {id_: item.memory for id_, item in each.memories.items()} for each in (now, old)
        )
        settled = settle(stored, before, author_of(ws, now))
        found = [action for action in settled if isinstance(action, Update | Supersede)]
        done[:] = _superseding(found, own) if own else found
        return _change(now, done, after, cause) if done else None

    ws.store.commit(operation)
    return done


def _superseding(
    actions: Sequence[Update | Supersede], own: Callable[[Collection[str]], Collection[str]]
) -> list[Update | Supersede]:
    """Return the actions that supersede what `own` picks, or that name it as superseded."""
    gone = own([action.memory.id for action in actions if isinstance(action, Supersede)])
    return [
        action
        for action in actions
        if action.memory.id in gone or any(id_ in gone for id_ in action.memory.supersedes)
    ]


def _change(
    now: Snapshot, done: Sequence[Update | Supersede], after: str, cause: str | None
) -> Change:
    return Change(
        files={
            now.memories[action.memory.id].path: frontmatter.render(action.memory)
            for action in done
        },
        subject=f"supersede: {counted(len(done), 'memory')} after {after}",
        body="\n".join(
            f"{action.sign} {action.memory.id} {action.memory.title}" for action in done
        ),
        trailers=(
            ("Lerim-Op", "supersede"),
            *([(AFTER, cause)] if cause else ()),
            *(("Lerim-Changed", action.memory.id) for action in done),
        ),
    )
