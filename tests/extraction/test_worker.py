import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.talk import Talk

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import extracted
from git_lerim.extraction.worker import Worker
from git_lerim.sessions.session import Session

CHOICE = (
    "SQLite it is. The catalog moves to `catalog.sqlite3`, because two syncs at once must not lose"
    " an entry and a JSON file has no lock. The single JSON file is dropped, since rewriting it on"
    " every change does not scale."
)


@pytest.fixture
def talk() -> Session:
    return (
        Talk()
        .prompt("The catalog gets slow with many files. How should we store it?")
        .look("src/catalog.py", "src/sync.py", "tests/test_catalog.py", "docs/catalog.md")
        .answer(
            "Where should the catalog live?",
            "SQLite file",
            "SQLite file: safe with two writers because it locks",
            "One JSON file",
        )
        .reply(CHOICE)
        .edit("src/catalog.py")
        .session()
    )


@pytest.fixture
def other() -> Iterator[Worker]:
    process = Worker()
    yield process
    process.close()


def test_another_process_extracts_the_same(other: Worker, talk: Session) -> None:
    found = other.submit(talk)[0].result()
    here = extracted(by_rules, talk)

    assert found
    assert found.candidates
    assert (found.candidates, found.brief) == (here.candidates, here.brief)


def test_sessions_are_answered_in_order_each_with_its_own(other: Worker, talk: Session) -> None:
    silent = Talk().prompt("hello").session()

    answers = [found.result() for found, _ in [other.submit(one) for one in (talk, silent, talk)]]

    assert [found and bool(found.candidates) for found in answers] == [True, False, True]


def test_a_process_that_has_ended_gives_no_answer_and_no_error(talk: Session) -> None:
    process = Worker()
    process.close()
    process.close()

    with pytest.raises(RuntimeError):
        process.submit(talk)


def test_a_process_that_is_killed_gives_no_answer(other: Worker, talk: Session) -> None:
    os.kill(other.pid, signal.SIGTERM)

    assert [found.result() for found, _ in [other.submit(talk), other.submit(talk)]] == [None, None]


def test_what_was_begun_with_is_given_up_at_the_end(talk: Session) -> None:
    process = Worker()
    begun = [process.submit(talk)[0] for _ in range(50)]

    process.close()

    assert all(found.cancelled() or found.done() for found in begun)


def test_no_module_comes_from_the_folder_that_one_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, talk: Session
) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit('run by another')\n")
    monkeypatch.chdir(tmp_path)
    process = Worker()

    found = process.submit(talk)[0].result()
    process.close()

    assert found
