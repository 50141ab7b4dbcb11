"""Remove an agent's orders from a handoff, by the rules for memories of colleagues."""

from collections.abc import Collection, Sequence

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.storage.trust.judge import Judge
from git_lerim.workspace import Workspace


def without_orders(
    ws: Workspace, said: Sequence[str], by_agent: Collection[str]
) -> tuple[str, ...]:
    """Return the sentences without an agent's orders; those in `by_agent` are the agent's."""
    fit = _fit(ws, [one for one in said if one in by_agent])
    return tuple(one for one in said if one not in by_agent or one in fit)


def steps_without_orders(
    ws: Workspace, steps: Sequence[str], by_agent: Collection[str]
) -> tuple[str, ...]:
    """Return next steps without the agent's orders, and a last line that counts those left out."""
    kept = without_orders(ws, steps, by_agent)
    if not (count := len(steps) - len(kept)):
        return kept
    return (*kept, f"{count} more step{'s' * (count > 1)} left out: only a person may order that")


def _fit(ws: Workspace, said: Sequence[str]) -> Sequence[str]:
    # the rules take long to load
    from git_lerim.memories.checks.orders_of_others import doubts  # noqa: PLC0415

    judge = Judge(ws.place, open_objects(ws.place))

    def is_fit(sentences: Sequence[str]) -> bool:
        return doubts("", "\n".join(sentences), runs=judge.is_own) is None

    if not said or is_fit(said):
        return said
    kept: list[str] = []
    for one in said:
        kept += [one] if is_fit([*kept, one]) else []  # two together may be an order
    return kept
