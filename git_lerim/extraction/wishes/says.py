"""Recognize, in any language, whether a person says how things should be done from now on."""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from git_lerim.extraction.transcript.heads import ADDRESS
from git_lerim.extraction.transcript.spelling import with_apostrophes
from git_lerim.extraction.wishes.english import ENGLISH
from git_lerim.extraction.wishes.english_lasting import EXTENDS, INSISTS, ORDERS
from git_lerim.extraction.wishes.essence import essence, without_question
from git_lerim.extraction.wishes.named_times import without_named_times
from git_lerim.extraction.wishes.other_languages import (
    CHINESE,
    DUTCH,
    FRENCH,
    GERMAN,
    ITALIAN,
    JAPANESE,
    POLISH,
    PORTUGUESE,
    RUSSIAN,
    SPANISH,
)
from git_lerim.extraction.wishes.patterns import TYPED, WEIGHTS, Language
from git_lerim.extraction.wishes.requests import asked_for, is_lasting, without_tag

_ADDRESS = re.compile(rf"^(?:{ADDRESS})+(?=\S)", re.IGNORECASE)
_LONGEST = 320  # characters of an order
_ENOUGH = 0.2  # minimum score of a wish
_ORDER = -3.0  # minimum score by `TYPED` of an agent's sentence that may be an order
_DOUBTFUL, _LIKE_ONE = -1.6, -0.5  # minimum total, and by `WEIGHTS`, of a possible wish
_EXTENDED = -2.5  # minimum score by `TYPED` of a wish that the next sentence extends
_AT_HAND = -5.0  # added to the score of a sentence about one thing at hand
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_WORD = re.compile(r"[^\W\d_]+(?:[’'](?:t|s|d|re|ll|ve|m)\b)?")
# the most common words of each language, to distinguish them
_LATIN: dict[str, tuple[Language, frozenset[str]]] = {
    name: (language, frozenset(words.split()))
    for name, language, words in (
        (
            "en",
            ENGLISH,
            (
                "the a an and of to in is are you i we for on with not no do don't please it be "
                "this that from or never always use new every each all any should must when "
                "before here only keep your one than would my me our as at by if so they has have "
                "can will just"
            ),
        ),
        (
            "de",
            GERMAN,
            (
                "der die das den dem des ein eine einen und ist sind nicht kein keine keinen "
                "bitte wir ich du immer nie auf für mit von zu im in jede jeden alle hier ab "
                "jetzt wenn nur statt nichts unter ohne"
            ),
        ),
        (
            "fr",
            FRENCH,
            (
                "le la les l un une des du de et est sont pas ne n je tu on nous vous toujours "
                "jamais dans pour avec sur ce cette chaque tous ici d en que au les stp quand"
            ),
        ),
        (
            "es",
            SPANISH,
            (
                "el la los las un una de del y es son no siempre nunca en para con por que se "
                "este esta cada todos aquí a al lo cuando ahora sin favor"
            ),
        ),
        (
            "pt",
            PORTUGUESE,
            (
                "o a os as um uma de do da e é são não sempre nunca em para com por que se este "
                "esta cada todos todas toda aqui no na ao dos das quando agora nos nas favor"
            ),
        ),
        (
            "it",
            ITALIAN,
            (
                "il lo la i gli le un una di del della e è sono non sempre mai in per con che si "
                "questo questa ogni tutti qui da dei nel nella al quando ora niente"
            ),
        ),
        (
            "nl",
            DUTCH,
            (
                "de het een en is zijn niet geen altijd nooit in voor met op van dat dit deze "
                "elke alle hier we je ik als nu bij aan voortaan om te er"
            ),
        ),
        (
            "pl",
            POLISH,
            (
                "i w we na nie jest są zawsze nigdy do z ze się że to ten ta każdy każda "
                "wszystkie tutaj od teraz po gdy dla proszę przed czy jak"
            ),
        ),
    )
}


class Wish(IntEnum):
    """How clearly a sentence says how things should be done from now on."""

    NONE = 0
    GENERAL = 1  # perhaps: counts if the message says little else
    RULE = 2
    EXPLICIT = 3  # with a word such as "always", or as what somebody is asked to do


def wish_in(sentence: str) -> Wish:
    """Return how clearly a sentence says how things should be done from now on."""
    text = without_tag(_plain(sentence))
    if asked := asked_for(text):
        lasts = is_lasting(asked) and not looks_like_one(asked)
        return Wish.EXPLICIT if lasts else Wish.NONE
    level = _judged(text)
    if level in {Wish.NONE, Wish.GENERAL} and _is_english(text):
        level = _judged_by_essence(text, level)
    return level


