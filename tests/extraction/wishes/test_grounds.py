import pytest

from git_lerim.extraction.wishes.disowned import is_disowned


@pytest.mark.parametrize(
    ("wish", "remark"),
    [
        ("Never use moment.js.", "It is not maintained any more."),
        ("Never push to main.", "I hate that."),
        ("Never push to main.", "Nobody needs that."),
        ("Never push to main.", "This is not the first time that I tell you."),
        ("Don't ever leave print statements in the code.", "That is bad style."),
        ("Never put emojis into commits.", "This is not a toy."),
        ("Always use uv.", "It is not slow."),
        ("Always pin images.", "It isn't reproducible otherwise."),
        ("Always put fixtures here.", "The README says so, too."),
        ("Always use uv.", "Not everybody likes it, but it has saved us twice."),
        ("Always quote names.", "I know that Postgres does not need it, but Oracle does."),
        ("Never touch the table!", "You did it yesterday, and that was wrong."),
        ("Always use the venv.", "It's not on the PATH."),
        ("Always start Redis first.", "The tests do not pass without it."),
    ],
)
def test_what_speaks_against_a_forbidden_thing_or_for_a_wanted_one_is_a_reason(
    wish: str, remark: str
) -> None:
    assert not is_disowned(f"{wish} {remark}", 0, len(wish) - 1)


@pytest.mark.parametrize(
    ("wish", "remark"),
    [
        ("Never use mocks.", "That is not true."),
        ("Never use mocks.", "That rule is outdated."),
        ("Never use mocks.", "I do not think so."),
        ("Never use mocks.", "That's what the book says."),
        ("Always use tabs, never spaces.", "I do not want that."),
        ("Always use tabs.", "It is not how we work."),
        ("Always use tabs.", "I don't want that, but Bob does."),
        ("Always use tabs.", "That is wrong, but Bob wants it."),
        ("Always use tabs.", "It is not true."),
        ("Always use tabs.", "That is not for us."),
    ],
)
def test_what_speaks_against_the_wish_itself_is_no_reason(wish: str, remark: str) -> None:
    assert is_disowned(f"{wish} {remark}", 0, len(wish) - 1)
