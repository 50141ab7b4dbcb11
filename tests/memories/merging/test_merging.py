import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.memories import AT, ID, edited, later, memories, memory

from git_lerim.errors import BadMemory
from git_lerim.memories.feedback import LIMIT, Feedback, Voice
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import Anchor, Memory, Source, Status
from git_lerim.memories.merging.merging import merge_same


@st.composite
def versions(draw: st.DrawFn) -> Memory:
    """Draw a version of one memory, from little so that two often agree in a part."""
    created = later(days=draw(st.integers(0, 2)))
    return draw(memories()).having(
        id=ID,
        title=draw(st.sampled_from(["Use SQLite", "Use SQLite at [REDACTED:url]", "Use Postgres"])),
        body=draw(st.sampled_from(["Why.", "Why not."])),
        created=created,
        updated=created
        + draw(st.sampled_from([later() - AT, later(days=1) - AT, later(days=5) - AT])),
        edited=draw(st.sampled_from([None, edited(1), edited(5), edited(5, "Bob")])),
        confidence=draw(st.sampled_from([0.0, 0.5, 0.9])),
        unknown=draw(
            st.just({})
            | st.dictionaries(
                st.sampled_from("ab"), st.sampled_from([1, True, 1.0, {"x": 1, "y": 2}])
            )
        ),
        feedback=tuple(draw(st.lists(FEEDBACK, max_size=LIMIT + 2))),
        sources=tuple(draw(st.lists(st.sampled_from(SOURCES), max_size=2))),
    )


FEEDBACK = st.builds(
    Feedback,
    author=st.sampled_from("abcdefghijklmnopqr"),
    by=st.sampled_from(Voice),
    verdict=st.sampled_from(["wrong", "helpful"]),
    day=st.sampled_from(["2026-02-20", "2026-02-21"]),
    count=st.integers(1, 3),
)
SOURCES = [
    Source(
        agent="claude",
        session="1",
        records=((1, 2),),
        at=at,
        commit=commit,
        branch=branch,
        patch=patch,
    )
    for at, branch in ((None, None), (AT, "main"), (later(1), None), (AT, "fix"))
    for commit, patch in ((None, None), ("aaaa", None), ("bbbb", "1111"), ("bbbb", "2222"))
] + [Source(agent="codex", session="2")]


@settings(deadline=None)
@given(versions(), versions(), versions())
def test_neither_side_nor_grouping_nor_repetition_matters(a: Memory, b: Memory, c: Memory) -> None:
    ab = merge_same(a, b)

    assert render(ab) == render(merge_same(b, a))
    assert merge_same(ab, c) == merge_same(a, merge_same(b, c))
    assert merge_same(ab, a) == ab
    assert merge_same(ab, ab) == ab
    assert parse(render(ab)) == ab


@settings(deadline=None)
@given(memories())
def test_a_memory_with_itself_is_itself(one: Memory) -> None:
    one = one.having(updated=max(one.created, one.updated))
    same = clean(one)

    assert merge_same(one, one).having(sources=same.sources) == same


def test_the_more_redacted_text_wins() -> None:
    bare, blanked = memory(body="The key is abc."), memory(body="The key is [REDACTED:key].")

    assert merge_same(bare, blanked).body == "The key is [REDACTED:key]."


def test_what_a_person_changed_wins_over_sync_and_the_later_change_over_the_earlier() -> None:
    synced = memory(title="A later reading", at=later(days=9))
    first, second = (
        memory(title="By hand", edited=edited(1)),
        memory(title="By hand, again", edited=edited(2)),
    )

    assert merge_same(synced, first).title == "By hand"
    assert merge_same(first, merge_same(second, synced)).title == "By hand, again"


def test_two_readings_that_nobody_touched_stay_untouched() -> None:
    merged = merge_same(memory(at=later(days=1)), memory(at=later(days=3)))

    assert merged.created == merged.updated == later(days=1)
    assert not merged.touched


def test_archived_wins_over_active_and_protection_stays() -> None:
    archived = memory(status=Status.ARCHIVED, updated=later(days=1))
    protected = memory(protected=True, updated=later(days=2))

    merged = merge_same(protected, archived)
    assert (merged.status, merged.protected) == (Status.ARCHIVED, True)


def test_what_is_protected_stands_as_its_protector_left_it() -> None:
    protected, lost = memory(protected=True), memory(status=Status.SUPERSEDED)

    assert merge_same(protected, lost).status is Status.ACTIVE
    assert merge_same(protected, lost.having(updated=later(days=1))).status is Status.SUPERSEDED


def test_a_person_who_trusted_a_suspect_memory_is_heard() -> None:
    suspect = memory(status=Status.SUSPECT, suspect="tool output")

    assert merge_same(suspect, memory(updated=later(days=1))).status is Status.ACTIVE
    assert merge_same(suspect, memory()).suspect == "tool output"


def test_what_its_session_took_back_on_one_side_stays_taken_back() -> None:
    gone = memory(status=Status.SUPERSEDED, confidence=0.0)

    assert merge_same(gone, memory(confidence=0.9)).confidence == 0.0
    assert merge_same(gone, memory(confidence=0.9, edited=edited())).confidence == 0.9


def test_sources_and_links_of_both_stay_and_anchors_are_those_of_one() -> None:
    one = memory(
        related=("b" * 13,), sources=(SOURCES[0], SOURCES[-1]), anchors=(Anchor(path="a.py"),)
    )
    two = memory(related=("c" * 13,), sources=(SOURCES[4],))

    merged = merge_same(one, two)
    assert merged.related == ("b" * 13, "c" * 13)
    assert set(merged.sources) == {SOURCES[4], SOURCES[-1]}
    assert merged.anchors == (Anchor(path="a.py"),)


def test_two_memories_are_not_made_one() -> None:
    with pytest.raises(BadMemory):
        merge_same(memory(), memory(id="b" * 13))
