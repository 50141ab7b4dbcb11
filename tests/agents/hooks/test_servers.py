"""The MCP server and the skill that an agent gets beside its hooks."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import HOOKED, MCP, SKILL, Target, hooked
from git_lerim.agents.hooks.servers import Server, json_file, toml_file
from git_lerim.agents.hooks.skills import MARK, skill, skill_file
from git_lerim.errors import LerimError
from git_lerim.file_edits import ManagedFile, addition, apply, removal

PROGRAM = "/opt/my bin/git-lerim"
WHERE = {
    "claude": (".claude.json", "mcpServers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
    "copilot": (".copilot/mcp-config.json", "mcpServers"),
    "qwen": (".qwen/settings.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "opencode": (".config/opencode/opencode.json", "mcp"),
}


def target(home: Path, scope: str = "user", program: str = PROGRAM) -> Target:
    root = home / "repo" if scope == "project" else None
    return Target(
        places=Places(home=home, env={}, platform="linux"), scope=scope, root=root, program=program
    )


def toml(program: str = PROGRAM) -> ManagedFile:
    return toml_file(
        Path("/home/ada/.codex/config.toml"), target(Path("/home/ada"), program=program)
    )


def in_json(program: str = PROGRAM) -> ManagedFile:
    return json_file(
        Path("/home/ada/.claude.json"), Server(), target(Path("/home/ada"), program=program)
    )


@pytest.mark.parametrize("name", list(WHERE))
def test_each_agent_that_speaks_mcp_gets_the_server_in_its_own_form(
    name: str, tmp_path: Path
) -> None:
    path, key = WHERE[name]
    (file,) = (
        file for file in hooked(name).files(target(tmp_path)) if file.path == tmp_path / path
    )

    new = file.add(None).decode()

    entry = (tomllib.loads(new) if name == "codex" else json.loads(new))[key]["lerim"]
    assert entry["command"] == ([PROGRAM, "mcp"] if name == "opencode" else PROGRAM)
    assert entry.get("args", ["mcp"]) == ["mcp"]


@pytest.mark.parametrize("name", [name for name in HOOKED if name != "instructions"])
def test_who_wants_no_server_and_no_skill_gets_neither(name: str, tmp_path: Path) -> None:
    plain = replace(target(tmp_path), without=frozenset((MCP, SKILL)))

    assert not [
        file for file in hooked(name).files(plain) if "MCP" in file.what or "skill" in file.what
    ]


@pytest.mark.parametrize("name", [name for name in HOOKED if name != "instructions"])
def test_a_team_gets_the_skill_but_no_server_that_fails_where_git_lerim_is_missing(
    name: str, tmp_path: Path
) -> None:
    found = hooked(name).files(target(tmp_path, "project"))

    assert [file.path.name for file in found if "skill" in file.what] == ["SKILL.md"]
    assert not [file for file in found if "MCP" in file.what]


@pytest.mark.parametrize("command", [["git", "lerim", "mcp"], ["npx", "lerim"]])
def test_a_server_of_the_users_own_stays_as_it_is(command: list[str]) -> None:
    theirs = json.dumps(
        {"mcpServers": {"lerim": {"command": command[0], "args": command[1:]}}}, indent=2
    ).encode()

    new = in_json().add(theirs)

    assert (new == theirs) == (
        command[0] == "git"
    )  # the same program; another one leaves us the second name
    assert json.loads(new)["mcpServers"]["lerim"]["command"] == command[0]
    assert in_json().strip(new) == theirs


def test_a_server_whose_program_moved_keeps_what_the_user_added_to_it() -> None:
    held = json.loads(in_json().add(None))
    held["mcpServers"]["lerim"]["trust"] = True

    moved = in_json("/new/git-lerim").add(json.dumps(held).encode())

    assert json.loads(moved)["mcpServers"]["lerim"] == {
        "command": "/new/git-lerim",
        "args": ["mcp"],
        "trust": True,
    }
    assert in_json().strip(moved) is None


TOML = """\
# mine
model = "gpt-5.4"

