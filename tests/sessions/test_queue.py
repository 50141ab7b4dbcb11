from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, Held, Origin, State
from git_lerim.sessions.queue import Window, due
from git_lerim.sessions.session import Header, Record, Role


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(Catalog(tmp_path / "lerim")) as opened:
        yield opened


def seen(
    catalog: Catalog, session: str = "5b0c1a2f", at: int = 5000, agent: str = "claude"
) -> Entry:
    """Read one more prompt of a session."""
    record = Record(n=at, role=Role.PROMPT, text=f"words at {at}", at=at)
    with catalog.writing():
        catalog.hold(
            Origin(agent, session, "", f"/{session}"),
            Held(stored=1, prompts=1, started=at, ended=at, kept=(record,)),
        )
        catalog.settle(agent, session, Header(), (), (State.EMPTY, ""))
    return again(catalog, session, agent)


def again(catalog: Catalog, session: str = "5b0c1a2f", agent: str = "claude") -> Entry:
    entry = catalog.entry(agent, session)
    assert entry
    return entry


def names(entries: list[Entry]) -> list[str]:
    return [entry.id for entry in entries]


def test_what_was_extracted_is_not_due_until_it_grows(catalog: Catalog) -> None:
    entry = seen(catalog)
    assert names(due(catalog, Window())) == ["5b0c1a2f"]
    queue.done(catalog, entry, State.EXTRACTED, rules=1)
    assert due(catalog, Window()) == []
    assert again(catalog).extracted == entry.generation
    seen(catalog, at=6000)
    assert names(due(catalog, Window())) == ["5b0c1a2f"]


def test_older_sessions_are_counted_as_far_as_they_are_queued(catalog: Catalog) -> None:
    for at, name in enumerate("abcd"):
        entry = seen(catalog, name, at * 1000, agent="codex" if name == "c" else "claude")
        if name == "a":
            queue.done(catalog, entry, State.EXTRACTED, rules=1)

    assert queue.older(catalog, Window(since=3000, force=True)) == 2
    assert queue.older(catalog, Window(since=3000, agents=("codex",))) == 1
    assert queue.older(catalog, Window()) == 0


def test_what_had_nothing_in_it_is_due_again_by_force_only(catalog: Catalog) -> None:
    queue.done(catalog, seen(catalog), State.NOTHING, "nothing worth keeping", rules=1)
    assert due(catalog, Window()) == []
    assert names(due(catalog, Window(force=True))) == ["5b0c1a2f"]


def test_a_session_that_fails_three_times_rests(catalog: Catalog) -> None:
    seen(catalog)
    for n in range(3):
        assert names(due(catalog, Window())) == ["5b0c1a2f"]
        queue.failed(catalog, again(catalog), "it cannot be read")
        assert (again(catalog).tried, again(catalog).state, again(catalog).reason) == (
            n + 1,
            State.FAILED,
            "it cannot be read",
        )
    assert due(catalog, Window()) == []
    assert names(due(catalog, Window(session="5b0c"))) == ["5b0c1a2f"]  # asked for by name
    assert names(due(catalog, Window(force=True))) == ["5b0c1a2f"]


def test_retry_gives_a_session_its_three_tries_back(catalog: Catalog) -> None:
    seen(catalog)
    for _ in range(3):
        queue.failed(catalog, again(catalog), "no")
    queue.retry(catalog, again(catalog))
    assert (again(catalog).tried, again(catalog).state, again(catalog).reason) == (
        0,
        State.WAITING,
        "",
    )


def test_a_failed_session_that_grows_is_tried_again(catalog: Catalog) -> None:
    seen(catalog)
    for _ in range(3):
        queue.failed(catalog, again(catalog), "no")
    assert (seen(catalog, at=6000).state, again(catalog).tried) == (State.WAITING, 0)


def test_a_session_left_out_stays_so_when_it_grows_and_by_force_and_name(catalog: Catalog) -> None:
    queue.skip(catalog, seen(catalog))
    assert seen(catalog, at=6000).state is State.SKIPPED
    assert due(catalog, Window(force=True)) == due(catalog, Window(session="5b0c1a2f")) == []
    queue.retry(catalog, again(catalog))
    assert names(due(catalog, Window())) == ["5b0c1a2f"]


