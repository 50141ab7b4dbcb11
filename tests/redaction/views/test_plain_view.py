import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.views.plain_view import plain_view


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[1;31mred\x1b[0m and \x1b]8;;http://h\x07link\x1b]8;;\x07", "red and link"),
        ("[31mred[0m, a[0], [m] and [mysqld]", "red, a[0], [m] and [mysqld]"),
        ("^[[31mred^[[m", "red"),
        ("   12\u2192one\n   13\u2192two", "one\ntwo"),
        ("     1\tone\n     2\ttwo", "one\ntwo"),
        ("1:one\n2:two\n12:34:56 a time", "one\ntwo\n12:34:56 a time"),
        ("@@ -1 +1 @@\n+new\n-old\n same\n--flag", "@@ -1 +1 @@\nnew\nold\n same\n--flag"),
        ("> said\n> more", "said\nmore"),
        ("a\\nb\\tc\\u0041\\/d\\\\n", "a\nb\tcA/d\n"),
        ("to\u200bken\r\n", "token\n"),
        (json.dumps("   1\u2192password: x"), '"password: x"'),
        ("max\\_tokens \\\\_x C:\\dir", "max_tokens _x C:\\dir"),
        ("a&#95;b&#x5F;c&lowbar;d&#45;e&#x2D;f&hyphen;g&amp;h", "a_b_c_d-e-f-g&amp;h"),
        ("plain", "plain"),
    ],
)
def test_a_view_is_what_a_reader_sees(text: str, seen: str) -> None:
    assert plain_view(text).text == seen


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "\x1b[31m",
                "[0m",
                "\\n",
                "\n",
                "  12\u2192",
                "+",
                "-",
                "1:",
                "\\u0041",
                "\u200b",
                "\\_",
                "&#95;",
                "ab",
                "x",
                '"',
                "\r\n",
            ]
        )
    )
)
def test_what_is_seen_is_found_where_it_stood(parts: list[str]) -> None:
    text = "".join(parts)
    view = plain_view(text)

    for at, char in enumerate(view.text):
        ((start, end, _),) = view.traced_back([Finding(at, at + 1, "x")])
        assert 0 <= start < end <= len(text)
        assert char == text[start] or text[start] in "\\&", (text, at)
    spans = [
        next(iter(view.traced_back([Finding(at, at + 1, "x")]))) for at in range(len(view.text))
    ]
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
