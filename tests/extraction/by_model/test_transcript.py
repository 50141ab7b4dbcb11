from pathlib import Path

from support import readings
from support.claude import Recording

from git_lerim.agents import claude
from git_lerim.extraction.by_model.transcript import shown
from git_lerim.sessions.session import Header, Session


def test_the_first_record_after_hours_is_marked(tmp_path: Path) -> None:
    later = {"timestamp": "2026-02-20T15:30:00.000Z"}
    used = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}}
    recording = (
        Recording(tmp_path, "/home/ada/shop").prompt("Find gaps.").reply("Locking is missing.")
    )
    recording.add("assistant", [used], **later).reply("It is there now.", **later)
    recording.prompt("Thanks.", timestamp="2026-02-20T15:31:00.000Z")
    records = readings.read(claude, recording.path).records
    session = Session(agent="claude", id="s", header=Header(), records=records)

    assert shown(session).text() == (
        "[1] USER: Find gaps.\n"
        "[2] AGENT: Locking is missing.\n"
        "[4] AGENT (hours later): It is there now.\n"
        "[5] USER: Thanks."
    )
