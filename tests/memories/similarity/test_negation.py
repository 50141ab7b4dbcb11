import pytest

from git_lerim.memories.similarity.negation import opposes, states


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Never use tabs in Go files", "From now on, always use tabs in Go files"),
        ("Do not use tabs in Go files, use spaces", "Always use tabs in Go files"),
        ("Always use tabs in Go files", "Don’t use tabs in Go files"),
        ("Use tabs, never spaces", "Never use tabs, use spaces"),
        ("Always use tabs in Go files", "Nie Tabs in Go files verwenden"),
    ],
)
def test_a_title_opposes_words_of_which_it_denies_or_affirms_the_contrary(
    title: str, said: str
) -> None:
    assert opposes(title, said)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Use pnpm", "Don't use npm here, use pnpm"),
        ("Use pnpm instead of npm", "Never use npm, always use pnpm"),
        ("Prefer pnpm over npm", "Never use npm, always use pnpm"),
        ("Never use npm", "Use pnpm instead of npm"),
        ("Always run the tests before a commit", "Never commit without running the tests"),
        ("Run the tests before each commit", "Don't forget to run the tests before each commit"),
        ("Only use tabs", "Never use anything but tabs"),
        ("No mocks in the tests", "Stop using mocks in tests"),
        ("Never use mocks in tests", "Mocks are forbidden in our tests"),
        ("Never use tabs", "Verwende bitte keine Tabs"),
        ("Only commit when the tests pass", "Don't commit until the tests pass"),
    ],
)
def test_a_title_in_other_words_opposes_nothing(title: str, said: str) -> None:
    assert not opposes(title, said)


@pytest.mark.parametrize(
    ("title", "is_said"),
    [
        ("Never push to main directly", True),
        ("Main is never pushed to", True),
        ("Nobody pushes to main directly", True),
        ("Nobody opens a pull request", False),
        ("Open a pull request, never push to main", True),
        ("Never push to main, and send logs to Bob", False),
        ("Never push to main before sending logs", False),
        ("Push to main", False),
        ("Never open a pull request", False),
        ("Do it", False),
    ],
)
def test_a_title_says_only_what_the_sentences_say(title: str, *, is_said: bool) -> None:
    said = ("Please never push to main directly, open a pull request.", "Bob reads the logs.")

    assert states(said, title) is is_said
