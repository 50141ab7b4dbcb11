import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from support.memories import later, memory
from support.repos import Repo
from support.stores import decision, store_at

from git_lerim.actions import edit_memory
from git_lerim.actions.add_memory import Note
from git_lerim.errors import BadMemory, UnknownMemory
from git_lerim.memories import confidence, naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import (
    BODY_LIMIT,
    Anchor,
    Edited,
    Kind,
    Memory,
    Origin,
    Primitive,
    Source,
    Status,
)
from git_lerim.recall.index import index
from git_lerim.storage import reading
from git_lerim.storage.base import Change, Stored
from git_lerim.workspace import Workspace, open_workspace

KEY = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"
SUMMARY = memory(
    id="summaryaaaaaa",
    primitive=Primitive.SUMMARY,
    title="A day's work",
    body="## Intent\n\nx\n\n## What happened\n\ny",
)


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


@pytest.fixture
def put(repo: Repo) -> Callable[..., Memory]:
    """Return what commits a memory as it is, and returns it."""

    def commit(one: Memory) -> Memory:
        path = naming.path_of(one, archived=one.status is Status.ARCHIVED)
        store_at(repo.path).commit(
            lambda _: Change(files={path: frontmatter.render(one)}, subject="put")
        )
        return one

    return commit


def stored(repo: Repo, one: Memory) -> Stored:
    snapshot = store_at(repo.path).snapshot()
    return {**snapshot.memories, **snapshot.summaries, **snapshot.handoffs}[one.id]


def note(text: str, **more: object) -> Note:
    return Note(**({"text": text, "primitive": Primitive.LEARNING, "kind": Kind.FACT} | more))  # type: ignore[arg-type]


def trailers(repo: Repo) -> list[str]:
    return repo.git("log", "-1", "--format=%(trailers:only)", "lerim/memory").splitlines()


