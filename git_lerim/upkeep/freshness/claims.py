"""Extract the identifiers and literals that a memory names. Pure functions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

MOST = 40  # words that are used per memory
LONGEST = 80  # characters of a literal

_CODE = re.compile(r"``([^`\n]+(?:`[^`\n]+)*)``|`([^`\n]+)`")
_QUOTED = re.compile(r"\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”|(?<!\w)'([^'\n]{1,80})'(?!\w)")
_NAME = r"[A-Za-z_$][\w$]*"
_FLAG = r"(?<![\w-])--[A-Za-z][\w-]*"
_NUMBER = r"(?<![\w.-])(?:0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?)(?=\D|$)(?!\.\d)"
_IN_CODE = re.compile(rf"(?P<flag>{_FLAG})|(?P<number>{_NUMBER})|(?P<name>{_NAME})")
_IN_PROSE = re.compile(
    rf"(?P<flag>{_FLAG})|(?P<number>{_NUMBER})"
    r"|(?P<call>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?=\()|"
    r"(?P<dotted>[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)+)|(?P<name>[A-Za-z_$]*_[\w$]+|"
    r"[a-z][a-z0-9]*[A-Z][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Z]{2,}[a-z]{2,}[\w$]*|True|False|"
    r"None|true|false|null|nil)(?![\w$])"
)
_PATH = re.compile(
    r"(?<![\w`])(?:[\w.-]+/)+[\w.-]*|\b[\w-]+\.(?:py|pyi|js|jsx|ts|tsx|go|rs|rb|c|h|cc|cpp|hpp|"
    r"java|kt|md|rst|txt|toml|cfg|ini|ya?ml|json|sh|css|html|sql|lock)\b"
)
_DOTTED = re.compile(r"\.[A-Za-z_][\w-]*")
_PLAIN = re.compile(
    r"(?<![\w.-])(?:[A-Z][A-Z0-9]+|[A-Z][a-z]+[a-z0-9]*|[a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?![\w-])"
)
_CUE = (
    "parameter|argument|option|keyword|field|attribute|property|method|function|constant|variable|"
    "flag|setting"
)
_DEFINING = "class|type|struct|func|interface|enum|def"
_KEYWORDS = {
    "def", "class", "func", "fn", "function", "return", "if", "else", "for", "while", "self",
    "this", "import", "from", "const",
    "let", "var", "and", "or", "not", "in", "is", "the", "an", "async", "await", "new", "static",
    "public", "private", "void",
    "str", "int", "bool", "of", "to", "with", "as",
}  # fmt: skip
# Words beside a cue that are no names: `the settings are`, `a flag that`.
_GRAMMAR = (
    "all|also|another|any|are|because|been|before|after|being|both|but|can|could|default|did|does|"
    "each|either|every|first|had|has|have|its|last|may|might|more|must|never|now|once|one|only|"
    "optional|other|our|required|same|shall|should|since|some|still|such|than|that|their|them|then|"
    "there|these|they|this|those|too|two|unless|until|was|were|what|when|where|whether|which|who|"
    "whose|will|within|without|would|you|your"
)
_CUED_NAME = rf"(?!(?:{_GRAMMAR}|{'|'.join(_KEYWORDS)})\b)([a-z][a-z0-9]{{2,}})\b"
_CUED = re.compile(rf"\b(?:{_CUE})s? {_CUED_NAME}|\b{_CUED_NAME} (?:{_CUE})\b")
# Strings, and comments after code; those with a space are prose, unless they are SQL.
_NOT_CODE = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|(?<!\w)'(?:[^'\\\n]|\\.)*'(?!\w)|(?<=\s)(?:#|//) .*"
)
_SQL = re.compile(r"[\"'](?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH)\s")
_DOTTED_STRING = re.compile(r"[\"'`]([\w-]+(?:[./][\w-]+)+)[\"'`]")
_TRIPLE = re.compile(r"\"{3}|'{3}")
_DOC = re.compile(r"\s*[rRbBuUfF]{0,2}(?:\"{3}|'{3})")
_COMMENTS = ("# ", "#!", "//", "/*", "* ", "*/", "-- ", "<!--")
_VERBATIM = re.compile(
    r"[\w$)\]\"'][^\w\s$]+[\w$(\[\"']|[\w$)\]]\s*[=<>:!+*/%|&-]+\s*[\w$(\[\"']|\(."
)
_CALLED = re.compile(r"(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*[A-Za-z_$][\w$]*(?:\(\))?")
# `name: Type` before `=`, `,` or `)`, and `-> Type`: annotations do not change what code does.
_TYPES = re.compile(r"(?<=\w):(?:[\w.|]|\[[^\]\n]*\]|\"[\w.]*\")+(?=[=,)])|->[\w.\[\]|,]+(?=:)")
_COUNTED = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
}
_NUMERAL = re.compile(rf"\b({'|'.join(_COUNTED)})\b", re.IGNORECASE)
_VALUES = {"True", "False", "None", "null", "nil", "true", "false", "undefined"}


@dataclass(frozen=True, slots=True, order=True)
class Word:
    """An identifier or literal that a text names as code."""

    text: str
    literal: bool = False  # a number, string or value such as None: significant only beside a name
    verbatim: bool = False  # code with more than a name: `retries = 3`


def named_words(title: str, body: str, rows: Sequence[str] = ()) -> tuple[Word, ...]:
    """Return the identifiers and literals that a memory names, in order, without duplicates.

    A word that could be plain English (`the retry LIMIT`, `the parameter strict`) counts only if it
    is an identifier in `rows`, the lines of the file that the memory is about. Sentences in strings
    and comments do not count. A dotted name or path counts as a whole if it is a string in `rows`.
    """
    found = dict.fromkeys(word for text in (title, body) for word in _words(text) if _says(word))
    if rows:
        more = (*_plain_names(f"{title} {body}", rows), *_strings_in(f"{title} {body}", rows))
        found |= dict.fromkeys(Word(name) for name in more if Word(name) not in found)
    names = {word.text for word in found if not word.literal and not word.verbatim}
    return tuple(word for word in found if not (word.literal and word.text in names))[:MOST]


def _plain_names(text: str, rows: Sequence[str]) -> Iterator[str]:
    """Yield the words of a text, outside quotes and code, that are identifiers in a file."""
    prose = _QUOTED.sub(" ", _CODE.sub(" ", text))
    possible = dict.fromkeys(
        name for match in _PLAIN.finditer(prose) if (name := match[0]) not in _KEYWORDS
    )
    possible |= dict.fromkeys(found[1] or found[2] for found in _CUED.finditer(prose))
    if not possible:
        return
    code = _without_prose(tuple(rows))
    for name in possible:
        if name not in code:
            continue
        is_plain = not name.isupper() and not name.islower()  # `Command` may be a plain word
        used = (
            re.compile(rf"[.@]{name}\b|\b{name}\s*[(=:{{]|\b(?:{_DEFINING})\s+{name}\b")
            if is_plain
            else finder(name)
        )
        if used.search(code):
            yield name


def _strings_in(text: str, rows: Sequence[str]) -> Iterator[str]:
    """Yield the dotted names that are in quotes both in a text and in a file: `app.db`."""
    for name in dict.fromkeys(_DOTTED_STRING.findall(text)):
        if any(name in row and name in _DOTTED_STRING.findall(row) for row in rows):
            yield name


@lru_cache(64)
def _without_prose(rows: tuple[str, ...]) -> str:
    """Return a file's code without comments, docstrings and sentences in strings."""
    return _NOT_CODE.sub(
        lambda found: " " if " " in found[0] and not _SQL.match(found[0]) else found[0],
        "\n".join(code_of(rows)),
    )


