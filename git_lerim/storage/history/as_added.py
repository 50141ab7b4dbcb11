"""Put files in the order in which the history of a store added them."""

from collections.abc import Collection, Iterable

from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

_ADDED = (
    "--topo-order",  # not by date, which anybody can forge
    "--reverse",
    "--diff-filter=A",
    "--no-renames",
    "--no-show-signature",
    "--no-relative",
    "--no-color",
    "--format=",
    "--name-only",
    "-z",
)
_FEW = 100  # paths: for more, git had better name all files


def as_added(place: Place, refs: Iterable[str], paths: Collection[str]) -> list[str]:
    """Sort paths by when the histories of some refs added them.

    Paths from the history of the first ref come first, those that older commits added before later
    ones. Paths that no ref ever had come last, in alphabetical order.
    """
    asked = paths if len(paths) <= _FEW else ()
    wanted, found = set(paths), dict[str, None]()
    for ref in refs:
        if len(found) < len(wanted):
            args = place.git("--literal-pathspecs", "log", *_ADDED, ref, "--", *asked)
            told = run_git(args, cwd=place.git_dir, check=False).decode("utf-8", "surrogateescape")
            found |= dict.fromkeys(path for path in told.split("\0") if path in wanted)
    return [*found, *sorted(wanted - found.keys())]
