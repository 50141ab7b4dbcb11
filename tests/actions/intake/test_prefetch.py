from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.claude import Recording
from support.repos import Repo
from support.stores import store_at

from git_lerim import worker_process
from git_lerim.actions.intake import prefetch
from git_lerim.actions.sync.run_sync import sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.extraction.base import Brief, Candidate
from git_lerim.extraction.worker import Worker
from git_lerim.sessions.session import Session
from git_lerim.workspace import open_workspace

ALL = Options(window="all")
NAMES = ("catalog", "queue", "journal", "ledger")


class Here:
    """An extractor in this process, which is asked only for what the other one did not do."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def extract(self, session: Session) -> Sequence[Candidate]:
        self.asked.append(session.id)
        return []

    def summarise(self, _: Session) -> Brief | None:
        return None


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a second process for the smallest sync."""
    monkeypatch.setattr(prefetch, "ENOUGH", 1)
    monkeypatch.setattr(worker_process, "worth_while", lambda: True)


@pytest.fixture
def told(sealed_world: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> list[Recording]:
    """Return some sessions, each with a decision in it."""
    monkeypatch.chdir(repo.path)
    return [session(sealed_world, repo, number, name) for number, name in enumerate(NAMES)]


def session(home: Path, repo: Repo, number: int, name: str) -> Recording:
    made = Recording(home, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-00000000000{number}")
    made.prompt(f"The {name} gets slow. How should we store the {name}?")
    for step in range(4):
        made.add(
            "assistant",
            [
                {
                    "type": "tool_use",
                    "id": f"t{step}",
                    "name": "Read",
                    "input": {"file_path": f"{name}{step}.py"},
                }
            ],
        )
    made.reply(
        f"The {name} moves to `{name}.sqlite3`, because two syncs at once must not lose an entry"
        " and JSON has no lock."
    )
    made.prompt(
        f"Never put the {name} into the work tree, because it belongs in the git common dir."
    )
    return made.reply(
        f"You're right. `{name}.sqlite3` belongs in the git common dir instead of the work tree,"
        f" because linked worktrees must share one {name} and nothing of ours may show up in `git"
        " status`."
    )


def tree(repo: Repo) -> str:
    return repo.git("rev-parse", "lerim/memory^{tree}")


def asked_here(options: Options = ALL) -> list[str]:
    ws, here = open_workspace(), Here()
    ws.__dict__["extractor"] = here
    sync(ws, options, lambda *_: None)
    return here.asked


def test_what_was_extracted_ahead_is_committed_as_if_it_had_been_extracted_here(
    told: list[Recording], repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked_here() == []
    beside = tree(repo)
    repo.git("update-ref", "-d", "refs/heads/lerim/memory")
    monkeypatch.setattr(worker_process, "worth_while", lambda: False)

    sync(open_workspace(), replace(ALL, force=True), lambda *_: None)

    assert len(store_at(repo.path).snapshot().memories) >= len(told)
    assert tree(repo) == beside


def test_with_one_processor_all_is_done_here(
    told: list[Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "worth_while", lambda: False)

    assert len(asked_here()) == len(told)


def test_little_is_done_here(told: list[Recording], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefetch, "ENOUGH", 1 << 20)

    assert len(asked_here()) == len(told)


def test_what_the_other_process_does_not_answer_is_done_here(
    told: list[Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "_ask", lambda *_: None)

    assert len(asked_here()) == len(told)


def test_where_no_process_can_be_started_all_is_done_here(
    told: list[Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")

    assert len(asked_here()) == len(told)


def test_what_waits_too_long_is_done_here(
    told: list[Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "_MUCH", -1)

    assert len(asked_here()) < len(told) + 1


def test_of_more_than_may_be_extracted_only_those_are_that_are_chosen(
    told: list[Recording], repo: Repo
) -> None:
    assert asked_here(Options(window="all", max_sessions=1)) == []

    assert repo.git("log", "--format=%b", "lerim/memory").count("Lerim-Session: ") == 1
    assert told


def test_without_extracting_nothing_is_begun(
    told: list[Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", None)

    assert asked_here(Options(window="all", extract=False)) == []
    assert told
