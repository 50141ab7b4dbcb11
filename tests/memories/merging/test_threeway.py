from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memories import LINE, TEXT, edited, later, memories, memory

from git_lerim.errors import BadMemory
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import (
    BODY_LIMIT,
    COLUMNS,
    Anchor,
    Kind,
    Memory,
    Origin,
    Primitive,
    Source,
    Status,
)
from git_lerim.memories.merging import also_recorded
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge

BASE = memory(body="Why.\n\nWhat was rejected.\n\nWhat follows.", tags=("sqlite",))


def person(day: float) -> dict[str, Any]:
    """Return what an edit leaves beside the text."""
    return {"updated": later(days=day), "edited": edited(day)}


def edit(day: int = 1, **changes: Any) -> Memory:
    return BASE.having(**person(day), **changes)


def merged(ours: Memory, theirs: Memory, base: Memory | None = BASE) -> Memory:
    one = merge(base, Side(memory=ours, by="Ann"), Side(memory=theirs, by="Bob"))
    other = merge(base, Side(memory=theirs, by="Bob"), Side(memory=ours, by="Ann"))
    assert render(one) == render(other)
    return one


@st.composite
def changed(draw: st.DrawFn, base: Memory) -> Memory:
    """Draw what somebody made of a memory."""
    other = draw(memories())
    names = draw(
        st.sets(st.sampled_from([each.name for each in COLUMNS if each.name != "id"] + ["unknown"]))
    )
    paragraphs = draw(
        st.lists(
            st.sampled_from(
                ["Why.", "What was rejected.", "What follows.", "New.", "```\na\n\nb\n```"]
            )
        )
    )
    body = "\n\n".join(paragraphs) if draw(st.booleans()) else other.body
    made = {name: getattr(other, name) for name in names} | (
        {"body": body} if "body" in names else {}
    )
    updated = draw(st.sampled_from([base.updated, later(1), later(2)]))
    by = draw(st.sampled_from([None, edited(1), edited(2), edited(2, "Bob")]))
    return base.having(**made | {"updated": updated, "edited": by})


def fits(one: Memory) -> bool:
    try:
        render(one)
    except BadMemory:
        return False
    return True


@given(st.data(), st.sampled_from([BASE, None]))
def test_neither_side_nor_repetition_matters_and_the_result_can_be_written(
    data: st.DataObject, base: Memory | None
) -> None:
    ours, theirs = (data.draw(changed(BASE).filter(fits)) for _ in range(2))

    both = merged(ours, theirs, base)

    assert parse(render(both)) == both
    assert merged(both, theirs, theirs) == both  # their part is in it already
    assert merged(ours, ours, base) == clean(ours)
    if base is not None:
        assert merged(ours, base) == clean(ours)


@given(
    st.lists(
        st.tuples(st.integers(1, 9), TEXT.map(lambda text: f"said {text}"), LINE),
        min_size=3,
        max_size=3,
    )
)
def test_all_that_was_said_is_kept_whatever_the_grouping(said: list[tuple[int, str, str]]) -> None:
    a, b, c = (
        edit(day, body=clean(BASE.having(body=body)).body, title=title) for day, body, title in said
    )

    for both, third in ((merged(a, b), c), (merged(b, c), a)):
        shown = merged(both, third)
        for one in (a, b, c):
            assert all(row.strip() in shown.body for row in one.body.split("\n"))
            assert clean(one).title in f"{shown.title}\n{shown.body}"


def test_changes_of_different_paragraphs_and_fields_are_joined_without_a_trace() -> None:
    ours = edit(
        1, body="Why indeed.\n\nWhat was rejected.\n\nWhat follows.", tags=("sqlite", "catalog")
    )
    theirs = edit(
        2, body="Why.\n\nWhat was rejected.\n\nWhat follows from it.", tags=(), title="Use SQLite"
    )

    both = merged(ours, theirs)

    assert both.body == "Why indeed.\n\nWhat was rejected.\n\nWhat follows from it."
    assert (both.title, both.tags, both.updated) == ("Use SQLite", ("catalog",), later(2))


