"""Check a whole store: each file by itself, all of them together, and that no secret is in them."""

from git_lerim.memories.rules import Problem, check
from git_lerim.workspace import Workspace


def lint(ws: Workspace, at: str | None) -> tuple[int, list[Problem]]:
    """Return how many files were checked, and what is wrong with them."""
    snapshot = ws.store.snapshot(at)
    waiting = ws.store.waiting() if at is None else []
    items = [*snapshot.memories.values(), *snapshot.summaries.values(), *snapshot.handoffs.values()]
    problems = [Problem(path=q.path, id="", rule="quarantined", sentence=q.reason) for q in snapshot.quarantined]
    problems += [Problem(path=w.path, id=w.id or "", rule="waiting", sentence=f"not handed out: {w.reason}") for w in waiting]
    problems += check([(item.path, item.memory) for item in items], ws.now)
    for item in items:
        found = ws.redactor.find("\n".join((item.memory.title, item.memory.body, item.memory.suspect or "", *item.memory.tags)))
        rules = ", ".join(sorted({finding.rule for finding in found}))
        if found:
            problems.append(
                Problem(path=item.path, id=item.memory.id, rule="secret", sentence=f"holds what looks like a secret ({rules})")
            )
    return len(items) + len(snapshot.quarantined), sorted(problems, key=lambda p: (p.path, p.rule))
