import pytest

from git_lerim.extraction.transcript.user_text import paragraphs

WRAPPED = """The importer reads one row at a time and stops at the first row that is
empty, which customers see as a lost file since nobody tells them about
the rest, so let it go on and count the rows that it left out and print
the number at the end"""


@pytest.mark.parametrize(
    ("prompt", "sentences"),
    [
        (
            "fix the login test\nno default exports in this repo\nthen run lint",
            ("fix the login test", "no default exports in this repo", "then run lint"),
        ),
        ("look at `run()`\nwe wrap errors here", ("look at `run()`", "we wrap errors here")),
        (
            "use the fake clock in all of the tests that wait for something\nthanks",
            ("use the fake clock in all of the tests that wait for something", "thanks"),
        ),
        (
            (
                "deploys go out mon-thu only, never on a friday (ops has no weekend duty)\n"
                "tags are dates, not versions"
            ),
            (
                "deploys go out mon-thu only, never on a friday (ops has no weekend duty)",
                "tags are dates, not versions",
            ),
        ),
        (
            "never start a build of the app while one of the two long running tests\nis running",
            ("never start a build of the app while one of the two long running tests is running",),
        ),
        (
            "never start a build of the app while one of the two very long running\ntests is red",
            ("never start a build of the app while one of the two very long running tests is red",),
        ),
        ("always run the tests before\nyou push", ("always run the tests before you push",)),
        ("use tabs here\nbecause we all do", ("use tabs here because we all do",)),
        ("never deploy\non Fridays", ("never deploy on Fridays",)),
        ("never push to main unless\nI say so", ("never push to main unless I say so",)),
        ("never commit\ngenerated files", ("never commit generated files",)),
        ("never touch files\nyou did not create", ("never touch files you did not create",)),
        (
            "never add a dependency\nif the standard library can do it",
            ("never add a dependency if the standard library can do it",),
        ),
        (
            "always run the whole suite against the staging database and\nthen push to the branch",
            (
                (
                    "always run the whole suite against the staging database and "
                    "then push to the branch"
                ),
            ),
        ),
        (
            "add this text to the page\nalways free shipping\nnever pay for returns",
            ("add this text to the page always free shipping never pay for returns",),
        ),
        ("these, please:\nthe tests", ("these, please: the tests",)),
        ("see step2. then go on", ("see step2.", "then go on")),
        ("it took 0.2. then it died", ("it took 0.2.", "then it died")),
    ],
)
def test_a_line_without_a_full_stop_ends_a_statement(
    prompt: str, sentences: tuple[str, ...]
) -> None:
    assert paragraphs(prompt) == (sentences,)


def test_a_text_wrapped_at_a_width_is_read_across_its_lines() -> None:
    assert paragraphs(WRAPPED) == ((WRAPPED.replace("\n", " "),),)
