import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support import hostile, readings
from support.corpus import corpus

from git_lerim.agents import pi
from git_lerim.agents.base import Places
from git_lerim.sessions.session import Record, Role

DATA = Path(__file__).parent / "data" / "pi"
FOLDER = DATA / "sessions" / "--home-ada-shop--"
TREE = FOLDER / "2026-07-02T08-00-00-000Z_019f0000-0000-7000-8000-0000000000p1.jsonl"
LINEAR = FOLDER / "2025-11-20T08-00-00-000Z_d7030000-0000-4000-8000-000000000001.jsonl"

PAGE = "Prices are cents."


def of(records: tuple[Record, ...], *roles: Role) -> list[Record]:
    return [record for record in records if record.role in roles]


def entry(own: str, parent: str | None, text: str, role: str = "user") -> bytes:
    value = {"type": "message", "id": own, "parentId": parent, "timestamp": "2026-07-02T08:00:00Z"}
    return json.dumps({**value, "message": {"role": role, "content": text}}).encode() + b"\n"


HEAD = b'{"type":"session","version":3,"id":"s","timestamp":"2026-07-02T08:00:00Z","cwd":"/home/ada/shop"}\n'  # noqa: E501


def test_the_folder_is_what_the_variable_says() -> None:
    def roots(env: dict[str, str]) -> list[Path]:
        return pi.roots(Places(home=Path("/home/ada"), env=env, platform="linux"))

    assert roots({}) == [Path("/home/ada/.pi/agent")]
    assert roots({"PI_CODING_AGENT_DIR": "~/agent"}) == [Path("/home/ada/agent")]
    assert roots({"PI_CODING_AGENT_DIR": "/agent"}) == [Path("/agent")]


def test_session_files_are_found() -> None:
    assert [source.path for source in pi.find(DATA)] == [LINEAR, TREE]


def test_the_way_that_was_given_up_is_marked() -> None:
    records = readings.read(pi, TREE).records

    assert [(record.text, record.abandoned) for record in of(records, Role.PROMPT)] == [
        ("Make the parser faster.", False),
        ("Use a regular expression.", True),
        ("Write a tokenizer by hand instead.", False),
    ]
    assert [(record.n, record.abandoned) for record in of(records, Role.INTERRUPT)] == [(7, True)]


def test_a_failing_command_keeps_its_exit_code() -> None:
    failed = [record for record in readings.read(pi, TREE).records if record.failed]

    assert [(record.n, record.tool, record.exit_code) for record in failed] == [
        (5, "bash", 2),
        (12, "bash", 1),
    ]


def test_a_command_of_the_user_is_a_call_and_no_prompt() -> None:
    records = readings.read(pi, TREE).records

    assert [(r.role, r.command) for r in records if r.n == 12] == [
        (Role.CALL, "make test"),
        (Role.RESULT, None),
    ]


def test_written_files_stand_at_the_result() -> None:
    assert [record.files for record in readings.read(pi, TREE).records if record.n == 11] == [
        ("src/tokenizer.py",)
    ]


def test_summaries_title_fork_and_place_are_known() -> None:
    reading = readings.read(pi, TREE)

    assert [record.text for record in of(reading.records, Role.SUMMARY)] == [
        "The regular expression was given up.",
        "The tokenizer is written by hand.",
    ]
    assert (reading.header.title, reading.header.model) == ("Faster parser", "model-y")
    assert reading.header.forked_from == "019e0000-0000-7000-8000-0000000000p0"
    assert {record.cwd for record in reading.records} == {"/home/ada/shop"}
    assert reading.records[0].uuid == "aaaa0002@2026-07-02T08:00:02.000Z"


def test_files_without_ids_are_read_in_a_line() -> None:
    reading = readings.read(pi, LINEAR)

    assert readings.told(reading.records) == [
        (2, "prompt", "Rename the helper."),
        (3, "reply", "Renamed."),
    ]
    assert reading.records[0].uuid is None


def test_a_file_read_as_it_grows_gives_what_it_gives_at_once(tmp_path: Path) -> None:
    whole = TREE.read_bytes()
    path = tmp_path / TREE.name
    grown = list(
        readings.growing(pi, path, [*(whole[:size] for size in range(0, len(whole), 61)), whole])
    )

    assert readings.joined(grown) == readings.read(pi, path).records
    assert sum(reading.restart for reading in grown) == 1  # where the user went back


def test_nothing_new_gives_nothing() -> None:
    first = readings.read(pi, TREE)
    second = readings.read(pi, TREE, first.bookmark)

    assert (second.records, second.stored, second.restart, second.bookmark) == (
        (),
        0,
        False,
        first.bookmark,
    )


def test_a_broken_line_does_not_cut_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        HEAD
        + entry("a", None, "One.")
        + b'{"type":"message","id":"b","par\n'
        + entry("c", "b", "Three.")
    )
    reading = readings.read(pi, path)

    assert [(record.text, record.abandoned) for record in reading.records] == [
        ("One.", False),
        ("Three.", False),
    ]
    assert len(reading.warnings) == 1
    assert "line 3" in reading.warnings[0]


def test_what_another_agent_writes_in_a_fork_is_no_prompt(tmp_path: Path) -> None:
    named: dict[str, Any] = {
        "type": "session_info",
        "id": "b",
        "parentId": "a",
        "name": "subagent-worker-1",
    }
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        HEAD
        + entry("a", None, "Mine.")
        + json.dumps(named).encode()
        + b"\n"
        + entry("c", "b", "Task: theirs.")
    )

    assert readings.prompts(readings.read(pi, path).records) == ["Mine."]


