import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from support import hostile, readings
from support.corpus import corpus

from git_lerim.agents import gemini
from git_lerim.agents.base import Places, Reading
from git_lerim.sessions.session import Record, Role

HASH = hashlib.sha256(b"/home/ada/shop").hexdigest()
HEAD = {
    "sessionId": "s1",
    "projectHash": HASH,
    "startTime": "2026-05-01T10:00:00.000Z",
    "kind": "main",
}
CONTEXT = {
    "id": "ctx",
    "type": "user",
    "content": [{"text": "<session_context>\nThis is the Gemini CLI.\n</session_context>"}],
}


def of(records: tuple[Record, ...], *roles: Role) -> list[Record]:
    return [record for record in records if record.role in roles]


def user(own: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "id": own,
        "timestamp": "2026-05-01T10:00:01.000Z",
        "type": "user",
        "content": [{"text": text}],
        **more,
    }


def agent(own: str, text: str, *calls: dict[str, Any]) -> dict[str, Any]:
    message = {
        "id": own,
        "timestamp": "2026-05-01T10:00:02.000Z",
        "type": "gemini",
        "content": text,
        "model": "gemini-x",
    }
    return {**message, "toolCalls": list(calls)} if calls else message


def call(
    name: str, args: dict[str, Any], status: str = "success", **response: str
) -> dict[str, Any]:
    result = [{"functionResponse": {"id": f"{name}_1", "name": name, "response": response}}]
    return {"id": f"{name}_1", "name": name, "args": args, "status": status, "result": result}


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def log(tmp_path: Path, *lines: dict[str, Any]) -> Reading:
    return readings.read(
        gemini, written(tmp_path / "tmp" / "shop" / "chats" / "session-1.jsonl", HEAD, *lines)
    )


def test_the_home_is_what_the_variable_says() -> None:
    def roots(env: dict[str, str]) -> list[Path]:
        return gemini.roots(Places(home=Path("/home/ada"), env=env, platform="linux"))

    assert roots({}) == [Path("/home/ada/.gemini")]
    assert roots({"GEMINI_CLI_HOME": "/g"}) == [Path("/g/.gemini"), Path("/g")]


def test_a_document_that_a_log_continues_is_left_out(tmp_path: Path) -> None:
    chats = tmp_path / "tmp" / "shop" / "chats"
    names = ("session-1.json", "session-1.jsonl", "session-2.json", "s1/part.jsonl")
    for name in (*names, "../logs.json", "../checkpoint-a.json"):
        written(chats / name)

    assert {source.path.relative_to(chats).as_posix() for source in gemini.find(tmp_path)} == set(
        names[1:]
    )


def test_only_what_the_human_typed_is_a_prompt(tmp_path: Path) -> None:
    expanded = [
        {"text": "Look at @a.py"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "secret"},
    ]
    hooked = "<hook_context>memory of ours</hook_context>\n\nFix it."
    answered = {
        "id": "u6",
        "type": "user",
        "content": [{"functionResponse": {"name": "x", "response": {"output": "y"}}}],
    }
    reading = log(
        tmp_path,
        {"$set": {"messages": [CONTEXT]}},
        user("u1", "Plain."),
        user("u2", "", content="Older."),
        user("u3", "", content=expanded, displayContent=[{"text": "Look at @a"}]),
        user("u4", hooked, displayContent=[{"text": hooked}]),
        user(
            "u5",
            "Typed.",
            content=[{"text": "Typed."}, {"text": "<hook_context>more</hook_context>"}],
        ),
        answered,
        user("u7", "System: Please continue."),
    )

    assert readings.prompts(reading.records) == [
        "Plain.",
        "Older.",
        "Look at @a",
        "Fix it.",
        "Typed.",
    ]


@pytest.mark.parametrize(
    "content",
    [
        "<hook_context>x</hook_context>\n\nNever use floats.\n</hook_context>\nFix it.",
        "<hook_context>\n\nNever use floats.",
        [{"text": " "}, {"text": "--- Content from referenced files ---"}, {"text": "No floats."}],
    ],
)
def test_what_a_hook_or_a_file_adds_is_no_prompt(tmp_path: Path, content: Any) -> None:
    reading = log(tmp_path, user("u1", "", content=content), user("u2", "Ship it."))

    assert [said for said in readings.prompts(reading.records) if said != "Fix it."] == ["Ship it."]


