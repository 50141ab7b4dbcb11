"""Let single calls of the system fail, or kill the process there: `python benchmarks/faults.py
[PULLS [EVERY]]`; needs strace.

Pulls are killed at random, and others lose their connection after some bytes. Then a sync of one
session is run once for each call that writes (open to write, write, link, rename, unlink, mkdir,
fsync, truncate), and killed at this call; and once more for each, with an error in the place of
that call: no space, an input or output error, no permission, a read-only file system, too many
files; one of them in turn, or with EVERY=5 each, and EVERY=0 leaves syncs out. Whatever happened, a
run that is left alone must give what a calm one gives.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import crowd, repos, rush
from support.repos import Repo

CALLS = "openat,write,pwrite64,link,rename,unlink,mkdir,fsync,fdatasync,ftruncate"
WRITING = re.compile(r"O_(WRONLY|RDWR|CREAT)")
ERRORS = ("ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE")
CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
# gives as many bytes of an answer as a file says, and hangs up
CUT = """#!/bin/sh
here=$(dirname "$0")
rm -f "$here/pipe"
mkfifo "$here/pipe"
git-upload-pack "$@" <&0 >"$here/pipe" &
exec head -c "$(cat "$here/bytes")" <"$here/pipe"
"""
SYNC = ["sync", *rush.NEVER_FULL]


@dataclass
class Found:
    """What became of many runs."""

    runs: int = 0
    killed: int = 0
    refused: int = 0  # ended with a sentence
    wrong: list[str] = field(default_factory=list)

    def show(self, title: str) -> bool:
        """Print it; tell whether something is wrong."""
        print(f"{title}\n  runs                {self.runs}\n  killed              {self.killed}")
        print(f"  ended with a word   {self.refused}\n  went wrong          {len(self.wrong)}")
        for text, times in Counter(self.wrong).most_common(20):
            print(f"    {times} × {text}")
        sys.stdout.flush()
        return bool(self.wrong)


def main(pulls: int, every: int) -> int:
    """Run all parts and print one table each."""
    for name in [
        name
        for name in os.environ
        if name.startswith(("GIT_", "LERIM_", "XDG_", "CLAUDE", "CODEX"))
    ]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HOME"] = str(folder / "work" / "home")
        (folder / "work" / "home").mkdir(parents=True)
        (folder / "work" / "home" / ".gitconfig").write_text(CONFIG)
        failed = pulled(folder / "pulls", pulls)
        failed |= every > 0 and syncs(folder, every)
    return int(failed)


def syncs(folder: Path, every: int) -> bool:
    """Disturb a sync at each of its calls."""
    repo = repos.normal(folder / "work" / "repo")
    crowd.leave(folder / "work" / "home", repo.path, range(1))
    rush.run(repo.path, *SYNC)
    crowd.leave(folder / "work" / "home", repo.path, range(1, 2))
    (repo.path / "staged.py").write_text("staged\n")
    repo.git("add", "staged.py")
    shutil.copytree(folder / "work", folder / "calm", symlinks=True)
    traced(repo, folder / "log", [])
    expected, own = rush.standing(repo).tree, users(repo)
    points = calls(folder / "log")
    print(f"{len(points)} calls that write")
    kills, errors = Found(), Found()
    for number, (call, when) in enumerate(points):
        disturbed(folder, repo, f"{call}:signal=KILL:when={when}", (expected, own), kills)
        for turn in range(every):
            error = ERRORS[(number + turn) % len(ERRORS)]
            disturbed(folder, repo, f"{call}:error={error}:when={when}", (expected, own), errors)
    return kills.show("killed at each call") | errors.show("an error at each call")


def calls(log: Path) -> list[tuple[str, int]]:
    """Return the calls of a process that write, each by its name and its number among those of that
    name.
    """
    rows = [
        re.match(r"(\d+) +(\w+)\((.*)", line)
        for line in log.read_text(errors="replace").splitlines()
    ]
    mine = [row for row in rows if row and row[1] == next(first[1] for first in rows if first)]
    counted: Counter[str] = Counter()
    found = []
    for row in mine:
        counted[row[2]] += 1
        if row[2] != "openat" or WRITING.search(row[3]):
            found.append((row[2], counted[row[2]]))
    return found


def disturbed(
    folder: Path, repo: Repo, inject: str, expected: tuple[str, list[str]], found: Found
) -> None:
    """Let a sync be disturbed, then run one in peace, and look."""
    shutil.rmtree(folder / "work")
    shutil.copytree(folder / "calm", folder / "work", symlinks=True)
    code, said = traced(repo, folder / "log", ["-e", f"inject={inject}"])
    found.runs += 1
    found.killed += code in {-9, 137}
    found.refused += code in {1, 3}
    for path in (repo.path / ".git").rglob("*.lock"):
        os.utime(path, (1, 1))  # nobody has to wait half a minute
    if "Traceback" in said or "bug of" in said or code not in {-9, 137, 0, 1, 3}:
        found.wrong.append(f"{inject}: exit {code}: {' '.join(said.split())[-300:]}")
    running = rush.start(repo.path, *SYNC)
    again = running.communicate()[1].decode(errors="replace")
    now = rush.standing(repo) if not running.returncode else None
    if now is None or (now.tree, now.sound, now.duplicates, users(repo)) != (
        expected[0],
        True,
        0,
        expected[1],
    ):
        found.wrong.append(
            f"{inject}: afterwards {now and (now.tree == expected[0], now.sound)}:"
            f" {' '.join(again.split())[-300:]}"
        )


def users(repo: Repo) -> list[str]:
    """Return what is the user's: HEAD, refs, what is staged, what stands in the work tree."""
    refs = [line for line in repo.git("for-each-ref").splitlines() if "lerim/" not in line]
    return [
        repo.git("rev-parse", "HEAD"),
        *refs,
        repo.git("ls-files", "-s"),
        repo.git("status", "--porcelain"),
    ]


