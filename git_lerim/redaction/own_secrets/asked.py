"""Find the secret with which a user answers a question: `What is the password?`."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.keywords import PASSWORD_WORDS, SECRET_WORDS
from git_lerim.redaction.secret_names import is_said

_PASSWORD = (
    rf"(?:pass(?:word|phrase|code)|passwd|pwd|pin|{'|'.join(map(re.escape, PASSWORD_WORDS))})"
)
# asks for the secret itself, not about the password policy or the type of a token
_ASKS = re.compile(
    rf"\b(?:(?P<password>{_PASSWORD})|secret|token|credential|(?:api|access|private|secret|"
    r"licen[sc]e|signing|encryption|deploy|account|admin|ssh) key|"
    rf"{'|'.join(map(re.escape, SECRET_WORDS))})s?\b"
    r"(?!\s(?!(?:for|of|to|in|on|at|from|should|shall|do|does|did|is|are|was|can|must|will|"
    r"that|which|I|we|you|für|von|zu|soll|ist|de|du|del|para|pour|per|est|es|è|devo|debo)\b)\w)"
    r"[^.?!\n]{0,120}[?？]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\s\"'`“”‘’«»]+")
_AROUND = ".,;:!?()[]{}<>"
_LONGEST = 2000  # characters of an answer; a longer one is no answer


def find_answers(question: str, answer: str) -> Iterator[Finding]:
    """Find in an answer the values of the secret that a question asks for."""
    if len(answer) > _LONGEST or not (asked := _ASKS.search(question)):
        return
    words = list(_WORD.finditer(answer))
    for word in words:
        start = word.start() + len(word[0]) - len(word[0].lstrip("([{<"))
        end = word.start() + len(word[0].rstrip(_AROUND))
        is_password = asked["password"] is not None or len(words) == 1
        if start < end and is_said(answer[start:end], word=is_password, quoted=False):
            yield Finding(start, end, "answer")
