"""Recognize by a sentence, or by the one after it, that an order was refused or only reported."""

import re

from git_lerim.extraction.transcript.heads import SAYS, SELF
from git_lerim.extraction.transcript.sources import ends_with_source
from git_lerim.extraction.wishes.patterns import any_of

CLAIMS = any_of(
    rf"\b(?:{SAYS}|wants?|wanted|believes?|claims?|insists?|"
    r"demands?|proposes?|proposed|asks|tells|möchte|behauptet|veut|quiere|quer|vuole|"
    r"wil|chce|хочет|steht|staat)\b|\b(?:will|wollen), dass\b",
    r"说|想要|と言|によると",
)
# what the user says that they say or want
OWN_CLAIM = any_of(
    rf"\b{SELF}(?:['’]\w+)?(?: (?:\w+ly|also|just|only|always|already|often|still|once|now|then|"
    rf"all|both|do|did|have|had|would|must|to))* (?:told you\b|asked you\b|{CLAIMS.pattern})",
    r"\b(?:möchte|sagte|schrieb|wil|zei|schreef) (?:ich|wir|ik|wij)\b",
)
SOURCE = r"(?:according to|laut|selon|d['’]après|según|segundo|secondo|volgens)"
# verbs as they stand in an order, too: `Always read it first`
_BARE = (
    r"(?:say|write|read|state|recommend|suggest|advise|require|print|want|believe|claim|insist|"
    r"demand|propose)\b"
)
_BARE_VERB = re.compile(rf"\b{_BARE}", re.IGNORECASE)
# a sentence that attributes itself (`The docs say …`), without a conclusion (`…, so …`)
RETELLS = re.compile(
    rf"\W*(?:(?:[^\W_][^\s,:]*\s+){{1,4}}?(?!{_BARE})(?:{CLAIMS.pattern})|{SOURCE}\b|"
    rf"(?:they|(?:the|these|those|some|our|my) (?:\w+ )?\w+s) {_BARE})"
    r"(?!.*[,;] (?:and )?(?:so|hence|therefore|thus|also|daher|deshalb|donc|alors|así que|por eso|"
    r"quindi|perciò|dus|então)\b)",
    re.IGNORECASE,
)
# how a clause begins that concludes an order from what somebody said: `…, so use tabs`
CONCLUDES = r"[,;] (?:and )?(?:so|hence|therefore|thus)\b(?! (?:that|far|what|i|why|does|is)\b)"
_CONCLUDES = any_of(CONCLUDES)
_NOUN = (
    r"(?:rules?|conventions?|polic(?:y|ies)|habits?|guidelines?|instructions?|prompts?|notes?|"
    r"lines?|sentences?|regeln?|anweisung\w*|règles?|consignes?|reglas?|regras?|regol[ae]|regels?)"
)
# how a clause before a colon says that a rule holds no more or elsewhere: `Old instructions: …`
_FORMER = any_of(
    rf"\b(?:had|hatten|avions|teníamos|tínhamos|avevamo|hadden) (?:\w+ ){{0,3}}{_NOUN}\W*\Z",
    r"\A\W*(?:(?:the|our|my|an?) )?(?:old|former|previous|earlier|deprecated|obsolete|outdated|"
    rf"abandoned|alte[nrs]?|frühere\w*|veraltet\w*)(?: {_NOUN})?\W*\Z",
)
# `I told him no`, `We refused`, `They are wrong`
_REFUSES = any_of(
    r"\b(?:i|we)(?:['’]ve| have| had)? (?:told|answered|said|replied)"
    r"(?: (?:to )?(?!you\b)\w+)?,? no(?=\W*(?:[,.;!]|\Z))",
    r"\b(?:i|we)(?:['’]ve| have| had)? (?:refused|declined|disagreed|"
    r"turned (?:it|that|this|him|her|them) down)\b",
    r"\b(?:he|she|they)(?: (?:is|was|are|were)|['’](?:s|re)) (?:wrong|mistaken)\b",
    r"\b(?:ich|wir) (?:hab\w*|sagte\w*) (?:\w+ )?nein\b|\bai (?:dit|répondu) (?:que )?non\b|"
    r"\b(?:dije|dijimos|disse|dissemos) (?:a \w+ )?(?:que )?(?:no|não)\b|"
    r"\bho detto (?:di )?no\b|\b(?:zei|zeiden) (?:\w+ )?nee\b",
)
# `Not here.`
_ELSEWHERE = any_of(
    r"\A\W*not (?:here|us|me|for (?:us|me)|in (?:this|our) (?:project|repo(?:sitory)?|team|"
    r"company|code ?base|one))\W*\Z",
    r"\A\W*(?:(?:hier|bei uns|hier bij ons|bij ons) (?:nicht|niet)|pas (?:ici|chez nous)|"
    r"(?:aquí|aqui|qui) (?:no|não)|(?:não|non) (?:aqui|qui)|(?:tutaj|u nas) nie|"
    r"nie (?:tutaj|u nas)|(?:здесь|у нас) нет|не (?:здесь|у нас))\W*\Z",
)
# `But they did not ask.`, after an order for the case that they do
_NOT_ASKED = any_of(
    r"\A\W*(?:but |yet |luckily,? |so far,? )?(?:(?:he|she|they) (?:did not|didn['’]?t|never|"
    r"ha(?:s|ve)(?: not|n['’]t)|do(?:es)?(?: not|n['’]t))|nobody|no one|none of them) "
    r"(?:ask|want|request|demand|require|insist|agree)\w*"
    r"(?: (?:for|it|that|this|us|me|so))*\W*\Z",
    r"\A\W*(?:aber|mais|pero|mas|ma|maar) (?!.*[,;:]).{0,30}\b(?:nicht|niemand|pas|personne|no|"
    r"nadie|não|ninguém|non|nessuno|niet|niemand)\b.{0,20}\b(?:gefragt|verlangt|gebeten|demandé|"
    r"pidi\w+|pedi\w+|chiest\w+|gevraagd)\b.{0,12}\Z",
)
_IN_CASE = any_of(
    r"\b(?:if|when|whenever|unless|in case|wenn|falls|sobald|si|quand|cuando|se|quando|als|"
    r"indien|wanneer)\b"
)
_MANY = r"(?:people|they|others|some|colleagues|who|the \w+s)"
_ONE = (
    r"(?:(?:every|some|any)(?:one|body)|he|she|it|who|(?:the|that|our|my) [\w.-]+|"
    r"(?-i:[A-Z])[\w.-]+)"
)
_THEY = r"(?:the|a|an|another|some|our|my) (?:\w+ ){1,2}(?:\w+)"
_OFTEN = r"(?:\w+ly |always )?"
# words within a sentence that ascribe the order in it: `people say always use tabs`
_RELAYS = any_of(
    rf"\A\W*{SOURCE} (?!(?:our|my)\b)(?!.*[,;] (?:and )?(?:so|hence|therefore|thus|also)\b)",
    rf"(?:\b(?:is|was|are|were)|\b['’]s) what (?!{SELF})[^,;:]{{1,40}}?\b"
    rf"(?:{SAYS}|wants?|wanted|asks|put|typed|pasted)\b",
    r", as (?:they|people|some(?:body|one)?|(?:the|my) \w+|he|she) (?:(?:always|often|like to) )?"
    r"(?:say|says|goes|put it)\W*\Z|, (?:wie (?:man|sie) (?:so )?sagt|comme on dit|"
    r"como (?:se|dicen|dice)(?: dice)?|come si dice|zoals (?:ze|men) zegt)\W*\Z",
    rf"\b(?:{_MANY} {_OFTEN}(?:say|tell|claim|insist|reckon|think)|"
    rf"{_ONE} {_OFTEN}(?:says|tells|claims|insists|reckons|thinks|believes|argues|swears)|"
    rf"(?:{_MANY}|{_ONE}|{_THEY}) (?:said|told|claimed|insisted|reckoned|proposed|suggested|argued|"
    r"(?:keeps?|kept) (?:saying|telling|claiming|insisting)))(?: (?:me|us|you|them))?"
    r"(?: (?:in|at|on|during) (?:the |our |a )?[\w-]+)?(?: that| to)?"
    r"(?: (?:we|you|one|i)(?: (?:should|must|have to))?)? (?:always|never|from now on)\b"
    r"(?!\W*(?:[,.:;]|\Z))",
    rf"\b(?:{_ONE}['’]s|{_THEY}['’]s|their|his|her) (?:\w+ )?"
    r"(?:position|view|opinion|stance|take|mantra|philosophy|proposal|suggestion|advice|idea) "
    r"(?:is|was)\b",
    r"\b(?:leute|alle|sie|jemand|er|(?:der|die|das) \w+) (?:sagen|sagt|sagte|meint|meinen),? "
    r"(?:dass )?(?:man |wir )?(?:immer|nie|niemals|ab jetzt)\b",
    r"\b(?:gens|ils?|elles?|on|quelqu['’]un) (?:dit|disent|disait) (?:de |d['’]|qu['’]il faut )?"
    r"(?:ne )?(?:toujours|jamais)\b|\b(?:gente|alguien|ellos|él|ella) (?:dice|dicen|diga) "
    r"(?:que )?(?:siempre|nunca)\b",
)


