from git_lerim.recall.index.synonyms import synonyms
from git_lerim.recall.index.terms import terms


def test_words_for_the_same_are_found_in_any_of_their_forms() -> None:
    (limits,), (exceeded,) = terms("limits"), terms("exceeded")

    assert exceeded in synonyms(limits)
    assert limits in synonyms(exceeded)
    assert limits not in synonyms(limits)


def test_a_word_of_no_group_has_none() -> None:
    assert synonyms("zebra") == frozenset()
