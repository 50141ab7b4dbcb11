import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from git_lerim import __version__
from git_lerim.git import hooks

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def built(target: str, folder: Path) -> Path:
    """Build a distribution with the hatchling that is installed, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(built("wheel", tmp_path_factory.mktemp("wheel")))


def test_the_wheel_holds_every_file_of_the_package(wheel: zipfile.ZipFile) -> None:
    kept = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "git_lerim").rglob("*")
        if path.is_file() and path.suffix in {".py", ".json", ".jsonl", ".txt", ".typed"}
    }

    assert kept <= set(wheel.namelist())
    assert "git_lerim/py.typed" in kept
    assert sum(name.startswith("git_lerim/samples/") for name in kept) >= 3


def test_the_wheel_holds_the_manual_page_where_man_looks(wheel: zipfile.ZipFile) -> None:
    name = f"git_lerim-{__version__}.data/data/share/man/man1/git-lerim.1"

    assert wheel.read(name) == (ROOT / "man" / "git-lerim.1").read_bytes()


def test_the_wheel_holds_what_git_s_hooks_run_and_a_checkout_finds_it(
    wheel: zipfile.ZipFile,
) -> None:
    folder = ROOT / "hooks"
    found = [path for path in folder.rglob("*") if path.is_file()]
    written = {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}

    assert {name: wheel.read(f"git_lerim/_hooks/{name}") for name in written} == written
    assert {name: hooks.template(name) for name in written} == written


def test_the_wheel_holds_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/", 1)[0] for name in wheel.namelist()}

    assert tops == {
        "git_lerim",
        f"git_lerim-{__version__}.data",
        f"git_lerim-{__version__}.dist-info",
    }
    assert not [name for name in wheel.namelist() if "test" in name or name.endswith(".pyc")]


def test_the_wheel_installs_the_program_and_its_licence(wheel: zipfile.ZipFile) -> None:
    info = f"git_lerim-{__version__}.dist-info"

    assert (
        f"git-lerim = {PROJECT['project']['scripts']['git-lerim']}"
        in wheel.read(f"{info}/entry_points.txt").decode()
    )
    assert "MIT" in wheel.read(f"{info}/licenses/LICENSE").decode()
    assert "Requires-Python: >=3.11" in wheel.read(f"{info}/METADATA").decode()


def test_the_source_distribution_can_be_tested_and_holds_no_environment(tmp_path: Path) -> None:
    with tarfile.open(built("sdist", tmp_path)) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}

    assert {
        "pyproject.toml",
        "LICENSE",
        "README.md",
        "man/git-lerim.1",
        "tests/conftest.py",
    } <= names
    assert not [
        name
        for name in names
        if re.match(r"\.(venv|git|mypy_cache|pytest_cache|hypothesis)/", name)
    ]


def test_every_dependency_says_from_which_version_on() -> None:
    project = PROJECT["project"]
    named = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]

    assert [line for line in named if ">=" not in line and not line.startswith("types-")] == []


def test_the_hooks_for_pre_commit_run_programs_that_exist_at_stages_that_exist() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    stages = {
        "pre-commit",
        "pre-push",
        "post-commit",
        "post-merge",
        "post-rewrite",
        "post-checkout",
        "manual",
    }

    for hook in hooks:
        verb, *options = hook["entry"].split()[1:]
        explained = subprocess.run(
            [sys.executable, "-m", "git_lerim", verb, "-h"],
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        assert hook["entry"].split()[0] in PROJECT["project"]["scripts"]
        assert [
            option for option in options if option.startswith("-") and option not in explained
        ] == []
        assert set(hook["stages"]) <= stages
        assert hook["language"] == "python"
        assert hook["always_run"] is True
        assert hook["pass_filenames"] is False
