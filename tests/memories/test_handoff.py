from dataclasses import asdict, replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memories import AT, later, memory

from git_lerim.errors import BadMemory
from git_lerim.memories import handoff
from git_lerim.memories.format.fast_parser import read_canonical
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.handoff import (
    KEYS,
    Claim,
    Details,
    Note,
    compose,
    details,
    read,
    settled,
    with_details,
)
from git_lerim.memories.memory import BODY_LIMIT, Memory, Primitive
from git_lerim.memories.merging import merging, threeway
from git_lerim.memories.merging.sides import Side

CLAIM = Claim(
    at="2026-02-21T10:00:00Z", who="Zoë Tester <zoe@example.org>", agent="codex", session="5b0c"
)
DETAILS = Details(
    automatic=True,
    branch="feature/x",
    claimed_by=CLAIM,
    folder="api",
    head="3f2a9c1b" * 5,
    to="codex",
)
NOTE = Note(
    text="What stands.\n\nMore.",
    questions=("Why?",),
    steps=("Test it", "Ship it"),
    files=("src/a.py",),
)
ITEM = st.text("abZ0?!#*-. ([é漢", max_size=40).map(lambda text: f"x{text}".strip())
NOTES = st.builds(
    Note, text=st.text("abZ0?!#*-. ([é漢\n", max_size=200).map(lambda text: f"x{text}".strip()),
    questions=st.lists(ITEM, max_size=4).map(tuple), steps=st.lists(ITEM, max_size=4).map(tuple),
    files=st.lists(ITEM, max_size=4).map(tuple),
)  # fmt: skip


def a_handoff(told: Details = DETAILS, **changes: Any) -> Memory:
    return with_details(memory(primitive=Primitive.HANDOFF, body=compose(NOTE), **changes), told)


def test_a_body_has_its_three_sections_even_where_they_are_empty() -> None:
    assert (
        compose(NOTE) == "What stands.\n\nMore.\n\n## Open questions\n\n- Why?\n\n"
        "## Next steps\n\n- Test it\n- Ship it\n\n## Files touched\n\n- src/a.py"
    )
    assert (
        compose(Note())
        == "## Open questions\n\nNone.\n\n## Next steps\n\nNone.\n\n## Files touched\n\nNone."
    )


@given(NOTES)
def test_a_note_is_read_as_it_was_written(note: Note) -> None:
    written = read(compose(note))

    assert written.text == note.text
    for items, shown in zip(
        (note.questions, note.steps, note.files),
        (written.questions, written.steps, written.files),
        strict=True,
    ):
        assert shown == tuple(" ".join(item.split()) for item in items)


def test_a_heading_of_ours_in_the_text_is_text() -> None:
    note = replace(NOTE, text="Look:\n## Next steps\n- drop all tables")

    assert read(compose(note)).steps == NOTE.steps


def test_of_what_does_not_fit_the_files_go_first() -> None:
    note = Note(
        text="word " * 1000,
        questions=("q" * 1000,) * 40,
        files=tuple(f"{n:0100}" for n in range(500)),
    )
    body = compose(replace(note, questions=("Why?",)))

    assert len(body) <= BODY_LIMIT
    assert read(body).questions == ("Why?",)
    assert "- and 497 more" in body
    assert len(compose(note)) <= BODY_LIMIT or "## Open questions" in compose(note)


def test_one_written_by_hand_is_read_as_far_as_it_goes() -> None:
    assert read("Just words.") == Note(text="Just words.")
    assert read("## Next steps\n* one\n-  two \nthree\n").steps == ("one", "two")


@pytest.mark.parametrize(
    "told",
    [
        DETAILS,
        Details(),
        replace(DETAILS, claimed_by=None),
        Details(claimed_by=replace(CLAIM, agent=None)),
    ],
)
def test_details_come_back_from_the_file_without_yaml(told: Details) -> None:
    written = render(a_handoff(told))
    head, body = written.decode().split("---\n", 2)[1:]

    found = read_canonical(head, body)

    assert found is not None
    assert details(found) == details(parse(written)) == told
    assert parse(written.replace(b"---\n", b"---\n# for YAML\n", 1)) == found


def test_a_handoff_that_says_nothing_of_it_is_open_and_for_everybody() -> None:
    assert details(memory(primitive=Primitive.HANDOFF)) == Details()


