"""Find what a sentence gives up of what was wanted earlier: `tabs` in `Don't use tabs anymore`.

Unlike a revocation, such a sentence does not speak of earlier words, and may as well be about the
work at hand. So it counts only beside a memory that says what it gives up.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from git_lerim.memories.memory import TITLE_LIMIT
from git_lerim.memories.similarity.change_forms import COMPILED, TOO_MUCH, Way
from git_lerim.memories.similarity.foreign_change_forms import INFLECTED
from git_lerim.memories.similarity.replacement_phrases import HENCEFORTH
from git_lerim.memories.similarity.revocation_phrases import is_for_now, looks_like_one


class ChangeOfMind(NamedTuple):
    """What a sentence gives up, and what it says without the words that open it."""

    way: Way
    subject: str
    said: str
    version: str = ""  # the new one, if RENEWED
    slot: str = ""  # the word before the new value, if RATHER: `in`
    inflects: bool = False  # whether its language inflects: `fragen` may take back `frag`

    @property
    def complete(self) -> bool:
        """Return whether it says all that is wanted instead, of a thing that is not just one."""
        says_it = self.way is Way.RATHER or _NEW_CHOICE.search(self.said)
        lasts = _LASTS.search(self.said) or _PLURAL.match(self.subject)
        return bool(says_it and lasts)


_NEW_CHOICE = re.compile(
    r"\bafter all[,;:] |(?:up on|done with) .*[,;:] .*\bfrom (?:now|here) on\b", re.IGNORECASE
)
_LASTS = re.compile(r"\bfrom (?:now|here) on\b|\bagain\b", re.IGNORECASE)
# several things, not the one at hand: `Commit messages`, `2 spaces in lua`
_PLURAL = re.compile(
    r"(?!(?:the|this|that|these|those|my|your|an?|d(?:ie|er|as))\b)(?:[\w-]+ )?[\w-]+[^s\W]s\b",
    re.IGNORECASE,
)
_LONGEST = 2 * TITLE_LIMIT
_OPENS = re.compile(
    r"(?:(?:(?:please|ok(?:ay)?|hm+|sorry|actually|now|oh|well|so|and|but|also|btw|fyi|hey|bitte|"
    r"ach|finalement|bon|bueno|allora|dus)[,:]?|no[,:]) )+",
    re.IGNORECASE,
)
# asks for a first step: `, can you start with the cart?`
_ASKS = re.compile(
    r", (?:(?:and|so) )?(?:can|could|would|will) you [^,;:?]*[?]\s*\Z", re.IGNORECASE
)
# one of these words is in each form
_MAY_BE_ONE = re.compile(
    r"again|any ?(?:more|longer)|no (?:longer|more)|dropped|removed|ditched|abandoned|retired|"
    r"up on |done with |g[eo]t rid|(?:mov|switch|migrat|chang|upgrad|updat)ed|feel free|scratch|"
    r"we(?:['’]?re| are) (?:now |all )?on|from (?:now|here) on|lifted|\blose\b|overkill|"
    r"stop|scrap|ditch|drop|forget|\bnow\b|gone|history|dead|\blet['’]?s\b|after all|wieder|"
    r"(?:is|was) (?:over|off)\b|instead(?! of)| back (?:to|on)\b| too |"
    r"[,;:] (?:so |please )?(?:switch|move|migrate|change|go)\b|"
    r"nouveau|c['’]est fini|otra vez|de nuevo|di nuovo|de novo|\bweer\b|\bmehr\b|\bplus\b|\bvire|"
    r"abandonn|laisse tomb|arrête|ya no|\bmais\b|più|\bmeer\b|\bjuż\b|больше не|\bdoch\b|"
    rf"{HENCEFORTH}|pass(?:és?|ati|amos)|pas(?:ado|amos)|migr|mudamos|"
    r"cambiado|umgestiegen|gewechselt|umgezogen|overgestapt|przeszliśmy|перешли|"
    r"finalement|on passe|al final|plutôt|"
    r"\bmejor\b|afinal|melhor|meglio|alla fine|toch liever|jednak|-таки|лучше",
)


@lru_cache(1 << 14)
def change_of_mind(sentence: str) -> ChangeOfMind | None:
    """Return what a sentence gives up for good, or None."""
    if len(sentence) > _LONGEST or not _MAY_BE_ONE.search(sentence.lower()):
        return None
    said = _OPENS.sub("", sentence, count=1) if _OPENS.match(sentence) else sentence
    said = _ASKS.sub("", said)
    if said.rstrip().endswith(("?", "？")) or looks_like_one(said):
        return None
    if is_for_now(said):
        return None
    for way, form in (*COMPILED, *INFLECTED):
        if found := form.match(said):
            parts = found.groupdict()
            named = (parts.get(name) or "" for name in ("what", "where", "last"))
            subject = " ".join(" ".join(named).split())
            version = parts.get("version") or parts.get("number") or ""
            inflects = (way, form) in INFLECTED
            return ChangeOfMind(way, subject, said, version, parts.get("slot") or "", inflects)
    return None


def needs_both(sentence: str, following: str) -> bool:
    """Return whether only two sentences together give something up: `A is too slow. Let's …`."""
    both = change_of_mind(f"{sentence} {following}")
    return bool(both and TOO_MUCH.match(both.said) and not change_of_mind(sentence))
