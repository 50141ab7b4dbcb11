"""Find the secret with which a user answers a question: `What is the password?`."""

import re
from collections.abc import Iterator

from git_lerim.redaction.chosen import is_chosen, is_word_with_digits
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.keywords import PASSWORD_WORDS, SECRET_WORDS
from git_lerim.redaction.secret_names import is_beside, is_said
from git_lerim.redaction.value_shape import is_made, is_mixed

_PASSWORD = (
    rf"(?:pass(?:word|phrase|code)|passwd|pwd|pin|{'|'.join(map(re.escape, PASSWORD_WORDS))})"
)
# the secret itself, not the password policy or the type of a token
_WANTED = (
    rf"\b(?:{_PASSWORD}|secret|token|credential|(?:api|access|private|secret|"
    r"licen[sc]e|signing|encryption|deploy|account|admin|ssh) key|"
    rf"{'|'.join(map(re.escape, SECRET_WORDS))})s?\b"
    r"(?!\s(?!(?:for|of|to|in|on|at|from|should|shall|do|does|did|is|are|was|can|must|will|"
    r"that|which|I|we|you|für|von|zu|soll|ist|de|du|del|para|pour|per|est|es|è|devo|debo)\b)\w)"
)
_ASKS = re.compile(rf"{_WANTED}[^.?!\n]{{0,120}}[?？]", re.IGNORECASE)
# "I need the password.", "Please send me the token"
_NEEDS = re.compile(
    r"\b(?:(?:I|we)(?:['’]ll)?(?:\s(?:still|also|just|now|do|will|would)){0,2}\s"
    r"(?:need|require|lack|don['’]t\shave|do\snot\shave)"
    r"(?!\sto\s(?!know|have|get))|(?:I['’]m|I\sam|we['’]re)\smissing|"
    r"(?:give|send|tell|paste|provide|share|enter|type)\s(?:me|us|in|here|the|your|its)|"
    r"ich\s(?:brauche|benötige)|j['’]ai\sbesoin|necesito|preciso|mi\sserve|ik\sheb|"
    r"potrzebuję|мне\sнужен)\b"
    rf"[^.?!\n]{{0,60}}?{_WANTED}[^.?!\n]{{0,80}}(?:[.!]|\s*\n|\s*\Z)|"
    rf"{_WANTED}\sis\s(?:missing|needed)\b",
    re.IGNORECASE,
)
# asks what was done or shall be done, not for the secret
_WHETHER = re.compile(
    r"(?:did|does|is|are|was|were|should|shall|has|would|will|may|ist|hast|soll)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.?!:\n]\s*")
_WORD = re.compile(r"[^\s\"'`“”‘’«»]+")
_AROUND = ".,;:!?()[]{}<>"
_REACH = 200  # characters of a sentence before the word for a secret
_LONGEST = 2000  # characters of an answer; a longer one is no answer


def find_answers(question: str, answer: str) -> Iterator[Finding]:
    """Find in an answer the values of the secret that a question asks for."""
    if len(answer) > _LONGEST or not _asks(question):
        return
    words = list(_WORD.finditer(answer))
    for word in words:
        start = word.start() + len(word[0]) - len(word[0].lstrip("([{<"))
        end = word.start() + len(word[0].rstrip(_AROUND))
        value = answer[start:end]
        if is_said(value, word=True, quoted=False) if len(words) == 1 else _is_beside(value):
            yield Finding(start, end, "answer")


def _asks(question: str) -> bool:
    """Return whether a question, or a sentence that says what is needed, asks for a secret."""
    for asked in _ASKS.finditer(question):
        before = question[max(0, asked.start() - _REACH) : asked.start()]
        if not _WHETHER.match(_SENTENCE_END.split(before)[-1]):
            return True
    return bool(_NEEDS.search(question))


def _is_beside(value: str) -> bool:
    """Return whether a word of a longer answer is a secret."""
    return is_made(value) or (
        "/" not in value
        and (is_beside(value) or is_mixed(value) or is_chosen(value) or is_word_with_digits(value))
    )
