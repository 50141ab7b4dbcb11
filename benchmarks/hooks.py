"""Git's hooks: a commit and a rebase without any, with ours, and a commit with ours through
pre-commit, in alternation.

Each commit begins when what the one before started has ended, as between two commits of a person;
and again in a burst. Ours are installed as this git takes them: in its configuration from 2.54 on,
else as files.

usage: python benchmarks/hooks.py [--runs N] [--commits N] [--pre-commit PROGRAM]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ground import LERIM, prepared

CONFIG = """\
repos:
- repo: local
  hooks:
  - {{id: lerim-sync, name: lerim, language: system, entry: "{entry}", stages: [post-commit], \
always_run: true,
     pass_filenames: false}}
"""


def main() -> None:
    """Make a repository of each kind, run them in turn, and print two tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--commits", type=int, default=100, help="of a rebase")
    parser.add_argument(
        "--pre-commit", help="a program that installs the hooks of .pre-commit-config.yaml"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kinds = {"none": lambda _: None, "ours": _ours}
        if args.pre_commit:
            kinds["pre-commit"] = lambda place: _through(args.pre_commit, place)
        places = {name: _made(Path(folder) / name, install) for name, install in kinds.items()}
        quick = {
            name: place for name, place in places.items() if name != "pre-commit"
        }  # it takes a second and more for each
        print(
            subprocess.run(
                ["git", "version"], capture_output=True, text=True, check=True
            ).stdout.strip()
        )
        _table("a commit", _alternating(places, args.runs, _commit, rest=3))
        _table(
            "ten commits in a burst", _alternating(quick, max(3, args.runs // 4), _burst, rest=3)
        )
        for place, env in quick.values():
            _history(place, env, args.commits)
        _table(
            f"a rebase of {args.commits}",
            _alternating(quick, max(3, args.runs // 4), _rebase, rest=3),
        )
        time.sleep(5)  # what was started last is at its end


Place = tuple[Path, dict[str, str]]


def _made(folder: Path, install: Callable[[Place], None]) -> Place:
    folder.mkdir()
    place = prepared(folder)
    install(place)
    _commit(place)
    return place


def _ours(place: Place) -> None:
    _run(place, LERIM, "install", "--hooks", "--yes")


def _through(program: str, place: Place) -> None:
    (place[0] / ".pre-commit-config.yaml").write_text(CONFIG.format(entry=f"{LERIM} githook"))
    _run(place, "git", "add", ".pre-commit-config.yaml")
    _run(place, program, "install", "-t", "post-commit")


def _alternating(
    places: dict[str, Place], runs: int, act: Callable[[Place], None], *, rest: float
) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in places}
    for _ in range(runs):
        for name, place in places.items():
            began = time.perf_counter()
            act(place)
            taken[name].append(time.perf_counter() - began)
        time.sleep(rest)
    return taken


def _table(what: str, taken: dict[str, list[float]]) -> None:
    none = statistics.median(taken["none"])
    print(
        f"{what:<22}{'median ms':>10}{'least':>8}{'ratio':>7}{'+ ms':>8}   ({len(taken['none'])}"
        " runs in alternation)"
    )
    for name, seconds in taken.items():
        pairs = [a / b for a, b in zip(seconds, taken["none"], strict=True)]
        median = statistics.median(seconds)
        extra, ratio = 1000 * (median - none), statistics.median(pairs)
        print(
            f"  {name:<20}{1000 * median:>10.1f}{1000 * min(seconds):>8.1f}{ratio:>7.2f}{extra:>8.1f}"  # noqa: E501
        )


def _commit(place: Place) -> None:
    _run(place, "git", "commit", "-q", "--allow-empty", "-m", "change")


def _burst(place: Place) -> None:
    for _ in range(10):
        _commit(place)


def _rebase(place: Place) -> None:
    _run(place, "git", "rebase", "-q", "--force-rebase", "--root", "work")


def _history(place: Place, env: dict[str, str], commits: int) -> None:
    quiet = (
        place,
        env | {"LERIM_HOOKS": "0", "PRE_COMMIT_ALLOW_NO_CONFIG": "1", "SKIP": "lerim-sync"},
    )
    _run(quiet, "git", "checkout", "-q", "--orphan", "work")
    for number in range(commits):
        (place / "file").write_text(f"{number}\n")
        _run(quiet, "git", "add", "file")
        _run(
            quiet, "git", "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", f"change {number}"
        )


def _run(place: Place, *words: str) -> None:
    done = subprocess.run(
        words, cwd=place[0], env=place[1], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
