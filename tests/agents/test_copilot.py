import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support import hostile, readings
from support.corpus import corpus

from git_lerim.agents import copilot
from git_lerim.agents.base import Places
from git_lerim.sessions.session import Record, Role

DATA = Path(__file__).parent / "data" / "copilot"
SESSION = "5f1c0a52-0000-4000-8000-00000000c0de"
LOG = DATA / "session-state" / SESSION / "events.jsonl"

PAGE = "Prices are cents, because floats round."


def of(records: tuple[Record, ...], *roles: Role) -> list[Record]:
    return [record for record in records if record.role in roles]


def line(kind: str, data: dict[str, Any], number: int) -> bytes:
    return (
        json.dumps(
            {"type": kind, "data": data, "id": f"e{number}", "timestamp": "2026-07-01T10:00:00Z"}
        ).encode()
        + b"\n"
    )


def test_the_home_is_what_the_variables_say() -> None:
    def roots(env: dict[str, str]) -> list[Path]:
        return copilot.roots(Places(home=Path("/home/ada"), env=env, platform="linux"))

    assert roots({}) == [Path("/home/ada/.copilot")]
    assert roots({"COPILOT_HOME": "/c", "XDG_STATE_HOME": "/s"}) == [Path("/c")]
    assert roots({"COPILOT_CLI_HOME": "/d"}) == [Path("/d")]
    assert roots({"XDG_STATE_HOME": "/s"}) == [Path("/home/ada/.copilot"), Path("/s/.copilot")]


def test_logs_and_old_documents_are_found_and_nothing_else() -> None:
    names = [str(source.path.relative_to(DATA)) for source in copilot.find(DATA)]

    assert names == [
        f"session-state/{SESSION}/events.jsonl",
        "history-session-state/session_0b5c_1750000000000.json",
    ]


def test_only_what_the_human_typed_is_a_prompt() -> None:
    assert readings.prompts(readings.read(copilot, LOG).records) == ["Where do prices get rounded?"]


def test_a_failing_command_keeps_its_exit_code_and_text() -> None:
    (failed,) = [record for record in readings.read(copilot, LOG).records if record.failed]

    assert (failed.n, failed.exit_code, failed.call) == (7, 1, "t1")
    assert "AssertionError" in failed.text


def test_answers_approvals_rejections_and_interrupts_are_the_humans() -> None:
    records = readings.read(copilot, LOG).records

    (answer,) = of(records, Role.ANSWER)
    assert (answer.question, answer.options, answer.text) == (
        "Decimal or cents?",
        ("Decimal", "Integer cents"),
        "Integer cents",
    )
    assert [record.text for record in of(records, Role.APPROVAL)] == [
        "Keep prices as integer cents."
    ]
    assert [record.text for record in of(records, Role.REJECTION)] == ["Never push from here."]
    assert [record.n for record in of(records, Role.INTERRUPT)] == [22]


def test_files_and_commits_stand_at_the_result() -> None:
    results = {
        record.call: record for record in of(readings.read(copilot, LOG).records, Role.RESULT)
    }

    assert results["t4"].files == ("src/price.py",)
    assert results["t5"].commits == ("9ab8c7d",)


def test_a_sub_agent_is_a_part_and_its_report_stands_in_the_parent() -> None:
    records = readings.read(copilot, LOG).records

    assert [(record.part, record.text) for record in records if record.part] == [
        ("t6", "There are four callers.")
    ]
    assert [(record.part, record.text) for record in of(records, Role.REPORT)] == [
        (None, "There are four callers.")
    ]


def test_summaries_are_kept_and_a_repeated_last_word_is_not() -> None:
    records = readings.read(copilot, LOG).records

    assert [record.text for record in of(records, Role.SUMMARY)] == [
        "Prices are integer cents now."
    ]
    assert [record.text for record in of(records, Role.REPLY)].count(
        "Done: prices are integer cents."
    ) == 1


