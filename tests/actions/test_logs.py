import json
import os
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.actions.logs import activity, as_json, run_artifacts
from git_lerim.errors import UnknownMemory, Unreadable
from git_lerim.workspace import Workspace, open_workspace


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


@pytest.fixture
def runs(ws: Workspace) -> Path:
    for name in ("sync-20260220T093045-3f2a", "sync-20260221T093045-77aa"):
        folder = ws.folder / "runs" / name
        folder.mkdir(parents=True)
        (folder / "report.json").write_text(json.dumps({"run_id": name}))
        (folder / "actions.json").write_text("[]")
    return ws.folder / "runs"


def test_the_last_lines_are_returned_oldest_first(ws: Workspace) -> None:
    assert activity(ws, 5) == []
    for n in range(4):
        ws.log(f"line {n}")

    assert [line.split(" ", 1)[1] for line in activity(ws, 2)] == ["line 2", "line 3"]
    assert len(activity(ws, 50)) == 4


@pytest.mark.parametrize(
    ("text", "run", "counts"),
    [
        (
            "sync sync-20260220T093045-3f2a: 1 session, 2 decisions, 3 updated, 1 error, 1.5 s",
            "sync-20260220T093045-3f2a",
            {"sessions": 1, "decisions": 2, "updated": 3, "errors": 1, "seconds": 1.5},
        ),
        (
            "import git import-20260220T093045-3f2a: 2 of 5 requests, 1 memories, 0 errors",
            "import-20260220T093045-3f2a",
            {"requests": 2, "memories": 1, "errors": 0},
        ),
        (
            "import-20260220T093045-3f2a wrote 3 memories from 7 rules.md",
            "import-20260220T093045-3f2a",
            {"memories": 3},
        ),
        ("hook post-commit: no space left, 12 s", None, {}),
    ],
)
def test_a_line_as_json_has_what_it_counts_as_numbers(
    text: str, run: str | None, counts: dict[str, float]
) -> None:
    row = as_json(f"2026-02-20T09:30:45Z {text}")
    assert row == {"at": "2026-02-20T09:30:45Z", "run": run, "counts": counts, "text": text}


def test_a_log_that_is_no_text_is_read_all_the_same(ws: Workspace) -> None:
    ws.log("\ud800 odd")
    with (ws.folder / "activity.log").open("ab") as file:
        file.write(b"\xff\n")

    assert len(activity(ws, 50)) == 2


def test_of_a_long_log_only_the_end_is_read(ws: Workspace) -> None:
    ws.log("earlier")
    os.truncate(ws.folder / "activity.log", 200 << 20)
    assert activity(ws, 50) == []

    with (ws.folder / "activity.log").open("ab") as file:
        file.write(b"\n2026-02-20T09:30:45Z line\n")
    assert activity(ws, 50) == ["2026-02-20T09:30:45Z line"]


@pytest.mark.parametrize("name", ["sync-20260220", "3f2a", "sync-20260220T093045-3f2a"])
# it makes them
def test_a_run_is_named_by_its_beginning_or_its_end(ws: Workspace, runs: Path, name: str) -> None:  # noqa: ARG001
    report = {"run_id": "sync-20260220T093045-3f2a"}
    assert run_artifacts(ws, name) == {
        "report": report,
        "actions": [],
        "candidates": [],
        "calls": [],
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [("sync", "2 runs are called 'sync'"), ("maintain", "no run is called"), ("..", "no")],
)
# it makes them
def test_one_run_must_be_meant(ws: Workspace, runs: Path, name: str, said: str) -> None:  # noqa: ARG001
    with pytest.raises(UnknownMemory, match=said):
        run_artifacts(ws, name)


@pytest.mark.parametrize("text", [None, "", '{"half', "\xff"])
def test_a_run_that_was_killed_in_the_middle_is_said_to_be(
    ws: Workspace, runs: Path, text: str | None
) -> None:
    file = runs / "sync-20260220T093045-3f2a" / "actions.json"
    file.unlink()
    if text is not None:
        file.write_text(text, encoding="latin-1")

    with pytest.raises(
        Unreadable, match="the records of run sync-20260220T093045-3f2a cannot be read"
    ):
        run_artifacts(ws, "3f2a")


def test_a_run_that_decided_nothing_is_told_from_one_that_never_was(ws: Workspace) -> None:
    ws.log("sync sync-20260220T093000-ab12: 0 sessions")

    with pytest.raises(UnknownMemory, match="ab12 made no decisions"):
        run_artifacts(ws, "sync-20260220T093000-ab12")
