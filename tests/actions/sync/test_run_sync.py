from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from support import repos
from support.claude import ID, Recording
from support.repos import Repo
from support.stores import store_at, titles

from git_lerim.actions import edit_memory, logs, sessions
from git_lerim.actions.intake import session_extraction
from git_lerim.actions.sync.run_sync import rehearse, sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.actions.sync.sync_outcome import Outcome
from git_lerim.errors import BranchBlocked, UnknownMemory, UsageError
from git_lerim.extraction.base import Brief, Candidate, Evidence
from git_lerim.memories.memory import Primitive, Status
from git_lerim.sessions import queue
from git_lerim.sessions.session import Role, Session
from git_lerim.workspace import Workspace, open_workspace

ALL = Options(window="all")
OTHER = "7c0d2b3a-0000-4000-8000-000000000002"
FIELDS = (
    "run_id window_start window_end sessions_scanned sessions_indexed sessions_extracted"
    " sessions_skipped sessions_failed sessions_queued decisions_added learnings_added"
    " memories_updated memories_superseded memories_unchanged redactions commits branch"
    " duration_seconds tokens_in tokens_out cost_usd errors"
)


@dataclass
class Scripted:
    """An extractor that makes a decision of every prompt, or does what it is told to."""

    failing: tuple[str, ...] = ()  # ids of sessions
    parts: int = 1
    seen: list[str] = field(default_factory=list)

    def extract(self, session: Session) -> Sequence[Candidate]:
        self.seen.append(session.id)
        if session.id in self.failing:
            raise ValueError("a transcript that nobody foresaw")
        return [
            Candidate(
                primitive=Primitive.DECISION, title=r.text, body=f"{r.text}, because it is good.",
                confidence=0.8, at=r.at or 0,
                evidence=tuple(Evidence(part=f"sub-{n}.jsonl",
                        records=((1, 1),)) for n in range(self.parts)),
                origin=r.uuid or "",
            )
            for r in session.records if r.role is Role.PROMPT
        ]  # fmt: skip

    def summarise(self, _: Session) -> Brief | None:
        return None


@pytest.fixture
def open_(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Workspace]:
    monkeypatch.chdir(repo.path)
    return open_workspace


@pytest.fixture
def one(sealed_world: Path, repo: Repo) -> Recording:
    return Recording(sealed_world, str(repo.path)).prompt("Use SQLite for the catalog")


@pytest.fixture
def two(sealed_world: Path, repo: Repo) -> Recording:
    return (
        Recording(sealed_world, str(repo.path), id=OTHER)
        .prompt("Deploy on Fridays")
        .prompt("Write the docs in French")
    )


def run(ws: Workspace, options: Options = ALL, extractor: Scripted | None = None) -> Outcome:
    ws.__dict__["extractor"] = extractor or Scripted()
    return sync(ws, options, lambda *_: None)


def now(repo: Repo) -> set[str]:
    return titles(store_at(repo.path).snapshot())


def counts(outcome: Outcome) -> tuple[int, int, int, int]:
    report = outcome.report
    return (
        report.sessions_scanned,
        report.sessions_extracted,
        report.sessions_skipped,
        report.sessions_failed,
    )


def test_a_report_has_the_fields_of_the_contract(
    open_: Callable[[], Workspace], one: Recording
) -> None:
    report = run(open_()).report.as_dict()

    assert " ".join(report) == FIELDS
    assert (report["branch"], report["decisions_added"], report["errors"]) == (
        "lerim/memory",
        1,
        [],
    )
    assert one.path.exists()


def test_what_says_the_same_as_a_memory_that_a_person_edited_stays_away_at_the_next_syncs(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, sealed_world: Path
) -> None:
    Recording(sealed_world, str(repo.path), id=OTHER).prompt(
        "Use SQLite for the catalog", timestamp="2026-02-21T09:00:00.000Z"
    )
    run(open_())
    kept = [
        item.memory
        for item in open_().store.snapshot().memories.values()
        if item.memory.status is Status.ACTIVE
    ]
    assert [memory.title for memory in kept] == ["Use SQLite for the catalog"]
    edit_memory.edit(
        open_(), kept[0].id, lambda memory: replace(memory, title="Use DuckDB for the events")
    )

    for prompt in ("Deploy on Fridays", "Write the docs in French"):
        one.prompt(prompt)
        run(open_())

    active = {
        m.title
        for item in open_().store.snapshot().memories.values()
        if (m := item.memory).status is Status.ACTIVE
    }
    assert active == {"Use DuckDB for the events", "Deploy on Fridays", "Write the docs in French"}


# -- what goes wrong


