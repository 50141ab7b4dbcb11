"""Parse a query: words, phrases, exclusions and filters.

This module imports little, so that `git lerim search` starts quickly.
"""

from git_lerim.recall.index.terms import plain_words, terms

LONGEST = 4000  # characters of a query that are read
MOST = 48  # terms of a query that are used
FIELDS = ("primitive", "kind", "tag", "path", "agent", "since")
_QUOTES = str.maketrans("“”„«»", '"""""')


class Query:
    """A parsed query."""

    __slots__ = ("fields", "phrases", "prefixes", "terms", "without", "words")

    def __init__(self) -> None:
        """Begin with an empty query."""
        self.terms: dict[str, int] = {}  # with their counts
        self.words: list[str] = []  # as written, including stop words
        self.phrases: list[list[str]] = []
        self.prefixes: list[str] = []
        self.without: list[str] = []  # excluded terms
        self.fields: dict[str, list[str]] = {}

    @property
    def selects(self) -> bool:
        """Whether the query has a word or a filter; an exclusion alone selects nothing."""
        return bool(self.words or self.fields)

    @property
    def quotes(self) -> bool:
        """Whether the query has both a quoted phrase and other words."""
        return bool(self.phrases) and len(self.words) > sum(map(len, self.phrases))


def parse(text: str) -> Query:
    """Parse a query; every text is a valid query."""
    query = Query()
    for minus, field, word, quoted in _pieces(valid_utf8(text[:LONGEST])):
        if field and not minus:
            query.fields.setdefault(field, []).append(word)
        elif minus:
            query.without += terms(word)
        else:
            _take(query, word, quoted=quoted)
    return query


def filters_of(text: str) -> list[tuple[str, str]]:
    """Return the filters of a query as written, even those without a value."""
    return [
        (field, word) for minus, field, word, _ in _split(text[:LONGEST]) if field and not minus
    ]


def valid_utf8(text: str) -> str:
    """Replace invalid UTF-8, so that the text can be used in a query."""
    return text.encode("utf-8", "replace").decode("utf-8")


def plain_text(text: str) -> str:
    """Return the words of a query as written, without its filters and exclusions."""
    return " ".join(
        word for minus, field, word, _ in _pieces(text[:LONGEST]) if not minus and not field
    )


def _take(query: Query, word: str, *, quoted: bool) -> None:
    plain = plain_words(word)
    query.words += plain
    if quoted and len(plain) > 1:
        query.phrases.append(plain)
    if not quoted and word.endswith("*") and plain:
        query.prefixes.append(plain[-1])
        return
    for term in terms(word):
        if term in query.terms or len(query.terms) < MOST:
            query.terms[term] = query.terms.get(term, 0) + 1


def _pieces(text: str) -> list[tuple[bool, str, str, bool]]:
    """Split a query into its words and quoted parts.

    Each is a tuple: whether it is excluded, its field or an empty string, its text, and whether it
    is quoted.
    """
    return [piece for piece in _split(text) if piece[2].strip()]


def _split(text: str) -> list[tuple[bool, str, str, bool]]:
    found: list[tuple[bool, str, str, bool]] = []
    for n, part in enumerate(text.translate(_QUOTES).split('"')):
        if n % 2:
            last = found[-1] if found else None
            opened = last is not None and last[3] and not last[2]
            minus, field = (last[0], last[1]) if opened and last else (False, "")
            if opened:
                found.pop()
            found.append((minus, field, part, True))
            continue
        found += [_word(word) for word in part.split()]
        # in `-"a b"` and `tag:"a b"`, the sign or the field belongs to the quoted part
        if found and part[-1:].strip() and found[-1][2] in {"", "-"}:
            minus, field, rest, _ = found.pop()
            found.append((minus or rest == "-", field, "", True))
    return found


def _word(word: str) -> tuple[bool, str, str, bool]:
    minus = word.startswith("-") and len(word) > 1
    bare = word[1:] if minus else word
    field, colon, value = bare.partition(":")
    if colon and field.lower() in FIELDS:
        return minus, field.lower(), value, False
    return minus, "", bare, False
