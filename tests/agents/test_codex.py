import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.corpus import corpus
from support.costs import grows_evenly
from support.readings import growing, joined, prompts, read, told

from git_lerim.agents.base import Agent, Places
from git_lerim.agents.codex import words
from git_lerim.agents.codex.words import human
from git_lerim.agents.roster import agent
from git_lerim.sessions.session import Record, Role

CODEX: Agent = agent("codex")
HOME = Path(__file__).parent / "data" / "codex"
ID = "019d6306-0000-7000-8000-000000000001"
DAY = HOME / "sessions" / "2026" / "04" / "06"
MAIN = DAY / f"rollout-2026-04-06T13-42-00-{ID}.jsonl"
FORK = DAY / "rollout-2026-04-06T14-00-00-019d6307-0000-7000-8000-000000000002.jsonl"
HELPER = DAY / "rollout-2026-04-06T13-42-30-019d6308-0000-7000-8000-000000000003.jsonl"
NEW = DAY / "rollout-2026-11-21T22-18-46-01a20030-0000-7000-8000-000000000004.jsonl"
OLD = (
    HOME
    / "sessions"
    / "2025"
    / "08"
    / "01"
    / "rollout-2025-08-01T10-00-00-1f0e0d0c-0000-4000-8000-000000000005.jsonl"
)
DOCUMENT = HOME / "sessions" / "rollout-2025-05-01-2a0e0d0c-0000-4000-8000-000000000006.json"
NAME = "rollout-2026-04-06T13-42-00-x.jsonl"
PATCH = (
    "*** Begin Patch\n*** Update File: price.py\n@@\n x = 1\n"
    '+# Prices are "cents",\n+# because floats round.\n*** End Patch\n'
)


def line(kind: str, **payload: Any) -> dict[str, Any]:
    """Return a line of a rollout."""
    return {"timestamp": "2026-04-06T13:42:00.000Z", "type": kind, "payload": payload}


META = line("session_meta", id="t1", cwd="/home/ada/shop", cli_version="0.118.0", source="cli")


def item(kind: str, **more: Any) -> dict[str, Any]:
    """Return the line of a response item."""
    line_ = line("response_item", **more)
    return {**line_, "payload": {"type": kind, **line_["payload"]}}


def event(kind: str, **more: Any) -> dict[str, Any]:
    """Return the line of an event."""
    line_ = line("event_msg", **more)
    return {**line_, "payload": {"type": kind, **line_["payload"]}}


def said(role: str, text: str) -> dict[str, Any]:
    """Return the line of a message."""
    return item(
        "message",
        role=role,
        content=[{"type": "input_text" if role == "user" else "output_text", "text": text}],
    )


def content(*lines: dict[str, Any]) -> bytes:
    """Return a rollout's bytes."""
    return "".join(json.dumps(each) + "\n" for each in (META, *lines)).encode()


def records(folder: Path, *lines: dict[str, Any]) -> tuple[Record, ...]:
    """Return what is read from a rollout of these lines, after its first."""
    path = folder / NAME
    path.write_bytes(content(*lines))
    return read(CODEX, path).records


def result(folder: Path, output: Any, tool: str = "shell_command") -> Record:
    """Return what is read of a tool's output."""
    called = item("function_call", name=tool, arguments='{"command":"make"}', call_id="c1")
    return records(folder, called, item("function_call_output", call_id="c1", output=output))[-1]


def test_the_variable_names_the_home(tmp_path: Path) -> None:
    assert CODEX.roots(Places(tmp_path, {"CODEX_HOME": "/elsewhere"}, "linux")) == [
        Path("/elsewhere")
    ]
    assert CODEX.roots(Places(tmp_path, {}, "win32")) == [tmp_path / ".codex"]


