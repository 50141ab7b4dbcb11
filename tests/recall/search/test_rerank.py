import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.index.index_reader import Candidate
from git_lerim.recall.index.terms import terms
from git_lerim.recall.search.rerank import (
    PART,
    DocumentTerms,
    best,
    letters,
    pairs,
    passages,
    rarity,
    saturated,
    side_by_side,
    supported,
    whole,
)

VALUES = dict.fromkeys(("support", "group", "rang", "book", "go"), 1.0)
SCORES = st.dictionaries(
    st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 1.0, 2.5]) | st.floats(0, 9), max_size=300
)


def look(body: str, title: str = "", key: int = 1) -> DocumentTerms:
    lines = "\n".join(" ".join(terms(line)) for line in body.split("\n"))
    return DocumentTerms(
        Candidate((key, "", None, None, f"{title}\n{body}", " ".join(terms(title)), "", lines)),
        VALUES,
    )


def at_record(key: int, record: int, author: str = "") -> Candidate:
    return Candidate((key, author, "session", record, "", "", "", ""))


@given(SCORES, st.integers(1, 20))
def test_the_best_are_the_highest_of_equals_the_newest(found: dict[int, float], limit: int) -> None:
    assert best(found, limit) == sorted(found, key=lambda key: (-found[key], -key))[:limit]


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_rarer_words_are_worth_more_and_none_is_worth_less_than_nothing(
    one: int, other: int
) -> None:
    low, high = sorted((one, other))
    assert rarity(1000, low) >= rarity(1000, high) > 0


def test_a_word_says_less_the_second_time_and_in_a_longer_text() -> None:
    assert saturated(2, 1, 0.5) - saturated(1, 1, 0.5) < saturated(1, 1, 0.5)
    assert saturated(1, 2, 0.5) < saturated(1, 1, 0.5)


def test_a_title_counts_the_same_above_a_short_and_a_long_text() -> None:
    short, long = look("x", "support group"), look("x " * 500, "support group")
    assert whole(short, VALUES, 10) == whole(long, VALUES, 10)


def test_a_word_in_the_body_counts_less_in_a_longer_one() -> None:
    assert whole(look("support"), VALUES, 10) > whole(look("support" + " x1" * 200), VALUES, 10)


def test_a_line_is_worth_as_much_alone_as_within_a_long_text() -> None:
    line, noise = "the support group met", "\n".join(f"x{n} y{n} z{n}" for n in range(50))
    scores = passages([look(line, key=1), look(f"{noise}\n{line}\n{noise}", key=2)], VALUES)
    assert scores[1] == scores[2] > 0


def test_a_long_line_is_more_than_one_passage() -> None:
    words = " support ".join(["word"] * (PART + 1)) + " group" * (PART // 2 + 1)
    assert [len(part) for part, _ in look(f"one line\n\n{words}").parts] == [
        PART,
        PART,
        PART // 2 + 2,
    ]


def test_words_of_one_passage_count_more_than_the_same_words_far_apart() -> None:
    scores = passages(
        [look("support group\nx1 x2", key=1), look("support x1\ngroup x2", key=2)], VALUES
    )
    assert scores[1] > scores[2]


def test_pairs_are_the_neighbours_of_a_query_without_stop_words() -> None:
    assert pairs(["the", "range", "of", "books", "supported"], VALUES) == [
        ("rang", "book"),
        ("book", "support"),
    ]


def test_a_word_that_no_document_has_makes_no_pair() -> None:
    assert pairs(["range", "nowhere", "books"], VALUES) == []


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("a support group met", 1 / 2),
        ("supporting the groups", 1 / 2),
        ("support from our group", 1 / 2),
        ("support of another group", 1 / 3),
        ("support group, support group", 2 / 3),
        ("group support", 1 / 3),
        ("support of two other, much larger groups", 0.0),
        ("support\ngroup", 0.0),
        ("support", 0.0),
        ("", 0.0),
    ],
)
def test_words_side_by_side_count_and_each_time_less(text: str, score: float) -> None:
    assert side_by_side([look(text)], [("support", "group")]) == {1: pytest.approx(score)}


def test_a_word_is_near_to_one_that_is_written_nearly_as_it_in_a_text_of_any_length() -> None:
    texts = {
        1: "the painter came home",
        2: "the plumber came home",
        3: "a strange fesetival\nwas held\nby\nthem",
    }
    scores = letters(texts, ["painting"])
    assert scores[1] > 0 == scores[2] == scores[3]
    assert letters(texts, ["festival"])[3] > 0


def test_short_and_common_words_have_no_letters_that_count() -> None:
    assert letters({1: " there about it "}, ["the", "there", "about", "it"]) == {1: 0}


def test_what_was_said_next_to_a_good_answer_moves_up() -> None:
    scores = supported(
        [at_record(1, 10), at_record(2, 11), at_record(3, 30)], {1: 9.0, 2: 1.0, 3: 1.0}
    )
    assert scores[2] > scores[3]


def test_no_memory_of_a_colleague_moves_up_because_it_names_the_users_session() -> None:
    found = {1: 9.0, 2: 1.0, 3: 1.0, 4: 1.0}
    scores = supported([at_record(1, 10), at_record(2, 11, "Bob"), at_record(3, 11)], found)
    assert scores[2] == scores[4] < scores[3]


def test_all_that_was_said_beside_a_memory_counts() -> None:
    found = {1: 9.0, 2: 1.0, 3: 1.0, 4: 1.0}
    beside = [at_record(1, 10), at_record(2, 12), at_record(3, 13), at_record(4, 40)]
    scores = supported(beside, found)
    assert scores[2] - scores[4] == pytest.approx(0.15 * 9.0 + 0.3 * 1.0)


@given(
    st.dictionaries(st.integers(), st.text(), max_size=4),
    st.lists(st.text(max_size=12), max_size=6),
)
def test_any_text_and_any_words_can_be_compared(texts: dict[int, str], words: list[str]) -> None:
    looks = [look(text, key=key) for key, text in texts.items()]
    assert (
        letters(texts, words).keys()
        == side_by_side(looks, pairs(words, VALUES)).keys()
        == texts.keys()
    )
    assert passages(looks, VALUES).keys() <= texts.keys()
