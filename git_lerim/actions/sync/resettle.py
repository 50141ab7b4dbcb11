"""Decide anew which memories of sessions are in use, when the store has become another one than a
sync left.
"""

from git_lerim.extraction.reconcile import Supersede, Update, settle
from git_lerim.memories.format import frontmatter
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


def settled(ws: Workspace, old: Snapshot, after: str) -> list[Update | Supersede]:
    """Commit what becomes of memories now that the store has grown from an older state, and return
    it.

    Some say the same, some contradict each other; what took another's place may be gone. `after`
    tells what has happened.
    """
    done: list[Update | Supersede] = []

    def operation(snapshot: Snapshot) -> Change | None:
        now = ws.store.believed(snapshot)
        stored, before = (
            {id_: item.memory for id_, item in each.memories.items()} for each in (now, old)
        )
        done[:] = [
            action for action in settle(stored, before) if isinstance(action, Update | Supersede)
        ]
        if not done:
            return None
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
                *(("Lerim-Changed", action.memory.id) for action in done),
            ),
        )

    ws.store.commit(operation)
    return done