def test_rollouts_are_found_archived_and_compressed_ones_too_and_nothing_else(
    tmp_path: Path,
) -> None:
    for name in ("a", "b"):
        (tmp_path / "archived_sessions").mkdir(exist_ok=True)
        (tmp_path / "archived_sessions" / f"rollout-{name}.jsonl.zst").write_bytes(b"x")
    (tmp_path / "archived_sessions" / "rollout-a.jsonl").write_bytes(b"x")
    (tmp_path / "history.jsonl").write_bytes(b"x")
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "session_index.jsonl").write_bytes(b"x")

    assert [source.path.name for source in CODEX.find(tmp_path)] == [
        "rollout-a.jsonl",
        "rollout-b.jsonl.zst",
    ]
    assert len(list(CODEX.find(HOME))) == 6


def test_a_recorded_rollout_gives_what_was_said_and_done() -> None:
    reading = read(CODEX, MAIN)

    assert (reading.session, reading.part, reading.stored, reading.warnings) == (ID, None, 42, ())
    assert (reading.header.title, reading.header.version, reading.header.model) == (
        "Fix the tests",
        "0.118.0",
        "gpt-5.4",
    )
    assert (reading.header.remote, reading.header.commit[:4]) == (
        "git@github.com:ada/shop.git",
        "93ae",
    )
    assert [(n, role, text.split("\n")[0]) for n, role, text in told(reading.records)] == [
        (7, "prompt", "The tests fail. Fix them."),
        (10, "reply", "I run the tests."),
        (11, "call", "shell_command: pytest -q"),
        (12, "result", "Exit code: 1"),
        (13, "call", "apply_patch: catalog.py"),
        (15, "result", ""),
        (16, "call", "shell: git commit -am 'Create the table'"),
        (17, "result", ""),
        (18, "call", "request_user_input"),
        (19, "answer", "Editor"),
        (20, "call", 'exec: grep -n "x" a.py'),
        (21, "result", "Script failed"),
        (22, "call", "exec_command: make check"),
        (23, "result", "Chunk ID: 2643a4"),
        (24, "call", "shell_command: rm -r build"),
        (25, "rejection", ""),
        (26, "interrupt", ""),
        (29, "prompt", "Call it index."),
        (31, "reply", "Renamed."),
        (34, "prompt", "Keep the name."),
        (36, "reply", "It stays."),
        (37, "report", "No finding."),
        (38, "report", "Two lines."),
        (39, "summary", "The table is created; the name stays."),
    ]


def test_a_record_carries_where_and_when_and_what_it_joins() -> None:
    by_line = {record.n: record for record in read(CODEX, MAIN).records}

    assert (by_line[7].cwd, by_line[7].branch, by_line[7].uuid) == (
        "/home/ada/shop/api",
        "main",
        None,
    )
    assert by_line[7].at == 1775482927000
    assert (by_line[11].command, by_line[11].call) == ("pytest -q", "call_1")
    assert (by_line[12].failed, by_line[12].exit_code, by_line[12].call) == (True, 1, "call_1")
    assert by_line[13].files == ("catalog.py",)
    assert (by_line[15].files, by_line[15].exit_code, by_line[15].failed) == (
        ("/home/ada/shop/catalog.py",),
        0,
        False,
    )
    assert by_line[17].commits == ("3f2a9c1",)
    assert (by_line[19].question, by_line[19].options) == (
        "Where should the panel appear?",
        ("Sidebar (Recommended): a", "Editor: b"),
    )
    assert by_line[19].text == "Editor\nbeside the code"
    assert by_line[20].command == 'grep -n "x" a.py'
    assert by_line[23].exit_code == 2


def test_a_turn_that_was_rolled_back_is_abandoned() -> None:
    assert [record.n for record in read(CODEX, MAIN).records if record.abandoned] == [29, 31]


def test_a_fork_tells_only_its_own_part() -> None:
    reading = read(CODEX, FORK)

    assert (reading.session, reading.header.forked_from) == (FORK.stem[-36:], ID)
    assert told(reading.records) == [
        (11, "prompt", "Try it another way."),
        (13, "reply", "Another way it is."),
    ]


def test_a_sub_agents_rollout_is_a_part_of_its_root_and_none_of_it_is_the_human() -> None:
    reading = read(CODEX, HELPER)

    assert (reading.session, reading.part, reading.header.forked_from) == (ID, HELPER.name, "")
    assert {record.part for record in reading.records} == {HELPER.name}
    assert told(reading.records) == [
        (8, "call", "exec_command: git diff"),
        (9, "result", ""),
        (11, "reply", "No finding."),
    ]


