"""Sync every session of the corpus through the whole product, and print what it counts beside what
stands in the files.

usage: python benchmarks/corpus.py [--orders]

A row is one agent's home: the sessions, records and prompts that were listed (an asterisk: not
those that an independent script counts, see tests/support/counts.py), what became of the sessions,
memories and seconds. Below stand the files of MANIFEST.tsv that are no session, and why. With
`--orders` each home is also synced by a second person, one session at a time and the newest first,
and all homes by two people, agent by agent in opposite orders: the same ids, the same active
memories. That takes some minutes.
"""

import argparse
import csv
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support.counts import Counts
from support.homes import HOMES, SESSIONS, VARIABLES, Person, adoptable, at_home, counted, person

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "sessions"
STATES = ("extracted", "nothing", "empty", "unscoped")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--orders", action="store_true")
    orders = parser.parse_args().orders
    if not CORPUS.is_dir():
        sys.exit(f"needs {CORPUS}, which is not here")
    for name in [
        name
        for name in os.environ
        if name.startswith(("GIT_", "LERIM_", "OPENCODE_", *VARIABLES.values()))
    ]:
        del os.environ[name]
    print(
        f"{'home':<38}{'sessions':>9}{'records':>9}{'prompts':>8}"
        + "".join(f"{state:>10}" for state in STATES)
        + f"{'memories':>10}{'s':>6}"
    )
    with tempfile.TemporaryDirectory() as scratch:
        found = [
            row(Path(scratch) / str(n), agent, below) for n, (agent, below) in enumerate(HOMES)
        ]
        files = {path for counts, _ in found for count in counts.values() for path in count.files}
        print_others(files)
        if orders:
            for n, ((agent, below), (counts, someone)) in enumerate(zip(HOMES, found, strict=True)):
                second = at_home(
                    Path(scratch) / f"again-{n}", agent, CORPUS / below, adoptable(counts)
                )
                while second.sync("--max-sessions", "1")["sessions_extracted"]:
                    pass
                print(f"{below:<38} one by one: {same(someone, second)}", flush=True)
            print(f"all homes, agent by agent in opposite orders: {opposite(Path(scratch), found)}")


def row(folder: Path, agent: str, below: str) -> tuple[Counts, Person]:
    """Sync one home and print what came of it."""
    counts = counted(agent, CORPUS / below)
    someone = at_home(folder, agent, CORPUS / below, adoptable(counts))
    began = time.monotonic()
    someone.sync("--max-sessions", "10000")
    took = time.monotonic() - began
    listed = someone.sessions()
    right = {name: (count.records, count.prompts) for name, count in counts.items()}
    mark = (
        "" if {name: (r["records"], r["prompts"]) for name, r in listed.items()} == right else "*"
    )
    states = Counter(r["state"] for r in listed.values())
    sums = f"{len(listed):>9}{sum(r['records'] for r in listed.values()):>9}{sum(r['prompts'] for r in listed.values()):>8}"  # noqa: E501
    became = "".join(f"{states[state]:>10}" for state in STATES)
    print(f"{below + mark:<38}{sums}{became}{len(someone.active()):>10}{took:>6.1f}", flush=True)
    return counts, someone


def print_others(files: set[Path]) -> None:
    """Print the files of the manifest in which no session was counted."""
    print("\nfiles that are no session of their own")
    folders = tuple(f"{below}/" for _, below in HOMES)
    with (CORPUS / "MANIFEST.tsv").open(newline="") as manifest:
        for path in (entry["path"] for entry in csv.DictReader(manifest, delimiter="\t")):
            if path.startswith(folders) and CORPUS / path not in files:
                print(f"  {path}: {why(path)}")


def why(path: str) -> str:
    """Say why a file of the manifest is no session."""
    if path.startswith("opencode/"):
        return "the same sessions in an older store of OpenCode, or exported: the database wins"
    return (
        "what a sub-agent is"
        if path.endswith(".meta.json")
        else "nobody speaks in it: titles or housekeeping only"
    )


def opposite(scratch: Path, found: list[tuple[Counts, Person]]) -> str:
    """Let two people sync everything, agent by agent, one of them backwards."""
    homes = {agent: CORPUS / places[0].partition("/")[0] for agent, places in SESSIONS.items()}
    places = {place for counts, _ in found for place in adoptable(counts)}
    people = [person(scratch / name, homes.items(), places) for name in ("forwards", "backwards")]
    for someone, agents in zip(people, (list(homes), list(homes)[::-1]), strict=True):
        for agent in agents:
            someone.sync("--agent", agent, "--max-sessions", "10000")
    return same(*people)


def same(first: Person, second: Person) -> str:
    """Say in what the memories of two people differ."""
    one, two = first.active(), second.active()
    if one == two and set(first.memories()) == set(second.memories()):
        return f"the same {len(one)} memories"
    return (
        f"DIFFERENT: {sorted(set(one) ^ set(two))}, told otherwise:"
        f" {[i for i in set(one) & set(two) if one[i] != two[i]]}"
    )


if __name__ == "__main__":
    main()
