"""Find values assigned to names of secrets: find the name first, then the value next to it."""

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from git_lerim.redaction.finders.nearby_values import find_nearby
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.keywords import CJK_WORDS, FOREIGN_WORDS, find_keywords
from git_lerim.redaction.secret_names import (
    JUDGED,
    PASSWORD,
    is_beside,
    is_key_of,
    is_said,
    is_secret,
    strength,
)
from git_lerim.redaction.value_shape import has_digit, is_placeholder, is_plain, is_random, kinds
from git_lerim.redaction.views.notation import BARE, WHOLE, quoted_at, value_at

# What may be between a keyword and its value: the rest of the name, a closing quote, a type, the
# sign, and an opening bracket or a call with a default.
_SIGN = re.compile(
    r"(?P<rest>[\w.$-]{0,48}+)(?:(?P<close>\\*[\"'`]?[\])]?|[ \t]{0,40})(?:\*{1,3}|__|"
    r"~~)?\s{0,3}(?:(?<=[ \t])[\[(][^\])\n]{0,40}[\])]\s?)?(?:(?::?\s?(?:string|str|String|const|"
    r"&str|char\s?\*)\s?))?(?P<sign>=>|:{0,3}[?.!=+]?={1,3}|->|:(?!/)|[\uff1a\uff1d\u2192|\u2502]|"
    r"[\u2013\u2014](?=\s)|%3[aAdD])(?:\*{1,3}|__|~~)?\s{0,3}(?:\n\s{0,40}(?=\\*[\"'`]))?|"
    r"(?P<comma>\\*[\"'`])(?:\s?,\s?|\s{1,3}value\s?=\s?)(?=\\*[\"'`])|>\s{0,80}|"
    r"(?P<beside>[ \t]{1,3})(?=[\"'][^\"'\n]{1,200}[\"']))(?P<call>(?:[\w.]{0,40}(?:getenv|"
    r"environ\.get|env|ENV\.fetch|get)\(\s?[\"'][^\"'\n]{1,80}[\"']\s?,\s?|"
    r"process\.env\.\w{1,60}\s?(?:\|\||\?\?)\s?|\[(?!REDACTED:)\s?|new\s\w{1,40}\(|"
    r"\w{1,20}\((?=[\"']))?)(?:[rbfuL@](?=[\"'`]))?",
)
_NAME_ENDS = re.compile(r"[\w.$-]{0,48}+(?=[^\w.$-])")
_FLAG = re.compile(r"(?P<rest>[\w-]{0,30})[ \t]{1,3}(?=[^\s=:-])")
_SAID = re.compile(
    r"[^\W\d_]{0,6}(?:\s(?:for|of|to|on|in|at|für|von|zu|zum|der|des|pour|de|du|da|do|della|del|"
    r"para|per|voor|van|dla|для|от|к|di|dal|na|с)\s[^\n.:;]{1,50}?)?[,]?\s{0,2}(?:(?:(?<=\s)(?:is|"
    r"was|will be|to|as|ist|lautet|war|est|es|é|è|era|jest|brzmi|är|это|[=:\u2013\u2014-]|----+):?|"
    r":)\s{1,2}(?:[「„“«]\s?)?|[「„“«]\s?)(?:(?:now|set to|just|still|called|jetzt|maintenant|"
    r"ahora|agora|ora|nu|teraz|теперь)\s)?(?:\*{1,2}|_{1,2})?(?=\S)",
    re.IGNORECASE,
)
# In "password Python3 modules use" this is a name; alone in its line it would be a password.
_VERSIONED = re.compile(r"[A-Z][A-Za-z]+\d\Z")
_GOES_ON = re.compile(r"[,;]?[ \t]\w")
_ENDING = 3  # letters that may follow a stem, as in `password`
_SAID_CJK = re.compile(
    r"(?:キー|コード)?[\s*`\"'」”)\uff09]{0,3}(?:[は是为為는은:\uff1a=\uff1d|「“]|设置为|设为|改为)"
    r"[\s*:\uff1a「“]{0,3}(?=[!-~])"
)
# "mot de passe temporaire: x"
_DESCRIBED = re.compile(r"[^\W\d_]{0,6}(?: [^\W\d_]{1,14}){1,2}\s?[:\uff1a]\s{1,2}(?=\S)")
_NETRC = re.compile(
    r"\b(?:machine\s{1,4}\S{1,100}|default)\s{1,12}login\s{1,12}\S{1,100}\s{1,12}\Z"
)
_SCHEME = re.compile(
    r"\\*[\"']?\]?\s?[:=,]?\s{0,2}\\*[\"'`]?(?:[A-Za-z][A-Za-z-]{1,16}(?=[ :=]))?[ :=]{0,3}"
)
_NO_CREDENTIAL = re.compile(
    r"//|[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:=|\Z)|\d+\Z|https?:|\d{4}-\d\d-\d\d|[a-z_]+(?:\.[a-z_]\w*)+\Z"
)
_CREDENTIAL = re.compile(r"[A-Za-z0-9._~+/=:!@-]{8,4000}")
# The result of a test, not a password: `--- PASS: TestRename/keeps_ids_2`.
_TEST = re.compile(
    r"(?:Test|Example|Benchmark|Fuzz)[A-Z_]\w*(?:/|\Z)|[\w./-]{1,200}\.(?:[cm]?[jt]sx?|py|go|rb|"
    r"php|rs)\Z"
)
Judged = tuple[int, int, bool]  # start, end, and whether it is secret
# Against hostile text: how many values may come at once, and after how many characters one more may
# come. 52 MB of real sessions had at most 37 at once.
_BURST, _APART = 512, 128
_EMPTY = 0.5  # weight in this count of a name without a value
_ROWS = 10  # so many values of one name (rows of a table) weigh as much as one name
_UNREAD = 512  # characters that are blanked without a search after a name in denser text
DENSE = "dense"
_LONG = 15
# names searched inside a value that was already judged; hostile text could repeat them endlessly
_NESTED = 3
_NAME = ascii_letters + digits + "_-."
_COMMA = re.compile(r"\\{0,8}[\"'`]?\s{0,3},\s{0,3}(?=\\{0,8}[\"'`])")
_SIGNS = frozenset("=:\"'`<>()[]{},;.")
_CALLED = frozenset("([")