@pytest.mark.parametrize(
    "source", [{"subagent": "review"}, {"subagent": {"thread_spawn": {"parent_thread_id": "t0"}}}]
)
def test_what_is_asked_of_a_sub_agent_is_not_the_human(
    tmp_path: Path, source: dict[str, Any]
) -> None:
    path = tmp_path / NAME
    lines = [
        line("session_meta", id="t1", source=source),
        said("user", "Review it."),
        event("user_message", message="Review it."),
    ]
    path.write_text(
        "".join(json.dumps(each) + "\n" for each in [*lines, said("assistant", "No finding.")])
    )
    reading = read(CODEX, path)

    assert (reading.session, reading.part) == (
        ("t0", NAME) if "thread_spawn" in source["subagent"] else ("t1", None)
    )
    assert [record.role for record in reading.records] == [Role.REPLY]


def test_a_fork_whose_own_turn_was_quick_is_told_when_nothing_was_copied(tmp_path: Path) -> None:
    path = tmp_path / NAME
    lines = [
        line("session_meta", id="t2", forked_from_id="t1"),
        event("task_started"),
        said("user", "Go."),
        event("task_complete"),
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))

    assert prompts(read(CODEX, path).records) == ["Go."]


def test_the_newest_form_is_read_from_completed_items() -> None:
    reading = read(CODEX, NEW)
    by_line = {record.n: record for record in reading.records}

    assert prompts(reading.records) == ["Record it."]
    assert [record.text for record in reading.records if record.role is Role.REPLY] == [
        "I write it down."
    ]
    assert by_line[7].files == ("NOTES.md",)
    assert (by_line[9].files, by_line[9].exit_code) == (("/home/ada/shop/NOTES.md",), 0)
    assert (by_line[12].failed, by_line[12].exit_code) == (True, 1)


def test_the_old_form_without_envelopes_takes_its_folder_from_the_environment_text() -> None:
    reading = read(CODEX, OLD)

    assert reading.session == OLD.stem[-36:]
    assert told(reading.records) == [
        (4, "prompt", "List the files."),
        (6, "call", "shell: ls"),
        (7, "result", ""),
        (9, "reply", "One file: catalog.py."),
    ]
    assert {(record.cwd, record.at) for record in reading.records} == {
        ("/home/ada/shop", 1754042400000)
    }


def test_the_json_document_of_the_first_program_is_read() -> None:
    reading = read(CODEX, DOCUMENT)

    assert (reading.session, reading.stored) == (DOCUMENT.stem[-36:], 4)
    assert told(reading.records) == [
        (1, "prompt", "Say hello."),
        (2, "call", "local_shell: echo hello"),
        (3, "result", ""),
        (4, "reply", "Hello."),
    ]


@pytest.mark.parametrize("by", ["package", "program"])
def test_a_compressed_rollout_is_read_as_the_plain_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    if not shutil.which("zstd"):
        pytest.skip("needs the program zstd, to compress")
    packed = tmp_path / (MAIN.name + ".zst")
    subprocess.run(["zstd", "-q", str(MAIN), "-o", str(packed)], check=True)
    if by == "package":
        pytest.importorskip("zstandard")
    else:
        monkeypatch.setattr("git_lerim.agents.codex.packed.find_spec", lambda _: None)

    reading = read(CODEX, packed)
    assert reading.records == read(CODEX, MAIN).records
    assert (reading.session, reading.warnings) == (ID, ())


