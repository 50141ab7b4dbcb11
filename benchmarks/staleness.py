"""Are the memories called stale whose claims about the code no longer hold? One table for claims
that were judged by reading.

usage: python benchmarks/staleness.py TSV REPOSITORIES [--misses] [--anchors]

TSV has a head line and the columns `repository`, `commit`, `path`, `title`, `body` and `judged`:
the name of a clone below the folder REPOSITORIES (bare or not), a commit of it, a file as it is
called there, what somebody claimed of that file's lines after reading it at that commit, and what a
reader judged at HEAD without having seen a verdict: `holds` or `broken`. Rows with anything else in
`judged` are left out. A claim names code as a memory does: identifiers in backticks, numbers and
strings as they stand.

Each claim becomes a memory's title, body and anchors as a sync would make them, and all claims of a
repository are judged together against its HEAD. Printed are precision and recall of `stale`, the
share of broken ones that were called so and of those that hold, seconds, and the same as a multiple
of one `git diff --stat` from the oldest of the commits to HEAD.
"""

import argparse
import csv
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import Place, discover
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.anchoring import anchors_in
from git_lerim.upkeep.freshness.freshness import Claim, Freshness, Verdict

Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tsv", type=Path)
    parser.add_argument("repositories", type=Path)
    parser.add_argument(
        "--misses",
        action="store_true",
        help="print each claim that was judged otherwise, with what was lost",
    )
    parser.add_argument("--anchors", action="store_true", help="print where each claim was found")
    args = parser.parse_args()
    with args.tsv.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t")
            if row["judged"] in {"holds", "broken"}
        ]
    tally: Counter[tuple[str, bool]] = Counter()
    print(
        f"{'repository':<20} {'claims':>6} {'broken':>6} {'stale':>6} {'seconds':>8}"
        f" {'x diff --stat':>13}"
    )
    for name in dict.fromkeys(row["repository"] for row in rows):
        own = [row for row in rows if row["repository"] == name]
        place = discover(args.repositories / name, os.environ)
        began = time.perf_counter()
        claims, verdicts = judged(place, own)
        took = time.perf_counter() - began
        for row, claim in zip(own, claims, strict=True):
            verdict = verdicts[claim.id]
            tally[row["judged"], verdict.cause is not None] += 1
            if args.anchors or (
                args.misses and (verdict.cause is not None) != (row["judged"] == "broken")
            ):
                tell(row, claim, verdict)
        broken = sum(row["judged"] == "broken" for row in own)
        stale = sum(verdict.cause is not None for verdict in verdicts.values())
        once = diff_stat(place, own)
        print(f"{name:<20} {len(own):>6} {broken:>6} {stale:>6} {took:>8.2f} {took / once:>13.1f}")
    report(tally)


def judged(place: Place, rows: Iterable[Row]) -> tuple[list[Claim], dict[str, Verdict]]:
    """Make memories of claims, and judge them against HEAD."""
    objects = open_objects(place)
    claims = [claim(objects, number, row) for number, row in enumerate(rows)]
    head = git(place, "rev-parse", "HEAD")
    return claims, Freshness(place, objects, head).verdicts(claims)


def claim(objects: Objects, number: int, row: Row) -> Claim:
    """Return a claim with the anchors that a sync would give it."""
    commit = objects.full_id(row["commit"])
    entry = commit and objects.entry_at(commit, row["path"])
    if not entry:
        raise SystemExit(f"{row['repository']}: {row['commit']} has no file {row['path']}")
    file = Anchor(path=row["path"], blob=entry.id, commit=commit)
    anchors = anchors_in(objects.blob(entry.id), file, row["title"], row["body"])
    return Claim(id=str(number), title=row["title"], body=row["body"], anchors=tuple(anchors))


def tell(row: Row, claim: Claim, verdict: Verdict) -> None:
    """Print one claim with what was made of it."""
    print(
        f"  {row['judged']}, called {'stale' if verdict.cause else 'true'}: {row['path']}:"
        f" {row['title']} | {row['body']}"
    )
    for anchor, state in zip(claim.anchors, verdict.states, strict=True):
        lost = ", ".join(
            one.text + (f" beside {'/'.join(one.beside)}" if one.beside else "")
            for one in state.lost
        )
        print(
            f"    {anchor.lines} {anchor.symbol}: {state.state} {state.path} {state.lines}"
            f" {f'lost {lost}' if lost else ''}"
        )


def diff_stat(place: Place, rows: Iterable[Row]) -> float:
    """Return how many seconds one `git diff --stat` takes from the oldest commit to HEAD."""
    dated = [
        (git(place, "log", "-1", "--format=%ct", row["commit"]), row["commit"]) for row in rows
    ]
    oldest = min(dated, key=lambda pair: int(pair[0]))[1]
    began = time.perf_counter()
    diff = ["git", *place.git("diff", "--stat", oldest, "HEAD")]
    subprocess.run(diff, capture_output=True, check=False)  # a clone may lack blobs
    return time.perf_counter() - began


def git(place: Place, *words: str) -> str:
    return (
        subprocess.run(["git", *place.git(*words)], capture_output=True, check=True)
        .stdout.decode("utf-8", "replace")
        .strip()
    )


def report(tally: Counter[tuple[str, bool]]) -> None:
    found, missed = tally["broken", True], tally["broken", False]
    wrong, right = tally["holds", True], tally["holds", False]
    print(
        f"\nbroken and called stale   {found}/{found + missed} ="
        f" {found / max(found + missed, 1):.1%}  (recall)"
    )
    print(
        f"holding and called stale  {wrong}/{wrong + right} = {wrong / max(wrong + right, 1):.1%}"
    )
    print(
        f"precision                 {found}/{found + wrong} = {found / max(found + wrong, 1):.1%}"
    )


if __name__ == "__main__":
    main()
