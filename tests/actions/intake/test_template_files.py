import json
import os
import sys
from pathlib import Path

import pytest
from support.costs import grows_evenly
from support.repos import Repo

from git_lerim.actions.intake.template_files import TemplateFiles
from git_lerim.agents.base import Places
from git_lerim.git.repo import discover
from git_lerim.sessions.templates import templates, typed

BODY = "Always deploy with ./ship.sh, never by hand."
HEADED = f"---\ndescription: x\n---\n{BODY}\n"


def left(repo: Repo, home: Path, below: str = "") -> str:
    places = Places(home=home, env={}, platform=sys.platform)
    files = TemplateFiles(discover(repo.path, {}), places)
    return typed(BODY, files.of([str(repo.path / below)]))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".opencode/command/ship.md", HEADED),
        (".opencode/commands/deep/er/ship.md", BODY),
        (".pi/prompts/ship.md", HEADED),
        (".gemini/commands/ship.toml", f'prompt = """\n{BODY}\n"""'),
        (".gemini/extensions/ours/commands/ship.toml", f'prompt = """\n{BODY}\n"""'),
        (".claude/commands/ship.md", BODY),
        (".codex/prompts/ship.md", BODY),
        ("opencode.jsonc", "{ // ours\n" + json.dumps({"command": {"s": {"template": BODY}}})[1:]),
        ("opencode.jsonc", '{ // 80" wide\n' + json.dumps({"command": {"template": BODY}})[1:]),
        # what Python's TOML refuses and Gemini CLI takes, and files padded over a megabyte
        (".gemini/commands/ship.toml", f'at = 2021-02-30T00:00:00Z\nprompt = """\n{BODY}\n"""'),
        (".gemini/commands/ship.toml", f"# {'x' * 1_100_000}\nprompt = '{{}}'".format(BODY)),
        (".gemini/commands/ship.toml", f'at = 2021-02-30\n"pr\\u006fmpt" = {json.dumps(BODY)}'),
        (".gemini/commands/ship.toml", f"at = 2021-02-30 # 'a\nprompt = {json.dumps(BODY)}"),
        (".claude/commands/ship.md", f"---\na: {'x' * 1_100_000}\n---\n{BODY}"),
        (".qwen/commands/ship.md", f"---\na: |\n  b\n---c: d\n---\n{BODY}"),
        (".claude/commands/1/2/3/4/5/6/7/8/ship.md", BODY),
    ],
)
def test_the_templates_of_a_project_are_found_in_the_work_tree_and_in_the_commit(
    path: str, text: str, repo: Repo, tmp_path: Path
) -> None:
    assert left(repo, tmp_path) == BODY
    put(repo.path / "packages/a" / path, text)
    assert left(repo, tmp_path) == BODY
    assert left(repo, tmp_path, "packages/a/src").startswith("/")
    repo.git("add", "-f", ".")
    repo.git("commit", "-qm", "Add a command")
    assert left(repo, tmp_path).startswith("/")
    (repo.path / "packages/a" / path).unlink()
    assert left(repo, tmp_path).startswith("/")  # it is in the commit
    put(repo.path / path, text)
    assert left(repo, tmp_path).startswith("/")


@pytest.mark.parametrize(
    "path",
    [
        ".codex/prompts/x.md",
        ".pi/agent/prompts/x.md",
        ".pi/agent/npm/node_modules/kit/prompts/x.md",
        ".pi/agent/npm/node_modules/@ours/kit/prompts/x.md",
        ".pi/agent/git/github.com/ours/kit/prompts/x.md",
        ".gemini/extensions/ours/commands/x.md",
        ".qwen/extensions/ours/commands/x.md",
        ".config/opencode/command/x.md",
        ".agents/skills/ours/x.md",
    ],
)
def test_the_templates_of_the_user_are_found(path: str, repo: Repo, tmp_path: Path) -> None:
    put(tmp_path / "home" / path, HEADED)

    assert left(repo, tmp_path / "home") == "/x"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".pi/settings.json", {"prompts": ["../tools/ours"]}),
        (".pi/settings.json", {"prompts": ["\0", "\ud800", "../tools/ours/x.md"]}),
        (".pi/settings.json", {"packages": ["npm:kit", "../tools"]}),
        ("opencode.json", {"skills": {"paths": ["tools/ours"]}}),
        (".pi/settings.json", {"prompts": [["x"], "a]b", *map(str, range(30)), "../tools/ours"]}),
        (".pi/settings.json", {"pad": "x" * 1_100_000, "prompts": ["../tools/ours"]}),
    ],
)
def test_the_templates_that_settings_name_are_found(
    path: str, text: object, repo: Repo, tmp_path: Path
) -> None:
    put(repo.path / "tools/ours/x.md", HEADED)
    assert left(repo, tmp_path) == BODY
    put(repo.path / path, json.dumps(text))
    assert left(repo, tmp_path) == "/x"