def test_a_compressed_rollout_that_nothing_can_unpack_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_lerim.agents.codex.packed.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "rollout-x.jsonl.zst"
    path.write_bytes(b"x")

    reading = read(CODEX, path)
    assert reading.session == ""
    assert "zstandard" in reading.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "<user_instructions>Be brief.</user_instructions>",
        "# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<turn_aborted>x</turn_aborted>",
        "<skill>x</skill>",
        "<image name=[Image #1]>",
        "<personality_spec>x</personality_spec>",
        "<user_action>x</user_action>",
        "<subagent_notification>no json</subagent_notification>",
        "<collaboration_mode>x</collaboration_mode>",
        "<permissions instructions>x</permissions instructions>",
        "Another language model started to solve this problem and produced a summary.\n\nUse it.",
        "Warning: The maximum number of unified exec processes you can keep open is 60.",
        "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead.",
        "  ",
    ],
)
def test_what_codex_put_into_a_user_message_is_no_prompt(tmp_path: Path, text: str) -> None:
    assert records(tmp_path, said("user", text), said("developer", "Be careful.")) == ()


def test_a_prompt_that_is_told_as_item_and_as_event_is_told_once(tmp_path: Path) -> None:
    found = records(
        tmp_path,
        said("user", "Injected by some plugin."),
        said("user", "Do it."),
        event("user_message", message="Do it."),
    )

    assert prompts(found) == ["Do it."]


def test_without_events_prompts_are_taken_from_items(tmp_path: Path) -> None:
    assert prompts(records(tmp_path, said("user", "Do it."))) == ["Do it."]


def test_a_prompt_read_as_an_item_is_not_told_again_when_its_event_comes(tmp_path: Path) -> None:
    lines = [said("user", "Do it."), event("user_message", message="Do it.")]
    readings = list(growing(CODEX, tmp_path / NAME, [content(lines[0]), content(*lines)]))

    assert readings[1].restart
    assert told(joined(readings)) == [(3, "prompt", "Do it.")]


@pytest.mark.parametrize(
    ("output", "code", "failed"),
    [
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 1\n", 0, False),
        ("Exit code: 127\nWall time: 0 seconds\nOutput:\nnot found", 127, True),
        (
            "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\nx",  # noqa: E501
            3,
            True,
        ),
        (
            "Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nx",
            None,
            False,
        ),
        ('{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}', 2, True),
        ({"content": "x", "success": False}, None, True),
        ({"content": "x", "success": True}, None, False),
        (
            [
                {"text": "Script completed\nWall time 0 seconds\nOutput:\n"},
                {"text": '{"exit_code":0}{"exit_code":5}'},
            ],
            5,
            True,
        ),
        ("apply_patch verification failed: Failed to find expected lines", None, True),
        ("plain text", None, False),
        ("", None, False),
        (None, None, False),
        (7, None, False),
    ],
)
def test_how_a_tool_ended_is_read_from_all_its_forms(
    tmp_path: Path,
    output: Any,
    code: int | None,
    failed: bool,  # noqa: FBT001
) -> None:
    record = result(tmp_path, output)

    assert (record.exit_code, record.failed, bool(record.text)) == (code, failed, failed)


def test_an_open_question_is_answered_in_a_later_reading(tmp_path: Path) -> None:
    asked = json.dumps(
        {
            "questions": [
                {"id": "q", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}
            ]
        }
    )
    lines = [
        item("function_call", name="request_user_input", arguments=asked, call_id="c1"),
        item("function_call_output", call_id="c1", output='{"answers":{"q":{"answers":["B"]}}}'),
    ]
    readings = list(growing(CODEX, tmp_path / NAME, [content(lines[0]), content(*lines)]))

    assert [(record.role, record.text, record.options) for record in joined(readings)[1:]] == [
        (Role.ANSWER, "B", ("A", "B"))
    ]
    assert "Which?" not in json.dumps(readings[0].bookmark and readings[0].bookmark.state)


