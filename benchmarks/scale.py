"""Stores of growing size: what a commit, a pull, a merge, a clone and a search cost: `python
benchmarks/scale.py [SIZE …]`.

The memories are spread over 36 months, half of them decisions, half learnings, packed as `git gc`
leaves them. All times are CPU seconds, of the program and of every git that it starts; `beyond 20`:
less those of the same in a store of 20 memories.
"""

import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ground import LERIM

from git_lerim.actions.add_memory import Note, remember
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Primitive, Source
from git_lerim.storage.base import Change
from git_lerim.storage.branch.lazy_snapshot import look_up
from git_lerim.workspace import open_workspace

SIZES = (1_000, 10_000, 100_000)
MONTHS = 36
MEMORY = "refs/heads/lerim/memory"
APART = 1_000  # memories in which two histories differ
PULLED = 100
RUNS = 9
FLOOR = 20  # memories of the store whose cost is that of starting up
BEGAN = datetime.now(UTC) - timedelta(
    days=MONTHS * 30.4
)  # so that a new memory comes into a full month
CONFIG = (
    "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch ="
    " main\n[core]\n\tautocrlf = false\n"
)
SUBJECTS = (
    "cache",
    "queue",
    "parser",
    "index",
    "lock",
    "schema",
    "retry",
    "timeout",
    "branch",
    "merge",
    "session",
    "signature",
)
REASONS = (
    "because the old one lost writes",
    "since two readers met",
    "so that a crash leaves it whole",
    "as the tests showed",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size costs."""

    act: float  # CPU ms of one new memory, all being loaded
    commit: float  # CPU ms of that beyond the same in a store of 20
    edit: float  # likewise
    objects: float  # added per commit
    disk: float  # bytes added per commit, as they are written
    packed: float  # bytes added per commit, as a push sends them and git gc keeps them
    pull: float  # seconds, of memories of the last month
    wide: float  # seconds, of memories of all months
    merge: float  # seconds, in memories of the last month
    spread: float  # seconds, in memories of all months
    clone: float  # seconds
    index: float  # seconds


ROWS = {
    "one memory, CPU ms, all loaded": "act", "one memory, CPU ms beyond 20": "commit",
    "edit ID, CPU ms beyond 20": "edit", "objects a commit": "objects",
    "bytes a commit, until git gc": "disk", "bytes a commit, packed": "packed",
    f"pull of {PULLED}, recent, CPU s": "pull", f"pull of {PULLED}, spread, CPU s": "wide",
    f"merge, {APART} differ, recent, CPU s": "merge",
    f"merge, {APART} differ, spread, CPU s": "spread",
    "first clone, CPU s": "clone", "first index, CPU s": "index",
}  # fmt: skip


def main(sizes: list[int]) -> None:
    """Measure each size and print one table."""
    with tempfile.TemporaryDirectory() as folder:
        at_home(Path(folder))
        told = [measured(Path(folder) / str(size), size) for size in sizes]
    print(
        f"{'':<36}"
        + "".join(f"{size:>12,}" for size in sizes)
        + (f"{'ratio':>9}" if len(sizes) > 1 else "")
    )
    for name, field in ROWS.items():
        values = [getattr(figures, field) for figures in told]
        ratio = f"{values[-1] / values[-2]:>9.1f}" if len(values) > 1 and values[-2] > 0 else ""
        print(
            f"{name:<36}"
            + "".join(
                f"{value:>12,.2f}" if value < 1000 else f"{value:>12,.0f}" for value in values
            )
            + ratio
        )


def at_home(folder: Path) -> None:
    """Give this process, and all that it starts, a home of its own."""
    for name in [
        name for name in os.environ if name.startswith(("GIT_", "LERIM_", "XDG_", "PYTHONDONT"))
    ]:
        del os.environ[name]
    os.environ["HOME"] = str(folder)
    (folder / ".gitconfig").write_text(CONFIG)


def measured(folder: Path, size: int) -> Figures:
    """Return what a store of this size costs."""
    filled(folder, size)
    nothing = folder.with_name(f"{size}-floor")
    filled(nothing, FLOOR)
    hub = folder.with_name(f"{size}.git")
    git(folder, "clone", "-q", "--bare", str(folder), str(hub))
    git(hub, "repack", "-adq")
    act = (
        statistics.median(spent(lambda n=n: remembered(folder, 3 * RUNS + n)) for n in range(RUNS))
        * 1000
    )
    commit_cost = beyond(lambda n: remembered(folder, n), lambda n: remembered(nothing, n))
    edit = beyond(protecting(folder, size), protecting(nothing, FLOOR))
    objects, disk, packed = adding(folder)
    index = spent(lambda: lerim(folder, "search", "parser timeout"))
    other = folder.with_name(f"{size}-clone")
    clone = spent(lambda: lerim_clone(hub, other))
    pull = pulling(
        hub, other, [memory(size - 1 - number, size, beyond=1 << 24) for number in range(PULLED)]
    )
    wide = pulling(hub, other, [memory(number, PULLED, beyond=1 << 25) for number in range(PULLED)])
    return Figures(
        act=act,
        commit=commit_cost,
        edit=edit,
        objects=objects,
        disk=disk,
        packed=packed,
        pull=pull,
        wide=wide,
        merge=merging(other, size, range(max(0, size - APART), size)),
        spread=merging(other, size, range(0, size, max(1, size // APART))),
        clone=clone,
        index=index,
    )


def memory(number: int, size: int, beyond: int = 0) -> Memory:
    """Return one memory of a store, or one beyond it."""
    chance = random.Random(number + beyond)  # noqa: S311 the same ones every time
    at = BEGAN + timedelta(days=MONTHS * 30.4) * (number / size)
    at = at.replace(microsecond=0)
    first, second = chance.sample(SUBJECTS, 2)
    title = f"Keep the {first} of part {number} beside the {second}"
    body = "\n\n".join(
        f"The {chance.choice(SUBJECTS)} stands {chance.choice(REASONS)}, {n}." for n in range(6)
    )
    sort = Primitive.DECISION if number % 2 else Primitive.LEARNING
    source = Source(
        agent="claude",
        session=f"session-{number // 4}",
        at=at,
        records=((number % 90, number % 90 + 2),),
    )
    return Memory(
        id=naming.memory_id("claude", f"record {number + beyond}", sort, 1),
        primitive=sort,
        title=title,
        body=body,
        created=at,
        updated=at,
        sources=(source,),
    )


def filled(folder: Path, size: int) -> None:
    """Make a repository with a store."""
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "start")
    step = -(-size // MONTHS)
    for begin in range(0, size, step):
        commit(folder, [memory(number, size) for number in range(begin, min(begin + step, size))])
    git(folder, "gc", "-q")


def commit(folder: Path, memories: Iterable[Memory]) -> None:
    """Write memories in one commit."""
    files = {naming.path_of(each): frontmatter.render(each) for each in memories}
    with standing_in(folder):
        open_workspace().store.commit(lambda _: Change(files=files, subject="fill"))


def beyond(act: Callable[[int], object], floor: Callable[[int], object]) -> float:
    """Return the CPU ms of an act beyond those of another one, done in turn: a machine gives more
    and less as time goes.
    """
    return (
        statistics.median(
            spent(lambda n=n: act(n)) - spent(lambda n=n: floor(n)) for n in range(RUNS)
        )
        * 1000
    )


def adding(folder: Path) -> tuple[float, float, float]:
    """Return how many objects a commit adds, and bytes, loose and packed."""
    before, old = loose(folder), git(folder, "rev-parse", MEMORY).strip()
    for number in range(RUNS, 2 * RUNS):
        remembered(folder, number)
    after, new = loose(folder), git(folder, "rev-parse", MEMORY).strip()
    pack = git(
        folder,
        "pack-objects",
        "-q",
        "--revs",
        "--thin",
        "--stdout",
        given=b"%s\n^%s\n" % (new, old),
    )
    return (after[0] - before[0]) / RUNS, (after[1] - before[1]) / RUNS, len(pack) / RUNS


def remembered(folder: Path, number: int) -> None:
    """Commit one new memory, as `remember` does."""
    with standing_in(folder):
        note = Note(
            text=f"The {number}. thing is kept. It is so.", primitive=Primitive.DECISION, kind=None
        )
        remember(open_workspace(), note)


def protecting(folder: Path, size: int) -> Callable[[int], None]:
    """Return what changes one memory that is named by its id, each time another one."""
    ids = [memory(number, size).id for number in range(0, size, max(1, size // (RUNS + 1)))]
    lerim(folder, "protect", ids[RUNS])
    return lambda number: lerim(folder, "protect", ids[number])


def pulling(hub: Path, clone: Path, new: list[Memory]) -> float:
    """Return the seconds of a pull of some new memories."""
    other = clone.with_name(clone.name + "-colleague")
    lerim_clone(hub, other)
    commit(other, new)
    git(other, "push", "-q", "origin", "lerim/memory")
    seconds = spent(lambda: lerim(clone, "pull"))
    shutil.rmtree(other)
    return seconds


def merging(folder: Path, size: int, numbers: range) -> float:
    """Return the seconds of a merge where both sides changed each of these memories."""
    with standing_in(folder):
        store = open_workspace().store
        ids = [memory(number, size).id for number in numbers]
        known = look_up(store.snapshot(), ids)
        tip = store.tip() or ""
        sides = []
        for word in ("ours", "theirs"):
            git(folder, "update-ref", MEMORY, tip)
            files = {}
            for id_ in ids:
                if (item := known.get(id_)) is not None:
                    new = replace(
                        item.memory,
                        title=f"{item.memory.title}, {word}",
                        updated=item.memory.updated + timedelta(1),
                    )
                    new = replace(new, body=f"{item.memory.body}\n\nSo it is, {word}.")
                    files[item.path] = frontmatter.render(new)
            fresh = open_workspace().store
            fresh.commit(lambda _, files=files: Change(files=files, subject="edit"))
            sides.append(fresh.tip() or "")
        seconds = []
        for _ in range(3):
            git(folder, "update-ref", MEMORY, sides[0])
            fresh = open_workspace().store
            seconds.append(spent(lambda fresh=fresh: fresh.join(sides[1], "origin")))
        git(folder, "update-ref", MEMORY, tip)
    return statistics.median(seconds)


def lerim_clone(hub: Path, folder: Path) -> None:
    """Clone the code and its memory."""
    git(hub, "clone", "-q", str(hub), str(folder))
    lerim(folder, "init")


def loose(folder: Path) -> tuple[int, int]:
    """Return how many objects of their own there are, and their bytes."""
    files = list((folder / ".git" / "objects").glob("??/*"))
    return len(files), sum(path.stat().st_size for path in files)


def lerim(folder: Path, *words: str) -> None:
    """Run a verb."""
    command = [LERIM, *words]
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"git lerim {' '.join(words)}: {done.stderr}")


def git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    """Run git and return what it says."""
    return subprocess.run(
        ["git", *words], cwd=folder, check=True, input=given, stdout=subprocess.PIPE
    ).stdout


def spent(act: Callable[[], object]) -> float:
    """Return the CPU seconds of an act, and of the processes that it starts."""
    before = used()
    act()
    return used() - before


def used() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    times = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in times)


@contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """Stand in a folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or list(SIZES))