@pytest.mark.parametrize(
    "text", ['{"\\u0070rompts": ["../tools/ours"],}', '{/* " */"prompts": ["../tools/ours"]}']
)
def test_settings_are_read_as_agents_read_them(text: str, repo: Repo, tmp_path: Path) -> None:
    put(repo.path / "tools/ours/x.md", HEADED)
    put(repo.path / ".pi/settings.json", text)

    assert left(repo, tmp_path) == "/x"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".gemini/commands/ship.toml", 'prompt = "@{docs/ship.md}"'),
        ("opencode.json", '{"command": {"ship": {"template": "{file:./docs/ship.md} Go!"}}}'),
        (".pi/prompts/ship.md", "{file:../../docs/ship.md}"),
        (".opencode/opencode.json", '{"command": {"a": {"template": "{file:../docs/ship.md}"}}}'),
    ],
)
def test_a_file_that_a_command_inserts_is_a_template(
    path: str, text: str, repo: Repo, tmp_path: Path
) -> None:
    put(repo.path / path, text)
    assert left(repo, tmp_path) == BODY
    put(repo.path / "docs/ship.md", BODY)
    assert left(repo, tmp_path).startswith("/")


def test_of_a_folder_above_settings_only_its_own_files_are_read(repo: Repo, tmp_path: Path) -> None:
    put(repo.path / "docs/notes.md", BODY)
    put(repo.path / ".pi/settings.json", json.dumps({"prompts": ["..", ".", "/"]}))
    assert left(repo, tmp_path) == BODY

    put(repo.path / "ship.md", BODY)
    assert left(repo, tmp_path) == "/ship"


def test_a_file_of_the_project_that_the_users_command_inserts_is_a_template(
    repo: Repo, tmp_path: Path
) -> None:
    put(tmp_path / ".gemini/commands/rules.toml", 'prompt = "@{docs/ship.md}"')
    put(repo.path / "docs/ship.md", BODY)

    assert left(repo, tmp_path) == "/ship"


@pytest.mark.parametrize(
    "text",
    [
        f"${{1:-{BODY}}}",
        "${1:-Always deploy} ${2:-with ./ship.sh,} ${3:-never by hand.}",
        "$9" * 2600 + BODY,
        "$9 $@" * 2600 + BODY,
    ],
)
def test_arguments_do_not_hide_a_template(text: str, repo: Repo, tmp_path: Path) -> None:
    put(repo.path / ".pi/prompts/up.md", text)

    assert left(repo, tmp_path) == "/up"


@pytest.mark.parametrize("form", ["@{{\n{}\n}}", "{{file:\n{}\n}}"])
def test_what_is_no_placeholder_to_the_agent_is_text(form: str) -> None:
    text = form.format(BODY)

    assert "/up" in {typed(text, [each]) for each in templates("up", text)}


def test_links_are_followed_and_what_is_no_template_is_left_out(repo: Repo, tmp_path: Path) -> None:
    folder = repo.path / ".pi/prompts"
    folder.mkdir(parents=True)
    (folder / "loop").symlink_to(folder)
    (folder / "zero.md").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.md")
    put(folder / "broken.toml", "prompt = [[[")
    put(folder / "large.md", "x" * 1_000_000)
    assert left(repo, tmp_path) == BODY

    put(tmp_path / "elsewhere/x.md", BODY)
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    assert left(repo, tmp_path) == "/x"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("opencode.json", "/*a"),
        ("opencode.json", '"\\"'),
        (".gemini/commands/a.toml", '\\"'),
        (".gemini/commands/a.toml", '\\""" '),
        (".gemini/commands/a.toml", "a."),
    ],
)
def test_a_hostile_file_takes_time_in_proportion(
    name: str, unit: str, repo: Repo, tmp_path: Path
) -> None:
    def work(size: int) -> None:
        put(repo.path / name, f'"""{unit * (size // len(unit))}b = 1')
        left(repo, tmp_path / "home")

    assert grows_evenly(work, 30_000)
