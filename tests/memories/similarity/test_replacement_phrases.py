import pytest
from support.costs import grows_evenly

from git_lerim.memories.similarity.replacement_phrases import replacement

GIVEN_UP = [
    "The catalog moves to PostgreSQL instead of SQLite",
    "Move the catalog to PostgreSQL rather than SQLite because two servers write",
    "We switched the catalog from SQLite to PostgreSQL",
    "Switch from SQLite to PostgreSQL for the catalog",
    "Replace SQLite with PostgreSQL for the catalog",
    "The catalog replaces SQLite with PostgreSQL",
    "PostgreSQL replaces SQLite for the catalog",
    "SQLite is replaced by PostgreSQL for the catalog",
    "Drop SQLite in favour of PostgreSQL for the catalog",
    "The catalog no longer uses SQLite",
    "Use PostgreSQL, not SQLite, for the catalog",
    "The catalog uses PostgreSQL, not SQLite",
    "Store the catalog in PostgreSQL instead of SQLite",
]


@pytest.mark.parametrize("title", GIVEN_UP)
def test_a_title_names_what_it_gives_up_and_what_for(title: str) -> None:
    found = replacement(title)

    assert found is not None
    assert found.old == "SQLite"
    assert set(found.topic.lower().split()) - {"we", "for", "the", ","} == {"catalog"}


@pytest.mark.parametrize(
    "title",
    [
        "The catalog uses SQLite",
        "Do not switch the catalog from SQLite to PostgreSQL",
        "Consider PostgreSQL instead of SQLite",
        "Export the catalog from SQLite to CSV",
        "A join takes longer in SQLite",
        "x" * 300 + " instead of SQLite",
    ],
)
def test_what_is_refused_or_only_thought_of_gives_nothing_up(title: str) -> None:
    assert replacement(title) is None


@pytest.mark.parametrize(
    "unit", ["move from ", "replaces ", "instead of ", ", not ", "no longer use ", "is to for "]
)
def test_a_title_made_to_be_hostile_is_read_in_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: replacement((unit * size)[:size]), 120)
