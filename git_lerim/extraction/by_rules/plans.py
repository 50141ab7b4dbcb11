"""Find decisions in a plan that the user approved: in its title and its decision sections."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.statements import title_of
from git_lerim.extraction.transcript.text import blocks, finished, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Origin, Primitive
from git_lerim.memories.quotes import FROM_PLAN, FROM_SUMMARY, LEFT_OUT
from git_lerim.sessions.session import Role

_DECIDES = re.compile(
    r"^(?:\d+[.)]\s*)?(?:(?:key |design |main |agreed )?decisions?(?: made)?|design choices?|"
    r"trade-?offs?(?: and decisions)?|rejected(?: alternatives| options)?|"
    r"alternatives (?:rejected|considered and rejected)|non-?goals?|out of scope|won[’']t do)\W*$",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(r"reject|non-?goal|out of scope|won[’']t", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|so that|to avoid|instead of|rather than|to keep|otherwise|not|no|never|"
    r"only)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"(?:(?:implementation |refactoring |design )?plan|proposal|design|rfc)\s*[:—–-]\s*"
    r"(?P<title>.+)$",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(
    r"\b(?:instead of|rather than|no longer|replac(?:e|es|ing)|but not)\b", re.IGNORECASE
)
_SUMMARY = 4  # blocks at the beginning of a plan, its title and summary among them


def plan_decisions(turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield decisions of the last approved plan: its title, and items in its decision sections."""
    approved = [
        (number, turn)
        for number, turn in enumerate(turns)
        if turn.said.role is Role.APPROVAL and turn.said.text.strip()
    ]
    for number, turn in approved[-1:]:
        yield from _whole(turn, number)
        heading, place = "", -1
        for block in blocks(turn.said.text):
            if block.kind == "heading":
                heading = block.text if _DECIDES.match(block.text) else ""
            elif heading and block.kind in {"item", "paragraph"} and block.depth == 0:
                place += 1
                said = sentences(block.text)
                title = title_of(said[0]) if said and not noise(said[0]) else ""
                if title and _REASON.search(block.text):
                    out = f" {LEFT_OUT}" if _LEFT_OUT.search(heading) else ""
                    origin = f"{FROM_PLAN}“{heading}”."
                    yield Finding(
                        origin=Origin.ANSWER,
                        primitive=Primitive.DECISION,
                        title=title,
                        body=f"{' '.join(map(finished, said))[:600]}{out} {origin}",
                        said=block.text[:400],
                        evidence=(turn.index,),
                        place=place_of(place),
                        turn=number,
                        rank=2.0,
                    )


def _whole(turn: Turn, number: int) -> Iterator[Finding]:
    """Yield the plan's title as a decision, if its summary names a rejected alternative."""
    plan = blocks(turn.said.text)
    named = _TITLE.match(plan[0].text) if plan and plan[0].kind == "heading" else None
    title = title_of(named["title"]) if named else ""
    summary = next((block.text for block in plan[1:_SUMMARY] if block.kind == "paragraph"), "")
    if title and not noise(title) and _FOR_WHAT.search(summary):
        yield Finding(
            origin=Origin.ANSWER,
            primitive=Primitive.DECISION,
            title=title,
            body=f"{finished(summary[:600])} {FROM_SUMMARY}",
            said=f"{title} {summary}",
            evidence=(turn.index,),
            place="title",
            turn=number,
            rank=2.0,
        )