def test_of_two_changes_of_one_paragraph_the_later_stands_and_the_other_is_recorded() -> None:
    ours = edit(1, body=BASE.body.replace("Why.", "Because it is there."), title="Ours")
    theirs = edit(
        2, body=BASE.body.replace("Why.", "Because two writers lost rows."), title="Theirs"
    )

    both = merged(ours, theirs)

    text, entries = also_recorded.split(both.body)
    assert both.title == "Theirs"
    assert text == "Because two writers lost rows.\n\nWhat was rejected.\n\nWhat follows."
    assert entries == ["- 2026-02-21 Ann, title: Ours", "- 2026-02-21 Ann:\n  Because it is there."]


def test_what_both_added_at_one_place_is_kept_in_the_order_of_time() -> None:
    ours, theirs = edit(2, body=BASE.body + "\n\nOurs."), edit(1, body=BASE.body + "\n\nTheirs.")

    assert merged(ours, theirs).body == BASE.body + "\n\nTheirs.\n\nOurs."


def test_an_edit_of_what_was_archived_meanwhile_is_kept_archived_with_a_note() -> None:
    both = merged(edit(1, status=Status.ARCHIVED), edit(2, title="Use SQLite 3"))

    assert (both.status, both.title) == (Status.ARCHIVED, "Use SQLite 3")
    assert also_recorded.split(both.body)[1] == [
        "- 2026-02-21 Ann, status: archived this beside an edit of Bob on 2026-02-22"
    ]


OTHER = Anchor(path="src/other.py")
OURS = Anchor(path="src/ours.py")


@pytest.mark.parametrize(
    ("name", "was", "ours", "theirs", "becomes"),
    [
        ("kind", Kind.FACT, Kind.PITFALL, Kind.FACT, Kind.PITFALL),
        ("kind", Kind.FACT, Kind.PITFALL, Kind.INSIGHT, Kind.INSIGHT),
        ("confidence", 0.5, 0.7, 0.5, 0.7),
        ("confidence", 0.5, 0.7, 0.6, 0.6),
        ("protected", False, True, False, True),
        ("protected", True, False, True, False),
        ("suspect", None, "it gives orders", None, "it gives orders"),
        ("last_accessed", None, "2026-05-01", None, "2026-05-01"),
        ("last_accessed", "2026-01-01", "2026-05-01", "2026-04-01", "2026-05-01"),
        ("last_accessed", "2026-01-01", "2026-04-01", "2026-05-01", "2026-05-01"),
        ("created", later(), later(-2), later(-1), later(-2)),
        ("anchors", (OTHER,), (), (OTHER,), ()),
        ("anchors", (OTHER,), (OTHER, OURS), (), (OURS,)),
        ("tags", ("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")),
        ("status", Status.ACTIVE, Status.SUPERSEDED, Status.ACTIVE, Status.SUPERSEDED),
        ("status", Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED, Status.ARCHIVED),
        ("status", Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED, Status.ARCHIVED),
        ("status", Status.ARCHIVED, Status.ACTIVE, Status.ARCHIVED, Status.ACTIVE),
        ("status", Status.ARCHIVED, Status.ARCHIVED, Status.ACTIVE, Status.ACTIVE),
        ("unknown", {"a": 1}, {"a": 1, "b": None}, {}, {"b": None}),
        ("unknown", {"a": 1}, {"a": 1}, {"a": 2}, {"a": 2}),
    ],
)
def test_each_field_has_its_rule(name: str, was: Any, ours: Any, theirs: Any, becomes: Any) -> None:
    base = BASE.having(primitive=Primitive.LEARNING, **{"kind": Kind.FACT, name: was})
    one, other = (
        base.having(**(person(day) | {name: value})) for day, value in ((1, ours), (2, theirs))
    )

    assert getattr(merged(one, other, base), name) == becomes


def test_who_says_what_was_there_already_takes_nothing_back() -> None:
    """The later one changed the title, and has the body of the base; the earlier one changed the
    body.
    """
    ours, theirs = edit(1, body="Another why."), edit(2, title="Another title")

    both = merged(ours, theirs)

    assert (both.title, both.body) == ("Another title", "Another why.")


