import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from support import readme, terminal_svg
from support.repos import Repo

from git_lerim.agents import roster
from git_lerim.cli import VERBS, cli
from git_lerim.config import KEYS

# What differs from run to run: commits of today, seconds.
_COMMIT = re.compile(r"\b[0-9a-f]{7,10}\b(?= sync:)")
_SECONDS = re.compile(r"\(\d+\.\d s\)")


def _plain(text: str) -> str:
    return " ".join(_SECONDS.sub("(_ s)", _COMMIT.sub("_", text)).split())


def test_every_verb_stands_in_the_table_of_verbs_and_no_other_does() -> None:
    assert [row[0].strip("`") for row in readme.table("docs/verbs.md")] == list(VERBS)


def test_the_page_of_verbs_names_those_without_json() -> None:
    context = click.Context(cli)
    verbs = {verb: cli.get_command(context, verb) for verb in VERBS}
    without = {
        verb
        for verb, command in verbs.items()
        if command and not any("--json" in option.opts for option in command.params)
    }
    excepted = readme.text("docs/verbs.md").split("accepts `--json`, except", 1)[1].split("(", 1)[0]

    assert set(re.findall(r"`(\w+)`", excepted)) == without


def test_the_table_of_settings_agrees_with_the_settings() -> None:
    for setting, default, _ in readme.table("docs/settings.md"):
        key = KEYS[setting.strip("`").removeprefix("lerim.")]

        assert (
            default.strip("`") == str(key.default) if default.startswith("`") else not key.default
        ), setting


def test_every_setting_that_is_named_exists() -> None:
    named = set(re.findall(r"(?<!-)\blerim\.([a-z]+[A-Z]?\w*)\b(?!\.py)", readme.pages()))

    assert named <= set(KEYS) | {"NAME"}


def test_every_agent_stands_in_the_table_of_agents() -> None:
    assert [row[0] for row in readme.table("docs/sessions.md")] == list(roster.AGENTS)


