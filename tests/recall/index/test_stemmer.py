import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.index.stemmer import stem


@pytest.mark.parametrize(
    "forms",
    [
        ("index", "indexes", "indexed", "indexing"),
        ("injury", "injured", "injuries"),
        ("run", "running", "ran", "runs"),
        ("relate", "relational", "relating"),
        ("hop", "hopping", "hopped"),
        ("child", "children"),
        ("agree", "agreed"),
        ("migrate", "migration", "migrations"),
        ("store", "stored", "stores", "storing", "storage"),
        ("convert", "conversion", "conversions"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["", "is", "v2", "a1b2c3", "日本", "x-y"])
def test_what_is_no_plain_word_stays(word: str) -> None:
    assert stem(word) == word


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=30))
def test_a_stem_is_never_empty_and_never_long(word: str) -> None:
    assert len(stem(word)) <= max(len(word), 8)
    assert bool(stem(word)) == bool(word)


def test_what_is_written_short_is_the_whole_word() -> None:
    assert [stem("repos"), stem("config"), stem("docs")] == [
        stem("repository"),
        stem("configuration"),
        stem("documentation"),
    ]