def test_what_two_said_of_a_memory_that_they_made_apart_is_all_there() -> None:
    ours = edit(1, title="Ours", body="Why.\n\nOurs alone.")
    theirs = edit(2, title="Theirs", body="Why.\n\nTheirs alone.")

    both = merged(ours, theirs, None)

    text, entries = also_recorded.split(both.body)
    assert (both.title, text) == ("Theirs", "Why.\n\nTheirs alone.")
    assert entries == ["- 2026-02-21 Ann, title: Ours", "- 2026-02-21 Ann:\n  Ours alone."]


def test_what_a_person_wrote_by_hand_is_not_lost_without_a_common_version() -> None:
    written = {"origin": Origin.HUMAN, "sources": ()}
    mine = memory(title="Prefer tabs", body="Prefer tabs in makefiles.", **written)
    theirs = memory(title="Prefer yarn", body="Prefer yarn for packages.", **written | person(1))

    text = render(merged(mine, theirs, None)).decode()

    assert all(words in text for words in (mine.title, mine.body, theirs.title, theirs.body))


def test_of_two_made_apart_the_one_that_holds_a_secret_is_not_recorded() -> None:
    secret = edit(1, title="Key hunter2", body="The key is hunter2.")
    blanked = edit(2, title="Key [REDACTED:key]", body="The key is [REDACTED:key].")

    assert b"hunter2" not in render(merged(secret, blanked, None))


def test_what_was_archived_before_is_not_told_to_be_archived_beside_an_edit() -> None:
    base = BASE.having(status=Status.ARCHIVED)
    ours = base.having(tags=("a",), **person(1))
    theirs = base.having(status=Status.ACTIVE, title="Back again", **person(2))

    assert also_recorded.split(merged(ours, theirs, base).body)[1] == []


def test_who_only_tagged_what_was_archived_meanwhile_leaves_no_note() -> None:
    both = merged(edit(1, status=Status.ARCHIVED), edit(2, tags=("a",)))

    assert (both.status, both.body) == (Status.ARCHIVED, BASE.body)


def test_a_reading_of_sync_moves_no_clock_of_a_person() -> None:
    person, sync = (
        edit(1, title="Of a person"),
        BASE.having(created=later(5), updated=later(5), confidence=0.7),
    )

    assert merged(person, sync).updated == later(1)


def test_entries_that_one_side_struck_out_stay_out() -> None:
    base = BASE.having(
        body=also_recorded.join("Why.", ["- 2026-01-01 Eve: one", "- 2026-01-02 Eve: two"])
    )
    ours = base.having(body=also_recorded.join("Why.", ["- 2026-01-02 Eve: two"]), **person(1))
    theirs = base.having(
        body=also_recorded.join(
            "Why.", [*also_recorded.split(base.body)[1], "- 2026-01-03 Eve: three"]
        ),
        **person(2),
    )

    assert also_recorded.split(merged(ours, theirs, base).body)[1] == [
        "- 2026-01-02 Eve: two",
        "- 2026-01-03 Eve: three",
    ]


def test_a_block_of_code_is_one_paragraph_whatever_marks_it_holds() -> None:
    code = "~~~\na\n\n```\n\nb\n~~~"
    base = BASE.having(body=f"Why.\n\n{code}\n\nEnd.")
    ours = base.having(body=base.body.replace("\nb\n", "\nours\n"), **person(1))
    theirs = base.having(body=base.body.replace("End.", "The end."), **person(2))

    assert merged(ours, theirs, base).body == base.body.replace("\nb\n", "\nours\n").replace(
        "End.", "The end."
    )


