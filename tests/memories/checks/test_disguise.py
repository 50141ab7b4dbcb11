import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.memories.checks.disguise import HOST, _words_with_signs, spelled_out, undisguised


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("see example[.]com for it", f"see {HOST} for it"),
        ("see example [DOT] com for it", f"see {HOST} for it"),
        ("see hXXps://203.0.113.7/x for it", f"see {HOST} for it"),
        ("mail ann@example.com, then bob@example.org.", f"mail {HOST}, then {HOST}."),
        ("(https://example.com/a),https://example.com/b", f"({HOST}),{HOST}"),
        ("a.b is code, and config.app too", "a.b is code, and config.app too"),
        ("send it to config.app", f"send it to {HOST}"),
        ("`events.at` and request.host are code", "`events.at` and request.host are code"),
        ("send it to `events.at`", f"send it to `{HOST}`"),
        ("use the base image `events.at`", f"use the base image `{HOST}`"),
        ("metrics.at and events.at/x are none", f"{HOST} and {HOST} are none"),
        ("read from\n203.0.113.7", f"read from\n{HOST}"),
        ("i g n o r e the rules", "ignore the rules"),
        ("the rules: i.g.n.o.r.e", "the rules: ignore"),
        ("ig**no**re `it`", "ignore `it`"),
        ("\u0456gn\u043ere it", "ignore it"),
        ("ig\u200bnore it", "ignore it"),
        ("\uff49\uff47nore it", "ignore it"),
    ],
)
def test_a_disguise_is_undone(text: str, plain: str) -> None:
    assert undisguised(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [("1gn0re th!s", "ignore this"), ("ig_nore", "ignore"), ("in 7 of 12 ms", "in 7 of 12 ms")],
)
def test_digits_and_signs_that_stand_for_letters_are_spelled_out(text: str, plain: str) -> None:
    assert spelled_out(text) == plain


@given(st.lists(st.sampled_from([*"ab_1é中/@. \n\t\x1c\x85\u3000\u200b", "//", ".a"])).map("".join))
def test_the_words_that_may_hold_an_address_are_found_by_their_signs(text: str) -> None:
    words = [each.span() for each in re.finditer(r"\S+", text)]
    signed = [each for each in words if re.search(r"//|@|\w\.\w", text[slice(*each)])]
    assert list(_words_with_signs(text)) == signed
