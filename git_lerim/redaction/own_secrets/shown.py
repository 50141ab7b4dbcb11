"""Choose the lines of a tool's output that may show a secret: most output is long and has none."""

from git_lerim.redaction.keywords import lower

# what has no such name beside it, such as a vendor's token, is recognized wherever it recurs
_NAMES = (
    *("passw", "passphrase", "passcode", "pwd", "secret", "token", "credential"),
    *("api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "private_key"),
)
_DIGITS = frozenset("0123456789")  # without one, a value is not known elsewhere
_EACH = 200  # the most occurrences of each name that are looked at
_BEFORE, _AFTER = 200, 400  # characters of a line before such a name, and from it on
_MOST = 20_000  # characters


def lines_naming_secrets(output: str) -> str:
    """Return the lines of an output that name a secret, each with the next, if one has a digit."""
    parts: list[str] = []
    left, end = _MOST, 0
    for at in _named(lower(output)):
        if at < end:
            continue
        start = max(end, at - _BEFORE, output.rfind("\n", 0, at) + 1)
        end = _end_of_line(output, _end_of_line(output, at) + 1)
        end = min(end, at + _AFTER)
        if not _DIGITS.isdisjoint(part := output[start:end]):
            parts.append(part)
            left -= len(part)
        if left <= 0:
            break
    return "\n".join(parts)


def _named(low: str) -> list[int]:
    """Return where a text in lower case contains names of secrets, in order."""
    found = []
    for name in _NAMES:
        at = low.find(name)
        for _ in range(_EACH):
            if at < 0:
                break
            found.append(at)
            at = low.find(name, at + len(name))
    return sorted(found)


def _end_of_line(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found
