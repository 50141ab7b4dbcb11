"""Find passwords in prose, such as `X is the admin password` and `log in with ann / X`."""

import re
from base64 import b64decode
from collections.abc import Iterator

from git_lerim.redaction.chosen import is_memorable
from git_lerim.redaction.finders.spoken import CLAUSE_END
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import LABEL, is_beside, names_no_secret
from git_lerim.redaction.value_shape import has_digit, is_passphrase, kinds
from git_lerim.redaction.views.notation import matches_at

# "use X as the admin password", "X is the password", but not "as the password hash"
_AS = re.compile(
    r" (?:as (?:(?:the|a|an|our|my|your|its) )?|(?:is|was) (?:the|our|my|your) |"
    r"\((?:the|our|my|your) )"
    r"(?:[\w-]{1,20} ){0,3}(?:password|passphrase|passwd|passcode|pwd)\b"
    r"(?! (?:hash|algorithm|manager|field|file|input|policy|provider|column))"
)
_BEFORE = re.compile(r"[^\s\"'`]{6,100}(?=[\"'`]?\Z)")
_REACH = 102
# without a group for `ssh`, which would make the search slow
_LOGIN = re.compile(r"(?:log(?:ged|s)?[ -]?in|sign[ -]?in|credentials?|creds|ssh)\b")
# the same, for pairs only; looking for each of them is faster than a longer pattern
_ACCOUNTS = (
    *("account", "zugang", "anmeldung", "identifiants", "credenciales", "credenziali", "acceso"),
    "accesso",
)
_OTHER_ACCOUNTS = ("логин", "доступ", "登录", "登入", "账号", "ログイン")
# after such a word: "ann / X", "ann:X"
_PAIR_OF = (
    r"""[^\n]{0,60}?[ (`"'][\w.@+-]{2,40}(?P<sign> / | : |:)(?![/\\\d])"""
    r"""(?P<value>[^\s"'`<>{}()]{6,100})"""
)
_PAIR, _BASIC = re.compile(_PAIR_OF), re.compile(f"basic auth{_PAIR_OF}")
_SIGN = re.compile("[!$^]")
# after such a word, a colon and a user: "credentials: ann, X"
_GIVEN = re.compile(
    r"(?:credentials?|creds|login|zugangsdaten|identifiants|credenciales)[^\n:]{0,40}: "
    r"[\w.@+-]{2,40}(?:,| and| und| et| y) [\"'`]?(?P<value>[^\s\"'`<>{}()]{6,100})"
)
# "admin/X", "root / X"
_BY_ROOT = re.compile(r"(?<![\w./@-])(?:admin|root) ?/ ?(?P<value>[^\s\"'`<>{}()/]{6,100})")
# "user: ann, password: X!", where only the sign shows that X is no word
_PARTNER = re.compile(
    r"(?:user(?:[ _-]?name)?|login|benutzer(?:name)?|usuario|utilisateur)(?:\s?[:=]|\sis)?\s"
    r"[\"'`]?[\w.@+-]{2,40}[\"'`]?(?:[,;\n]| and| with| und| et| y){0,2}\s?(?:the |das |le |la )?"
    r"(?:pass(?:word|wort)?|pwd?|mdp|contraseña|mot de passe|kennwort)(?:\s?[:=]|\sis)?\s"
    r"[\"'`]?(?P<value>[^\W\d_]{4,40}!)(?![\w!])"
)
# "with the user and X", "ann/X", where X contains a digit and a sign
_WITH = re.compile(
    r"[^\n]{0,60}?(?: (?:with|and|using) [\"'`]?|[ (`\"'][\w.+-]{2,40}/)"
    r"(?P<value>(?=[^\s\d]{0,99}\d)(?=[^\s!$^]{0,99}[!$^])[^\s\"'`<>{}()/]{6,100})"
)
# "the passphrase is 'four words of it'", "password: four words 4 it"
_PHRASE = re.compile(
    r"pass[ _-]?(?:phrase|(?P<is_word>word))\b[^\n.:;\"'`]{0,40}?"
    r"(?:(?P<says> (?:is|was))|\s?[:=]):? {1,2}[\"'`]?"
    r"(?P<value>(?:(?:[a-z]{3,12}|\d{1,6})[ -]){3,9}?(?:[a-z]{3,12}|\d{1,6}))"
    r"(?=[\"'`,;)\]]|[.!]?(?:\s*\n|\s*\Z)|[.!] | (?:and|but|or|for|so|then|on|in|at)\b)"
)
# "log in as ann with X"
_LOGGED_IN = re.compile(
    r"(?:log(?:ged|s|ging)?[ -]?in|sign(?:ed|s|ing)?[ -]?in|connect)(?: [\w -]{1,40})?\Z"
)
_AS_USER = re.compile(
    r" as [\"'`]?[\w.@+-]{2,40}[\"'`]? (?:with|using) (?:the )?(?:(?:password|passphrase|pw) )?"
    r"[\"'`]?(?P<value>[^\s\"'`<>{}()]{6,100})"
)
_AS_PAIR = re.compile(r" as [\"'`]?[\w.@+-]{2,40}:(?P<value>[^\s\"'`<>{}()/]{6,100})")
# the passphrase "three longer words"
_QUOTED_PHRASE = re.compile(
    r"pass[ _-]?phrase:? [\"'`“„«](?P<value>[a-z]{4,12}(?:[ -][a-z]{4,12}){2,9})[\"'`”“»]"
)
# "Basic auth is YW5u…", "Basic auth header is Basic YW5u…"
_CODED = re.compile(
    r"basic (?:auth\w*:? )?(?:(?:header|value|credentials?|string|is|are|was|the|for|with|:|=) )"
    r"{0,4}(?:basic )?[\"'`]?"
    r"(?P<value>(?:[a-z0-9+/]{4}){2,100}(?:[a-z0-9+/]{2}(?:==|[a-z0-9+/]=))?)"
    r"(?![\w+/=])"
)
_LOGIN_PAIR = re.compile(rb"[\w.@+-]{1,64}:[!-~]{3,}")
# "I changed the password from X to Y"
_CHANGED = re.compile(
    r"pass(?:word|phrase)[^\n.:;\"'`]{0,40} from [\"'`]?(?P<old>[^\s\"'`<>{}()]{6,100})"
    r"[\"'`]? to [\"'`]?(?P<value>[^\s\"'`<>{}()]{6,100})"
)
# "the old password is X, the new one is Y"
_OTHER = re.compile(r" one (?:is|was):? [\"'`]?(?P<value>[^\s\"'`<>{}()]{6,100})")
_NAMED = re.compile(r"\b(?:password|passphrase|pw)\b[^\n]{0,80}\bthe [a-z]{3,10}\Z")
_AFTER_USERS = (
    *(("/", word, _BY_ROOT.match) for word in ("admin", "root")),
    *((": ", word, _GIVEN.match) for word in ("cred", "login", "zugangsdaten", "identifiants")),
)
_USERS = ("user", "login", "benutzer", "usuario", "utilisateur")
_PUNCTUATION = ".,;:"
_JOINT = re.compile(r"[-._/]")


