import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.agents import hooked
from git_lerim.agents.base import Places
from git_lerim.agents.hooked import HOOKED, Target
from git_lerim.agents.hooks import json_text
from git_lerim.errors import LerimError
from git_lerim.file_edits import ManagedFile, addition, apply, removal

JSON = [name for name in HOOKED if name not in {"pi", "opencode", "instructions", "copilot"}]
OTHERS = """\
{
  // what I like
  "version": 1, "theme": "dark",   "permissions": {"allow": ["Bash(ls:*)"]},
  "hooks": {
    "SessionStart": [
      {"hooks": [{"type": "command", "command": "other-tool start", "timeout": 3}]}, /* theirs */
    ],
    "Notification": [ ]
  },
  "last": 1 // no comma
}
"""


def target(home: Path, scope: str = "user", program: str = "/opt/bin/git-lerim") -> Target:
    root = home / "repo" if scope == "project" else None
    return Target(
        places=Places(home=home, env={}, platform="linux"), scope=scope, root=root, program=program
    )


def files(
    name: str, home: Path, scope: str = "user", program: str = "/opt/bin/git-lerim"
) -> list[ManagedFile]:
    return hooked.hooked(name).files(target(home, scope, program))


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("name", list(HOOKED))
def test_what_is_added_is_found_again_and_taken_out_without_a_trace(
    name: str, scope: str, tmp_path: Path
) -> None:
    if scope not in hooked.hooked(name).SCOPES:
        pytest.skip("the agent has no such settings")
    for file in files(name, tmp_path, scope):
        new = file.add(None)

        assert file.add(new) == new
        assert b"lerim" in new
        assert file.strip(new) is None
        assert str(file.path).startswith(str(tmp_path))


@pytest.mark.parametrize("name", list(HOOKED))
def test_a_file_of_the_repository_names_no_path_of_this_machine(name: str, tmp_path: Path) -> None:
    for file in files(name, tmp_path, "project", program="/secret/place/git-lerim"):
        assert b"/secret" not in file.add(None)


@pytest.mark.parametrize("name", JSON)
def test_settings_of_others_keep_order_comments_and_bytes(name: str, tmp_path: Path) -> None:
    file, *_ = files(name, tmp_path)
    before = OTHERS.encode()

    new = file.add(before)

    assert file.strip(new) == before
    assert (
        new.decode()
        .replace(" ", "")
        .startswith(before.decode().replace(" ", "").partition('"SessionStart"')[0])
    )
    assert new.count(b"other-tool start") == 1
    assert new.index(b"other-tool start") < new.index(b"lerim hook")
    for comment in (b"// what I like", b"/* theirs */", b"// no comma"):
        assert comment in new


@pytest.mark.parametrize("name", JSON)
def test_windows_line_ends_and_a_byte_order_mark_stay(name: str, tmp_path: Path) -> None:
    file, *_ = files(name, tmp_path)
    before = b"\xef\xbb\xbf" + OTHERS.replace("\n", "\r\n").encode()

    new = file.add(before)

    assert new.startswith(b"\xef\xbb\xbf")
    assert b"\n" not in new.replace(b"\r\n", b"")
    assert file.strip(new) == before


@pytest.mark.parametrize("name", [*JSON, "opencode"])
@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b'{"hooks": []}',
        b'{"hooks": {"SessionStart": 1, "sessionStart": 1}}',
        b"[]",
        b"\xff\xfe",
        b"[" * 500,
    ],
)
def test_a_file_that_nobody_understands_is_refused(name: str, bad: bytes, tmp_path: Path) -> None:
    file, *_ = files(name, tmp_path)
    if name == "opencode" and b"hooks" in bad:
        bad = b'{"instructions": "AGENTS.md"}'

    with pytest.raises(LerimError, match=r"cannot read .* as JSON"):
        file.add(bad)


def test_an_upgrade_leaves_a_command_that_is_still_right_as_it_is(tmp_path: Path) -> None:
    file, *_ = files("codex", tmp_path)
    trusted = re.sub(
        rb'"timeout": \d+', b'"timeout": 77', file.add(None)
    )  # as another version wrote it

    assert file.add(trusted) == trusted


def test_a_program_that_moved_gives_its_place_to_the_new_one(tmp_path: Path) -> None:
    old, new = (
        files("claude", tmp_path, program=path)[0]
        for path in ("/old place/git-lerim", "/opt/bin/git-lerim")
    )
    there = old.add(OTHERS.encode())

    moved = new.add(there)

    assert b"/old place" not in moved
    assert new.strip(moved) == OTHERS.encode()
    assert moved.count(b"hook claude SessionStart") == new.add(OTHERS.encode()).count(
        b"hook claude SessionStart"
    )