def _name(text: str, start: int) -> str:
    left = text[max(0, start - 48) : start]
    return left[len(left.rstrip(_NAME)) :]


def _left(text: str, start: int, end: int) -> str:
    """Return the part of a name before its keyword.

    For a `key` that stands apart, as in `access key`, `api_` is added, so that the name counts as
    that of a secret.
    """
    left = _name(text, start)
    return f"api_{left}" if text[start:end].lower() == "key" and not is_key_of(left) else left


def _listed(text: str, name: str, at: int) -> Iterator[Judged]:
    """Yield the strings that follow the first one in a list, until one is not secret."""
    while (comma := _COMMA.match(text, at)) is not None:
        inside = quoted_at(text, comma.end())
        if inside is None or not is_secret(name, text[slice(*inside)], quoted=True):
            return
        yield *inside, True
        at = inside[1]


def _by_sign(text: str, start: int, end: int) -> Iterator[Judged]:
    """Find `name = value` in all its notations."""
    sign = _SIGN.match(text, end)
    if not sign:
        return
    left = _left(text, start, end)
    name = (left + text[start:end] + sign["rest"]).strip("-._")
    env = (
        name.isupper()
        and sign["sign"] == "="
        and sign.end() == sign.end("sign") == sign.start("rest") + len(sign["rest"]) + 1
    )
    value = value_at(text, sign.end(), WHOLE if env else BARE)
    if not value or (len(name) > _LONG and is_random(name)):  # an id that contains the keyword
        return
    first, last, quoted = value
    if not quoted and "\n" in text[sign.end("sign") : first]:
        return
    is_verdict = (name, sign["sign"], quoted) == ("PASS", ":", False) and _is_verdict(
        text, start, first, last
    )
    is_label = sign["beside"] and (
        not PASSWORD.match(text, start) or text[text.rfind("\n", 0, start) + 1 : start].strip()
    )
    if is_verdict or is_label:
        return
    if (sign["comma"] or not quoted) and (
        text[last : last + 1] in _CALLED or (sign["comma"] and not has_digit(text[first:last]))
    ):
        return
    loud = env or (bool(sign["close"]) and quoted)
    name = name.upper() if loud else name
    secret = is_secret(name, text[first:last], quoted=quoted)
    yield first, last, secret
    if secret and sign["call"].startswith("["):
        yield from _listed(text, name, last)


def _is_verdict(text: str, start: int, first: int, last: int) -> bool:
    """Return whether `PASS:` reports a passed test, and is not the name of a password."""
    return text.endswith("--- ", 0, start) or bool(_TEST.match(text, first, last))


