"""Find what a session leaves open: unanswered questions and next steps."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from git_lerim.extraction.transcript.text import Block, blocks, sentences
from git_lerim.extraction.transcript.turns import live_records
from git_lerim.extraction.transcript.user_text import typed
from git_lerim.extraction.transcript.words import terms
from git_lerim.sessions.session import Record, Role, Session

_LENGTH = 280  # characters of one entry
_LATEST = 4  # replies searched for a list of next steps
_ITEMS = 8
_END = 4  # last blocks of a reply, which are searched for questions
_ACTS = {Role.PROMPT, Role.ANSWER, Role.APPROVAL, Role.REJECTION}
_THANKS = re.compile(
    r"^\W*(?:got it|done|ok+|kk?|thx|ty|will do|understood|cool|好的?|嗯+|谢谢|收到|明白|了解|"
    r"可以的)\W*$",
    re.IGNORECASE,
)
_APPROVES = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|yea|y|sure|lgtm|perfect|great|good|nice|cool|fine|right|"
    r"correct|exactly|agreed?|approved?|go|go ahead|do it|do that|please|proceed|continue|"
    r"sounds? good|looks? good|works? for me|makes sense|ship it|love it|that works|i agree|"
    r"start(?: implementing)?|let[’']s (?:do|go|implement|start)|implement(?: it| this| that)?|"
    r"thanks?|alright|1|2|3|4|a|b|c|d|option \w|both|all|it|this|that|with|the|for|now|then|and|"
    r"me|you|go with)\b[\s,.!;:)-]*){1,9}$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"^(?:suggested |recommended |possible |the )?(?:next steps?|what[’']?s next|to[- ]?dos?|"
    r"remaining(?: work| tasks?| steps?| items?)?|still (?:to do|open|missing|pending)|left to do|"
    r"open (?:items|points|tasks|ends)|follow[- ]?ups?|not (?:yet )?done(?: yet)?|"
    r"outstanding(?: items| work)?|pending(?: tasks?| work)?)\b[^.?!]{0,40}:?$",
    re.IGNORECASE,
)
_SAYS_LEFT = re.compile(
    r"\b(?:next step|remaining (?:work|step|task)|still (?:needs? to|needs? an? |ha(?:s|ve) to|"
    r"must|to be \w+ed|fails?|missing)|not yet (?:done|wired|implemented|tested|fixed|covered|"
    r"migrated|updated)|(?:is|are) left to|to[- ]do|TODO|follow[- ]?up|haven[’']t (?:yet |run|"
    r"tested|touched|updated)|hasn[’']t been|did(?:n[’']t| not) (?:get to|finish|touch|run))\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """Open questions and next steps at the end of a session."""

    questions: tuple[str, ...]
    steps: tuple[str, ...]
    by_agent: frozenset[str]  # the questions and steps that the agent worded
    files: tuple[str, ...]  # files written, as the agent names them, latest first
    last: int  # number of the last record


def unfinished(session: Session) -> Unfinished:
    """Return what a session leaves open, from its last turn and its last list of next steps."""
    records = [record for record in live_records(session) if record.part is None]
    act = max((index for index, record in enumerate(records) if record.role in _ACTS), default=None)
    after = records[act + 1 :] if act is not None else records
    said = [record for record in after if record.role is Role.REPLY]
    questions = list(_asked_by_agent(said[-1:]))
    steps = list(_planned([record for record in records if record.role is Role.REPLY][-_LATEST:]))
    by_agent = frozenset(_distinct((*questions, *steps)))
    if not said:
        wish = _last_wish(records)
        if wish.endswith(("?", "？")):
            questions.insert(0, f"Unanswered: {wish}")
        elif wish:
            steps.insert(0, f"Continue with: {wish}")
    if after and after[-1].role in {Role.CALL, Role.RESULT, Role.INTERRUPT}:
        steps.append(_broken_off(after))
    files = [name for record in reversed(records) if not record.failed for name in record.files]
    return Unfinished(
        questions=_distinct(questions),
        steps=_distinct(steps),
        by_agent=by_agent,
        files=tuple(dict.fromkeys(files)),
        last=max((record.n for record in records), default=0),
    )


def _asked_by_agent(replies: Sequence[Record]) -> Iterator[str]:
    """Yield the questions at the end of the agent's last reply."""
    for record in replies:
        for block in blocks(record.text)[-_END:]:
            if block.kind not in {"heading", "row", "command"}:
                yield from (
                    one
                    for one in sentences(block.text)
                    if one.endswith(("?", "？")) and len(terms(one)) >= 2
                )


def _last_wish(records: Sequence[Record]) -> str:
    """Return the main sentence of the user's last message, or "" if a reply followed it.

    Messages that only say yes or thanks are skipped. The main sentence is the last question or,
    without one, the first sentence.
    """
    for record in reversed(records):
        if record.role is Role.REPLY:
            break
        if (
            record.role is Role.PROMPT
            and not _THANKS.match(record.text)
            and not _APPROVES.match(record.text)
        ):
            told = [
                one
                for block in blocks(typed(record.text[:6000]))
                if block.kind not in {"command", "quote"}
                for one in sentences(block.text)
            ]
            asked = [one for one in told if one.endswith(("?", "？"))]
            return _cut(asked[-1] if asked else told[0]) if told else ""
    return ""


def _planned(replies: Sequence[Record]) -> list[str]:
    """Return the last list of next steps or, failing that, what the last reply says is left."""
    for record in reversed(replies):
        listed = list(_below_heading(blocks(record.text)))
        if listed:
            return listed[:_ITEMS]
    last = replies[-1:]
    return [
        one
        for record in last
        for block in blocks(record.text)
        if block.kind in {"paragraph", "item"}
        for one in sentences(block.text)
        if _SAYS_LEFT.search(one) and not one.endswith(("?", "？"))
    ][:_ITEMS]


def _below_heading(parts: Iterable[Block]) -> Iterator[str]:
    inside = False
    for block in parts:
        if block.kind == "item" and inside:
            yield block.text
        elif block.kind in {"heading", "paragraph"}:
            inside = bool(_LEFT.match(block.text.rstrip(": ").strip()))


def _broken_off(after: Sequence[Record]) -> str:
    last = after[-1]
    if last.role is Role.INTERRUPT:
        return (
            "The human stopped the agent in the middle of its work: look at the work tree for what"
            " is half done"
        )
    call = next((record for record in reversed(after) if record.role is Role.CALL), None)
    done = (
        f" after `{_cut(call.command or call.text, 120)}`"
        if call and "`" not in (call.command or call.text)
        else ""
    )
    failed = ", which failed" if last.failed and done else ""
    return f"The session broke off{done}{failed}: look at the work tree for what is half done"


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cut for one in found if (cut := _cut(one))))


def _cut(text: str, limit: int = _LENGTH) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rsplit(" ", 1)[0] + "…"