def test_what_a_memory_took_the_place_of_comes_back_when_it_goes_and_goes_when_it_is_back(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    old = memory(
        id="aaaaaaaaaaaaa",
        title="Use tabs for indentation in Python files",
        at=later(-2),
        status=Status.SUPERSEDED,
    )
    new = put(
        memory(
            id="bbbbbbbbbbbbb",
            title="Do not use tabs for indentation in Python files",
            supersedes=(put(old).id,),
        )
    )

    def states() -> tuple[Status, Status]:
        return stored(repo, old).memory.status, stored(repo, new).memory.status

    edit_memory.protect(ws, [new.id], on=True)
    edit_memory.protect(ws, [new.id], on=False)
    edit_memory.edit(ws, new.id, lambda one: replace(one, tags=("style",)))
    assert repo.git("log", "-1", "--format=%s", "lerim/memory").startswith("edit: ")
    for _ in range(2):
        done = edit_memory.forget(ws, [new.id])
        assert states() == (Status.ACTIVE, Status.ARCHIVED)
        assert repo.git("rev-parse", "lerim/memory~1") == done.commit
        assert (
            repo.git("log", "-1", "--format=%s", "lerim/memory")
            == "supersede: 1 memory after forget"
        )
        edit_memory.restore(ws, [new.id])
        assert states() == (Status.SUPERSEDED, Status.ACTIVE)
    assert ws.warnings()[0] == f"{old.id} is active now: its replacement is gone"
    edit_memory.edit(ws, new.id, lambda one: replace(one, title="Indent Python by four spaces"))
    assert states() == (Status.SUPERSEDED, Status.ACTIVE)
    edit_memory.forget(ws, [new.id])
    assert states() == (Status.ACTIVE, Status.ARCHIVED)
    assert stored(repo, old).memory.touched is False


# -- remember


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE meta SET value = 'x' WHERE name LIKE 'documents%'",
        "UPDATE meta SET value = 'abc' WHERE name = 'tree'",
        "UPDATE document SET blob = 'zz'",
        "UPDATE document SET blob = lower(hex(randomblob(20)))",
        "UPDATE document SET blob = x'00ff'",
        "UPDATE document SET path = x'00ff' WHERE title = 'Use thing 1'",
        "UPDATE document SET path = CAST(x'c3' AS TEXT) WHERE title = 'Use thing 1'",
        "UPDATE document SET path = replace(path, 'use-thing', 'use-thong')",
        "DELETE FROM document",
    ],
)
def test_an_index_that_lies_hides_no_memory(
    ws: Workspace, put: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(reading, "LARGE", 0)
    one, _ = put(decision(1)), put(decision(2))
    ws.index().close()
    with sqlite3.connect(ws.folder / index.NAME) as made:
        made.execute(damage)
    made.close()

    edit_memory.edit(ws, one.id[:6], lambda it: replace(it, title="New"))

    assert sorted(item.memory.title for item in ws.store.snapshot().memories.values()) == [
        "New",
        "Use thing 2",
    ]
    assert not list(ws.store.snapshot().quarantined)


# -- forget, restore, protect


def test_forgetting_moves_the_file_and_restoring_moves_it_back(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(decision(1))
    path = stored(repo, one).path

    forgotten = edit_memory.forget(ws, [one.id[:6]])
    away = stored(repo, one)
    again = edit_memory.forget(ws, [one.id])
    told = trailers(repo)
    edit_memory.restore(ws, [one.id])
    back = stored(repo, one)

    assert forgotten.commit
    assert again.commit is None
    assert again.memories == (away.memory,)
    assert (away.path, away.memory.status) == (f"archived/{path}", Status.ARCHIVED)
    assert (back.path, back.memory.status) == (path, Status.ACTIVE)
    assert told == ["Lerim-Op: forget", f"Lerim-Archived: {one.id}"]
    assert away.memory.touched
    assert (back.memory.body, back.memory.created) == (one.body, one.created)


def test_several_are_one_commit_and_each_is_named_once(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one, two = put(decision(1)), put(decision(2))

    done = edit_memory.forget(ws, [one.id, two.id[:5], one.id[:5]])

    assert {m.id for m in done.memories} == {one.id, two.id}
    assert repo.git("log", "-1", "--format=%s", "lerim/memory") == "forget: 2 memories"


def test_one_that_is_unknown_changes_none(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(decision(1))
    before = repo.git("rev-parse", "lerim/memory")

    with pytest.raises(UnknownMemory, match="starts with 'zzzz'; nothing was changed"):
        edit_memory.forget(ws, [one.id, "zzzz"])

    assert repo.git("rev-parse", "lerim/memory") == before


def test_a_summary_is_forgotten_and_restored_too(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(SUMMARY)

    edit_memory.forget(ws, ["summ"])
    away = stored(repo, one)
    edit_memory.restore(ws, ["summ"])

    assert (away.path.partition("/")[0], away.memory.status) == ("archived", Status.ARCHIVED)
    assert stored(repo, one).path == naming.path_of(one)


@pytest.mark.parametrize(
    ("given", "confidence"),
    [
        (memory(status=Status.SUSPECT, suspect="odd", confidence=0.7), 0.7),
        (memory(status=Status.SUPERSEDED, confidence=0.0), 0.65),
        (memory(status=Status.ARCHIVED, suspect="odd"), 0.5),
    ],
)
def test_restoring_makes_a_memory_count_again(
    ws: Workspace, repo: Repo, put: Callable[..., Memory], given: Memory, confidence: float
) -> None:
    edit_memory.restore(ws, [put(given).id])

    found = stored(repo, given).memory
    assert (found.status, found.suspect, found.confidence) == (Status.ACTIVE, None, confidence)


def test_protection_is_put_on_and_taken_off(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(decision(1))

    edit_memory.protect(ws, [one.id], on=True)
    protected = stored(repo, one).memory.protected
    edit_memory.protect(ws, [one.id], on=False)

    assert (protected, stored(repo, one).memory.protected) == (True, False)
    assert (
        repo.git("log", "-2", "--format=%s", "lerim/memory")
        == f"protect --off: {one.title}\nprotect: {one.title}"
    )
    assert edit_memory.protect(ws, [one.id], on=False).commit is None


@pytest.mark.parametrize(
    "created",
    [datetime.now(UTC) + timedelta(days=400), datetime(9999, 12, 31, 23, 59, 58, tzinfo=UTC)],
)
def test_a_change_is_later_than_the_memory_whatever_the_clocks_say(
    ws: Workspace, repo: Repo, put: Callable[..., Memory], created: datetime
) -> None:
    one = put(memory(at=created.replace(microsecond=0)))

    for title in ("One", "Two", "Three"):
        edit_memory.edit(ws, one.id, lambda m, title=title: replace(m, title=title))  # type: ignore[misc]

    assert stored(repo, one).memory.title == "Three"
    assert stored(repo, one).memory.touched


# -- edit


def test_an_edit_changes_words_and_not_where_they_come_from(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(memory())
    other = Source(agent="codex", session="x")

    def edited(m: Memory) -> Memory:
        return replace(
            m,
            id="aaaaaaaaaaaaa",
            primitive=Primitive.LEARNING,
            created=datetime.now(UTC),
            sources=(other,),
            title="Mine",
            tags=("t",),
        )

    edit_memory.edit(ws, one.id, edited)

    found = stored(repo, one)
    said = {
        "title": "Mine",
        "tags": ("t",),
        "origin": Origin.HUMAN,
        "confidence": confidence.OF_ORIGIN[Origin.HUMAN],
    }
    by = Edited(by="Ada Tester <ada@example.org>", at=found.memory.updated)
    assert found.memory == replace(one, **said, updated=found.memory.updated, edited=by)
    assert found.path == naming.path_of(one)
    assert trailers(repo) == ["Lerim-Op: edit", f"Lerim-Changed: {one.id}"]


def test_an_edit_that_changes_nothing_is_no_commit(
    ws: Workspace, put: Callable[..., Memory]
) -> None:
    assert (
        edit_memory.edit(ws, put(memory()).id, lambda m: replace(m, body=m.body + " \n")).commit
        is None
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"body": "x" * (BODY_LIMIT + 1)}, "has a body of 4001 characters"),
        ({"body": ""}, "has no body"),
        ({"title": "\u200b"}, "has no title"),
        ({"kind": Kind.FACT}, "is a decision, but has the kind"),
        ({"status": Status.SUSPECT}, "suspect without a reason"),
        ({"anchors": (Anchor(path="../etc/passwd"),)}, "outside the repository"),
    ],
)
def test_an_edit_that_breaks_a_rule_changes_nothing(
    ws: Workspace, repo: Repo, put: Callable[..., Memory], changes: dict[str, object], says: str
) -> None:
    one = put(memory())

    with pytest.raises(BadMemory, match=f"the memory was not changed: it .*{says}"):
        edit_memory.edit(ws, one.id, lambda m: m.having(**changes))

    assert stored(repo, one).memory == one


def test_an_edit_to_archived_moves_the_file(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(memory())

    edit_memory.edit(ws, one.id, lambda m: replace(m, status=Status.ARCHIVED))

    assert stored(repo, one).path == naming.path_of(one, archived=True)


def test_an_edit_is_gated(ws: Workspace, repo: Repo, put: Callable[..., Memory]) -> None:
    one = put(memory(status=Status.SUSPECT, suspect="odd"))
    done = edit_memory.edit(
        ws,
        one.id,
        lambda m: replace(m, body=f"It is {KEY}.", suspect=f"names {KEY}", unknown={"note": KEY}),
    )

    assert done.redactions == 3
    assert KEY not in repo.git("cat-file", "--batch-all-objects", "--batch")


def test_a_person_is_asked_once_though_somebody_else_writes_meanwhile(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(memory())
    asked = []

    def edited(m: Memory) -> Memory:
        asked.append(m)
        put(decision(len(asked)))
        return replace(m, title="Mine")

    edit_memory.edit(ws, one.id, edited)

    assert len(asked) == 1
    assert stored(repo, one).memory.title == "Mine"
    assert len(store_at(repo.path).snapshot().memories) == 2


def test_a_person_is_asked_again_when_the_same_memory_was_changed(
    ws: Workspace, repo: Repo, put: Callable[..., Memory]
) -> None:
    one = put(memory())
    asked = []

    def edited(m: Memory) -> Memory:
        asked.append(m.body)
        if len(asked) == 1:
            put(memory(body="Somebody was faster."))
        return replace(m, title="Mine")

    edit_memory.edit(ws, one.id, edited)

    found = stored(repo, one).memory
    assert asked == [one.body, "Somebody was faster."]
    assert (found.title, found.body) == ("Mine", "Somebody was faster.")
