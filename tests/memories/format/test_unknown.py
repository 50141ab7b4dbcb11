from hypothesis import given
from support.memories import UNKNOWN, memory

from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.format.unknown import Unknown
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge


@given(UNKNOWN, UNKNOWN)
def test_memories_are_equal_if_and_only_if_their_files_are(
    one: dict[str, object], other: dict[str, object]
) -> None:
    a, b = clean(memory(unknown=one)), clean(memory(unknown=other))

    assert (a == b) == (render(a) == render(b))


def test_keys_have_one_order() -> None:
    assert render(memory(unknown={"x": {"x": 1, "y": 2}, "a": 1})) == render(
        memory(unknown={"a": 1, "x": {"y": 2, "x": 1}})
    )


def test_values_of_different_types_differ() -> None:
    values = [Unknown.of({"x": value}) for value in (1, 1.0, True, "1", [1], -0.0, 0.0, None)]

    assert all((one == other) == (one is other) for one in values for other in values)
    assert Unknown.of({}) == {}
    assert Unknown.of({"x": 1}) != {}


def test_the_order_of_the_sides_does_not_matter_whatever_the_types() -> None:
    for one, other in (
        (1, True),
        (1, 1.0),
        ({"x": 1, "y": 2}, {"y": 2, "x": 1}),
        ({"x": 1}, {"x": True}),
    ):
        sides = [Side(memory=memory(unknown={"k": value}), by="Ada") for value in (one, other)]
        for base in (None, memory(unknown={"k": "before"}), memory()):
            assert render(merge(base, *sides)) == render(merge(base, *sides[::-1]))


def test_two_keys_that_look_the_same_leave_one_whichever_came_first() -> None:
    assert Unknown.of({"a": 1, "a\u200b": 2}) == Unknown.of({"a\u200b": 2, "a": 1}) == {"a": 2}