@pytest.mark.parametrize(
    ("name", "arguments", "output"),
    [
        (
            "request_user_input",
            {"questions": [{"id": "q", "question": "Floats?"}]},
            '{"answers":{"q":{"answers":["Never use floats."]}}}',
        ),
        ("exec_command", {"cmd": "git commit -m x"}, "[main 3f2a9c1] x"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n"}, "done"),
        ("deploy", {}, "rejected by user: never deploy on Fridays"),
    ],
)
def test_a_servers_tool_is_none_of_the_clients(
    tmp_path: Path, name: str, arguments: dict[str, Any], output: str
) -> None:
    given = json.dumps(arguments)
    called, answered = records(
        tmp_path,
        item("function_call", name=name, namespace="mcp__x", arguments=given, call_id="c"),
        item("function_call_output", call_id="c", output=output),
    )

    assert (called.tool, called.command, called.files) == (f"mcp__x.{name}", None, ())
    assert (answered.role, answered.files, answered.commits) == (Role.RESULT, (), ())


def test_results_find_their_calls_in_order_where_ids_repeat(tmp_path: Path) -> None:
    found = records(
        tmp_path,
        item("function_call", name="exec_command", arguments='{"cmd":"ls"}', call_id="REDACTED"),
        item("function_call", name="update_plan", arguments="not json", call_id="REDACTED"),
        item("function_call_output", call_id="REDACTED", output="a"),
        item("function_call_output", call_id="REDACTED", output="b"),
    )

    assert [record.tool for record in found] == [
        "exec_command",
        "update_plan",
        "exec_command",
        "update_plan",
    ]


def test_a_patch_in_a_script_names_its_files(tmp_path: Path) -> None:
    script = (
        'await tools.apply_patch("*** Begin Patch\\n*** Add File: a.py\\n+x\\n*** End Patch\\n");'
    )
    (record,) = records(tmp_path, item("custom_tool_call", name="exec", input=script, call_id="c1"))

    assert record.files == ("a.py",)


def test_a_bookmark_holds_no_words_of_the_session() -> None:
    bookmark = read(CODEX, MAIN).bookmark

    assert bookmark
    assert not any(
        word in json.dumps(bookmark.state) for word in ("tests", "pytest", "panel", "index.")
    )


@pytest.mark.parametrize(
    "raw", [b"", b'{"type":"response_item"}\n', b"[1]\n", b'{"record_type":"state"}\n']
)
def test_a_file_without_a_conversation_is_no_session(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(raw)
    reading = read(CODEX, path)

    assert (reading.session, reading.records) == ("", ())
    assert reading.bookmark


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<image ",
            "[Image #1] ",
            "# x\n## My request for Codex:",
            "<cwd>",
            "<cwd> ",
            " ",
            "\n",
            "Current working directory: ",
            "Exit code: 1\n",
        ),
        *(
            'cmd:"',
            "cmd: ",
            "\nOutput:\n",
            "*** Begin Patch\n*** Add File: ",
            "{",
            "<subagent_notification>",
        ),
    ],
)
def test_no_text_makes_the_reading_slow(tmp_path: Path, piece: str) -> None:
    def read(size: int) -> None:
        text = piece * (size // len(piece))
        called = item("custom_tool_call", name="exec", input=text, call_id="c1")
        records(
            tmp_path,
            said("user", text),
            said("user", text + "x"),
            called,
            item("custom_tool_call_output", call_id="c1", output=text),
        )

    assert grows_evenly(read, 100_000)


@settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(data=st.data())
@pytest.mark.parametrize(
    "recording", [MAIN, FORK, HELPER, NEW, OLD], ids=["main", "fork", "helper", "new", "old"]
)
def test_a_rollout_read_in_steps_is_the_rollout_read_at_once(
    tmp_path: Path, recording: Path, data: st.DataObject
) -> None:
    whole = recording.read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), min_size=1, max_size=3)))
    readings = list(
        growing(CODEX, tmp_path / recording.name, [*(whole[:cut] for cut in cuts), whole])
    )

    assert joined(readings) == read(CODEX, recording).records
    assert readings[-1].bookmark
    assert readings[-1].bookmark.offset == len(whole)


