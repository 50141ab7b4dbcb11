import os
import signal
from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim import second
from git_lerim.memories import frontmatter, naming
from git_lerim.memories.memory import Anchor, Memory, Primitive, Status
from git_lerim.recall import beside, index, postings
from git_lerim.recall.index import current, empty
from git_lerim.recall.postings import Writer
from git_lerim.storage.base import Change
from git_lerim.storage.branch import BranchStore

TABLES = ("document", "posting", "meta", "code")


def numbered(n: int) -> Memory:
    primitive = (Primitive.DECISION, Primitive.LEARNING)[n % 2]
    return memory(
        id=naming.memory_id("claude", str(n), primitive, 0),
        primitive=primitive,
        title=f"Use the queue {n % 7}",
        body=f"Because word{n % 5} is there, größer than word{n % 3}.",
        tags=(f"tag{n % 4}",),
        anchors=(Anchor(path=f"src/module{n % 6}.py", symbol="run"),),
    )


def files(count: int) -> list[tuple[str, Memory]]:
    """Return memories and where they stand; every fifth stands in the archive, too, and every seventh at a second path."""
    found = []
    for n in range(count):
        one = numbered(n)
        path = naming.path_of(one)
        found.append((path, one))
        found += [(f"archived/{path}", one.having(status=Status.ARCHIVED))] if n % 5 == 0 else []
        found += [(path.replace("use-the", "again-the"), one)] if n % 7 == 0 else []
    return found


def tables(connection: index.Connection) -> dict[str, list[tuple[object, ...]]]:
    found = {table: [tuple(row) for row in connection.execute(f"SELECT * FROM {table}")] for table in TABLES}  # noqa: S608
    sizes = [row for row in found["meta"] if row[0].startswith(("documents", "words")) and row[1] != "0"]
    return found | {"meta": sorted(sizes)}


def written(by: "beside.Beside | None", count: int) -> dict[str, list[tuple[object, ...]]]:
    connection = empty()
    writer = Writer(connection, by)
    for path, one in files(count):
        writer.add(one, path, "ab" * 20)
    writer.finish({"format": "of a test"})
    return tables(connection)


@pytest.mark.parametrize("flush", [7, 50_000])
def test_with_a_second_process_an_index_is_the_same(monkeypatch: pytest.MonkeyPatch, flush: int) -> None:
    monkeypatch.setattr(postings, "FLUSH", flush)
    monkeypatch.setattr(beside, "_TOGETHER", 10)

    with beside.Beside() as other:
        assert written(other, 60) == written(None, 60)


@pytest.fixture
def store(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> BranchStore:
    monkeypatch.setattr(second, "worth_while", lambda: True)
    monkeypatch.setattr(index, "MUCH", 10)
    made = store_at(repo.path)
    contents = {path: frontmatter.render(one) for path, one in files(30)}
    made.commit(lambda _: Change(files=contents, subject="change"))
    return made


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of the processes that were started."""
    found: list[int] = []
    begin = second.Second.__init__

    def noted(self: second.Second, module: str) -> None:
        begin(self, module)
        found.append(self.pid)

    monkeypatch.setattr(second.Second, "__init__", noted)
    return found


def test_the_first_index_of_many_is_made_with_one_that_then_ends(store: BranchStore, tmp_path: Path, started: list[int]) -> None:
    made = tables(current(tmp_path, store).connection)

    assert len(started) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)
    assert made == tables(current(tmp_path, store, at="lerim/memory").connection)
    current(tmp_path, store)
    assert len(started) == 1


def test_an_index_is_made_without_one_that_was_killed(
    store: BranchStore, tmp_path: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = second.Second.__init__

    def killed(self: second.Second, module: str) -> None:
        begin(self, module)
        os.kill(self.pid, signal.SIGTERM)

    monkeypatch.setattr(second.Second, "__init__", killed)
    made = tables(current(tmp_path, store).connection)

    assert len(started) == 1
    assert made == tables(current(tmp_path, store, at="lerim/memory").connection)


def test_a_few_new_files_start_none(
    store: BranchStore, tmp_path: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "MUCH", 10_000)
    current(tmp_path, store)

    assert started == []