def test_place_branch_and_commit_change_within_a_session() -> None:
    reading = readings.read(copilot, LOG)

    assert reading.session == SESSION
    assert reading.header.remote == "https://github.com/ada/shop"
    assert (reading.header.title, reading.header.version, reading.header.model) == (
        "Rounding of prices",
        "1.0.64",
        "gpt-x",
    )
    assert reading.header.commit.endswith("1")
    assert [(r.branch, (r.commit or "")[-1]) for r in reading.records if r.n in {3, 12}][:2] == [
        ("main", "1"),
        ("cents", "2"),
    ]
    assert {record.cwd for record in reading.records} == {"/home/ada/shop"}


def test_a_log_read_as_it_grows_gives_what_it_gives_at_once(tmp_path: Path) -> None:
    whole = LOG.read_bytes()
    path = tmp_path / SESSION / "events.jsonl"
    grown = list(
        readings.growing(
            copilot, path, [*(whole[:size] for size in range(0, len(whole), 97)), whole]
        )
    )

    assert sum(reading.stored for reading in grown) == len(whole.splitlines())
    assert readings.joined(grown) == readings.read(copilot, path).records


def test_nothing_new_gives_nothing() -> None:
    first = readings.read(copilot, LOG)
    second = readings.read(copilot, LOG, first.bookmark)

    assert (second.records, second.stored, second.restart, second.bookmark) == (
        (),
        0,
        False,
        first.bookmark,
    )


def test_what_a_rewind_undid_is_marked_even_if_it_was_read_before(tmp_path: Path) -> None:
    begun = line("session.start", {"sessionId": "s"}, 1) + line(
        "user.message", {"content": "Keep this."}, 2
    )
    undone = line("user.message", {"content": "Undo this."}, 3)
    rewound = line("session.snapshot_rewind", {"upToEventId": "e3"}, 4) + line(
        "user.message", {"content": "And go on."}, 5
    )
    _, last = readings.growing(
        copilot, tmp_path / "s.jsonl", [begun + undone, begun + undone + rewound]
    )

    assert last.restart
    assert [(record.text, record.abandoned) for record in last.records] == [
        ("Keep this.", False),
        ("Undo this.", True),
        ("And go on.", False),
    ]


def test_the_documents_of_2025_are_read() -> None:
    path = DATA / "history-session-state" / "session_0b5c_1750000000000.json"
    reading = readings.read(copilot, path)

    assert (reading.session, reading.stored) == ("0b5c", 5)
    assert readings.told(reading.records) == [
        (2, "prompt", "Name the port."),
        (3, "reply", "I look."),
        (3, "call", "bash: grep -rn port ."),
        (4, "result", ""),
        (5, "reply", "It is 8080."),
    ]
    assert readings.read(copilot, path, reading.bookmark).records == ()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        b"[1]\n",
        b'{"type":"session.start"}\n',
        b"\xff\xfe{\n",
        b'{"type":"user.message",',
    ],
)
def test_a_file_that_is_no_log_gives_no_session(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "session-state" / "x.jsonl"
    path.parent.mkdir()
    path.write_bytes(content)
    reading = readings.read(copilot, path)

    assert (reading.session, reading.records) == ("", ())
    assert reading.bookmark is not None


def test_strange_values_are_passed_over(tmp_path: Path) -> None:
    strange = [
        line("user.message", {"content": 7}, 1),
        line(
            "assistant.message",
            {
                "content": None,
                "toolRequests": [
                    3,
                    {"name": 4},
                    {"toolCallId": "t", "name": "bash", "arguments": 9},
                ],
            },
            2,
        ),
        line(
            "tool.execution_complete", {"toolCallId": ["t"], "result": "text", "success": False}, 3
        ),
        line("session.context_changed", {"cwd": {"a": 1}, "repository": 3}, 4),
        (
            b'{"type":"user.message","data":{"content":"lone \\ud83d'
            b' surrogate"},"timestamp":"never"}\n'
        ),
    ]
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(strange))

    assert readings.prompts(readings.read(copilot, path).records) == ["lone � surrogate"]


