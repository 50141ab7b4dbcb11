"""Find passwords in arguments of calls like `check_password(…)` and in options' defaults."""

import re
from collections.abc import Iterator

from git_lerim.redaction.secret_names import PASSWORD, is_secret
from git_lerim.redaction.views.notation import value_at

Judged = tuple[int, int, bool]  # start, end, and whether it is secret
_Q = r"\\{0,8}[\"'`]"
# Verbs of calls whose argument is a password, as in `user.check_password("x")`. Calls that get, ask
# for or show a password take other arguments.
_VERB = re.compile(
    r"(?:check|verify|valid(?:ate)?|set|hash|make|encode|encrypt|match(?:es)?|compare|with|change|"
    r"update|reset|use|auth(?:enticate|orize)?)_?(?:[a-z]{1,12}_?)?\Z|\.\Z",
    re.IGNORECASE,
)
_CALL = re.compile(rf"[a-zA-Z_]{{0,20}}\(\s{{0,40}}[rbfu]?(?={_Q})")
# parser.add_argument("--password", type=str, default="x")
_OPTION = re.compile(rf"{_Q}-[\w-]{{0,48}}\Z")
_DEFAULT = re.compile(
    rf"[\w -]{{0,30}}(?:[<\[]\w{{1,20}}[>\]])?{_Q}\s?,"
    rf"(?:[^()]|\([^()\n]{{0,100}}\)){{0,300}}?\bdefault\s?=\s?(?={_Q})"
)


def find_argument(text: str, name: str, start: int, end: int) -> Iterator[Judged]:
    """Yield the span of the value that code gives to a password, and whether it is secret.

    The value is an argument of a call, or the default of an option. `start` and `end` delimit the
    keyword within the name.
    """
    if not PASSWORD.match(text, start):
        return
    floor = max(0, start - 50)
    if call := _CALL.match(text, end):
        if _VERB.search(text[floor:start]):
            yield from _string(text, name.lower(), call.end(), quoted=False)
    elif (default := _DEFAULT.match(text, end)) and _OPTION.search(text[floor:start]):
        yield from _string(text, name, default.end(), quoted=True)


def _string(text: str, name: str, at: int, *, quoted: bool) -> Iterator[Judged]:
    found = value_at(text, at)
    if found and found[2]:
        yield found[0], found[1], is_secret(name, text[slice(*found[:2])], quoted=quoted)
