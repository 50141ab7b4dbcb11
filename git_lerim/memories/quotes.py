"""How memories quote people: the phrases that introduce their words.

Every quote by the rules follows one of these phrases, so that it can be found again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from git_lerim.memories.authors import SOMEBODY, in_their_name
from git_lerim.memories.memory import HISTORY, Memory, Origin, Primitive

LIMIT = 420  # characters of a quote in a body
# The texts before the user's first message: in a session's summary, and in a handoff.
INTENT = "## Intent"
WANTED = "Wanted: "
# The last sentences of a decision from a plan; the first is followed by a heading in quotes.
FROM_PLAN = "From the plan that the user approved, under "
LEFT_OUT = "It was left out on purpose."
FROM_SUMMARY = "From the summary of the plan that the user approved."


class Lead(StrEnum):
    """The phrase that introduces a person's words in a body."""

    ASKED_FOR = "The user asked for this: "
    SAID = "The user said this: "
    REPORTED = "The user reported this: "
    OBJECTED = "The user objected: "
    CHANGED = "The user changed their mind: "
    HAD_ASKED = "The user had asked: "
    ANSWERED = "the user answered "
    CHOSE = "the user chose "
    OWN_WORDS = "In the user's words: "
    HEADING = "Said while working on "  # a session's title is often its first message


_ANSWERS = f"{Lead.ANSWERED}|{Lead.CHOSE}"
_LEADS = "|".join(map(re.escape, Lead))
# How models and agents introduce what the user said; they do not use the phrases of `Lead`.
_REPORTS = (
    r"\bthe user(?:[’']s (?:\w+ )?words| (?:has |had )?(?:said|says|asks|asked|wrote|objected|"
    r"answered|replied|reported|insisted|confirmed|explained|chose))(?: \w+){0,2}[:,]? "
)
_REPORTED = re.compile(rf"(?:{_LEADS}|(?i:{_REPORTS}))")
_QUOTE = re.compile(
    rf"(?P<answer>“[^”]*”, (?:{_ANSWERS})“[^”]*”?)|"
    rf"(?:{_LEADS}|(?i:{_REPORTS}))(?P<said>“[^”]*”?|\"[^\"]*\"?)"
)
_FIRST_MESSAGE = re.compile(rf"^(?:{INTENT}\n+|{WANTED})(.+)$", re.MULTILINE)
# A quotation in any marks; one without a closing mark goes on to the end of the text.
_MARKED = re.compile(
    r"“([^”]*)(?:”|\Z)|„([^“”]*)(?:[“”]|\Z)|\"([^\"]*)(?:\"|\Z)|«([^»]*)(?:»|\Z)|"
    r"»([^«]*)«|‹([^›]*)›|”([^”]*)”|「([^」]*)(?:」|\Z)|『([^』]*)(?:』|\Z)|(?<!\w)‘(.+?)’(?!\w)|"
    r"(?<!\w)'(?=\w)(.+?)'(?!\w)"
)
_BLOCK = re.compile(r"(?:^[ \t]*>.*\n?)+", re.MULTILINE)  # a quotation in Markdown
_HERE = "\0"  # stands for a quotation
_ENDS = ".!?;。！？"
_BETWEEN = re.compile(r"(?<=[.!?;])\s+(?![a-z])|(?<=[。！？])")  # sentences
_NAMES_USER = re.compile(
    r"\b(?:user|human|(?:be)?nutzer\w*|anwender\w*|utilisat(?:eur|rice)|usuari[oa]|usuário|utente|"
    r"gebruiker|użytkownik\w*|пользовател\w*)\b|用户|ユーザー",
    re.IGNORECASE,
)
_WORD = re.compile(r"[⺀-￿]|\w+")  # Chinese and Japanese have no spaces between words
_FEW = 3  # words; shorter quotations are often labels
# what precedes the quotation of a question, or of an option that was not chosen
_OFFERED = re.compile(
    r"(?:\A\W*(?:when )?asked(?: \w+){0,3}|\b(?:question|offered|between|or|over|than|not|"
    r"instead of|rejected|declined|against|out of))\W*\Z",
    re.IGNORECASE,
)
_NO_SESSIONS = {HISTORY[0], "import"}  # agents of sources that are not sessions


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words that a text quotes as the user's."""

    words: str
    is_offered: bool  # it is a question that the user answered, or an option beside their choice


def in_quotes(text: str) -> str:
    """Return a text in quotation marks, cut at a word boundary if it is long."""
    flat = " ".join(text.split()).replace("“", '"').replace("”", '"').rstrip(" ")
    return f"“{flat if len(flat) <= LIMIT else flat[: LIMIT - 1].rsplit(' ', 1)[0] + '…'}”"


def quoted(lead: Lead, words: str) -> str:
    """Return a person's words in the form in which a body quotes them."""
    return f"{lead}{in_quotes(words)}"


def without_leads(text: str) -> str:
    """Return a text without the phrases that introduce a person's words."""
    return re.sub(_LEADS, "", text)


def ascribed(text: str) -> Iterator[list[Quotation]]:
    """Yield, for each sentence, the quotations that it ascribes to the user.

    These are all in a sentence that tells what the user said or wants, and longer ones in any
    sentence that names the user, or beside one if they are a sentence of their own.
    """
    found: list[str] = []

    def note(match: re.Match[str]) -> str:
        found.append(next(each for each in match.groups() if each is not None))
        end = found[-1].rstrip()[-1:]
        return _HERE + (end if end in _ENDS else "")

    plain = _BLOCK.sub(lambda block: f"“{_unmarked(block[0])}” ", text.replace(_HERE, ""))
    sentences = _BETWEEN.split(_MARKED.sub(note, " ".join(plain.split())))
    words = iter(found)
    for number, sentence in enumerate(sentences):
        is_alone = not re.search(r"\w", sentence)
        around = " ".join(sentences[max(number - 1, 0) : number + 2]) if is_alone else sentence
        tells = in_their_name(around, SOMEBODY) != around or _REPORTED.search(around)
        names = tells or _NAMES_USER.search(around)
        yield [
            Quotation(quote, is_offered=bool(_OFFERED.search(lead)))
            for lead, quote in zip(sentence.split(_HERE)[:-1], words, strict=False)
            if tells or (names and len(_WORD.findall(quote)) >= _FEW)
        ]


def _unmarked(block: str) -> str:
    return " ".join(line.strip().lstrip("> ") for line in block.splitlines())


def false_claim(text: str) -> str | None:
    """Return why text from a file or a commit is withheld if it tells what the user said or wants.

    No user speaks in files and commits. Return None for any other text.
    """
    speaks = in_their_name(text, SOMEBODY) != text or _QUOTE.search(" ".join(text.split()))
    return (
        "claims to say what the user wants, but comes from a file or a commit" if speaks else None
    )


def quote_of(memory: Memory) -> str:
    """Return a memory's first quote of what a person said in a session, or an empty string.

    An answer is returned with the agent's question. For a summary or handoff, the result is the
    user's first message.
    """
    if memory.primitive in {Primitive.SUMMARY, Primitive.HANDOFF}:
        first = _FIRST_MESSAGE.search(memory.body)
        return in_quotes(first[1]) if first else ""
    reported = memory.origin is Origin.AGENT
    heard = any(source.agent not in _NO_SESSIONS for source in memory.sources)
    found = _QUOTE.search(" ".join(memory.body.split())) if heard or reported else None
    return (found["answer"] or found["said"]) if found else ""
