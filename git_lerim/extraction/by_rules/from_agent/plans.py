"""Find decisions in an approved plan: in its title, its decision sections, and its approach."""

import re
from collections.abc import Iterable, Iterator, Sequence

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.sentences.imperatives import NO_VERB, is_order
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.transcript.text import Block, blocks, finished, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Origin, Primitive
from git_lerim.memories.quotes import FROM_PLAN, FROM_SUMMARY, LEFT_OUT
from git_lerim.sessions.session import Role

_DECIDES = re.compile(
    r"^(?:\d+[.)]\s*)?(?:(?:(?:key|design|main|agreed|technical|architectur\w+) )*"
    r"decisions?(?: made)?|"
    r"design choices?|trade-?offs?(?: and decisions)?|rejected(?: alternatives| options)?|"
    r"alternatives (?:rejected|considered and rejected)|non-?goals?|out of scope|won[’']t do)\W*$",
    re.IGNORECASE,
)
_APPROACH = re.compile(
    r"^(?:\d+[.)]\s*)?(?:(?:the|our|proposed|chosen|recommended|overall|high-level|technical) )*"
    r"(?:approach|strategy|solution|architecture|design)(?: overview)?\W*$",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(r"reject|non-?goal|out of scope|won[’']t", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|so that|to avoid|instead of|rather than|to keep|otherwise|not|no|never|"
    r"only)\b",
    re.IGNORECASE,
)
_TAKE = r"(?:use|prefer|choose|chose|pick|picked|favou?r|take)\b"
# `JWT over server sessions: the app is stateless`, but not `Loop over the files: …`
_OVER = re.compile(
    rf"(?:{_TAKE} )?(?!{NO_VERB}\b)(?P<chosen>[^.;:]{{2,80}}?) over [^.;:]{{2,60}}?"
    r"(?::|\s[—–-]|,? (?:because|since|so that)\b)\s",
    re.IGNORECASE,
)
# a full statement, or a verb before "over": `Messages are delivered over AMQP: …`
_SAYS = re.compile(
    r"\b(?:(?:is|are|was|were|be|will|must|can|should|has|have)\b|(?:iterat\w+|loop\w*|tak\w+|"
    r"hand\w*|carr\w+|mov\w+|roll\w*|switch\w*|go\w*|walk\w*|map\w*|runs?|sends?|sent|"
    r"stream\w*|fold\w*|talks?|speaks?|connects?|all|\w+ed)$)",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    rf"\b(?:instead of|rather than|{_TAKE} [^.;:]{{2,60}}? over)\b[^.;]*?"
    r"(?:\b(?:because|since|so that|otherwise)\b|:|\s[—–-])\s",
    re.IGNORECASE,
)
_WE_WILL = re.compile(r"^(?:we|i)(?:[’']ll| will) ", re.IGNORECASE)
_NOW = re.compile(r"\b(?:currently|today|at the moment|until now|so far)\b", re.IGNORECASE)
_TITLE = re.compile(
    r"(?:(?:implementation |refactoring |design )?plan|proposal|design|rfc)\s*[:—–-]\s*"
    r"(?P<title>.+)$",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(
    r"\b(?:instead of|rather than|no longer|replac(?:e|es|ing)|but not)\b", re.IGNORECASE
)
_SHORT = 3  # words of a thing that is chosen, unless it is bold
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
        decided = enumerate(_sections(blocks(turn.said.text)))
        for place, (heading, block) in decided:
            text = block.text
            said = sentences(text)
            title = title_of(said[0]) if said and not noise(said[0]) else ""
            if title and _decides(heading, block, said[0]):
                out = f" {LEFT_OUT}" if _LEFT_OUT.search(heading) else ""
                origin = f"{FROM_PLAN}“{heading}”."
                yield Finding(
                    origin=Origin.ANSWER,
                    primitive=Primitive.DECISION,
                    title=title,
                    body=f"{' '.join(map(finished, said))[:600]}{out} {origin}",
                    said=text[:400],
                    evidence=(turn.index,),
                    place=place_of(place),
                    turn=number,
                    rank=2.0,
                )


def _sections(plan: Iterable[Block]) -> Iterator[tuple[str, Block]]:
    """Yield each paragraph and item of a plan's decisions and approach, with its heading.

    Decision sections come first, wherever they are in the plan.
    """
    heading = ""
    approach: list[tuple[str, Block]] = []
    for block in plan:
        if block.kind == "heading":
            heading = block.text
        elif block.kind in {"item", "paragraph"} and block.depth == 0:
            if _DECIDES.match(heading):
                yield heading, block
            elif _APPROACH.match(heading):
                approach.append((heading, block))
    yield from approach


def _decides(heading: str, block: Block, first: str) -> bool:
    """Return whether a block states a decision; elsewhere, it must name A over B and why."""
    if _DECIDES.match(heading):
        return bool(_REASON.search(block.text)) or _prefers(first, block.lead)
    order = _WE_WILL.sub("", first)
    chosen = _prefers(first, block.lead) or (_CHOOSES.search(first) and is_order(order, done=True))
    return bool(chosen) and not first.endswith("?") and not _NOW.search(first)


def _prefers(sentence: str, bold: str) -> bool:
    """Return whether a sentence is `A over B: why`, where A is a thing."""
    found = _OVER.match(sentence)
    chosen = found["chosen"] if found else ""
    named = len(chosen.split()) <= _SHORT or bold.startswith(chosen)
    says = _SAYS.search(chosen) or is_order(chosen, done=True)
    return found is not None and named and not says


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
