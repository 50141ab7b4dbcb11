"""Recognize sentences that deny something, but only as the reason for the wish before them."""

from git_lerim.extraction.wishes.patterns import any_of

# `never` and its like make a prohibition, whose reason speaks against what it forbids
_FORBIDS = any_of(r"\b(?:never|don['’]t|do not|stop|avoid|no|not)\b")
_DEMANDS = any_of(r"\balways\b")
# what is said of a rule or a statement, not of a thing
_OF_RULES = any_of(
    r"\b(?:(?:un)?true|right|(?:in)?correct|(?<!was )wrong|false|nonsense|mistaken|outdated|"
    r"obsolete|opposite|(?:dis)?agree|ignor\w+|reject|refuse|think|believe|accept|appl(?:y|ies)|"
    r"holds?|counts?|follow|(?:not|for) us|ours|mine|sentences?|rules?|advice|claims?|"
    r"statements?|instructions?|conventions?)\b|\bso\W*\Z"
)
# `Postgres does not need it, but Oracle does.`
_CONCEDES = any_of(r"\A\W*(?:(?:i|we) know\b|(?!(?:i|we)\b)\w)[^,;]*, but (?!not?\b|never\b)")
# `They fail without it.`, `It is not slow.`, but not `It is not how we work.`
_OF_THINGS = any_of(
    r"\bwithout (?:it|them|that)\b",
    r"\A\W*(?:it|they)(?:(?: (?:is|was|are|were)|['’](?:s|re)) (?:not|no longer)|"
    r" (?:is|was|are|were)n['’]t) "
    r"(?!(?:so|what|how|why|our|my|the|an?|any|for|here|necessary|needed|wanted|required|allowed|"
    r"valid|good|worth|sensible|meant)\b)",
)


def gives_reason(sentence: str, wish: str) -> bool:
    """Return whether a sentence that denies something may be the reason for the wish before it."""
    if _OF_RULES.search(sentence):
        return False
    forbids = _FORBIDS.search(wish) and not _DEMANDS.search(wish)
    return bool(forbids or _OF_THINGS.search(sentence) or _CONCEDES.match(sentence))
