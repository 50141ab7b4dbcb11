"""Let eight syncs, notes and git write at once, then kill syncs at random: `writers.py [KILLS
[SESSIONS [SIGNALS]]]`.

What has to be there afterwards is what one calm sync of the same sessions leaves in a repository of
its own. SESSIONS=0 writes nothing at once. SIGNALS is how often each of SIGINT, SIGTERM and SIGHUP
ends a sync, and how often nobody reads what it prints: it has to leave within two seconds, and no
lock behind.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import crowd, repos, rush
from support.repos import Repo

PROCESSES = 8
NOTES = 10  # of each of eight people
LONGEST = 1.3  # until a run is killed, in times that a calm one takes
AWAKE = 0.15  # seconds until Python has begun, which ends as it likes before
LEAVES = 2.0  # seconds that a run may take to end when it is told to
GROWTH = 2  # sessions that are new to each of 200 runs
KEEPING_HOUSE = (
    ["gc", "-q"],
    ["pack-refs", "--all"],
    ["status"],
    ["commit", "-q", "--allow-empty", "-m", "beside"],
)
CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"


def main(kills: int, sessions: int, signals: int) -> int:
    """Run all parts and print one table each."""
    with tempfile.TemporaryDirectory() as folder:
        failed = sessions > 0 and crowded(Path(folder) / "crowd", sessions)
        failed |= killed(Path(folder) / "kills", kills)
        failed |= signals > 0 and signalled(Path(folder) / "signals", signals)
    return int(failed)


def crowded(folder: Path, sessions: int) -> bool:
    """Let eight processes sync, each a part of the sessions, while people write notes and git
    tidies up.
    """
    repo, calm = prepared(folder)
    crowd.leave(folder / "home", repo.path, range(sessions))
    share = str(-(-sessions // PROCESSES))
    began = time.monotonic()
    running = [
        rush.start(repo.path, "sync", "--wait", "600", "--window", "all", "--max-sessions", share)
        for _ in range(PROCESSES)
    ]
    running += [
        rush.start(repo.path, "sync", "--ignore-lock", "--window", "all", "--max-sessions", "5")
        for _ in range(2)
    ]
    said = []
    for number in range(NOTES):
        notes = [
            rush.start(repo.path, "remember", crowd.note(number * PROCESSES + one))
            for one in range(PROCESSES)
        ]
        for words in KEEPING_HOUSE:
            subprocess.run(["git", *words], cwd=repo.path, capture_output=True, check=False)
        said += rush.finish(notes)
    said += rush.finish(running)
    seconds = time.monotonic() - began
    expected = calmly(calm, repo) | {
        ("", crowd.note(number).partition(". ")[0]) for number in range(NOTES * PROCESSES)
    }
    return table(
        f"{PROCESSES} syncs, 2 more without lock, {NOTES * PROCESSES} notes, git beside",
        repo,
        expected,
        said,
        seconds,
    )


def killed(folder: Path, kills: int) -> bool:
    """Kill syncs at random moments, then let one run to its end."""
    repo, calm = prepared(folder)
    crowd.leave(folder / "home", repo.path, range(GROWTH))
    began = time.monotonic()
    rush.run(repo.path, "sync", *rush.NEVER_FULL)
    longest = (time.monotonic() - began) * LONGEST
    each = max(1, kills // 200)
    locks = 0
    said = []
    for number in range(kills):
        if number % each == 0:
            crowd.leave(
                folder / "home",
                repo.path,
                range(number // each * GROWTH, (number // each + 1) * GROWTH),
            )
        running = rush.start(repo.path, "sync", *rush.NEVER_FULL)
        time.sleep(random.uniform(0, longest))  # noqa: S311 any moment will do
        running.kill()
        err = running.communicate()[1].decode(errors="replace")
        said += [err] if "Traceback" in err or "bug of" in err or running.returncode > 0 else []
        locks += rush.free_locks(repo)
    rush.run(repo.path, "sync", *rush.NEVER_FULL)
    seconds = time.monotonic() - began
    failed = table(
        f"{kills} syncs killed, then one left alone", repo, calmly(calm, repo), said, seconds
    )
    print(f"  locks left behind        {locks}")
    print(f"  same tree as undisturbed {rush.standing(calm).tree == rush.standing(repo).tree}")
    return failed


def signalled(folder: Path, times: int) -> bool:
    """End syncs at random moments by each signal, and let each print to nobody; then let one run to
    its end.
    """
    repo, calm = prepared(folder)
    said, slowest, locks, began = [], 0.0, 0, time.monotonic()
    for number, (turn, how) in enumerate(
        product(range(times), (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, None))
    ):
        crowd.leave(folder / "home", repo.path, range(number, number + 1))
        running = rush.start(repo.path, "sync", "--wait", "0", *rush.NEVER_FULL)
        if how is None and running.stdout:
            running.stdout.close()
        else:
            time.sleep(AWAKE + random.uniform(0, LONGEST))  # noqa: S311 any moment will do
            running.send_signal(how or 0)
            sent = time.monotonic()
        err = running.communicate()[1].decode(errors="replace")
        slowest = max(slowest, time.monotonic() - sent) if how else slowest
        fine = running.returncode in ({0, 128 + how, -how} if how else {0})
        ours = "git_lerim" in err  # else Python itself had not begun
        said += (
            [f"{how}, turn {turn}: {err}"]
            if ("Traceback" in err and ours) or "bug of" in err or not fine
            else []
        )
        locks += rush.free_locks(repo)
    rush.run(repo.path, "sync", *rush.NEVER_FULL)
    what = (
        f"{times} syncs ended by each of three signals, {times} printed to nobody, then one left"
        " alone"
    )
    failed = table(what, repo, calmly(calm, repo), said, time.monotonic() - began)
    print(f"  locks left behind        {locks}")
    print(f"  longest until it left    {slowest:.1f} s")
    return failed or locks > 0 or slowest > LEAVES


def prepared(folder: Path) -> tuple[Repo, Repo]:
    """Make a home, a repository to disturb, and one of the same history that nobody disturbs."""
    home = folder / "home"
    home.mkdir(parents=True)
    (home / ".gitconfig").write_text(CONFIG)
    for name in [
        name
        for name in os.environ
        if name.startswith(("GIT_", "LERIM_", "XDG_", "CLAUDE", "CODEX"))
    ]:
        del os.environ[name]
    os.environ["HOME"] = str(home)
    return repos.normal(folder / "busy"), repos.normal(folder / "calm")


def calmly(calm: Repo, busy: Repo) -> frozenset[tuple[str, str]]:
    """Sync the sessions of the busy repository once, in peace, and return what that leaves
    active.
    """
    calm.git("config", "--global", "lerim.repositoryPath", str(busy.path))
    rush.run(calm.path, "sync", *rush.NEVER_FULL)
    return rush.standing(calm).active


def table(
    what: str, repo: Repo, expected: frozenset[tuple[str, str]], said: list[str], seconds: float
) -> bool:
    """Print what was expected and what is there; tell whether something is wrong."""
    now = rush.standing(repo)
    titles = {title for _, title in now.active}
    missing = {
        pair for pair in expected if pair not in now.active and (pair[0] or pair[1] not in titles)
    }
    more = len(now.active) - (len(expected) - len(missing))
    print(f"{what}\n  memories expected        {len(expected)}")
    print(f"  memories there           {len(now.active)}")
    print(f"  missing                  {len(missing)}")
    print(f"  not expected             {more}")
    print(f"  duplicates               {now.duplicates}")
    print(f"  history without merges   {now.linear}")
    print(f"  git fsck clean           {now.sound}")
    print(f"  runs that failed         {len(said)}")
    print(f"  seconds                  {seconds:.0f}")
    for text in dict.fromkeys(said):
        print(f"    {text.strip()}")
    return bool(missing or more or now.duplicates or said) or not (now.linear and now.sound)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [200, 240, 20][len(given) :])))
