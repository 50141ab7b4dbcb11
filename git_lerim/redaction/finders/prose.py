"""Find passwords in prose, such as `X as the admin password` and `log in with ann / X`."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import is_beside

# "use X as the admin password", but not "as the password hash"
_AS = re.compile(
    r" as (?:(?:the|a|an|our|my|your|its) )?(?:[\w-]{1,20} ){0,3}(?:password|passphrase|passwd|"
    r"passcode|pwd)\b(?! (?:hash|algorithm|manager|field|file|input|policy|provider|column))"
)
_BEFORE = re.compile(r"[^\s\"'`]{6,100}(?=[\"'`]?\Z)")
_REACH = 102
# "log in with ann / X", "the login, it is ann:X"
_LOGIN = re.compile(
    r"(?:log(?:ged|s)?[ -]?in|login|sign[ -]?in|credentials?|creds)\b[^\n]{0,60}?[ (`\"']"
    r"[\w.@+-]{2,40}(?: / |:)(?![/\\\d])(?P<value>[^\s\"'`<>{}()]{6,100})"
)


def find_in_prose(text: str, low: str) -> Iterator[Finding]:
    """Find passwords in prose; `low` is the text in lower case."""
    if " as " in low and ("pass" in low or "pwd" in low):
        for named in _AS.finditer(low):
            start = max(0, named.start() - _REACH)
            value = _BEFORE.search(text[start : named.start()])
            if value and is_beside(value[0]):
                yield Finding(start + value.start(), start + value.end(), "password")
    for login in _LOGIN.finditer(low):
        start, end = login.span("value")
        value_end = start + len(text[start:end].rstrip(".,;:!?"))
        if is_beside(text[start:value_end]):
            yield Finding(start, value_end, "password")