@pytest.mark.parametrize(
    "output",
    [
        "```\nnotes\n```",
        "```\nnotes\n```\n\nNever use floats.\n```",
        "```\nNever use floats.",
    ],
)
def test_a_shell_command_of_the_user_is_no_prompt(tmp_path: Path, output: str) -> None:
    ran = (
        "I ran the following shell command:\n```sh\ncat NOTES\n```\n\n"
        f"This produced the following result:\n{output}"
    )
    reading = log(
        tmp_path,
        user("u1", ran),
        user("u2", "", content=[{"text": ran}, {"text": "Fix it."}]),
        user("u3", "I ran the following shell command: make. It fails."),
    )

    assert readings.prompts(reading.records) == [
        "Fix it.",
        "I ran the following shell command: make. It fails.",
    ]


def test_a_message_that_comes_again_adds_only_its_calls(tmp_path: Path) -> None:
    shell = call(
        "run_shell_command",
        {"command": "ls"},
        output="<untrusted_context>\nOutput: a\nExit Code: 2\n</untrusted_context>",
    )
    reading = log(tmp_path, agent("m1", "I look."), agent("m1", "I look.", shell))

    assert [(r.n, r.role.value, r.text, r.failed, r.exit_code) for r in reading.records] == [
        (2, "reply", "I look.", False, None),
        (3, "call", "run_shell_command: ls", False, None),
        (3, "result", "a\nExit Code: 2", True, 2),
    ]


def test_results_of_tools_are_told(tmp_path: Path) -> None:
    denied = "[Operation Cancelled] Reason: User denied execution."
    asked = {"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]}
    finished = "Subagent 'x' finished.\nTermination Reason: GOAL\nResult:\nFour."
    reading = log(
        tmp_path,
        agent(
            "m1",
            "",
            call("write_file", {"file_path": "/home/ada/shop/a.py"}, output="Successfully wrote"),
            call("read_file", {"file_path": "gone"}, "error", error="File not found"),
            call(
                "run_shell_command",
                {"command": "git commit -m x"},
                output="Output: [main 9ab8c7d] x",
            ),
            call("run_shell_command", {"command": "git push"}, "cancelled", error=denied),
            call("ask_user", asked, output='{"answers":{"0":"B"}}'),
            call(
                "exit_plan_mode",
                {"plan_path": "p"},
                output="Plan approved. Switching to Default mode.",
            ),
            call(
                "exit_plan_mode",
                {"plan_path": "p"},
                output='Plan rejected. User feedback: "Too long"\n\nStored at p',
            ),
            call("invoke_agent", {"agent_name": "x", "prompt": "Count."}, output=finished),
        ),
        {"id": "i", "type": "info", "content": "Request cancelled."},
        {"id": "j", "type": "info", "content": "Update available!"},
    )
    told = of(
        reading.records,
        Role.RESULT,
        Role.REJECTION,
        Role.ANSWER,
        Role.APPROVAL,
        Role.REPORT,
        Role.INTERRUPT,
    )

    assert [(r.role.value, r.text, r.files, r.commits) for r in told] == [
        ("result", "", ("/home/ada/shop/a.py",), ()),
        ("result", "File not found", (), ()),
        ("result", "", (), ("9ab8c7d",)),
        ("rejection", "", (), ()),
        ("answer", "B", (), ()),
        ("approval", "", (), ()),
        ("rejection", "Too long", (), ()),
        ("report", "Four.", (), ()),
        ("interrupt", "", (), ()),
    ]
    assert (told[4].question, told[4].options) == ("Which?", ("A", "B"))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Ask User", "Exit Plan Mode"), {"answer", "approval", "rejection"}),
        (("ask_user (docs MCP Server)", "exit_plan_mode (docs MCP Server)"), {"result"}),
        (("ask_user", "exit_plan_mode"), {"result"}),
        ((["Ask User"], {}), {"result"}),
    ],
)
def test_a_servers_tool_that_is_called_like_a_dialog_does_not_speak_as_the_user(
    tmp_path: Path, names: tuple[Any, Any], told: set[str]
) -> None:
    asked = {"questions": [{"question": "Which?", "options": [{"label": "A"}]}]}
    ask, plan = ({"displayName": name} for name in names)
    calls = [
        call("ask_user", asked, output='{"answers":{"0":"A"}}') | ask,
        call("exit_plan_mode", {}, output="Plan approved.") | plan,
        call("exit_plan_mode", {}, output='Plan rejected. User feedback: "Too long"') | plan,
    ]
    reading = log(tmp_path, agent("m1", "", *calls))

    assert {r.role.value for r in reading.records if r.role is not Role.CALL} == told


