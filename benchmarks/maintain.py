"""Maintenance on a planted store: how much of what was planted is found, and how much else is
touched.

The store is a folder, written by somebody who has not seen the code, with two files:

- `memories.jsonl`: one memory a line: `id` (a key of its own), `title`, `body`, `type` (decision,
  fact, insight, procedure, pitfall or preference), `created` (2026-02-20T09:30:45Z); where it
  matters `tags`, `files`, `session` (else one of its own), `origin` (else model).
- `key.tsv`, with the columns `kind`, `ids` (separated by one space) and `note`: `duplicate` (to be
  merged), `near_miss` (must not be), `contradiction` (the later first), `group` (on one subject, to
  stay as they are), `old` (to be archived).

`planted.py` makes such a store. The store held each memory from the day it was created. Nothing
else is to be merged, archived, superseded or shown as a contradiction. Without a folder, a
synthetic store measures the times alone.

With --base-url, the model there also compares and consolidates: each group that it makes one memory
of should be part of a `group`. First it is printed how much a dry run says it would send. With
--only, just these actions run: `compare,merge,contradictions` asks about pairs alone.

usage: python benchmarks/maintain.py [STORE] [--memories N] [--actions N] [--base-url URL]
           [--only A,B]
"""

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ground import LERIM, prepared

# Writes the memories, one commit a day so that each is held since it was created: a program of its
# own, as in startup.py.
FILL = """
import json, sys
from datetime import datetime
from itertools import groupby
from git_lerim.memories import confidence, naming; from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Kind, Memory, Origin, Primitive, Source
from git_lerim.storage.base import Change
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.workspace import open_workspace

def made(row):
    at = datetime.fromisoformat(row["created"].replace("Z", "+00:00"))
    primitive = Primitive.DECISION if row["type"] == "decision" else Primitive.LEARNING
    origin, session = Origin(row.get("origin") or "model"), row.get("session") or row["id"]
    return Memory(
        id=naming.memory_id("claude", row["id"], primitive, 1), primitive=primitive, \
title=row["title"], body=row["body"],
        kind=Kind(row["type"]) if primitive is Primitive.LEARNING else None, created=at, \
updated=at, origin=origin,
        confidence=confidence.OF_ORIGIN[origin], tags=tuple(row.get("tags") or ()),
        anchors=tuple(Anchor(path=path) for path in row.get("files") or ()),
        sources=(Source(agent="claude", session=session, records=((1, 1),), at=at),),
    )

rows = sorted(json.load(open(sys.argv[1]))["memories"], key=lambda row: row["created"])
place = open_workspace().place
for _, day in groupby(rows, key=lambda row: row["created"][:10]):
    memories = [made(row) for row in day]
    files = {naming.path_of(memory): frontmatter.render(memory) for memory in memories}
    seconds = memories[0].created.timestamp()
    BranchStore(place, now=lambda: seconds).commit(lambda _: Change(files=files, subject="fill"))
print(json.dumps({row["id"]: made(row).id for row in rows}))
"""


