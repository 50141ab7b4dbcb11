import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.why.symbols import finder, names_of

PYTHON = b"""import os

LIMIT = 10


class Catalog:
    name = "x"

    async def open_late(self) -> None:
        if self.name:
            print(1)

    def other(self) -> None: ...
""".splitlines()
GO = b"""package main

func (s *Store) Save(x int) error {
\tif x > 1 {
\t\treturn nil
\t}
}
""".splitlines()


@pytest.mark.parametrize(
    ("text", "lines", "names"),
    [
        (PYTHON, (11, 11), ["open_late", "Catalog"]),
        (PYTHON, (13, 13), ["other", "Catalog"]),
        (PYTHON, (3, 3), ["LIMIT"]),
        (PYTHON, (6, 9), ["Catalog", "name", "open_late"]),
        (PYTHON, (1, 1), []),
        (PYTHON, (99, 99), []),
        (GO, (5, 5), ["Save"]),
        ([b"export async function loadAll() {", b"  go()", b"}"], (2, 2), ["loadAll"]),
        ([b"pub(crate) fn parse(x: u8) {", b"", b"    y"], (2, 3), ["parse"]),
    ],
)
def test_lines_have_the_names_of_what_they_define_and_are_part_of(
    text: list[bytes], lines: tuple[int, int], names: list[str]
) -> None:
    assert names_of(text, lines) == names


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("open_late", "see open_late()", True), ("open_late", "reopen_late", False),
        ("loadAll", "loadAll fails", True),
        ("open", "we open it", False), ("open", "call `open` first", True),
        ("open", "open() first", True), ("x", "x()", False),
    ],
)  # fmt: skip
def test_a_plain_word_is_a_name_only_where_it_is_marked_as_code(
    name: str, text: str, *, found: bool
) -> None:
    pattern = finder([name])
    assert bool(pattern and pattern.search(text)) == found


@given(st.lists(st.binary(max_size=40), max_size=9), st.integers(0, 12), st.integers(0, 12))
def test_any_text_has_names_or_none(text: list[bytes], first: int, last: int) -> None:
    finder(names_of(text, (first, last)))
