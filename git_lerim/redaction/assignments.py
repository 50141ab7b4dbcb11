"""Values given to a name that says they are secret: find the name first, then look left and right by hand."""

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from string import ascii_letters, digits

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.values import has_digit, is_phrase, is_placeholder, is_random, is_worded, kinds


class Strength(Enum):
    """How much a name promises that its value is secret."""

    PASSWORD = "password"
    SECRET = "secret"  # noqa: S105 - a word, not a secret
    TOKEN = "token"  # noqa: S105
    PIN = "pin"


_KEYWORD = re.compile(r"pass(?:w|phrase|code|\b|_)|pwd|secret|token|credential|auth(?!or(?!i[sz]))|key|bearer|pin\b|pin_|crumb")
_KEY_OF = (
    *("api", "access", "secret", "private", "account", "license", "licence", "signing", "encryption", "encrypt", "master", "service", "shared", "preshared"),
    *("deploy", "insert", "query", "auth", "app", "client", "consumer", "storage", "admin", "ssh", "webhook", "developer", "user", "integration"),
    *("personal", "ingest", "write", "server", "device", "session", "jwt", "hmac", "aes", "crypto", "subscription", "publishable", "fbconnect", "facebook."),
    *("linkedin_", "twitter_", "stripe_", "openai_", "jina_", "project", "team", "root", "security", "host", "cloud", "data", "activation", "ovh", "meraki"),
)
_KEY_LEFT = tuple(dict.fromkeys(word.rstrip("_.") for word in _KEY_OF))

# After the name: its rest, what closes it, an optional type, the sign, an opening bracket or call with a default.
_SIGN = re.compile(
    r"(?P<rest>[\w.$-]{0,48}+)"
    r"(?:"
    r"(?P<close>\\*[\"'`]?[\])]?|[ \t]{0,40})\s{0,3}(?:(?::?\s?(?:string|str|String|const|&str|char\s?\*)\s?))?"
    r"(?P<sign>=>|:{0,3}[?.!=+]?={1,3}|->|:(?!/)|%3[aAdD])\s{0,3}(?:\n\s{0,40}(?=\\*[\"'`]))?"
    r"|(?P<comma>\\*[\"'`])(?:\s?,\s?|\s{1,3}value\s?=\s?)(?=\\*[\"'`])"
    r"|>\s{0,80}"
    r"|(?P<beside>[ \t]{1,3})(?=[\"'][^\"'\n]{1,200}[\"'])"
    r")"
    r"(?P<call>(?:[\w.]{0,40}(?:getenv|environ\.get|env|ENV\.fetch|get)\(\s?[\"'][^\"'\n]{1,80}[\"']\s?,\s?|process\.env\.\w{1,60}\s?(?:\|\||\?\?)\s?|\[(?!REDACTED:)\s?|new\s\w{1,40}\(|\w{1,20}\((?=[\"']))?)"
    r"(?:[rbfuL@](?=[\"'`]))?",
)
_FLAG = re.compile(r"(?P<rest>[\w-]{0,30})[ \t]{1,3}(?=[^\s=:-])")
_SAID = re.compile(
    r"[a-z]{0,6}(?:\s(?:for|of|to|on|in|at)\s[^\n.:;]{1,50}?)?[,]?\s{1,2}(?:is|was|will be|to|as|=|:|----+)\s{1,2}(?:now |set to |just |still |called )?(?=\S)",
    re.IGNORECASE,
)
_NETRC = re.compile(r"\b(?:machine\s{1,4}\S{1,100}|default)\s{1,12}login\s{1,12}\S{1,100}\s{1,12}\Z")
_SCHEME = re.compile(r"\\*[\"']?\]?\s?[:=,]?\s{0,2}\\*[\"'`]?(?:[A-Za-z][A-Za-z-]{1,16}(?=[ :=]))?[ :=]{0,3}")
_NO_CREDENTIAL = re.compile(r"\d+\Z|https?:|\d{4}-\d\d-\d\d|[a-z_]+(?:\.[a-z_]\w*)+\Z")
_CREDENTIAL = re.compile(r"[A-Za-z0-9._~+/=:!@-]{8,4000}")
_BARE = re.compile(r"(?:[^\s\"'`,;<>()\[\]{}|&\\]|\\(?![nrt\"'\\/u])){3,512}")
_WHOLE = re.compile(r"(?:[^\s\"'`,;<>()\[\]{}|&\\]|\\(?![nrt\"'\\/u]))(?:[^\s\"'`,;<>|&\\]|\\(?![nrt\"'\\/u])){2,511}")
_NAMED = re.compile(r"passw(?:or)?d?|passphrase|passcode|pass(?![a-z])|pwd|secret|token|credential|auth(?!or(?!i[sz]))|key|bearer|crumb", re.IGNORECASE)
_META = re.compile(
    r"(?:type|policy|policies|lengths?|len|count|counter|ttl|expir\w*|max|min|limits?|used|usage|urls?|uri|endpoint|names?|files?|path|dir|folder|fields?|input|labels?|hint"
    r"|headers?|prefix|suffix|regex|patterns?|format|algo\w*|attempts|timeout|age|sizes?|required|enabled|disabled|valid\w*|index|pos|position|kind|class|provider|store"
    r"|manager|methods?|mode|version|status|state|errors?|messages?|title|placeholder|prompt|description|reset|forgot\w*|changed?|strength|rules?|reuse|remaining|left"
    r"|frames?|group|space|sets?|maps?|list|params?|scopes?|domain|source|src|refs?|arn|alias|location|callback|links?|page|route|button|text|icon|color|style|row|column|sep\w*"
    r"|delimiter|chars?|handlers?|func\w*|objects?|modules?|import|stream|tree|parser|sink|keyboard)\Z"
    r"|\A(?:iz\w+|is\w+|words?|board\w*|down|up|press|stroke|chain|ring|or|ors|ority|orities|enti\w+|ored|oring|orship|frame|less|ing|ed|able|pair|point|note)\Z"
    r"|\Aid\Z",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:\A|[^a-z])(?:max|min|num|total|input|output|prompt|completion|cached?|n|read|write|creation|used)[-_]?tokens|public|foreign[-_]?key|primary[-_]?key", re.IGNORECASE)
