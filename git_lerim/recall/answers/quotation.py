"""Choose the sentences of a memory that best answer a question.

Their words, headings and phrasing are compared with the question. This module imports little,
because hooks load it each time the user prompts an agent.
"""

import re
from itertools import pairwise

from git_lerim.memories.format.body import body_itself
from git_lerim.recall.answers.evidence import VERSION, QuestionTerms, sentences
from git_lerim.recall.index.terms import terms

SHORT = 600  # characters: each sentence of a shorter body is read together with the title
HEADED = 0.6  # weight of a word that only the title or a heading has
BESIDE = 0.4  # weight of a word that only a neighbouring sentence has
PAIR = 0.3  # weight of two words that are adjacent in question and sentence
FITS = 0.2  # bonus for a form that the question asks for, as a share of the question's weight
SPRAWLS = 240  # characters: longer sentences count less
LABEL = 160  # characters of a label such as `Recovery:`, at most
LONGEST = 400  # characters of a sentence
MOST = 500  # characters quoted from one memory
SECOND = 0.5  # share of the best sentence's worth that a second one must reach

_FENCE = re.compile(r" *(?:```|~~~)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_ASKS = r"(?:^|[.!?,:;]\s)\W*"  # where a question begins
# Pairs: the form of a question, and of a sentence that answers it.
_FORMS = (
    (
        _ASKS + r"(?:may|can|should|must|shall|is it (?:ok|allowed)|are (?:we|you) allowed|do (?:i|"
        r"we) (?:have|need) to)\b",
        (
            r"\b(?:not|never|n[’']t|only|always|must|may|should|allowed|forbidden|instead|without|"
            r"prefer|avoid|can)\b"
        ),
    ),
    (
        _ASKS + r"how (?:do|can|should|would|to)\b|\bwhich command\b|\bwhat (?:do|should) (?:i|"
        r"we) (?:run|do|type|call)\b",
        (
            r"`[^`\n]* [^`\n]+`|(?m:^)(?-i:[a-z][\w-]*) [\w./-]+|\b(?:run|use|install|set|add|"
            r"send)\b(?= [`*\[])"
        ),
    ),
    (
        r"\bwhy\b|\breasons?\b",
        (
            r"\b(?:because|since|so that|otherwise|due to|reason|caused?|avoids?|would|fails?|"
            r"breaks?|rejected|bug)\b|→|: "
        ),
    ),
    (r"\bversions?\b", VERSION.pattern),
    (
        r"\bhow (?:many|much|long|often|big|large|old)\b|\b(?:limit|maximum|timeout|size|port)\b",
        r"\d|\b(?:one|two|three|four|five|no|all|every|each)\b",
    ),
    (
        r"\b(?:when|what (?:day|date|time))\b",
        r"\d{4}-\d\d|\b(?:after|before|once|until|when|every|at|on|if)\b",
    ),
    (
        _ASKS + r"(?:who|whom)\b",
        r"@|\b[A-Z][a-z]+ [A-Z]|\b(?:team|maintainers?|owners?|users?|author)\b",
    ),
    (r"\bwhere\b", r"`[^`\n]*[/.][^`\n]*`|\b(?:in|under|below|at|inside)\b"),
    (
        r"\bwhat (?:is|are|does|do)\b",
        r"\b(?:is|are|means?|stands for|called|defined|holds?|contains?)\b| [—–-] |: |\(",
    ),
)


class Sentence:
    """One sentence of a memory, with the headings above it."""

    __slots__ = ("above", "headings", "section", "text", "words")

    def __init__(
        self,
        text: str,
        headings: tuple[str, ...],
        section: int,
        title: frozenset[str],
        asked: QuestionTerms,
    ) -> None:
        """Initialize with a sentence, its headings, its section's number and the title's terms."""
        self.text = text
        self.headings = headings
        self.section = section
        self.words = frozenset(asked.read(text))
        self.above = title.union(*(asked.read(heading) for heading in headings))


class _Wanted:
    """The kinds of sentence that a question asks for: `where` asks for one that names a place."""

    __slots__ = ("asked", "forms")

    def __init__(self, question: str) -> None:
        pairs = _FORMS if question else ()  # a prompt asks for no form, and briefs must be fast
        self.forms = [
            re.compile(form, re.IGNORECASE)
            for ask, form in pairs
            if re.search(ask, question, re.IGNORECASE)
        ]
        self.asked = frozenset(terms(question))

    def share(self, row: Sentence) -> float:
        """Return how many of the wanted kinds a sentence belongs to, as a share from 0 to 1.

        A match that only repeats words of the question does not count.
        """
        has = sum(
            any(self._is_new(match[0]) for match in form.finditer(row.text)) for form in self.forms
        )
        return has / len(self.forms) if self.forms else 0.0

    def _is_new(self, text: str) -> bool:
        words = frozenset(terms(text))
        return not words or not words <= self.asked


class Quotation:
    """The sentences chosen from a memory, and how much of the question the best one covers."""

    __slots__ = ("best", "heading", "text", "worth")

    def __init__(self, text: str, best: str, heading: str, worth: float) -> None:
        """Initialize with the sentences in order, the best one, its heading and its worth.

        The worth adds up the weights of the question's words that the best sentence covers.
        """
        self.text = text
        self.best = best
        self.heading = heading
        self.worth = worth

    @property
    def headed(self) -> str:
        """The best sentence, preceded by its heading."""
        return f"{self.heading}: {self.best}" if self.heading else self.best


def quote(title: str, body: str, asked: QuestionTerms, question: str = "") -> Quotation:
    """Return the sentences of a memory that best answer a question.

    `question` is the text of the question. Without it, sentences are chosen by words and headings
    only, whatever kind of sentence the question asks for.
    """
    rows = _read(title, body_itself(body), asked)
    if not rows:
        return Quotation("", "", "", asked.weight_of(frozenset(asked.read(title))))
    wanted = _Wanted(question)
    claim = asked.read(title) if len(body) <= SHORT else []
    worth = [_worth(rows, n, asked, wanted, claim) for n in range(len(rows))]
    best = max(range(len(rows)), key=lambda n: (worth[n], -n))
    is_short = len(body_itself(body)) <= MOST
    chosen = set(range(len(rows))) if is_short else _around(rows, worth, best, asked, wanted)
    return Quotation(
        " ".join(_clipped(rows[n].text) for n in sorted(chosen)),
        _clipped(rows[best].text),
        next(iter(rows[best].headings[-1:]), ""),
        worth[best],
    )


def _read(title: str, body: str, asked: QuestionTerms) -> list[Sentence]:
    """Return the sentences of a text with their headings.

    A heading counts as a sentence only if the text has nothing else.
    """
    words = frozenset(asked.read(title))
    found: list[Sentence] = []
    for section, (headings, text) in enumerate(_sections(body)):
        found += [
            Sentence(one, headings, section, words, asked) for one in _with_labels(sentences(text))
        ]
    return found or [Sentence(one, (), 0, words, asked) for one in sentences(body)]


def _with_labels(parts: list[str]) -> list[str]:
    """Join a label such as `Recovery:` with the sentence that it introduces."""
    found: list[str] = []
    label = ""
    for part in parts:
        text = f"{label}\n{part}" if label else part
        label = text if text.rstrip("*_ ").endswith(":") and len(text) <= LABEL else ""
        found += [text] if not label else []
    return [*found, label] if label else found


def _sections(body: str) -> list[tuple[tuple[str, ...], str]]:
    """Split a text at its headings, except in code; return each part with the headings above it."""
    found: list[tuple[tuple[str, ...], list[str]]] = [((), [])]
    above: list[tuple[int, str]] = []
    fenced = False
    for line in body.split("\n"):
        fenced ^= _FENCE.match(line) is not None
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            found[-1][1].append(line)
            continue
        above = [one for one in above if one[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
        found.append((tuple(text for _, text in above), []))
    return [(headings, "\n".join(lines)) for headings, lines in found]


def _worth(
    rows: list[Sentence], at: int, asked: QuestionTerms, wanted: _Wanted, claim: list[str]
) -> float:
    """Score how well a sentence answers a question, from the weights of the words it covers."""
    row = rows[at]
    near = [
        one
        for one in rows[max(at - 1, 0) : at + 2]
        if one is not row and one.section == row.section
    ]
    own = asked.weight_of(row.words.union(claim))
    headed = asked.weight_of(row.words | row.above)
    beside = asked.weight_of(row.words.union(row.above, *(one.words for one in near)))
    order = {*pairwise(terms(row.text)), *pairwise(claim)}
    pairs = sum(min(asked.weights[a], asked.weights[b]) for a, b in asked.pairs if (a, b) in order)
    worth = own + HEADED * (headed - own) + BESIDE * (beside - headed) + PAIR * pairs
    worth += FITS * wanted.share(row) * sum(asked.weights.values()) if worth else 0.0
    return worth * float(min(1.0, (SPRAWLS / max(len(row.text), 1)) ** 0.3))


def _around(
    rows: list[Sentence], worth: list[float], best: int, asked: QuestionTerms, wanted: _Wanted
) -> set[int]:
    """Return the numbers of the best sentence and, if there is room, of a second one.

    If the best sentence is not of a kind that the question asks for, a sentence of such a kind in
    the same section is preferred as the second. Otherwise, the second sentence adds words of the
    question, or follows the best one in its section.
    """
    chosen = {best}
    room = MOST - len(_clipped(rows[best].text))
    own = [n for n in range(len(rows)) if rows[n].section == rows[best].section and n != best]
    if wanted.forms and not wanted.share(rows[best]):
        fitting = [n for n in own if wanted.share(rows[n]) and len(_clipped(rows[n].text)) <= room]
        if fitting:
            return chosen | {max(fitting, key=lambda n: (worth[n], -abs(n - best)))}
    weight = _weight(rows, chosen, asked)
    for n in sorted(
        set(range(len(rows))) - chosen, key=lambda n: (abs(n - best) > 1, -worth[n], n)
    ):
        adds = _weight(rows, chosen | {n}, asked) > weight or (n == best + 1 and n in own)
        if adds and len(_clipped(rows[n].text)) <= room and worth[n] >= SECOND * worth[best]:
            return chosen | {n}
    return chosen


def _weight(rows: list[Sentence], chosen: set[int], asked: QuestionTerms) -> float:
    return asked.weight_of(frozenset[str]().union(*(rows[n].words for n in chosen)))


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
