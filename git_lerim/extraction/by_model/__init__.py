"""Extract memories with a model that reads a shortened session, and check all its claims.

One call is made per session, or one per window if the session is too long. A call is repeated once
if the answer has faults.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_lerim.errors import ModelFailed
from git_lerim.extraction.base import Brief, Candidate, Dropped, Extracted, evidence_of
from git_lerim.extraction.by_model import answer, prompt
from git_lerim.extraction.by_model.answer import Item, Reply, Unusable
from git_lerim.extraction.by_model.candidate import candidate, summary
from git_lerim.extraction.by_model.checks import Shown, distinct
from git_lerim.extraction.by_model.known import OF_USER, Before, Known, identified, known, restated
from git_lerim.extraction.by_model.material import HISTORY, SESSION, Material
from git_lerim.extraction.by_model.transcript import Transcript, tokens
from git_lerim.llm.base import Answer, Message, Model
from git_lerim.memories.memory import Memory, Status
from git_lerim.sessions.session import Session

__all__ = [
    "HISTORY",
    "OF_USER",
    "SESSION",
    "Before",
    "Limits",
    "Material",
    "extract",
    "identified",
    "requests",
    "stored_of",
]

MOST = 12  # memories of one session
_STAYS = "the user's own words stay, since no later record of theirs is named"
_UNUSED = {"inferred": "the model inferred it", "proposed_only": "it was only proposed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The size limits of a request, in tokens."""

    window: int
    overlap: int = 0


@dataclass(slots=True)
class _Reading:
    """What a model has found so far while it reads a session, window by window."""

    material: Material
    known: list[Known]
    # by the name shown to later windows
    candidates: dict[str, Candidate] = field(default_factory=dict)
    withdrawn: list[str] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    brief: Brief | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    model: str = ""  # the model that answered last
    named: int = 0  # number of candidates named so far


def requests(
    session: Session, before: Before, limits: Limits, material: Material = SESSION
) -> list[int]:
    """Return the estimated tokens of each request about a session; empty if none is needed."""
    transcript = material.shown(session)
    if not transcript.lines:
        return []
    told = known(session, before)
    parts = transcript.windows(limits.window, limits.overlap)
    return [
        sum(tokens(text) for _, text in prompt.messages(part.text(), told, before.brief, material))
        for part in parts
    ]


def extract(
    model: Model, session: Session, before: Before, limits: Limits, material: Material = SESSION
) -> Extracted:
    """Ask a model which memories a session contains, and check them. Raises ModelFailed."""
    began = time.monotonic()
    transcript = material.shown(session)
    reading = _Reading(material, known(session, before), brief=before.brief)
    if transcript.lines:
        checked = Shown(transcript, material.name, before.is_own)
        for part in transcript.windows(limits.window, limits.overlap):
            _read(model, session, part, checked, reading)
        reading.brief = reading.brief and summary(session, reading.brief, checked)
    found = sorted(reading.candidates.values(), key=lambda one: one.evidence[0].records)
    return Extracted(
        candidates=tuple(found),
        brief=reading.brief,
        dropped=tuple(reading.dropped),
        seconds=time.monotonic() - began,
        model=reading.model or model.name,
        prompt=material.version,
        withdrawn=tuple(reading.withdrawn),
        has_stored=any(
            m.status is Status.ACTIVE and m.id not in reading.withdrawn for m in before.memories
        ),
        tokens_in=reading.tokens_in,
        tokens_out=reading.tokens_out,
        calls=reading.calls,
    )


def _read(
    model: Model, session: Session, part: Transcript, checked: Shown, reading: _Reading
) -> None:
    """Ask a model about one window of a session, and add the answer to `reading`.

    The answer can also change or withdraw memories of earlier windows.
    """
    names = {one.name: one for one in reading.known}
    schema = prompt.schema(with_known=bool(names), bases=reading.material.bases)
    said = prompt.messages(part.text(), reading.known, reading.brief, reading.material)
    first = _asked(model, said, schema, reading)
    faults, reply = _judged(first, checked, names)
    if faults:
        again: list[Message] = [*said, ("assistant", first.text), ("user", prompt.repair(faults))]
        second = _asked(model, again, schema, reading)
        faults, better = _judged(second, checked, names)
        reply = better or reply
        if reply is None:
            raise ModelFailed(
                f"{model.name} gave no usable answer in two attempts: {faults[0]}", refused=True
            )
    assert reply is not None  # noqa: S101 without faults there is a reply
    _take(session, reply, checked, reading, names)


def _asked(
    model: Model, said: Sequence[Message], schema: dict[str, object], reading: _Reading
) -> Answer:
    found = model.ask(said, schema)
    reading.calls += 1
    reading.model = found.model or model.name
    reading.tokens_in += found.tokens_in or sum(tokens(text) for _, text in said)
    reading.tokens_out += found.tokens_out or tokens(found.text)
    return found


