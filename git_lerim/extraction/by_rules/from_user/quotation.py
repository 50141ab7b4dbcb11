"""Choose which sentences of a message a memory quotes beside its own, and leave out the others.

Beside the sentence itself these are the ones after it that give its reason, an example, an
exception or more of the same, and the one before it that it cannot be understood without.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from git_lerim.extraction.by_rules.from_user.message import Message
from git_lerim.extraction.by_rules.from_user.objections import OBJECTS
from git_lerim.extraction.by_rules.sentences.imperatives import VERB, is_order, without_lead
from git_lerim.extraction.by_rules.sentences.instead import is_done_once
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE
from git_lerim.extraction.by_rules.sentences.reasons import with_reason
from git_lerim.extraction.by_rules.sentences.statements import fits_quote, leans
from git_lerim.extraction.by_rules.sentences.subjects import with_subject
from git_lerim.extraction.transcript.text import finished
from git_lerim.extraction.transcript.words import identifiers, terms
from git_lerim.extraction.wishes.says import Wish
from git_lerim.memories import quotes

_COLON = (":", "：")
_INSTEAD = re.compile(r"^instead\b(?! of)|\binstead(?=[.!]?$|,)|^stattdessen\b", re.IGNORECASE)
# how a sentence begins that excepts something from the one before it
UNLESS = re.compile(
    r"(?:except|unless|apart from|other than|außer|es sei denn|sauf|à moins|excepto|salvo|a menos|"
    r"tranne|eccetto|a meno|exceto|a não ser|behalve|tenzij|chyba że|oprócz|кроме)\b|除了",
    re.IGNORECASE,
)
# how a sentence begins that limits the one before it, or takes it back
_LIMITS = re.compile(
    r"(?:but|exceptions?|only(?= (?:if|when|where|for|in|on|after|before|with)\b)|however|although|"
    r"though|not(?! sure\b)|aber|ausgenommen|ausnahmen?|nur(?= (?:wenn|für|in|bei)\b)|mais|pero|"
    r"ma|mas|maar|ale|но|если только|hm+|actually|wait|never ?mind|scratch that|forget (?:it|that|"
    rf"what)|on second thought)\b|但|{UNLESS.pattern}",
    re.IGNORECASE,
)
# how a sentence begins that does so also in a paragraph of its own
_BEYOND = re.compile(
    r"(?:but(?! (?:first|now)\b)|exceptions?|however|because|(?:the )?reason|aber|ausnahmen?|mais|"
    rf"pero|ma|mas|maar)\b|{UNLESS.pattern}",
    re.IGNORECASE,
)
_ALLOWS = re.compile(
    r"\b(?:exempt(?:ed)?|exceptions?|excluded|allowed|(?:is|are|it[’']s|that[’']s) (?:fine|ok|"
    r"okay))\b|\bthough[.!]*$",
    re.IGNORECASE,
)
# how a sentence begins that goes on from the one before it
_GOES_ON = re.compile(
    r"(?:its?|it[’']s|that(?:[’']s|[’']ll)?|this(?! (?:time|one|pr|commit|branch|change)\b)|these|"
    r"those|they(?:[’']re|[’']ll)?|them|which|such|both|neither|nor|else|or|otherwise|because|"
    r"cause|cos|bc|since|as (?:it|they|we|you)|so that|the (?:reason|idea|risk|point)|reason|why|"
    r"e\.?g|i\.?e|for (?:example|instance|the rest)|meaning|should|must|if (?:not|so|in doubt|"
    r"unsure|you (?:really |still |do )*(?:need|must|have))|(?:if|once|when) \w+ed|do the same|"
    r"we (?:already |always |also )?(?:do|use|have|handle) (?:it|that|this|the same) (?:(?:this|"
    r"that|the same) way )?(?:everywhere|(?:in|for|with|across) (?:all|every|each|our|the other))|"
    r"especially|particularly|including|even|das|dies\w*|es|sie|weil|denn|sonst|besonders|"
    r"vor allem|surtout|ansonsten|andernfalls|damit|zum beispiel|ça|c[’']est|cela|elles?|ils?|"
    r"parce que|car|sinon|par exemple|porque|si no|es[oa]s?|est[oa]s?|por ejemplo|perché|"
    r"altrimenti|quest[oaie]|quell[oaie]|ad esempio|isso|isto|senão|por exemplo|omdat|want|anders|"
    r"dat|dit|bijvoorbeeld|bo|ponieważ|inaczej|потому что|иначе|это)\b|因为|否则|这",
    re.IGNORECASE,
)
_ALSO = re.compile(r"(?:so|and)\b,? (?:please )?", re.IGNORECASE)
# how a sentence begins that turns to another matter, or to the work at hand
_TURNS_AWAY = re.compile(
    r"(?:also|and|so|now|then|next|first|second(?:ly)?|third|finally|please|pls|thanks?|btw|"
    r"you(?! (?:keep|always|never|will|are|don[’']?t|can(?:no|[’'])?t)\b)|i(?:[’']ll| will|[’']m "
    r"going|[’']d like| think| guess| suspect| believe| assume| (?:want|need) (?:an?|the|some|"
    r"you))|let me|let[’']s|when|if)\b|.*\bwould be (?:nice|great|good|cool|helpful)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|am|be|has|have|had|do|does|did|can|cannot|could|will|would|must|should|"
    r"may|might|\w+n[’']t|cant|dont|doesnt|wont|need|needs|keep|keeps|got|lost|broke|took|[a-z]{3,}"
    r"(?:ed|es)|\w+[’'](?:ll|re|ve|m)|(?:it|we|i|they) \w+)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[_/]|\w\.\w|[a-z][A-Z]|\(\)")
_SPAN = re.compile(r"`[^`]+`")
# a few words that rule out or insist, without a verb: `Never floats`, `No console logs!`
_RULES_OUT = (
    r"(?:no|not|never|always|only|kein\w*|nie|niemals|immer|nur|jamais|toujours|pas|nunca|siempre|"
    r"mai|sempre|nooit|altijd|geen|nigdy|zawsze|никогда|всегда)"
)
_PAIR = re.compile(rf"{_RULES_OUT} (?!{VERB}\b)[\w.-]+[.!]*", re.IGNORECASE)
_FEW = re.compile(rf"(?:{_RULES_OUT}(?: [\w.-]+){{1,3}}|every time|ever)[.!]*", re.IGNORECASE)
# where or when an order holds: `In the importer:`, `Rules for the tests:`
_SCOPE = re.compile(
    r"(?:in|for|on|within|inside|under|when(?:ever)?|while|during|im|für|bei|beim|dans|pour|en|"
    r"para|nel(?:la)?|per|voor|bij|(?:[\w-]+ )?(?:rules?|conventions?|guidelines?) "
    r"(?:for|in|of))\b",
    re.IGNORECASE,
)
_LONG = 90  # characters; what is longer gives the scope only of what its first clause names
_NEAR = 20  # sentences of which some may belong to the one before them
# a feeling about something, which the next sentence makes a rule: `I hate mocks.`
_FEELS = re.compile(
    r"i (?:really |just |absolutely |do )*(?:hate|dislike|love|detest|despise|can[’']?t stand|"
    r"don[’']?t like) [^,;:()]{2,40}",
    re.IGNORECASE,
)


def quotation(message: Message, place: int) -> str:
    """Return a sentence of a message with those that belong to it; `…` stands for those left out.

    If they are too many for a quote, the last of those that only explain are left out, too.
    """
    kept = [*_before(message, place), place, *_after(message, place)]
    spare = [one for one in kept if one != place and not _limits(message.sentences[one])]
    while spare and len(_joined(message, kept)) > quotes.LIMIT:
        kept.remove(spare.pop())
    return _joined(message, kept)


def is_part(message: Message, place: int) -> bool:
    """Return whether a sentence says something only with its neighbour: `Never floats`."""
    said = message.sentences[place]
    return bool(_PAIR.fullmatch(said) or (UNLESS.match(said) and "," not in said))


def is_rule_of_feeling(message: Message, place: int) -> bool:
    """Return whether a sentence says what to do about what the user hates or loves before it."""
    if not 0 < place < len(message.sentences):
        return False
    said = message.sentences[place]
    return (
        message.paragraphs[place] == message.paragraphs[place - 1]
        and _FEELS.fullmatch(message.sentences[place - 1]) is not None
        and (bool(message.wishes[place]) or is_order(said, done=True))
        and not CHORE.match(said)
        and not is_one_off(said, said)
        and not is_done_once(said, message.wishes[place])
    )


def _joined(message: Message, places: Sequence[int]) -> str:
    text = ""
    for before, place in zip([places[0] - 1, *places], places, strict=False):
        sentence = message.sentences[place]
        told = sentence if sentence.endswith(_COLON) else finished(sentence)
        text += ("" if not text else " " if place == before + 1 else " … ") + told
    return text


def _before(message: Message, place: int) -> list[int]:
    """Return the place of the sentence that one cannot be understood without, or of its scope."""
    first = place == 0 or message.paragraphs[place] != message.paragraphs[place - 1]
    if first and message.listed[place]:
        return [lead for lead in _lead(message, place) if _is_scope(message, lead)]
    said = message.sentences[place]
    if place == 0 or not _quotable(message.sentences[place - 1]):
        return []
    if first:
        above = message.sentences[place - 1].endswith(_COLON) and _is_scope(message, place - 1)
        return [place - 1] * above
    return [place - 1] * (_needs(message, place) or _is_scope(message, place - 1, said))


def _needs(message: Message, place: int) -> bool:
    """Return whether a sentence needs the one before it, or was said in one breath with it."""
    said, before = message.sentences[place], message.sentences[place - 1]
    return bool(
        message.taken_back[place - 1]
        or _INSTEAD.search(said)
        or leans(without_lead(said))
        or is_part(message, place)
        or is_rule_of_feeling(message, place)
        or with_subject(said, before)
        or (_FEW.fullmatch(before) and message.wishes[place - 1] < Wish.RULE)
        or OBJECTS.fullmatch(before)
    )


def _is_scope(message: Message, place: int, of: str = "") -> bool:
    """Return whether a sentence says where or when another one (`of`) holds."""
    said = message.sentences[place]
    return (
        (len(said) <= _LONG or bool({*terms(said.partition(",")[0])} & {*terms(of)}))
        and bool(_SCOPE.match(said))
        and message.wishes[place] < Wish.RULE
        and not is_order(said.partition(", ")[2], done=True)
        and not CHORE.match(said.partition(", ")[2])
        and not is_one_off(said, said)
    )


def _lead(message: Message, place: int) -> list[int]:
    """Return a list with the place of the line above the list that a sentence is in, if any."""
    above = next((one for one in reversed(range(place)) if not message.listed[one]), None)
    is_lead = above is not None and message.sentences[above].endswith(_COLON)
    return [above] if above is not None and is_lead else []


def _after(message: Message, place: int) -> list[int]:
    """Return the places of the sentences that belong to the one before them, at `place`."""
    found = _in_paragraph(message, place)
    last = [place, *found][-1]
    if message.sentences[last].endswith(_COLON):
        below = range(last + 1, len(message.sentences))[:_NEAR]
        found += takewhile(lambda each: message.listed[each], below)
    return found + _beyond(message, place, [place, *found][-1])


def _in_paragraph(message: Message, place: int) -> list[int]:
    found: list[int] = []
    for each in range(place + 1, len(message.sentences))[:_NEAR]:
        said = message.sentences[each]
        if message.paragraphs[each] != message.paragraphs[place] or not _quotable(said):
            break
        is_next = each - 1 == [place, *found][-1]
        if _LIMITS.match(said) or (is_next and _follows(message, place, each)):
            found.append(each)
        elif _is_own(message, each):
            break
    return found


def _beyond(message: Message, place: int, last: int) -> list[int]:
    """Return a list with the place of an exception or reason in a later paragraph, if any.

    It is directly behind `last`, or behind the list that the sentence at `place` is in.
    """
    for each in range(last + 1, len(message.sentences))[:_NEAR]:
        said, follows = (
            message.sentences[each],
            message.paragraphs[each] != message.paragraphs[last],
        )
        if follows and _BEYOND.match(said) and _quotable(said):
            about = {*terms(said)} & {*terms(message.sentences[place])}
            return [each] if about or each == last + 1 else []
        if not (message.listed[place] and message.listed[each]):
            return []
    return []


def _follows(message: Message, place: int, each: int) -> bool:
    """Return whether the sentence at `each` goes on from the one before it, about `place`."""
    said = message.sentences[each]
    also = _ALSO.match(said)
    return bool(
        _limits(said)
        or _INSTEAD.search(said)
        or _GOES_ON.match(said)
        or is_part(message, each)
        or (_SCOPE.match(said) and not _PREDICATE.search(said) and not _is_own(message, each))
        or is_rule_of_feeling(message, each)
        or (_FEW.fullmatch(said) and message.wishes[each] < Wish.RULE)
        or (also and _explains(message, place, each, said[also.end() :]))
        or (each == place + 1 and _gives_reason(message, place))
    )


def _gives_reason(message: Message, place: int) -> bool:
    order, said = message.sentences[place : place + 2]
    return with_reason(message.records, message.turn, [order, said]) != order or (
        _explains(message, place, place + 1, said)
    )


def _explains(message: Message, place: int, each: int, said: str) -> bool:
    """Return whether words are a statement that can explain an order, and name no other code."""
    return bool(
        _PREDICATE.search(said)
        and not said.endswith(_COLON)
        and not _TURNS_AWAY.match(said)
        and not is_one_off(said, said)
        and not _is_own(message, each)
        and not is_order(said, done=True)
        and not CHORE.match(said)
        and len(set(terms(said))) > 1
        and _code_in(said) <= _code_in(message.sentences[place])
    )


def _is_own(message: Message, place: int) -> bool:
    """Return whether a sentence gives an order of its own."""
    said = message.sentences[place]
    return (
        message.wishes[place] >= Wish.RULE
        or is_order(without_lead(said), done=True)
        or bool(CHORE.match(said))
    )


def _limits(sentence: str) -> bool:
    return bool(_LIMITS.match(sentence) or _ALLOWS.search(sentence))


def _quotable(sentence: str) -> bool:
    return fits_quote(sentence) and not sentence.endswith(("?", "？"))


def _code_in(text: str) -> set[str]:
    return {*_SPAN.findall(text), *(name for name in identifiers(text) if _CODE.search(name))}
