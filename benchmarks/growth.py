"""Sessions that grow, by a model: read snapshot by snapshot, and at once.

usage: python benchmarks/growth.py --base-url URL [--data FOLDER] [--work FOLDER] [SERIES ...]

A series is a folder below DATA/_growth with snapshots of one session, each a prefix of the next.
Each is synced into two repositories: snapshot by snapshot into `steps`, the last one alone into
`once`. Printed are, after each sync, what it cost and what became of the memories that were there
before; at the end the memories of both side by side, for a reader to say which are the same, and
whether one more sync asks the model or makes a commit. A finished repository is kept in WORK.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from ground import LERIM
from support.homes import Person, at_home

SHARED = Path(__file__).resolve().parents[2] / "shared"
Active = dict[str, tuple[str, str]]


def main() -> None:
    """Run the series, and print what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("series", nargs="*", help="folders below _growth (default: all)")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "sessions")
    parser.add_argument("--work", type=Path, default=Path("growth-benchmark"))
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="answerer")
    args = parser.parse_args()
    folders = sorted((args.data / "_growth").glob("*"))
    folders = [folder for folder in folders if not args.series or folder.name in args.series]
    if not folders:
        raise SystemExit(f"no such series in {args.data / '_growth'}")
    for folder in folders:
        states = sorted(folder.glob("snapshot-*.jsonl"), key=lambda path: int(path.stem[9:]))
        if not states:
            raise SystemExit(f"no snapshots in {folder}")
        print(f"\n# {folder.name}: {len(states)} snapshots")
        work = args.work.resolve() / folder.name
        steps, costs = grown(work / "steps", states, args)
        once, cost = grown(work / "once", states[-1:], args)
        compare(steps, once)
        print(f"tokens: {sum(costs)} in {len(costs)} steps, {sum(cost)} at once")


def grown(work: Path, states: list[Path], args: argparse.Namespace) -> tuple[Active, list[int]]:
    """Sync one state after the other, then once more; return what is active, and each sync's
    tokens.
    """
    result = work / "result.json"
    if not result.exists():
        shutil.rmtree(work, ignore_errors=True)
        result.write_text(json.dumps(synced(work, states, args)), encoding="utf-8")
    report = json.loads(result.read_text(encoding="utf-8"))
    print("\n".join(report["lines"]))
    return {id_: tuple(words) for id_, words in report["active"].items()}, report["tokens"]


def synced(work: Path, states: list[Path], args: argparse.Namespace) -> dict[str, Any]:
    """Sync each state into a new repository; return the lines to print, memories and tokens."""
    agent, name, places = layout(states[-1])
    someone = at_home(work, agent, work / "store", places)
    for setting, value in (
        ("apiBase", args.base_url),
        ("model", args.model),
        ("modelTimeout", "7200"),
    ):
        git(someone, "config", "--global", f"lerim.{setting}", value)
    target = work / "store" / name
    target.parent.mkdir(parents=True)
    active: Active = {}
    lines, spent = [], []
    for state in states:
        shutil.copyfile(state, target)
        report = sync(someone)
        before, active = active, someone.active()
        changed = [id_ for id_ in before if id_ in active and active[id_] != before[id_]]
        gone = [id_ for id_ in before if id_ not in active]
        spent.append(report["tokens_in"] + report["tokens_out"])
        lines.append(
            f"{work.name}/{state.stem}: {spent[-1]} tokens, {len(active)} active,"
            f" {len(active.keys() - before.keys())} new, {len(changed)} changed,"
            f" {len(gone)} taken back"
        )
        lines += [f"  changed {id_}  {before[id_][0]} -> {active[id_][0]}" for id_ in changed]
        lines += [f"  taken back {id_}  {before[id_][0]}" for id_ in gone]
    tip = git(someone, "rev-parse", "lerim/memory")
    again = sync(someone)
    same = git(someone, "rev-parse", "lerim/memory") == tip
    asked = again["tokens_in"] + again["tokens_out"]
    lines.append(f"{work.name}: one more sync {asked} tokens, {'no' if same else 'A'} commit")
    return {"lines": lines, "active": active, "tokens": spent}


def layout(state: Path) -> tuple[str, str, list[str]]:
    """Return the agent, the place of the session's file in its home, and the folders it names."""
    records = []
    for line in state.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            continue  # two objects on one line; the others say what is wanted
    if records[0].get("type") == "session_meta":
        payloads = [record["payload"] for record in records if "payload" in record]
        name = f"sessions/2026/06/17/rollout-2026-06-17T10-00-00-{payloads[0]['id']}.jsonl"
        return "codex", name, sorted({p["cwd"] for p in payloads if p.get("cwd")})
    session = next(record["sessionId"] for record in records if record.get("sessionId"))
    places = sorted({record["cwd"] for record in records if record.get("cwd")})
    return "claude", f"projects/x/{session}.jsonl", places


def compare(steps: Active, once: Active) -> None:
    """Print the memories of both ways."""
    for name, active in (("steps", steps), ("once", once)):
        print(f"\n{name}: {len(active)}")
        for id_, (title, body) in sorted(active.items()):
            print(f"  {id_}  {title}\n      {body.splitlines()[0] if body else ''}")


def sync(someone: Person) -> dict[str, Any]:
    """Sync, however long the model takes, and return the report."""
    report: dict[str, Any] = json.loads(run(someone, LERIM, "sync", "--window", "all", "--json"))
    if report["errors"]:
        raise SystemExit("\n".join(map(str, report["errors"])))
    return report


def git(someone: Person, *words: str) -> str:
    """Run git as that person, and return what it printed."""
    return run(someone, "git", *words)


def run(someone: Person, *command: str) -> str:
    """Run a command in that person's repository, and return what it printed."""
    ran = subprocess.run(
        command,
        cwd=someone.repo,
        env=os.environ | someone.env,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"{' '.join(command)}: {ran.stderr}")
    return ran.stdout.strip()


if __name__ == "__main__":
    main()
