"""Find out what a person's words forbid or regret, and so do not order."""

import re
from functools import lru_cache

_NOT = (
    r"(?:never|do not|don[’']t|(?:must|should|may|could)(?: not|n[’']t)|can(?:not|[’']t)|nobody|"
    r"no one)\b(?! (?:forget|hesitate|fail))"
)
_PROHIBITS = re.compile(rf"\b{_NOT}[^,;:—–.!?\n]*", re.IGNORECASE)
_REGRETS = re.compile(
    r"\b(?:must|should|could|ought)(?: not|n[’']t)(?: \w+)? have\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


def is_denial(sentence: str) -> bool:
    """Return whether a sentence forbids or regrets something."""
    return _PROHIBITS.search(sentence) is not None


@lru_cache(maxsize=64)
def without_denied(said: str) -> str:
    """Return a person's words without the sentences that regret, and the clauses that forbid."""
    told = [each for each in _SENTENCE.split(said) if not _REGRETS.search(each)]
    return _PROHIBITS.sub(" ", "\n".join(told))
