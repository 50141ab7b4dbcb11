"""Kill writers with SIGKILL at random moments, and count what was lost: `python benchmarks/crash.py
[RUNS]`.

Each run starts a process that adds memories one commit at a time and prints each that is in; it is
killed within 60 ms after its first one, or, in one run of ten, while it starts. The next run goes
on where the last one stopped. In the end one run is left alone, and its store must have the tree of
a store that nobody disturbed. A lock that a killed process left is made to look old, so that nobody
has to wait half a minute.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from git_lerim.git.repo import discover
from git_lerim.storage.branch.branch_store import BranchStore

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.stores import adding, decision
from support.writers import writer

EACH = 1000  # memories a run could add, were it left alone
IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@x.y",
}


def main(runs: int) -> int:
    os.environ.update(IDENTITY)
    with tempfile.TemporaryDirectory() as folder:
        killed, calm = repository(Path(folder) / "killed"), repository(Path(folder) / "calm")
        told, locks, repairs, faults = disturb(killed, runs)
        store = open_store(killed)
        total = max(told) + 2
        repairs += len(store.recover(lock_held=True))
        store.commit(adding(*range(total)))
        open_store(calm).commit(adding(*range(total)))
        lost = [n for n in told if decision(n).id not in store.snapshot().memories]
        same = tree(killed) == tree(calm)
        clean = (
            subprocess.run(
                ["git", "fsck", "--strict", "--full"], cwd=killed, capture_output=True, check=False
            ).returncode
            == 0
        )
        print(f"runs killed            {runs}")
        print(f"memories acknowledged  {len(told)}")
        print(f"acknowledged and lost  {len(lost)}")
        print(f"locks left behind      {locks}")
        print(f"repairs told           {repairs}")
        print(f"runs that failed       {faults}")
        print(f"git fsck clean         {clean}")
        print(f"same store as undisturbed  {same}")
        return 0 if same and clean and not lost and not faults else 1


def disturb(folder: Path, runs: int) -> tuple[set[int], int, int, int]:
    """Kill `runs` writers; return what they said was in, and how many locks, repairs and failures
    there were.
    """
    told: set[int] = set()
    locks = repairs = faults = 0
    for run in range(runs):
        first = max(told, default=-1) + 1
        child = writer(folder, first, first + EACH)
        if run % 10 and child.stdout:
            told |= {int(number) for number in child.stdout.readline().split()}
            time.sleep(random.uniform(0, 0.06))  # noqa: S311 - any moment will do
        else:
            time.sleep(random.uniform(0, 0.5))  # noqa: S311
        child.kill()
        out, err = child.communicate()
        told |= {int(line) for line in out.splitlines(keepends=True) if line.endswith("\n")}
        faults += "Error" in err
        for lock in (folder / ".git").rglob("memory.lock"):
            locks += 1
            os.utime(lock, (1, 1))
        store = open_store(folder)
        repairs += len(store.recover(lock_held=True))
    return told, locks, repairs, faults


def repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def open_store(folder: Path) -> BranchStore:
    return BranchStore(discover(folder, os.environ))


def tree(folder: Path) -> str:
    asked = ["git", "rev-parse", "lerim/memory^{tree}"]
    return subprocess.run(asked, cwd=folder, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
