"""The options of a `maintain` run."""

from dataclasses import dataclass

from git_lerim.errors import UsageError

# In the order in which they run. `decay`, which records the last uses, comes first: otherwise the
# commit of another action would record them, and the run would take them for somebody else's
# changes.
ACTIONS = (
    "decay",
    "anchors",
    "compare",
    "merge",
    "contradictions",
    "consolidate",
    "archive",
    "stale",
    "promote",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a `maintain` run."""

    only: tuple[str, ...] = ACTIONS
    force: bool = False  # even if nothing has changed since the last run
    dry_run: bool = False
    model: bool = True  # use the configured model, if any


def parse_actions(only: str) -> tuple[str, ...]:
    """Parse a list of actions such as `a,b`; return them in the order in which they run.

    Raises UsageError for an unknown action.
    """
    names = {name.strip() for name in only.split(",") if name.strip()}
    if unknown := sorted(names - set(ACTIONS)):
        raise UsageError(f"unknown action {unknown[0]!a}", hint=f"choose from {', '.join(ACTIONS)}")
    return tuple(name for name in ACTIONS if name in names)