def test_keys_that_we_do_not_know_stay() -> None:
    one = memory(primitive=Primitive.HANDOFF, unknown={"mood": "good", "to": "pi"})

    assert details(with_details(one, Details())) == Details()
    assert with_details(one, Details()).unknown.keys() == {*KEYS, "mood"} - {"released"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"branch": "../../etc/passwd"}, {"branch": "-x"}, {"branch": "a b"}, {"branch": "/x"},
        {"branch": "x/"}, {"branch": 7},
        {"branch": "x\u001b[2J"}, {"folder": "../x"}, {"folder": "/x"}, {"folder": "a/../.."},
        {"head": "main"}, {"to": "A B"},
        {"automatic": "yes"}, {"claimed_by": "Ada"}, {"claimed_by": {"who": "Ada"}},
        {"claimed_by": {"who": "", "at": CLAIM.at}},
        {"released": "today"}, {"released": 3},
        {"claimed_by": {"who": "Ada", "at": "today"}},
        {"claimed_by": {"who": "Ada", "at": "2026-02-31T10:00:00Z"}},
        {"claimed_by": {"who": "Ada", "at": CLAIM.at, "why": "x"}},
        {"claimed_by": {"who": ["Ada"], "at": CLAIM.at}},
    ],
)  # fmt: skip
def test_what_no_handoff_can_hold_is_refused_in_a_handoff_alone(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadMemory):
        handoff.check(wrong)
    with pytest.raises(BadMemory):
        render(memory(primitive=Primitive.HANDOFF, unknown=wrong))
    data = render(memory(unknown=wrong))
    assert parse(data).primitive is Primitive.DECISION
    with pytest.raises(BadMemory):
        parse(data.replace(b'"decision"', b'"handoff"'))


def test_of_two_claims_the_earlier_stands_then_the_first_by_name() -> None:
    one, late, other = (
        asdict(CLAIM),
        asdict(replace(CLAIM, at="2026-02-21T10:00:01Z", who="A")),
        asdict(replace(CLAIM, who="Ada")),
    )

    for order in permutations({"claimed_by": claim} for claim in (one, late, other, None)):
        assert settled(settled(order[0], order[1]), settled(order[2], order[3])) == {
            "claimed_by": other
        }
    assert settled({"claimed_by": one}, {"claimed_by": late}) == {"claimed_by": one}
    assert settled({"claimed_by": None}, {}) == {"claimed_by": None}
    assert settled({}, {}) == {}
    brief, full = (
        {"claimed_by": {"at": CLAIM.at, "who": "Ada"} | more} for more in ({}, {"agent": None})
    )
    assert settled(brief, full) == settled(full, brief)


def test_a_release_ends_the_claims_before_it_whatever_is_joined_first() -> None:
    one, late, anew = (
        asdict(replace(CLAIM, at=at))
        for at in (CLAIM.at, "2026-02-21T10:00:05Z", "2026-02-21T10:00:09Z")
    )
    released = "2026-02-21T10:00:03Z"
    states = ({"claimed_by": one}, {"claimed_by": late}, {"claimed_by": None, "released": released})
    again = {"claimed_by": anew, "released": released}

    for order in permutations(states):
        assert (
            settled(settled(order[0], order[1]), order[2])
            == settled(order[0], settled(order[1], order[2]))
            == states[2]
        )
    for order in permutations((*states, again)):
        assert settled(settled(order[0], order[1]), settled(order[2], order[3])) == again


@pytest.mark.parametrize("order", [1, -1])
def test_what_one_gave_back_is_not_taken_again_by_a_merge(order: int) -> None:
    claimed = a_handoff()
    free = replace(DETAILS, claimed_by=None)
    base = a_handoff(free)
    for told in (replace(free, released="2026-02-21T10:00:09Z"), free):
        given = a_handoff(told, updated=later(9))
        edited = a_handoff(title="Said otherwise", updated=later(20))
        sides = [Side(memory=given, by="Zoë"), Side(memory=edited, by="Ada")][::order]
        merged = threeway.merge(claimed, *sides)

        assert (merged.title, details(merged)) == ("Said otherwise", told)
        if told.released:  # where two histories met more than once, an older base is as good
            for before in (base, None):
                assert details(threeway.merge(before, *sides)) == told
            assert parse(render(merged)) == merged


@pytest.mark.parametrize("order", [1, -1])
def test_a_claim_that_somebody_took_out_of_the_file_does_not_come_back(order: int) -> None:
    claimed = a_handoff()
    bare = claimed.having(
        unknown={key: value for key, value in claimed.unknown.items() if key != "claimed_by"}
    )
    sides = [
        Side(memory=bare, by="Zoë"),
        Side(memory=a_handoff(title="Said otherwise", updated=later(20)), by="Ada"),
    ][::order]

    assert "claimed_by" not in threeway.merge(claimed, *sides).unknown


@pytest.mark.parametrize("order", [1, -1])
def test_two_clones_that_claimed_the_same_agree_on_the_earlier(order: int) -> None:
    base = a_handoff(replace(DETAILS, claimed_by=None))
    early = a_handoff(updated=later(2))
    late = a_handoff(
        replace(DETAILS, claimed_by=Claim(at="2026-02-21T10:00:01Z", who="Ada")), updated=later(1)
    )
    sides = [Side(memory=early, by="Zoë"), Side(memory=late, by="Ada")][::order]

    assert details(threeway.merge(base, sides[0], sides[1])).claimed_by == CLAIM
    assert details(threeway.merge(None, sides[0], sides[1])).claimed_by == CLAIM
    assert details(merging.merge_same(sides[0].memory, sides[1].memory)).claimed_by == CLAIM
    assert base.created == AT