def test_what_others_add_behind_our_hooks_stays(tmp_path: Path) -> None:
    file, *_ = files("gemini", tmp_path)
    held: dict[str, Any] = json.loads(file.add(b'{"a": 1}'))
    held["hooks"]["SessionStart"].append({"hooks": [{"type": "command", "command": "later"}]})

    left = file.strip(json.dumps(held, indent=2).encode())

    assert left is not None
    assert json.loads(left) == {
        "a": 1,
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "later"}]}]},
    }


def test_what_others_add_to_our_group_stays_and_ours_is_neither_doubled_nor_left(
    tmp_path: Path,
) -> None:
    file, *_ = files("claude", tmp_path)
    held: dict[str, Any] = json.loads(file.add(b'{"a": 1}'))
    theirs = {"type": "command", "command": "later"}
    held["hooks"]["SessionStart"][0]["hooks"].append(theirs)
    mixed = json.dumps(held, indent=2).encode()
    moved, *_ = files("claude", tmp_path, program="/new/git-lerim")

    left = file.strip(mixed)
    again = json.loads(moved.add(mixed))["hooks"]["SessionStart"]

    assert file.add(mixed) == mixed
    assert left is not None
    assert json.loads(left)["hooks"] == {
        "SessionStart": [held["hooks"]["SessionStart"][0] | {"hooks": [theirs]}]
    }
    assert json.dumps(again).count("lerim hook") == 1
    assert "/new/git-lerim" in json.dumps(again)


def test_an_installation_that_nobody_touched_leaves_the_very_bytes_of_before(
    tmp_path: Path,
) -> None:
    file, *_ = files("claude", tmp_path)
    before = b'{"hooks":{ },"model":"opus"}'
    file.path.parent.mkdir()
    file.path.write_bytes(before)

    added = addition(file)
    assert added is not None
    apply(added)
    taken = removal(file)
    assert taken is not None
    apply(taken)

    assert file.path.read_bytes() == before
    assert list(file.path.parent.iterdir()) == [file.path]


def test_the_plugin_of_opencode_comes_only_where_its_package_is(tmp_path: Path) -> None:
    assert [file.path.name for file in files("opencode", tmp_path)] == ["opencode.json", "SKILL.md"]

    (tmp_path / ".config/opencode/node_modules/@opencode-ai/plugin").mkdir(parents=True)

    assert [file.path.name for file in files("opencode", tmp_path)] == [
        "git-lerim.js",
        "opencode.json",
        "SKILL.md",
    ]


def test_the_plugin_of_opencode_goes_although_its_package_went_before(tmp_path: Path) -> None:
    package = tmp_path / ".config/opencode/node_modules/@opencode-ai/plugin"
    package.mkdir(parents=True)
    for file in files("opencode", tmp_path):
        apply(addition(file) or pytest.fail(file.what))
    package.rmdir()
    assert hooked.hooked("opencode").problems(target(tmp_path))

    for edit in filter(None, map(removal, files("opencode", tmp_path))):
        apply(edit)

    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_file_of_somebody_else_in_the_place_of_ours_is_left_alone(tmp_path: Path) -> None:
    file, *_ = files("pi", tmp_path)

    with pytest.raises(LerimError, match=r"was not written by git-lerim"):
        file.add(b"export default 1;\n")
    assert file.strip(b"export default 1;\n") == b"export default 1;\n"


@pytest.mark.parametrize(
    "text", ["# Rules\n\nBe kind.\n", "# Rules\r\n\r\nBe kind.\r\n", "", "one line\n"]
)
def test_lines_between_markers_come_and_go(text: str, tmp_path: Path) -> None:
    file, *_ = files("instructions", tmp_path, "project")

    new = file.add(text.encode())

    assert file.add(new) == new
    assert (file.strip(new) or b"") == text.encode()


scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.text('aü"\\\n{', max_size=4)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('abh"', max_size=3), inner, max_size=3)
    ),
)


@given(
    st.dictionaries(st.text("abc", max_size=2), values, max_size=4),
    st.sampled_from([None, 1, 2, "\t"]),
)
def test_any_object_takes_our_hooks_and_gives_them_back(
    held: dict[str, Any], indent: int | str | None
) -> None:
    file, *_ = files("claude", Path("/home/ada"))
    before = json.dumps(held, indent=indent).encode()

    new = file.add(before)

    assert {key: value for key, value in json.loads(new).items() if key != "hooks"} == held
    assert json_text.value_of(new.decode(), json_text.parse(new.decode())) == json.loads(new)
    assert file.strip(new) == (before if held else None)
