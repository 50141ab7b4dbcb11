import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Memory, Primitive, Source, Status
from git_lerim.recall.index import index as index_module
from git_lerim.recall.index.index import Index, current
from git_lerim.recall.index.index_reader import AREAS, COLUMNS
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.search import search
from git_lerim.storage.base import Change
from git_lerim.storage.branch.branch_store import BranchStore

WORDS = ("sqlite", "catalog", "lock", "queue", "branch", "retry")


def numbered(n: int, body: str = "") -> Memory:
    """Return the n-th memory, of one of four sorts."""
    primitive = list(Primitive)[n % 4]
    session = str(n % 3 if n < 20 else n)  # what another clone adds stands in a file of its own
    return memory(
        id=naming.memory_id("claude", str(n), primitive, 0),
        primitive=primitive,
        title=f"Use {WORDS[n % 6]} for {WORDS[n % 5]}",
        body=body or f"Because {WORDS[n % 4]} is there.",
        tags=(WORDS[n % 6],),
        sources=(Source(agent="claude", session=session, records=((n, n),)),),
        anchors=(Anchor(path=f"src/{WORDS[n % 6]}.py", blob="ab" * 20),),
    )


def put(store: BranchStore, files: dict[str, Memory | bytes | None]) -> None:
    made = {
        path: frontmatter.render(one) if isinstance(one, Memory) else one
        for path, one in files.items()
    }
    store.commit(lambda _: Change(files=made, subject="change"))


def contents(index: Index) -> dict[str, object]:
    """Return all that an index holds, whatever its keys are."""
    rows = [dict(zip(("area", *COLUMNS.split(", ")), row,
                strict=True)) for row in index.connection.execute(
        f"SELECT area, {COLUMNS} FROM document"  # noqa: S608
    )]  # fmt: skip
    paths = {row.pop("key"): row["path"] for row in rows}
    texts = {}
    for area in AREAS:
        for key, *columns in index.connection.execute(
            f"SELECT rowid, title, aside, body, marks FROM text{area}"  # noqa: S608
        ):
            texts[paths[key]] = area, *columns
            assert key in index.having([area], columns[0].split()[0])
    sizes = {
        name: value
        for name, value in index.meta.items()
        if name.startswith(("documents", "words")) and value != "0"
    }
    return {
        "documents": sorted(map(str, rows)),
        "texts": texts,
        "sizes": sizes,
        "tree": index.tree,
        "commit": index.commit,
    }


def titles(index: Index, query: str, **filters: object) -> list[str]:
    return [hit.title for hit in search(index, query, filters=Filters(**filters))]  # type: ignore[arg-type]


@pytest.fixture
def store(repo: Repo) -> BranchStore:
    made = store_at(repo.path)
    put(made, {naming.path_of(numbered(n)): numbered(n) for n in range(4)})
    return made