_PASSWORD = re.compile(r"pass(?:w|phrase|code|\b|_|$)|pwd", re.IGNORECASE)
_SECRET = re.compile(r"secret|(?:api|access|private|signing|account|license|encryption|master|storage|consumer)[-_. ]?key|credential", re.IGNORECASE)
_PIN = re.compile(r"(?:^|_|-|[a-z](?=P))pin(?:$|_|-)|passcode", re.IGNORECASE)
_COUNT = re.compile(r"tokens?\b|Tokens?(?![a-z])")
_PLURAL = re.compile(r"(?:tokens|secrets|keys|passwords|credentials)\Z", re.IGNORECASE)
Judged = tuple[int, int, bool]  # from, to, and whether it is secret
_JUDGED = 128  # characters of a value that are looked at
_NESTED = 6  # names inside a value that was judged already: hostile text would have it judged again and again
_NAME = ascii_letters + digits + "_-."
_QUOTES = frozenset("\\\"'`")
_COMMA = re.compile(r"\\{0,8}[\"'`]?\s{0,3},\s{0,3}(?=\\{0,8}[\"'`])")
_OPENING = re.compile(r"\\{0,8}[\"'`]")
_CALLED = frozenset("([")


def _is_key_of(left: str) -> bool:
    """Say whether what stands before `key` makes it a secret one."""
    return left.rstrip("_-. ").endswith(_KEY_LEFT)