def _judged(
    found: Answer, checked: Shown, names: Mapping[str, Known]
) -> tuple[list[str], Reply | None]:
    """Return the faults of an answer, and the parsed answer (None if it cannot be parsed)."""
    try:
        reply = answer.read(found.text, is_cut=found.is_cut)
    except Unusable as error:
        return [str(error)], None
    faults = [
        f"memory {number} ({item.title[:60]!r}): {fault}"
        for number, item in enumerate(reply.memories, 1)
        if _is_used(item)
        for fault in checked.faults(item)
    ]
    unknown = {one.id for one in reply.known} | {
        item.revises for item in reply.memories if item.revises
    }
    faults += [f"there is no known memory {name!r}" for name in sorted(unknown - set(names))]
    return faults + _against_user(reply, checked, names), reply


def _against_user(reply: Reply, checked: Shown, names: Mapping[str, Known]) -> list[str]:
    """Return a fault for each change or withdrawal of the user's own words without a reason."""
    judged = [(one.id, one.records) for one in reply.known if one.verdict == "withdraw"]
    judged += [(item.revises, _records(item)) for item in reply.memories if _is_used(item)]
    return [
        f"{id_} is the user's own words; keep it, or name in records where the user took it back"
        for id_, records in judged
        if checked.keeps(names.get(id_), records)
    ]


def _records(item: Item) -> list[int]:
    return [*item.records, item.final_record]


def _is_used(item: Item) -> bool:
    return item.basis not in _UNUSED and item.value != "marginal"


def _take(
    session: Session, reply: Reply, checked: Shown, reading: _Reading, names: dict[str, Known]
) -> None:
    """Add an answer's memories to `reading`, or record why they are dropped."""
    if reply.intent.strip() and reply.outcome.strip():
        reading.brief = Brief(
            intent=" ".join(reply.intent.split()), outcome=" ".join(reply.outcome.split())
        )
    usable: list[Item] = []
    for item in distinct(reply.memories):
        why = _UNUSED.get(item.basis) or ("it is marginal" if item.value == "marginal" else "")
        why = why or next(iter(checked.faults(item)), "")
        why = why or _repeats_user(session, item, checked, reading, names)
        if why or len(usable) == MOST:
            reading.dropped.append(
                _dropped(
                    item, why or f"{MOST} other memories of the session are more useful", checked
                )
            )
        else:
            usable.append(item)
    revised = {item.revises for item in usable}
    for one in reply.known:
        old = names.get(one.id)
        if old is not None and one.verdict == "withdraw" and one.id not in revised:
            _withdraw(old, one.records, checked, reading)
    for item in usable:
        _add(session, item, checked, reading, names.get(item.revises))


def _repeats_user(
    session: Session, item: Item, checked: Shown, reading: _Reading, names: Mapping[str, Known]
) -> str:
    """Return why a memory is left out that would change or repeat the user's own words, or ""."""
    if checked.keeps(names.get(item.revises), _records(item)):
        return _STAYS
    kept = [
        one.memory
        for one in reading.known
        if one.memory is not None and checked.keeps(one, _records(item))
    ]
    id_ = restated(session, candidate(session, item, checked), kept)
    return f"{id_} says it in the user's own words" if id_ else ""


def _withdraw(one: Known, records: Sequence[int], checked: Shown, reading: _Reading) -> None:
    if one.state:
        return
    if checked.keeps(one, records):
        reading.dropped.append(Dropped(text=f"withdrawal of {one.title}", reason=_STAYS))
        return
    if one.memory is not None:
        reading.withdrawn.append(one.memory.id)
    reading.candidates.pop(one.name, None)
    reading.known.remove(one)


def _add(
    session: Session, item: Item, checked: Shown, reading: _Reading, old: Known | None
) -> None:
    """Add a memory, in place of `old` if given; do nothing if `old` must not be changed.

    The new memory keeps the id of `old` unless that quotes the user, or one is a decision and the
    other a learning.
    """
    if old is not None and old.state:
        return
    new = candidate(session, item, checked)
    reading.named += old is None
    name = old.name if old else f"N{reading.named}"
    if old is not None and old.memory is not None:
        if old.memory.primitive is new.primitive and not old.is_users:
            new = replace(new, ident=old.memory.id)
        else:
            reading.withdrawn.append(old.memory.id)
    reading.candidates[name] = new
    if old is None:
        records = new.evidence[0].records
        reading.known.append(
            Known(name=name, type=item.type, title=new.title, body=new.body, records=records)
        )
    else:
        place = reading.known.index(old)
        reading.known[place] = Known(
            name=name,
            type=item.type,
            title=new.title,
            body=new.body,
            records=new.evidence[0].records,
            memory=old.memory if new.ident else None,
        )


def _dropped(item: Item, reason: str, checked: Shown) -> Dropped:
    cited = checked.cited(item)
    return Dropped(text=item.title, reason=reason, evidence=evidence_of(cited) if cited else ())


def stored_of(session: Session, memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the memories that cite a session."""
    mine = (session.agent, session.id)
    return tuple(
        m for m in memories if any((source.agent, source.session) == mine for source in m.sources)
    )
