import pytest
from support.costs import grows_evenly

from git_lerim.memories.similarity.refusal_phrases import refused, wanted_after_all


@pytest.mark.parametrize(
    ("title", "what"),
    [
        ("Use spaces instead of tabs", ("tabs",)),
        ("Use spaces, never tabs in lua", ("tabs",)),
        ("No default exports, named ones only", ("default exports",)),
        ("Don't use pydantic here", ("pydantic here",)),
        ("Bitte Leerzeichen statt Tabs verwenden", ("Tabs",)),
        ("Never push to main", ()),
        ("Use tabs", ()),
    ],
)
def test_a_title_refuses_what_it_says_no_to(title: str, what: tuple[str, ...]) -> None:
    assert refused(title) == what


@pytest.mark.parametrize(
    ("title", "new", "limit"),
    [
        ("Tabs after all, sorry", "Tabs", ""),
        ("ok default exports in lib after all", "default exports", "lib"),
        ("On reflection I'd rather have pydantic for configs", "pydantic", "configs"),
        ("Doch lieber Tabs statt Leerzeichen", "Tabs", ""),
        ("Finalement yarn, c'est plus rapide", "yarn", ""),
    ],
)
def test_a_title_wants_something_after_all(title: str, new: str, limit: str) -> None:
    assert wanted_after_all(title) == (new, limit)


@pytest.mark.parametrize(
    "title",
    [
        "Tabs after all?",
        "The long and winding tabs after all",
        "After all, tabs are fine",
        "I'd rather see the logs of the last run first",
    ],
)
def test_other_titles_want_nothing_after_all(title: str) -> None:
    assert wanted_after_all(title) is None


@pytest.mark.parametrize(
    "unit", ["no a ", "a instead of ", "a in ", "after all ", "ok, ", ", no a"]
)
def test_a_title_made_to_be_hostile_is_read_in_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: (refused(unit * size), wanted_after_all(unit * size)), 20)
