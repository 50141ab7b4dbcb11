"""Find the sentence in which the agent says why a command failed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.transcript.text import blocks, sentences
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.checks.noise import noise
from git_lerim.sessions.session import Record, Role

_COMMON = {
    "error",
    "fail",
    "test",
    "run",
    "command",
    "build",
    "type",
    "check",
    "file",
    "exit",
    "code",
    "install",
    "module",
    "import",
}
_CAUSE = re.compile(
    r"\b(?:because|since|due to|root cause|the (?:real |actual |underlying )?(?:issue|problem|"
    r"cause|reason|culprit) (?:is|was)|requires?|needs? (?:to|the|a)|must (?:be|have|come|run|"
    r"use)|can[’']t|cannot|does(?:n[’']t| not)|do(?:n[’']t| not)|won[’']t|expects?|otherwise|"
    r"ha(?:s|ve) to (?:be|come|run|use)|only (?:works?|"
    r"accepts?|reads?|supports?)|ha(?:s|ve) no\b(?![^.]*\b(?:now|more|longer)\b)|"
    r"not supported|by default|instead of|limitation)\b",
    re.IGNORECASE,
)
_OWN_SLIP = re.compile(
    r"\b(?:i (?:forgot|missed|made|used|added|changed|broke|introduced|wrote|need|should|left|"
    r"passed|accidentally|removed)|i[’'](?:ve|m|ll|d)\b|my (?:change|edit|fix|mistake|test|typo|"
    r"sed|script|command|regex)|typo|oops|mistake|the (?:new )?tests? (?:needs?|expects?|is|are|"
    r"was|should|fails?)|test (?:file|case|data)|unused|import(?:ed|s)? (?:is|"
    r"are) (?:not )?(?:used|missing)|let me|likely|probably|might|maybe|perhaps|seems?|appears?|"
    r"suspect|we (?:just|removed|added|changed)|update (?:the|this) test|just (?:added|changed)|"
    r"formatting|lint)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"^(?:this|that|it|these|those|they|there|here|and|but|so|then|which|also|the (?:issue|"
    r"problem|cause|root cause|error|fix|reason) (?:is|was)(?! that\b| in\b)?:?$)",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:i (?:can )?see|found|aha|perfect|great|good|ok(?:ay)?|interesting|right|got it|"
    r"there it is|now|fixed|solved)\b[^.:—–-]{0,40}[.!:—–-]+\s+)",
    re.IGNORECASE,
)
# introduces the cause: `The problem was that …`
NAMED = re.compile(
    r"(?:the )?(?:actual |real |underlying |root )?(?:problem|cause|reason|issue|culprit)"
    r"(?: was(?: that)?\b|:) ",
    re.IGNORECASE,
)
# how a sentence begins that says why a command failed, whatever its other words
_SAYS_WHY = re.compile(
    rf"{NAMED.pattern}|(?:fixed|solved)\b[.!:,—–-]* [^.;]*\b(?:because|since)\b|"
    r"(?:it|they|`[^`]+`|(?:the )?[\w./-]+(?: [\w./-]+){0,4}?) (?:failed|crashed|broke|hung|"
    r"timed out|ran out|stopped|could(?: not|n[’']t)|did(?: not|n[’']t)|"
    r"was (?:rejected|refused|killed))\b[^.;]* (?:because|since)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r",? (?:because|since) ", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|we|my|our|you)\b", re.IGNORECASE)
# what the agent did about it, or what is different now: "`store.py` now opens it with …"
REMEDY = re.compile(
    r"i(?:[’']ve| have)? (?!(?:will|can|could|would|should|also|think|am|verified|checked|ran)\b)"
    r"\w+|the (?:fix|solution|remedy|workaround) (?:is|was)\b|"
    r"(?:the )?(?:`[^`]+`|[\w./-]+(?: [\w./-]+){0,3}?) now "
    r"(?!pass|work|succeed)[a-z]+s\b",
    re.IGNORECASE,
)
_AND_DONE = re.compile(r"(?:;|, so) (?=I\b)")
_SHORTEST, _LONGEST = 30, 280  # characters of a cause
_LOOKED = 12  # blocks of a reply to look at


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a command failed, what the agent did about it (or ""), and the index of the reply."""

    text: str
    remedy: str
    index: int


def cause_title(cause: str) -> str:
    """Return a cause as a title, or what it says before its reason or what follows, or ""."""
    parts = (cause, _REASON.split(cause, maxsplit=1)[0], cause.partition(", so ")[0])
    return next(filter(None, map(title_of, parts)), "")


def stated_cause(
    records: Sequence[Record], index: int, passed: int, error: str, added: Sequence[str]
) -> Cause | None:
    """Return why a command failed at `index`, as said before or after it `passed`, or None.

    The first reply after the command passed is searched first, then the replies between the failure
    and the success, from the latest to the earliest. The sentence of a reply with the most words of
    the error, or of what was `added` to the command, is preferred to one that only has the form of
    a cause.
    """
    after = [
        at
        for at in range(passed + 1, min(passed + 12, len(records)))
        if records[at].role is Role.REPLY
    ][:1]
    before = [at for at in range(passed - 1, index, -1) if records[at].role is Role.REPLY]
    about = set(terms(error)) - _COMMON

    def names_error(sentence: str) -> int:
        bare = _OPENING.sub("", sentence).strip()
        named = len(about & set(terms(bare))) + sum(one in bare for one in added)
        return named if _CAUSE.search(bare) and not _POINTS.match(bare) else 0

    replies = [(at, records[at].text) for at in (*after, *before)]
    return _best(replies, names_error) or _best(replies, _says_why)


def _says_why(sentence: str) -> bool:
    return bool(_SAYS_WHY.match(sentence)) and not _FIRST_PERSON.search(sentence)


def _best(replies: Iterable[tuple[int, str]], weight: Callable[[str], int]) -> Cause | None:
    """Return the first cause of the most weight in the first reply that has any."""
    found = (
        max(_causes(at, text, weight), key=itemgetter(0), default=None) for at, text in replies
    )
    return next((one[1] for one in found if one), None)


def _causes(at: int, text: str, weight: Callable[[str], int]) -> Iterator[tuple[int, Cause]]:
    """Yield the statements of a reply that have weight as causes, each with it."""
    for block in blocks(text)[:_LOOKED]:
        said = sentences(block.text) if block.kind in {"paragraph", "item"} else ()
        for one, following in zip(said, (*said[1:], ""), strict=False):
            cause, *done = _AND_DONE.split(one, maxsplit=1)
            bare = _OPENING.sub("", cause).strip()
            if (weighs := weight(cause)) and _is_statement(bare):
                remedy = "".join(done) or (following if REMEDY.match(following) else "")
                yield weighs, Cause(bare, remedy, at)


def _is_statement(sentence: str) -> bool:
    """Return whether a sentence is complete, and tells of no slip or guess of the agent's."""
    return (
        _SHORTEST <= len(sentence) <= _LONGEST
        and not sentence.endswith(("?", ":"))
        and not _OWN_SLIP.search(sentence)
        and not noise(NAMED.sub("", sentence))
    )
