from pathlib import Path

import pytest
from support.world import SECRET

from git_lerim.actions.tour import Step, tour


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    return list(tour(tmp_path_factory.mktemp("tour")))


def test_every_step_works_and_shows_something(steps: list[Step]) -> None:
    assert [step.command for step in steps if step.failed] == []
    assert all(step.why.endswith(":") and step.output for step in steps)


def test_the_story_is_the_one_that_is_promised(steps: list[Step]) -> None:
    told = {
        step.command.split(" ")[2] if "lerim " in step.command else step.command.split(" ")[1]: step
        for step in steps
    }

    assert {"sync", "list", "show", "diff", "log", "grep"} <= told.keys() | {"log"}
    assert [step.command for step in steps].count("git lerim sync --window all") == 3
    assert "0 decisions and 0 learnings added, 0 changed" in steps[-1].output
    assert SECRET not in "".join(step.output for step in steps)


def test_the_later_decision_takes_the_place_of_the_one_that_it_gives_up(steps: list[Step]) -> None:
    later = [step for step in steps if step.command == "git lerim sync --window all"][1].output

    assert "The product catalog moves to PostgreSQL instead of SQLite" in later
    assert any(
        line.startswith("  - ") and "The product catalog should use SQLite" in line
        for line in later.splitlines()
    )


def test_nothing_is_written_outside_its_folder(sealed_world: Path, tmp_path: Path) -> None:
    before = sorted(sealed_world.rglob("*"))

    first = next(iter(tour(tmp_path)))

    assert not first.failed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "shop"]
    assert sorted(sealed_world.rglob("*")) == before


def test_the_sessions_of_the_real_user_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "real" / "sessions"
    real.mkdir(parents=True)
    (real / "mine.jsonl").write_text('{"type":"session","id":"mine","cwd":"/mine"}\n')
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "real"))

    list(tour(tmp_path / "tour"))

    listed = (tmp_path / "tour" / "shop" / ".git" / "lerim" / "catalog.sqlite3").read_bytes()
    assert b"mine.jsonl" not in listed