def main() -> None:
    """Fill a repository, maintain it, compare what was done with what was planted, and print the
    tables.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path, nargs="?")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument(
        "--base-url", help="of an endpoint whose model decides what words leave open"
    )
    parser.add_argument("--only", help="actions to run instead of all")
    args = parser.parse_args()
    only = ["--only", args.only] if args.only else []
    planted = read(args.store) if args.store else synthetic(args.memories, args.actions)
    with tempfile.TemporaryDirectory() as folder:
        repository, env = prepared(Path(folder))
        if args.base_url:
            env |= {
                "LERIM_MODEL": "any",
                "LERIM_API_BASE": args.base_url,
                "LERIM_MODEL_TIMEOUT": "3600",
            }
        given = Path(folder) / "planted.json"
        given.write_text(json.dumps(planted), "utf-8")
        filled = subprocess.run(
            [sys.executable, "-c", FILL, str(given)],
            cwd=repository,
            env=env,
            check=True,
            capture_output=True,
            text=True,
        )
        ids: dict[str, str] = json.loads(filled.stdout)

        def lerim(*words: str) -> tuple[Any, float]:
            began = time.monotonic()
            done = subprocess.run(
                [LERIM, *words], cwd=repository, env=env, check=True, capture_output=True, text=True
            )
            return (
                json.loads(done.stdout) if "--json" in words else done.stdout
            ), time.monotonic() - began

        _, start_up = lerim("--version")
        if args.base_url:
            sent = lerim("maintain", "--json", "--dry-run", *only)[0]["would_send"]
            print(f"would send {sent['requests']} requests, {sent['tokens_in']} tokens", flush=True)
        first, first_seconds = lerim("maintain", "--json", *only)
        if first["trouble"]:
            print(f"not all was asked: {first['trouble']}")
        memories = {row["id"]: row for row in lerim("list", "--all", "--json")[0]}
        env |= {"LERIM_MODEL": ""}
        lerim("maintain", "--json")  # finds nothing, and keeps that
        nothing = min(lerim("maintain", "--json")[1] for _ in range(5))
        start_up = min(start_up, *(lerim("--version")[1] for _ in range(5)))
    print(f"{len(ids)} memories, {len(first['actions'])} actions in {first_seconds:.1f} s")
    print(
        f"nothing to do: {1000 * nothing:.0f} ms, start-up {1000 * start_up:.0f} ms, ratio"
        f" {nothing / start_up:.1f}"
    )
    if args.store:
        compare(planted, ids, first, memories)


def read(folder: Path) -> dict[str, Any]:
    """Return the memories of a store, and what was planted there by its kind."""
    rows = [
        json.loads(line)
        for line in (folder / "memories.jsonl").read_text("utf-8").splitlines()
        if line.strip()
    ]
    planted: dict[str, Any] = {"memories": rows}
    with (folder / "key.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            planted.setdefault(row["kind"].strip(), []).append(row["ids"].split())
    return planted


def compare(
    planted: dict[str, Any], ids: dict[str, str], done: dict[str, Any], memories: dict[str, Any]
) -> None:
    """Print what was found of what was planted, and each miss and mistake by its keys."""
    keys = {id_: key for key, id_ in ids.items()}
    titles = {row["id"]: row["title"] for row in planted["memories"]}
    merged = {
        frozenset((keys[id_], keys[other]))
        for id_, row in memories.items()
        for other in row["merged_from"]
    }
    groups = [set(group) for group in planted.get("duplicate", ())]
    joined = {pair for pair in merged if any(pair <= group for group in groups)}
    found = [group for group in groups if sum(pair <= group for pair in joined) == len(group) - 1]
    near = {frozenset(pair) for pair in planted.get("near_miss", ())}
    opposed = {frozenset((keys[a], keys[b])) for a, b in done["contradictions"]}
    replaced = {
        frozenset((keys[id_], keys[other]))
        for id_, row in memories.items()
        if id_ in keys  # else it was written in the place of several
        for other in row["supersedes"]
    }
    written = [
        {keys[other] for other in row["supersedes"]}
        for id_, row in memories.items()
        if id_ not in keys
    ]
    subjects = [set(group) for group in planted.get("group", ())]
    of_one = [group for group in written if any(group <= subject for subject in subjects)]
    pairs = {frozenset(pair) for pair in planted.get("contradiction", ())}
    told = opposed | replaced
    old = {id_ for row in planted.get("old", ()) for id_ in row}
    archived = {
        keys[id_]
        for each in done["actions"]
        if each["action"] == "archive"
        for id_ in each["archived"]
    }
    rows: list[tuple[str, int, int]] = [
        ("duplicates merged", len(found), len(groups)),
        ("near misses merged", len(merged & near), len(near)),
        ("others merged", len(merged - joined - near), len(merged)),
        ("contradictions found", len(told & pairs), len(pairs)),
        ("false contradictions", len(told - pairs), len(told)),
        ("old ones archived", len(archived & old), len(old)),
        ("others archived", len(archived - old), len(archived)),
        ("consolidated, one subject", len(of_one), len(written)),
    ]
    for name, count, of in rows:
        print(f"{name:<26}{count:>6} of {of:<6}{count / of if of else 0:>8.1%}")
    for name, wrong in (
        ("not merged", [group for group in groups if group not in found]),
        ("wrongly merged", [*(merged - joined)]),
        ("contradiction not found", [*(pairs - told)]),
        ("no contradiction", [*(told - pairs)]),
        ("not archived", [{key} for key in old - archived]),
        ("wrongly archived", [{key} for key in archived - old]),
        ("consolidated of several subjects", [group for group in written if group not in of_one]),
    ):
        for group in sorted(map(sorted, wrong)):
            print(f"{name}: " + " | ".join(f"{key} {titles[key]}" for key in group))


def synthetic(memories: int, actions: int) -> dict[str, Any]:
    """Return a store of different memories, of which some are there twice."""
    chance = random.Random(1)  # noqa: S311 the same store every time
    parts = [
        "ba",
        "ce",
        "di",
        "fo",
        "gu",
        "ha",
        "je",
        "ki",
        "lo",
        "mu",
        "na",
        "pe",
        "ri",
        "so",
        "tu",
        "lan",
        "mer",
        "tis",
        "rok",
        "vad",
        "nel",
        "pif",
        "gor",
        "sim",
        "tak",
        "zun",
        "bel",
    ]
    words = list(dict.fromkeys("".join(chance.choices(parts, k=3)) for _ in range(9000)))
    weights = [1 / (place + 20) for place in range(len(words))]  # as common as words are
    rows = []
    for number in range(memories - actions):
        a, b, c, d, e, f, g, h = chance.choices(words, weights, k=8)
        at = datetime.now(UTC) - timedelta(days=chance.randrange(1, 100))
        row = {
            "id": f"m{number}",
            "type": "decision",
            "origin": "rules",
            "title": f"The {a} {b} keeps its {c} {d} in {e} so that {f} {g} {h}",
            "body": " ".join(chance.choices(words, weights, k=40)),
            "created": f"{at:%Y-%m-%dT%H:%M:%SZ}",
        }
        rows.append(row)
        if number < actions:
            rows.append(row | {"id": f"d{number}", "title": f"Always: {row['title']}"})
    return {"memories": rows}


if __name__ == "__main__":
    main()
