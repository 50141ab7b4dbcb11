"""What README.md and docs/ promise: marked blocks, tables, and the sample sessions to try them on.

Run in tests/, `python -m support.readme` draws the README's picture of a terminal again.
"""

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from support import terminal_svg

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "terminal.svg"
PICTURED = (0, 1, 3, -1)  # the commands of the tour that the picture shows
SAMPLES = {
    "claude-catalog.jsonl": ".claude/projects/shop/5b0c1a2f-7c1e-4d0b-9a55-0e6f2b9d1c01.jsonl",
    "claude-rename.jsonl": ".claude/projects/shop/7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02.jsonl",
    "codex-prices.jsonl": (
        ".codex/sessions/2026/02/21/rollout-2026-02-21T14-00-00-019c7d20-4b1e-7a53-9c11-2f6d8e0a4b77.jsonl"
    ),
}


def text(name: str = "README.md") -> str:
    """Return a document of this checkout."""
    return (ROOT / name).read_text(encoding="utf-8")


def names() -> list[str]:
    """Return the names of the README and of the pages that it links to."""
    return ["README.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))]


def pages() -> str:
    """Return the text of the README and of all pages."""
    return "\n".join(map(text, names()))


def block(mark: str) -> str:
    """Return the fenced block that follows `<!-- MARK -->`."""
    found = re.search(rf"<!-- {re.escape(mark)} -->\n```\w*\n(.*?)\n?```", pages(), re.DOTALL)
    assert found, f"no page has a block marked {mark}"
    return found[1]


def table(page: str) -> list[list[str]]:
    """Return the cells of the first table of a page, without its head."""
    rows = text(page).split("\n\n|", 1)[1].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def place_samples(home: Path, cwd: Path) -> None:
    """Put the sample sessions where their agents keep them, as if they had run in a folder."""
    for name, target in SAMPLES.items():
        sample = files("git_lerim").joinpath("samples", name).read_text(encoding="utf-8")
        (home / target).parent.mkdir(parents=True, exist_ok=True)
        (home / target).write_text(
            sample.replace("@CWD@", json.dumps(str(cwd))[1:-1]), encoding="utf-8"
        )


def sh(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a line as a shell does in which this Python's `git-lerim` is on PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "GIT_PAGER": "cat"}
    return subprocess.run(
        ["sh", "-c", line], cwd=cwd, env=env, capture_output=True, encoding="utf-8", check=False
    )


def steps(printed: str) -> list[str]:
    """Return the commands of a tour, each with what it printed, without the sentence that announces
    the next.
    """
    parts = re.split(r"(?m)^(?=\$ )", printed)[1:]
    return [re.sub(r"\n\n[^\n]*:\n\Z", "\n", part).strip() for part in parts]


def tour() -> str:
    """Return what the tour prints."""
    done = subprocess.run(
        [sys.executable, "-m", "git_lerim", "tour"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pictured() -> str:
    """Return what the tour prints for the commands that the picture shows."""
    shown = steps(tour())
    return "\n\n".join(shown[number] for number in PICTURED)


if __name__ == "__main__":
    PICTURE.write_text(terminal_svg.drawn(pictured()), encoding="utf-8")
