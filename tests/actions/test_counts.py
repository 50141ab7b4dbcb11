from datetime import timedelta

import pytest
from support.memories import AT, memory
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions import edit_memory
from git_lerim.actions.counts import count_memories
from git_lerim.git.engines.trees import Trees
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Kind, Memory, Primitive, Status
from git_lerim.recall.index import index
from git_lerim.storage import reading
from git_lerim.storage.base import Change, Quarantined
from git_lerim.storage.trust.validate import BadFile
from git_lerim.workspace import Workspace, open_workspace

BROKEN = "decisions/2026-02/20260220-broken-aaaaaaaaaaaaa.md"
MORE = [
    memory(id="summaryaaaaaa", primitive=Primitive.SUMMARY, body="## Intent\n\nx"),
    memory(
        id="learningaaaaa",
        primitive=Primitive.LEARNING,
        kind=Kind.FACT,
        status=Status.SUSPECT,
        suspect="odd",
    ),
    memory(
        id="summarybbbbbb",
        primitive=Primitive.SUMMARY,
        status=Status.ARCHIVED,
        body="## Intent\n\nx",
        at=AT - timedelta(days=1),
    ),
    memory(id="handoffaaaaaa", primitive=Primitive.HANDOFF, body="## Next steps\n\nx"),
]


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Return a repository with memories of every sort, and files that are none."""
    monkeypatch.chdir(repo.path)
    store = store_at(repo.path)
    store.commit(adding(1, 2, 3))
    files = {naming.path_of(each): frontmatter.render(each) for each in MORE}
    write(repo, files | {BROKEN: b"no memory\n"})
    edit_memory.forget(open_workspace(), [decision(1).id])
    return open_workspace()


def write(repo: Repo, files: dict[str, bytes]) -> None:
    store_at(repo.path).commit(lambda _: Change(files=files, subject="x"))


def told(ws: Workspace) -> tuple[dict[str, int], list[Quarantined]]:
    """Return what an index tells, or all files where there is none."""
    return count_memories(ws, ws.store.snapshot())


def test_an_index_tells_what_reading_all_tells(ws: Workspace) -> None:
    before = told(ws)
    ws.index().close()

    after = told(open_workspace())

    assert list(before[0].items()) == [
        ("decisions", 2),
        ("decisions archived", 1),
        ("learnings suspect", 1),
        ("summaries", 1),
        ("summaries archived", 1),
    ]
    assert [file.path for file in before[1]] == [BROKEN]
    assert (list(after[0].items()), after[1]) == (list(before[0].items()), before[1])


def test_with_an_index_only_what_is_no_memory_is_read(
    ws: Workspace, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws.index().close()
    really, read = reading.read_blob, list[str]()

    def read_blob(objects: Trees, blob: str) -> Memory | BadFile:
        read.append(blob)
        return really(objects, blob)

    monkeypatch.setattr(reading, "read_blob", read_blob)
    told(open_workspace())

    assert read == [repo.git("rev-parse", f"lerim/memory:{BROKEN}")]


def test_an_index_that_is_behind_is_brought_up_to_date(ws: Workspace, repo: Repo) -> None:
    ws.index().close()
    store_at(repo.path).commit(adding(4))

    assert told(open_workspace())[0]["decisions"] == 3


def test_of_two_files_of_one_id_the_second_is_set_aside(ws: Workspace, repo: Repo) -> None:
    twin = naming.path_of(decision(2)).replace("decisions/", "archived/decisions/")
    write(repo, {twin: frontmatter.render(decision(2))})
    before = told(open_workspace())
    ws.index().close()

    after = told(open_workspace())

    assert after == before
    assert any("has the same id" in file.reason for file in after[1])


def test_looking_makes_no_index(ws: Workspace) -> None:
    told(ws)

    assert not (ws.folder / index.NAME).exists()
