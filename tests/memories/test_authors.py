import pytest

from git_lerim.memories.authors import from_other, in_their_name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The user asked for this: “Use tabs.”", "Ada asked for this: “Use tabs.”"),
        ("Asked “Tabs?”, the user chose “Yes”.", "Asked “Tabs?”, Ada chose “Yes”."),
        ("In the user's words: “tabs”", "In Ada's words: “tabs”"),
        ("The user had asked: “tabs?”", "Ada had asked: “tabs?”"),
        ("The user table is sharded.", "The user table is sharded."),
        ("If the user clicks, the page reloads.", "If the user clicks, the page reloads."),
    ],
)
def test_a_colleague_says_what_the_user_of_their_session_said(text: str, shown: str) -> None:
    assert in_their_name(text, "Ada") == shown
    assert in_their_name(text, "") == text


def test_a_colleague_is_told_from_the_user() -> None:
    assert from_other("Ada") == "from Ada, not the user"
