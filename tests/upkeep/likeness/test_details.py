"""Which memories differ in a detail, so that no verdict of a model merges them."""

import pytest
from support.memories import memory

from git_lerim.upkeep.likeness.details import differ


def differs(one: str, other: str, *, bodies: tuple[str, str] = ("", "")) -> bool:
    pair = [
        memory(title=title, body=body) for title, body in zip((one, other), bodies, strict=True)
    ]
    assert differ(*pair) == differ(*pair[::-1])
    return differ(*pair)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The printer listens on port 8080", "Port 9090 is where the printer listens"),
        ("Retry a download three times", "A download is retried 5 times"),
        ("Retry a download three times", "A download is retried"),
        ("Build the docs with `--strict`", "The docs are built with `--quiet`"),
        ("Build the docs with --strict", "The docs are to be built"),
        ("Rows are read by `read_rows`", "It is `load_table` that reads the rows"),
        ("Keep the catalog in Redis", "The catalog is kept in Memcached"),
        ("Restart the worker by hand", "Never restart the worker by hand"),
        ("Tabs are fine in the parser", "Avoid tabs in the parser"),
        ("The cache isn’t shared", "The cache is shared"),
    ],
)
def test_a_number_a_flag_a_name_or_a_negation_is_a_difference(one: str, other: str) -> None:
    assert differs(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The catalog lives in one file", "Sessions: a single file, beside the sources"),
        ("Retry a download three times", "A download is tried again 3 times"),
        ("The timeout is 30s", "Requests end after 30 seconds"),
        ("Pass `--strict` to the builder", "The builder is called with --strict"),
        ("Run `git push` at the end", "At the end comes a git push"),
        ("Never restart the worker by hand", "Do not restart the worker yourself"),
        ("Use spaces in the parser, not tabs", "The parser is indented by spaces"),
        ("Change the Default Log Level to Warnings", "By default, only warnings are logged"),
        ("Only `lint` runs before a push", "Before a push the linter alone runs"),
    ],
)
def test_other_words_and_a_name_that_only_one_has_are_none(one: str, other: str) -> None:
    assert not differs(one, other)


def test_what_the_title_names_may_be_in_the_body_of_the_other() -> None:
    titles = ("The printer listens on port 8080", "Where the printer listens")

    assert differs(*titles)
    assert not differs(*titles, bodies=("", "It is port 8080."))


def test_bodies_differ_where_each_has_a_number_of_its_own() -> None:
    titles = ("The size of an upload is limited", "Uploads have a limit")

    assert differs(*titles, bodies=("At most 10 MB.", "It is 25 MB."))
    assert not differs(*titles, bodies=("At most 10 MB.", "The proxy refuses more."))