def test_paragraphs_that_move_against_each_other_are_all_there_once() -> None:
    rows = [f"Paragraph {letter}." for letter in "abcdefgh"]
    base = BASE.having(body="\n\n".join(rows))
    ours = base.having(body="\n\n".join(["New at the top.", *rows[:3], *rows[4:]]), **person(1))
    theirs = base.having(body="\n\n".join([*rows[:6], "New near the end.", *rows[6:]]), **person(2))

    wanted = ["New at the top.", *rows[:3], *rows[4:6], "New near the end.", *rows[6:]]
    assert merged(ours, theirs, base).body == "\n\n".join(wanted)


def test_what_both_added_in_the_same_words_is_there_once() -> None:
    ours, theirs = (
        edit(1, body=BASE.body + "\n\nSame.\n\nOurs."),
        edit(2, body=BASE.body + "\n\nSame.\n\nTheirs."),
    )

    assert merged(ours, theirs).body == BASE.body + "\n\nSame.\n\nOurs.\n\nTheirs."


def test_what_one_side_restored_is_active_again() -> None:
    archived = BASE.having(status=Status.ARCHIVED)

    assert (
        merged(archived.having(status=Status.ACTIVE), archived.having(tags=("a",)), archived).status
        is Status.ACTIVE
    )


def test_a_blanked_secret_does_not_come_back() -> None:
    secret = BASE.having(body="The key is hunter2.", title="Key hunter2")
    blanked = secret.having(
        body="The key is [REDACTED:key].", title="Key [REDACTED:key]", **person(1)
    )
    bare = secret.having(
        body="The key is hunter2, they say.", title="Key hunter2, they say", **person(2)
    )

    both = merged(blanked, bare, secret)

    assert b"hunter2" not in render(both)
    assert both.title == "Key [REDACTED:key]"


def test_what_sync_wrote_twice_is_not_recorded() -> None:
    both = merged(BASE.having(title="One reading"), BASE.having(title="Another reading"))

    assert both.body == BASE.body
    assert both.updated == both.created


def test_keys_of_a_newer_version_are_merged_too() -> None:
    ours, theirs = (
        edit(1, unknown={"a": 1, "claimed_by": "Ann"}),
        edit(2, unknown={"b": [2], "claimed_by": "Bob"}),
    )

    both = merged(ours, theirs)

    assert both.unknown == {"a": 1, "b": [2], "claimed_by": "Bob"}
    assert also_recorded.split(both.body)[1] == ["- 2026-02-21 Ann, claimed_by: Ann"]


def test_a_source_that_both_found_is_cited_once() -> None:
    cited = Source(agent="codex", session="2", records=((1, 2),))
    ours, theirs = (
        BASE.having(sources=(*BASE.sources, source))
        for source in (cited, Source(**_fields(cited), at=later()))
    )

    assert len(merged(ours, theirs).sources) == 2


def _fields(source: Source) -> dict[str, Any]:
    return {"agent": source.agent, "session": source.session, "records": source.records}


def test_two_long_texts_leave_one_that_a_file_can_hold_and_the_other_recorded() -> None:
    ours = edit(1, body=BASE.body + "\n\n" + "o" * (BODY_LIMIT - 100))
    theirs = edit(2, body=BASE.body + "\n\n" + "t" * (BODY_LIMIT - 100))

    text, entries = also_recorded.split(merged(ours, theirs).body)

    assert text == theirs.body
    assert "o" * (BODY_LIMIT - 100) in entries[0]


def test_a_section_that_grows_too_long_says_that_it_was_cut() -> None:
    entries = [f"- 2026-01-{day:02} Ann:\n  {'x' * 1200}" for day in range(1, 25)]
    base = BASE.having(body=also_recorded.join("Why.", entries))
    ours, theirs = (
        base.having(body=base.body.replace("Why.", word * 1500), **person(n))
        for n, word in ((1, "a"), (2, "b"))
    )

    kept = also_recorded.split(merged(ours, theirs, base).body)[1]

    assert kept[-1] == also_recorded.OMITTED
    assert any("a" * 1500 in one for one in kept)
    assert entries[0] not in kept


def test_other_memories_are_refused() -> None:
    with pytest.raises(BadMemory):
        merge(None, Side(memory=BASE, by="Ann"), Side(memory=BASE.having(id="a" * 13), by="Bob"))
