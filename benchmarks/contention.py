"""Many writers: `python benchmarks/contention.py [PROCESSES [WRITES [CLONES [SHARINGS [ROUNDS
[PRUNED]]]]]]`; 0: not that part.

First, processes write into one repository at once. Then eight write beside a user whose git tidies
up, fetches and rebases all the time, in as many rounds as were asked for: ninety-nine writes in a
hundred have to take less than a second, the first of each process not counted, which loads the
program; TMPDIR=/dev/shm leaves the disk out of it. Then people with clones of one remote sync their
sessions, of which they have some in common, edit one memory, pull and push, and are killed at
random moments; each tries again what was not finished. Afterwards all that one calm sync of all
sessions gives has to be there, nothing twice, `git fsck` be clean, and all clones equal. Last, in
PRUNED runs, two processes write 250 memories each while `git gc --prune=now` and a reader run in
loops: all that was acknowledged has to be there. The full sizes are 16 50 5 100 20 10; they take
about half an hour on two cores.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import crowd, repos, rush
from support.repos import Repo

KILLED = 0.3  # the share of runs that are killed
LONGEST = 1.5  # seconds until a run is killed
SAME = 5  # every fifth session is one that a colleague has too
EDITS = 10  # every tenth time, the memory of all is edited
TOGETHER = "The first thing is kept"
FAILED_SESSIONS = 3  # exit code
CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
WRITERS, PRUNED_WRITES = 2, 250  # processes that write beside a gc that prunes, and how often each
BESIDE, EACH = 8, 100  # processes that write beside the git of the user, and how often each
SLOWEST = 1.0  # seconds that one write in a hundred may take
# seconds between two of the user's commands in one loop; without, they take all processors and the
# disk
REST = 0.1
# what the git of the user does again and again, each line in a loop of its own
OTHERS = (
    (["gc", "-q"],),
    (["pack-refs", "--all"],),
    (["push", "-q", "-f", "origin", "HEAD:refs/heads/turn"], ["fetch", "-q", "--prune"]),
    (["rebase", "-q", "main~1"], ["rebase", "-q", "main"]),
)
# One process that writes many memories; it tells how often it was too slow, and how long each took.
WRITER = """
import json, sys, time
from git_lerim.actions.add_memory import Note, remember
from git_lerim.memories.memory import Primitive
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.workspace import open_workspace

tries = 0
first = BranchStore._commit
def counted(self, operation):
    global tries
    tries += 1
    return first(self, operation)
BranchStore._commit = counted
took = []
for number in range(int(sys.argv[2])):
    text = f"Writer {sys.argv[1]} kept thing {number}. It is so."
    began = time.perf_counter()
    remember(open_workspace(), Note(text=text, primitive=Primitive.DECISION, kind=None))
    took.append(time.perf_counter() - began)
print(json.dumps([tries - int(sys.argv[2]), took]))
"""


# as typed
def main(processes: int, writes: int, clones: int, sharings: int, rounds: int, pruned: int) -> int:  # noqa: PLR0913, PLR0917
    """Run the parts and print one table each."""
    for name in [
        name
        for name in os.environ
        if name.startswith(("GIT_", "LERIM_", "XDG_", "CLAUDE", "CODEX"))
    ]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        (Path(folder) / ".gitconfig").write_text(CONFIG)
        failed = processes > 0 and crowded(Path(folder) / "one", processes, writes)
        failed |= rounds > 0 and beside(Path(folder) / "beside", rounds)
        failed |= clones > 0 and shared(Path(folder) / "many", clones, sharings)
        failed |= pruned > 0 and beside_pruning(Path(folder) / "pruned", pruned)
    return int(failed)


def crowded(folder: Path, processes: int, writes: int) -> bool:
    """Let processes write into one repository."""
    repo = repos.normal(folder)
    rush.run(repo.path, "init")
    began = time.monotonic()
    wrote = written(repo, processes, writes)
    seconds = time.monotonic() - began
    print(f"{processes} processes, {writes} writes each, one repository")
    print(f"  writes a second          {processes * writes / seconds:.1f}")
    print(f"  retries                  {wrote.retries}")
    return judged([repo], wrote.titles, wrote.wrong)


@dataclass
class Wrote:
    """What processes wrote that did so at once."""

    titles: set[str]
    retries: int = 0
    took: list[float] = field(
        default_factory=list
    )  # seconds of each write but the first of a process
    wrong: list[str] = field(default_factory=list)


def written(repo: Repo, processes: int, writes: int) -> Wrote:
    """Let processes write into a repository at once, and wait for them."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(n), str(writes)],
            cwd=repo.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for n in range(processes)
    ]
    wrote = Wrote(
        {f"Writer {n} kept thing {number}" for n in range(processes) for number in range(writes)}
    )
    for process in running:
        out, err = process.communicate()
        if process.returncode:
            wrote.wrong.append(err.decode(errors="replace"))
        else:
            retries, took = json.loads(out)
            wrote.retries += retries
            wrote.took += took[1:]
    return wrote


