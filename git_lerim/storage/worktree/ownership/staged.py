"""Find the versions of memories that git's index has."""

from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.trust.accepted import key_of

_BELOW = f"{layout.TREE}/"


def staged(place: Place) -> dict[str, list[str]]:
    """Map each memory's key to its blobs in the index: several if there is a conflict."""
    args = ("ls-files", "-z", "-s", "--", f":(top,literal){_BELOW}")
    root = place.worktree
    told = run_git([f"--work-tree={root}", *place.git(*args)], cwd=root, check=False).decode(
        "utf-8", "replace"
    )
    rows = (line.partition("\t") for line in told.split("\0") if line)
    found: dict[str, list[str]] = {}
    for facts, _, path in rows:
        if naming.valid_path(name := path.removeprefix(_BELOW)):
            found.setdefault(key_of(name), []).append(facts.split(" ")[1])
    return found
