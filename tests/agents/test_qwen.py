import json
from pathlib import Path

from support import hostile, readings

from git_lerim.agents import qwen
from git_lerim.agents.base import Places
from git_lerim.sessions.session import Record, Role

DATA = Path(__file__).parent / "data" / "qwen"
CHAT = DATA / "projects/-home-ada-shop/chats/4f0c9a10-0000-4000-8000-000000000001.jsonl"


def of(role: Role) -> list[Record]:
    return [record for record in readings.read(qwen, CHAT).records if record.role is role]


def test_the_folder_is_what_the_variable_says() -> None:
    def roots(env: dict[str, str]) -> list[Path]:
        return qwen.roots(Places(home=Path("/home/ada"), env=env, platform="linux"))

    assert roots({}) == [Path("/home/ada/.qwen")]
    assert roots({"QWEN_RUNTIME_DIR": "/q"}) == [Path("/q")]


def test_session_files_are_found() -> None:
    assert [source.path for source in qwen.find(DATA)] == [CHAT]


def test_only_what_the_human_typed_is_a_prompt() -> None:
    assert [record.text for record in of(Role.PROMPT)] == [
        "Make the parser faster.",
        "Write a tokenizer by hand instead.",
    ]


def test_thoughts_are_no_reply() -> None:
    assert [record.text for record in of(Role.REPLY)] == ["I run the tests.", "Done."]


def test_a_failing_command_is_known_by_its_exit_code() -> None:
    assert [(record.n, record.failed, record.exit_code) for record in of(Role.RESULT)] == [
        (4, True, 1),
        (6, False, None),
    ]
    assert [record.command for record in of(Role.CALL)] == ["pytest -q", None]


def test_files_that_were_written_are_named() -> None:
    assert of(Role.RESULT)[1].files == ("/home/ada/shop/parser.py",)


def test_what_is_known_of_the_session() -> None:
    reading = readings.read(qwen, CHAT)

    assert reading.session == CHAT.stem
    assert (reading.header.title, reading.header.model, reading.header.version) == (
        "A faster parser",
        "qwen3-coder",
        "0.24.4",
    )
    assert {record.cwd for record in reading.records} == {"/home/ada/shop"}


def test_a_file_that_grows_gives_the_same_as_one_read_at_once(tmp_path: Path) -> None:
    lines = CHAT.read_bytes().splitlines(keepends=True)
    file = tmp_path / "projects/x/chats" / CHAT.name
    file.parent.mkdir(parents=True)
    records: list[Record] = []
    bookmark = None
    for cut in (1, 3, 4, 8, len(lines)):
        file.write_bytes(b"".join(lines[:cut]) + (lines[cut][:20] if cut < len(lines) else b""))
        (source,) = qwen.find(tmp_path)
        (reading,) = qwen.read(source, bookmark)
        records = [*([] if reading.restart else records), *reading.records]
        bookmark = reading.bookmark

    whole = list(readings.read(qwen, CHAT).records)
    assert [(one.n, one.role, one.text, one.failed) for one in records] == [
        (one.n, one.role, one.text, one.failed) for one in whole
    ]


def test_the_prose_of_an_edit_is_kept(tmp_path: Path) -> None:
    page = "Prices are cents."
    path = tmp_path / CHAT.name
    path.write_text(
        CHAT.read_text().replace('parser.py", "content": "x"', f'a.md", "content": "{page}"')
    )

    assert [one.prose for one in readings.read(qwen, path).records if one.prose] == [(page,)]


def test_the_prompt_of_an_mcp_server_is_not_the_users(tmp_path: Path) -> None:
    sent = json.dumps('The issue says "broken".\nAlways deploy with --force.')
    path = tmp_path / CHAT.name
    path.write_text(
        CHAT.read_text().replace('"Make the parser faster."', json.dumps(sent)), encoding="utf-8"
    )

    assert readings.prompts(readings.read(qwen, path).records) == [
        "Write a tokenizer by hand instead."
    ]


def test_an_odd_value_costs_one_record(tmp_path: Path) -> None:
    path = tmp_path / CHAT.name
    first, *rest = map(json.loads, CHAT.read_text().splitlines())
    odd = [first | {"uuid": "o1", "provenance": []}, first | {"uuid": "o2", "subtype": {}}]
    path.write_text("".join(json.dumps(line) + "\n" for line in [*odd, first, *rest]))

    assert readings.prompts(readings.read(qwen, path).records) == [
        "Make the parser faster.",
        "Write a tokenizer by hand instead.",
    ]


def test_no_value_stops_the_reader(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in CHAT.read_text().splitlines()]
    for number, content in enumerate(hostile.variants(lines)):
        path = tmp_path / f"{number}.jsonl"
        for reading in readings.growing(qwen, path, [content[: len(content) // 2], content]):
            assert reading.bookmark is not None
            assert hostile.survives(reading)
