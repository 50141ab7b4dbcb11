import sqlite3
from pathlib import Path

import pytest
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.memories import naming
from git_lerim.recall.index import index
from git_lerim.recall.index.index_lookup import look_up


@pytest.fixture
def folder(repo: Repo, tmp_path: Path) -> Path:
    """Return where the index of a repository with two memories lies."""
    store = store_at(repo.path)
    store.commit(adding(1, 2))
    index.current(tmp_path, store).close()
    return tmp_path


def test_the_files_of_ids_and_of_beginnings_are_known(folder: Path, repo: Repo) -> None:
    both = {
        (naming.path_of(one), repo.git("rev-parse", f"lerim/memory:{naming.path_of(one)}"))
        for one in map(decision, (1, 2))
    }

    told = look_up(folder, [decision(1).id, decision(2).id[:4], "zzzz"], "")

    assert told is not None
    assert (told.tree, told.count, set(told.files)) == (
        repo.git("rev-parse", "lerim/memory^{tree}"),
        2,
        both,
    )


def test_without_an_index_that_is_of_use_nothing_is_known(folder: Path, tmp_path: Path) -> None:
    path = folder / index.NAME
    assert look_up(tmp_path / "elsewhere", ["aaaa"], "") is None
    assert look_up(folder, ["aaaa"], "other rules") is None
    with sqlite3.connect(path) as made:
        made.execute("UPDATE meta SET value = '0' WHERE name = 'format'")
    made.close()
    assert look_up(folder, ["aaaa"], "") is None
    path.write_bytes(b"no database" * 1000)
    assert look_up(folder, ["aaaa"], "") is None


def test_an_index_that_is_being_written_is_not_waited_for(folder: Path) -> None:
    writer = sqlite3.connect(folder / index.NAME, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")

    assert look_up(folder, ["aaaa"], "") is None
    writer.close()
