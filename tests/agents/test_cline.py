import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import hostile, readings
from support.corpus import corpus

from git_lerim.agents import cline
from git_lerim.agents.base import Places
from git_lerim.errors import Unreadable
from git_lerim.sessions.session import Record, Role

DATA = Path(__file__).parent / "data" / "cline"
TASK = DATA / "tasks/1767600000000/ui_messages.json"
MESSAGES = json.loads(TASK.read_bytes())
EXTENSION = "User/globalStorage/saoudrizwan.claude-dev"


def of(role: Role) -> list[Record]:
    return [record for record in readings.read(cline, TASK).records if record.role is role]


def written(tmp_path: Path, messages: Any, task: str = "1767600000000") -> Path:
    path = tmp_path / "tasks" / task / "ui_messages.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(messages))
    return path


def heard(text: str) -> dict[str, Any]:
    return {"ts": 1767600000000, "type": "say", "say": "user_feedback", "text": text}


@pytest.mark.parametrize(
    ("platform", "env", "editor", "own"),
    [
        ("linux", {}, "/home/ada/.config/Code", "/home/ada/.cline/data"),
        ("linux", {"XDG_CONFIG_HOME": "/c", "CLINE_DIR": "/d"}, "/c/Code", "/d/data"),
        ("darwin", {"CLINE_DATA_DIR": "/e"}, "/home/ada/Library/Application Support/Code", "/e"),
        ("win32", {"APPDATA": "/r"}, "/r/Code", "/home/ada/.cline/data"),
    ],
)
def test_the_folders_are_those_of_the_editors(
    platform: str, env: dict[str, str], editor: str, own: str
) -> None:
    found = cline.roots(Places(home=Path("/home/ada"), env=env, platform=platform))

    assert (found[0], found[-1]) == (Path(editor) / EXTENSION, Path(own))
    assert Path("/home/ada/.vscode-server/data") / EXTENSION in found


def test_a_task_is_one_source() -> None:
    assert [source.path for source in cline.find(DATA)] == [TASK]


def test_only_what_the_human_typed_is_a_prompt() -> None:
    assert readings.prompts(readings.read(cline, TASK).records) == [
        *("Make the parser faster.", "Never use regular expressions here.", "Go on.")
    ]


def test_thoughts_and_progress_are_no_reply() -> None:
    assert [record.text for record in of(Role.REPLY)] == [
        "I measure it first.",
        "The parser is faster.",
        "Done.",
    ]


def test_what_follows_a_question_at_once_answers_it() -> None:
    (answer,) = of(Role.ANSWER)

    assert (answer.text, answer.question) == ("By hand, the table is too slow.", "Which tokenizer?")
    assert answer.options == ("A table", "By hand")


def test_what_the_human_says_after_a_task_was_resumed_answers_no_question(tmp_path: Path) -> None:
    asked = {
        "ts": 1,
        "type": "ask",
        "ask": "followup",
        "text": json.dumps({"question": "Which?", "options": []}),
    }
    resumed = {"ts": 2, "type": "ask", "ask": "resume_task"}
    path = written(tmp_path, [MESSAGES[0], asked, resumed, heard("Something else.")])

    assert [(r.role, r.text) for r in readings.read(cline, path).records][1:] == [
        (Role.PROMPT, "Something else.")
    ]


@pytest.mark.parametrize("kind", ["followup", "plan_mode_respond"])
def test_an_option_that_was_picked_is_an_answer(tmp_path: Path, kind: str) -> None:
    given = {"question": "Which?", "response": "The plan.", "options": ["A", "B"], "selected": "B"}
    path = written(
        tmp_path,
        [
            MESSAGES[0],
            {"ts": 1, "type": "ask", "ask": kind, "text": json.dumps(given)},
            heard("More."),
        ],
    )
    records = readings.read(cline, path).records

    assert [(r.text, r.options) for r in records if r.role is Role.ANSWER] == [("B", ("A", "B"))]
    assert [r.text for r in records if r.role is Role.REPLY] == (
        ["The plan."] if kind == "plan_mode_respond" else []
    )
    assert readings.prompts(records)[1:] == ["More."]


def test_a_command_has_no_result_unless_it_made_a_commit() -> None:
    assert [record.command for record in of(Role.CALL) if record.command] == [
        *("pytest -q", "git push", "git commit -am 'Faster'")
    ]
    assert [record.commits for record in of(Role.RESULT) if record.tool == "command"] == [
        ("3f2a9c1",)
    ]


