"""What the human and the agent say together, and what the agent says of a failure."""

import re
from collections.abc import Iterator, Sequence
from math import fsum

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.passage import SIZE, Passage, prune, same
from git_lerim.extraction.by_rules.text import blocks, sentences, settled
from git_lerim.extraction.by_rules.turns import Act, Turn
from git_lerim.extraction.by_rules.words import terms
from git_lerim.sessions.session import Record, Role

_NO_OPTION = re.compile(r"(?:something else|other|none)\b", re.IGNORECASE)
_ANSWER = 260  # characters of an answer that are told
_QUESTION = 160  # characters of a question that is told with its answer
_OPENING = 0.4  # what a sentence of the turn's first reply is worth more


def exchange(records: Sequence[Record], number: int, turn: Turn) -> Iterator[Passage]:
    """Yield what the human's act and the agent's answer say together."""
    if turn.said is None or turn.index is None:
        return
    said = turn.said
    told = _told(records, turn, said)
    words = frozenset(terms(f"{said.question or ''} {said.text}"))
    pool = [(turn.index, sentence) for sentence in told]
    if turn.act is Act.APPROVAL and turn.before is not None:
        pool = [(turn.before, sentence) for sentence in recommended(records[turn.before].text, said.text)]
        words = frozenset(terms(" ".join(sentence for _, sentence in pool)))
    for index in dict.fromkeys(turn.replies[:2] + turn.replies[-1:]):
        if index != turn.replies[0] and any(record.failed for record in records[max(turn.index, index - 3) : index]):
            continue  # it speaks of the failure, not of what the human said
        pool += [(index, sentence) for sentence in _sentences_of(records[index].text)]
    fixed = pool[:1] if told else []
    chosen = fixed + [one for one in _best(pool, words, turn.replies[0] if turn.replies else -1) if one not in fixed]
    if not chosen:
        return
    quoted = "" if turn.act in {Act.APPROVAL, Act.REJECTION} else quotable(said)
    yield Passage(
        text=" ".join(sentence for _, sentence in chosen), kept=[sentence for _, sentence in chosen], index=turn.index,
        turn=number, source="exchange", first=True, said=quoted, lead=quotable(said) if turn.act is Act.REJECTION else "",
        evidence=tuple(sorted({turn.index, *(index for index, _ in chosen)})),
    )  # fmt: skip


def _told(records: Sequence[Record], turn: Turn, said: Record) -> list[str]:
    """Return what the human's act says by itself: an answer with its question, a refusal with what was refused."""
    if turn.act is Act.ANSWER:
        return _answered(said)
    words = quotable(said)
    if turn.act is not Act.REJECTION or not words or words.endswith("?"):
        return []
    refused = next(
        (record.text for record in reversed(records[: turn.index]) if record.call == said.call and record.role is Role.CALL), ""
    )
    what = f"`{refused[:80]}`" if refused and "`" not in refused[:80] else "a step"
    return [f"The user refused {what} and said: “{words.rstrip('. ')}”."]


def _sentences_of(text: str) -> list[str]:
    found: list[str] = []
    for block in settled(blocks(text))[:40]:
        if block.kind != "heading":
            found += prune(sentences(block.text))
    return found


def _answered(said: Record) -> list[str]:
    question = " ".join((said.question or "").split())
    answer = said.text.strip().lower()
    taken = [
        option for option in said.options if option.split(":", 1)[0].strip().lower() in answer or answer == option.strip().lower()
    ]
    left = [option.split(":", 1)[0].strip() for option in said.options if option not in taken and not _NO_OPTION.match(option)]
    chosen = " ".join((taken[0] if taken else said.text).split())[:_ANSWER].rstrip(". ")
    if not chosen:
        return []
    asked = f"Asked “{question}”, the user" if 0 < len(question) <= _QUESTION else "The user"
    told = [f"{asked} {'chose' if taken else 'answered'} “{chosen}”."]
    return [*told, f"Not chosen: {'; '.join(left)[:200]}."] if left and taken else told


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


_VALUES = {
    "why": 0.35,
    "insight": 0.25,
    "contrast": 0.2,
    "limit": 0.2,
    "choice": 0.15,
    "cause": 0.15,
    "status": -0.5,
    "hedge": -0.15,
}


def _value(sentence: str, words: frozenset[str]) -> float:
    topic = frozenset(terms(sentence))
    if len(topic) < 2 or len(sentence) > 420:
        return -1.0
    shared = len(topic & words) / min(len(topic), 8)
    return shared + fsum(_VALUES.get(mark, 0.0) for mark in cues.marks(sentence)) - 0.4 * bool(cues.EDITS.match(sentence))


def quotable(said: Record) -> str:
    """Return the human's words where they carry something beyond yes and no, cut to one line."""
    text = " ".join(part.text for part in blocks(said.text[:1500]) if part.kind not in {"row", "command"})
    whole = [sentence for sentence in sentences(text) if len(terms(sentence)) >= 3 and not cues.UNFIT.search(sentence)]
    cut = ""
    for sentence in whole:
        if len(cut) + len(sentence) > 240:
            break
        cut = f"{cut} {sentence}".strip()
    if not cut and whole and len(whole[0]) < 420:
        cut = whole[0]
    return cut


def diagnoses(records: Sequence[Record], number: int, turn: Turn) -> Iterator[Passage]:
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
            text=records[index].text[:SIZE], kept=[*kept, f"The error was: “{line}”"], index=index, turn=number,
            source="diagnosis", first=index == turn.replies[0], last=index == turn.replies[-1], evidence=(failed, index),
        )  # fmt: skip


def _within(kept: list[str], room: int) -> list[str]:
    while len(kept) > 1 and sum(map(len, kept)) + len(kept) > room:
        kept = kept[:-1]
    return kept


def error_line(output: str) -> str:
    """Return the line of a failing tool's output that says what is wrong, or nothing."""
    lines = [" ".join(line.split()) for line in output.splitlines()]
    said = [line for line in lines if 12 < len(line) < 240 and not cues.ERROR_NOISE.search(line)]
    for cue in (cues.ERROR_NAMED, cues.ERROR_LINE):
        for line in said:
            if cue.search(line):
                return line
    return ""