[mcp_servers.docs]
command = "docs"  # theirs

[projects."/home/ada/shop"]
trust_level = "trusted"
"""


@pytest.mark.parametrize(
    "before", [TOML, TOML.replace("\n", "\r\n"), "[mcp_servers]\n", "", "[[a.b]]\nc = 1\n"]
)
def test_a_table_comes_and_goes_and_the_rest_keeps_its_bytes(before: str) -> None:
    new = toml().add(before.encode())

    assert toml().add(new) == new
    assert new.startswith(before.encode())
    assert tomllib.loads(new.decode())["mcp_servers"]["lerim"] == {
        "command": PROGRAM,
        "args": ["mcp"],
    }
    assert (toml().strip(new) or b"") == before.encode()
    assert toml().strip(before.encode()) == before.encode()


def test_what_codex_writes_below_and_behind_our_table_is_told_apart() -> None:
    new = toml().add(TOML.encode()).decode()
    later = (
        f'{new}\n[mcp_servers.lerim.tools.search]\napproval_mode = "approve"\n\n[features]\nhooks ='
        " true\n"
    )

    assert toml().strip(later.encode()) == f"{TOML}\n[features]\nhooks = true\n".encode()
    moved = toml("/new/git-lerim").add(later.encode())
    assert tomllib.loads(moved.decode())["mcp_servers"]["lerim"]["command"] == "/new/git-lerim"
    assert moved == later.replace(PROGRAM, "/new/git-lerim").encode()


def test_comments_in_and_after_our_table_are_the_users() -> None:
    new = toml().add(b"a = 1\n").decode()
    later = new.replace("args", "# mine\nargs") + "# my notes\n\n# on the rest\n[features]\nb = 1\n"

    assert toml().strip(later.encode()) == (
        b"a = 1\n\n# mine\n# my notes\n\n# on the rest\n[features]\nb = 1\n"
    )
    assert toml().strip(f"{new}\n[features]\n".encode()) == b"a = 1\n\n[features]\n"


def test_a_table_of_the_users_own_stays_as_it_is() -> None:
    by_hand = b'[mcp_servers.lerim]\ncommand = "git"\nargs = ["lerim", "mcp"]\n'

    assert toml().add(by_hand) == by_hand
    assert toml().strip(by_hand) == by_hand


@pytest.mark.parametrize(
    "bad", [b"[", b"\xff", b"mcp_servers = 1\n", b"mcp_servers = {docs = {command = 'a'}}\n"]
)
def test_a_toml_file_that_takes_no_table_is_refused(bad: bytes) -> None:
    with pytest.raises(LerimError, match=r"config\.toml"):
        toml().add(bad)


@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3), st.text('aü"\\\n[]#', max_size=6), max_size=4
    )
)
def test_any_toml_takes_our_table_and_gives_it_back(held: dict[str, str]) -> None:
    before = "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in held.items()
    ).encode()

    new = toml().add(before)

    assert {
        key: value for key, value in tomllib.loads(new.decode()).items() if key != "mcp_servers"
    } == held
    assert (toml().strip(new) or b"") == before


def test_the_skill_is_a_skill_and_says_whose_file_it_is(tmp_path: Path) -> None:
    text = skill_file(tmp_path, "skills").add(None).decode()

    assert text.startswith("---\nname: git-lerim\ndescription: ")
    assert text.replace(f"\n{MARK}\n", "", 1) == skill()


def test_a_skill_that_the_user_put_there_stays(tmp_path: Path) -> None:
    file, theirs = skill_file(tmp_path, "skills"), skill().encode()

    assert file.add(theirs) == theirs
    assert file.strip(theirs) == theirs


def test_the_folders_that_the_skill_made_go_with_it(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "agents").mkdir(parents=True)
    file = skill_file(tmp_path, ".claude/skills")
    for plan in (addition, removal):
        edit: Any = plan(file)
        apply(edit)

    assert [path.name for path in (tmp_path / ".claude").iterdir()] == ["agents"]
