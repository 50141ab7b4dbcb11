"""Compare many pairs of blobs with one `git diff`.

The blobs are put into two trees in a temporary folder; nothing is written into the repository.
"""

import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from git_lerim.git.commits.author_names import named
from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import disable_drivers
from git_lerim.git.running.process import run_git

_DIFF = (
    *(
        "diff-tree",
        "-r",
        "-p",
        "-U0",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ),
    *("--find-renames=40%", "-l400", "--diff-filter=MR", "--ignore-submodules", "--no-relative"),
)
_LOG = (
    *("log", "--raw", "-z", "--format=%x01%H"),
    *("--no-renames", "--no-abbrev", "--no-show-signature", "--no-color"),
)
_COMMITS = 5000  # commits searched one by one; in a longer history, only first parents
_PATHS = 20  # git compares each given path with every entry; with more paths, list all


def diff_of(place: Place, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return the diff of two sets of blobs, with renames and without context lines.

    Each set maps paths to blobs. Raises GitFailed.
    """
    if old == new:
        return ""
    with tempfile.TemporaryDirectory(prefix="git-lerim-") as name:
        folder = Path(name)
        trees = [_tree(place, folder, files) for files in (old, new)]
        output = run_git(
            ["-c", "core.quotePath=false", *disable_drivers(place), *place.git(*_DIFF, *trees)],
            cwd=place.git_dir,
            env=_apart(place, folder),
        )
    return output.decode("utf-8", "replace")


def _tree(place: Place, folder: Path, files: Mapping[str, str]) -> str:
    env = _apart(place, folder) | {
        "GIT_INDEX_FILE": str(folder / f"index-{len(os.listdir(folder))}")  # noqa: PTH208
    }
    listed = b"".join(
        f"100644 {blob}\t".encode() + os.fsencode(path) + b"\0" for path, blob in files.items()
    )
    run_git(
        place.git("update-index", "-z", "--index-info"), cwd=place.git_dir, input=listed, env=env
    )
    return (
        run_git(place.git("write-tree", "--missing-ok"), cwd=place.git_dir, env=env)
        .decode()
        .strip()
    )


def _apart(place: Place, folder: Path) -> dict[str, str]:
    """Return environment variables that make git write objects into `folder`.

    Git still reads the repository's own objects.
    """
    objects = place.common_dir / "objects"
    return {"GIT_OBJECT_DIRECTORY": str(folder), "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}


def oldest_of(place: Place, commits: Iterable[str]) -> str | None:
    """Return the oldest of some commits, ignoring those that this clone lacks, or None."""
    asked = "".join(f"{commit}\n" for commit in sorted(set(commits))).encode()
    args = place.git("rev-list", "--no-walk=sorted", "--ignore-missing", "--stdin")
    found = (
        run_git(args, cwd=place.git_dir, input=asked, check=False).decode().split() if asked else []
    )
    return found[-1] if found else None


def changes_of(
    place: Place, tip: str, since: str | None, paths: Iterable[str]
) -> list[tuple[str, str, str, str]]:
    """Return the changes to some files in the history of `tip`, newest first.

    Each change is a tuple of commit, path, old blob and new blob. Commits up to `since` are left
    out.
    """
    named = sorted(set(paths))
    if not named:
        return []
    stop = [f"^{since}"] if since else []
    count = run_git(place.git("rev-list", "--count", tip, *stop), cwd=place.git_dir, check=False)
    # a merge then counts as one change, made of all commits of its branch
    stop += ["--first-parent", "-m"] if int(count or 0) > _COMMITS else []
    asked = ["--", *(named if len(named) <= _PATHS else ())]
    log = run_git(
        ["--literal-pathspecs", *place.git(*_LOG, tip, *stop, *asked)],
        cwd=place.git_dir,
        check=False,
    )
    return list(_changes_in(log, set(named)))


def _changes_in(log: bytes, wanted: Collection[str]) -> Iterator[tuple[str, str, str, str]]:
    for part in log.split(b"\x01")[1:]:
        commit, _, rest = part.partition(b"\0")
        fields = rest.lstrip(b"\n").split(b"\0")
        for meta, path in zip(fields[::2], fields[1::2], strict=False):
            bits = meta.strip().split(b" ")
            name = os.fsdecode(path)
            if len(bits) == 5 and name in wanted:
                yield commit.decode(), name, bits[2].decode(), bits[3].decode()


def facts_of(place: Place, commits: Iterable[str]) -> dict[str, tuple[str, str, str]]:
    """Map the id of each commit to its author, day and subject."""
    asked = sorted(set(commits))
    if not asked:
        return {}
    args = [
        "log",
        "--no-walk=unsorted",
        "-z",
        "--format=%H%x01%an%x01%as%x01%s",
        "--encoding=UTF-8",
        "--no-show-signature",
        "--stdin",
    ]
    output = run_git(
        place.git(*args), cwd=place.git_dir, input="\n".join(asked).encode() + b"\n", check=False
    )
    rows = (row.split("\x01") for row in output.decode("utf-8", "replace").split("\0") if row)
    return {row[0]: (named(row[1]), row[2], row[3]) for row in rows if len(row) == 4}
