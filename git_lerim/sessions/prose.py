"""Find the prose an edit adds: comments and docstrings of code, paragraphs of a text document."""

import re
from collections.abc import Iterable, Iterator, Sequence

PASSAGE_LIMIT = 400  # characters
_READ = 200_000  # characters of one text that are looked at
_WIDEST = 2_000  # characters of a line; longer lines were not typed

_PAGE = re.compile(
    r"\.(?:md|mdx|mdown|markdown|rst|txt|adoc|asciidoc|org|textile)\Z|"
    r"(?:\A|/)(?:README|CHANGELOG|CHANGES|CONTRIBUTING|HISTORY|NEWS|TODO)\Z",
    re.IGNORECASE,
)
_NO_PAGE = re.compile(r"(?:\A|/)(?:[^/]*requirements[^/]*|constraints|CMakeLists|robots)\.txt\Z")
_NO_PROSE = re.compile(
    r"\.(?:json|jsonl|csv|tsv|svg|lock|snap|map|ipynb|sum|min\.\w+|pb\.\w+|g\.dart)\Z|"
    r"_pb2\w*\.pyi?\Z|-lock\.\w+\Z|(?:\A|/)(?:LICEN[CS]E|COPYING)\b|"
    r"(?:\A|[/._-])generated(?:/|\.\w+\Z)|"
    r"(?:\A|/)(?:build|target)/(?:debug|release|doc|html|lib|classes|outputs|intermediates|tmp)/|"
    r"(?:\A|/)(?:node_modules|vendor|third_party|dist|\.?venv|\.git|__pycache__|"
    r"__snapshots__|testdata|fixtures|coverage)/",
    re.IGNORECASE,
)
_GENERATED = re.compile(r"code generated\b|@generated\b|do not edit\b", re.IGNORECASE)

_COMMENT = re.compile(
    r"[ \t]*(?:///?!?[ \t]*|#{1,4}:?[ \t]+|--[ \t|]+|;{1,4}[ \t]+|%{1,3}[ \t]+|\*[ \t]+)(.*)"
)
_AFTER_CODE = re.compile(r"\S[ \t]+(?://|#|--)[ \t]+([^\W\d_][^\"'`]*)\Z")
_DIRECTIVE = re.compile(
    r"(?:go:|nolint|noqa|type: ?ignore|eslint|@ts-|prettier-|pylint|pragma|(?:end)?region\b|"
    r"shellcheck|fmt: |mypy: )|.*\bexisting code\b",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"[ \t]*\{?(?:(/)\*+!?|(<)!--)(.*)")
_CLOSING = {"/": "*/", "<": "-->"}
_DOCSTRING = re.compile(r"[ \t]*(?:@\w*doc[ \t]+)?[rRuU]?(\"\"\"|''')(.*)")

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\r?\n(?=\S).*?^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_FENCE = ("```", "~~~")
_RULE = re.compile(r"[ \t]*([-=*_])\1{2,}[ \t]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|\|)")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}|={1,5})[ \t]+\S")
_BLOB = re.compile(r"[A-Za-z0-9+/=]{50,}|-----BEGIN ")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST = 3  # words that a passage must have
_FEWEST_OF_COMMENT = 10  # words that a comment must have if it gives no reason
_LETTERS = 0.6  # least share of letters and spaces in prose; code has less
_REASON = re.compile(
    r"\b(?:because|since|so that|otherwise|instead|rather than|never|must|only|unless|avoid\w*|"
    r"why|due to|prevent\w*|cannot|can't|would|deliberate\w*|intentional\w*|reasons?|no longer|"
    r"not|don't|doesn't)\b",
    re.IGNORECASE,
)

_Paragraph = list[tuple[str, str]]  # each line as written, and without comment marks


def added(path: str, old: str, new: str) -> list[str]:
    """Return the passages of prose that replacing `old` by `new` adds to a file, in order, uncut.

    A passage is one line; it counts as added if any line of its paragraph is new.
    """
    name = path.replace("\\", "/")
    new = new if len(new) <= _READ else new[:_READ].rpartition("\n")[0]
    if _NO_PROSE.search(name) or _GENERATED.search(new[:1000]):
        return []
    known = {line.strip() for line in old.splitlines()}
    is_page = _PAGE.search(name) and not _NO_PAGE.search(name)
    passages = [
        joined(text for _, text in paragraph)
        for paragraph in (page(new) if is_page else _comments(new))
        if any(line.strip() not in known for line, _ in paragraph)
    ]
    return [each for each in passages if each and (is_page or _says_more(each))]


