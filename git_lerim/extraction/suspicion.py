"""Decide whether a finding is suspect; see `memories/checks/prompt_injection.py`."""

from collections.abc import Callable, Iterable

from git_lerim.memories.checks import prompt_injection
from git_lerim.sessions.session import Record, Role

# What a person typed or chose; a plan is the agent's text.
HUMAN = {
    Role.PROMPT,
    Role.ANSWER,
    Role.REJECTION,
}


def suspicion(
    text: str, evidence: Iterable[Record], runs: Callable[[str], bool] | None = None
) -> str | None:
    """Return why agents must not see a text that is based on these records, or None.

    Without records the speaker is unknown. `runs` returns whether a command is known here.
    """
    records = list(evidence)
    heard = "\n".join(map(_heard, records)) if records else None
    if reason := prompt_injection.suspicion(text, heard=heard, runs=runs):
        return reason
    roles = {record.role for record in records}
    return "rests on a tool's output alone" if roles and roles <= {Role.RESULT} else None


def _heard(record: Record) -> str:
    """Return what a record has of a person: their words, and a question that they answered."""
    return f"{record.question or ''}\n{record.text}" if record.role in HUMAN else ""
