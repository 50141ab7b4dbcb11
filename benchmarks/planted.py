"""Make a store for maintain.py from planted.toml: 2,000 memories, among them duplicates in other
words, near misses, contradictions, groups on one subject, and old ones.

usage: python benchmarks/planted.py FOLDER [--seed N]
"""

import argparse
import json
import random
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

PLANTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
# In each family: how often something is said twice, almost alike, and otherwise; and once only.
DUPLICATES, NEAR_MISSES, CONTRADICTIONS, SINGLE = 5, 5, 3, 19
GROUPS_OF_EACH, OLD_OF_EACH = 10, 20


class Store:
    """The memories and the key, as they are made."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 the same store every time
        self.now = datetime.now(UTC).replace(microsecond=0)
        self.memories: list[dict[str, Any]] = []
        self.key: list[tuple[str, str, str]] = []

    def add(self, type_: str, text: list[str], slots: dict[str, Any], days: float) -> str:
        """Add a memory of so many days ago, and return its key."""
        title, body = (capital(part.format(**slots)) for part in text)
        self.memories.append(
            {
                "id": f"k{len(self.memories):04}",
                "type": type_,
                "title": title,
                "body": body,
                "created": f"{self.now - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}",
            }
        )
        return str(self.memories[-1]["id"])

    def family(self, number: int, family: dict[str, Any], components: list[list[str]]) -> None:
        """Add all memories of a family, each about other components."""
        uses = (
            ["same"] * DUPLICATES
            + ["near"] * NEAR_MISSES
            + ["opposite"] * CONTRADICTIONS
            + [""] * SINGLE
        )
        for place, (use, pair) in enumerate(
            zip(uses, self.chance.sample(components, len(uses)), strict=True)
        ):
            a, b = family["values"][place % len(family["values"])]
            c, d = self.chance.sample(pair, 2)
            slots = {"a": a, "b": b, "c": c, "d": d}
            reason, other = self.chance.sample(PLANTED["reasons"], 2)
            days = self.chance.uniform(21, 60)
            title, body = family["base"]
            first = self.add(family["type"], [title, f"{body} {reason[0]}"], slots, days)
            if not use:
                continue
            title, body = family[use]
            why = {"same": reason[1], "near": reason[0], "opposite": other[0]}[use]
            days -= self.chance.uniform(1, 20)
            second = self.add(family["type"], [title, f"{body} {why}"], slots, days)
            kind = {"same": "duplicate", "near": "near_miss", "opposite": "contradiction"}[use]
            self.key.append((kind, f"{second} {first}", f"family {number}"))

    def groups(self, components: list[str]) -> None:
        """Add groups of memories on one subject."""
        for number, group in enumerate(PLANTED["group"]):
            for name in components[number * GROUPS_OF_EACH :][:GROUPS_OF_EACH]:
                ids = [
                    self.add(type_, [title, body], {"c": name}, self.chance.uniform(1, 60))
                    for type_, title, body in group["facts"]
                ]
                self.key.append(("group", " ".join(ids), f"group {number}"))

    def old(self, components: list[str]) -> None:
        """Add what decayed long ago."""
        for number, (type_, *text) in enumerate(PLANTED["old"]):
            for name in self.chance.sample(components, OLD_OF_EACH):
                slots = {"c": name, "n": self.chance.randrange(11, 4000)}
                days = self.chance.uniform(200, 400)
                self.key.append(("old", self.add(type_, text, slots, days), f"old {number}"))


def capital(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def main() -> None:
    """Write memories.jsonl and key.tsv into the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    store = Store(args.seed)
    apart = len(PLANTED["group"]) * GROUPS_OF_EACH // 2  # groups have components of their own
    pairs = PLANTED["components"]
    for number, family in enumerate(PLANTED["family"]):
        store.family(number, family, pairs[apart:])
    store.groups([name for pair in pairs[:apart] for name in pair])
    store.old([name for pair in pairs[apart:] for name in pair])
    args.folder.mkdir(parents=True, exist_ok=True)
    (args.folder / "memories.jsonl").write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in store.memories), "utf-8"
    )
    (args.folder / "key.tsv").write_text(
        "".join("\t".join(row) + "\n" for row in [("kind", "ids", "note"), *store.key]), "utf-8"
    )
    print(f"{len(store.memories)} memories in {args.folder}")


if __name__ == "__main__":
    main()