def _by_word(text: str, start: int, end: int) -> Iterator[Judged]:
    """Find `--password X`, `machine H login L password X` and `the password is X`."""
    flag = _FLAG.match(text, end)
    name = _name(text, start) if flag else ""
    is_word = bool(PASSWORD.match(text, start))
    if flag and (name.startswith("-") or (is_word and not name and _is_netrc(text, start))):
        yield from _by_option(text, name + text[start:end] + flag["rest"], flag, is_word=is_word)
        return
    lead = _SAID.match(text, end)
    if lead and (found := value_at(text, lead.end())):
        first, last, quoted = found
        yield first, last, is_said(text[first:last], word=is_word, quoted=quoted)
    elif (
        (is_word or text[start:end].lower() in FOREIGN_WORDS)
        and (described := _DESCRIBED.match(text, end))
        and (found := value_at(text, described.end()))
    ):
        yield found[0], found[1], is_beside(text[found[0] : found[1]])
    elif flag and is_word:
        yield from _directly_after(text, name, start, flag)


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
        whole = (
            len(name) > 1
            or not text[max(0, text.rfind("\n", 0, start), start - 40) : start].strip()
        )
        yield (
            found[0],
            found[1],
            is_beside(value)
            or (
                whole
                and has_digit(value)
                and is_secret("password", value, quoted=found[2])
                and not (_VERSIONED.match(value) and _GOES_ON.match(text, found[1]))
            ),
        )


def _by_cjk(text: str, word: str, end: int) -> Iterator[Judged]:
    """Find a value after a name in a script without spaces, such as Chinese."""
    lead = _SAID_CJK.match(text, end)
    found = value_at(text, lead.end()) if lead else None
    if found:
        value = text[found[0] : found[1]]
        yield (
            found[0],
            found[1],
            is_secret(word, value, quoted=found[2])
            or is_said(value, word=bool(PASSWORD.match(word)), quoted=found[2]),
        )
    else:
        yield from find_nearby(text, "", end - len(word), end)


def _by_scheme(text: str, end: int) -> Iterator[Judged]:
    """Find the credential in a header such as `Authorization: Bearer X`."""
    scheme = _SCHEME.match(text, end)
    found = _CREDENTIAL.match(text, scheme.end()) if scheme else None
    if found:
        value = found[0][:JUDGED]
        machine = has_digit(value) or is_random(value)
        yield (
            *found.span(),
            machine and not is_placeholder(value) and not _NO_CREDENTIAL.match(value),
        )


def _around(text: str, low: str, start: int, end: int) -> list[Judged]:
    """Return the values found around a keyword, each with whether it is secret."""
    word = low[start:end]
    if word in CJK_WORDS:
        return list(_by_cjk(text, word, end))
    judged = list(_by_sign(text, start, end))
    if judged and judged[0][2]:
        return judged
    judged += find_nearby(text, _left(text, start, end), start, end)
    if word in {"auth", "bearer"}:
        tail = end + 9 if low.startswith("orization", end) else end
        if (word == "bearer" or tail > end) and not text[tail : tail + 1].isalnum():
            judged += _by_scheme(text, tail)
    elif text[end : end + 1] not in _SIGNS and (word.startswith("pass") or word in _SPOKEN):
        judged += _by_word(text, start, end)
    return judged


_SPOKEN = frozenset(
    {"secret", "token", "key", "pwd", "pw", "psk", "pswd", "pat", "pin", *FOREIGN_WORDS}
)


def find_assignments(text: str, low: str) -> Iterator[Finding]:
    """Find values assigned to names of secrets; `low` is the text in lower case."""
    done = reach = nested = met = 0
    crowd = 0.0
    for hit in find_keywords(low):
        start, end = hit.span()
        word = hit[0]
        if start < done or (word == "key" and not is_key_of(text[max(0, start - 14) : start])):
            continue
        if word.startswith("pin") and text[start] == "p" and text[start - 1 : start].isalnum():
            continue
        nested = nested + 1 if start < reach else 0
        if nested > _NESTED or not (word in CJK_WORDS or _NAME_ENDS.match(text, end)):
            continue
        crowd, met = max(0.0, crowd - (start - met) / _APART), start
        if crowd >= _BURST:
            line = text.find("\n", end, end + _UNREAD)
            done = line if line >= 0 else min(len(text), end + _UNREAD)
            yield Finding(start, done, DENSE)
            continue
        judged = _around(text, low, start, end)
        crowd += 1.0 + len(judged) / _ROWS if judged else _EMPTY
        for first, last, secret in judged:
            reach = max(reach, last)
            if secret:
                yield Finding(
                    first, last, "authorization" if word in {"auth", "bearer"} else "assignment"
                )
                done = max(done, last)