@pytest.mark.parametrize("name", [*readme.names(), "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_to_a_file_leads_somewhere(name: str) -> None:
    links = [
        link for link in re.findall(r"\]\(([^)\s]+)\)", readme.text(name)) if "://" not in link
    ]

    folder = (readme.ROOT / name).parent
    assert all((folder / link.split("#")[0]).exists() for link in links)


def test_the_readme_links_to_every_page() -> None:
    assert [name for name in readme.names()[1:] if f"]({name})" not in readme.text()] == []


@pytest.mark.parametrize("mark", ["command: tour", "command: test"])
def test_a_marked_command_is_one_line_that_needs_python_and_git_alone(mark: str) -> None:
    line = readme.block(mark)
    commands = [shlex.split(part) for part in line.split("&&")]
    programs = {next(word for word in words if not re.match(r"\w+=", word)) for words in commands}

    assert "\n" not in line
    assert subprocess.run(["sh", "-n", "-c", line], check=False).returncode == 0
    assert {program for program in programs if not program.startswith(".venv/bin/")} <= {
        "python3",
        "git",
    }


def test_the_test_command_runs_every_check() -> None:
    line = readme.block("command: test")

    assert [
        w
        for w in ("ruff check", "ruff format --check", "mypy", "lint-imports", "pytest")
        if w not in line
    ] == []


def test_the_picture_shows_what_the_tour_prints() -> None:
    shown, expected = (
        terminal_svg.shown(picture)
        for picture in (
            readme.PICTURE.read_text(encoding="utf-8"),
            terminal_svg.drawn(readme.pictured()),
        )
    )

    assert _plain(shown) == _plain(expected), "in tests/: python -m support.readme"


def test_the_commands_for_a_memory_in_the_work_tree_work(repo: Repo, sealed_world: Path) -> None:
    readme.place_samples(sealed_world, repo.path)

    for line in readme.block("example: tree").splitlines():
        done = readme.sh(line, repo.path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

    assert "Tests need TZ=UTC" in readme.sh("git lerim list", repo.path).stdout
    assert (repo.path / ".lerim/memory/format").exists()


def test_the_commands_for_daily_use_work(repo: Repo, sealed_world: Path) -> None:
    readme.place_samples(sealed_world, repo.path)
    repo.commit({"README.md": "A shop.\n"})
    before = repo.git("status", "--porcelain")

    for line in readme.block("example: use").splitlines():
        ids = (
            json.loads(readme.sh("git lerim list --all --json", repo.path).stdout)
            if " ID" in line
            else [{"id": ""}]
        )
        done = readme.sh(line.replace(" ID", f" {ids[0]['id'][:6]}"), repo.path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

    subjects = repo.git("log", "--format=%s", "lerim/memory")
    assert [
        word
        for word in ("sync:", "edit:", "forget:", "restore:", "remember:")
        if word not in subjects
    ] == []
    assert repo.git("status", "--porcelain") == before


def test_a_memory_is_shared_as_the_readme_says(repo: Repo, tmp_path: Path) -> None:
    repo.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    readme.sh("git lerim remember 'Tests need TZ=UTC.'", repo.path)
    repo.git("clone", "-q", str(tmp_path / "remote.git"), str(tmp_path / "other"))
    told = readme.text().split("shares the memory with the team", 1)
    assert told[0].endswith("`git lerim push` ")
    assert "`git lerim pull` merges the team's memory into yours" in told[1]
    assert "after `git lerim init` a plain `git fetch` also brings it" in told[1]

    pushed = readme.sh("git lerim push --yes", repo.path)
    pulled = readme.sh("git lerim pull", tmp_path / "other")
    readme.sh("git lerim remember 'Prices are cents.' && git lerim push", repo.path)
    readme.sh("git fetch -q", tmp_path / "other")

    assert (pushed.returncode, pulled.returncode) == (0, 0)
    listed = readme.sh("git lerim list", tmp_path / "other").stdout
    assert "TZ=UTC" in listed
    assert "Prices are cents" in listed


def test_what_is_called_removing_everything_removes_everything(
    repo: Repo, sealed_world: Path
) -> None:
    readme.place_samples(sealed_world, repo.path)
    before = repo.git("for-each-ref"), (repo.path / ".git" / "config").read_text()
    kept = "git lerim connect claude --path ~/.claude && git config lerim.maxSessions 5"
    assert readme.sh(f"git lerim sync --window all && {kept}", repo.path).returncode == 0

    done = readme.sh(readme.block("example: remove"), repo.path)

    assert done.returncode == 0, done.stderr
    assert (
        "fatal" not in readme.sh(readme.block("example: remove").splitlines()[-1], repo.path).stderr
    )
    assert (repo.git("for-each-ref"), (repo.path / ".git" / "config").read_text()) == before
    assert not (repo.path / ".git" / "lerim").exists()


@pytest.mark.parametrize("name", [*readme.names(), "CONTRIBUTING.md"])
def test_every_path_of_the_package_that_is_named_exists(name: str) -> None:
    named = re.findall(r"\bgit_lerim/[\w/.]*\w", readme.text(name))

    assert [
        path
        for path in named
        if not re.search(r"/NAME|/[ab]\b", path) and not (readme.ROOT / path).exists()
    ] == []


def test_every_room_stands_on_the_map() -> None:
    rooms = [
        path.name
        for path in (readme.ROOT / "git_lerim").iterdir()
        if (path / "__init__.py").exists()
    ]

    rows = "".join(
        line for line in readme.text("CONTRIBUTING.md").splitlines() if line.startswith("|")
    )

    assert rooms
    assert [room for room in rooms if f"`{room}/`" not in rows] == []


def test_the_pre_commit_hooks_that_are_named_exist() -> None:
    named = re.findall(r"- id: ([\w-]+)", readme.pages())

    assert named == re.findall(r"- id: ([\w-]+)", readme.text(".pre-commit-hooks.yaml"))


def test_no_place_of_one_machine_is_named() -> None:
    # another user's home, not ours
    homes = [os.path.expanduser("~root"), "/home/", "/Users/"]  # noqa: PTH111

    assert not [home for home in homes if home in readme.pages()]


def test_the_commands_that_install_it_work(repo: Repo) -> None:
    before = (repo.path / ".git" / "config").read_bytes()
    for line in readme.block("example: install").splitlines():
        if (
            "install" not in line or "--" in line
        ):  # without an option it asks, and nobody is there to answer
            assert readme.sh(line, repo.path).returncode == 0, line
    assert (repo.path / ".git" / "hooks" / "lerim").exists()

    assert readme.sh("git lerim uninstall --yes", repo.path).returncode == 0

    assert (repo.path / ".git" / "config").read_bytes() == before
    assert not (repo.path / ".git" / "hooks" / "lerim").exists()