def _says(word: Word) -> bool:
    if word.literal or word.verbatim:
        return bool(word.text.strip()) and len(word.text) <= LONGEST
    return len(word.text) > 1 and word.text not in _KEYWORDS


def _words(text: str) -> Iterator[Word]:
    prose = []
    last = 0
    for code in _CODE.finditer(text):
        prose.append(text[last : code.start()])
        last = code.end()
        yield from _in_code(code[1] or code[2])
    rest = " ".join([*prose, text[last:]])
    for quoted in _QUOTED.finditer(rest):
        yield Word(next(filter(None, quoted.groups())), literal=True)
    rest = _PATH.sub(" ", _QUOTED.sub(" ", rest))
    for match in _IN_PROSE.finditer(rest):
        yield from _word(match)
    for match in _NUMERAL.finditer(rest):
        yield Word(_COUNTED[match[1].lower()], literal=True)


def _in_code(code: str) -> Iterator[Word]:
    if _VERBATIM.search(code) and not _CALLED.fullmatch(code):
        yield Word(code, verbatim=True)
    if _PATH.fullmatch(code):
        return
    if _DOTTED.fullmatch(code):  # `.git` is not the word git
        yield Word(code)
        return
    for quoted in _QUOTED.finditer(code):
        yield Word(next(filter(None, quoted.groups())), literal=True)
    for match in _IN_CODE.finditer(_QUOTED.sub(" ", code)):
        yield from _word(match)


