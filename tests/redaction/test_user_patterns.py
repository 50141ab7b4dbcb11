import re

import pytest

from git_lerim.redaction.user_patterns import compile_allowed, compile_patterns, search


@pytest.mark.parametrize("pattern", ["(", "[a", "*x", "(?P<a>x)(?P<a>y)"])
def test_what_is_no_pattern_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(pattern))):
        compile_patterns([pattern])


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"(a|ab)*b",
        r"(?x)(a+) +$",
        r"(?x) (?# a comment ) ( a+ ) {2,} $",
        r"(?x:(a+) +)$",
        r"(a+)(?#)+$",
        r"(?:(?:a++)b?)*+c",
        r"(?=(a+)+$)a",
        r"(?:\w+\s?)+x",
        r"((ab)*c)*",
        r"(x*){20,}",
        r"(a?){30}b",
        r"(?:(?:a?){3})+b",
        r"(?:a{1,2}){2,}b",
        r"([a-z]+)*\)",
    ],
)
def test_a_pattern_that_can_explode_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="without end"):
        compile_patterns([pattern])


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:a|b)+-\d{2}",
        r"(?x) corp - \w+  # (a+)+",
        r"(?:\w\w){6}",
        r"ACME-\d{6}",
        r"(?:foo|bar)-\w+",
        r"[(+*)]+x",
        r"\(a+\)+",
        r"(?i)corp-[a-z]+\.local",
        r"ACME-(?:[A-Z0-9]{4}-){2,5}[A-Z0-9]{4}",
        r"(?:[0-9a-f]{2}:)+[0-9a-f]{2}",
        r"(?:[0-9A-F]{2}:){19}[0-9A-F]{2}",
        r"(?:(?:\d{2}\.){2}-)*\d{4}",
    ],
)
def test_plain_patterns_are_taken(pattern: str) -> None:
    assert compile_patterns([pattern])[0].pattern == pattern


def test_a_quadratic_pattern_stays_bearable() -> None:
    (pattern,) = compile_patterns([r"a*b"])

    assert list(search(pattern, "a" * 50_000)) == []


def test_what_is_allowed_may_be_an_exact_string_or_a_pattern() -> None:
    allowed = compile_allowed(["a+b(c", r"tmp-\w+"])

    assert [
        any(pattern.fullmatch(text) for pattern in allowed) for text in ("a+b(c", "tmp-1", "other")
    ] == [True, True, False]