def wishes_in(sentences: Sequence[str]) -> list[Wish]:
    """Return how clearly each sentence is a wish, also by the next one: `Every time.`."""
    levels = [*map(wish_in, sentences)]
    for place, after in enumerate(map(_plain, sentences[1:])):
        extends = EXTENDS.fullmatch(after)
        if not extends and not INSISTS.fullmatch(after):
            continue
        levels[place + 1] = Wish.NONE  # it says nothing by itself
        said = _plain(sentences[place])
        orders = ORDERS.match(said) and not is_at_hand(said)
        if (orders or (extends and TYPED.score(said) > _EXTENDED)) and not _is_neither(said):
            levels[place] = Wish.EXPLICIT
    return levels


def _judged_by_essence(text: str, level: Wish) -> Wish:
    """Return how clearly what is left of a sentence is a wish, if that is clearer than `level`."""
    bare = essence(text)
    if bare == text or _is_neither(text):
        return level
    found = _judged(bare)
    return found if found >= Wish.RULE else level


def _judged(text: str) -> Wish:
    languages, timeless = _languages(text), without_named_times(text)
    typed = TYPED.score(text)
    score = typed + max(each.evidence(text, timeless) for each in languages)
    explicit = any(each.explicit.search(text) for each in languages)
    at_hand = is_at_hand(text) and not explicit
    score += _AT_HAND * at_hand
    if score > _ENOUGH or (not at_hand and _form_suffices(text, timeless, typed)):
        return Wish.EXPLICIT if explicit else Wish.RULE
    possible = score > _DOUBTFUL and WEIGHTS.score(text) > _LIKE_ONE
    return Wish.GENERAL if possible and not at_hand else Wish.NONE


def _form_suffices(text: str, timeless: str, typed: float) -> bool:
    """Return whether its form makes a sentence a wish in one of its languages."""
    scores = (WEIGHTS.score(text), typed)
    return any(
        each.form_suffices(text, scores)
        for each in _languages(text)
        if not each.neither.search(timeless)
    )


def may_be_order(sentence: str) -> bool:
    """Return whether an agent's sentence may be a lasting order.

    It has the form of a wish, and its words do not make it much more likely a report.
    """
    possible = has_form_of_wish(sentence) and TYPED.score(_plain(sentence)) > _ORDER
    return possible or wish_in(sentence) is Wish.EXPLICIT


def has_form_of_wish(sentence: str) -> bool:
    """Return whether a sentence has a word such as "always", or is a wish by its form alone.

    How likely it is a wish by its other words is not considered.
    """
    text = _plain(sentence)
    timeless = without_named_times(text)
    return any(
        (each.explicit.search(text) or (each.sure and each.sure.search(text)))
        and not each.neither.search(timeless)
        for each in _languages(text)
    )


def is_at_hand(sentence: str) -> bool:
    """Return whether a sentence is about one thing at hand: `All commits in the branch must …`."""
    text = _plain(sentence)
    return any(each.at_hand and each.at_hand.search(text) for each in _languages(text))


def looks_like_one(sentence: str) -> bool:
    """Return whether a sentence only looks like a wish: a question, report or quotation."""
    return _is_neither(_plain(sentence))


def _is_neither(text: str) -> bool:
    timeless = without_named_times(text)
    return any(language.neither.search(timeless) for language in _languages(text))


def explains_order(order: str, following: str) -> bool:
    """Return whether an order in another language than English has its reason with it.

    It gives the reason itself, or in the sentence that follows it.
    """
    text, then = _plain(order), _plain(following)[:_LONGEST]
    if looks_like_one(then) or wish_in(then) >= Wish.RULE:
        then = ""
    languages = _languages(f"{text} {then}") if len(text) <= _LONGEST else []
    return any(each.orders and each.orders.explained(text, then) for each in languages)


def takes_instead(order: str) -> bool:
    """Return whether an order takes one thing for another: `Nimm A statt B` (not in English)."""
    text = _plain(order)[:_LONGEST]
    return any(each.orders and each.orders.swaps.search(text) for each in _languages(text))


def _is_english(text: str) -> bool:
    """Return whether a text is English, judging by its most common words; True if in doubt."""
    return ENGLISH in _languages(text)


def _plain(sentence: str) -> str:
    text = " ".join(sentence.replace("’", "'").split())
    text = _ADDRESS.sub("", text).rstrip(".!。！ ")
    return without_question(with_apostrophes(text)) if _is_english(text) else text


@lru_cache(maxsize=256)  # each sentence is judged in several ways
def _languages(text: str) -> tuple[Language, ...]:
    """Return a text's possible languages, judging by its script or most common words."""
    if _KANA.search(text):
        return (JAPANESE,)
    if _HAN.search(text):
        return (CHINESE,)
    if _CYRILLIC.search(text):
        return (RUSSIAN,)
    words = [word.lower() for word in _WORD.findall(text)]
    count = {name: sum(word in common for word in words) for name, (_, common) in _LATIN.items()}
    most = max(count.values())
    return tuple(language for name, (language, _) in _LATIN.items() if count[name] == most)