@lru_cache(maxsize=4096)
def strength(name: str) -> Strength | None:
    """Say how secret the value of a name is by its name alone; None for a name that does not speak, or only speaks about secrets."""
    words = [word for word in _NAMED.finditer(name) if word[0].lower() != "key" or _is_key_of(name[: word.start()].lower())]
    if _PIN.search(name) and not words:
        return Strength.PIN
    if not words or _AMOUNT.search(name):
        return None
    rest = name[words[-1].end() :].lstrip("s").strip("-_.")
    if rest and _META.search(rest) and not (rest.lower() == "id" and words[-1][0].lower() in {"key", "secret"}):
        return None
    if _PASSWORD.search(name):
        return Strength.PASSWORD
    return Strength.SECRET if _SECRET.search(name) else Strength.TOKEN


def is_secret(name: str, value: str, *, quoted: bool) -> bool:
    """Judge a value by the name it was given and by its own look."""
    kind = strength(name)
    value = value[:_JUDGED]
    if kind is None or len(value) < 4 or (kind is Strength.TOKEN and len(value) < 16 and not quoted and not has_digit(value)) or is_placeholder(value):
        return False
    if value.isdecimal():
        least = {Strength.PIN: 4, Strength.PASSWORD: 5, Strength.SECRET: 8, Strength.TOKEN: 15}[kind]
        return len(value) >= least and not _PLURAL.search(name)
    if " " in value:
        return quoted and kind in {Strength.PASSWORD, Strength.SECRET} and is_phrase(value)
    if kind is Strength.PASSWORD:
        return _is_password(name, value, quoted=quoted)
    if is_random(value):
        return True
    variety = kinds(value)
    if kind is Strength.SECRET:
        return len(value) >= 6 and (variety >= 3 or (variety == 2 and not is_worded(value)) or (quoted and bool(re.search(r"#|^[A-Za-z]*\d\w{3,}$", value)) and len(value) >= 10))
    return quoted and name.isupper() and len(value) >= 6 and variety >= 3


_CODE = re.compile(r"[a-z_]+(?:_[a-z]+)*\d?\Z|[a-z]+(?:[A-Z][a-z]+)+\d?\Z|[\w.]+\Z(?<![0-9])|/[\w./-]*\Z|[A-Z][a-z]+\Z|[A-Z_]+\Z")
_LABEL = re.compile(r"pass(?:word|wd|phrase)?|secret|string|required|hidden|text|input|field|login|admin|invalid|must|enter|confirm|current|forgot|optional|strong|weak|plain|sha|md5|bcrypt|scrypt|user|null|none|prompt|field|key|config|default|change|error|account|value", re.IGNORECASE)


_JOINT = re.compile(r"[-./_]")
_UNUSUAL = re.compile(r"[!$%^*?#@~]")


def _is_password(name: str, value: str, *, quoted: bool) -> bool:
    variety = kinds(value)
    if variety == 1:
        return value.isalpha() and len(value) >= 6 and not _LABEL.search(value) and (quoted or name.isupper()) and value == value.lower()
    if quoted or name.isupper():
        return variety >= 3 or not is_worded(value) or (has_digit(value) and not _JOINT.search(value))
    return (has_digit(value) or variety >= 3 or bool(_UNUSUAL.search(value))) and not _CODE.match(value)


def _quoted(text: str, at: int) -> tuple[int, int] | None:
    """Return where the inside of the string that opens at `at` stands; its closing quote is as deeply escaped as the opening one."""
    quote = at
    while text[quote] == "\\" and quote < at + 8:
        quote += 1
    opening = text[at : quote + 1]
    start = close = quote + 1
    while (close := text.find(opening, close, start + 512)) >= 0:
        if len(opening) > 1 or text[close - 1] != "\\" or text[close - 2 : close] == "\\\\":
            break
        close += 1
    return (start, close) if close > start and "\n" not in text[start:close] else None


def _value(text: str, at: int, bare: re.Pattern[str] = _BARE) -> tuple[int, int, bool] | None:
    """Return where the value that begins at `at` stands, and whether it is quoted."""
    if text[at : at + 1] in _QUOTES and (opening := _OPENING.match(text, at)):
        inside = _quoted(text, at)
        if inside:
            return (*inside, True)
        at = opening.end()
    found = bare.match(text, at)
    if not found:
        return None
    end = found.end()
    while end > at and text[end - 1] in ".:?}]" and text[end : end + 1] in ("", " ", "\n", ",", "}", "]"):
        end -= 1
    return at, end, False


