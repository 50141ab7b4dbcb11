import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from support.memories import edited, memory
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions import edit_memory, listing
from git_lerim.errors import UnknownMemory
from git_lerim.git import fast_repo
from git_lerim.memories import naming
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive, Source, Status
from git_lerim.storage.base import Change, Snapshot
from git_lerim.workspace import Workspace, open_workspace

KEYS = (
    "id primitive kind title body status created updated last_accessed confidence worth origin"
    " edited protected suspect tags sources anchors supersedes merged_from related compared"
    " feedback path effective_confidence author shared stale stale_since model_says branch disputed"
    " called_stale pending"
)


SOURCES = (
    Source(agent="claude", session="5b0c", records=((41, 44),), branch="main", patch="77ab"),
)
FEEDBACK = (Feedback(author="Bob", by=Voice.PERSON, verdict="helpful", day="2026-03-01", count=2),)


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


@pytest.fixture
def put(ws: Workspace) -> Callable[..., Snapshot]:
    """Return what puts memories into the store, and returns its snapshot."""

    def commit(*memories: Memory) -> Snapshot:
        files = {
            naming.path_of(each, archived=each.status is Status.ARCHIVED): frontmatter.render(each)
            for each in memories
        }
        ws.store.commit(lambda _: Change(files=files, subject="put"))
        return ws.store.snapshot()

    return commit


def named(n: int, **changes: object) -> Memory:
    return decision(n).having(**changes)


def test_active_memories_are_listed_newest_first_and_the_rest_on_demand(
    put: Callable[..., Snapshot],
) -> None:
    snapshot = put(
        named(1), named(3), named(2, status=Status.ARCHIVED),
        named(4, status=Status.SUSPECT, suspect="odd"),
        named(5, status=Status.SUPERSEDED),
    )  # fmt: skip

    assert [item.memory.title for item in listing.list_memories(snapshot)] == [
        "Use thing 3",
        "Use thing 1",
    ]
    assert [item.memory.title[-1] for item in listing.list_memories(snapshot, everything=True)] == [
        "5",
        "4",
        "3",
        "2",
        "1",
    ]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, "1234"),
        ({"primitives": [Primitive.DECISION]}, "13"),
        ({"primitives": [Primitive.LEARNING]}, "24"),
        ({"kind": Kind.PITFALL}, "4"),
        ({"tag": "db"}, "34"),
        ({"tag": "DB"}, ""),
        ({"agent": "codex"}, "1"),
        ({"tag": "db", "primitives": [Primitive.DECISION]}, "3"),
    ],
)
def test_filters_join(
    put: Callable[..., Snapshot], wanted: dict[str, object], expected: str
) -> None:
    learning = {"primitive": Primitive.LEARNING, "kind": Kind.FACT}
    snapshot = put(
        named(1, sources=(Source(agent="codex", session="x"), Source(agent="claude", session="y"))),
        named(2, **learning),
        named(3, tags=("db",)), named(4, **(learning | {"kind": Kind.PITFALL}), tags=("db", "x")),
    )  # fmt: skip
    options = {"primitives": (), "kind": None, "tag": None, "agent": None} | wanted

    found = listing.filter_memories(listing.list_memories(snapshot), **options)  # type: ignore[arg-type]

    assert "".join(sorted(item.memory.title[-1] for item in found)) == expected


def test_whatever_has_an_id_is_found_by_it(put: Callable[..., Snapshot]) -> None:
    snapshot = put(
        named(1),
        memory(id="summaryaaaaaa", primitive=Primitive.SUMMARY),
        memory(id="handoffaaaaaa", primitive=Primitive.HANDOFF),
    )

    assert listing.find_memory(snapshot, decision(1).id[:4]).memory.title == "Use thing 1"
    assert listing.find_memory(snapshot, "summ").memory.primitive is Primitive.SUMMARY
    assert listing.find_memory(snapshot, "HAND").memory.primitive is Primitive.HANDOFF
    with pytest.raises(UnknownMemory):
        listing.find_memory(snapshot, "zzzz")


