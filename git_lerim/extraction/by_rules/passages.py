"""Pieces of a session that could become memories: a few sentences about one thing, with the records they come from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.text import Block, blocks, sentences, settled
from git_lerim.extraction.by_rules.turns import Act, Turn
from git_lerim.extraction.by_rules.words import english, terms
from git_lerim.sessions.session import Record, Role

SIZE = 620  # characters of a passage
_WORDS = 6  # words, code not counted, of at least one sentence of a passage
_CODE = re.compile(r"`[^`]*`")
_OPENING = 0.4  # what a sentence of the turn's first reply is worth more
_ALONE = 70  # characters from which an item of a list says something by itself


_PLAIN = {Act.ANSWER, Act.PLAN}  # what a human does that needs no cue to be understood


@dataclass(slots=True)
class Passage:
    """Some sentences; `index` is where in the living records they stand."""

    text: str  # as said, cleaned of markdown
    kept: list[str]  # its sentences without chat, progress and status
    index: int
    turn: int
    source: str  # reply | exchange | summary | report | plan
    heading: str = ""
    lead: str = ""
    place: float = 0.0  # where in its record: 0 start, 1 end
    first: bool = False  # in the turn's first reply
    last: bool = False  # in the turn's last reply
    evidence: tuple[int, ...] = ()  # the living records it comes from
    said: str = ""  # the human's words, if they belong to it


def passages(records: Sequence[Record], all_turns: Sequence[Turn]) -> list[Passage]:
    """Return every passage of a session, in order."""
    found: list[Passage] = []
    final = max((index for index, record in enumerate(records) if record.role is Role.SUMMARY), default=-1)
    foreign = not english(" ".join(record.text[:2000] for record in records if record.role in {Role.PROMPT, Role.REPLY})[:20000])
    for number, turn in enumerate(all_turns):
        if turn.disowned or (foreign and turn.act not in _PLAIN):
            continue
        found += _of_act(records, number, turn)
        found += () if foreign else _diagnoses(records, number, turn)
        for index in () if foreign else turn.body:
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
    return list(_exchange(records, number, turn))


def _diagnoses(records: Sequence[Record], number: int, turn: Turn) -> Iterator[Passage]:
    """Yield what the agent says right after something failed, with the words of the failure."""
    for index in turn.replies:
        failed = next((before for before in range(index - 1, max(index - 5, -1), -1) if records[before].failed), None)
        if failed is None or any(records[between].role is Role.REPLY for between in range(failed, index)):
            continue
        kept = prune([sentence for block in blocks(records[index].text)[:6] for sentence in sentences(block.text)])
        line = error_line(records[failed].text)
        if not line or len(terms(" ".join(kept))) < 4:
            continue
        kept = _within(kept, SIZE - len(line) - 20)
        yield Passage(
            text=records[index].text[:SIZE], kept=[*kept, f"The error was: “{line}”"], index=index, turn=number, source="diagnosis",
            first=index == turn.replies[0], last=index == turn.replies[-1], evidence=(failed, index),
        )  # fmt: skip


def _within(kept: list[str], room: int) -> list[str]:
    while len(kept) > 1 and sum(map(len, kept)) + len(kept) > room:
        kept = kept[:-1]
    return kept


def error_line(output: str) -> str:
    """Return the line of a failing tool's output that says what is wrong, or nothing."""
    lines = [" ".join(line.split()) for line in output.splitlines()]
    hits = [line for line in lines if cues.ERROR_LINE.search(line) and 12 < len(line) < 240 and not cues.ERROR_NOISE.search(line)]
    return hits[0] if hits else ""


def _of_text(record: Record, index: int, number: int, source: str, turn: Turn) -> list[Passage]:
    found = []
    pieces = list(_pieces(settled(blocks(record.text))))
    for order, (heading, lead, text) in enumerate(pieces):
        kept = prune(sentences(text))
        if source == "report" and cues.ADDRESSES.search(text):
            continue
        if len(terms(" ".join(kept))) >= 4 and any(len(_CODE.sub("", sentence).split()) >= _WORDS for sentence in kept):
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


def prune(found: Sequence[str]) -> list[str]:
    """Return the sentences that say something about the project, not about the work on it."""
    kept = []
    for sentence in found:
        bare = _INTERJECTION.sub("", sentence).strip()
        low = bare.lower()
        if any(sign in low for sign in _SELF) or low.startswith("i "):
            bare = cues.TRAILING.sub("", bare)
            if cues.WORKING.search(bare):
                continue
        if len(bare) < 12 or len(bare.split()) < 4 or bare.endswith(("?", ":")) or cues.PROGRESS.match(bare) or cues.CHAT.match(bare):
            continue
        kept.append(bare[0].upper() + bare[1:] if re.match(r"[a-z]+ ", bare) else bare)
    return kept


_SELF = ("i'", "i’", " i ", "let me", "want me")
_INTERJECTION = re.compile(
    r"^(?:(?:yes|yep|yeah|ok(?:ay)?|great|perfect|excellent|ah|oh|hmm|hm|huh|interesting|understood|got it|agreed|absolutely|exactly(?: right)?|good (?:catch|call|point|idea|question|observation|thinking|choice|insight|news)|"
    r"great (?:point|catch|idea|question|work)|you[’']?(?:re| are) (?:absolutely |completely |totally )?(?:right|correct)(?: to call that out)?|makes sense|that makes (?:more )?sense|that[’']s (?:a )?(?:good|great|fair|crucial|clever|helpful) (?:point|idea|insight|question)|"
    r"fair (?:point|enough)|my mistake|so|and|also)\b[\s,.!:;—–-]+|(?:no|right|correct|done|fixed|sure|sorry|no problem|well|actually|now|good|there it is|found it|here it is|wait)[,.!:;—–]+ +)+",
    re.IGNORECASE,
)


