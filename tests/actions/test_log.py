import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions import edit_memory, log
from git_lerim.actions.log import Filter
from git_lerim.errors import UnknownMemory, UsageError
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Primitive
from git_lerim.storage.base import Change
from git_lerim.storage.writing.message import OPERATIONS
from git_lerim.workspace import Workspace, open_workspace

SUMMARY = memory(
    id="summaryaaaaaa", primitive=Primitive.SUMMARY, title="A day's work", body="## Intent\n\nx"
)


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Return a repository whose memory has a history."""
    monkeypatch.chdir(repo.path)
    store = store_at(repo.path)
    store.commit(adding(1, 2))
    trailers = (("Lerim-Op", "sync"), ("Lerim-Agent", "claude"), ("Lerim-Session", "5b0c1a2f"))
    files = {naming.path_of(SUMMARY): frontmatter.render(SUMMARY)}
    store.commit(lambda _: Change(files=files, subject="sync: summary", trailers=trailers))
    edit_memory.forget(open_workspace(), [decision(1).id])
    repo.git("config", "user.name", "Grace")
    repo.git("config", "user.email", "grace@example.org")
    edit_memory.edit(open_workspace(), decision(2).id, lambda m: replace(m, title="Another title"))
    edit_memory.restore(open_workspace(), [decision(1).id])
    return open_workspace()


@pytest.fixture
def subjects(ws: Workspace) -> Callable[..., list[str]]:
    return lambda limit=None, **wanted: [
        commit.subject for commit in log.log(ws, Filter(**wanted), limit)
    ]


def test_all_is_told_newest_first(subjects: Callable[..., list[str]]) -> None:
    assert subjects() == [
        "restore: Use thing 1", "edit: Another title", "forget: Use thing 1", "sync: summary",
        "sync: 2 decisions",
        "Begin the memory of this repository",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (
            {"memory": decision(1).id},
            ["restore: Use thing 1", "forget: Use thing 1", "sync: 2 decisions"],
        ),
        ({"memory": decision(2).id[:5]}, ["edit: Another title", "sync: 2 decisions"]),
        ({"memory": "summ"}, ["sync: summary"]),
        ({"operation": "forget"}, ["forget: Use thing 1"]),
        ({"operation": "sync"}, ["sync: summary", "sync: 2 decisions"]),
        ({"agent": "claude"}, ["sync: summary"]),
        ({"agent": "codex"}, []),
        ({"since": "2999-01-01"}, []),
        ({"since": "1d", "operation": "forget"}, ["forget: Use thing 1"]),
        ({"session": "5b0c"}, ["sync: summary"]),
        ({"session": "claude/5b0c1a2f"}, ["sync: summary"]),
        ({"session": "5B0C-1A2F"}, ["sync: summary"]),
        ({"session": "5b0c", "operation": "forget"}, []),
        ({"author": "GRACE@"}, ["restore: Use thing 1", "edit: Another title"]),
        ({"author": "grace", "operation": "restore"}, ["restore: Use thing 1"]),
        ({"limit": 1, "operation": "sync"}, ["sync: summary"]),
    ],
)
def test_filters_join(
    subjects: Callable[..., list[str]], wanted: dict[str, object], expected: list[str]
) -> None:
    assert subjects(**wanted) == expected


def test_a_memory_that_is_unknown_is_said_to_be(subjects: Callable[..., list[str]]) -> None:
    with pytest.raises(UnknownMemory):
        subjects(memory="zzzz")


@pytest.mark.parametrize("name", ["codex/5b0c1a2f", "zzz", ""])
def test_a_session_that_is_unknown_is_an_error(
    subjects: Callable[..., list[str]], name: str
) -> None:
    with pytest.raises(UnknownMemory, match=f"no session is called '{name}'"):
        subjects(session=name)


def test_where_there_is_no_memory_nothing_is_told(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)

    assert list(log.log(open_workspace(), Filter(), None)) == []


def test_memories_are_counted_and_other_files_are_not(ws: Workspace) -> None:
    tallies = [log.count_changes(commit) for commit in log.log(ws, Filter(), None)]

    assert [tuple(tally.values()) for tally in tallies] == [
        (0, 1, 0),
        (0, 1, 0),
        (0, 1, 0),
        (0, 0, 0),
        (2, 0, 0),
        (0, 0, 0),
    ]


def test_a_memory_that_was_only_shown_is_not_counted(repo: Repo, ws: Workspace) -> None:
    shown = store_at(repo.path).snapshot().memories[decision(1).id]
    files = {shown.path: frontmatter.render(replace(shown.memory, last_accessed="2026-02-20"))}
    trailers = (("Lerim-Op", "edit"), ("Lerim-Changed", decision(2).id))
    store_at(repo.path).commit(lambda _: Change(files=files, subject="edit: y", trailers=trailers))

    assert log.count_changes(next(log.log(ws, Filter(), 1))) == {"+": 0, "~": 0, "-": 0}


def test_the_log_of_a_memory_has_no_commits_that_only_showed_it(
    repo: Repo, subjects: Callable[..., list[str]]
) -> None:
    before = subjects(memory=decision(1).id)
    shown = store_at(repo.path).snapshot().memories[decision(1).id]
    files = {shown.path: frontmatter.render(replace(shown.memory, last_accessed="2026-02-20"))}
    store_at(repo.path).commit(lambda _: Change(files=files, subject="edit: y"))

    assert subjects()[0] == "edit: y"
    assert subjects(memory=decision(1).id) == before


def test_what_somebody_removed_with_git_is_counted(repo: Repo, ws: Workspace) -> None:
    path = store_at(repo.path).snapshot().memories[decision(2).id].path
    store_at(repo.path).commit(lambda _: Change(files={path: None}, subject="remove"))

    assert log.count_changes(next(log.log(ws, Filter(), 1))) == {"+": 0, "~": 0, "-": 1}


def test_as_json_a_commit_names_its_memories(ws: Workspace) -> None:
    told = [log.as_json(commit) for commit in log.log(ws, Filter(), None)]

    assert [sorted(memory["status"] for memory in each["memories"]) for each in told] == [
        ["A", "D"], ["M"], ["A", "D"], ["A"], ["A", "A"], [],
    ]  # fmt: skip
    assert (told[1]["author"], told[1]["subject"]) == ("Grace", "edit: Another title")
    assert told[1]["trailers"] == [["Lerim-Op", "edit"], ["Lerim-Changed", decision(2).id]]
    assert told[-1]["at"] == "1970-01-01T00:00:00Z"


def test_an_operation_that_does_not_exist_is_refused_with_those_that_do(
    subjects: Callable[..., list[str]],
) -> None:
    with pytest.raises(UsageError, match="unknown operation 'nonsense'") as refused:
        subjects(operation="nonsense")

    assert all(name in refused.value.hint for name in ("sync", "remember", "merge", "purge"))


def test_a_time_that_makes_no_sense_is_refused(subjects: Callable[..., list[str]]) -> None:
    with pytest.raises(UsageError, match="invalid --since 'soon'"):
        subjects(since="soon")


def test_what_any_verb_writes_as_its_operation_can_be_asked_for() -> None:
    package = Path(log.__file__).parents[1]
    written = {
        name
        for path in package.rglob("*.py")
        for name in re.findall(r'(?:"Lerim-Op",|op: str =) "(.+?)"', path.read_text("utf-8"))
    }

    assert {"sync", "undo"} < written <= set(OPERATIONS)


def test_a_row_is_added_only_for_a_memory_that_the_message_does_not_name(ws: Workspace) -> None:
    written = list(log.log(ws, Filter(), None))
    assert [log.unnamed_rows(commit) for commit in written[:4]] == [[]] * 4

    bare = replace(written[0], body="by hand")
    assert log.unnamed_rows(bare) == [f"~ {decision(1).id}"]
