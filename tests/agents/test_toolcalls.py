from typing import Any

import pytest
from support.costs import grows_evenly

from git_lerim.agents import toolcalls
from git_lerim.sessions.session import Record, Role

KIT = toolcalls.Kit(shells=frozenset({"bash"}), writers=frozenset({"edit", "apply_patch"}))
STAMP = Record(n=7, role=Role.REPLY, at=1, cwd="/home/ada/shop")
PATCH = (
    "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: src/b c.py\r\n*** Delete File:"
    " a.py\n*** End Patch"
)


@pytest.mark.parametrize(
    ("tool", "given", "line"),
    [
        ("bash", {"command": "make   test\n&& ls"}, "bash: make test && ls"),
        ("grep", {"pattern": "TODO", "path": "/home/ada"}, "grep: TODO"),
        ("read", {"filePath": "a.py", "limit": 3}, "read: a.py"),
        ("todo", {"items": [1]}, "todo"),
        ("shell", {"command": ["bash", "-lc", "ls"]}, "shell: bash -lc ls"),
    ],
)
def test_a_call_is_one_line_about_its_subject(tool: str, given: dict[str, Any], line: str) -> None:
    record = toolcalls.call(STAMP, KIT, tool, given, "c")

    assert (record.n, record.role, record.text, record.call, record.cwd) == (
        7,
        Role.CALL,
        line,
        "c",
        "/home/ada/shop",
    )


def test_only_shells_have_a_command_and_only_writers_have_files() -> None:
    assert toolcalls.call(STAMP, KIT, "bash", {"command": "ls", "path": "x"}, None).command == "ls"
    assert toolcalls.call(STAMP, KIT, "bash", {"command": "ls", "path": "x"}, None).files == ()
    assert toolcalls.call(STAMP, KIT, "read", {"path": "x"}, None).files == ()
    assert toolcalls.call(STAMP, KIT, "edit", {"path": "x"}, None).files == ("x",)


def test_the_files_of_a_patch_are_named_once() -> None:
    for given in ({"": PATCH}, {"patchText": PATCH}, {"input": PATCH}):
        assert toolcalls.call(STAMP, KIT, "apply_patch", given, None).files == (
            "a.py",
            "src/b c.py",
        )


def test_arguments_are_read_from_json_in_a_string() -> None:
    assert toolcalls.arguments('{"a": 1}') == {"a": 1}
    assert toolcalls.arguments({"a": 1}) == {"a": 1}
    assert toolcalls.arguments("*** Begin Patch") == {"": "*** Begin Patch"}
    assert toolcalls.arguments("") == {"": ""}
    assert toolcalls.arguments("[1]") == {"": "[1]"}
    assert toolcalls.arguments(None) == {}


def test_a_result_tells_its_text_only_when_it_failed() -> None:
    called = toolcalls.call(STAMP, KIT, "edit", {"path": "a.py"}, "c")
    good = toolcalls.result(called, STAMP, "done", failed=False, exit_code=0)
    bad = toolcalls.result(called, STAMP, "boom", failed=False, exit_code=2)

    assert (good.failed, good.text, good.files, good.call, good.tool) == (
        False,
        "",
        ("a.py",),
        "c",
        "edit",
    )
    assert (bad.failed, bad.text, bad.files, bad.exit_code) == (True, "boom", (), 2)


@pytest.mark.parametrize(
    ("value", "code"),
    [(0, 0), (127, 127), (-1, -1), (True, None), ("1", None), (10**30, None), (None, None)],
)
def test_only_small_whole_numbers_are_exit_codes(value: Any, code: int | None) -> None:
    called = toolcalls.call(STAMP, KIT, "bash", {"command": "x"}, "c")

    assert toolcalls.code(value) == code
    assert toolcalls.result(called, STAMP, "", failed=False, exit_code=value).exit_code == code


@pytest.mark.parametrize(
    ("command", "output", "ids"),
    [
        ("git commit -m x", "[main 9ab8c7d] x\n 1 file changed", ("9ab8c7d",)),
        ("git commit -m x", "[main (root-commit) 9ab8c7d] x", ("9ab8c7d",)),
        (
            "cd a && git -C b commit -m x",
            "hook ran\n[feat/a-b 9ab8c7d0] x\n[feat/a-b 1111111] y",
            ("9ab8c7d0", "1111111"),
        ),
        ("git commit -m x", "[detached HEAD 9ab8c7d] x", ("9ab8c7d",)),
        ("git revert HEAD", '[main 9ab8c7d] Revert "x"', ("9ab8c7d",)),
        ("cat log", "[main 9ab8c7d] x", ()),
        ("git commit -m x", "nothing to commit", ()),
        (None, "[main 9ab8c7d] x", ()),
    ],
)
def test_commits_are_read_from_what_git_says(
    command: str | None, output: str, ids: tuple[str, ...]
) -> None:
    assert toolcalls.made_commits(command, output) == ids


def test_text_is_joined_from_parts_that_are_text() -> None:
    parts = [
        {"type": "text", "text": "a"},
        {"type": "image"},
        "b",
        {"text": "c"},
        {"type": "text", "text": None},
        5,
    ]

    assert toolcalls.joined(parts) == "a\nb\nc"
    assert toolcalls.joined("a") == "a"
    assert toolcalls.joined({"text": "a"}) == ""


def test_open_calls_survive_a_bookmark() -> None:
    called = toolcalls.call(STAMP, KIT, "apply_patch", {"": PATCH}, "c")

    assert toolcalls.restored(toolcalls.kept({"c": called}, frozenset({"apply_patch"}))) == {
        "c": called
    }


def test_a_bookmark_holds_no_words_of_open_calls_and_their_results_are_the_same() -> None:
    for command in ("git add -A && git commit -m 'Ask Ada'", "curl ada.example"):
        called = toolcalls.call(STAMP, KIT, "bash", {"command": command}, "c")
        bookmark = toolcalls.kept({"c": called})
        later = toolcalls.restored(bookmark)["c"]

        assert "ada" not in str(bookmark).lower().replace("/home/ada", "")
        for output, code in (("[main 3f2a9c1] Ask Ada", 0), ("no", 1)):
            assert toolcalls.result(
                later, STAMP, output, failed=False, exit_code=code
            ) == toolcalls.result(called, STAMP, output, failed=False, exit_code=code)


def test_marks_are_found_in_pairs() -> None:
    assert toolcalls.between("a<q> b </q><q>c</q><q>d", "<q>", "</q>") == ["b", "c"]


@pytest.mark.parametrize("piece", ["git ", "( ", "[a "])
def test_no_text_takes_long(piece: str) -> None:
    def read(size: int) -> None:
        toolcalls.made_commits("git " * size, f"[ {piece * size}")
        toolcalls.made_commits("git commit", f"[ {piece * size}")
        toolcalls.between("<q>" * size, "<q>", "</q>")

    assert grows_evenly(read, 50_000)


def test_an_answer_that_repeats_a_question_makes_them_all_ambiguous() -> None:
    both = 'Answered: "A?"="x", "B?"="y", "A?"="z".'

    assert toolcalls.answered('Answered: "A?"="x", "B?"="y".', ["A?", "B?"]) == {
        "A?": "x",
        "B?": "y",
    }
    assert toolcalls.answered(both, ["A?", "B?"]) == {}
    assert toolcalls.answered('Answered: "C?"="x", "A?"="y".', ["A?"]) == {}
