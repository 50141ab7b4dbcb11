"""Many writers: `python benchmarks/contention.py [PROCESSES [WRITES [CLONES [SHARINGS]]]]`.

First, processes write into one repository at once. Then clones of one remote write, pull and push, and are killed at random
moments; each tries again what it could not finish. Afterwards nothing may be lost, nothing be there twice, `git fsck` be clean,
and all clones be equal.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import repos, rush
from support.repos import Repo

KILLED = 0.3  # the share of runs that are killed
LONGEST = 1.5  # seconds until a run is killed
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


def shared(folder: Path, clones: int, sharings: int) -> bool:
    """Let clones write and share beside one another, and kill them at random."""
    hub = repos.bare(folder / "hub.git")
    people = []
    for number in range(clones):
        people.append(repos.normal(folder / f"clone{number}"))
        people[-1].git("remote", "add", "origin", str(hub.path))
        rush.run(people[-1].path, "init")
    rush.run(people[0].path, "remember", "The first thing is kept. It is so.")
    rush.run(people[0].path, "push", "--yes")
    told: list[tuple[int, int, list[str]]] = []
    began = time.monotonic()
    threads = [threading.Thread(target=lambda n=n: told.append(one(people[n], n, sharings))) for n in range(clones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - began
    for _ in range(2):
        for repo in people:
            insisted(repo, "push", "--yes")
    for repo in people:
        insisted(repo, "pull")
    expected = {f"Clone {n} kept thing {number}" for n in range(clones) for number in range(sharings)} | {
        "The first thing is kept"
    }
    print(f"{clones} clones, {sharings} times a note, a pull and a push each, one remote")
    print(f"  writes a second          {clones * sharings / seconds:.1f}")
    print(f"  runs killed              {sum(killed for killed, _, _ in told)}")
    print(f"  runs tried again         {sum(again for _, again, _ in told)}")
    failed = judged(people, expected, [text for _, _, said in told for text in said])
    print(f"  git fsck of the remote   {sound(hub)}")
    return failed or not sound(hub)


def one(repo: Repo, number: int, sharings: int) -> tuple[int, int, list[str]]:
    """Write and share as one person does; return how many runs were killed, how many had to be repeated, and bad words."""
    chance = random.Random(number)  # noqa: S311 any moment will do
    killed = again = 0
    said: list[str] = []
    for count in range(sharings):
        note = f"Clone {number} kept thing {count}"
        for words in (["remember", f"{note}. It is so."], ["pull"], ["push", "--yes"]):
            while True:
                running = rush.start(repo.path, *words)
                if is_killed := chance.random() < KILLED:
                    time.sleep(chance.uniform(0, LONGEST))
                    running.kill()
                err = running.communicate()[1].decode(errors="replace")
                killed += is_killed
                rush.free_locks(repo)
                said += [err] if "Traceback" in err or "bug of" in err else []
                # a person looks whether the note was kept before it is written again
                if running.returncode == 0 or (words[0] == "remember" and note in rush.run(repo.path, "list", "--all")):
                    break
                again += 1
                if again > sharings * 20:
                    return killed, again, [*said, f"{' '.join(words)} never succeeded: {err}"]
    return killed, again, said


def insisted(repo: Repo, *words: str) -> None:
    """Run a verb until it succeeds, a few times."""
    for _ in range(5):
        rush.free_locks(repo)
        running = rush.start(repo.path, *words)
        if not (running.communicate()[0] is None or running.returncode):
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
