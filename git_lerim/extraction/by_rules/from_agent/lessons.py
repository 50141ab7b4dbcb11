"""Find lessons: points in the agent's last reply under a heading like `Worth knowing`."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.from_agent.labels import labelled
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.transcript.text import blocks, finished, plain, sentences
from git_lerim.extraction.transcript.turns import Turn, is_doubted
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.sessions.session import Record

_NAMES = re.compile(
    r"\W*(?:(?:known |key |the )?(?:limitations?|gotchas?|pitfalls?|caveats?|quirks?|surprises?|"
    r"lessons?(?: learn(?:ed|t))?|traps?)|(?:what|things?)\b.{0,40}\b(?:learn(?:ed|t)|hit|"
    r"should know|to know|(?:watch|look) out for|stumbled over)\b.{0,30}|(?:good to|worth) know\w*|"
    r"(?:(?:points?|things?|notes?) to )?(?:keep|bear) in mind|notes? for (?:later|next time))"
    r"\W*$",
    re.IGNORECASE,
)
_MOST = 5  # most lessons taken from one reply


def lessons(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield the lessons in the last reply of each turn that changed files.

    Lessons are statements under headings such as `Worth knowing`, at most five from each reply.
    Turns whose reply the user doubted are left out.
    """
    for number, turn in enumerate(turns):
        changed = any(records[index].files for index in turn.body)
        ours = changed and turn.replies and not (turn.automated or turn.disowned)
        if not ours or is_doubted(turns, number):
            continue
        labels = labelled(blocks(records[turn.replies[-1]].text), _NAMES)
        named = [(label, sentences(text)) for _, label, text in labels if _NAMES.match(label)]
        stated = (
            (place, label, said, title)
            for place, (label, said) in enumerate(named)
            if said and (title := title_of(said[0])) and not noise(title)
        )
        for place, label, said, title in islice(stated, _MOST):
            yield Finding(
                origin=Origin.RULES,
                primitive=Primitive.LEARNING,
                kind=Kind.FACT if "limitation" in label.casefold() else Kind.PITFALL,
                title=title,
                body=" ".join(finished(plain(one)) for one in said),
                said=title,
                evidence=(turn.replies[-1],),
                place=place_of(place),
                turn=number,
                rank=1.15,
            )
