"""What CONTRIBUTING promises of a new field: declared in one place, it is kept and shown
everywhere.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from support.repos import Repo

import git_lerim
from git_lerim.memories.format.columns import Merge
from git_lerim.memories.memory import COLUMNS, Memory
from git_lerim.memories.merging import merging, threeway

NEW = "    weather: str | None = field(default=None, metadata=column(Maybe(LINE)))\n"
AFTER = "    feedback: tuple["
VALUES = """
import json, sys
from datetime import timedelta
sys.path.insert(0, sys.argv[1])
from support.memories import later, memory
from git_lerim.extraction.reconcile import reconcile
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.merging.merging import merge_same
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge
from git_lerim.redaction.redactor import Redactor

sunny = memory(weather="sun\\u200bny  day", updated=later(1))
plain, rainy = memory(), memory(weather="rainy", updated=later(2))
written = render(sunny)
by_yaml = written.replace(b"---\\n", b"---\\n# a remark\\n", 1)
secret = memory(weather="token ghp_" + "a1B2c3D4e5F6" * 3)
sides = [Side(memory=each, by="Ada") for each in (sunny, rainy)]
again = reconcile([plain], ("claude", "5b0c1a2f"), {sunny.id: \
clean(sunny.having(updated=sunny.created))})
print(json.dumps({
    "clean": clean(sunny).weather,
    "parse": parse(written).weather,
    "parse by YAML": parse(by_yaml).weather,
    "parse without": parse(b"\\n".join(row for row in written.split(b"\\n") if b"weather" not in \
row)).weather,
    "render": render(parse(written)) == written and b'weather: "sunny day"' in written,
    "redact": "ghp_" in gated(secret, Redactor())[0].weather,
    "merge": [merge_same(a, b).weather for a, b in ((sunny, plain), (plain, sunny), (sunny, \
rainy), (rainy, sunny))],
    "threeway": [merge(base, *order).weather for base in (plain, clean(sunny), None) for order in \
(sides, sides[::-1])],
    "read again": [action.memory.weather for action in again],
}))
"""
CHANGE = """
import os
from pathlib import Path
from git_lerim.git.repo import discover
from git_lerim.memories.format.frontmatter import render
from git_lerim.storage.base import Change
from git_lerim.storage.branch.branch_store import BranchStore

def operation(snapshot):
    (item,) = snapshot.memories.values()
    return Change(files={item.path: render(item.memory.having(weather="rainy"))}, subject="edit")

BranchStore(discover(Path.cwd(), os.environ)).commit(operation)
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package that has one field more."""
    package = Path(git_lerim.__file__).parent
    shutil.copytree(
        package, tmp_path / "copy" / "git_lerim", ignore=shutil.ignore_patterns("__pycache__")
    )
    file = tmp_path / "copy" / "git_lerim" / "memories" / "memory.py"
    text = file.read_text()
    assert text.count(AFTER) == 1
    file.write_text(text.replace(AFTER, NEW + AFTER))
    return tmp_path / "copy"


def run(copied: Path, *arguments: str, cwd: Path) -> str:
    env = os.environ | {"PYTHONPATH": str(copied)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_field_declared_in_one_place_survives_reading_writing_and_merging(
    copied: Path, tmp_path: Path
) -> None:
    told: dict[str, Any] = json.loads(
        run(copied, "-c", VALUES, str(Path(__file__).parents[2]), cwd=tmp_path)
    )

    assert told == {
        "clean": "sunny day",
        "parse": "sunny day",
        "parse by YAML": "sunny day",
        "parse without": None,
        "render": True,
        "redact": False,
        "merge": ["sunny day", "sunny day", "rainy", "rainy"],
        "threeway": ["rainy"] * 6,
        "read again": ["sunny day"],
    }


def test_a_field_declared_in_one_place_is_listed_found_shown_and_compared(
    copied: Path, repo: Repo
) -> None:
    def lerim(*arguments: str) -> str:
        return run(copied, "-m", "git_lerim", *arguments, cwd=repo.path)

    lerim("remember", "Use SQLite, because it is there.")
    run(copied, "-c", CHANGE, cwd=repo.path)

    (listed,), (found,) = (
        json.loads(lerim("list", "--json")),
        json.loads(lerim("search", "SQLite", "--json")),
    )
    (shown,) = json.loads(lerim("show", listed["id"], "--json"))
    assert listed["weather"] == found["weather"] == shown["weather"] == "rainy"
    assert "\nweather rainy\n" in lerim("show", listed["id"])
    assert "    weather: null → rainy\n" in lerim("diff")
    assert 'weather: "rainy"\n' in lerim("show", "--raw", listed["id"])


def test_every_field_is_a_column_and_every_rule_merges_both_ways() -> None:
    assert [each.name for each in COLUMNS] == [
        each.name for each in fields(Memory) if each.name != "unknown"
    ]
    assert merging._RULES.keys() == threeway._RULES.keys() == set(Merge)
