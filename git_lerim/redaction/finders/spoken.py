"""Find secrets that a sentence or an option names: `the password is X`, `API key X`."""

import re
from collections.abc import Iterator

from git_lerim.redaction.chosen import is_issued, is_marked, is_memorable, is_words_and_number
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.keywords import FOREIGN_WORDS
from git_lerim.redaction.secret_names import PASSWORD, is_beside, is_said, is_secret, strength
from git_lerim.redaction.value_shape import (
    has_digit,
    is_made,
    is_mixed,
    is_placeholder,
    is_plain,
    kinds,
)
from git_lerim.redaction.views.notation import name_before, value_at

Judged = tuple[int, int, bool]  # start, end, and whether it is secret
_FLAG = re.compile(r"(?P<rest>[\w-]{0,30})[ \t]{1,3}(?=[^\s=:-])")
_CHANGED = r"(?:changed|reset|set|updated|rotated)\sto"
_SAID = re.compile(
    r"[^\W\d_]{0,6}(?:['’]s\s{1,2}(?=\S)|"
    r"(?:\s(?:for|of|to|on|in|at|für|von|zu|zum|der|des|pour|de|du|da|do|della|del|"
    r"para|per|voor|van|dla|для|от|к|di|dal|na|с)\s[^\n.:;]{1,50}?)?[,]?\s{0,2}(?:(?:(?<=\s)"
    rf"(?:(?:(?:is|was|has been|will be)\s(?:now\s)?)?{_CHANGED}|is|was|"
    r"(?:will|should|must|shall)\s(?:(?:always|only|now|still)\s)?be|to|as|"
    r"ist|lautet|war|c['’]est|est|es|é|è|era|jest|brzmi|är|je|это|[=:\u2013\u2014-]|----+):?|"
    r":)\s{1,2}(?:[「„“«]\s?)?|[「„“«]\s?)"
    rf"(?:(?:(?:now\s)?{_CHANGED}|now|just|still|called|jetzt|maintenant|"
    r"ahora|agora|ora|nu|teraz|теперь)\s)?(?:\*{1,2}|_{1,2})?(?=\S))",
    re.IGNORECASE,
)
# In "password Python3 modules use" this is a name; alone in its line it would be a password.
_VERSIONED = re.compile(r"[A-Z][A-Za-z]+\d\Z")
_GOES_ON = re.compile(r"[,;]?[ \t]\w")
_ENDING = 3  # letters that may follow a stem, as in `password`
# "mot de passe temporaire: x", "la contraseña nueva es x", "пароль от админки x"
_DESCRIBED = re.compile(
    r"[^\W\d_]{0,6}(?:(?: [^\W\d_]{1,14}){1,2}(?:\s?[:\uff1a]|"
    r"\s(?:c['’]est|est|es|è|é|ist|lautet|jest|это))|"
    r" (?:от|для|do|von|für|de|du|del|di|da|voor) [^\W\d_]{1,14})\s{1,2}(?=\S)"
)
_BARE_KEY = re.compile(r" (?:(?:is|was):? )?")
# what may follow a value, and does not follow a name that describes the next word
CLAUSE_END = re.compile(
    r"[\"'`*”“’»)\]]{0,3}(?:[.,;:!?)\]]|\s*\Z|\s*\n|\s[-\u2013\u2014(]|"
    r"\s(?:and|or|but|because|since|so|if|when|while|until|for|to|on|in|at|with|from|as|is|was|"
    r"works?|opens?|has|must|should|will|instead|then|now|only|there|here|expires?|never|not|just|"
    r"please|again|today|yesterday|"
    r"by|before|after|everywhere|und|oder|für|auf|bei|im|zum|weil|ist|gilt|et|ou|pour|"
    r"sur|est|dans|marche|y|o|para|en|es|e|per|è|su|é|em|voor|op|dla|na|w|i|jest|для|на|и|в|"
    r"vale|funciona|funziona|fonctionne|funktioniert|werkt|działa)\b)",
    re.IGNORECASE,
)
DETERMINERS = ("our ", " my ", "the ", "new ", "use ", "with ", "this ")
_HANDED = re.compile(
    r"\b(?:send|sends|give|share|paste|enter|type|hand|needs?|requires?|want|wants)\s"
    r"(?:\w+\s){0,4}\Z"
)
_STORE = re.compile(r"cache|hash|digest|lookup|index|bucket|object|commit|checksum|row|shard")
_WIFI = re.compile(r"\b(?:wi-?fi|wlan)[ _-]\Z", re.IGNORECASE)
_WIFI_KEY = re.compile(r"(?: (?:is|was|ist|est|es|è))?:? [\"'`]?[^\s\"'`.,;]{8}")
_COMMIT = 40  # characters of the id of a commit
_JOINT = re.compile(r"[^A-Za-z0-9]")
_START = 40  # characters of a value in which a digit is searched first, for speed
_NETRC = re.compile(
    r"\b(?:machine\s{1,4}\S{1,100}|default)\s{1,12}login\s{1,12}\S{1,100}\s{1,12}\Z"
)