def test_a_resumed_log_repeats_nothing_and_forgets_nothing(tmp_path: Path) -> None:
    shell = call("run_shell_command", {"command": "ls"}, output="Output: a")
    before = [user("u1", "One."), agent("m1", "Two."), agent("m1", "Two.", shell)]
    first = log(tmp_path, *before)
    path = tmp_path / "tmp" / "shop" / "chats" / "session-1.jsonl"
    again = [
        HEAD,
        {"$set": {"messages": [CONTEXT]}},
        {"$set": {"sessionId": "s1"}},
        {"$set": {"messages": [CONTEXT, *before]}},
    ]
    written(path, HEAD, *before, *again, user("u2", "Three."))
    resumed = readings.read(gemini, path, first.bookmark)

    assert (readings.told(resumed.records), resumed.restart) == ([(9, "prompt", "Three.")], False)
    assert readings.joined([first, resumed]) == readings.read(gemini, path).records


def test_what_was_rewound_is_marked_even_if_it_was_read_before(tmp_path: Path) -> None:
    function = {"id": "f", "type": "user", "content": [{"functionResponse": {}}]}
    before = [user("u1", "Keep."), function, agent("m1", "Undo.")]
    first = log(tmp_path, *before)
    path = tmp_path / "tmp" / "shop" / "chats" / "session-1.jsonl"
    written(path, HEAD, *before, {"$rewindTo": "f"}, user("u2", "Go on."))
    second = readings.read(gemini, path, first.bookmark)

    assert second.restart
    assert [(r.text, r.abandoned) for r in second.records] == [
        ("Keep.", False),
        ("Undo.", True),
        ("Go on.", False),
    ]
    written(path, HEAD, *before, {"$rewindTo": "unknown"})
    assert all(record.abandoned for record in readings.read(gemini, path).records)


def test_a_log_read_as_it_grows_gives_what_it_gives_at_once(tmp_path: Path) -> None:
    shell = call("run_shell_command", {"command": "ls"}, output="Output: a")
    lines = [
        HEAD,
        user("u1", "One."),
        agent("m1", ""),
        agent("m1", "", shell),
        {"$set": {"messages": [agent("m1", "")]}},
    ]
    source = written(tmp_path / "whole" / "session-1.jsonl", *lines, agent("m2", "Zwei…"))
    whole = source.read_bytes()
    grown = list(
        readings.growing(
            gemini,
            tmp_path / "session-1.jsonl",
            [whole[:n] for n in (*range(0, len(whole), 37), len(whole))],
        )
    )

    assert readings.joined(grown) == readings.read(gemini, source).records
    assert sum(reading.stored for reading in grown) == 6


def test_sub_agents_belong_to_the_session_that_started_the_first(tmp_path: Path) -> None:
    chats = tmp_path / "tmp" / "shop" / "chats"
    lines = [{**HEAD, "kind": "subagent"}, user("u", "Task of another agent."), agent("m", "Four.")]
    written(chats / "s1" / "a.jsonl", *lines)
    inner = readings.read(gemini, written(chats / "a" / "b.jsonl", *lines))

    assert (inner.session, inner.part, inner.header.model) == ("s1", "b", "")
    assert [(r.role.value, r.text, r.part) for r in inner.records] == [("reply", "Four.", "b")]


def test_the_folder_is_the_owner_of_the_project_or_the_hash_of_its_path(tmp_path: Path) -> None:
    def cwd() -> str | None:
        return log(tmp_path, user("u", "One.")).records[0].cwd

    assert cwd() == f"sha256:{HASH}"
    (tmp_path / "projects.json").write_text('{"projects":{"/home/ada/registered":"shop","/x":"y"}}')
    assert cwd() == "/home/ada/registered"
    (tmp_path / "tmp" / "shop" / ".project_root").write_text("/home/ada/owner\n")
    assert cwd() == "/home/ada/owner"


