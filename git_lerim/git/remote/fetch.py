"""Fetch the wanted branches of a remote, or missing objects, and nothing else.

Tags, FETCH_HEAD and other branches stay unchanged, and no hook runs.
"""

import subprocess
from collections.abc import Sequence

from git_lerim.errors import LerimError, ReadOnly
from git_lerim.git import gitconfig, refs
from git_lerim.git.remote import network
from git_lerim.git.remote.name_conflicts import refuse_fetched_conflict
from git_lerim.git.remote.network import UNREACHED, OutOfTime, network_error, run_network
from git_lerim.git.remote.remote_urls import fetch_url, tracking_ref
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain

# without `--refmap=` git would also update refs by the remote's configured refspecs: in a mirror,
# our own branch
_FETCH = (
    "fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
    "--no-auto-maintenance", "--quiet", "--refmap=",
)  # fmt: skip
# without these, git would take a tag `refs/heads/NAME` for the branch of a remote that has none
_NO_OTHERS = ("^refs/tags/*", "^refs/refs/*", "^refs/heads/refs/*", "^refs/remotes/*")
_NO_SUCH_BRANCH = "couldn't find remote ref"


def fetch_branch(  # noqa: PLR0913 what, where from, and how
    place: Place, remote: str, branch: str, *, alone: bool, at: str = "", into: str = ""
) -> str | None:
    """Fetch a branch into its tracking ref; return its commit, or None if it does not exist.

    `alone` disables all prompts. `at` is a URL to fetch from instead, such as a `pushurl`; `into`
    is a ref to set instead. Raises GitFailed.
    """
    fetch_url(place, remote)
    ref = into or tracking_ref(remote, branch)
    return _came(
        place, remote, ref, _fetch(place, at or remote, f"+refs/heads/{branch}:{ref}", alone=alone)
    )


def fetch_branch_and_folder(
    place: Place, remote: str, branch: str, folder: str
) -> tuple[str | None, str]:
    """Fetch a branch and, over the same connection, all branches named `FOLDER/...`.

    Returns the branch's commit, or None if there is no such branch, and the reason why the folder's
    branches could not be fetched, or an empty string. The branch is fetched even if the folder's
    branches cannot be. Raises GitFailed.
    """
    fetch_url(place, remote)
    ref = tracking_ref(remote, branch)
    rules = (
        f"+refs/heads/{branch}:{ref}",
        f"+refs/heads/{folder}/*:{tracking_ref(remote, folder)}/*",
    )
    try:
        done = _fetch(place, remote, *rules, alone=False)
    except OutOfTime as slow:  # the folder may contain gigabytes
        return _came(
            place,
            remote,
            ref,
            _fetch(place, remote, rules[0], alone=False, limit=network.BACKGROUND),
        ), str(slow)
    if _lacks_branch(done):  # then git has fetched nothing
        done = _fetch(place, remote, rules[1], alone=False)
        return None, str(_unread(done, remote)) if done.returncode else ""
    if not done.returncode or UNREACHED.search(done.stderr.decode(errors="replace")):
        return _came(place, remote, ref, done), ""
    return _came(place, remote, ref, _fetch(place, remote, rules[0], alone=False)), str(
        _unread(done, remote)
    )


def _fetch(
    place: Place, where: str, *rules: str, alone: bool, limit: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    for ref in (rule.rpartition(":")[2].removesuffix("/*") for rule in rules):
        if refs.is_elsewhere(place.common_dir, place.common_dir / "logs" / ref):
            raise ReadOnly(
                f"the reflog of {plain(ref)} is a link, so nothing was fetched",
                hint="use a clone of this repository",
            )
    whole = ["--no-filter"] if _is_partial(place) else []
    args = [
        "-c",
        "fetch.fsckObjects=true",
        # the log of the tracking ref shows later what the remote had before a purge
        "-c",
        "core.logAllRefUpdates=true",
        *place.git(*_FETCH, *whole, "--end-of-options", where, *rules, *_NO_OTHERS),
    ]
    return run_network(args, place, alone=alone, limit=limit)


def _came(
    place: Place, remote: str, ref: str, done: subprocess.CompletedProcess[bytes]
) -> str | None:
    """Return the fetched commit, or None if the remote has no such branch. Raises GitFailed."""
    if not done.returncode:
        return git_line(
            place.git("rev-parse", "-q", "--verify", f"{ref}^{{commit}}"), cwd=place.git_dir
        )
    if _lacks_branch(done):
        return None
    if ref.startswith("refs/remotes/"):
        refuse_fetched_conflict(place, remote, ref.removeprefix(tracking_ref(remote, "")))
    raise _unread(done, remote)


def _lacks_branch(done: subprocess.CompletedProcess[bytes]) -> bool:
    return _NO_SUCH_BRANCH in done.stderr.decode(errors="replace")


def _unread(done: subprocess.CompletedProcess[bytes], remote: str) -> LerimError:
    return network_error(done.args, done.stderr, f"{plain(remote)} could not be read")


def fetch_objects(place: Place, remote: str, ids: Sequence[str]) -> None:
    """Fetch objects that a partial clone lacks, and all subtrees of the trees among them.

    All refs stay unchanged.
    """
    fetch_url(place, remote)
    quick = ["-c", "fetch.negotiationAlgorithm=noop"]  # the remote need not know what we have
    args = [
        *quick,
        *place.git(
            *_FETCH, "--no-prune", "--filter=blob:none", "--stdin", "--end-of-options", remote
        ),
    ]
    done = run_network(args, place, alone=True, given="".join(f"{each}\n" for each in ids).encode())
    if done.returncode:
        raise network_error(args, done.stderr, f"{plain(remote)} could not be read")


def _is_partial(place: Place) -> bool:
    return gitconfig.ask(place, "config", "--get-regexp", r"^remote\..*\.promisor$") is not None