@settings(
    max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(at=st.integers(0, MAIN.stat().st_size), junk=st.binary(max_size=40))
def test_damage_never_stops_the_reading(tmp_path: Path, at: int, junk: bytes) -> None:
    whole = MAIN.read_bytes()
    path = tmp_path / MAIN.name
    path.write_bytes(whole[:at] + junk + whole[at + len(junk) :])

    assert len(read(CODEX, path).records) > 10


def independent(path: Path) -> tuple[int, Counter[str]]:
    """Count the objects and the real prompts of a rollout in a plain loop, by the rules of the
    formats' description.
    """
    values = [json.loads(text) for text in path.read_text("utf-8").split("\n") if text.strip()]
    payloads = [value.get("payload", {}) for value in values]
    if "subagent" in str(payloads[0].get("source")):
        return len(values), Counter()
    told_ = [payload["message"] for payload in payloads if payload.get("type") == "user_message"]
    completed = [payload["item"] for payload in payloads if payload.get("type") == "item_completed"]
    told_ += [each["content"][0]["text"] for each in completed if each["type"] == "UserMessage"]
    words = [
        text.rpartition("## My request for Codex:\n")[2].replace("[Image #1]", "").strip()
        for text in told_
    ]
    return len(values), Counter(text[:20].strip() for text in words)


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["sessions/codex", "recordings/codex"])
def test_counts_over_real_rollouts_are_those_of_an_independent_count(folder: str) -> None:
    homes = [path.parent for path in corpus(folder).rglob("sessions")]
    for source in (source for home in homes for source in CODEX.find(home)):
        (reading,) = CODEX.read(source, None)
        stored, found = independent(source.path)

        assert reading.stored == stored, source.path
        assert Counter(text[:20].strip() for text in prompts(reading.records)) == found, source.path
        assert reading.bookmark
        assert reading.bookmark.offset == source.size
        assert reading.warnings == ()
        assert reading.session


@pytest.mark.corpus
def test_a_growing_rollout_is_read_once_and_gives_the_same(tmp_path: Path) -> None:
    snapshots = sorted(corpus("sessions/_growth/codex-019ed50c").glob("*.jsonl"))
    readings = list(growing(CODEX, tmp_path / NAME, [path.read_bytes() for path in snapshots]))

    assert joined(readings) == read(CODEX, tmp_path / NAME).records
    assert not any(reading.restart for reading in readings)
    assert [reading.bookmark and reading.bookmark.offset for reading in readings] == [
        path.stat().st_size for path in snapshots
    ]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "asked", "failing", "touched"),
    [
        ("c606", ["What does slug.py do?"], [], []),
        (
            "c7d6",
            ["Where should the slug separator be defined? Decide and record it."],
            [],
            ["DECISIONS.md"],
        ),
        (
            "ca6a",
            ["The slug test fails. Find out why and fix it.", "Also handle the empty title."],
            [("python3 test_slug.py", 1)],
            ["slug.py"],
        ),
        ("cf6e", ["Use a helper to count the lines of slug.py."], [], []),
    ],
)
def test_of_a_real_client_everything_is_read_that_its_script_played(
    name: str, asked: list[str], failing: list[tuple[str, int]], touched: list[str]
) -> None:
    (path,) = corpus("recordings/codex/.codex").rglob(f"rollout-*-01a20030-{name}-*.jsonl")
    found = read(CODEX, path).records
    commands = {record.call: record.command for record in found if record.role is Role.CALL}

    assert prompts(found) == asked
    assert [
        (commands[record.call], record.exit_code) for record in found if record.failed
    ] == failing
    assert [
        Path(file).name for record in found if record.role is Role.RESULT for file in record.files
    ] == touched
    assert not any(record.role is Role.INTERRUPT or record.abandoned for record in found)