def test_documents_are_read_whole_and_only_when_they_changed(tmp_path: Path) -> None:
    document = {
        **HEAD,
        "messages": [{"id": "w", "type": "warning", "content": "x"}, user("u1", "One.")],
        "summary": "In brief",
    }
    path = tmp_path / "tmp" / HASH / "chats" / "session-1.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(document, indent=1))
    first = readings.read(gemini, path)
    assert (first.session, first.header.title, first.stored) == ("s1", "In brief", 2)
    assert readings.told(first.records) == [(2, "prompt", "One.")]
    assert first.records[0].cwd == f"sha256:{HASH}"
    assert readings.read(gemini, path, first.bookmark).session == ""
    path.write_text(
        json.dumps({**document, "messages": [*document["messages"], agent("m", "Two.")]})
    )
    second = readings.read(gemini, path, first.bookmark)

    assert second.restart
    assert readings.told(second.records) == [(2, "prompt", "One."), (3, "reply", "Two.")]


@pytest.mark.parametrize("content", ["", "{}", "[]", "{", '{"messages": 3}', "null\n"])
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_file_that_is_no_chat_gives_no_session(tmp_path: Path, content: str, ending: str) -> None:
    path = tmp_path / f"session-1.{ending}"
    path.write_text(content)

    assert (readings.read(gemini, path).session, readings.read(gemini, path).records) == ("", ())