def traced(repo: Repo, log: Path, inject: list[str]) -> tuple[int, str]:
    """Run a sync below strace; return its exit code and what it said."""
    command = [
        "strace",
        "-f",
        "-qq",
        "-o",
        str(log),
        "-e",
        f"trace={CALLS}",
        *inject,
        sys.executable,
        "-m",
        "git_lerim",
        *SYNC,
    ]
    env = os.environ | {"PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=repo.path, env=env, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    return done.returncode, done.stderr.decode(errors="replace")


def pulled(folder: Path, pulls: int) -> bool:
    """Disturb pulls: every second one is killed, the others lose the connection after some
    bytes.
    """
    hub = repos.bare(folder / "hub.git")
    ann, bob = repos.cloned(hub, folder / "ann"), repos.cloned(hub, folder / "bob")
    cut = folder / "cut"
    cut.write_text(CUT)
    cut.chmod(0o755)
    rush.run(ann.path, "remember", "The first thing is so. It is.")
    rush.run(ann.path, "push", "--yes")
    rush.run(bob.path, "pull")
    found = Found()
    for number in range(pulls):
        rush.run(ann.path, "remember", crowd.note(number))
        rush.run(ann.path, "push", "--yes")
        before, there = (each.git("rev-parse", "lerim/memory") for each in (bob, hub))
        (folder / "bytes").write_text(str(random.randrange(6000)))  # noqa: S311 any moment will do
        bob.git(
            "config",
            *(
                ["remote.origin.uploadpack", str(cut)]
                if number % 2
                else ["--unset-all", "remote.origin.uploadpack"]
            ),
            check=False,
        )
        running = rush.start(bob.path, "pull")
        if not number % 2:
            time.sleep(random.uniform(0, 1))  # noqa: S311
            running.kill()
        code, said = (running.communicate()[1].decode(errors="replace"), running.returncode)[::-1]
        found.runs, found.killed, found.refused = (
            found.runs + 1,
            found.killed + (code == -9),
            found.refused + (code == 1),
        )
        if (
            bob.git("rev-parse", "lerim/memory") not in {before, there}
            or "Traceback" in said
            or code not in {0, 1, -9}
        ):
            found.wrong.append(f"exit {code}: {' '.join(said.split())[-300:]}")
        bob.git("config", "--unset-all", "remote.origin.uploadpack", check=False)
        rush.free_locks(bob)
        again = rush.start(bob.path, "pull")
        said = again.communicate()[1].decode(errors="replace")
        if again.returncode or bob.git("rev-parse", "lerim/memory") != there:
            found.wrong.append(
                f"afterwards: exit {again.returncode}: {' '.join(said.split())[-300:]}"
            )
    if not rush.standing(bob).sound:
        found.wrong.append("git fsck finds something")
    return found.show("pulls, killed or cut off")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [200, 1][len(given) :])))
