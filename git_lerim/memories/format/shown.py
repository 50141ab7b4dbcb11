"""Types of text that name something: a person, another memory, a verdict.

Anybody who can push may write any text into such a field, even an order to an agent. The text stays
in the file, but is shown only if it looks like such a name.
"""

import re

from git_lerim.git.commits.author_names import signature
from git_lerim.memories.format.forms import Line, Names, Word

_TERM = re.compile(r"[a-z]{1,20}")
_ID = re.compile(r"[a-z2-7]{13}")


class Person(Line):
    """The type of a person, `Name <mail>`; a text that is more than a name is not shown."""

    def shown(self, value: str) -> str:
        """Return a person, or `somebody` for a text that is more than a name."""
        name, _, mail = value.partition(" <")
        return signature(name, mail.rstrip(">"))

    def json(self, value: str) -> str:
        """Return the person as shown."""
        return self.shown(value)


class Term(Word):
    """The type of a word from a fixed list, to which newer versions may add words."""

    def shown(self, value: str) -> str:
        """Return the word, or `unknown` for any other text."""
        return value if _TERM.fullmatch(value) else "unknown"

    def json(self, value: str) -> str:
        """Return the word as shown."""
        return self.shown(value)


class Links(Names):
    """The type of a set of ids of other memories; a text that is not an id is never shown."""

    def json(self, value: tuple[str, ...]) -> list[str]:
        """Return the ids as a list for JSON."""
        return [each for each in value if _ID.fullmatch(each)]

    def lines(self, value: tuple[str, ...]) -> list[str]:
        """Return one line with all ids, or no line if there are none."""
        return super().lines(tuple(self.json(value)))


PERSON, TERM, LINKS = Person(), Term(), Links()