def test_no_value_stops_the_reader(tmp_path: Path) -> None:
    shell = call("run_shell_command", {"command": "ls"}, output="Exit Code: 2")
    asked = call(
        "ask_user",
        {"questions": [{"question": "Which?", "options": [{"label": "A"}]}]},
        output='{"answers":{"0":"A"}}',
    )
    lines = [
        HEAD,
        {"$set": {"messages": [CONTEXT, user("u", "One.")]}},
        agent("m", "Two.", shell, asked),
        {"$rewindTo": "m"},
    ]
    for number, content in enumerate(hostile.variants(lines, 200)):
        path = tmp_path / f"{number}.jsonl"
        for reading in readings.growing(gemini, path, [content[: len(content) // 2], content]):
            assert reading.bookmark is not None
            assert hostile.survives(reading)
        document = tmp_path / f"{number}.json"
        document.write_text(
            json.dumps(hostile.mutated({**HEAD, "messages": lines[1:]}, random.Random(number)))  # noqa: S311
        )
        assert readings.read(gemini, document).bookmark is not None


@pytest.mark.corpus
def test_real_documents_are_counted_as_another_counter_counts_them() -> None:
    paths = sorted(corpus("sessions/gemini-cli").glob("**/session-*.json"))
    assert len(paths) == 8
    for path in paths:
        document = json.loads(path.read_text())
        typed = [
            m
            for m in document["messages"]
            if m["type"] == "user" and m["content"] != "System: Please continue."
        ]
        turns = [m for m in document["messages"] if m["type"] == "gemini"]
        reading = readings.read(gemini, path)

        assert (reading.session, reading.stored) == (
            document["sessionId"],
            len(document["messages"]),
        )
        assert len(readings.prompts(reading.records)) == len(typed)
        assert len(of(reading.records, Role.REPLY)) == sum(
            1 for turn in turns if turn["content"].strip()
        )
        assert len(of(reading.records, Role.CALL)) == sum(
            len(turn.get("toolCalls") or ()) for turn in turns
        )
        assert {r.cwd for r in reading.records} <= {f"sha256:{document['projectHash']}"}
        assert not reading.warnings


@pytest.mark.corpus
def test_a_log_without_a_head_is_a_session_named_after_its_file() -> None:
    path = corpus("sessions/gemini-cli/git-ai") / "gemini-session-simple.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    (source,) = gemini.find(path.parent)
    reading = readings.read(gemini, source.path)

    assert (reading.session, reading.stored) == ("gemini-session-simple", len(lines))
    assert len(of(reading.records, Role.CALL)) == sum(
        len(line.get("toolCalls", ())) for line in lines
    )


@pytest.mark.corpus
def test_the_recording_holds_what_its_script_played() -> None:
    found = [
        readings.read(gemini, source.path)
        for source in gemini.find(corpus("recordings/gemini/.gemini"))
    ]
    told = {
        tuple(readings.prompts(reading.records)): reading.records
        for reading in found
        if not reading.part
    }
    fixed = told["The slug test fails. Find out why and fix it.", "Also handle the empty title."]
    decided = told[("Where should the slug separator be defined? Decide and record it.",)]
    helped = told[("Use a helper to count the lines of slug.py.",)]
    quiet = told[("What does slug.py do?",)]
    (part,) = [reading for reading in found if reading.part]

    assert len(told) == 4
    assert [(r.exit_code, "AssertionError: hello-" in r.text) for r in fixed if r.failed] == [
        (1, True)
    ]
    assert [r.text for r in of(fixed, Role.REPLY)] == [
        "I run the test.",
        "The test fails: slugify keeps a trailing hyphen. I strip it.",
        (
            "Fixed: slugify('Hello, ') gave 'hello-' because the split leaves an empty last word."
            " Empty words are dropped now; test_slug.py passes; committed."
        ),
        (
            "The empty title gives an empty slug already; no change is needed. Keep it so: callers"
            " test for the empty string."
        ),
    ]
    assert [f for r in of(fixed, Role.RESULT) for f in r.files] == [
        "/home/ada/projects/gemini/slug.py"
    ]
    assert [f for r in of(decided, Role.RESULT) for f in r.files] == [
        "/home/ada/projects/gemini/DECISIONS.md"
    ]
    assert [r.text for r in of(quiet, Role.REPLY)] == ["It turns a title into a URL slug."]
    assert [r.part for r in of(helped, Role.REPORT)] == [None]
    assert readings.prompts(part.records) == []
    assert [r.command for r in part.records if r.command] == ["wc -l slug.py"]
    assert [r.text for r in of(part.records, Role.REPLY)] == ["slug.py has 8 lines.", "Done."]
    assert part.session in {reading.session for reading in found if reading.records == helped}
    assert {r.cwd for reading in found for r in reading.records} == {"/home/ada/projects/gemini"}
    assert not [
        r
        for reading in found
        for r in of(reading.records, Role.ANSWER, Role.REJECTION, Role.INTERRUPT)
    ]
    for reading, source in zip(
        found, gemini.find(corpus("recordings/gemini/.gemini")), strict=True
    ):
        assert not readings.read(gemini, source.path, reading.bookmark).records


@pytest.mark.corpus
def test_the_peers_fixtures_are_read_alike() -> None:
    """Agree with `expected.json` but for two things: reasoning is no record of ours; an error's
    text stands bare.
    """
    fixtures = corpus("peers/lerim/trajectory-apache/fixtures/gemini-cli")
    for name in ("tool-calls", "cleanup"):
        expected = json.loads((fixtures / name / "expected.json").read_text())["records"]
        records = readings.read(gemini, fixtures / name / "input.json").records

        assert readings.prompts(records) == [r["content"] for r in expected if r["role"] == "user"]
        assert [r.text for r in of(records, Role.REPLY)] == [
            r["content"] for r in expected if r["role"] == "assistant" and r["content"]
        ]
        assert [r.call for r in of(records, Role.CALL)] == [
            c["id"] for r in expected for c in r.get("tool_calls", ())
        ]
        assert [(r.call, r.failed) for r in of(records, Role.RESULT)] == [
            (r["tool_call_id"], not r["ok"]) for r in expected if r["role"] == "tool"
        ]


def test_the_prose_of_an_edit_is_kept(tmp_path: Path) -> None:
    page = {"file_path": "a.md", "content": "Prices are cents."}
    edit = {"file_path": "a.py", "old_string": "x", "new_string": "# Never use floats here.\nx"}
    reading = log(tmp_path, agent("m1", "", call("write_file", page), call("replace", edit)))

    assert [record.prose for record in of(reading.records, Role.CALL)] == [
        ("Prices are cents.",),
        ("Never use floats here.",),
    ]


def test_the_prompt_of_an_mcp_server_is_not_the_users(tmp_path: Path) -> None:
    sent = json.dumps('The issue says "broken".\nAlways deploy with --force.')
    closing = json.dumps("a </hook_context> --- Content from referenced files --- b")
    hooked = "<hook_context>notes</hook_context>\n\n"

    reading = log(
        tmp_path,
        user("u1", sent),
        user("u2", hooked + sent),
        user("u3", hooked + closing),
        user("u4", closing, displayContent=[{"text": closing}]),
        user("u5", '"Tabs" or "spaces"'),
    )

    assert readings.prompts(reading.records) == ['"Tabs" or "spaces"']