def _name(text: str, start: int) -> str:
    left = text[max(0, start - 48) : start]
    return left[len(left.rstrip(_NAME)) :]


def _listed(text: str, name: str, at: int) -> Iterator[Judged]:
    """Yield the further strings of a list."""
    while (comma := _COMMA.match(text, at)) is not None:
        inside = _quoted(text, comma.end())
        if inside is None or not is_secret(name, text[slice(*inside)], quoted=True):
            return
        yield *inside, True
        at = inside[1]


def _by_sign(text: str, start: int, end: int) -> Iterator[Judged]:
    """Look for `name = value` in all its notations."""
    sign = _SIGN.match(text, end)
    if not sign:
        return
    left = _name(text, start)
    if text[start:end].lower() == "key" and not _is_key_of(left.lower()):
        left = f"api_{left}"  # "access key", in two words
    name = (left + text[start:end] + sign["rest"]).strip("-._")
    env = name.isupper() and sign["sign"] == "=" and sign.end() == sign.end("sign") == sign.start("rest") + len(sign["rest"]) + 1
    value = _value(text, sign.end(), _WHOLE if env else _BARE)
    if not value:
        return
    first, last, quoted = value
    if sign["beside"] and (not _PASSWORD.match(text, start) or text[text.rfind("\n", 0, start) + 1 : start].strip()):
        return
    if (sign["comma"] or not quoted) and (text[last : last + 1] in _CALLED or (sign["comma"] and not has_digit(text[first:last]))):
        return
    loud = env or (bool(sign["close"]) and quoted)
    name = name.upper() if loud else name
    secret = is_secret(name, text[first:last], quoted=quoted)
    yield first, last, secret
    if secret and sign["call"].startswith("["):
        yield from _listed(text, name, last)


def _by_word(text: str, start: int, end: int) -> Iterator[Judged]:
    """Look for `--password X`, `machine H login L password X` and `the password is X`."""
    flag = _FLAG.match(text, end)
    name = _name(text, start) if flag else ""
    is_word = bool(_PASSWORD.match(text, start))
    is_netrc = is_word and not name and flag and _NETRC.search(text, max(0, start - 230), start)
    if flag and (name.startswith("-") or is_netrc):
        found = _value(text, flag.end())
        if found:
            value = text[found[0] : found[1]]
            plain = len(value) >= 4 and not is_placeholder(value) and (is_word or kinds(value) >= 2)
            yield found[0], found[1], plain and strength(name + text[start:end] + flag["rest"]) is not None
        return
    said = _SAID.match(text, end)
    found = _value(text, said.end()) if said else None
    if found:
        yield found[0], found[1], _is_said(text[found[0] : found[1]], word=is_word, quoted=found[2])


def _is_said(value: str, *, word: bool, quoted: bool) -> bool:
    """Judge a value that prose calls a password, a token or a secret."""
    if len(value) < 4 or " " in value or is_placeholder(value):
        return False
    if word and quoted and not _LABEL.search(value):
        return True
    return has_digit(value) and ((word and kinds(value) >= 3) or (not is_worded(value) and is_secret("secret", value, quoted=False)))


def _by_scheme(text: str, end: int) -> Iterator[Judged]:
    """Look for the credential of a header."""
    scheme = _SCHEME.match(text, end)
    found = _CREDENTIAL.match(text, scheme.end()) if scheme else None
    if found:
        value = found[0][:_JUDGED]
        machine = has_digit(value) or is_random(value)
        yield *found.span(), machine and not is_placeholder(value) and not _NO_CREDENTIAL.match(value)