def test_a_session_of_elsewhere_that_was_left_out_and_asked_for_again_waits_for_nothing(
    catalog: Catalog,
) -> None:
    with catalog.writing():
        catalog.settle(
            "claude", "x", Header(), (), (State.ELSEWHERE, "it belongs to another repository")
        )
    queue.skip(catalog, again(catalog, "x"))
    queue.retry(catalog, again(catalog, "x"))
    assert due(catalog, Window(force=True)) == []


def test_a_session_that_matches_no_repository_is_not_forgotten_by_a_retry(catalog: Catalog) -> None:
    with catalog.writing():
        catalog.settle("claude", "x", Header(), (), (State.UNSCOPED, "its folder is gone"))

    queue.retry(catalog, again(catalog, "x"))

    assert (again(catalog, "x").state, again(catalog, "x").reason) == (
        State.UNSCOPED,
        "its folder is gone",
    )


def test_the_window_is_about_the_last_activity_and_holds_its_bounds(catalog: Catalog) -> None:
    seen(catalog, "old", 1000)
    seen(catalog, "grown", 1000)
    seen(catalog, "grown", 9000)
    seen(catalog, "new", 8000)
    assert names(due(catalog, Window())) == ["grown", "new", "old"]
    assert names(due(catalog, Window(since=8000))) == ["grown", "new"]
    assert names(due(catalog, Window(until=8000))) == ["new", "old"]
    assert names(due(catalog, Window(since=8001, until=8999))) == []


def test_a_session_without_any_time_is_in_a_window_without_a_beginning(catalog: Catalog) -> None:
    record = Record(n=1, role=Role.PROMPT, text="words")
    with catalog.writing():
        catalog.hold(
            Origin("claude", "x", "", "/x"),
            Held(stored=1, prompts=1, started=None, ended=None, kept=(record,)),
        )
        catalog.settle("claude", "x", Header(), (), (State.EMPTY, ""))
    assert names(due(catalog, Window())) == ["x"]
    assert due(catalog, Window(since=1)) == []


def test_agents_and_names_choose(catalog: Catalog) -> None:
    seen(catalog, "5b0c1a2f")
    seen(catalog, "5b0c1a2f", agent="codex")
    seen(catalog, "7c0d2b3a")
    assert len(due(catalog, Window(agents=("codex",)))) == 1
    assert len(due(catalog, Window(session="5b0c"))) == 2
    assert [e.name for e in due(catalog, Window(session="codex/5b0c1a2f"))] == ["codex/5b0c1a2f"]
    assert [e.name for e in due(catalog, Window(session="codex/5b"))] == ["codex/5b0c1a2f"]
    assert due(catalog, Window(session="b0c1")) == due(catalog, Window(session="pi/5b0c1a2f")) == []


def test_a_result_is_kept_until_it_is_committed_and_survives_the_process(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as first:
        queue.write_journal(first, seen(first), b"result")
        with closing(Catalog(tmp_path)) as other:
            assert queue.journal(other, again(other)) == b"result"
    with closing(Catalog(tmp_path)) as later:
        queue.failed(later, again(later), "the branch was blocked")
        assert queue.journal(later, again(later)) == b"result"
        queue.done(later, again(later), State.EXTRACTED, rules=1)
        assert queue.journal(later, again(later)) is None


def test_a_result_is_dropped_when_the_session_grows(catalog: Catalog) -> None:
    queue.write_journal(catalog, seen(catalog), b"result")
    assert queue.journal(catalog, seen(catalog, at=6000)) is None


def test_a_result_is_dropped_when_the_text_it_came_from_is_lost(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as first:
        queue.write_journal(first, seen(first), b"result")
    (tmp_path / "cache" / "transcripts.sqlite3").unlink()
    with closing(Catalog(tmp_path)) as later:
        assert queue.journal(later, again(later)) is None


def test_an_end_noted_for_an_older_state_leaves_what_has_grown_since_waiting(
    catalog: Catalog,
) -> None:
    before = seen(catalog)
    seen(catalog, at=6000)  # another process reads more of it while this one extracts
    queue.done(catalog, before, State.EXTRACTED, rules=1)
    assert names(due(catalog, Window())) == ["5b0c1a2f"]
