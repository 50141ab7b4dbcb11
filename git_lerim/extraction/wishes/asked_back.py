"""Recognize questions after a wish that do not call it into doubt, such as `Is that clear?`."""

from git_lerim.extraction.transcript.heads import SAYS
from git_lerim.extraction.transcript.words import terms
from git_lerim.extraction.wishes.patterns import any_of

_LONG = 8  # words; a longer question goes on to something else
_SHORT = 2  # words; so short a question says nothing without the sentence before it: `Why uv?`

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
# `How often do I have to say that?`
_IMPATIENT = any_of(r"how (?:often|many (?:more )?times) (?:do|must|should|have) (?:i|we)\b")
# a request to carry out the wish
_CARRIED_OUT = any_of(
    r"(?:(?:and|so|then|ok(?:ay)?|now),? )*(?:please )?(?:can|could|will|would) you (?:\w+ ){0,2}?"
    r"(?:change|fix|apply|update|adapt|adjust|correct|convert|replace|rewrite|migrate|implement|"
    r"clean|refactor|add|rename|do) (?:that|this|it|them|those|these)\b(?!.*\b(?:back|not|whether|"
    r"if)\b)",
    r"(?:kannst|könntest) du (?:das|es|sie) (?:\w+ ){0,5}(?:ändern|anpassen|umstellen|korrigieren|"
    r"beheben|umsetzen|machen)",
    r"(?:peux|pourrais)-tu (?:le|la|les|l['’])? ?(?:changer|corriger|adapter|appliquer|faire)\b",
    r"(?:puedes|podrías) (?:cambiar|corregir|adaptar|aplicar|hacer)l[oa]s?\b",
)
# a request or question about something else
_ELSEWHERE = any_of(
    r"(?:please )?(?:can|could|will) you (?!(?:\w+ )*(?:check|confirm|verify|explain|agree|prove|"
    r"justify|tell)\b)|how (?:do|can|should) (?:i|we|you)\b|where (?:is|are|do|does|can)\b|"
    r"what(?:['’]s| is| are) (?:left|next)\b"
)
# a request in another language to do something else
_REQUESTS = any_of(
    r"(?:kannst|könntest) du (?!(?:\w+ ){0,2}(?:das|es|dies\w*|ob|mir)\b)"
    r"(?!.*\b(?:prüf\w*|bestätig\w*|erklär\w*|sagen|begründ\w*)\b)",
    r"(?:peux|pourrais)-tu (?!(?:me |m['’])?(?:l[ea]s?\b|l['’]|dire|confirmer|vérifier|expliquer|"
    r"justifier)\b)",
    r"(?:puedes|podrías) (?!(?:me )?(?:comprob|confirm|verific|revis|explic|justific|decir)\w*)"
    r"(?!\w+l[oae]s?\b)",
    r"(?:puoi|potresti) (?!(?:controll|conferm|verific|spieg|giustific|dir)\w*)(?!\w+l[oaie]\b)",
    r"(?:você )?(?:pode|poderia) (?!(?:me )?(?:confer|confirm|verific|explic|justific|dizer)\w*)"
    r"(?!ser\b)",
    r"kun je (?!(?:\w+ ){0,2}(?:dat|het|dit|of)\b)(?!.*\b(?:bevestig\w*|controler\w*|uitleg\w*)\b)",
    r"(?!.*(?:確認|それ|これ|説明|教え)).*[てで](?:もらえますか|くれますか|いただけますか|もらえる|くれる)$",
)
# why a named thing behaves as it does
_OF_A_THING = any_of(
    r"(?:(?:and|but|so|also) )*(?:why|how|where|when) (?:do(?:es)?|did|is|are|can) (?:the|our|my) "
    rf"(?!.*\b(?:{SAYS})\b)\w+ \w+"
)
_POINTS_BACK = any_of(
    r"\b(?:that|this|these|those|it|its|them|whether|if|rule|else|"
    r"(?:do|does|think|say|says|if|is|be|why|how) so|so(?=\W*\Z))\b"
)
# how a question weighs the sentence before it, in words that may not point to it
_WEIGHS = any_of(
    r"^(?:or|but|what about|how about|why not|isn['’]t|aren['’]t|wouldn['’]t|shouldn['’]t|should|"
    r"oder|aber|warum nicht|was ist mit|ou|mais|pourquoi pas|et|o|pero|por qué no|y)\b",
    r"\b(?:think(?! (?:about|of) (?:the|my|our|your|an?) )|"
    r"agree|disagree|better|alternatives?|opinion|objections?|right|wrong|sensible|"
    r"necessary|overkill|sure|exceptions?|denkst|meinst|hältst|besser|richtig|falsch|sinnvoll|"
    r"nötig|sicher|why$|dafür|dagegen|daran|davon|penses|mieux|raison|vrai|"
    r"crees|opinas|mejor|cierto|vérifi\w+|confirm\w+|verific\w+|prüfen)\b",
    r"\b(?:das|dies|ça|cela|eso|esto|isso|isto|questo|dat|dit|to|это|так)\b",
)


def leaves_standing(question: str) -> bool:
    """Return whether a question casts no doubt on the wish that precedes it."""
    asked = question.strip(" ¿¡?？!")
    elsewhere = _ELSEWHERE.match(asked) and not _POINTS_BACK.search(asked)
    return bool(
        elsewhere
        or _REQUESTS.match(asked)
        or _OF_A_THING.match(asked)
        or _IMPATIENT.match(asked)
        or _CARRIED_OUT.match(asked)
        or _UNDERSTOOD.fullmatch(asked)
    )


def casts_doubt(question: str, wish: str) -> bool:
    """Return whether a question after a wish may call it into doubt.

    It does not if it is about something else: it neither refers to the wish nor weighs it.
    """
    asked = question.strip(" ¿¡?？!")
    if len(asked.split()) > _LONG or leaves_standing(question):
        return False
    return bool(
        len(asked.split()) <= _SHORT
        or _POINTS_BACK.search(asked)
        or _WEIGHS.search(asked)
        or set(terms(asked)) & set(terms(wish))
    )