@pytest.mark.corpus
def test_of_a_real_client_the_sub_agent_is_a_part_of_its_parent() -> None:
    (path,) = corpus("recordings/codex/.codex").rglob("rollout-*-cff7-*.jsonl")
    reading = read(CODEX, path)

    assert (reading.session.split("-")[1], reading.part) == ("cf6e", path.name)
    assert [record.command for record in reading.records if record.role is Role.CALL] == [
        "wc -l slug.py"
    ]
    assert prompts(reading.records) == []


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["cleanup", "tool-calls"])
def test_a_peers_fixtures_are_read_as_the_peer_expects(tmp_path: Path, name: str) -> None:
    """Compare words, tool names and whose result a result is.

    Different on purpose: reasoning is dropped, because it is not said; missing times stay missing;
    ids that repeat are kept as they are, and joined in order; a result without a call is kept,
    without a tool, where the peer drops it; the text of a result is kept only where it failed.
    """
    folder = corpus(f"peers/lerim/trajectory-apache/fixtures/codex/{name}")
    path = tmp_path / NAME
    path.write_bytes((folder / "input.jsonl").read_bytes())
    expected: list[tuple[Role, Any]] = []
    for record in json.loads((folder / "expected.json").read_text())["records"]:
        expected += [
            (Role.CALL, (tool["name"], tool["id"].partition("__")[0]))
            for tool in record.get("tool_calls", ())
        ]
        if record["role"] == "tool":
            expected.append((Role.RESULT, record["tool_call_id"].partition("__")[0]))
        elif record["role"] in {"user", "assistant"} and record["content"]:
            expected.append(
                (Role.PROMPT if record["role"] == "user" else Role.REPLY, record["content"])
            )
    heard: list[tuple[Role, Any]] = []
    for found in read(CODEX, path).records:
        if found.role is Role.CALL:
            heard.append((found.role, (found.tool, found.call)))
        elif found.role is not Role.RESULT:
            heard.append((found.role, found.text))
        elif found.tool:
            heard.append((found.role, found.call))

    assert heard == expected


def test_a_selected_file_that_holds_the_heading_of_a_request_is_none() -> None:
    selection = (
        "## Active selection of the file:\n## My request for Codex:\nFrom now on always use"
        " --force.\n"
    )

    assert (
        human(
            f"# Context from my IDE setup:\n\n{selection}\n## My request for Codex:\nExplain this."
        )
        == "Explain this."
    )


def test_what_another_agent_asks_over_mcp_is_no_prompt(tmp_path: Path) -> None:
    meta = line("session_meta", id="t1", cwd="/home/ada/shop", cli_version="0.118.0", source="mcp")
    path = tmp_path / NAME
    path.write_bytes(
        "".join(
            json.dumps(each) + "\n" for each in (meta, said("user", "Always use --force."))
        ).encode()
    )

    assert prompts(read(CODEX, path).records) == []


@pytest.mark.parametrize(
    "called",
    [
        item("custom_tool_call", name="apply_patch", input=PATCH, call_id="c1"),
        item("function_call", name="apply_patch", arguments=json.dumps({"input": PATCH})),
        item(
            "function_call", name="shell", arguments=json.dumps({"command": ["apply_patch", PATCH]})
        ),
        item(
            "function_call",
            name="exec_command",
            arguments=json.dumps({"cmd": f"apply_patch <<'EOF'\n{PATCH}EOF"}),
        ),
        item(
            "custom_tool_call",
            name="exec",
            input=f"await tools.apply_patch({json.dumps(PATCH)});",
        ),
    ],
)
def test_the_prose_of_a_patch_is_kept(tmp_path: Path, called: dict[str, Any]) -> None:
    (record,) = records(tmp_path, called)

    assert record.prose == ('Prices are "cents", because floats round.',)


def noted(*kinds: str) -> dict[str, Any]:
    return {"internal_chat_message_metadata_passthrough": {"content_item_kinds": [*kinds]}}


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        (("user.text", "hook.additional_context"), "Fix it."),
        (("hook.additional_context", "user.text"), "Always use bun."),
        (("user.text", "user.text"), "Fix it.\nAlways use bun."),
        (("user.text", "a", "b"), ""),  # nobody knows which is which
        ((), "Fix it.\nAlways use bun."),
    ],
)
def test_only_what_the_user_typed_of_a_message_counts(kinds: tuple[str, ...], text: str) -> None:
    content = [{"type": "input_text", "text": part} for part in ("Fix it.", "Always use bun.")]

    assert words.own_text({"content": content, **noted(*kinds)}) == text


def test_the_text_of_a_skill_is_not_typed() -> None:
    content = [{"type": "text", "text": "Fix it."}, {"type": "skill", "text": "Always use bun."}]

    assert words.completed_text(content) == "Fix it."
