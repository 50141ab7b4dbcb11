"""Find out what a person's words forbid or regret (`you should not have`), not order."""

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
# The same in other languages, where the negation can be anywhere in its clause. Spanish `no` is
# also an English word.
_NOT_ELSEWHERE = (
    r"(?:nicht|nie|niemals|keine?[mnrs]?|keinesfalls|ne|n[’'](?!t\b)\w+|jamais|não|nunca|jamás|"
    r"no\b(?=[^,;:—–.!?\n]{0,80} (?:el|los|las|que|del?|cada|antes|con|por|para|es[oa]|est[oa]|"
    r"lo)\b)|"
    r"non(?!-)|mai|niet|nooit|geen)\b"
)
_PROHIBITS_ELSEWHERE = re.compile(rf"\b{_NOT_ELSEWHERE}", re.IGNORECASE)
_REGRETS_ELSEWHERE = re.compile(
    r"\bhätte\w* (?:\w+ )?nicht\b|\bn[’']aurai\w+ (?:pas|jamais) dû\b|\bno (?:debería|debió|"
    r"tendría)\w* (?:que )?haber|\bnão (?:deveria|devia)\w* ter\b|\bnon (?:avr|sar)ebbe\w* dovut\w|"
    r"\bhad(?:den)? (?:\w+ )?niet\b",
    re.IGNORECASE,
)
REMINDS = re.compile(
    r"\b(?:do not|don[’']t|never) forget\b|^(?:please )?remember (?:this|that)(?=,)|"
    r"\bvergiss (?:\w+ )?nicht\b|"
    r"\bn(?:e l)?[’']oublie[zr]? pas\b|\bno (?:te |lo )?olvides\b|\bnão (?:se )?esqueça\b|"
    r"\bnon dimenticar(?:e|lo)\b|\bvergeet niet\b|\bnie zapomnij\b|\bне забудь\b|别忘|忘れないで",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"(?<=[,;:—–.!?\n])|\b(?=(?:und|et|y|e|en) {_NOT_ELSEWHERE})", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


def is_denial(sentence: str) -> bool:
    """Return whether a sentence forbids or regrets something."""
    return _PROHIBITS.search(sentence) is not None or denies_elsewhere(sentence)


def denies_elsewhere(clause: str) -> bool:
    """Return whether a clause forbids something in a language other than English."""
    return _PROHIBITS_ELSEWHERE.search(REMINDS.sub("", clause)) is not None


@lru_cache(maxsize=64)
def without_denied(said: str) -> str:
    """Return a person's words without what they forbid and without sentences of regret."""
    told = "\n".join(
        each
        for each in _SENTENCE.split(said)
        if not (_REGRETS.search(each) or _REGRETS_ELSEWHERE.search(each))
    )
    clauses = _CLAUSE.split(_PROHIBITS.sub(" ", told))
    return "".join(each for each in clauses if not denies_elsewhere(each))
