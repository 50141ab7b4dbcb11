"""Does `why` name the session that a commit came from? One table for a repository and its real
sessions.

usage: python benchmarks/why.py REPOSITORY SESSIONS TSV [--every] [--keep FOLDER]

REPOSITORY is a clone or a bare repository; SESSIONS a folder with `<agent>/<name>/…`, each laid out
like the agent's own home, where `<name>` is the folder that TSV lies in. TSV says which session led
to which commit (session_id, …, file_in_this_dataset, commit, …; a session without a file cannot be
found and is left out). A clone is made in a temporary folder and reads all sessions. For each
commit with a session file, `git lerim why PATH:LINE` is asked about the middle line of what the
commit added to the file it added most to: once in the commit itself, checked out, and once at HEAD,
where a line of it survives. `--every` asks about one line of each text file of the commit instead,
in the commit.

Printed are: whether one of the commit's sessions is named, at which place of the list, and whether
a wrong one stands first.
"""

import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from ground import LERIM

FOLDERS = {
    "claude-code": "claude", "codex": "codex", "opencode": "opencode", "gemini-cli": "gemini",
    "copilot-cli": "copilot",
    "cursor": "cursor", "pi": "pi",
}  # fmt: skip
NO_CODE = re.compile(
    r"(?:^|/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|.*\.(?:lock|svg|map|min\.js))$"
)


