import pytest

from git_lerim.extraction.by_model.names import missing


@pytest.mark.parametrize(
    ("text", "other", "lost"),
    [
        ("`retries=3` of src/net.py", "retries=3 in src/net.py", []),
        ("It waits 5 s", "It waits 15 s", ["5"]),
        ("It waits 1.5 s.", "1.5 seconds", []),
        ("Only `date` is read", "dates are read", ["date"]),
        ("`git  commit` is run", "Run git commit", []),
        ("The pool is cleared", "Nothing", []),
    ],
)
def test_names_and_numbers_are_compared_word_for_word(
    text: str, other: str, lost: list[str]
) -> None:
    assert missing(text, other) == lost