def test_what_took_long_to_extract_outlives_a_crash_before_the_commit(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_extraction, "LONG", -1.0)  # seconds: everything takes long
    repo.git("branch", "lerim")
    with pytest.raises(BranchBlocked):
        run(open_())
    repo.git("branch", "-D", "lerim")

    outcome = run(open_(), extractor=Scripted(failing=(one.id,)))

    assert counts(outcome) == (1, 1, 0, 0)
    assert now(repo) == {"Use SQLite for the catalog"}


def test_what_another_version_left_is_extracted_anew(
    open_: Callable[[], Workspace], repo: Repo, one: Recording
) -> None:
    ws = open_()
    run(ws, Options(window="all", extract=False))
    with ws.catalog() as catalog:
        queue.write_journal(catalog, catalog.entries()[0], b'{"candidates": [{"old": 1}]}')

    run(ws)

    assert now(repo) == {"Use SQLite for the catalog"}
    assert one.path.exists()


def test_what_grew_after_a_crash_is_extracted_anew(
    open_: Callable[[], Workspace], repo: Repo, one: Recording
) -> None:
    repo.git("branch", "lerim")
    with pytest.raises(BranchBlocked):
        run(open_())
    repo.git("branch", "-D", "lerim")
    one.prompt("Deploy on Fridays")

    run(open_())

    assert now(repo) == {"Use SQLite for the catalog", "Deploy on Fridays"}


def test_a_session_that_fails_is_named_and_the_others_go_on(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, two: Recording
) -> None:
    outcome = run(open_(), extractor=Scripted(failing=(one.id,)))

    assert counts(outcome) == (2, 1, 0, 1)
    assert [error["session"] for error in outcome.report.errors] == [f"claude/{one.id}"]
    assert now(repo) == {"Deploy on Fridays", "Write the docs in French"}
    assert two.path.exists()


def test_a_session_that_failed_three_times_rests_until_it_is_asked_for(
    open_: Callable[[], Workspace], repo: Repo, one: Recording
) -> None:
    failing = Scripted(failing=(one.id,))
    failed = [run(open_(), extractor=failing).report.sessions_failed for _ in range(5)]
    rests = [(row.state, row.tried) for row in sessions.list_queue(open_())]
    forced = run(open_(), replace(ALL, force=True), failing).report.sessions_failed
    named = run(open_(), Options(session=one.id[:8]), failing).report.sessions_failed
    sessions.retry(open_(), [])

    outcome = run(open_())

    assert failed == [1, 1, 1, 0, 0]
    assert rests == [("failed", 3)]
    assert (forced, named, len(failing.seen)) == (1, 1, 5)
    assert counts(outcome) == (1, 1, 0, 0)
    assert now(repo) == {"Use SQLite for the catalog"}


def test_a_memory_that_no_file_can_hold_fails_its_session_alone(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, two: Recording
) -> None:
    run(open_(), Options(session=two.id))

    outcome = run(open_(), extractor=Scripted(parts=400))

    assert counts(outcome) == (2, 0, 1, 1)
    assert "front matter of" in outcome.report.errors[0]["error"]
    assert now(repo) == {"Deploy on Fridays", "Write the docs in French"}
    assert one.path.exists()


# -- which sessions


def test_with_force_everything_is_extracted_again_and_nothing_changes(
    open_: Callable[[], Workspace], one: Recording, two: Recording
) -> None:
    run(open_())
    again, extractor = run(open_()), Scripted()
    forced = run(open_(), replace(ALL, force=True), extractor)

    assert counts(again) == (2, 0, 2, 0)
    assert (counts(forced), forced.report.commits, forced.report.memories_unchanged) == (
        (2, 2, 0, 0),
        [],
        3,
    )
    assert sorted(extractor.seen) == sorted((one.id, two.id))


@pytest.mark.parametrize("name", [OTHER, OTHER[:6], f"claude/{OTHER}", f"claude/{OTHER[:6]}"])
def test_one_session_is_named_whatever_the_window(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, two: Recording, name: str
) -> None:
    outcome = run(open_(), Options(session=name))

    assert counts(outcome) == (1, 1, 0, 0)
    assert now(repo) == {"Deploy on Fridays", "Write the docs in French"}
    assert one.path.parent == two.path.parent


@pytest.mark.parametrize("name", ["nothing", "codex/5b0c", "claude/", "", ID + "0"])
def test_a_session_that_is_unknown_changes_no_memory(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, two: Recording, name: str
) -> None:
    assert one.path.parent == two.path.parent
    with pytest.raises((UnknownMemory, UsageError)):  # the latter for an empty name
        run(open_(), Options(session=name))

    assert store_at(repo.path).tip() is None


def test_a_name_that_two_sessions_begin_with_names_the_one_that_is_called_so(
    open_: Callable[[], Workspace], repo: Repo, sealed_world: Path, one: Recording
) -> None:
    longer = Recording(sealed_world, str(repo.path), id=one.id + "-more").prompt(
        "Deploy on Fridays"
    )

    with pytest.raises(UnknownMemory, match="2 sessions are called"):
        run(open_(), Options(session=one.id[:8]))
    outcome = run(open_(), Options(session=one.id))

    assert counts(outcome) == (1, 1, 0, 0)
    assert now(repo) == {"Use SQLite for the catalog"}
    assert longer.path.exists()


