from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions import edit_memory
from git_lerim.actions.diff import Difference, compare, diff
from git_lerim.errors import UsageError
from git_lerim.memories import naming
from git_lerim.memories.memory import Anchor, Kind, Memory, Source, Status
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.workspace import open_workspace

Diff = Callable[..., dict[str, str]]


@pytest.fixture
def told(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Diff:
    """Return what tells of each memory that changed what became of it, by title."""
    monkeypatch.chdir(repo.path)
    return lambda revisions=None: {d.title: d.change for d in diff(open_workspace(), revisions)}


def of(*memories: Memory) -> Snapshot:
    return Snapshot(
        commit="x",
        memories={m.id: Stored(memory=m, path=naming.path_of(m), blob="0") for m in memories},
    )


def as_it_is(items: Iterable[Stored]) -> list[tuple[Stored, str]]:
    return [(item, "") for item in items]


def only(before: Memory, after: Memory) -> Difference:
    (found,) = compare(of(before), of(after), as_it_is, as_it_is)
    return found


def test_where_nothing_happened_nothing_changed(repo: Repo, told: Diff) -> None:
    assert told() == told("2026-01-01") == {}
    store_at(repo.path).start()
    assert told() == told("2026-01-01") == told("lerim/memory..lerim/memory") == {}


def test_without_revisions_it_is_what_the_last_commit_did(repo: Repo, told: Diff) -> None:
    store_at(repo.path).commit(adding(1))
    first = told()
    store_at(repo.path).commit(adding(2, 3))

    assert first == {"Use thing 1": "added"}
    assert told() == {"Use thing 2": "added", "Use thing 3": "added"}


def test_a_file_that_cannot_be_read_any_more_is_not_called_removed(repo: Repo, told: Diff) -> None:
    store_at(repo.path).commit(adding(1))
    path = naming.path_of(decision(1))
    store_at(repo.path).commit(lambda _: Change(files={path: b"no front matter"}, subject="x"))

    assert told() == {"Use thing 1": "set aside"}


def test_revisions_and_dates_say_between_what(
    repo: Repo, told: Diff, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in (1, 2, 3):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2026-03-0{n}T10:00:00Z")
        store_at(repo.path).commit(adding(n))

    assert told("lerim/memory~1") == {"Use thing 3": "added"}
    assert told("lerim/memory~2..lerim/memory~1") == {"Use thing 2": "added"}
    assert told("lerim/memory..lerim/memory~1") == {"Use thing 3": "removed"}
    assert told("2026-03-01..2026-03-02") == {"Use thing 2": "added"}
    assert told("2026-03-02") == {"Use thing 3": "added"}
    assert told("2026-02-01") == {
        "Use thing 1": "added",
        "Use thing 2": "added",
        "Use thing 3": "added",
    }
    with pytest.raises(UsageError):
        told("then..now")


def test_what_became_of_each_is_one_word(repo: Repo, told: Diff) -> None:
    store_at(repo.path).commit(adding(1, 2, 3))
    ws, before = open_workspace(), repo.git("rev-parse", "lerim/memory")
    edit_memory.forget(ws, [decision(1).id])
    archived = told()
    edit_memory.restore(ws, [decision(1).id])
    restored = told()
    edit_memory.edit(ws, decision(2).id, lambda m: replace(m, title="Another"))
    path = store_at(repo.path).snapshot().memories[decision(3).id].path
    store_at(repo.path).commit(lambda _: Change(files={path: None}, subject="x"))

    assert (archived, restored) == ({"Use thing 1": "archived"}, {"Use thing 1": "restored"})
    assert told(before) == {
        "Use thing 1": "changed",
        "Another": "changed",
        "Use thing 3": "removed",
    }


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        (Status.ACTIVE, Status.SUPERSEDED, "superseded"),
        (Status.SUPERSEDED, Status.ACTIVE, "restored"),
        (Status.ACTIVE, Status.SUSPECT, "suspect"),
        (Status.SUPERSEDED, Status.ARCHIVED, "archived"),
    ],
)
def test_a_new_status_is_told(before: Status, after: Status, word: str) -> None:
    found = only(memory(status=before), memory(status=after))

    assert (found.change, found.fields) == (word, (("status", str(before), str(after)),))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": "Use files"}, ("title", "Use SQLite for the session catalog", "Use files")),
        ({"tags": ("b", "a")}, ("tags", "", "b, a")),
        ({"protected": True}, ("protected", "false", "true")),
        ({"kind": Kind.FACT}, ("kind", "null", "fact")),
        (
            {"anchors": (Anchor(path="a.py", lines=(1, 3), blob="c1" * 20),)},
            ("anchors", "", "a.py:1-3 c1c1c1c"),
        ),
        (
            {
                "sources": (
                    Source(
                        agent="claude", session="5b0c", part="sub.jsonl", records=((1, 2), (5, 5))
                    ),
                )
            },
            ("sources", "claude/5b0c1a2f 41-44", "claude/5b0c sub.jsonl 1-2 5"),
        ),
    ],
)
def test_a_field_is_told_as_it_was_and_as_it_is(
    changes: dict[str, object], field: tuple[str, str, str]
) -> None:
    found = only(memory(), memory(**changes))

    assert (found.change, found.fields, found.body) == ("changed", (field,), ())


def test_the_body_is_told_line_by_line() -> None:
    found = only(memory(body="one\ntwo\nthree"), memory(body="one\n2\nthree"))

    assert found.body == (" one", "-two", "+2", " three")


def test_what_is_the_same_is_not_told() -> None:
    assert list(compare(of(memory()), of(memory()), as_it_is, as_it_is)) == []
