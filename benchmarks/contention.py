"""Many writers: `python benchmarks/contention.py [PROCESSES [WRITES [CLONES [SHARINGS]]]]`.

First, processes write into one repository at once. Then people with clones of one remote sync their sessions, of which they
have some in common, edit one memory, pull and push, and are killed at random moments; each tries again what was not finished.
Afterwards all that one calm sync of all sessions gives has to be there, nothing twice, `git fsck` be clean, and all clones equal.
The sizes that issue 4 asks for are 16 50 5 100; they take about twenty minutes on two cores.
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
from dataclasses import dataclass, field
from pathlib import Path

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
# One process that writes many memories; it tells how often it was too slow.
WRITER = """
import sys
from git_lerim.actions.change import Note, remember
from git_lerim.memories.memory import Primitive
from git_lerim.storage.branch import BranchStore
from git_lerim.workspace import open_workspace

tries = 0
first = BranchStore._commit
def counted(self, operation):
    global tries
    tries += 1
    return first(self, operation)
BranchStore._commit = counted
for number in range(int(sys.argv[2])):
    text = f"Writer {sys.argv[1]} kept thing {number}. It is so."
    remember(open_workspace(), Note(text=text, primitive=Primitive.DECISION, kind=None))
print(tries - int(sys.argv[2]))
"""


def main(processes: int, writes: int, clones: int, sharings: int) -> int:
    """Run both parts and print one table each."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "LERIM_", "XDG_", "CLAUDE", "CODEX"))]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        (Path(folder) / ".gitconfig").write_text(CONFIG)
        failed = crowded(Path(folder) / "one", processes, writes)
        failed |= shared(Path(folder) / "many", clones, sharings)
    return int(failed)


def crowded(folder: Path, processes: int, writes: int) -> bool:
    """Let processes write into one repository."""
    repo = repos.normal(folder)
    rush.run(repo.path, "init")
    began = time.monotonic()
    command = [sys.executable, "-c", WRITER]
    running = [
        subprocess.Popen([*command, str(n), str(writes)], cwd=repo.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for n in range(processes)
    ]
    ended = [(process.communicate(), process.returncode) for process in running]
    seconds = time.monotonic() - began
    retries = sum(int(out or 0) for (out, _), code in ended if not code)
    said = [err.decode(errors="replace") for (_, err), code in ended if code]
    expected = {f"Writer {n} kept thing {number}" for n in range(processes) for number in range(writes)}
    print(f"{processes} processes, {writes} writes each, one repository")
    print(f"  writes a second          {processes * writes / seconds:.1f}")
    print(f"  retries                  {retries}")
    return judged([repo], expected, said)


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
    people = [Person(n, repos.cloned(hub, folder / f"clone{n}"), home(folder / f"home{n}", f"Person {n}")) for n in range(clones)]
    for person in people:
        rush.run(person.repo.path, "init", home=person.home)
    rush.run(people[0].repo.path, "remember", f"{TOGETHER}. It is so.", home=people[0].home)
    for person in people:
        rush.run(person.repo.path, "push", "--yes", home=person.home)
    told = [Told() for _ in people]
    began = time.monotonic()
    threads = [threading.Thread(target=one, args=(people, n, sharings, told[n])) for n in range(clones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - began
    for words in (["sync", *rush.NEVER_FULL], ["push", "--yes"], ["push", "--yes"], ["pull"]):
        for person in people:
            insisted(person, *words)
    for person in people:
        crowd.leave(calm.home, calm.repo.path, range(person.number * sharings, (person.number + 1) * sharings))
    rush.run(calm.repo.path, "sync", *rush.NEVER_FULL, home=calm.home)
    expected = {title for _, title in rush.standing(calm.repo).active} | {TOGETHER}
    runs = clones * sharings * 3
    print(f"{clones} clones, {sharings} times a session, a sync, a pull and a push each, one remote")
    print(f"  seconds                  {seconds:.0f}")
    print(f"  verbs a second           {runs / seconds:.1f}")
    print(f"  runs killed              {sum(each.killed for each in told)}")
    print(f"  runs tried again         {sum(each.again for each in told)}")
    failed = judged([person.repo for person in people], expected, [text for each in told for text in each.wrong])
    edits = [edit(n, count) for n in range(clones) for count in range(sharings) if count % EDITS == 0]
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
    """Live as one person does, who had as many sessions; every fifth one a colleague has too, and all edit one memory."""
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
    rows: list[dict[str, object]] = json.loads(rush.run(person.repo.path, "list", "--json", home=person.home))
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
    twice = sum(len(mine) - len(set(mine)) for mine in titles) + sum(now.duplicates for now in standing)
    clean = all(now.sound for now in standing)
    equal = len({now.tree for now in standing}) == 1
    rows = {"memories expected": len(expected), "missing": missing, "there twice": twice, "git fsck clean": clean}
    rows |= {"all equal": equal, "errors nobody foresaw": len(said)}
    for name, value in rows.items():
        print(f"  {name:<25}{value}")
    for text in dict.fromkeys(said):
        print(f"    {re.sub(chr(10), ' ', text.strip())[-400:]}")
    return bool(missing or twice or said) or not (clean and equal)


def sound(repo: Repo) -> bool:
    """Tell whether git finds nothing wrong."""
    return subprocess.run(["git", "fsck", "--full", "--strict"], cwd=repo.path, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [16, 50, 5, 20][len(given) :])))