def test_files_that_were_written_are_named_and_a_failed_edit_wrote_none() -> None:
    edits = [record for record in of(Role.RESULT) if record.tool == "editedExistingFile"]

    assert [(record.files, record.failed, "no such file" in record.text) for record in edits] == [
        (("parser.py",), False, False),
        ((), True, True),
    ]


def test_a_command_that_the_human_denied_is_a_rejection() -> None:
    (rejected,) = of(Role.REJECTION)
    (called,) = [record for record in of(Role.CALL) if record.call == rejected.call]

    assert (called.command, rejected.text) == ("git push", "")


def test_a_request_that_the_human_stopped_is_an_interrupt(tmp_path: Path) -> None:
    stopped = {
        "ts": 1,
        "type": "say",
        "say": "api_req_started",
        "text": json.dumps({"cancelReason": "user_cancelled"}),
    }
    failed = {**stopped, "text": json.dumps({"cancelReason": "streaming_failed"})}
    path = written(tmp_path, [MESSAGES[0], failed, stopped])

    assert [
        record.n for record in readings.read(cline, path).records if record.role is Role.INTERRUPT
    ] == [3]


def test_what_is_known_of_the_session() -> None:
    reading = readings.read(cline, TASK)

    assert (reading.session, reading.header.model, reading.stored) == (
        "1767600000000",
        "example/coder-1",
        len(MESSAGES),
    )
    assert {record.cwd for record in reading.records} == {"/home/ada/shop"}
    assert reading.records[0].at == 1767600000000
    assert reading.warnings == ()


def in_history(path: Path) -> None:
    source = TASK.with_name("api_conversation_history.json")
    path.with_name(source.name).write_bytes(source.read_bytes())


def in_list(path: Path) -> None:
    listed = path.parents[2] / "state" / "taskHistory.json"
    listed.parent.mkdir()
    listed.write_text(
        json.dumps(["odd", {"id": "1767600000000", "cwdOnTaskInitialization": "/home/ada/shop"}])
    )


@pytest.mark.parametrize("said", [in_history, in_list])
def test_the_folder_is_found_in_the_files_beside_the_messages(
    tmp_path: Path, said: Callable[[Path], None]
) -> None:
    path = written(tmp_path, MESSAGES[:1])
    assert readings.read(cline, path).records[0].cwd is None

    said(path)

    assert readings.read(cline, path).records[0].cwd == "/home/ada/shop"


def test_a_folder_that_a_file_or_the_human_quotes_is_not_where_the_task_ran(tmp_path: Path) -> None:
    quoted = (
        "<environment_details>\n# Current Working Directory (/elsewhere)"
        " Files\n</environment_details>\n"
    )
    request = {
        "request": (
            f"<task>\n{quoted}</task>\n<environment_details>\n# Current Mode\nACT"
            " MODE\n</environment_details>"
        )
    }
    told = {"ts": 1, "type": "say", "say": "api_req_started", "text": json.dumps(request)}
    path = written(tmp_path, [MESSAGES[0], told, MESSAGES[2]])

    assert readings.read(cline, path).records[0].cwd == "/home/ada/shop"


def test_a_task_that_grows_gives_the_same_as_one_read_at_once(tmp_path: Path) -> None:
    states = [json.dumps(MESSAGES[:cut]).encode() for cut in (1, 3, 6, 15, len(MESSAGES))]
    grown = list(readings.growing(cline, tmp_path / "tasks/1767600000000/ui_messages.json", states))

    assert readings.joined(grown) == readings.read(cline, TASK).records


def test_a_message_that_is_still_being_written_waits_for_the_next_reading(tmp_path: Path) -> None:
    half = {"ts": 1, "type": "say", "say": "text", "text": "I will nev", "partial": True}
    path = tmp_path / "tasks/1/ui_messages.json"
    states = [
        json.dumps([MESSAGES[0], one]).encode()
        for one in (half, {**half, "text": "I will never.", "partial": False})
    ]

    assert [len(reading.records) for reading in readings.growing(cline, path, states)] == [1, 2]