def test_a_fork_of_another_agent_that_is_renamed_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    named = [
        json.dumps({"type": "session_info", "id": own, "parentId": above, "name": name}).encode()
        for own, above, name in (("a", None, "subagent-worker-1"), ("b", "a", "Build rules"))
    ]
    stored = [HEAD + named[0] + b"\n", named[1] + b"\n" + entry("c", "b", "Task: theirs.")]
    grown = readings.growing(pi, path, [stored[0], b"".join(stored)])

    assert readings.prompts(readings.joined(list(grown))) == []


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"[]\n", b'{"type":"message"}\n', b"\xff\xfe\n", b'{"type":"session"']
)
def test_a_file_that_is_no_session_gives_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)

    assert (readings.read(pi, path).session, readings.read(pi, path).records) == ("", ())


def _text(content: Any) -> str:
    return (
        content
        if isinstance(content, str)
        else "\n".join(p["text"] for p in content if p["type"] == "text" and p["text"])
    )


def test_no_value_stops_the_reader(tmp_path: Path) -> None:
    lines = [json.loads(one) for one in TREE.read_text().splitlines()]
    for number, content in enumerate(hostile.variants(lines)):
        path = tmp_path / f"{number}.jsonl"
        half = content[: len(content) // 2]
        for reading in readings.growing(pi, path, [HEAD + half, HEAD + content]):
            assert reading.bookmark is not None
            assert hostile.survives(reading)


@pytest.mark.corpus
def test_real_sessions_are_counted_as_another_counter_counts_them() -> None:
    paths = sorted(corpus("sessions/pi").glob("**/*.jsonl"))
    assert len(paths) == 5
    for path in paths:
        entries = [json.loads(one) for one in path.read_text("utf-8").split("\n") if one]
        named = [
            n
            for n, e in enumerate(entries)
            if e["type"] == "session_info" and e["name"].startswith("subagent-")
        ]
        own = entries[: named[0]] if named else entries
        said = Counter(
            _text(e["message"]["content"]).strip()
            for e in own
            if e.get("message", {}).get("role") == "user"
        )
        turns = [e["message"] for e in entries if e.get("message", {}).get("role") == "assistant"]
        reading = readings.read(pi, path)

        assert reading.session == entries[0]["id"]
        assert reading.stored == len(entries)
        assert Counter(readings.prompts(reading.records)) == said
        assert len(of(reading.records, Role.REPLY)) == sum(
            1 for turn in turns if _text(turn["content"]).strip()
        )
        assert len(of(reading.records, Role.INTERRUPT)) == sum(
            1 for turn in turns if turn.get("stopReason") == "aborted"
        )
        assert sum(record.failed for record in reading.records) == sum(
            1
            for e in entries
            if e.get("message", {}).get("isError") or e.get("message", {}).get("exitCode")
        )
        assert not any(record.abandoned for record in reading.records)
        assert not reading.warnings
        assert not readings.read(pi, path, reading.bookmark).records


@pytest.mark.corpus
def test_the_peers_fixtures_are_read_alike() -> None:
    """Agree with `expected.json` but for four things.

    Reasoning and pasted images are no words of ours; a result without a call is kept (its call can
    stand in an earlier part of a fork); a failing result keeps its text as it stands, without
    `Error: ` before it; a command that the user ran is kept.
    """
    fixtures = corpus("peers/lerim/trajectory-apache/fixtures/pi")
    for name in ("tool-calls", "cleanup"):
        expected = json.loads((fixtures / name / "expected.json").read_text())["records"]
        records = readings.read(pi, fixtures / name / "input.jsonl").records
        answered = {
            record["tool_call_id"]: record for record in expected if record["role"] == "tool"
        }

        assert readings.prompts(records) == [
            r["content"].removesuffix("\n[image]") for r in expected if r["role"] == "user"
        ]
        assert [record.text for record in of(records, Role.REPLY)] == [
            record["content"]
            for record in expected
            if record["role"] == "assistant" and record["content"]
        ]
        assert [record.call for record in of(records, Role.CALL) if record.call] == [
            call["id"] for record in expected for call in record.get("tool_calls", ())
        ]
        assert {r.call: not r.failed for r in of(records, Role.RESULT) if r.call in answered} == {
            call: record["ok"] for call, record in answered.items()
        }
        assert {record.cwd for record in records} == {expected[0]["cwd"]}


def test_the_prose_of_an_edit_is_kept(tmp_path: Path) -> None:
    edits = [{"oldText": "x", "newText": "# Never use floats here.\nx"}]
    calls = [
        {
            "type": "toolCall",
            "id": "c1",
            "name": "write",
            "arguments": {"path": "a.md", "content": PAGE},
        },
        {
            "type": "toolCall",
            "id": "c2",
            "name": "edit",
            "arguments": {"path": "a.py", "edits": edits},
        },
    ]
    message = {"role": "assistant", "content": calls}
    value = {"type": "message", "id": "m1", "parentId": None, "message": message}
    path = tmp_path / "sessions" / "x.jsonl"
    path.parent.mkdir()
    path.write_bytes(HEAD + json.dumps(value).encode() + b"\n")

    assert [record.prose for record in of(readings.read(pi, path).records, Role.CALL)] == [
        (PAGE,),
        ("Never use floats here.",),
    ]
