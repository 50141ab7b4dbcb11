"""Find what a title refuses, `tabs` in `Spaces, no tabs`, or wants after all: `Tabs after all`."""

import re
from functools import lru_cache
from typing import NamedTuple

from git_lerim.memories.memory import TITLE_LIMIT
from git_lerim.memories.similarity.replacement_phrases import INSTEAD

_LONGEST = 2 * TITLE_LIMIT
_THING = r"[^\s,;:.]+(?: [^\s,;:.]+)?"
_END = (
    r"(?=\s*(?:[,;:.]|\Z)|\s(?:in|on|for|at|with|within|because|since|as|when|if|from now|"
    r"verwenden|nutzen|benutzen|nehmen|weil|parce|porque|perché|omdat|bo|für|pour|para|per|"
    r"voor|dla|для)\b)"
)
_USE = (
    r"(?:us(?:e|ing|a|es|ar|are)|nutze|verwende|utilise[rz]?|gebruik|używaj|используй|ever use)\s"
)
_REFUSES = re.compile(
    rf"(?:\b(?:instead of|rather than|over|{INSTEAD})\s|"
    rf"(?:\A(?:please |bitte )?|,\s(?:and |und |we |wir )?)(?:"
    # a verb alone is no thing: `Never commit`
    rf"(?:never|don['’]?t|do not|avoid|nie|nunca|nooit|nigdy|никогда не)\s{_USE}|"
    r"(?:no|not|keine?n?|pas de|jamais de|geen)\s)|"
    r",\s(?:and |und )?(?:never|nie|nunca|mai|nooit|nigdy)\s)"
    rf"(?P<old>{_THING}?){_END}",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\s(?:in|on|for|at|when|if|within|für|bei|wenn|pour|dans|para|per|nel|voor|dla|для)"
    r"\s(?P<limit>[^,;:.]+)",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"(?:(?:on reflection|on second thoughts?|ok(?:ay)?|hm+|no|sorry|actually|then|so|well)[,:]? "
    r")+",
    re.IGNORECASE,
)
_REST = r"(?:[,;:.]\s.*|[.!]?\Z)"
_WANTS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        (
            r"(?:(?:use|go with|let['’]?s (?:use|go with)|we(?:['’]ll)? (?:use|take)|"
            r"(?:i|we)(?:['’]ve| have)? (?:moved|switched|gone|went)(?: over| back)? to) )?"
            rf"(?P<new>{_THING}?)(?: (?:in|for|on) [^,;:]+?)? after all{_REST}"
        ),
        (  # but not `go back to main`, which may be a branch
            r"(?:(?:let['’]?s|please|i|we(?:['’]?re|['’]ll| are)?) )?(?:(?:go|going|switch|"
            r"switching|move|moving|change|changing|migrate|migrating) back|revert) to "
            rf"(?!(?:main|master|trunk|develop|the|my|your|work)\b)(?P<new>{_THING}?)"
            rf"(?: after all| again)?{_REST}"
        ),
        (
            rf"(?:i|we)(?:['’]d| would) rather (?:have|use|go with|take) (?P<new>{_THING}?)"
            rf"(?: (?:in|for|on) [^,;:]+?)?(?: after all| again)?{_REST}"
        ),
        (
            r"(?:dann )?(?:doch (?:lieber|besser|wieder)|finalement(?: plutôt)?|mejor|al final|"
            r"(?:alla fine )?meglio|afinal|melhor|toch liever|jednak(?: lepiej)?|вс[её]-таки|"
            r"лучше),? (?:usa |use |utilise |gebruik )?(?P<new>[^\s,;:.]+)"
            rf"(?: (?:{INSTEAD}) [^\s,;:.]+)?{_REST}"
        ),
    )
)


class Wanted(NamedTuple):
    """What a title wants after all, and where: `tabs` in `lua` of `Tabs in lua after all`."""

    new: str
    limit: str


def refused(title: str) -> tuple[str, ...]:
    """Return what a title says no to: `tabs` in `Use spaces instead of tabs`."""
    found = _REFUSES.finditer(title) if len(title) <= _LONGEST else ()
    return tuple(each["old"] for each in found)


def limit(title: str) -> str:
    """Return what a title says about where or when it holds."""
    return " ".join(found["limit"] for found in _LIMIT.finditer(title))


@lru_cache(1 << 14)
def wanted_after_all(title: str) -> Wanted | None:
    """Return what a title wants after all, which was refused before, or None."""
    if len(title) > _LONGEST or title.endswith("?"):
        return None
    said = _OPENS.sub("", title, count=1) if _OPENS.match(title) else title
    found = next(filter(None, (form.fullmatch(said) for form in _WANTS)), None)
    return Wanted(found["new"], limit(said.split(" after all")[0])) if found else None
