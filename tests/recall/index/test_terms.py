import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.index.terms import LONGEST, fold, plain_words, terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("parseHTTPHeader", ["pars", "http", "header", "parsehtt"]),
        ("snake_case_name", ["snake", "case", "name", "snake_case_name"]),
        ("src/net/client.py", ["src", "net", "client", "py", "src/net/client.py"]),
        ("SQLite", ["sq", "lite", "sqlite"]),
        ("The lock is held", ["lock", "hold"]),
        ("don't Ada's", ["dont", "ada"]),
        ("Descrição naïve", ["descrica", "naiv"]),
        ("--no-verify,", ["verifi", "no-verify"]),
        ("", []),
        ("...", []),
    ],
)
def test_a_text_gives_its_words_and_the_parts_of_its_identifiers(
    text: str, found: list[str]
) -> None:
    assert [term.removesuffix("i") for term in terms(text)] == [
        term.removesuffix("i") for term in found
    ]


@pytest.mark.parametrize(
    ("text", "word"), [("SQLite", "sqlite"), ("indexes", "Indexing"), ("wrote", "writes")]
)
def test_forms_of_one_word_are_one_term(text: str, word: str) -> None:
    assert set(terms(word)) <= set(terms(text))


def test_scripts_without_spaces_are_found_by_any_part() -> None:
    assert set(terms("日本語")) <= set(terms("検索エンジンは日本語を分割しない"))
    assert set(terms("검색")) <= set(terms("검색엔진은 무엇인가"))


def test_a_composed_and_a_decomposed_letter_are_the_same() -> None:
    assert terms("cafe\u0301") == terms("café") == terms("CAFE")
    assert fold("ガ") == fold("カ\u3099") != fold("カ")


@given(st.text())
def test_any_text_gives_short_terms_without_spaces(text: str) -> None:
    assert all(term and len(term) <= LONGEST and not term.isspace() for term in terms(text))
    assert all(word and " " not in word for word in plain_words(text))
