import pytest

from git_lerim.extraction.by_rules.sentences.interjections import without_interjection


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("btw use uv, never pip", "use uv, never pip"),
        ("Ah right, also: always run the linter", "always run the linter"),
        ("oh and one more thing: run the linter", "run the linter"),
        ("Übrigens: keine Emojis", "keine Emojis"),
        ("also: no mocks", "no mocks"),
        ("Go back to httpx, thanks", "Go back to httpx"),
        ("run the linter before each commit, danke!", "run the linter before each commit!"),
        ("ok", "ok"),
        ("and", "and"),
    ],
)
def test_sounds_and_asides_are_left_out(said: str, left: str) -> None:
    assert without_interjection(said) == left


@pytest.mark.parametrize(
    "said",
    [
        "no, never push to main",
        "ok but never push to main",
        "and not on a Friday",
        "oh and no mocks",
        "also that file is generated",
        "Android builds need JDK 17",
        "Write thanks, not thx",
        "Answer each review with thanks",
        "okapi is the name of the service",
        "alsoran is a file",
    ],
)
def test_nothing_that_denies_limits_or_names_is_left_out(said: str) -> None:
    assert without_interjection(said) == said
