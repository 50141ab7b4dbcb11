"""Memories are about the code as their session left it, and go stale when that changes."""

from pathlib import Path
from typing import Any

import pytest
from support.chat import Endpoint, completion, memory, reply
from support.claude import Recording
from support.repos import Repo
from support.world import World

REST = "".join(f"\n\ndef order_{n}(database):\n    return database.one({n})\n" for n in range(9))
STORE = 'def connect():\n    return sqlite3.connect("orders.db")\n' + REST
EDITED = STORE.replace('"orders.db"', '"orders.db", timeout=30')
WISH = "Always keep `timeout=30` in {}, because the backup job locks the database."
LATER = "2026-02-20T10:00:00Z"


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """Return a repository with the code as it was before the session."""
    repo.commit({"src/store.py": STORE}, when="2026-02-01T11:00:00Z")
    return repo


def tell(
    world: World, folder: Path, *said: str, file: str = "src/store.py", branch: str = "main"
) -> None:
    """Let an agent edit a file on a person's order."""
    more: dict[str, Any] = {"gitBranch": branch}
    talk = Recording(world.home, str(folder))
    for words in said:
        talk.prompt(words, **more)
        given = {"file_path": str(folder / file), "old_string": "a", "new_string": "b"}
        tool = {"type": "tool_use", "id": f"t{talk.lines}", "name": "Edit", "input": given}
        talk.add("assistant", [tool], **more)
        result = {"type": "tool_result", "tool_use_id": tool["id"], "content": "updated"}
        talk.add("user", [result], toolUseResult={"filePath": given["file_path"]}, **more)
        talk.reply("Done.", **more)


def sync(world: World, repo: Repo) -> None:
    ran = world.lerim(repo.path, "sync", "--window", "all")
    assert ran.code == 0, ran.err


def about(world: World, repo: Repo) -> list[list[tuple[str, list[int] | None, str]]]:
    rows = world.lerim(repo.path, "list", "--all", "--json").json
    return [[(a["path"], a["lines"], a["state"]) for a in row["anchors"]] for row in rows]


def stale(world: World, repo: Repo) -> list[list[str]]:
    return [row["cause"]["lost"] for row in world.lerim(repo.path, "stale", "--json").json]


def change_by_hand(repo: Repo, path: str = "src/store.py") -> str:
    text = (repo.path / path).read_text().replace("timeout=30", "timeout=5")
    return repo.commit({path: text}, "Wait less", when="2026-02-21T10:00:00Z")


def test_a_change_that_the_session_made_is_what_its_memory_is_about(
    shop: Repo, world: World
) -> None:
    tell(world, shop.path, WISH.format("src/store.py"))
    shop.commit({"src/store.py": EDITED}, when=LATER)
    sync(world, shop)

    assert about(world, shop) == [[("src/store.py", [2, 2], "fresh")]]
    did = change_by_hand(shop)
    (row,) = world.lerim(shop.path, "stale", "--json").json
    assert ("timeout=30" in row["cause"]["lost"], row["cause"]["commit"]) == (True, did)


def test_what_was_changed_again_before_the_sync_is_stale_at_once(shop: Repo, world: World) -> None:
    tell(world, shop.path, WISH.format("src/store.py"))
    shop.commit({"src/store.py": EDITED}, when=LATER)
    change_by_hand(shop)
    sync(world, shop)

    assert len(stale(world, shop)) == 1


@pytest.mark.parametrize(
    "wish",
    [
        "Switch the cache from Redis to Memcached, because ops wants to get rid of Redis.",
        "Replace Redis with Memcached in src/cache.py, because Redis is too expensive.",
        "Stop using Redis in src/cache.py, because Redis is too expensive.",
    ],
)
def test_a_change_that_replaces_something_is_stale_when_that_is_back(
    repo: Repo, world: World, wish: str
) -> None:
    old = "import redis\n\nclient = redis.Redis(host)\n" + REST
    new = old.replace("import redis", "import pymemcache").replace("redis.Redis", "pymemcache.Clt")
    repo.commit({"src/cache.py": old}, when="2026-02-01T11:00:00Z")
    tell(world, repo.path, wish, file="src/cache.py")
    repo.commit({"src/cache.py": new}, "Use Memcached", when=LATER)
    sync(world, repo)

    assert about(world, repo) == [[("src/cache.py", None, "fresh")]]
    repo.commit({"src/cache.py": new.replace("host", "place") + "# no Redis here\n"}, "Rename it")
    assert stale(world, repo) == []
    did = repo.commit({"src/cache.py": old}, "Take it back")
    (row,) = world.lerim(repo.path, "stale", "--json").json
    assert (row["cause"]["back"], row["cause"]["lost"]) == (["Redis"], [])
    assert row["cause"]["commit"] == did
    assert "src/cache.py: contains Redis again\n" in world.lerim(repo.path, "stale").out
    assert "stale since" in world.lerim(repo.path, "list").out
    repo.commit({"src/cache.py": new}, "Do it again")
    assert stale(world, repo) == []


@pytest.mark.parametrize("verb", ["maintain", "sync --window all --force"])
@pytest.mark.parametrize("file", ["src/store.py", "src/new.py"])
def test_what_is_committed_after_the_sync_is_found_later(
    shop: Repo, world: World, verb: str, file: str
) -> None:
    tell(world, shop.path, WISH.format(file), file=file)
    sync(world, shop)
    assert "nothing to do" in world.lerim(shop.path, "maintain").err
    shop.commit({file: EDITED}, when=LATER)

    assert world.lerim(shop.path, *verb.split()).code == 0
    assert about(world, shop) == [[(file, [2, 2], "fresh")]]
    assert "nothing to do" in world.lerim(shop.path, "maintain").err
    change_by_hand(shop, file)
    assert len(stale(world, shop)) == 1


