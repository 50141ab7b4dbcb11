from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.anchoring import anchors_in
from git_lerim.upkeep.freshness.freshness import Claim, Freshness, Verdict


def verdict(repo: Repo, path: str, versions: tuple[str, str], said: tuple[str, str]) -> Verdict:
    """Judge a memory, a title and a body, after one version of a file became another."""
    then = repo.commit({path: versions[0]}, "Add")
    blob = repo.git("rev-parse", f"HEAD:{path}")
    anchors = anchors_in(versions[0].encode(), Anchor(path=path, blob=blob, commit=then), *said)
    repo.commit({path: versions[1]}, "Change")
    place = discover(Path(repo.path), {})
    freshness = Freshness(place, open_objects(place), repo.git("rev-parse", "HEAD"))
    claim = Claim(id="x", title=said[0], body=said[1], anchors=tuple(anchors))
    return freshness.verdicts([claim])["x"]


POOL = """\
def borrow(pool):
    socket = pool.idleSockets.pop()
    return socket
"""


@pytest.mark.parametrize(
    ("title", "lost"),
    [
        ("The pool should not use idleSockets", []),
        ("Remove idleSockets from the pool", []),
        ("Use openSockets instead of idleSockets", []),
        ("The pool takes the next one of idleSockets", ["idleSockets"]),
    ],
)
def test_code_that_does_what_a_memory_asks_does_not_make_it_stale(
    repo: Repo, title: str, lost: list[str]
) -> None:
    after = POOL.replace("pool.idleSockets.pop()", "connect(pool.address)")

    found = verdict(repo, "pool.py", (POOL, after), (title, ""))

    assert [one.text for one in found.states[0].lost] == lost


@pytest.mark.parametrize("is_merged", [False, True])
def test_code_of_another_branch_is_lost_only_if_it_was_merged_before(
    repo: Repo, *, is_merged: bool
) -> None:
    repo.commit({"pool.py": "size = 1\n"}, "Begin")
    repo.git("checkout", "-q", "-b", "idle")
    then = repo.commit({"pool.py": POOL}, "Borrow")
    blob = repo.git("rev-parse", "HEAD:pool.py")
    repo.git("checkout", "-q", "-")
    if is_merged:
        repo.commit({"pool.py": POOL}, "Borrow, squashed")
    repo.commit({"pool.py": "size = 2\n"}, "Grow")
    title = "The pool takes the next one of idleSockets"
    file = Anchor(path="pool.py", blob=blob, commit=then)
    anchors = tuple(anchors_in(POOL.encode(), file, title, ""))
    place = discover(Path(repo.path), {})
    freshness = Freshness(place, open_objects(place), repo.git("rev-parse", "HEAD"))

    found = freshness.verdicts([Claim(id="x", title=title, body="", anchors=anchors)])["x"]

    assert (found.cause is not None) == is_merged


STORE = """\
db = sqlite3.connect("parcels.db", timeout=30)


def init():
    db.execute("CREATE TABLE events (parcel TEXT, at INTEGER)")
"""
POSTGRES = """\
pool = ConnectionPool("postgresql://localhost/parcels")


def history(parcel):
    with pool.connection() as db:
        return db.execute("SELECT parcel, at FROM events WHERE at < %s", (parcel,))
"""


@pytest.mark.parametrize(
    ("title", "lost"),
    [
        ("The tests used the same `parcels.db` as the load script", "parcels.db"),
        ("Store `events.at` as an INTEGER of UTC epoch milliseconds", "INTEGER"),
    ],
)
def test_a_file_name_and_a_type_in_sql_that_left_the_file_make_a_memory_stale(
    repo: Repo, title: str, lost: str
) -> None:
    found = verdict(repo, "store.py", (STORE, POSTGRES), (title, ""))

    assert [one.text for one in found.states[0].lost] == [lost]


def test_a_loss_is_blamed_on_no_commit_before_the_memory(repo: Repo) -> None:
    anchors = []
    for day, (path, text) in enumerate(
        [("pool.py", POOL), ("limit.py", "LIMIT = 60\n"), ("limit.py", "LIMIT = 300\n")], 1
    ):
        then = repo.commit({path: text}, "Set", f"2026-01-0{day}T09:00:00Z")
        blob = repo.git("rev-parse", f"HEAD:{path}")
        anchors.append(Anchor(path=path, blob=blob, commit=then, lines=(1, 1)))
    repo.git("rm", "-q", "pool.py", "limit.py")
    repo.git("commit", "-q", "-m", "Remove the limit")
    place = discover(Path(repo.path), {})
    freshness = Freshness(place, open_objects(place), repo.git("rev-parse", "HEAD"))
    old = Claim(id="old", title="Call `borrow`", body="", anchors=(anchors[0],))
    new = Claim(id="new", title="`LIMIT` is 300", body="", anchors=(anchors[2],))

    found = freshness.verdicts([old, new])

    assert [one.cause and one.cause.since for one in found.values()] == [
        repo.git("rev-parse", "HEAD")
    ] * 2
