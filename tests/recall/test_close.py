import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.close import OFTEN, letters, pairs, passages, side_by_side

VALUES = dict.fromkeys(("support", "group", "rang", "book", "went", "go"), (1.0, 1))


def test_pairs_are_the_neighbours_of_a_query_without_stop_words() -> None:
    assert pairs(["the", "range", "of", "books", "supported"], VALUES) == [("rang", "book"), ("book", "support")]


def test_a_word_that_no_document_has_makes_no_pair() -> None:
    assert pairs(["range", "nowhere", "books"], VALUES) == []


def test_an_irregular_word_begins_as_it_is_written() -> None:
    assert pairs(["went", "books"], VALUES) == [("went", "book")]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        (" a support group met ", 1 / 2),
        (" supporting the groups ", 1 / 2),
        (" support from our group ", 1 / 2),
        (" support of another group ", 1 / 3),
        (" support group, support group ", 2 / 3),
        (" group support ", 0.0),
        (" support of two other, much larger groups ", 0.0),
        (" support ", 0.0),
        ("", 0.0),
    ],
)
def test_words_side_by_side_count_and_each_time_less(text: str, score: float) -> None:
    assert side_by_side({1: text}, [("support", "group")]) == {1: pytest.approx(score)}


def test_a_pair_that_fills_a_text_says_no_more_than_one_that_stands_there_often() -> None:
    scores = side_by_side({1: " support group" * OFTEN, 2: " support group" * 5000}, [("support", "group")])
    assert scores[1] == scores[2]


def test_a_word_is_near_to_one_that_is_written_nearly_as_it() -> None:
    texts = {1: " the painter came home ", 2: " the plumber came home ", 3: " a strange fesetival "}
    scores = letters(texts, ["painting"])
    assert scores[1] > 0 > scores[2] == scores[3]
    assert letters(texts, ["festival"])[3] > 0


@given(st.lists(st.text("abcd ", max_size=40), min_size=1, max_size=5))
def test_letters_take_nothing_from_texts_on_average(bodies: list[str]) -> None:
    assert sum(letters(dict(enumerate(bodies)), ["abcd", "ddcc"]).values()) == pytest.approx(0)


def test_short_and_common_words_have_no_letters_that_count() -> None:
    assert letters({1: " there about it "}, ["the", "there", "about", "it"]) == {1: 0}


def test_the_best_passage_counts_with_its_neighbours() -> None:
    near, far = "support\ngroup\nx1\nx2\nx3\nx4", "support\nx1\nx2\nx3\nx4\ngroup"
    scores = passages({1: near, 2: far, 3: "x1"}, VALUES)
    assert scores[1] > scores[2] > scores[3] == 0


@given(st.dictionaries(st.integers(), st.text(), max_size=4), st.lists(st.text(max_size=12), max_size=6))
def test_any_text_and_any_words_are_looked_at(texts: dict[int, str], words: list[str]) -> None:
    assert letters(texts, words).keys() == side_by_side(texts, pairs(words, VALUES)).keys() == texts.keys()
    assert passages(texts, VALUES).keys() == texts.keys()
