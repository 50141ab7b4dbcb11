import pytest

from git_lerim.memories.checks.noise import noise


@pytest.mark.parametrize(
    "statement",
    [
        "Let me check the logs",
        "All tests pass now",
        "PR #12 is mergeable",
        "Added a flag to the parser",
        "Wait for results (Recommended)",
        "File is 112 lines",
        "This silently skips the check",
        "Should we use Redis?",
        "ok, that works",
        "The user is not available to answer",
        "<oai-mem-citation> something",
        "Option B: keep both",
        "The fix was merged into main",
        "Version 2.1 is now published",
        "If the tests pass, fine, but CI is red",
    ],
)
def test_noise_is_named(statement: str) -> None:
    assert noise(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Use SQLite for the session catalog",
        "Never push to main directly",
        "Tests need TZ=UTC because dates are rendered in local time",
        "go-git does not use the credential helpers of the system",
        "A failing test must not block the release",
        "Checkpoints are pushed with a normal `git push`; there is no push command",
        "If CI is red, fix that first",
        "Never merge unless all the tests pass",
        "Conflicts in results are merged by the user in a pull request",
    ],
)
def test_statements_are_not_noise(statement: str) -> None:
    assert noise(statement) is None


def test_the_name_of_a_trailer_is_no_text_of_a_program() -> None:
    assert noise("A squash keeps trailers such as `Co-authored-by:` in the message") is None
    assert noise("Co-Authored-By: Some Agent <agent@example.org>")
