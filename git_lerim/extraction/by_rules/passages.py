"""All pieces of a session that could become memories."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.exchanges import diagnoses, exchange
from git_lerim.extraction.by_rules.passage import SIZE, Passage, prune
from git_lerim.extraction.by_rules.text import Block, blocks, sentences, settled
from git_lerim.extraction.by_rules.turns import Act, Turn
from git_lerim.extraction.by_rules.words import english, terms
from git_lerim.sessions.session import Record, Role

_WORDS = 6  # words, code not counted, of at least one sentence of a passage
_CODE = re.compile(r"`[^`]*`")
_ALONE = 70  # characters from which an item of a list says something by itself
_PLAIN = {Act.ANSWER, Act.PLAN}  # what a human does that needs no cue to be understood


def passages(records: Sequence[Record], all_turns: Sequence[Turn]) -> list[Passage]:
    """Return every passage of a session, in order."""
    found: list[Passage] = []
    final = max((index for index, record in enumerate(records) if record.role is Role.SUMMARY), default=-1)
    foreign = not english(" ".join(record.text[:2000] for record in records if record.role in {Role.PROMPT, Role.REPLY})[:20000])
    for number, turn in enumerate(all_turns):
        if turn.disowned or (foreign and turn.act not in _PLAIN):
            continue
        found += _of_act(records, number, replace(turn, replies=[]) if foreign else turn)
        found += () if foreign else diagnoses(records, number, turn)
        for index in () if foreign or turn.helper else turn.body:
            record = records[index]
            source = {Role.REPLY: "reply", Role.SUMMARY: "summary", Role.REPORT: "report"}.get(record.role)
            if source and (source != "summary" or index == final):
                found += _of_text(record, index, number, source, turn)
    return found


def _of_act(records: Sequence[Record], number: int, turn: Turn) -> list[Passage]:
    if turn.said is None or turn.index is None:
        return []
    if turn.act is Act.PLAN:
        return _of_text(turn.said, turn.index, number, "plan", turn)
    return list(exchange(records, number, turn))


def _of_text(record: Record, index: int, number: int, source: str, turn: Turn) -> list[Passage]:
    found = []
    pieces = list(_pieces(settled(blocks(record.text))))
    for order, (heading, lead, text) in enumerate(pieces):
        kept = prune(sentences(text))
        if source == "report" and cues.ADDRESSES.search(text):
            continue
        if sum(len(terms(sentence)) for sentence in kept) >= 4 and any(
            len(_CODE.sub("", sentence).split()) >= _WORDS for sentence in kept
        ):
            found.append(
                Passage(
                    text=text, kept=kept, index=index, turn=number, source=source, heading=heading, lead=lead,
                    place=order / max(len(pieces) - 1, 1), first=bool(turn.replies) and index == turn.replies[0],
                    last=bool(turn.replies) and index == turn.replies[-1], evidence=(index,),
                )
            )  # fmt: skip
    return found


def _pieces(parts: Sequence[Block]) -> Iterator[tuple[str, str, str]]:
    """Group blocks into (heading, lead, text): what stands together and fits, one item alone where it says enough."""
    heading = lead = ""
    gathered: list[str] = []
    for position, block in enumerate(parts):
        size = sum(map(len, gathered)) + len(block.text)
        closes = (
            block.kind == "heading"
            or size > SIZE
            or (block.depth == 0 and block.kind in {"item", "row"} and _alone(block) and gathered)
        )
        if closes and gathered:
            yield heading, lead, _joined(gathered)
            gathered, lead = [], ""
        if block.kind == "heading":
            heading = block.text
            continue
        if block.kind == "paragraph" and block.text.endswith(":") and len(block.text) < 70:
            if gathered:
                yield heading, lead, _joined(gathered)
                gathered, lead = [], ""
            heading = block.text.rstrip(":")
            following = parts[position + 1] if position + 1 < len(parts) else None
            if following is None or following.kind != "command":
                continue
        lead = lead or block.lead
        gathered.append(block.text)
    if gathered:
        yield heading, lead, _joined(gathered)


def _alone(block: Block) -> bool:
    return len(block.text) >= _ALONE


def _joined(parts: Sequence[str]) -> str:
    """Join blocks so that each ends like a sentence."""
    return " ".join(part if part[-1] in ".!?:;。" else f"{part}." for part in parts)[: 2 * SIZE]
