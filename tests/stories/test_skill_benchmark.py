"""The measure of the skill as it is used: a session in stretches, calls to a real server, verdicts,
figures.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import chat
from support.claude import Recording

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "skill.py"
WISH = "never push to main directly"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Label one session, in which a user decides, is silent for long, and wishes."""
    talk = (
        Recording(tmp_path / "data", "/src/shop")
        .prompt("Fix the cache.")
        .reply("The lock is lost on NFS.")
    )
    talk.prompt("Then put the lock beside the database.").reply(
        "Done. " + " ".join(f"line{n}" for n in range(900))
    )
    talk.prompt(f"Good. And {WISH}, please.").reply("Understood.")
    memories = [
        {
            "id": "m1",
            "body": "",
            "title": "Locks beside the database",
            "importance": 3,
            "key_terms": ["lock", "database|sqlite", "nfs"],
        },
        {
            "id": "m2",
            "body": "",
            "title": "Pull requests only",
            "importance": 3,
            "key_terms": ["push", "main"],
        },
        {
            "id": "m3",
            "body": "",
            "title": "No one says this",
            "importance": 3,
            "key_terms": ["telemetr", "opt"],
        },
    ]
    label = {
        "session_file": str(talk.path.relative_to(tmp_path / "data")),
        "agent": "claude",
        "no_signal": False,
        "memories": memories,
    }
    (tmp_path / "eval" / "labels").mkdir(parents=True)
    (tmp_path / "eval" / "labels" / "x1.json").write_text(json.dumps(label))
    return tmp_path


def measure(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    places = [
        "--eval",
        folder / "eval",
        "--data",
        folder / "data",
        "--work",
        folder / "work",
        "--window",
        "600",
    ]
    return subprocess.run(
        [sys.executable, SCRIPT, *places, *words], capture_output=True, text=True, check=False
    )


def remembering(request: dict[str, Any]) -> chat.Said:
    """Answer with a memory of what is new: one that lasts, one that is noise, one that
    nobody said.
    """
    now = request["messages"][-1]["content"].rpartition("What has happened since:")[2]
    notes: list[dict[str, Any]] = []
    if "beside the database" in now:
        notes += [
            {
                "title": "The lock lies beside the database because NFS loses it",
                "why": "No flock.",
                "type": "decision",
                "files": ["db.py:3"],
            },
            {
                "title": "Always squash before a merge",
                "why": "Tidy.",
                "type": "preference",
                "user_words": "always squash before a merge",
            },
        ]
    if WISH in now:
        notes += [
            {
                "title": "Nobody pushes to main directly",
                "why": "W.",
                "type": "preference",
                "user_words": WISH,
            }
        ]
    calls = [{"id": f"c{n}", "type": "function",
            "function": {"name": "mcp__lerim__remember", "arguments": json.dumps(note)}}
             for n, note in enumerate(notes)]  # fmt: skip
    return chat.completion(None if calls else "nothing", **({"tool_calls": calls} if calls else {}))


def test_a_session_is_remembered_judged_and_counted(folder: Path) -> None:
    planned = measure(folder, "plan")
    with chat.serving() as model:
        model.answer = remembering
        asked = measure(folder, "ask", "--base-url", model.url)
        assert asked.returncode == 0, asked.stderr
        again = measure(folder, "ask", "--base-url", model.url)
        requests = model.asked
    packet = measure(folder, "packet")
    unjudged = measure(folder, "table")
    verdicts = folder / "work" / "packet" / "verdicts.tsv"
    verdicts.write_text(
        verdicts.read_text().replace("\t\t", "\tA\tgood", 1).replace("\t\t", "\tC\tno news", 1)
    )
    table = measure(folder, "table")
    (folder / "work" / "musts" / "found.tsv").write_text("x1.m1\tyes\nx1.m2\tno\nx1.m3\tno\n")
    by_reader = measure(folder, "table")
    again_packed = measure(folder, "packet")

    assert [run.returncode for run in (planned, again, packet, unjudged, table)] == [0, 0, 0, 1, 0]
    assert f"all  {len(requests)} requests" in planned.stdout
    assert len(requests) > 1
    assert (
        "The lock lies beside" in requests[-1]["messages"][-1]["content"]
    )  # it knows its own earlier calls
    assert "3 memories" in asked.stdout
    assert "2 memories" in packet.stdout  # nobody said "always squash"
    assert "squash" not in (folder / "work" / "packet" / "packet.md").read_text()
    assert "must 2/3 = 67% by key terms" in table.stdout
    assert "must 1/3 = 33% by the reader" in by_reader.stdout
    assert again_packed.returncode == 1  # the verdicts stay
    assert "missed: No one says this" in table.stdout
    assert "needless (C, D) 1 in 1 sessions, 3.0 in three" in table.stdout
