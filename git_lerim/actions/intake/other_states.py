"""Decide which state a session has if no record of it belongs to this repository."""

from collections.abc import Collection

from git_lerim.sessions.entry import Entry, State
from git_lerim.sessions.scope import Verdict

# if the verdicts differ, the first one in this list counts
_OTHERWISE = (
    (
        Verdict.UNSCOPED,
        State.UNSCOPED,
        "its folder is gone, and nothing else identifies its repository",
    ),
    (Verdict.VETOED, State.UNSCOPED, "its recorded remote is not a remote of this repository"),
    (Verdict.OUTSIDE, State.OUTSIDE, "it ran outside any repository"),
    (Verdict.ELSEWHERE, State.ELSEWHERE, "it belongs to another repository"),
)
_STATES = frozenset(state for _, state, _ in _OTHERWISE)
_EMPTY = (State.EMPTY, "it has no messages")
_IGNORED = (State.EMPTY, "it is only about paths in lerim.ignorePath")


def state_without(
    verdicts: Collection[Verdict], known: Entry | None, *, is_empty: bool
) -> tuple[State, str]:
    """Return the state and its reason if no stored record belongs to this repository.

    `known` is the session's entry so far; with `is_empty`, no new record is of this repository.
    """
    if verdicts:
        return next((state, why) for verdict, state, why in _OTHERWISE if verdict in verdicts)
    if known and known.state in _STATES:
        return known.state, known.reason
    return _EMPTY if is_empty else _IGNORED
