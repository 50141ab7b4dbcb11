import sys
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import HOOKED, Target, hooked
from git_lerim.agents.hooks.programs import programs

AGENTS = [name for name in HOOKED if name != "instructions"]


def target(home: Path, program: str, scope: str = "user") -> Target:
    places = Places(home=home, env={}, platform="linux")
    return Target(places=places, scope=scope, root=home / "repo", program=program)


@pytest.mark.parametrize("program", ["/old venv/o'Neil/git-lerim", "/ö hook x/git-lerim"])
@pytest.mark.parametrize("name", AGENTS)
def test_the_programs_that_our_entries_run_are_found(
    name: str, program: str, tmp_path: Path
) -> None:
    (tmp_path / ".config/opencode/node_modules/@opencode-ai/plugin").mkdir(parents=True)
    found = set()
    for file in hooked(name).files(target(tmp_path, program)):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_bytes(file.add(None))
        found.update(programs(file))
    assert found == {Path(program)}


def test_a_program_that_somebody_else_named_is_not_ours(tmp_path: Path) -> None:
    there = '{"permissions": {"allow": ["/elsewhere/git-lerim"]}}'
    settings = tmp_path / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(there)
    file = hooked("claude").files(target(tmp_path, "/here/git-lerim"))[0]
    assert programs(file) == []
    settings.write_bytes(file.add(there.encode()))
    assert programs(file) == [Path("/here/git-lerim")]


def test_doctor_and_status_name_a_program_that_is_gone(sealed_world: Path, repo: Repo) -> None:
    (sealed_world / ".claude").mkdir()
    (sealed_world / ".codex").mkdir()
    assert lerim(repo.path, "install", "--yes").code == 0
    assert "is gone" not in lerim(repo.path, "doctor").out
    assert "claude, codex" in lerim(repo.path, "status").out
    for name in (".claude/settings.json", ".codex/config.toml"):
        moved(sealed_world / name)

    said = lerim(repo.path, "doctor")

    for name in ("claude", "codex"):
        assert (
            f"warning  {name}: what git-lerim added to its settings runs /gone/bin/git" in said.out
        )
    assert "to fix it: git lerim install" in said.out
    said = lerim(repo.path, "status")
    assert "claude (broken), codex (broken)" in said.out
    assert "to mend them: git lerim install" in said.err
    lerim(repo.path, "install", "--yes")
    assert "is gone" not in lerim(repo.path, "doctor").out
    (sealed_world / ".codex/config.toml").write_text("[broken")
    assert "codex" in lerim(repo.path, "status").out


@pytest.mark.parametrize("python", ["/gone/bin/python3", sys.executable])
def test_doctor_names_a_script_whose_python_is_gone(
    python: str, sealed_world: Path, repo: Repo
) -> None:
    (sealed_world / ".claude").mkdir()
    assert lerim(repo.path, "install", "--yes").code == 0
    script = sealed_world / "old/bin/git-lerim"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{python}\n")
    script.chmod(0o755)
    moved(sealed_world / ".claude/settings.json", str(script))

    said = lerim(repo.path, "doctor").out

    assert (f"runs {script}, which is gone or has lost its Python" in said) == ("gone" in python)


def moved(path: Path, new: str = "/gone/bin/git-lerim") -> None:
    here = str(Path(sys.executable).with_name("git-lerim"))
    assert here in path.read_text()
    path.write_text(path.read_text().replace(here, new))
