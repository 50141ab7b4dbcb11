from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.rank import best, rarity, saturated
from git_lerim.recall.reader import length_code, length_of

SCORES = st.dictionaries(st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 1.0, 2.5]) | st.floats(0, 9), max_size=300)


@given(SCORES, st.integers(1, 20))
def test_the_best_are_the_highest_of_equals_the_newest(found: dict[int, float], limit: int) -> None:
    assert best(found, limit) == sorted(found, key=lambda key: (-found[key], -key))[:limit]


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_rarer_words_are_worth_more_and_none_is_worth_less_than_nothing(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert rarity(1000, low) >= rarity(1000, high) > 0


def test_a_word_says_less_the_second_time_and_in_a_longer_text() -> None:
    assert saturated(2, 1, 0.5) - saturated(1, 1, 0.5) < saturated(1, 1, 0.5)
    assert saturated(1, 2, 0.5) < saturated(1, 1, 0.5)


@given(st.integers(0, 10**6))
def test_a_length_fits_in_a_byte_and_comes_back_nearly(words: int) -> None:
    code = length_code(words)
    assert 0 <= code <= 255
    assert abs(length_of(code) - words) <= 0.05 * words or code == 255