def main() -> None:
    """Ask about every commit, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("tsv", type=Path)
    parser.add_argument("--every", action="store_true", help="ask about each file of a commit")
    parser.add_argument("--keep", type=Path, help="work in this folder, and leave it there")
    args = parser.parse_args()
    with nullcontext(args.keep) if args.keep else tempfile.TemporaryDirectory() as scratch:
        clone = prepared(args.repository, args.sessions, args.tsv.parent.name, Path(scratch))
        if args.every:
            report_every(clone, truth(args.tsv))
        else:
            report(clone, truth(args.tsv))


def truth(tsv: Path) -> dict[str, set[str]]:
    """Return the sessions of each commit that has a session file."""
    with tsv.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    there = {row["commit"] for row in rows if row["file_in_this_dataset"]}
    return {
        commit: {row["session_id"] for row in rows if row["commit"] == commit}
        for commit in sorted(there)
    }


def prepared(repository: Path, sessions: Path, name: str, scratch: Path) -> Path:
    """Clone the repository and read the sessions into it, as ones that ran where their
    records say.
    """
    clone = scratch / "clone"
    if clone.exists():
        return clone
    (scratch / "home").mkdir(parents=True)
    subprocess.run(["git", "clone", "-q", "--no-checkout", str(repository), str(clone)], check=True)
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(clone, "config", key, value)
    for folder, agent in FOLDERS.items():
        place = sessions / folder / name
        git(
            clone,
            "config",
            f"lerim.{agent}.path",
            str(place.resolve() if place.exists() else scratch / "home" / agent),
        )
    lerim(clone, "allow", "--yes")
    every = ("--window", "all", "--max-sessions", "100000")
    lerim(clone, "sync", *every, "--no-extract")
    places = {place for row in lerim(clone, "sessions", "--all")[0] for place in row["places"]}
    for place in places:
        if not any(
            place != other
            and place.startswith(other.rstrip("/\\") + ("\\" if "\\" in other else "/"))
            for other in places
        ):
            git(clone, "config", "--add", "lerim.repositoryPath", place)
    lerim(clone, "allow", "--yes")
    done = lerim(clone, "sync", *every)[0]
    print(
        f"{name}: {done['sessions_indexed']} sessions,"
        f" {done['decisions_added'] + done['learnings_added']} memories"
    )
    return clone


def report(clone: Path, commits: dict[str, set[str]]) -> None:
    """Print a row for each commit."""
    print(f"{'commit':<12}{'sessions':>9}  {'in the commit':<24}{'at HEAD':<24}{'line'}")
    named = {"commit": 0, "head": 0}
    wrong = {"commit": 0, "head": 0}
    asked = {"commit": 0, "head": 0}
    times: list[float] = []
    for commit, sessions in commits.items():
        lines = next(added(clone, commit), None)
        if lines is None:
            print(f"{commit[:10]:<12}{len(sessions):>9}  not here, or no text")
            continue
        path, line = lines
        cells = {}
        for where, place in (("commit", (commit, path, line)), ("head", surviving(clone, commit))):
            if place is None:
                cells[where] = "no line survives"
                continue
            git(clone, "checkout", "-q", "-f", "--detach", place[0])
            found, seconds = why(clone, place[1], place[2])
            times.append(seconds)
            asked[where] += 1
            right = next((n for n, session in enumerate(found, 1) if session in sessions), None)
            named[where] += right is not None
            wrong[where] += bool(found) and right != 1
            cells[where] = f"{'named' if right else 'NOT NAMED':<10}{right or '-'} of {len(found)}"
        print(
            f"{commit[:10]:<12}{len(sessions):>9} "
            f" {cells['commit']:<24}{cells['head']:<24}{path}:{line}"
        )
    for where in ("commit", "head"):
        print(
            f"{where}: named {named[where]} of {asked[where]}, a wrong session first {wrong[where]}"
            " times"
        )
    print(
        f"a question takes {statistics.median(times) * 1000:.0f} ms, the process and git included"
        " (median)"
    )


def report_every(clone: Path, commits: dict[str, set[str]]) -> None:
    """Print how often a session was named, over one line of each file of each commit."""
    asked = named = first = silent = 0
    for commit, sessions in commits.items():
        for number, (path, line) in enumerate(added(clone, commit)):
            if number == 0:
                git(clone, "checkout", "-q", "-f", "--detach", commit)
            found, _ = why(clone, path, line)
            asked += 1
            named += any(session in sessions for session in found)
            first += bool(found) and found[0] in sessions
            silent += not found
    wrong = asked - first - silent
    print(
        f"{asked} lines: a right session named {named}, a right one first {first}, a wrong one"
        f" first {wrong}, none {silent}"
    )


def added(clone: Path, commit: str) -> Iterator[tuple[str, int]]:
    """Yield the middle line of what a commit added to each text file, the file with most first."""
    text = git(
        clone,
        "show",
        "--format=",
        "--unified=0",
        "--no-renames",
        "-m",
        "--first-parent",
        "--no-color",
        "--no-ext-diff",
        commit,
    )
    files: dict[str, list[int]] = {}
    path = ""
    for row in text.split("\n"):
        if row.startswith("+++ "):
            path = row[6:].rstrip("\t") if row.startswith("+++ b/") else ""
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row):
            first, size = int(match[1]), int(match[2] or 1)
            if path and not NO_CODE.search(path):
                files.setdefault(path, []).extend(range(first, first + size))
    for name, lines in sorted(files.items(), key=lambda item: -len(item[1])):
        if lines:
            yield name, lines[len(lines) // 2]


def surviving(clone: Path, commit: str) -> tuple[str, str, int] | None:
    """Return a line of HEAD that the commit wrote: the branch, the path, the number."""
    head = git(clone, "rev-parse", "origin/HEAD").strip()
    for path, _ in added(clone, commit):
        blamed = git(clone, "blame", "--porcelain", "-w", head, "--", path)
        lines = [
            int(match[1]) for match in re.finditer(rf"^{commit} \d+ (\d+)", blamed, re.MULTILINE)
        ]
        if lines:
            return head, path, lines[len(lines) // 2]
    return None


def why(clone: Path, path: str, line: int) -> tuple[list[str], float]:
    """Return the sessions that are named for a line, the surest first, and the seconds it took."""
    answer, seconds = lerim(clone, "why", f"{path}:{line}")
    return [
        session["session"] for commit in answer.get("commits", []) for session in commit["sessions"]
    ], seconds


def lerim(clone: Path, *words: str) -> tuple[Any, float]:
    """Run a verb and return its JSON, and the seconds it took."""
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "LERIM_"))
    }
    env |= {"HOME": str(clone.parent / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    began = time.perf_counter()
    done = subprocess.run(
        [LERIM, *words, "--json"], cwd=clone, env=env, capture_output=True, check=False
    )
    seconds = time.perf_counter() - began
    if done.returncode not in (0, 3):
        print(done.stderr.decode(errors="replace").strip().split("\n")[0], file=sys.stderr)
        return {}, seconds
    return json.loads(done.stdout), seconds


def git(clone: Path, *args: str) -> str:
    """Run git and return what it printed."""
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *args], cwd=clone, capture_output=True, check=False
    )
    return done.stdout.decode(errors="replace")


if __name__ == "__main__":
    main()