def find_in_prose(text: str, low: str) -> Iterator[Finding]:
    """Find passwords in prose; `low` is the text in lower case."""
    if "pass" in low or "pwd" in low:
        yield from _called_passwords(text, low)
        yield from _phrases(text, low)
        yield from _others(text, low)
    for login in _LOGIN.finditer(low):
        if login[0] != "ssh" and (pair := _PAIR.match(low, login.end())):
            yield from _paired(text, pair)
        near = _SIGN.search(low, login.end(), login.end() + _REACH)  # a cheap check first
        if near and (given := _WITH.match(low, login.end())):
            yield from _mixed(text, *given.span("value"))
    if " / " in low or " : " in low:
        yield from _by_account(text, low)
    yield from _by_user(text, low)
    for pair in matches_at(low, "basic auth", _BASIC.match):
        yield from _judged(text, *pair.span("value"))
    yield from _logged_in(text, low)


def _logged_in(text: str, low: str) -> Iterator[Finding]:
    for coded in matches_at(low, "basic ", _CODED.match):
        if _is_login(text[slice(*coded.span("value"))]):
            yield Finding(*coded.span("value"), "authorization")
    for user in matches_at(low, " as ", _AS_PAIR.match):
        start, end = user.span("value")
        value = text[start:end].rstrip(_PUNCTUATION)
        if is_memorable(value) and _LOGGED_IN.search(low, max(0, user.start() - 60), user.start()):
            yield Finding(start, start + len(value), "password")
    for user in matches_at(low, " as ", _AS_USER.match):
        if _LOGGED_IN.search(low, max(0, user.start() - 60), user.start()):
            yield from _mixed(text, *user.span("value"))
            yield from _chosen(text, *user.span("value"))


