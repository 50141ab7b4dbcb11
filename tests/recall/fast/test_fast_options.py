import io

import pytest

from git_lerim.recall.fast import fast_options

FLAGS, VALUED = ("-q", "--json"), ("--window", "-n")


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], {}),
        (["-q", "--json", "-q"], {"-q": "", "--json": ""}),
        (["--window", "7d"], {"--window": "7d"}),
        (["--window=7d", "-n", "3"], {"--window": "7d", "-n": "3"}),
        (["--window", "7d", "--window="], {"--window": ""}),  # the last one counts, as with click
        (["--window", "--json"], {"--window": "--json"}),
        (["--window"], None),
        (["-n=3"], None),
        (["-n3"], None),
        (["--json=yes"], None),
        (["--win", "7d"], None),
        (["word"], None),
        (["--"], None),
    ],
)
def test_words_are_understood_as_click_does_or_not_at_all(
    words: list[str], asked: dict[str, str] | None
) -> None:
    assert fast_options.options(words, FLAGS, VALUED) == asked


def test_other_words_are_taken_where_a_verb_has_them() -> None:
    others: list[str] = []

    assert fast_options.options(["a", "-n", "3", "b=c"], FLAGS, VALUED, others) == {"-n": "3"}
    assert others == ["a", "b=c"]
    assert fast_options.options(["a", "-x"], FLAGS, VALUED, others) is None


def test_a_stream_that_is_closed_or_knows_few_characters_shows_not_all() -> None:
    utf8, latin = (io.TextIOWrapper(io.BytesIO(), encoding=name) for name in ("UTF-8", "latin-1"))

    assert fast_options.shows_all(utf8, utf8)
    assert not fast_options.shows_all(utf8, latin)
    assert not fast_options.shows_all(None)
