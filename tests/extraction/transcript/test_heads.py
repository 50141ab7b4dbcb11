import pytest

from git_lerim.extraction.transcript.user_text import typed

WISH = "Never push to main directly."


@pytest.mark.parametrize(
    "prompt",
    [
        f"Answer of Gemini\n{WISH}",
        f"Response from the reviewer\n\n{WISH}",
        f"Look at this.\n\nReply by Bob\n{WISH}",
        f"@bob wrote in https://x.org/y/pull/3:\n{WISH}",
        f"@bob wrote in https://x.org/y/pull/3\n\n{WISH}",
        f"@bob wrote in https://x.org/y/pull/3: {WISH}",
        f"Bob Smith commented on https://x.org/y/pull/3 {WISH}",
        f"The TODO in the file is: {WISH}",
        f"The TODO in the file is:\n{WISH}",
        f"The docstring of run() is: {WISH}",
        f"The comment in foo.py says: {WISH}",
        f"The README reads: {WISH}",
        f"The ticket says: {WISH}",
        f"Review of Bob on PR 12: {WISH}",
        f"Feedback of Bob on my PR:\n\n{WISH}",
        f"Copilot's review: {WISH}",
        f"PR comment:\n{WISH}",
        f"Issue #12:\n\n{WISH}",
        f"Ticket ABC-12: {WISH}",
        f"Text of the ticket:\n{WISH}",
        f"Bob in Slack: {WISH}",
        f"CodeRabbit on PR 12:\n{WISH}",
        f"Bob (reviewer): {WISH}",
        f"Review comment: {WISH}",
        f"Bob's feedback on my PR: {WISH}",
        f"Requirements from the spec:\n- {WISH}",
        f"Rezension von Bob: {WISH}",
    ],
)
def test_what_stands_below_or_behind_a_head_is_not_the_users(prompt: str) -> None:
    assert WISH not in typed(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"Note: {WISH}",
        f"Tests in CI: {WISH}",
        f"CI on GitHub: {WISH}",
        f"Answer in Slack: {WISH}",
        f"API (client): {WISH}",
        f"Client:\n- {WISH}",
        f"PR description:\nKeep it short.\n\n{WISH}",
        f"Requirements from now on:\n1. {WISH}",
        f"Kommentar von mir: {WISH}",
        f"User's email: {WISH}",
        f"Imports in Python: {WISH}",
        f"Python (backend): {WISH}",
        f"Feedback on your change: {WISH}",
        f"Feedback from me: {WISH}",
        f"Style of comments: {WISH}",
        f"PR titles: {WISH}",
        f"Commit messages: {WISH}",
        f"Bob: please also add X? {WISH}",
        f"TODO: {WISH}",
        f"Two things:\n- {WISH}",
        f"Rule: {WISH}",
        f"The rule is: {WISH}",
        f"The goal is: {WISH}",
        f"My TODO is: {WISH}",
        f"The answer by Bob is fine.\n{WISH}",
        f"Address feedback from Bob\n{WISH}",
        f"I wrote in https://x.org/a: {WISH}",
        f"See what Bob wrote in https://x.org/a\n{WISH}",
        f"Bob wrote in https://x.org/a that tests fail.\n{WISH}",
    ],
)
def test_the_users_own_words_beside_heads_stay(prompt: str) -> None:
    assert WISH in typed(prompt)
