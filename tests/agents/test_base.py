import msgspec
import pytest

from git_lerim.agents.base import Bookmark, bookmark_in


def test_a_bookmark_comes_back_as_it_was_saved() -> None:
    bookmark = Bookmark(offset=7, state={"turns": 2})

    assert bookmark_in(msgspec.json.encode(bookmark)) == bookmark
    assert bookmark_in(None) is None


@pytest.mark.parametrize("saved", [b"{", b"[]", b'{"offset": "x"}', b'{"state": ' + b"[" * 100_000])
def test_a_damaged_bookmark_counts_as_none(saved: bytes) -> None:
    assert bookmark_in(saved) is None


def test_a_bookmark_of_another_type_counts_as_none() -> None:
    assert bookmark_in(5) is None  # type: ignore[arg-type] SQLite stores any type in any column
