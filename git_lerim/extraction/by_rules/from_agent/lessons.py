"""Find lessons: points in the agent's last reply under a heading like `Worth knowing`."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.from_agent.accepted import changed_then, told_change
from git_lerim.extraction.by_rules.from_agent.labels import labelled
from git_lerim.extraction.by_rules.sentences.statements import capital, title_of
from git_lerim.extraction.transcript.text import blocks, finished, plain, sentences
from git_lerim.extraction.transcript.turns import Turn, is_doubted
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.sessions.session import Record

_NAMES = re.compile(
    r"\W*(?:(?:known |key |the )?(?:limitations?|gotchas?|pitfalls?|caveats?|quirks?|surprises?|"
    r"lessons?(?: learn(?:ed|t))?|traps?)|(?:what|things?)\b.{0,40}\b(?:learn(?:ed|t)|hit|"
    r"should know|to know|(?:watch|look) out for|stumbled over)\b.{0,30}|"
    r"(?:(?:an?|an?other|one|two|three|some|few|more|points?|things?|notes?|details?|[2-9]) )*"
    r"(?:good to|worth) (?:know|remember|not)\w*"
    r"(?: (?:here|about|for|before|if|when)\b.{0,40})?|"
    r"(?:(?:points?|things?|notes?) to )?(?:keep|bear) in mind|notes? for (?:later|next time))"
    r"\W*$",
    re.IGNORECASE,
)
# how a sentence begins that gives one such point, also among others
_POINT = re.compile(
    r"(?:also )?(?:(?:one |another )?(?:thing )?(?:worth (?:knowing|remembering)|good to know)|"
    r"(?:one|another) (?:more )?thing to (?:know|note|keep in mind|watch out for)|keep in mind|"
    r"gotcha|pitfall|caveat|known limitation)(?:: | that )",
    re.IGNORECASE,
)
# of what may be said of anything, only what was learnt from a failure counts
_NOTE = re.compile(r"(?:please )?note that ", re.IGNORECASE)
_CODE = re.compile(r"`[^`]+`")
_OF_THE_WORK = re.compile(
    r"\b(?:i|you|your|we|tests?|branch|commit|pr|still|yet|currently|already)\b", re.IGNORECASE
)
# what is true only until it is put right: `Existing rows are not converted; delete the file`
_ONCE = re.compile(r"(?:the )?(?:existing|old|current|previous)\b", re.IGNORECASE)
_MOST = 5  # most lessons taken from one reply


def lessons(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield the lessons in the last reply of each turn that changed files.

    A turn counts, too, if the user accepted its reply, and files changed then. Lessons are
    statements under headings such as `Worth knowing`, or behind such words, at most five from each
    reply. Of a turn that had a failure, what the agent asks to note is one, too. Turns whose reply
    the user doubted are left out.
    """
    for number, turn in enumerate(turns):
        if not turn.replies or turn.automated or turn.disowned or is_doubted(turns, number):
            continue
        acted_upon = changed_then(records, turns, number)
        after = [told] if (told := told_change(acted_upon)) else []
        stated = (
            (place, label, said, title)
            for place, (label, said) in enumerate(_points(records, turn, acted_upon))
            if said and (title := _title(said[0])) and not _passes(title)
        )
        for place, label, said, title in islice(stated, _MOST):
            yield Finding(
                origin=Origin.RULES,
                primitive=Primitive.LEARNING,
                kind=Kind.FACT if "limitation" in label.casefold() else Kind.PITFALL,
                title=title,
                body=" ".join([*(finished(plain(one)) for one in said), *after]),
                said=title,
                evidence=(turn.replies[-1],),
                place=place_of(place),
                turn=number,
                rank=1.15,
            )


def _points(
    records: Sequence[Record], turn: Turn, acted_upon: Sequence[str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what a turn's last reply names as worth knowing, each with its label.

    The turn must have changed files, or have been `acted_upon`.
    """
    reply = blocks(records[turn.replies[-1]].text)
    changed = bool(acted_upon) or any(records[index].files for index in turn.body)
    failed = any(records[index].failed for index in turn.body)
    if changed:
        for _, label, text in labelled(reply, _NAMES):
            if _NAMES.match(label):
                yield label, sentences(text)
    for block in reply:
        for one in sentences(block.text) if block.kind == "paragraph" else ():
            if changed and (point := _POINT.match(one)):
                yield point[0], [capital(one[point.end() :])]
            elif failed and (note := _NOTE.match(one)) and _is_about_code(one[note.end() :]):
                yield note[0], [capital(one[note.end() :])]


def _title(said: str) -> str:
    """Return a sentence as a title, or what it says before what follows from it."""
    return title_of(said) or title_of(said.partition(", so ")[0])


def _is_about_code(said: str) -> bool:
    return bool(_CODE.search(said)) and not _OF_THE_WORK.search(said)


def _passes(title: str) -> bool:
    return bool(noise(title) or _ONCE.match(title))