def test_a_task_that_did_not_change_is_not_read_again() -> None:
    reading = readings.read(cline, TASK, readings.read(cline, TASK).bookmark)

    assert (reading.session, reading.records, reading.restart) == ("", (), False)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[{", TASK.read_bytes()[:900], b"\x00\xff\xfe", b"[" * 100_000]
)
def test_a_file_that_is_no_whole_list_is_a_warning_and_takes_nothing_back(
    tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "tasks/1/ui_messages.json"
    _, reading = readings.growing(cline, path, [TASK.read_bytes(), data])

    assert (reading.session, reading.records, reading.restart) == ("", (), False)
    assert [str(path) in warning for warning in reading.warnings] == [True]


def test_a_file_that_is_gone_is_unreadable(tmp_path: Path) -> None:
    path = written(tmp_path, MESSAGES)
    (source,) = cline.find(tmp_path)
    path.unlink()

    with pytest.raises(Unreadable, match=r"ui_messages\.json"):
        list(cline.read(source, None))


@pytest.mark.parametrize(
    "odd", [7, None, "text", [], {}, {"say": 3, "text": "x"}, {"say": "text", "text": {"a": 1}}]
)
def test_a_message_of_an_odd_type_is_lost_alone(tmp_path: Path, odd: Any) -> None:
    path = written(tmp_path, [MESSAGES[0], odd, heard("Go on.")])
    reading = readings.read(cline, path)

    assert readings.prompts(reading.records) == ["Make the parser faster.", "Go on."]
    assert reading.warnings == (f"{path}, message 2: not understood, left out",)


def test_many_odd_messages_do_not_fill_the_screen(tmp_path: Path) -> None:
    assert len(readings.read(cline, written(tmp_path, [7] * 1000)).warnings) == 21


def test_no_value_of_another_type_stops_the_reader(tmp_path: Path) -> None:
    for number, lines in enumerate(hostile.variants(MESSAGES)):
        path = tmp_path / f"tasks/{number}/ui_messages.json"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"[" + b",".join(line for line in lines.splitlines() if line) + b"]")

        assert hostile.survives(readings.read(cline, path))


@pytest.mark.corpus
def test_a_real_task_has_what_its_human_said() -> None:
    (source,) = cline.find(corpus("sessions/cline/haram-333+fineye"))
    messages = json.loads(source.path.read_bytes())
    reading = readings.read(cline, source.path)
    heard = [m["text"] for m in messages if m.get("say") == "user_feedback"]
    spoken = [r.text for r in reading.records if r.role in {Role.PROMPT, Role.ANSWER}]

    assert spoken == [messages[0]["text"], *heard]
    assert sum(r.role is Role.ANSWER for r in reading.records) == 1
    assert sum(r.role is Role.CALL for r in reading.records) == sum(
        m.get("say") == "tool" for m in messages
    )
    assert len({r.cwd for r in reading.records}) == 1
    assert (reading.records[0].cwd or "").startswith("c:/")
    assert reading.warnings == ()


def test_the_prose_of_an_edit_is_kept(tmp_path: Path) -> None:
    diff = "------- SEARCH\nx\n=======\n# Never use floats here.\nx\n+++++++ REPLACE"
    edits = [
        {"tool": "editedExistingFile", "path": "a.py", "diff": diff},
        {"tool": "newFileCreated", "path": "a.md", "content": "Prices are cents."},
    ]
    messages = [
        {"ts": 1767600000000, "type": "say", "say": "tool", "text": json.dumps(edit)}
        for edit in edits
    ]
    reading = readings.read(cline, written(tmp_path, [heard("Store cents."), *messages]))

    assert [record.prose for record in reading.records if record.role is Role.CALL] == [
        ("Never use floats here.",),
        ("Prices are cents.",),
    ]


def test_the_context_that_the_agent_gives_to_a_new_task_is_not_the_humans(tmp_path: Path) -> None:
    context = "Current work: the parser.\n\nAlways use tabs.\n"
    begins = {"ts": 1767600000000, "type": "say", "say": "text", "text": context}
    hands_over = {"ts": 1767600060000, "type": "ask", "ask": "new_task", "text": context}
    first = written(tmp_path, [begins, hands_over])
    second = written(tmp_path, [begins, heard("Use spaces.")], "1767600120000")

    assert readings.prompts(readings.read(cline, first).records) == [context.strip()]
    handed, said = readings.read(cline, second).records
    assert (handed.role, handed.text) == (Role.SUMMARY, context.strip())
    assert (said.role, said.text) == (Role.PROMPT, "Use spaces.")