def find_spoken(text: str, start: int, end: int) -> Iterator[Judged]:
    """Find `--password X`, `machine H login L password X` and `the password is X`."""
    flag = _FLAG.match(text, end)
    name = name_before(text, start) if flag else ""
    is_word = bool(PASSWORD.match(text, start)) or _is_of_wifi(text, start, end)
    if flag and (name.startswith("-") or (is_word and not name and _is_netrc(text, start))):
        yield from _by_option(text, name + text[start:end] + flag["rest"], flag, is_word=is_word)
        return
    lead = _SAID.match(text, end)
    if lead and (found := value_at(text, lead.end())):
        first, last, quoted = found
        value = text[first:last]
        yield (
            first,
            last,
            is_said(value, word=is_word, quoted=quoted) or (is_word and is_marked(value)),
        )
    elif (
        (is_word or text[start:end].lower() in FOREIGN_WORDS)
        and (described := _DESCRIBED.match(text, end))
        and (found := value_at(text, described.end()))
    ):
        value = text[found[0] : found[1]]
        ended = bool(CLAUSE_END.match(text, found[1]))
        is_announced = described[0].rstrip()[-1] in ":\uff1a" and is_beside(value)
        yield found[0], found[1], is_announced or (is_word and ended and is_memorable(value))
    elif flag and is_word:
        yield from _directly_after(text, name, start, flag)
    elif (
        flag
        and flag["rest"] in {"", "s"}
        and has_digit(text[flag.end() : flag.end() + _START])
        and (found := value_at(text, flag.end()))
    ):
        value = text[found[0] : found[1]]
        issued = is_issued(value) and bool(CLAUSE_END.match(text, found[1]))
        yield found[0], found[1], issued or is_made(value)


def find_of_bare_key(text: str, start: int, end: int) -> Iterator[Finding]:
    """Find the value in `our key is X` and `use the key X`, where nothing says what the key opens.

    `start` and `end` enclose the word `key`; one of `DETERMINERS` precedes it. A value
    without capitals counts only if someone needs it or sends it: cache keys are often hashes.
    """
    lead = _BARE_KEY.match(text, end)
    if lead:
        found = value_at(text, lead.end())
        value = text[slice(*found[:2])] if found else ""
        mixed = kinds(_JOINT.sub("", value)) >= 3
        if found and is_made(value) and (mixed or _is_handed(text, start, found)):
            yield Finding(*found[:2], "assignment")


def _is_of_wifi(text: str, start: int, end: int) -> bool:
    """Return whether a `key` is the password of a wireless network, of 8 or more characters."""
    return bool(_WIFI.search(text, max(0, start - 8), start) and _WIFI_KEY.match(text, end))


def _is_handed(text: str, start: int, found: tuple[int, int, bool]) -> bool:
    """Return whether a sentence asks to send a key, or says who needs it."""
    before = text[max(0, start - 60) : start].lower()
    return (
        bool(_HANDED.search(before) and CLAUSE_END.match(text, found[1]))
        and found[1] - found[0] != _COMMIT
        and not _STORE.search(before)
    )


def _is_netrc(text: str, start: int) -> bool:
    return "login" in text[max(0, start - 130) : start] and bool(
        _NETRC.search(text, max(0, start - 230), start)
    )


def _by_option(text: str, name: str, flag: re.Match[str], *, is_word: bool) -> Iterator[Judged]:
    """Find the value of an option, or of a field of .netrc."""
    if found := value_at(text, flag.end()):
        value = text[found[0] : found[1]]
        fits = (
            len(value) >= 4
            and not is_placeholder(value)
            and not is_plain(value)
            and (is_word or kinds(value) >= 2)
        )
        yield found[0], found[1], fits and strength(name) is not None


def _directly_after(text: str, name: str, start: int, flag: re.Match[str]) -> Iterator[Judged]:
    """Find a value right after the word for a password, with no sign such as `=` between them."""
    ends = len(flag["rest"]) <= _ENDING or flag["rest"][0] in "-_"
    if ends and (found := value_at(text, flag.end())):
        value = text[found[0] : found[1]]
        is_verb = not found[2] and text[start : flag.end("rest")].lower() == "pass"
        whole = (
            len(name) > 1
            or not text[max(0, text.rfind("\n", 0, start), start - 40) : start].strip()
        )
        yield (
            found[0],
            found[1],
            is_beside(value)
            or is_mixed(value)
            or (
                bool(CLAUSE_END.match(text, found[1]))
                and is_memorable(value)
                and not (is_verb and is_words_and_number(value))
            )
            or (
                whole
                and has_digit(value)
                and is_secret("password", value, quoted=found[2])
                and not (_VERSIONED.match(value) and _GOES_ON.match(text, found[1]))
            ),
        )