def test_json_has_the_fields_of_the_contract(
    ws: Workspace, repo: Repo, put: Callable[..., Snapshot]
) -> None:
    blob, head = repo.git("rev-parse", "HEAD:hello.py"), repo.git("rev-parse", "HEAD")
    anchors = (
        Anchor(path="hello.py", lines=(1, 1), blob=blob, commit=head),
        Anchor(path="none.py", blob="1" * 40), Anchor(path="odd.py"),
    )  # fmt: skip
    snapshot = put(memory(anchors=anchors, sources=SOURCES, edited=edited(), feedback=FEEDBACK))

    (told,) = listing.as_json(ws, listing.list_memories(snapshot))

    assert " ".join(told) == KEYS
    assert told["sources"] == [
        {
            "agent": "claude", "session": "5b0c", "part": None, "records": [[41, 44]], "at": None,
            "commit": None,
            "branch": "main", "patch": "77ab",
        }
    ]  # fmt: skip
    assert (told["origin"], told["edited"]) == (
        "rules",
        {"by": "Ada <ada@example.org>", "at": "2026-02-21T09:30:45Z"},
    )
    assert told["feedback"] == [
        {"author": "Bob", "by": "person", "verdict": "helpful", "day": "2026-03-01", "count": 2}
    ]
    assert (told["author"], told["stale"], told["branch"]) == (
        "Ada Tester <ada@example.org>",
        False,
        "main",
    )
    assert [(a["path"], a["lines"], a["state"]) for a in told["anchors"]] == [
        ("hello.py", [1, 1], "fresh"), ("none.py", None, "gone"), ("odd.py", None, "unknown"),
    ]  # fmt: skip
    assert (told["created"], told["path"]) == ("2026-02-20T09:30:45Z", naming.path_of(memory()))


def test_confidence_does_not_fade_before_the_store_held_it(
    ws: Workspace, put: Callable[..., Snapshot]
) -> None:
    old = datetime.now(UTC).replace(microsecond=0) - timedelta(days=5000)
    snapshot = put(memory(at=old, confidence=0.8))

    (told,) = listing.as_json(ws, listing.list_memories(snapshot))

    assert told["effective_confidence"] == pytest.approx(0.8, abs=0.001)


def test_a_plain_listing_is_kept_where_there_is_one(
    ws: Workspace, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = repo.path / ".git" / "lerim" / "listing"
    listing.cache_plain_list(ws, Snapshot(commit=None), [], {})
    assert not kept.exists()
    store_at(repo.path).commit(adding(1))
    snapshot = ws.store.snapshot()

    listing.cache_plain_list(ws, snapshot, [], {})
    assert not kept.exists()
    listing.cache_plain_list(
        open_workspace(personal=True), snapshot, listing.list_memories(snapshot), {}
    )
    assert not kept.exists()
    items = listing.list_memories(snapshot)
    listing.cache_plain_list(ws, snapshot, items, {})  # variables may change what it shows
    assert not kept.exists()
    for name in fast_repo.redirecting_variables():
        monkeypatch.delenv(name)
    listing.cache_plain_list(ws, snapshot, items, {})
    assert kept.read_text().endswith(f"\n\n{decision(1).id}\t2026-02-02\tdecision  \tUse thing 1")


def test_the_author_is_who_added_the_file_whoever_changed_or_archived_it_since(
    ws: Workspace, repo: Repo
) -> None:
    store_at(repo.path).commit(adding(1))
    repo.git("config", "user.name", "Bob")
    edit_memory.edit(ws, decision(1).id, lambda m: m.having(title="Said otherwise"))
    edit_memory.forget(ws, [decision(1).id])
    (item,) = store_at(repo.path).snapshot().memories.values()

    assert item.path.startswith("archived/")
    assert (
        listing.author_of(ws, item)
        == listing.as_json(ws, [item])[0]["author"]
        == "Ada Tester <ada@example.org>"
    )


def test_a_status_loads_no_rules_of_extraction(repo: Repo, put: Callable[..., Snapshot]) -> None:
    put(named(1))
    program = (
        "import sys; from git_lerim.cli import main; main(['status']); print(*sys.modules,"
        " file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=repo.path, check=True, capture_output=True, text=True
    )
    assert "git_lerim.actions.status" in done.stderr.split()
    assert "git_lerim.extraction.wishes.says" not in done.stderr.split()


def test_a_listing_loads_no_reader_of_sessions(repo: Repo, put: Callable[..., Snapshot]) -> None:
    put(named(1))
    program = (
        "import sys; from git_lerim.cli import main; main(['list', '--all']); print(*sys.modules,"
        " file=sys.stderr)"
    )
    lists = [sys.executable, "-c", program]
    subprocess.run(lists, cwd=repo.path, check=True, capture_output=True)  # fills the caches

    done = subprocess.run(lists, cwd=repo.path, check=True, capture_output=True, text=True)

    assert "git_lerim.actions.code.visibility" in done.stderr.split()
    assert {"msgspec", "random", "git_lerim.sessions.scope"} & set(done.stderr.split()) == set()
