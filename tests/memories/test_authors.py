import pytest

from git_lerim.memories.authors import from_other, in_their_name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The user asked for this: “Use tabs.”", "Ada asked for this: “Use tabs.”"),
        ("Asked “Tabs?”, the user chose “Yes”.", "Asked “Tabs?”, Ada chose “Yes”."),
        ("In the user's words: “tabs”", "In Ada's words: “tabs”"),
        ("The user had asked: “tabs?”", "Ada had asked: “tabs?”"),
        ("The user really wants tabs.", "Ada really wants tabs."),
        ("Your user has always wanted tabs.", "Ada has always wanted tabs."),
        ("The user, Bob, wants tabs.", "Ada, Bob, wants tabs."),
        ("The human asked for tabs.", "Ada asked for tabs."),
        ("The user’s wish is tabs.", "Ada’s wish is tabs."),
        ("As requested by the user, use tabs.", "As requested by Ada, use tabs."),
        ("Tabs.\nUser: always use tabs.", "Tabs.\nAda: always use tabs."),
        ("The user's address is stored.", "The user's address is stored."),
        ("Sorted by the user table's key.", "Sorted by the user table's key."),
        ("The user table is sharded.", "The user table is sharded."),
        ("If the user clicks, the page reloads.", "If the user clicks, the page reloads."),
    ],
)
def test_a_colleague_says_what_the_user_of_their_session_said(text: str, shown: str) -> None:
    assert in_their_name(text, "Ada") == shown
    assert in_their_name(text, "") == text


def test_a_colleague_is_told_from_the_user() -> None:
    assert from_other("Ada") == "from Ada, not the user"
