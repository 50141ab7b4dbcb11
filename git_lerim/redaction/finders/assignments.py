"""Find values assigned to names of secrets: find the name first, then the value next to it."""

import re
from collections.abc import Iterator

from git_lerim.redaction.chosen import is_chosen, is_marked, is_memorable, is_words_and_number
from git_lerim.redaction.finders.nearby_values import find_nearby
from git_lerim.redaction.finders.spoken import (
    CLAUSE_END,
    DETERMINERS,
    find_of_bare_key,
    find_spoken,
)
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.keywords import CJK_WORDS, FOREIGN_WORDS, find_keywords
from git_lerim.redaction.secret_names import (
    JUDGED,
    PASSWORD,
    Strength,
    is_key_of,
    is_said,
    is_secret,
    strength,
)
from git_lerim.redaction.value_shape import has_digit, is_placeholder, is_random
from git_lerim.redaction.views.notation import BARE, WHOLE, name_before, quoted_at, value_at

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
_SAID_CJK = re.compile(
    r"(?:キー|コード)?[\s*`\"'」”)\uff09]{0,3}(?:[は是为為는은:\uff1a=\uff1d|「“]|设置为|设为|改为)"
    r"[\s*:\uff1a「“]{0,3}(?=[!-~])"
)
_BESIDE_CJK = re.compile(r"[ \t\u3000]{1,2}(?=[!-~])")
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
_COMMA = re.compile(r"\\{0,8}[\"'`]?\s{0,3},\s{0,3}(?=\\{0,8}[\"'`])")
_SIGNS = frozenset("=:\"'`<>()[]{},;.")
_CALLED = frozenset("([")


def _left(text: str, start: int, end: int) -> str:
    """Return the part of a name before its keyword.

    For a `key` that stands apart, as in `access key`, `api_` is added, so that the name counts as
    that of a secret.
    """
    left = name_before(text, start)
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
    secret = is_secret(name, text[first:last], quoted=quoted) or (
        strength(name) is Strength.PASSWORD and _is_joined(text[first:last])
    )
    yield first, last, secret
    if secret and sign["call"].startswith("["):
        yield from _listed(text, name, last)


def _is_joined(value: str) -> bool:
    """Return whether a value is a chosen password with dashes, and not a name with dots."""
    return "-" in value and (is_chosen(value) or is_words_and_number(value))


def _is_verdict(text: str, start: int, first: int, last: int) -> bool:
    """Return whether `PASS:` reports a passed test, and is not the name of a password."""
    return text.endswith("--- ", 0, start) or bool(_TEST.match(text, first, last))


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
            or is_said(value, word=bool(PASSWORD.match(word)), quoted=found[2])
            or (is_marked(value) and bool(PASSWORD.match(word))),
        )
    elif (beside := _BESIDE_CJK.match(text, end)) and (found := value_at(text, beside.end())):
        value = text[found[0] : found[1]]
        ended = text[found[1] : found[1] + 1] > "\u2fff" or CLAUSE_END.match(text, found[1])
        yield found[0], found[1], bool(PASSWORD.match(word) and ended) and is_memorable(value)
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
        judged += find_spoken(text, start, end)
    return judged


_SPOKEN = frozenset(
    {"secret", "token", "key", "pwd", "pw", "psk", "pswd", "pat", "pin", *FOREIGN_WORDS}
)


def _is_name(text: str, word: str, start: int, end: int) -> bool:
    """Return whether a keyword ends a name or a word, and is not the `pin` in `spinning`."""
    if word.startswith("pin") and text[start] == "p" and text[start - 1 : start].isalnum():
        return False
    return word in CJK_WORDS or bool(_NAME_ENDS.match(text, end))


def find_assignments(text: str, low: str) -> Iterator[Finding]:
    """Find values assigned to names of secrets; `low` is the text in lower case."""
    done = reach = nested = met = 0
    crowd = 0.0
    for hit in find_keywords(low):
        start, end = hit.span()
        word = hit[0]
        if start < done:
            continue
        if word == "key" and not is_key_of(text[max(0, start - 14) : start]):
            if low.endswith(DETERMINERS, 0, start):
                yield from find_of_bare_key(text, start, end)
            continue
        nested = nested + 1 if start < reach else 0
        if nested > _NESTED or not _is_name(text, word, start, end):
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