@pytest.mark.parametrize(
    "by_others",
    [
        STORE.replace('"orders.db"', '"orders.db", timeout=5'),
        STORE.replace("connect()", "connect(name)"),
    ],
)
def test_an_edit_that_was_never_committed_is_not_taken_for_somebody_elses(
    shop: Repo, world: World, by_others: str
) -> None:
    tell(world, shop.path, WISH.format("src/store.py"))
    sync(world, shop)
    shop.commit({"src/store.py": by_others}, when=LATER)

    assert "nothing to do" in world.lerim(shop.path, "maintain").err
    assert about(world, shop) == [[("src/store.py", None, "changed")]]
    assert world.lerim(shop.path, "sync", "--window", "all", "--force").code == 0
    assert about(world, shop) == [[("src/store.py", None, "changed")]]


def test_a_change_by_others_before_the_commit_does_not_hide_it(shop: Repo, world: World) -> None:
    tell(world, shop.path, WISH.format("src/store.py"))
    shop.commit({"src/store.py": "import sqlite3\n\n" + STORE}, when="2026-02-20T09:30:00Z")
    shop.commit({"src/store.py": "import sqlite3\n\n" + EDITED}, when=LATER)
    sync(world, shop)

    assert about(world, shop) == [[("src/store.py", [4, 4], "fresh")]]


def test_several_memories_of_a_session_are_each_about_their_change(
    shop: Repo, world: World
) -> None:
    never = "Never call `fetchall` in src/store.py, use `fetchmany` instead, because it is big."
    tell(world, shop.path, WISH.format("src/store.py"), never)
    shop.commit({"src/store.py": EDITED}, when="2026-02-20T09:00:04Z")
    text = EDITED + "\n\ndef rows(cursor):\n    return cursor.fetchmany(50)\n"
    shop.commit({"src/store.py": text}, when=LATER)
    sync(world, shop)

    found = sorted(lines for ((_, lines, _),) in about(world, shop) if lines)
    assert found == [[2, 2], [42, 42]]


@pytest.mark.parametrize("when", ["at once", "later"])
def test_a_renamed_file_is_followed(shop: Repo, world: World, when: str) -> None:
    tell(world, shop.path, WISH.format("src/store.py"))
    if when == "later":
        shop.commit({"src/store.py": EDITED}, when=LATER)
    shop.git("mv", "src/store.py", "src/db.py")
    shop.commit({"src/db.py": EDITED}, when="2026-02-20T11:00:00Z")
    sync(world, shop)

    path, state = ("src/db.py", "fresh") if when == "at once" else ("src/store.py", "moved")
    assert about(world, shop) == [[(path, [2, 2], state)]]
    change_by_hand(shop, "src/db.py")
    assert len(stale(world, shop)) == 1


def test_a_linked_work_tree_has_its_own_branch(shop: Repo, world: World, tmp_path: Path) -> None:
    shop.git("worktree", "add", "-q", "-b", "eu", str(tmp_path / "eu"))
    tree = Repo(tmp_path / "eu")
    tell(world, tree.path, WISH.format("src/store.py"), branch="eu")
    shop.commit({"src/store.py": "# ours\n" + STORE}, when="2026-02-20T09:30:00Z")
    tree.commit({"src/store.py": EDITED}, when=LATER)
    sync(world, shop)

    assert about(world, tree) == [[("src/store.py", [2, 2], "fresh")]]
    assert stale(world, shop) == []  # main never had it
    shop.git("merge", "-q", "--no-edit", "eu")
    assert about(world, shop) == [[("src/store.py", [2, 2], "moved")]]
    change_by_hand(shop)
    assert len(stale(world, shop)) == 1


def test_a_branch_that_a_colleague_pushes_under_the_same_name_is_not_the_session_s(
    shop: Repo, world: World
) -> None:
    base = shop.git("rev-parse", "HEAD")
    tell(world, shop.path, WISH.format("src/store.py"), branch="feat")
    shop.commit({"src/store.py": "def other():\n    return f(timeout=30)\n" + STORE}, when=LATER)
    shop.git("update-ref", "refs/remotes/origin/feat", "HEAD")
    shop.git("reset", "-q", "--hard", base)
    shop.commit({"src/store.py": EDITED}, when=LATER)  # feat was merged and deleted
    sync(world, shop)

    assert about(world, shop) == [[("src/store.py", [2, 2], "fresh")]]


@pytest.mark.parametrize("is_committed_first", [True, False])
def test_the_change_that_leads_out_of_a_trap_does_not_make_the_trap_stale(
    shop: Repo, world: World, endpoint: Endpoint, *, is_committed_first: bool
) -> None:
    wrong = 'sqlite3.connect("orders.db")'
    said = f"The lock came from `{wrong}`, which waits 5 seconds only."
    tell(world, shop.path, said)
    endpoint.answer = lambda request: completion(
        reply(
            memory(request, "which waits 5 seconds only", "SQLite waits 5 seconds for a lock")
            | {
                "type": "pitfall",
                "basis": "shown",
                "body": f"With `{wrong}` in `connect` the backup job failed.",
                "files": ["src/store.py"],
            }
        )
    )
    if is_committed_first:
        shop.commit({"src/store.py": EDITED}, when=LATER)
        sync(world, shop)
    else:
        sync(world, shop)
        shop.commit({"src/store.py": EDITED}, when=LATER)
        assert world.lerim(shop.path, "maintain").code == 0

    assert len(about(world, shop)) == 1
    assert stale(world, shop) == []
    assert "nothing to do" in world.lerim(shop.path, "maintain").err