def _called_passwords(text: str, low: str) -> Iterator[Finding]:
    for word in (" as ", " is ", " was ", " (the ", " (our ", " (my "):
        for named in matches_at(low, word, _AS.match):
            start = max(0, named.start() - _REACH)
            value = _BEFORE.search(text[start : named.start()])
            if value and (
                is_beside(value[0])
                or (CLAUSE_END.match(text, named.end()) and is_memorable(value[0]))
            ):
                yield Finding(start + value.start(), start + value.end(), "password")


def _phrases(text: str, low: str) -> Iterator[Finding]:
    for phrase in matches_at(low, "pass", _PHRASE.match):
        words = phrase["value"]
        # many sentences begin with "the password is", and names of keys have dashes
        is_said = phrase["says"] and not has_digit(words)
        if is_passphrase(words) and not (phrase["is_word"] and (is_said or "-" in words)):
            yield Finding(*phrase.span("value"), "password")
    for quoted in matches_at(low, "pass", _QUOTED_PHRASE.match):
        words = quoted["value"]
        if text[slice(*quoted.span("value"))].islower() and is_passphrase(words, fewest=3):
            yield Finding(*quoted.span("value"), "password")


def _others(text: str, low: str) -> Iterator[Finding]:
    """Find the second of two passwords, and both if one was changed to the other."""
    for other in matches_at(low, " one ", _OTHER.match):
        if _NAMED.search(low, max(0, other.start() - _REACH), other.start()):
            yield from _judged(text, *other.span("value"))
            yield from _chosen(text, *other.span("value"))
    for changed in _CHANGED.finditer(low):
        yield from _mixed(text, *changed.span("old"))
        yield from _mixed(text, *changed.span("value"))


def _by_account(text: str, low: str) -> Iterator[Finding]:
    for word in _ACCOUNTS if low.isascii() else (*_ACCOUNTS, *_OTHER_ACCOUNTS):
        for pair in matches_at(low, word, _PAIR.match):
            if pair["sign"].startswith(" "):
                yield from _paired(text, pair)


def _by_user(text: str, low: str) -> Iterator[Finding]:
    """Find the password after a user and a sign, or after a user and a word for a password."""
    for sign, word, look in _AFTER_USERS:
        for hit in matches_at(low, word, look) if sign in low else ():
            yield from _chosen(text, *hit.span("value"))
    for word in _USERS if "!" in low else ():
        for hit in matches_at(low, word, _PARTNER.match):
            if not LABEL.search(hit["value"]) and not names_no_secret(hit["value"][:-1]):
                yield Finding(*hit.span("value"), "password")


def _paired(text: str, pair: re.Match[str]) -> Iterator[Finding]:
    """Find the password after a user's name; only beside spaces may it look like words."""
    yield from _judged(text, *pair.span("value"))
    if pair["sign"].startswith(" "):
        yield from _chosen(text, *pair.span("value"))


def _mixed(text: str, start: int, end: int) -> Iterator[Finding]:
    """Find a password with three kinds of characters besides `-._/`; `id_ed1` has only two."""
    if kinds(_JOINT.sub("", text[start:end].rstrip(_PUNCTUATION))) >= 3:
        yield from _judged(text, start, end)


def _is_login(coded: str) -> bool:
    """Return whether a base64 value encodes a user and a password."""
    return bool(_LOGIN_PAIR.fullmatch(b64decode(coded)))


def _chosen(text: str, start: int, end: int) -> Iterator[Finding]:
    end = start + len(text[start:end].rstrip(_PUNCTUATION))
    if is_memorable(text[start:end]) and CLAUSE_END.match(text, end):
        yield Finding(start, end, "password")


def _judged(text: str, start: int, end: int) -> Iterator[Finding]:
    end = start + len(text[start:end].rstrip(_PUNCTUATION))
    if is_beside(text[start:end]):
        yield Finding(start, end, "password")