def test_no_value_stops_the_reader(tmp_path: Path) -> None:
    lines = [json.loads(one) for one in LOG.read_text().splitlines()]
    for number, content in enumerate(hostile.variants(lines)):
        path = tmp_path / f"{number}.jsonl"
        half = content[: len(content) // 2]
        for reading in readings.growing(copilot, path, [half, content]):
            assert reading.bookmark is not None
            assert hostile.survives(reading)


@pytest.mark.corpus
def test_real_sessions_are_counted_as_another_counter_counts_them() -> None:
    paths = sorted(corpus("sessions/copilot-cli").glob("**/events.jsonl"))
    assert len(paths) == 6
    for path in paths:
        events = [json.loads(one) for one in path.read_text("utf-8").split("\n") if one]
        asked = Counter(
            event["data"]["content"].strip()
            for event in events
            if event["type"] == "user.message"
            and not event["data"].get("source")
            and event["data"]["content"].strip()
        )
        starting = {
            event["data"]["toolCallId"]
            for event in events
            if event["type"] == "tool.execution_start"
        }
        reading = readings.read(copilot, path)

        assert reading.session == next(
            e["data"]["sessionId"] for e in events if e["type"] == "session.start"
        )
        assert reading.stored == len(events)
        assert Counter(readings.prompts(reading.records)) == asked
        assert {record.call for record in of(reading.records, Role.CALL)} == starting
        assert len(of(reading.records, Role.REPLY)) == sum(
            1 for e in events if e["type"] == "assistant.message" and e["data"]["content"].strip()
        )
        assert not reading.warnings
        assert not readings.read(copilot, path, reading.bookmark).records


@pytest.mark.corpus
def test_the_peers_fixtures_are_read_alike() -> None:
    """Agree with `expected.json` but for two things.

    Their prompt comes from a hook's input, as no `user.message` stands in their files; real logs
    have both, and hooks repeat. Reasoning is no record of ours.
    """
    fixtures = corpus("peers/lerim/trajectory-apache/fixtures/copilot-cli")
    for name in ("tool-calls", "cleanup"):
        expected = json.loads((fixtures / name / "expected.json").read_text())["records"]
        records = readings.read(copilot, fixtures / name / "input.jsonl").records
        calls = [call["id"] for record in expected for call in record.get("tool_calls", ())]

        assert [record.text for record in of(records, Role.REPLY)] == [
            record["content"]
            for record in expected
            if record["role"] == "assistant" and record["content"]
        ]
        assert [record.call for record in of(records, Role.CALL)] == calls
        assert [(record.call, record.failed) for record in of(records, Role.RESULT)] == [
            (record["tool_call_id"], not record["ok"])
            for record in expected
            if record["role"] == "tool"
        ]
        assert {(record.cwd, record.branch) for record in records} == {
            (expected[0]["cwd"], expected[0]["git_branch"])
        }


def test_what_an_agent_tells_its_helper_is_no_prompt(tmp_path: Path) -> None:
    path = tmp_path / SESSION / "events.jsonl"
    path.parent.mkdir()
    said = [
        {"content": "Fix the parser.", "parentAgentTaskId": "t0"},
        {"content": "Use --force.", "parentToolCallId": "a1"},
    ]
    path.write_bytes(
        line("session.start", {"sessionId": SESSION, "version": 1}, 0)
        + b"".join(line("user.message", each, n) for n, each in enumerate(said, 1))
    )

    assert readings.prompts(readings.read(copilot, path).records) == ["Fix the parser."]


def test_the_prose_of_an_edit_is_kept(tmp_path: Path) -> None:
    calls = [
        {"toolCallId": "t1", "name": "create", "arguments": {"path": "a.md", "file_text": PAGE}},
        {"toolCallId": "t2", "name": "edit", "arguments": {"path": "a.py", "new_str": f"# {PAGE}"}},
    ]
    message = {"messageId": "m1", "content": "", "toolRequests": calls}
    path = tmp_path / SESSION / "events.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(
        line("session.start", {"sessionId": "s"}, 1) + line("assistant.message", message, 2)
    )

    assert [call.prose for call in of(readings.read(copilot, path).records, Role.CALL)] == [
        (PAGE,),
        (PAGE,),
    ]
