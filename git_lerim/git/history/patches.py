"""Compute patch ids, which stay the same when a commit is rebased or cherry-picked."""

import subprocess
from collections.abc import Iterable

from git_lerim.git.repo import Place
from git_lerim.git.running.process import SAFE, clean_environment

LIMIT = 5.0  # seconds; ids that are not ready by then are left out
_DIFF = (
    "diff-tree",
    "--stdin",
    "-p",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-color",
)


def patch_ids(place: Place, commits: Iterable[str]) -> dict[str, str]:
    """Map the ids of commits to stable patch ids.

    Merges and empty commits have none. One `git diff-tree` and one `git patch-id` compute all of
    them; if git fails or takes too long, some or all are missing.
    """
    asked = "".join(f"{commit}\n" for commit in dict.fromkeys(commits)).encode()
    # in a shallow clone, the first commit would seem to add every file
    root = [] if (place.common_dir / "shallow").exists() else ["--root"]
    env = clean_environment()
    try:
        with (
            subprocess.Popen(
                ["git", *SAFE, *place.git(*_DIFF, *root)],
                cwd=place.git_dir, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            ) as diff,
            subprocess.Popen(
                ["git", *SAFE, "patch-id", "--stable"],
                cwd=place.git_dir, env=env, stdin=diff.stdout, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            ) as ids,
        ):  # fmt: skip
            return _read(diff, ids, asked)
    except (OSError, ValueError):
        return {}


def _read(
    diff: "subprocess.Popen[bytes]", ids: "subprocess.Popen[bytes]", asked: bytes
) -> dict[str, str]:
    if diff.stdin is None or diff.stdout is None:
        return {}
    diff.stdout.close()  # the other process reads it
    try:
        diff.stdin.write(asked)  # few enough for a pipe to hold
        diff.stdin.close()
        out, _ = ids.communicate(timeout=LIMIT)
    except (OSError, subprocess.TimeoutExpired):
        diff.kill()
        out, _ = ids.communicate()  # it ends at the end of its input
    pairs = (line.split() for line in out.decode("ascii", "replace").splitlines())
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}
