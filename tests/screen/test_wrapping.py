import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.screen.wrapping import cells, height, wrap

STYLE = re.compile(r"\x1b\[[0-9;]*m")
WORDS = st.lists(st.text("abc é漢\x1b[1m", max_size=9), max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("text", "wrapped"),
    [
        ("short", "short"),
        ("one two three four", "one two\nthree four"),
        ("  one two three", "  one two\n  three"),
        ("- one two three", "- one two\n  three"),
        ("1. one two three", "1. one two\n   three"),
        ("id  one two three", "id  one two\n   three"),
        ("averyverylongword x", "averyverylongword\nx"),
        ("漢字 漢字 漢字", "漢字 漢字\n漢字"),
        ("```\none two three four\n```", "```\none two three four\n```"),
    ],
)
def test_lines_are_broken_between_words_and_indented_below_their_text(
    text: str, wrapped: str
) -> None:
    assert wrap(text, 11) == wrapped


@pytest.mark.parametrize(
    "label",
    [
        "> 4hj5dapfvom4b  ",
        "~ 4hj5dapfvom4b  ",
        "+ 4hj5dapfvom4b  ",
        "lerim.windowOverlapTokens  ",
        "2026-11-28 18:40  ",
        "2026-11-28 18:40 ",
    ],
)
def test_all_lines_of_a_row_are_indented_below_its_label(label: str) -> None:
    for line in wrap(f"{label}{'one ' * 20}", 36).split("\n")[1:]:
        assert line.startswith(" " * 12 + "one")


def test_a_label_without_a_gap_is_told_to_the_wrapping() -> None:
    assert wrap("delivered one two three four", 21, 7) == "delivered one two\n       three four"


def test_a_style_ends_with_the_line_and_begins_again_on_the_next() -> None:
    assert wrap("\x1b[1mone two\x1b[0m x", 5) == "\x1b[1mone\x1b[0m\n\x1b[1mtwo\x1b[0m x"


@given(WORDS, st.integers(5, 40))
def test_nothing_is_lost_and_only_single_words_are_longer(text: str, columns: int) -> None:
    wrapped = wrap(text, columns)

    assert STYLE.sub("", wrapped).split() == STYLE.sub("", text).split()
    assert all(cells(line) <= columns or len(line.split()) <= 1 for line in wrapped.split("\n"))


def test_the_height_counts_the_rows_that_a_terminal_needs() -> None:
    assert height("", 10) == 0
    assert height("one\n\n" + "x" * 25 + "\n", 10) == 5