def names_of(code: str) -> set[str]:
    """Return the identifiers in a piece of code."""
    return {word.text for word in _in_code(code) if not word.literal and not word.verbatim}


def _word(match: re.Match[str]) -> Iterator[Word]:
    for text in (
        re.split(r"\.|::|#", match[0]) if match.lastgroup in {"dotted", "call"} else [match[0]]
    ):
        number = match.lastgroup == "number"
        yield Word(text.replace("_", "") if number else text, literal=number or text in _VALUES)


@lru_cache(1 << 12)
def finder(text: str) -> re.Pattern[str]:
    """Return a pattern that finds a whole word in code; digits may be separated by `_`."""
    body = "_?".join(text) if text.isdecimal() else re.escape(text)
    before = r"(?<![\w$])" if text[:1].isalnum() or text[:1] in "_$" else ""
    after = r"(?![\w$])" if text[-1:].isalnum() or text[-1:] in "_$" else ""
    if text.isdecimal():
        before, after = r"(?<![\w$.])", r"(?![\w$])(?!\.\d*[1-9])"
    return re.compile(before + body + after)


def occurs(word: Word, text: str) -> bool:
    """Return whether a word occurs in code, whatever its formatting and type annotations."""
    if word.verbatim:
        plain = _unset(word.text)
        return plain in _unset(text) or plain in _TYPES.sub("", _unset(text))
    if not word.text.isdecimal() and word.text not in text:
        return False
    return finder(word.text).search(text) is not None


@lru_cache(1 << 12)
def _unset(text: str) -> str:
    """Remove from code the formatting that does not change its meaning."""
    return re.sub(r",(?=[)\]}])", "", re.sub(r"\s+", "", text).replace("'", '"'))


def bare(text: str) -> str:
    """Remove from a line of code what formatters and type annotations may change."""
    return _TYPES.sub("", _unset(text))


def code_rows(rows: Iterable[str]) -> list[str]:
    """Return lines of code, with comments and docstrings blanked."""
    found = []
    quote, is_doc = "", False
    for row in rows:
        is_marked = '"""' in row or "'''" in row
        start = _DOC.match(row) if is_marked else None
        marks = _TRIPLE.findall(row) if is_marked else ()
        is_comment = (bool(quote) and is_doc) or (
            not quote and (start is not None or row.lstrip().startswith(_COMMENTS))
        )
        found.append("" if is_comment else row)
        for mark in marks:
            if not quote:
                quote, is_doc = mark, start is not None
            elif mark == quote:
                quote = ""
    return found


@lru_cache(64)
def code_of(rows: tuple[str, ...]) -> Sequence[str]:
    """Do the same as `code_rows` for a whole file, and cache the result."""
    return code_rows(rows)


def occurring(words: Iterable[Word], text: str) -> frozenset[Word]:
    """Return which of some words occur in a piece of code."""
    return frozenset(word for word in words if occurs(word, text))