_IN_PERSON = re.compile(r"\W*(?:i|ich|je|j['’]ai|yo|io|ik|eu|ja|я)\b", re.IGNORECASE)


def was_elsewhere(lead: str) -> bool:
    """Return whether a clause before a colon says that what follows holds no more, or elsewhere."""
    return _FORMER.search(lead) is not None


def refuses(sentence: str, before: str) -> bool:
    """Return whether a sentence says that the order `before` it was refused or does not apply.

    Who does not say that they refused it themselves refuses only what `before` ascribes to others
    or gives for a case; without that, they say where else their own order holds, or speak of
    something else.
    """
    if _NOT_ASKED.search(sentence):
        return _IN_CASE.search(before) is not None
    if _REFUSES.search(sentence) and _IN_PERSON.match(sentence):
        return True
    refused = _REFUSES.search(sentence) or _ELSEWHERE.search(sentence)
    return bool(refused) and _tells(before)


def claims(said: str) -> bool:
    """Return whether words tell what somebody other than the user says or wants."""
    return CLAIMS.search(OWN_CLAIM.sub("", said)) is not None


def _tells(said: str) -> bool:
    """Return whether words tell an order of others; verbs in an order are no claims."""
    return bool(RETELLS.match(said)) or relays(said) or claims(_BARE_VERB.sub("", said))


def relays(sentence: str) -> bool:
    """Return whether a sentence reports an order of somebody else, and draws no conclusion from it.

    The user's own claims are removed.
    """
    told = _RELAYS.search(sentence)
    concludes = told is not None and _CONCLUDES.search(sentence, told.end())
    return (told is not None and not concludes) or ends_with_source(sentence)
