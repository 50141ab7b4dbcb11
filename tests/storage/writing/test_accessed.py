import contextlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support import crowd, rush
from support.repos import Repo
from support.stores import adding, decision, store_at
from support.world import World

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.local import access_log
from git_lerim.sessions.catalog import Catalog
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.writing.accessed import with_accesses

PATHS = [naming.path_of(decision(n)) for n in range(3)]


def snapshot(*memories: Memory) -> Snapshot:
    return Snapshot(
        commit="c",
        memories={m.id: Stored(memory=m, path=naming.path_of(m), blob="b") for m in memories},
    )


def days_in(change: Change) -> dict[str, str | None]:
    return {
        path: frontmatter.parse(data).last_accessed for path, data in change.files.items() if data
    }


@pytest.mark.parametrize(
    ("recorded", "written"),
    [
        (None, True),
        ("2026-02-01", True),
        ("2026-02-14", True),
        ("2026-02-15", False),
        ("2026-09-09", False),
    ],
)
def test_a_day_is_written_down_where_the_recorded_one_is_missing_or_a_month_old(
    recorded: str | None,
    written: bool,  # noqa: FBT001
) -> None:
    memory = replace(decision(0), last_accessed=recorded)
    other = Change(files={PATHS[1]: frontmatter.render(decision(1))}, subject="s", body="+ x")

    made = with_accesses(snapshot(memory), other, {memory.id: "2026-03-17"})

    assert days_in(made) == {PATHS[1]: None} | ({PATHS[0]: "2026-03-17"} if written else {})
    assert made.body == (
        "+ x\n\nAlso noted that 1 memory was in use: " + memory.id if written else "+ x"
    )


def test_what_the_commit_itself_writes_gets_the_day_as_well() -> None:
    changed = replace(decision(0), title="Another title")
    change = Change(files={PATHS[0]: frontmatter.render(changed)}, subject="s")

    made = with_accesses(snapshot(decision(0)), change, {changed.id: "2026-03-17"})

    assert made.files == {
        PATHS[0]: frontmatter.render(replace(changed, last_accessed="2026-03-17"))
    }


def test_what_is_gone_or_archived_is_not_brought_back() -> None:
    archived = replace(decision(1), status=Status.ARCHIVED)
    change = Change(files={PATHS[0]: None, PATHS[2]: frontmatter.render(decision(2))}, subject="s")
    days = {decision(0).id: "2026-03-17", archived.id: "2026-03-17", "zzzzzzzzzzzzz": "2026-03-17"}

    assert with_accesses(snapshot(decision(0), archived), change, days) == change


def test_a_commit_is_not_made_for_accesses_alone(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(1))
    landed: list[int] = []

    def along(there: Snapshot, change: Change) -> tuple[Change, Callable[[], object]]:
        return with_accesses(there, change, {decision(1).id: "2026-03-17"}), lambda: landed.append(
            1
        )

    store.along = along
    tip = store.tip()

    assert store.commit(lambda _: None) is None
    assert store.commit(adding(1)) is None  # it is there already
    assert (store.tip(), landed) == (tip, [])
    assert store.commit(adding(2)) is not None
    assert landed == [1]
    assert store.snapshot().memories[decision(1).id].memory.last_accessed == "2026-03-17"


def test_the_next_writing_verb_notes_and_counts_what_was_shown(
    sealed_world: Path, repo: Repo
) -> None:
    world = World(sealed_world)
    first = world.lerim(
        repo.path, "remember", "--json", "Money is kept as integer cents, because floats round."
    ).json["id"]
    assert world.lerim(repo.path, "show", first).code == 0
    assert world.lerim(repo.path, "show", first, "--json").json[0]["last_accessed"] is None
    tip = repo.git("rev-parse", "lerim/memory")

    assert world.lerim(repo.path, "sync").code == 0
    assert repo.git("rev-parse", "lerim/memory") == tip

    assert (
        world.lerim(repo.path, "remember", "Dates are kept in UTC, because zones change.").code == 0
    )
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert world.lerim(repo.path, "show", first, "--json").json[0]["last_accessed"] == today
    assert f"in use: {first}" in repo.git("log", "-1", "--format=%b", "lerim/memory")
    assert world.lerim(repo.path, "forget", first).code == 0
    assert "in use" not in repo.git("log", "-1", "--format=%b", "lerim/memory")


def test_reset_loses_what_was_not_counted(sealed_world: Path, repo: Repo) -> None:
    access_log.log_shown(repo.path / ".git/lerim", ["aaaaaaaaaaaaa"])

    assert World(sealed_world).lerim(repo.path, "reset", "--yes").code == 0

    assert not (repo.path / ".git/lerim/accesses").exists()


def test_readers_beside_writers_lose_no_count(sealed_world: Path, repo: Repo) -> None:
    world = World(sealed_world)
    first = world.lerim(
        repo.path, "remember", "--json", "Money is kept as integer cents, because floats round."
    ).json["id"]

    running = [rush.start(repo.path, "show", first) for _ in range(6)]
    running += [rush.start(repo.path, "remember", crowd.note(number)) for number in range(3)]
    assert rush.finish(running) == []

    use = world.lerim(repo.path, "stats", "--json").json["use"]
    assert (use["shown"], [row["count"] for row in use["most"]]) == (6, [6])
    rush.run(repo.path, "remember", "The last one counts the rest of them.")
    assert world.lerim(repo.path, "stats", "--json").json["use"]["shown"] == 6
    assert world.lerim(repo.path, "show", first, "--json").json[0]["last_accessed"] is not None


def test_a_sync_notes_and_counts_what_was_shown_in_its_own_commit(
    sealed_world: Path, repo: Repo
) -> None:
    world = World(sealed_world)
    world.session("claude-catalog.jsonl", repo.path)
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    id_ = world.lerim(repo.path, "list", "--json").json[0]["id"]
    assert world.lerim(repo.path, "show", id_).code == 0
    before = repo.git("rev-list", "--count", "lerim/memory")
    world.codex("codex-prices.jsonl", repo.path)

    assert world.lerim(repo.path, "sync", "--window", "all", "--dry-run").code == 0
    assert repo.git("rev-list", "--count", "lerim/memory") == before
    report = world.lerim(repo.path, "sync", "--window", "all", "--json").json

    assert len(report["commits"]) == 1
    assert f"in use: {id_}" in repo.git("log", "-1", "--format=%b", "lerim/memory")
    assert world.lerim(repo.path, "show", id_, "--json").json[0]["last_accessed"]
    assert world.lerim(repo.path, "stats", "--json").json["use"]["shown"] == 2
    assert world.lerim(repo.path, "sync", "--window", "all", "--json").json["commits"] == []
    with contextlib.closing(Catalog(repo.path / ".git/lerim")) as catalog:
        assert [tuple(row)[:2] for row in catalog.execute("SELECT * FROM accesses")] == [(id_, 1)]