def beside(folder: Path, rounds: int) -> bool:
    """Let eight processes write beside the user's own git, which tidies up, fetches and rebases all
    the time.
    """
    failed, took, retries, runs = False, list[float](), 0, Counter[str]()
    for number in range(rounds):
        repo = rebased(folder / str(number))
        ended = threading.Event()
        loops = [
            threading.Thread(target=looped, args=(repo, words, ended, runs)) for words in OTHERS
        ]
        for loop in loops:
            loop.start()
        wrote = written(repo, BESIDE, EACH)
        ended.set()
        for loop in loops:
            loop.join()
        took += wrote.took
        retries += wrote.retries
        if not rush.standing(repo).linear:
            wrote.wrong.append("the history of the memory has merges")
        print(
            f"round {number + 1}: {BESIDE} processes, {EACH} writes each, beside gc, pack-refs,"
            " fetch and rebase"
        )
        failed |= judged([repo], wrote.titles, wrote.wrong)
        print(
            f"  one write in a hundred   {quantiles(wrote.took, n=100)[98] * 1000:.0f} ms",
            flush=True,
        )
    each = quantiles(took, n=100)
    print(f"{BESIDE * EACH} writes in each of {rounds} rounds, with git of the user beside them")
    print(f"  load of the machine      {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(
        "  runs of git             "
        f" {', '.join(f'{count} {name}' for name, count in sorted(runs.items()))}"
    )
    print(f"  retries                  {retries}")
    print(f"  a write, median          {each[49] * 1000:.0f} ms")
    print(
        f"  one in a hundred         {each[98] * 1000:.0f} ms, the slowest"
        f" {max(took) * 1000:.0f} ms"
    )
    return failed or each[98] >= SLOWEST


def beside_pruning(folder: Path, runs: int) -> bool:
    """Let two processes write beside a gc that takes away at once what no ref leads to, and beside
    somebody who reads.
    """
    lost = total = 0
    failed = False
    for number in range(runs):
        repo = rebased(folder / str(number))
        ended, counts = threading.Event(), Counter[str]()
        loops = [
            threading.Thread(
                target=looped, args=(repo, [["gc", "-q", "--prune=now"]], ended, counts)
            )
        ]
        loops.append(threading.Thread(target=reading, args=(repo, ended, counts)))
        for loop in loops:
            loop.start()
        wrote = written(repo, WRITERS, PRUNED_WRITES)
        ended.set()
        for loop in loops:
            loop.join()
        there = {title for _, title in rush.standing(repo).active}
        lost += len(wrote.titles - there)
        total += len(wrote.titles)
        kept = len(list((repo.path / ".git/lerim").glob("broken-ref-*")))
        missing = len(wrote.titles - there)
        print(
            f"run {number + 1}: {len(wrote.titles)} acknowledged, {missing} missing, {kept}"
            f" repairs, {dict(counts)}",
            flush=True,
        )
        failed |= judged([repo], wrote.titles, wrote.wrong)
    print(f"{total} acknowledged beside gc --prune=now, {lost} missing")
    return failed or lost > 0


