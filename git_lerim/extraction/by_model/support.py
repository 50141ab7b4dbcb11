"""Check, by counting shared words, that a memory says what its cited records say.

A quote alone does not prove this. Only a small share of the memory's words must occur in the
records, since an honest memory also uses words of its own; but hardly any honest memory shares
fewer.
"""

import re
from collections.abc import Iterable, Iterator

from git_lerim.extraction.by_model.answer import Item
from git_lerim.extraction.by_model.transcript import Line
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.checks.languages import Language, language_of
from git_lerim.sessions.session import Role

USERS = {Role.PROMPT, Role.ANSWER, Role.REJECTION, Role.APPROVAL}
OF_USERS = {"user_decided", "user_agreed"}  # bases that need words of the user
_CONVERSATION = USERS | {Role.REPLY, Role.SUMMARY}
_SHARE, _CLAIMED, _TITLE = 0.2, 0.3, 0.5  # least shares of topical words
_FEWEST = 2  # fewest words for which a share says something
_CLAIM = re.compile(
    r"(?<!when )(?<!if )(?<!that )(?<!until )(?<!unless )(?<!once )(?<!after )(?<!before )"
    r"\bthe user (?:\w+ly |has |have |had |also |then |later |first ){0,3}"
    r"(?:decided|agreed|ask(?:s|ed)|want(?:s|ed)|prefer(?:s|red)|approved|confirmed|accepted|"
    r"order(?:s|ed)|insist(?:s|ed)|ruled|request(?:s|ed)|said|told|chose|allow(?:s|ed))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_MARKS = re.compile(r"[\s`*_\"'“”‘’«»\\]+")  # a backslash continues a shell line
_ABOUT = frozenset(terms("user decided agreed asked wanted preferred"))


def folded(text: str) -> str:
    """Return a text as it is compared: without case, spaces, quotation marks and emphasis.

    Copying often changes these.
    """
    return _MARKS.sub("", text).casefold()


def unsupported(item: Item, cited: Iterable[Line], everything: str, what: str) -> Iterator[str]:
    """Yield a fault for each thing that a memory says but its cited records do not.

    `everything` is the folded text of the whole transcript. Nothing is yielded if memory and
    records are in different languages, since their words cannot be compared.
    """
    lines = list(cited)
    spoken = _text(line for line in lines if line.record.role in _CONVERSATION)
    text = f"{item.title}\n{item.body}"
    if _is_foreign(spoken) != _is_foreign(text):
        return
    if _lacks(text, folded(_text(lines)), _SHARE):
        yield "title and body say what the cited records do not; cite the ones that say it"
    elif item.basis in OF_USERS and _lacks(item.title, everything, _TITLE):
        yield (
            f"the basis is {item.basis}, but the {what} does not speak of what the title says; say"
            " it in its words"
        )
    for sentence in _SENTENCE.split(text):
        if _CLAIM.search(sentence) and _lacks(sentence, folded(spoken), _CLAIMED):
            yield f"nobody says so in the cited records: {sentence[:80]!r}"


def _lacks(text: str, where: str, share: float) -> bool:
    words = set(terms(text)) - _ABOUT
    return len(words) >= _FEWEST and sum(folded(word) in where for word in words) < share * len(
        words
    )


def _text(lines: Iterable[Line]) -> str:
    """Return the text of a transcript's lines without their numbers and labels."""
    return "\n".join(line.text.partition(":")[2] for line in lines)


def _is_foreign(text: str) -> bool:
    return language_of(text) in {Language.LEARNED, Language.KNOWN, Language.UNKNOWN}
