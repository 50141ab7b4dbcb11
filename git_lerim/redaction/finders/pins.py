"""Find numbers that a sentence calls a PIN: `the pin 482913`, `the PIN of the safe is 883417`."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finders.spoken import CLAUSE_END
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.views.notation import matches_at

_OWNED = re.compile(
    r"(?:\A|[^\w-])(?:the|my|our|your|his|her|their|with|new|old|door|safe|card|sim|die|der|mit|"
    r"meine|deine|unsere|le|mon|notre|el|la|il)\s[\"'`]?\Z"
)
_NUMBER = re.compile(
    r"pin(?: code| number)?(?P<says>(?: (?:of|for|to|on|von|für|de|du|del)\s[^\n.:;\d]{1,40}?)?"
    r" (?:is|was|ist|lautet|est|es|è|é|jest):?)?[ \t]{1,2}[\"'`]?(?P<value>\d{4,8})(?![\w%])"
)
_DATE = re.compile(r"(?:19|20)\d\d(?:[01]\d(?:[0-3]\d)?)?\Z")
_ALIKE = re.compile(r"(\d)\1+\Z|0*1234(?:5(?:6(?:78?)?)?)?\Z")  # as in examples


def find_pins(low: str) -> Iterator[Finding]:
    """Find the numbers of PINs in a text in lower case."""
    for pin in matches_at(low, "pin", _NUMBER.match):
        value = pin["value"]
        if (
            _OWNED.search(low, max(0, pin.start() - 12), pin.start())
            and CLAUSE_END.match(low, pin.end())
            and not _ALIKE.match(value)
            and not _DATE.match(value)
        ):
            yield Finding(*pin.span("value"), "pin")