def _around(text: str, low: str, start: int, end: int) -> list[Judged]:
    """Look for a value at the keyword from `start` to `end`, and say what was judged."""
    word = low[start:end]
    judged = list(_by_sign(text, start, end))
    if judged and judged[0][2]:
        return judged
    if word in {"auth", "bearer"}:
        tail = end + 9 if low.startswith("orization", end) else end
        if word == "bearer" or tail > end:
            judged += _by_scheme(text, tail)
    elif word.startswith("pass") or word in {"secret", "token", "key", "pwd"}:
        judged += _by_word(text, start, end)
    return judged


def find_assignments(text: str) -> Iterator[Finding]:
    """Find values by the names they are given."""
    low = text.lower()
    if len(low) != len(text):  # the one letter that grows
        low = text.replace("\u0130", "I").lower()
    done = reach = nested = 0
    for hit in _KEYWORD.finditer(low):
        start, end = hit.span()
        word = hit[0]
        if start < done or (word == "key" and not _is_key_of(low[max(0, start - 14) : start])):
            continue
        if word.startswith("pin") and text[start] == "p" and text[start - 1 : start].isalnum():
            continue
        nested = nested + 1 if start < reach else 0
        if nested > _NESTED:
            continue
        for first, last, secret in _around(text, low, start, end):
            reach = max(reach, last)
            if secret:
                yield Finding(first, last, "authorization" if word in {"auth", "bearer"} else "assignment")
                done = last


_COMMAND = re.compile(
    r"(?<![A-Za-z0-9])(curl|wget|docker|podman|nerdctl|mysql(?:dump|admin)?|mariadb|mongo(?:sh)?|sshpass|psexec|smbclient|rpcclient|redis-cli|helm|skopeo)(?:\.exe)?\s", re.IGNORECASE
)
_OPTION = re.compile(r" (?:-[upU]|--user|--proxy-user)")
_LONGEST_COMMAND = 4000
_USER = re.compile(r"(?<!\S)(?:-u|--user|--proxy-user|-U)[ =]{0,2}[\"']?([^\s:'\"`$<{(%|]{0,100})[:%]([^\s\"']{3,200})")
_DASH_P = re.compile(r"(?<!\S)-p[ \t]{0,2}([\"']?)([^\s\"'-][^\s\"']{3,100})\1(?=\s|$|[\"'])")
_TAKES_P = re.compile(r"docker|podman|mysql|mariadb|psexec|sshpass|mongo|nerdctl|helm|skopeo")
_LOGIN = re.compile(r"docker|podman|nerdctl|helm|skopeo")
_SHOWN = re.compile(r"\d{1,6}|(?:pass|password|token|secret)\S?")


def _commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each line with a short option stands whose command takes a password, and that command."""
    done = 0
    for option in _OPTION.finditer(text):
        if option.start() < done:
            continue
        start, floor = option.start(), max(done, option.start() - _LONGEST_COMMAND)
        while (line := text.rfind("\n", floor, start)) > 0 and text[line - 1] == "\\":
            start = line
        start = max(line + 1, floor)
        done, limit = option.end(), min(len(text), option.end() + _LONGEST_COMMAND)
        while 0 <= (line := text.find("\n", done, limit)) and text[line - 1] == "\\":
            done = line + 1
        done = line if line >= 0 else limit
        command = _COMMAND.search(text, start, done)
        if command:
            yield command.start(), done, command[1].lower()


def find_commands(text: str) -> Iterator[Finding]:
    """Find passwords among the arguments of commands that take them in short options."""
    for start, end, command in _commands(text):
        for found in _USER.finditer(text, start, end):
            if not is_placeholder(found[2]) and not found[2].startswith(("$", "//")) and not _SHOWN.fullmatch(found[2]):
                yield Finding(*found.span(2), "command")
        if _TAKES_P.match(command) and (not _LOGIN.match(command) or "login" in text[start:end]):
            for found in _DASH_P.finditer(text, start, end):
                if not is_placeholder(found[2]) and not re.match(r"\d{1,5}(?::\d+)*\Z|[./~]", found[2]):
                    yield Finding(*found.span(2), "command")
