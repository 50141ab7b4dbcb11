import pytest

from git_lerim.memories.format.body import without_title


@pytest.mark.parametrize(
    ("title", "text", "rest"),
    [
        ("Tea is at four", "Tea is at four.", ""),
        ("Tea is at four", "Tea is at four", ""),
        ("Tea is at four", "Tea is at four. Bring cups.", "Bring cups."),
        ("Tea is at four", "Tea is at four\n\nBring cups.", "Bring cups."),
        ("Tea at four?", "Tea at four? Yes.", "Yes."),
        ("Tea is at four", "Tea is at four o'clock. Bring cups.", None),
        ("Tea is at 4", "Tea is at 4.5 degrees.", None),
        ("Tea is at four…", "Tea is at four and not at five.", None),
        ("Tea is at four", "Because the team asked.", None),
        ("", "Tea is at four.", None),
    ],
)
def test_a_first_sentence_that_is_the_title_is_left_out(
    title: str, text: str, rest: str | None
) -> None:
    assert without_title(title, text) == (text if rest is None else rest)
