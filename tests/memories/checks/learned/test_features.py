from git_lerim.memories.checks.learned.features import features_of


def test_the_features_of_a_sentence_are_its_words_pairs_suffixes_beginning_end_and_length() -> None:
    assert features_of("Don’t commit `a b` or main.py!") == {
        *("don't", "commit", "<code>", "or", "<file>"),
        *("don't commit", "commit <code>", "<code> or", "or <file>"),
        *("^don't", "^don't commit", "<file>$", "-mit", "5x1"),
    }


def test_a_sentence_without_words_has_no_features() -> None:
    assert features_of(" . ") == set()
