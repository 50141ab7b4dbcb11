import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.upkeep.freshness.anchoring import spans, symbol
from git_lerim.upkeep.freshness.claims import named_words
from git_lerim.upkeep.freshness.diffs import Hunk, follow, parse, touching
from git_lerim.upkeep.freshness.staleness import Judged, Piece, judge

CODE = '''\
LIMIT = 10


def fetch(url, retries=3, timeout=30):
    """Fetch a page."""
    for _ in range(retries):
        page = get(url, timeout)
        if page.ok:
            return page
    raise FetchError(url)


def other(retries=3):
    return retries
'''


def hunks_of(old: list[str], new: list[str]) -> list[Hunk]:
    """Return the hunks of git's own form for two texts."""
    made = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            first, second = (a + 1 if b > a else a, b - a), (c + 1 if d > c else c, d - c)
            rows = [*(f"-{row}" for row in old[a:b]), *(f"+{row}" for row in new[c:d])]
            head = f"@@ -{first[0]},{first[1]} +{second[0]},{second[1]} @@"
            made.append(Hunk(first, second, "\n".join([head, *rows])))
    return made


def judged(claim: str, *changes: tuple[str, str]) -> Judged:
    """Judge the first lines that a claim is about after some replacements."""
    text = CODE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    rows, then = CODE.split("\n"), text.split("\n")
    words = named_words(claim, "", rows)
    lines = spans(rows, words, claim)[0]
    piece = Piece(rows, lines, symbol(rows, (lines[1], lines[1])))
    return judge(words, piece, then, hunks_of(rows, then))


CLAIM = "`fetch` has `retries=3`"


def test_a_value_that_is_another_one_now_is_lost() -> None:
    found = judged(CLAIM, ("url, retries=3", "url, retries=5"))
    assert found.state == "changed"
    assert {one.text for one in found.lost} == {"retries=3", "3"}
    assert "+def fetch(url, retries=5, timeout=30):" in found.hunk


@pytest.mark.parametrize(
    "changes",
    [
        [
            ("    raise FetchError(url)", "    raise FetchError(url) from None")
        ],  # elsewhere in the function
        [("timeout=30", "timeout=60")],  # in the same line, but not claimed
        [
            (
                "def fetch(url, retries=3, timeout=30):",
                "def fetch(\n    url: str, retries: int = 3, timeout: int = 30\n):",
            )
        ],
        [
            (
                "def fetch(url, retries=3, timeout=30):",
                "async def fetch(url, retries = 3, timeout=30):",
            )
        ],
        [("LIMIT = 10", "LIMIT = 10\nMORE = 20")],  # shifted
    ],
)
def test_what_changes_around_a_claim_does_not_make_it_stale(changes: list[tuple[str, str]]) -> None:
    assert judged(CLAIM, *changes).lost == ()


def test_lines_that_only_moved_are_followed() -> None:
    found = judged(CLAIM, ("LIMIT = 10", "LIMIT = 10\nMORE = 20"))
    assert (found.state, found.lines) == ("moved", (5, 5))


def test_a_name_that_stands_nowhere_is_lost_and_one_that_stands_elsewhere_in_the_file_is_not() -> (
    None
):
    assert [
        one.text
        for one in judged("It raises `FetchError`", ("FetchError(url)", "LoadError(url)")).lost
    ] == ["FetchError"]
    assert (
        judged(
            "It raises `FetchError`",
            ("    raise FetchError(url)", "    fail()"),
            ("LIMIT", "E = FetchError\nLIMIT"),
        ).lost
        == ()
    )


def test_a_value_of_another_function_does_not_stand_in_for_the_one_that_was_claimed() -> None:
    found = judged(
        CLAIM,
        ("def fetch(url, retries=3", "def fetch(url, tries=4"),
        ("range(retries)", "range(tries)"),
    )
    assert "3" in {one.text for one in found.lost}


@pytest.mark.parametrize(
    ("claim", "changes", "lost"),
    [
        # what a definition is claimed to do goes to another one of the same file
        (
            "`fetch` calls `get`",
            [("page = get(", "page = load("), ("return retries", "return get(retries)")],
            {"get"},
        ),
        # a number that is left in the doc string alone
        (
            "`fetch` has `timeout=30`",
            [("timeout=30", "timeout=60"), ("Fetch a page", "Fetch a page in 30 s, timeout")],
            {"timeout=30", "30"},
        ),
        # the value of a constant without backticks
        ("The retry LIMIT is 10", [("LIMIT = 10", "LIMIT = 20")], {"10"}),
        # lines that moved into a function that is called now
        (
            "`fetch` calls `get`",
            [
                ("        page = get(url, timeout)", "        page = once(url)"),
                ("def other", "def once(url):\n        page = get(url, timeout)\n\ndef other"),
            ],
            set(),
        ),
        # the class of a method that is named, which does not stand in the method
        (
            "`other` takes `retries`",
            [("def other(retries=3):", "def other(retries: int = 3):")],
            set(),
        ),
    ],
)
def test_what_is_claimed_of_a_definition_is_looked_for_in_that_definition(
    claim: str, changes: list[tuple[str, str]], lost: set[str]
) -> None:
    assert {one.text for one in judged(claim, *changes).lost} == lost


ROWS = st.lists(st.sampled_from(["a = 1", "b = 2", "def f():", "    x", ""]), max_size=12)


@given(ROWS, ROWS, st.integers(1, 12), st.integers(0, 3))
def test_lines_that_no_hunk_touches_are_the_same_where_they_are_followed_to(
    old: list[str], new: list[str], first: int, length: int
) -> None:
    lines = (first, min(first + length, len(old)))
    hunks = hunks_of(old, new)
    if lines[0] <= lines[1] and not touching(hunks, (lines[0], lines[0])):
        assert new[follow(hunks, (lines[0], lines[0]))[0] - 1] == old[lines[0] - 1]


def test_a_diff_of_git_is_parsed_file_by_file() -> None:
    diff = (
        "diff --git a/x y.py b/x y.py\nindex 1..2 100644\n--- a/x y.py\t\n+++ b/x y.py\t\n@@ -2"
        " +2,2 @@ def f\n-b\n+B\n+C\ndiff --git a/bin b/bin\nindex 1..2 100644\nBinary files a/bin"
        " and b/bin differ\ndiff --git a/old.py b/new.py\nsimilarity index 100%\nrename from"
        " old.py\nrename to new.py\n"
    )
    found = {one.source: one for one in parse(diff)}
    (hunk,) = found["x y.py"].hunks
    assert (hunk.old, hunk.new, hunk.removed) == ((2, 1), (2, 2), ("b",))
    assert found["old.py"].target == "new.py"