def reading(repo: Repo, ended: threading.Event, counts: Counter[str]) -> None:
    """Read the memory again and again until the writers have ended."""
    while not ended.is_set():
        rush.run(repo.path, "list", "--json")
        counts["list"] += 1
        time.sleep(REST)


def rebased(folder: Path) -> Repo:
    """Make a repository with a remote, a memory, and a branch that can stand on two places."""
    repo = repos.cloned(repos.bare(folder / "hub.git"), folder / "repo")
    repo.commit({"more.py": "more = 1\n"})
    repo.git("push", "-q", "origin", "main")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": "side = 1\n"})
    rush.run(repo.path, "init")
    return repo


def looped(
    repo: Repo, lines: Sequence[list[str]], ended: threading.Event, runs: Counter[str]
) -> None:
    """Run some commands of git again and again until the writers have ended."""
    while not ended.is_set():
        for words in lines:
            done = subprocess.run(["git", *words], cwd=repo.path, capture_output=True, check=False)
            runs[words[0] if not done.returncode else f"{words[0]} that failed"] += 1
            time.sleep(REST)


@dataclass(frozen=True)
class Person:
    """Somebody with a clone, a home with sessions, and a name."""

    number: int
    repo: Repo
    home: Path


@dataclass
class Told:
    """What became of what one person did."""

    killed: int = 0
    again: int = 0
    wrong: list[str] = field(default_factory=list)