def _says_more(comment: str) -> bool:
    """Return whether a comment is worth keeping, because it may say more than the code."""
    if comment.endswith((";", "{", "}")):  # code that was commented out
        return False
    return bool(_REASON.search(comment)) or len(_WORD.findall(comment)) >= _FEWEST_OF_COMMENT


def joined(lines: Iterable[str]) -> str:
    """Return a paragraph's lines as one line, or "" if they are not prose."""
    text = " ".join(" ".join(lines).split())
    letters = sum(map(str.isalpha, text)) + text.count(" ")
    is_spaced = len(_WORD.findall(text)) >= _FEWEST or not text.isascii()
    if not is_spaced or letters < _LETTERS * len(text) or _BLOB.search(text):
        return ""
    return text


def cut(passage: str) -> str:
    """Return the beginning of a passage, cut between words.

    Redact the passage before cutting it: half a secret is not recognized.
    """
    if len(passage) <= PASSAGE_LIMIT:
        return passage
    return passage[:PASSAGE_LIMIT].rpartition(" ")[0] + " …"


def shortened(passages: Sequence[str], limit: int) -> list[str]:
    """Return as many passages as fit into `limit` characters when each is cut by `cut`, in order.

    Passages that may give a reason are preferred, then headings.
    """
    kept: list[int] = []
    for index in sorted(range(len(passages)), key=lambda each: (_rank(passages[each]), each)):
        limit -= min(len(passages[index]), PASSAGE_LIMIT)
        if limit < 0:
            break
        kept.append(index)
    return [passages[index] for index in sorted(kept)]


def _rank(passage: str) -> int:
    return 0 if _REASON.search(passage) else 1 if _HEADING.match(passage) else 2


def page(text: str) -> Iterator[_Paragraph]:
    """Yield the paragraphs, headings, list items and table rows of a text, without code blocks."""
    found: _Paragraph = []
    fence = ""
    for line in _FRONT_MATTER.sub("", text, count=1).splitlines():
        start = "" if _RULE.fullmatch(line) else line.strip()[:3]
        if fence:
            fence = "" if start == fence else fence
            continue
        if start in _FENCE:
            fence = start
        if fence or not start or _ITEM.match(line) or _HEADING.match(line):
            yield found
            found = []
        if not fence and start and len(line) <= _WIDEST:
            found.append((line, line))
        if _HEADING.match(line):
            yield found
            found = []
    yield found


def _comments(text: str) -> Iterator[_Paragraph]:
    """Yield the paragraphs of comments and docstrings in code of any language."""
    lines = [line if len(line) <= _WIDEST else "" for line in text.splitlines()]
    docstrings = _docstring_starts(lines)
    found: _Paragraph = []
    closing = ""  # the mark that ends the block comment or docstring
    for number, line in enumerate(lines):
        rest = line
        if not closing and (block := _opened(line, is_docstring=number in docstrings)):
            yield found
            found = []
            closing, rest = block
        if closing:
            rest, ended, _ = rest.partition(closing)
            body = rest.strip().removeprefix("*").strip()
            closing = "" if ended else closing
        else:
            body, ended = _comment(line), ""
        if body:
            found.append((line, body))
        if ended or not body:
            yield found
            found = []
            after = None if closing else _AFTER_CODE.search(rest)
            if after and not _DIRECTIVE.match(after[1]):
                yield [(line, after[1])]
    yield found


def _opened(line: str, *, is_docstring: bool) -> tuple[str, str] | None:
    """Return the closing mark of a block that a line opens, and the text after the opening.

    Return None if the line opens no block.
    """
    if block := _BLOCK.match(line):
        return _CLOSING[block[1] or block[2]], block[3]
    if is_docstring and (docstring := _DOCSTRING.match(line)):
        return docstring[1], docstring[2]
    return None


def _comment(line: str) -> str:
    found = _COMMENT.match(line)
    return found[1].strip() if found and not _DIRECTIVE.match(found[1]) else ""


def _docstring_starts(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines on which a complete docstring begins.

    If the number of triple quotes is odd, the text begins or ends inside a docstring. Then the
    first one is ignored if it is alone on its line; otherwise the last one is.
    """
    starts: set[int] = set()
    for mark in ('"""', "'''"):
        at = [number for number, line in enumerate(lines) for _ in range(line.count(mark))]
        if len(at) % 2:
            at = at[1:] if lines[at[0]].strip() == mark else at[:-1]
        starts |= set(at[::2])
    return starts
