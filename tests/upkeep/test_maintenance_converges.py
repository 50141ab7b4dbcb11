"""Two machines that maintain the same store apart, and meet, end with one store; and maintaining
twice is maintaining once.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from support.memories import AT, memory

from git_lerim.memories import naming
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import Kind, Memory, Origin, Primitive, Source, Status
from git_lerim.memories.merging import merging, threeway
from git_lerim.memories.merging.sides import Side
from git_lerim.upkeep import steps
from git_lerim.upkeep.archive import Rules, Times
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.likeness.pairs import near

State = dict[str, Memory]
NOW = AT + timedelta(days=400)
RULES = Rules(
    now=NOW, period_days=180, floor=0.1, threshold=0.2, grace_days=30, stale_grace_days=90
)
SAID = (
    "Run the exporter with TZ=UTC",
    "Always run the exporter with TZ=UTC",
    "The exporter runs with TZ=UTC",
    "Never run the exporter with TZ=UTC",
    "Keep sessions in the SQLite catalog",
    "The SQLite catalog keeps sessions",
    "Keep sessions out of the Postgres catalog",
)


@st.composite
def memories(draw: st.DrawFn, where: str) -> State:
    made: State = {}
    for number in range(draw(st.integers(1, 5))):
        at = AT + timedelta(days=draw(st.integers(0, 350)), seconds=number)
        session = draw(st.sampled_from("abcd"))
        id_ = naming.memory_id("claude", f"{where}{number}", "learning", 1)
        made[id_] = memory(
            id=id_,
            primitive=Primitive.LEARNING,
            kind=draw(st.sampled_from([Kind.FACT, Kind.PREFERENCE])),
            title=draw(st.sampled_from(SAID)),
            body="The exporter and the catalog keep what sessions said, in UTC.",
            at=at,
            origin=draw(st.sampled_from(Origin)),
            confidence=0.5,
            tags=(draw(st.sampled_from(["time", "export"])),),
            sources=(
                Source(
                    agent="claude", session=f"{where}{session}", records=((number, number),), at=at
                ),
            ),
            protected=draw(st.integers(0, 9)) == 0,
            edited=None,
        )
    return made


VERDICTS = st.lists(
    st.tuples(
        st.integers(0, 9), st.sampled_from(["used", "wrong", "confirmed"]), st.sampled_from("AB")
    ),
    max_size=3,
)


def with_verdicts(state: State, verdicts: list[tuple[int, str, str]]) -> State:
    for place, verdict, author in verdicts:
        one = state[sorted(state)[place % len(state)]]
        row = Feedback(author=author, by=Voice.PERSON, verdict=verdict, day="2026-04-01")
        state = state | {one.id: clean(replace(one, feedback=(*one.feedback, row)))}
    return state


def maintained(state: State, *, later: int = 1) -> State:
    """Return a store after all that is due was done."""
    for _ in range(4):
        due = steps.merge_steps(state, near(state.values()))
        for step in due:
            state = _done(state, step.memories, later)
        due += (found := steps.replace_steps(state, near(state.values()))[0])
        for step in found:
            state = _done(state, step.memories, later)
        old = dict.fromkeys(state, AT)
        due += (found := steps.archive_steps(state, RULES, Times(held=old, changed=old)))
        for step in found:
            state = _done(state, step.memories, later)
        if not due:
            return state
    raise AssertionError("there is always more to do")


def _done(state: State, new: tuple[Memory, ...], later: int) -> State:
    moved = (
        replace(each, updated=max(NOW, state[each.id].updated) + timedelta(seconds=later))
        for each in new
    )
    return state | {each.id: each for each in moved}


def joined(base: Mapping[str, Memory], a: State, b: State) -> State:
    made: State = {}
    for id_ in {*a, *b}:
        if id_ not in a or id_ not in b:
            made[id_] = (a.get(id_) or b.get(id_)) or a[id_]
        elif id_ in base:
            made[id_] = threeway.merge(
                base[id_], Side(memory=a[id_], by="A"), Side(memory=b[id_], by="B")
            )
        else:
            made[id_] = merging.merge_same(a[id_], b[id_])
    return made


def is_said(one: Memory, state: State) -> bool:
    """Tell whether what a memory said is in use: by itself or by what took it in."""
    active = {id_: each for id_, each in state.items() if each.status is Status.ACTIVE}
    return one.id in active or any(one.id in each.merged_from for each in active.values())


@settings(max_examples=60)
@given(memories("x"))
def test_twice_is_once_and_order_is_none(state: State) -> None:
    once = maintained(state)

    assert maintained(once) == once
    assert maintained(dict(reversed(state.items()))) == once


@settings(max_examples=60)
@given(memories("x"))
def test_of_what_says_the_same_one_is_left_and_nothing_is_lost(state: State) -> None:
    merged = {}
    while state != merged:
        merged = state
        for step in steps.merge_steps(state, near(state.values())):
            state = _done(state, step.memories, 1)

    active = [each for each in state.values() if each.status is Status.ACTIVE and may_change(each)]
    assert all(is_said(each, state) for each in state.values())
    assert {row for each in state.values() for row in each.sources} == {
        row for each in state.values() if each.status is Status.ACTIVE for row in each.sources
    }
    assert len({each.title for each in active}) == len(active)


@settings(max_examples=80)
@given(memories("x"), memories("y"), memories("z"), VERDICTS, VERDICTS)
def test_two_machines_that_maintain_apart_end_with_one_store(
    shared: State,
    first: State,
    second: State,
    ours: list[tuple[int, str, str]],
    theirs: list[tuple[int, str, str]],
) -> None:
    a = maintained(with_verdicts(shared | first, ours), later=1)
    b = maintained(with_verdicts(shared | second, theirs), later=2)

    one, other = (maintained(joined(shared, *sides)) for sides in ((a, b), (b, a)))

    assert one == other
    assert maintained(one) == one
    assert one.keys() == shared.keys() | first.keys() | second.keys()
    settled = maintained(joined({**shared, **a, **b}, one, other))
    assert settled == one