def _exchange(records: Sequence[Record], number: int, turn: Turn) -> Iterator[Passage]:
    """Yield what the human's act and the agent's answer say together."""
    if turn.said is None or turn.index is None:
        return
    said = turn.said
    words = frozenset(terms(f"{said.question or ''} {said.text}"))
    pool: list[tuple[int, str]] = []
    if turn.act is Act.APPROVAL and turn.before is not None:
        pool += [(turn.before, sentence) for sentence in recommended(records[turn.before].text, said.text)]
        words = frozenset(terms(" ".join(sentence for _, sentence in pool)))
    if turn.act is Act.ANSWER:
        pool += [(turn.index, sentence) for sentence in _answered(said)]
    for index in dict.fromkeys(turn.replies[:2] + turn.replies[-1:]):
        if index != turn.replies[0] and any(record.failed for record in records[max(turn.index, index - 3) : index]):
            continue  # it speaks of the failure, not of what the human said
        pool += [(index, sentence) for sentence in _sentences_of(records[index].text)]
    chosen = _best(pool, words, turn.replies[0] if turn.replies else -1)
    if not chosen:
        return
    spoken = quotable(said) if turn.act is not Act.APPROVAL else ""
    if not spoken and len(chosen) < 1:
        return
    text = " ".join(sentence for _, sentence in chosen)
    used = sorted({turn.index, *(index for index, _ in chosen)})
    yield Passage(
        text=text, kept=[sentence for _, sentence in chosen], index=turn.index, turn=number, source="exchange", first=True,
        evidence=tuple(used), said=spoken,
    )  # fmt: skip


def _sentences_of(text: str) -> list[str]:
    found: list[str] = []
    for block in settled(blocks(text))[:40]:
        if block.kind != "heading":
            found += prune(sentences(block.text))
    return found


def _answered(said: Record) -> list[str]:
    question = (said.question or "").strip()
    taken = [
        option
        for option in said.options
        if option.split(":")[0].strip().lower() in said.text.lower() or said.text.strip().lower() == option.strip().lower()
    ]
    left = [
        option.split(":")[0].strip()
        for option in said.options
        if option not in taken and not re.match(r"(?i)something else|other", option)
    ]
    found = prune(sentences(taken[0] if taken else said.text))
    if question and found:
        found = [f"{question.rstrip('?')}: {found[0]}", *found[1:]] if len(question) < 160 else found
    if left and taken:
        found.append("Not chosen: " + "; ".join(left)[:200] + ".")
    return found


def recommended(text: str, answer: str) -> list[str]:
    """Return the sentences of a reply that a short answer such as `yes` or `2` accepts."""
    parts = blocks(text)
    chosen = re.match(r"\W*(?:option )?([1-9a-d])\b", answer.strip(), re.IGNORECASE)
    if chosen:
        wanted = re.compile(rf"^[ \t]*(?:[-*] )?(?:\*\*)?(?:option )?{chosen[1]}[.):]", re.IGNORECASE | re.MULTILINE)
        for found in wanted.finditer(text):
            line = blocks(text[found.start() :].split("\n", 1)[0])
            if line:
                return prune(sentences(line[0].text))[:3]
    lines = [sentence for block in parts if block.kind != "heading" for sentence in sentences(block.text)]
    hits = [position for position, line in enumerate(lines) if cues.PROPOSAL.search(line) and not line.endswith("?")]
    picked = [lines[position] for hit in hits[-2:] for position in range(hit, min(hit + 2, len(lines)))]
    return list(dict.fromkeys(prune(picked or lines[-4:])))


def _best(pool: Sequence[tuple[int, str]], words: frozenset[str], opening: int) -> list[tuple[int, str]]:
    """Return the best sentences of a pool, in their order, as many as fit."""
    values = [_value(sentence, words) for _, sentence in pool]
    ranked = sorted(range(len(pool)), key=lambda at: (-values[at] - _OPENING * (pool[at][0] == opening), at))
    chosen: list[int] = []
    size = 0
    for at in ranked:
        sentence = pool[at][1]
        if values[at] < 0.2 or len(chosen) == 5:
            break
        if size + len(sentence) > SIZE - 180 or any(same(sentence, pool[other][1]) for other in chosen):
            continue
        chosen.append(at)
        size += len(sentence)
    return [pool[at] for at in sorted(chosen)]


def same(one: str, other: str) -> bool:
    """Tell whether two sentences say nearly the same."""
    first, second = set(terms(one)), set(terms(other))
    return bool(first) and len(first & second) / min(len(first), len(second) or 1) > 0.7


_VALUES = {"why": 0.35, "insight": 0.25, "contrast": 0.2, "limit": 0.2, "choice": 0.15, "cause": 0.15, "status": -0.5, "hedge": -0.15}


def _value(sentence: str, words: frozenset[str]) -> float:
    topic = frozenset(terms(sentence))
    if len(topic) < 2 or len(sentence) > 420:
        return -1.0
    shared = len(topic & words) / min(len(topic), 8)
    return shared + fsum(_VALUES.get(mark, 0.0) for mark in cues.marks(sentence)) - 0.4 * bool(cues.EDITS.match(sentence))


def quotable(said: Record) -> str:
    """Return the human's words where they carry something beyond yes and no, cut to one line."""
    text = " ".join(part.text for part in blocks(said.text[:1500]) if part.kind not in {"row", "command"})
    whole = [sentence for sentence in sentences(text) if len(terms(sentence)) >= 3]
    cut = ""
    for sentence in whole:
        if len(cut) + len(sentence) > 240:
            break
        cut = f"{cut} {sentence}".strip()
    if not cut and whole and len(whole[0]) < 420:
        cut = whole[0]
    return cut
