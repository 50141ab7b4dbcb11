"""Recognize questions after a wish that do not call it into doubt, such as `Is that clear?`."""

from git_lerim.extraction.wishes.patterns import any_of

_FINE = r"(?:ok(?:ay)?|all ?right|fine|clear|understood|possible|doable)"
_YOU = r"(?: (?:with|for|to|by) you)?"
_UNDERSTOOD = any_of(
    rf"(?:is|would|will) (?:that|this|it) (?:be )?{_FINE}{_YOU}",
    r"(?:does|do|would|will) (?:that|this|it) (?:work for you|suit you|make sense(?: to you)?|"
    r"sound (?:good|fine|ok(?:ay)?|reasonable)(?: to you)?)",
    r"(?:makes? sense|sounds? (?:good|fine|ok(?:ay)?|reasonable)) ?(?:to you)?",
    rf"(?:ok(?:ay)?|all ?right|fine|clear|understood|got (?:it|that)|agreed|deal|please){_YOU}",
    r"(?:are we clear|any (?:questions|objections))",
    r"(?:can|could|will|would) you (?:please )?(?:do|remember|follow|respect|note|stick to|"
    r"keep to) (?:that|this|it)(?: please)?",
    r"passt das(?: so| für dich)?|(?:ist das |geht das )?(?:in ordnung|ok(?:ay)?|klar)|"
    r"einverstanden|verstanden|alles klar",
    r"(?:d['’]accord|compris|c['’]est (?:bon|clair|ok)|[çc]a te va|ok pour toi)",
    r"(?:vale|de acuerdo|está (?:bien|claro)|entendid[oa]|te parece(?: bien)?|tudo bem|"
    r"pode ser|combinado|está bem|va bene|d['’]accordo|(?:tutto )?chiaro|capito|ti va)",
    r"(?:is dat (?:goed|duidelijk|oké)|akkoord|oké|begrepen|duidelijk|dobrze|jasne|zgoda|"
    r"może być|хорошо|понятно|ясно|ладно|договорились)",
    r"(?:这样)?(?:可以|好|行|明白了?|懂了|清楚)吗|没问题吧|(?:いい|よろしい|大丈夫)ですか|"
    r"(?:わか|分か)りましたか",
)
# a request or question about something else
_ELSEWHERE = any_of(
    r"(?:please )?(?:can|could|will) you (?!(?:\w+ )*(?:check|confirm|verify|explain|agree|prove|"
    r"justify|tell)\b)|how (?:do|can|should) (?:i|we|you)\b|where (?:is|are|do|does|can)\b|"
    r"what(?:['’]s| is| are) (?:left|next)\b"
)
_POINTS_BACK = any_of(r"\b(?:that|this|these|those|it|its|them|so|whether|if|rule|else)\b")


def leaves_standing(question: str) -> bool:
    """Return whether a question casts no doubt on the wish that precedes it."""
    asked = question.strip(" ¿¡?？!")
    elsewhere = _ELSEWHERE.match(asked) and not _POINTS_BACK.search(asked)
    return bool(elsewhere or _UNDERSTOOD.fullmatch(asked))