def shared(folder: Path, clones: int, sharings: int) -> bool:
    """Let clones sync, edit and share beside one another, and kill them at random."""
    hub = repos.bare(folder / "hub.git")
    calm = Person(-1, repos.normal(folder / "calm"), home(folder / "home-calm", "Calm"))
    people = [
        Person(n, repos.cloned(hub, folder / f"clone{n}"), home(folder / f"home{n}", f"Person {n}"))
        for n in range(clones)
    ]
    for person in people:
        rush.run(person.repo.path, "init", home=person.home)
    rush.run(people[0].repo.path, "remember", f"{TOGETHER}. It is so.", home=people[0].home)
    for person in people:
        rush.run(person.repo.path, "push", "--yes", home=person.home)
    told = [Told() for _ in people]
    began = time.monotonic()
    threads = [
        threading.Thread(target=one, args=(people, n, sharings, told[n])) for n in range(clones)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - began
    for words in (["sync", *rush.NEVER_FULL], ["push", "--yes"], ["push", "--yes"], ["pull"]):
        for person in people:
            insisted(person, *words)
    for person in people:
        crowd.leave(
            calm.home,
            calm.repo.path,
            range(person.number * sharings, (person.number + 1) * sharings),
        )
    rush.run(calm.repo.path, "sync", *rush.NEVER_FULL, home=calm.home)
    expected = {title for _, title in rush.standing(calm.repo).active} | {TOGETHER}
    runs = clones * sharings * 3
    print(
        f"{clones} clones, {sharings} times a session, a sync, a pull and a push each, one remote"
    )
    print(f"  seconds                  {seconds:.0f}")
    print(f"  verbs a second           {runs / seconds:.1f}")
    print(f"  runs killed              {sum(each.killed for each in told)}")
    print(f"  runs tried again         {sum(each.again for each in told)}")
    failed = judged(
        [person.repo for person in people], expected, [text for each in told for text in each.wrong]
    )
    edits = [
        edit(n, count) for n in range(clones) for count in range(sharings) if count % EDITS == 0
    ]
    body = str(together(people[0])["body"])
    gone = [said for said in edits if body.count(said) != 1]
    print(f"  edits of one memory      {len(edits)}, of which {len(gone)} are not there once")
    print(f"  git fsck of the remote   {sound(hub)}")
    return failed or bool(gone) or not sound(hub)


def home(path: Path, name: str) -> Path:
    """Make the home of somebody."""
    path.mkdir(parents=True)
    (path / ".gitconfig").write_text(CONFIG.replace("Ada", name))
    return path


def one(people: list[Person], number: int, sharings: int, told: Told) -> None:
    """Live as one person does, who had as many sessions; every fifth one a colleague has too, and
    all edit one memory.
    """
    person, chance = people[number], random.Random(number)  # noqa: S311 any moment will do
    for count in range(sharings):
        session = number * sharings + count
        for owner in {number, (number + (count % SAME == 0)) % len(people)}:
            crowd.leave(people[owner].home, people[owner].repo.path, range(session, session + 1))
        if count % EDITS == 0:
            edited(person, edit(number, count), chance, told)
        for words in (["sync", *rush.NEVER_FULL], ["pull"], ["push", "--yes"]):
            for _ in range(sharings * 20):
                if disturbed(person, words, chance, told) == 0:
                    break
                told.again += 1


def disturbed(person: Person, words: list[str], chance: random.Random, told: Told) -> int:
    """Run a verb, and perhaps kill it; return its exit code."""
    running = rush.start(person.repo.path, *words, home=person.home)
    if chance.random() < KILLED:
        time.sleep(chance.uniform(0, LONGEST))
        running.kill()
        told.killed += 1
    out, err = (text.decode(errors="replace") for text in running.communicate())
    rush.free_locks(person.repo)
    if "Traceback" in err or "bug of" in err or running.returncode == FAILED_SESSIONS:
        told.wrong.append(f"{words[0]}: {out}{err}")
    return running.returncode


def edit(number: int, count: int) -> str:
    """Return what a person adds to the memory of all."""
    return f"P{number} says {count:03}."


def edited(person: Person, said: str, chance: random.Random, told: Told) -> None:
    """Add a paragraph to the memory of all, unless a run that was killed has added it."""
    while said not in (body := str((memory := together(person))["body"])):
        disturbed(person, ["edit", str(memory["id"]), "--body", f"{body}\n\n{said}"], chance, told)


def together(person: Person) -> dict[str, object]:
    """Return the memory that all edit."""
    rows: list[dict[str, object]] = json.loads(
        rush.run(person.repo.path, "list", "--json", home=person.home)
    )
    return next(row for row in rows if row["title"] == TOGETHER)


def insisted(person: Person, *words: str) -> None:
    """Run a verb until it succeeds, a few times."""
    for _ in range(5):
        rush.free_locks(person.repo)
        running = rush.start(person.repo.path, *words, home=person.home)
        running.communicate()
        if running.returncode == 0:
            return


def judged(people: list[Repo], expected: set[str], said: list[str]) -> bool:
    """Print what is there and what is not; tell whether something is wrong."""
    standing = [rush.standing(repo) for repo in people]
    titles = [sorted(title for _, title in now.active) for now in standing]
    missing = sum(len(expected - set(mine)) for mine in titles)
    twice = sum(len(mine) - len(set(mine)) for mine in titles) + sum(
        now.duplicates for now in standing
    )
    clean = all(now.sound for now in standing)
    equal = len({now.tree for now in standing}) == 1
    rows = {
        "memories expected": len(expected),
        "missing": missing,
        "there twice": twice,
        "git fsck clean": clean,
    }
    rows |= {"all equal": equal, "errors nobody foresaw": len(said)}
    for name, value in rows.items():
        print(f"  {name:<25}{value}")
    for text in dict.fromkeys(said):
        print(f"    {re.sub(chr(10), ' ', text.strip())[-400:]}")
    return bool(missing or twice or said) or not (clean and equal)


def sound(repo: Repo) -> bool:
    """Tell whether git finds nothing wrong."""
    return (
        subprocess.run(
            ["git", "fsck", "--full", "--strict"], cwd=repo.path, capture_output=True, check=False
        ).returncode
        == 0
    )


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [16, 50, 5, 20, 1, 1][len(given) :])))
