import pytest

from git_lerim.recall.search.query import LONGEST, MOST, parse


def test_words_are_looked_for_and_stop_words_are_not() -> None:
    query = parse("the lock of the catalog")
    assert set(query.terms) == {"lock", "catalog"}
    assert query.words == ["the", "lock", "of", "the", "catalog"]


def test_quotes_make_a_phrase_and_its_words_count_too() -> None:
    query = parse('lost "two writers" rows')
    assert query.phrases == [["two", "writers"]]
    assert set(query.terms) == {"lost", "two", "writer", "row"} or "writer" in query.terms


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('lost "two writers"', True),
        ('"two writers"', False),
        ('tag:db "two writers"', False),
        ("two writers", False),
        ('lost "rows"', False),
    ],
)
def test_a_query_quotes_when_it_has_words_beside_a_phrase(text: str, *, quotes: bool) -> None:
    assert parse(text).quotes is quotes


@pytest.mark.parametrize(
    ("text", "without"),
    [("-lock", ["lock"]), ('-"two locks"', ["two", "lock"]), ("a-b", []), ("-", []), ("--", [])],
)
def test_a_minus_leaves_out(text: str, without: list[str]) -> None:
    assert parse(text).without == without


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("tag:db", {"tag": ["db"]}),
        ('tag:"two words"', {"tag": ["two words"]}),
        ("kind:pitfall path:src/a.py x", {"kind": ["pitfall"], "path": ["src/a.py"]}),
        ("KIND:pitfall", {"kind": ["pitfall"]}),
        ("title:handoff", {}),
        ("https://example.org", {}),
        ("tag:", {}),
    ],
)
def test_fields_narrow(text: str, fields: dict[str, list[str]]) -> None:
    assert parse(text).fields == fields


def test_a_star_stands_for_any_ending() -> None:
    assert parse("curr*").prefixes == ["curr"]
    assert parse("*").prefixes == []


def test_a_very_long_query_is_cut() -> None:
    query = parse(" ".join(f"word{n}" for n in range(LONGEST)))
    assert len(query.terms) <= MOST