@pytest.mark.parametrize(
    ("window", "count"),
    [
        (("2026-02-20T09:00:02Z", None), 1),
        (("2026-02-20T09:00:00Z", "2026-02-20T09:00:01Z"), 1),
        (("2026-02-20T09:00:03Z", None), 0),
        (("2026-02-18", "2026-02-19"), 0),
        (("2026-02-20", "2026-02-20"), 2),
        (("30 years ago", "29 years ago"), 0),
        (("2026-02", "1d"), 2),
    ],
)
def test_a_session_is_in_the_window_by_its_last_activity(
    open_: Callable[[], Workspace],
    one: Recording,
    two: Recording,
    window: tuple[str, str | None],
    count: int,
) -> None:
    outcome = run(open_(), Options(since=window[0], until=window[1]))

    assert outcome.report.sessions_scanned == outcome.report.sessions_extracted == count
    assert (one.lines, two.lines) == (1, 2)


@pytest.mark.parametrize(
    "options", [Options(since="soon"), Options(window="soon"), Options(session="nothing")]
)
def test_a_mistake_of_the_command_line_is_no_run(
    open_: Callable[[], Workspace], options: Options
) -> None:
    ws = open_()

    with pytest.raises((UnknownMemory, UsageError)):
        run(ws, options)
    assert logs.activity(ws, 10) == []


def test_only_the_agents_that_are_connected_and_asked_for_are_read(
    open_: Callable[[], Workspace], repo: Repo, one: Recording
) -> None:
    nobody = run(open_(), replace(ALL, agents=("codex",)))
    repo.git("config", "lerim.agents", "codex")
    not_connected = run(open_())

    assert (nobody.found.sources, not_connected.found.sources) == (0, 0)
    assert one.path.exists()


# -- rehearsing


def test_a_rehearsal_decides_what_a_sync_then_decides(
    open_: Callable[[], Workspace], repo: Repo, one: Recording, two: Recording
) -> None:
    run(open_(), Options(session=two.id))
    two.prompt("Write the docs in English instead of French")
    one.prompt("Deploy on Fridays")  # another session says the same

    ws = open_()
    ws.__dict__["extractor"] = Scripted()
    told = rehearse(ws, ALL, lambda *_: None)
    done = run(open_())

    assert [result.entry.name for result in told.decided] == [
        result.entry.name for result in done.decided
    ]
    assert [result.actions for result in told.decided] == [
        result.actions for result in done.decided
    ]
    assert told.report.commits == []
    differing = {"run_id", "commits", "duration_seconds", "window_end"}
    assert {k: v for k, v in told.report.as_dict().items() if k not in differing} == {
        k: v for k, v in done.report.as_dict().items() if k not in differing
    }
    assert "Deploy on Fridays" in now(repo)


@pytest.mark.parametrize("kind", [repos.normal, repos.unborn, repos.bare])
def test_a_rehearsal_where_nothing_is_yet_makes_no_file(
    kind: Callable[[Path], Repo],
    tmp_path: Path,
    sealed_world: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo = kind(tmp_path / "fresh")
    repo.git("config", "--global", "lerim.repositoryPath", "/old/place")
    Recording(sealed_world, "/old/place").prompt("Use SQLite for the catalog")
    monkeypatch.chdir(repo.path)
    before = sorted(tmp_path.rglob("*")) + sorted(sealed_world.rglob("*"))

    ws = open_workspace()
    ws.__dict__["extractor"] = Scripted()
    outcome = rehearse(ws, ALL, lambda *_: None)

    assert outcome.report.decisions_added == 1
    assert sorted(tmp_path.rglob("*")) + sorted(sealed_world.rglob("*")) == before


# -- what a run leaves


def test_a_run_that_did_something_leaves_a_line_and_its_reasons(
    open_: Callable[[], Workspace], one: Recording
) -> None:
    ws = open_()
    outcome = run(ws)
    run(open_())

    assert [path.name for path in (ws.folder / "runs").iterdir()] == [outcome.report.run_id]
    assert len((ws.folder / "activity.log").read_text().splitlines()) == 2
    assert one.path.exists()


@pytest.mark.parametrize(
    ("given", "named"), [({}, "--window"), ({"since": "2026-02-20"}, "--since")]
)
def test_a_window_that_ends_too_early_is_refused_by_what_begins_it(
    open_: Callable[[], Workspace], given: dict[str, str], named: str
) -> None:
    with pytest.raises(UsageError) as refused:
        run(open_(), Options(until="2026-01-01", **given))
    assert refused.value.hint == f"{named} sets its start; --until must be later"
