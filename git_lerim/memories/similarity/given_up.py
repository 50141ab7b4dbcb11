"""Decide whether a title gives up what an earlier one wants: a duty, a prohibition or a choice.

Both must name the same thing in the same words. In doubt, nothing is given up.
"""

import re
from itertools import takewhile

from git_lerim.memories.similarity.change_forms import Way
from git_lerim.memories.similarity.changes_of_mind import ChangeOfMind, change_of_mind
from git_lerim.memories.similarity.claim import (
    claim,
    content,
    denies,
    subject,
    without_reason,
)
from git_lerim.memories.similarity.languages import FORMAT, LANGUAGE, written_in
from git_lerim.memories.similarity.replacement_phrases import without_remark

# words that say nothing about what a title is about
FILLERS = content(
    "please pls everything anything nothing all every each any per one under via again still ever"
    " anymore here me my us our directly needed required necessary mandatory lets go ones new only"
    " generally into from before after to than over"
    " nie niemals nicht kein keine jamais pas nunca jamás non mai não nooit geen niet nigdy"
    " ab jetzt erst künftig désormais maintenant ahora adelante agora ora poi vanaf nu voortaan od"
    " teraz bitte immer stets nur alle wir auf für mit den dem der die das des ein eine einen im in"
    " verwende verwenden nutze nutzen benutze benutzen nimm schreib schreibe mach machen projekt"
    " diesem toujours seulement pour le la les de du un une en ce cet cette projet utilise utilisez"
    " utiliser siempre solo para el los las una este esta proyecto usa usar usad por favor sempre"
    " só em o os as um uma neste projeto use usem il lo gli questo progetto usare nel nella"
    " altijd het een dit gebruik project repo repository codebase"
    " po на em deze mich du etwas vor bevor dans n'utilise n'utilisez"
    " s'il te vous plaît del"
    " zawsze tylko używaj tym projekcie всегда только используй этом проекте"
)
# what a name names; `legacy/billing` and `the legacy/billing folder` are the same
_THINGS = content(
    "file files folder directory path prefix module package section code stuff rule setup version"
    " library dependency endpoint route branch código codice"
)
_HANDLING = content("edit touch change modify alter update write rewrite work")
_SUPPORTING = content("support supported use target run require version stay minimum min oldest")
_NOT = re.compile(
    r"\b(?:nie|niemals|nicht|kein\w*|jamais|pas|nunca|jamás|no|non|mai|não|nooit|geen|niet|nigdy|"
    r"никогда|не)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"(?:please )?(?:never|do not|don['’]?t|avoid|no)\b", re.IGNORECASE)
# an order about what is at hand, with what it is for: `Stop using mocks, the parser test needs …`
_ORDERS = re.compile(r"(?:stop|do not|don['’]?t|no|scrap|ditch|drop|forget)\b", re.IGNORECASE)
_FORGETS = re.compile(
    r"forget [^,;:]+[,;:] .*\b(?:from (?:now|here) on|everywhere|in this \w+)\b", re.IGNORECASE
)
_NEEDS = re.compile(
    r"[,;:.] (?:(?:so|and|since|because|as) )?(?P<what>(?:the|this|that|these|those|my|your) "
    r"[^,;:]+?) (?:should|must|needs?|ha(?:s|ve) to|ought to|(?:is|are) supposed to)\b",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"(?:we )?(?:(?:do not|don['’]?t) (?P<verb>\w+) any ?(?:more|longer)|"
    r"no longer (?P<deed>\w+))\b",
    re.IGNORECASE,
)
_IS_DONE = re.compile(r"we \w+\b", re.IGNORECASE)
_TAIL = re.compile(r"(?:,? (?:here|please|always|ever|in this (?:repo|project)))+\Z", re.IGNORECASE)
_REASON_ELSEWHERE = re.compile(
    r",? (?:weil|denn|parce qu['’]?e?|car|porque|perché|poiché|omdat|want|bo|ponieważ|"
    r"потому что|так как)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r",\s*(?:and |und |et |y |e |en |i |а )?(?:not?|no longer|nicht(?: mehr)?|pas|plus|ya no|non|"
    r"não|mais|niet(?: meer)?|nie|не)\s.*",
    re.IGNORECASE,
)
# `nachfragen wenn du eine neue Datei brauchst` is to ask before one is made
_ASK = re.compile(r"\b(?:nach|rück)fragen\b", re.IGNORECASE)
_NEW_ONE = re.compile(r"\bwenn du (?:eine?n? )?(neue[ns]? \S+) brauchst\Z", re.IGNORECASE)
# why a language changes, with what is missing: `, the new colleague speaks no German`
_LACKS = re.compile(
    r",\s(?!(?:but|except|if|when|unless|aber|außer|falls|wenn|sauf|si|quand|mais|pero|salvo|"
    r"cuando|ma|tranne|quando|se|mas|maar|als|tenzij|ale|chyba|gdy|jeśli|но|если|когда|кроме)\b)"
    r"(?:[^\s,;:.]+ ){1,5}(?:not?|cannot|\w+n['’]t|nicht|keine?n?|pas|non|não|niet|geen|nie|не)"
    r" (?:\w+ )?[^\s,;:.]+\Z",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:](?=\s)(?! (?:bevor|wenn|nachdem|sobald|falls|zanim|jeśli|gdy|прежде|если|когда)\b)|"
    r"\.(?=\s)|\s[–—-]\s"
)
_ANOTHER = re.compile(r"\s*(?:[Aa]nd|[Aa]lso|[Uu]nd|et|y|e|en|и)\s(?!(?:not|nicht|pas|no|non)\b)")
_CHOICE = re.compile(
    r"\b(?:use|using|prefer|choose|chose|pick(?:ed)?|take|took|adopt|(?:go|went) with|"
    r"st(?:ay|ick) (?:to|with)|utilise[sz]?|"
    r"usa|usar|usare|verwenden?|nutzen?|benutzen?|nimm|gebruik|używaj|используй|"
    r"utilisons|usiamo|usamos|utilizamos|gebruiken|używamy|используем)\s+(?P<value>.+)",
    re.IGNORECASE,
)
# what limits a clause: `for every public function`
_ASIDE = re.compile(
    r"\s(?:before|after|when|if|unless|until|for|in|on|with|to|at|by|from|under|bevor|wenn|für|in|"
    r"avant|quand|pour|dans|antes|cuando|para|prima|quando|per|voor|als)\s",
    re.IGNORECASE,
)
_MEANS = re.compile(r"\b(?:with|using|via|mit|avec|con|com|met) (?P<value>[^\s,]+)$", re.IGNORECASE)

# a question's answer: `The events should be stored: SQLite`
_ANSWERED = re.compile(r"^([^:]{3,90}): ([^\s:,;]+(?: [^\s:,;]+){0,2})$")
_SEVERAL = re.compile(r"\b(?:and|or|und|oder|et|ou|и|или)\b", re.IGNORECASE)
_VERB = re.compile(
    r"(?:(?:always|please|never|from now on|do not|don['’]t),? )*(\w+)", re.IGNORECASE
)


def gives_up(later: str, earlier: str) -> bool:
    """Return whether a title gives up what an earlier one wants, and says so."""
    change = change_of_mind(later)
    stated = change and _stated(earlier, change.way)
    about = _about(change) if change else frozenset()
    if change and stated and change.inflects and change.way is not Way.DROPPED:  # no names
        about = _as_stated(about, _in_order(stated))
    if not change or not stated or not about:
        return False
    known = claim(stated)
    if change.way is Way.ALLOWED:
        forbids = denies(stated) or _FORBIDS.match(stated) or _NOT.search(stated)
        same = _handled(about) == _handled(_words(stated, about))
        return same if forbids else _allows_another(change, about, stated)
    if denies(stated) or _NOT.search(stated):
        return False
    if change.way is Way.RENEWED:
        return _is_other_version(change, stated)
    if not about <= _words(stated, about) | known.parts or _is_at_hand(change, stated):
        return False
    # it may say what is wanted instead, and name all the rest: `…, plural table names like before`
    rest = _words(stated, about) - about if change.way is Way.DROPPED else frozenset()
    return (bool(rest) and rest <= claim(change.said).words) or _fits(change, about, stated, later)


def _fits(change: ChangeOfMind, about: frozenset[str], stated: str, later: str) -> bool:
    """Return whether the earlier title mainly wants what is given up, which it names."""
    known, words = claim(stated), _words(stated, about)
    others = words - about
    verb = _VERB.match(stated)
    more = others - content(verb[1]) if verb else others
    several = others and change.way is not Way.RATHER and _SEVERAL.search(stated)
    if several or (more and _FORGETS.match(change.said)):
        return False  # maybe only one of several things is given up, or another one of that name
    if change.way is Way.RATHER:
        said = _LACKS.sub("", _REFUSED.sub("", without_remark(later)))
        return _other_language(change, others, stated, said)
    named = about & (known.names | known.parts | known.numbers | claim(change.subject).names)
    if change.way is Way.REMOVED:
        return bool(named) or others <= {*known.order[:1]}
    is_other = bool(known.value) and not about & known.value
    if change.way is Way.REPLACED or is_other:
        return not is_other and is_chosen(about, stated)
    is_most = 2 * (len(about) + len(named)) >= len(words)
    begins = not about.isdisjoint(_in_order(stated)[:1]) or len(others) == 1 < len(about)
    begins = begins and (len(about) > 1 or not others)  # a verb alone names nothing
    if change.way is Way.EXCUSED:
        return is_most and begins
    is_thing = not (verb and others and about <= content(verb[1]))
    return _is_doing(change, stated) or (
        is_thing
        and (
            is_chosen(about, stated)
            or _is_object(about, stated)
            or (is_most and (begins or bool(named)))
        )
    )


def _is_at_hand(change: ChangeOfMind, stated: str) -> bool:
    """Return whether a thing given up is for something that the earlier title does not name."""
    needs = _NEEDS.search(change.said)
    if change.way is not Way.DROPPED or not needs or not _ORDERS.match(change.said):
        return False
    return not content(needs["what"]) - FILLERS <= content(stated)


def _other_language(change: ChangeOfMind, others: frozenset[str], stated: str, later: str) -> bool:
    """Return whether the later title only replaces the language or format of the earlier one."""
    value = written_in(stated, change.slot)
    return (
        any(kind.match(value) and kind.search(later) for kind in (LANGUAGE, FORMAT))
        and others == content(value)
        and not others & claim(later).words
    )


def _allows_another(change: ChangeOfMind, about: frozenset[str], stated: str) -> bool:
    """Return whether a title allows a language again, and the earlier one wants another."""
    old, new = written_in(stated), written_in(change.subject)
    one, other = content(old), content(new)
    return (
        bool(LANGUAGE.fullmatch(old) and LANGUAGE.fullmatch(new))
        and one != other
        and len(LANGUAGE.findall(stated)) == 1
        and about - other == _words(stated, about) - one != frozenset()
    )


def _stated(title: str, way: Way) -> str:
    """Return the clause that says what a title wants; "" if there are several."""
    title = _ANSWERED.sub(r"\1 \2", title)
    clause, *more = _CLAUSE.split(_REASON_ELSEWHERE.split(without_reason(title), maxsplit=1)[0])
    if any(map(_ANOTHER.match, more)):
        return ""
    before = change_of_mind(title)
    if before and before.way is not Way.RATHER and way is not Way.ALLOWED:
        return more[0].strip() if more else ""  # what it wants instead
    return clause


def _about(change: ChangeOfMind) -> frozenset[str]:
    said = _ASK.sub("fragen", _NEW_ONE.sub(r"\1 anlegen", change.subject))
    about = content(said) - FILLERS
    names = claim(change.subject).names
    return about - _THINGS if about & names else about


def _as_stated(about: frozenset[str], order: tuple[str, ...]) -> frozenset[str]:
    """Return words, each with the ending that it has in `order`: `frag` for `fragen`."""
    return frozenset(
        word
        if word in order
        else next((other for other in order if _differ_in_ending(word, other, order)), word)
        for word in about
    )


def _differ_in_ending(word: str, other: str, order: tuple[str, ...]) -> bool:
    """Return whether two words differ only in their ending; that of a verb may be longer."""
    pairs = zip(word, other, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    longest, shortest = max(len(word), len(other)), min(len(word), len(other))
    if other == order[0] and same >= 3 and longest - same <= 2:
        return True
    return same >= 4 and longest - same <= (4 if same == shortest else 3)


def _words(stated: str, about: frozenset[str]) -> frozenset[str]:
    return subject(stated) - FILLERS - (_THINGS - about)


def _handled(words: frozenset[str]) -> frozenset[str]:
    """Return words with one of them for all that means to edit something."""
    return words - _HANDLING | (frozenset({"edit"}) if words & _HANDLING else frozenset())


def _is_other_version(change: ChangeOfMind, stated: str) -> bool:
    found = re.findall(
        rf"\b{re.escape(change.subject)}(?: is |[ @-])?v?(\d[\d.]*)", stated, re.IGNORECASE
    )
    versions = {each.rstrip(".") for each in found}
    rest = subject(stated) - FILLERS - _SUPPORTING - content(change.subject) - claim(stated).numbers
    return len(found) == 1 and change.version not in versions and not rest


def is_chosen(about: frozenset[str], stated: str) -> bool:
    """Return whether a clause chooses what is given up: `Use mocha for …`, `Test with mocha`."""
    choice, means = _CHOICE.search(stated), _MEANS.search(_TAIL.sub("", stated))
    first = _in_order(choice["value"])[: len(about)] if choice else ()
    return about in {frozenset(first), frozenset(_in_order(means["value"]) if means else ())}


def _is_doing(change: ChangeOfMind, stated: str) -> bool:
    """Return whether a clause orders the action that is to stop: `Squash everything …`."""
    stops = _STOPS.match(change.said)
    verb = stops and (stops["verb"] or stops["deed"])
    return bool(
        verb
        and verb.lower() == change.subject.lower()
        and re.match(
            rf"we {verb}\b|"  # as we do it
            rf"(?:(?:from now on|always|please),? )*{verb}(?: (?:everything|all|each|every|"
            r"any|the|my|our|your|me|us|them|an?|after|before|to|into|with|from|only|when|if|on|"
            r"in)\b|$)",
            stated,
            re.IGNORECASE,
        )
    )


def _is_object(about: frozenset[str], stated: str) -> bool:
    """Return whether what is given up is all that a clause begins with, behind its verb."""
    order = _in_order(_ASIDE.split(stated, maxsplit=1)[0])
    if _IS_DONE.match(stated):  # `We deploy with A` begins with a verb
        return about == frozenset(order[1:])
    return about in {frozenset(order), frozenset(order[1:])}


def _in_order(text: str) -> tuple[str, ...]:
    return tuple(word for word in claim(text).order if word not in FILLERS)