@pytest.fixture
def own(repo: Repo) -> Path:
    return repo.path / ".git" / "lerim"


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "edit", "archive", "twin", "bad", "reset", "merge", "remove"]),
        st.integers(0, 15),
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_an_index_kept_up_to_date_is_the_one_made_anew(
    repo: Repo, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    for ref in ("refs/heads/lerim/memory", "refs/lerim/backup/memory"):
        repo.git("update-ref", "-d", ref)
    store, own = store_at(repo.path), tmp_path_factory.mktemp("own")
    put(store, {naming.path_of(numbered(99)): numbered(99)})
    first = repo.git("rev-parse", "refs/heads/lerim/memory")
    for step, n in steps:
        act(repo, store, first, step, n)
        kept = current(own, store)
        anew = current(tmp_path_factory.mktemp("anew"), store)
        assert contents(kept) == contents(anew)
        kept.close()
        anew.close()


def act(repo: Repo, store: BranchStore, first: str, step: str, n: int) -> None:
    one = numbered(n)
    path, archived = naming.path_of(one), naming.path_of(one, archived=True)
    branch = "refs/heads/lerim/memory"
    if step == "add":
        put(store, {path: one, naming.path_of(numbered(n + 1)): numbered(n + 1)})
    elif step == "edit":
        put(
            store,
            {
                path: replace(
                    one,
                    body=f"Edited {WORDS[(n + 1) % 6]}.",
                    updated=one.updated.replace(year=2027),
                )
            },
        )
    elif step == "archive":
        put(store, {path: None, archived: replace(one, status=Status.ARCHIVED)})
    elif (
        step == "twin"
    ):  # two files of one id: an archived one wins, and the other one stays in the tree
        put(store, {path: one, archived: replace(one, body="The archived twin.")})
    elif step == "bad":
        put(store, {path: b"no memory at all\n"})
    elif step == "remove":
        put(store, {path: None, archived: None})
    elif step == "reset":
        repo.git("update-ref", branch, first)
    # what another clone did: a commit with the first one's tree and one more, merged by git itself
    else:
        tip = repo.git("rev-parse", branch)
        repo.git("update-ref", branch, first)
        put(store, {naming.path_of(numbered(n + 20)): numbered(n + 20)})
        theirs = repo.git("rev-parse", branch)
        tree = repo.git("merge-tree", "--write-tree", tip, theirs).split("\n")[0]
        repo.git(
            "update-ref",
            branch,
            repo.git("commit-tree", "-p", tip, "-p", theirs, "-m", "merge", tree),
        )


def test_the_index_follows_the_branch_whoever_moves_it(
    repo: Repo, store: BranchStore, own: Path
) -> None:
    before = repo.git("rev-parse", "lerim/memory")
    put(store, {naming.path_of(numbered(8)): numbered(8, "A walrus.")})
    assert titles(current(own, store), "walrus")
    repo.git("update-ref", "refs/heads/lerim/memory", before)
    assert not titles(current(own, store), "walrus")


def test_only_memories_are_found_and_the_rest_when_asked_for(store: BranchStore, own: Path) -> None:
    path = naming.path_of(numbered(4))
    put(store, {path: replace(numbered(4), status=Status.SUSPECT, suspect="why", body="A walrus.")})
    put(store, {naming.path_of(numbered(5)): b"---\nid: walrus\n---\nwalrus\n"})
    index = current(own, store)
    assert titles(index, "walrus") == []
    assert titles(index, "walrus", everything=True) == [numbered(4).title]
    assert {hit.primitive for hit in search(index, "use")} <= {"decision", "learning"}
    assert [
        hit.primitive for hit in search(index, "use", filters=Filters(primitive="summary"))
    ] == ["summary"]
    assert [hit.primitive for hit in search(index, "use kind:handoff")] == ["handoff"]


def test_the_past_is_read_without_disturbing_the_present(store: BranchStore, own: Path) -> None:
    put(store, {naming.path_of(numbered(8)): numbered(8, "A walrus.")})
    present = current(own, store)
    kept = (own / "index.sqlite3").read_bytes()
    assert not titles(current(own, store, at="lerim/memory~1"), "walrus")
    assert titles(present, "walrus")
    assert (own / "index.sqlite3").read_bytes() == kept
    assert contents(current(own, store, at="lerim/memory")) == contents(present)
    assert titles(current(own, store, at="1999-01-01"), "sqlite") == []


def test_without_a_branch_nothing_is_found_and_nothing_is_made(repo: Repo, own: Path) -> None:
    assert titles(current(own, store_at(repo.path)), "sqlite") == []
    assert not (own / "index.sqlite3").exists()


def zeroed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


def other_format(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE meta SET value = 'other' WHERE name = 'format'")
        connection.commit()


def other_tables(path: Path) -> None:
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE meta (x)")
        connection.execute("PRAGMA user_version = 1")


def newer_tables(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


DAMAGES: list[Callable[[Path], object]] = [
    Path.unlink,
    zeroed,
    other_format,
    other_tables,
    newer_tables,
    lambda path: path.write_bytes(
        path.read_bytes().replace(b"CREATE TABLE", b"\xff\xfeEATE TABLE")
    ),
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(b"SQLite format 3\0" + b"x" * 5000),
    lambda path: path.write_bytes(path.read_bytes()[:6000]),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_made_anew_without_a_word(
    store: BranchStore, own: Path, damage: Callable[[Path], object]
) -> None:
    index = current(own, store)
    wanted, found = contents(index), titles(index, "sqlite")
    index.close()
    damage(own / "index.sqlite3")
    healed = current(own, store)
    assert titles(healed, "sqlite") == found
    assert contents(healed) == wanted


def test_damage_that_shows_only_in_a_search_is_mended_too(store: BranchStore, own: Path) -> None:
    put(store, {naming.path_of(numbered(n)): numbered(n) for n in range(10, 200)})
    found = titles(current(own, store), "sqlite")
    path = own / "index.sqlite3"
    data = path.read_bytes()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        ((root,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'text0_data'"
        ).fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    path.write_bytes(data[: (root - 1) * size] + bytes(size) + data[root * size :])
    assert titles(current(own, store), "sqlite") == found


def test_what_the_index_was_made_of_may_be_pruned(
    repo: Repo, store: BranchStore, own: Path
) -> None:
    before = repo.git("rev-parse", "lerim/memory")
    put(store, {naming.path_of(numbered(8)): numbered(8, "A walrus.")})
    current(own, store).close()
    repo.git("update-ref", "refs/heads/lerim/memory", before)
    repo.git("update-ref", "-d", "refs/lerim/backup/memory")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert titles(current(own, store_at(repo.path)), "walrus") == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_where_nothing_can_be_written_the_answer_is_made_in_memory(
    store: BranchStore, own: Path
) -> None:
    own.mkdir(exist_ok=True)
    own.chmod(0o500)
    try:
        assert titles(current(own, store), "sqlite")
    finally:
        own.chmod(0o700)
    assert not (own / "index.sqlite3").exists()


def test_where_the_index_cannot_be_put_the_answer_is_made_in_memory(
    store: BranchStore, own: Path
) -> None:
    (own / "index.sqlite3").mkdir(parents=True)
    assert titles(current(own, store), "sqlite")


def test_an_index_that_another_process_writes_keeps_nobody_waiting_long(
    store: BranchStore, own: Path
) -> None:
    current(own, store).close()
    put(store, {naming.path_of(numbered(8)): numbered(8, "A walrus.")})
    with contextlib.closing(sqlite3.connect(own / "index.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert titles(current(own, store), "walrus")
    assert titles(current(own, store), "walrus")


READ = """
import sys
from pathlib import Path
from support.stores import store_at
from git_lerim.recall.index.index import current
from git_lerim.recall.search.search import search
for _ in range(12):
    index = current(Path(sys.argv[1]) / ".git" / "lerim", store_at(Path(sys.argv[1])))
    assert search(index, "sqlite"), "nothing found"
    index.close()
"""


def test_many_processes_read_while_the_branch_moves(
    repo: Repo, store: BranchStore, own: Path
) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READ, str(repo.path)], env=environment, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for n in range(10, 22):
        put(store, {naming.path_of(numbered(n)): numbered(n)})
    for reader in readers:
        assert (reader.communicate(timeout=120)[1], reader.returncode) == (b"", 0)
    anew = current(own / "elsewhere", store)
    assert contents(current(own, store)) == contents(anew)


def test_many_changes_at_once_are_made_beside_the_index_and_leave_nothing_else(
    store: BranchStore, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    current(own, store).close()
    monkeypatch.setattr(index_module, "BULK", 3)
    (own / "index.sqlite3.1-abc").write_bytes(b"left by a killed process")
    os.utime(own / "index.sqlite3.1-abc", (0, 0))
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    (own / f"index.sqlite3.{killed.pid}-abc-journal").write_bytes(b"left just now")
    put(store, {naming.path_of(numbered(n)): numbered(n) for n in range(20, 40)})
    index = current(own, store)
    assert contents(index) == contents(current(own / "elsewhere", store))
    assert {path.name for path in own.glob("index*")} <= {"index.sqlite3", "index.sqlite3-journal"}


def test_what_a_glance_has_to_see_is_kept_for_the_next_search(
    store: BranchStore, own: Path
) -> None:
    current(own, store).keep_meta({"glance": "seen"})
    assert current(own, store).meta["glance"] == "seen"


def test_own_memories_stay_own_where_the_record_of_what_is_own_is_locked(
    store: BranchStore, repo: Repo, own: Path
) -> None:
    current(own, store).close()
    lock = repo.path / ".git" / "refs" / "lerim" / "accepted.lock"
    lock.touch()
    put(store, {naming.path_of(numbered(8)): numbered(8)})
    with contextlib.closing(current(own, store_at(repo.path))) as index:
        assert list(index.connection.execute("SELECT path FROM document WHERE author != ''")) == []
    lock.unlink()
    assert contents(current(own, store_at(repo.path))) == contents(
        current(own / "elsewhere", store_at(repo.path))
    )
