"""Fetch and push one branch with the user's own git: its credentials, ssh and proxies.

Nothing else of the remote is touched: no tags, no FETCH_HEAD, no other branch, no hook. Nothing
is forced, except the one branch after a purge, with a lease.
"""

import contextlib
import hashlib
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from git_lerim.errors import GitFailed, LerimError, UsageError
from git_lerim.git import refs
from git_lerim.git.repo import Place
from git_lerim.git.running.process import SAFE, clean_environment, failure, git_line, plain, run_git

PATIENCE = 120.0  # seconds, with a user who may type a password
BACKGROUND = 30.0  # seconds, in the background
GRACE = 2.0  # seconds for git to exit by itself
# without `--refmap=` git would also update the refs of the remote's own refspecs: in a mirror, our
# branch
_FETCH = (
    "fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
    "--no-auto-maintenance", "--quiet", "--refmap=",
)  # fmt: skip
_PUSH = (
    "push",
    "--no-verify",
    "--porcelain",
    "--recurse-submodules=no",
    "--no-follow-tags",
    "--quiet",
)
_ALONE = {
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=10"
_MOVED = re.compile(
    r"fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|"
    r"incorrect old value|reference already"
)
# messages of GitHub, GitLab, Gitea and Forgejo
_UNSIGNED = re.compile(
    r"must have (?:verified|valid) signatures|must be signed|unverified commit", re.IGNORECASE
)
_NO_SUCH_BRANCH = "couldn't find remote ref"
_UNREACHED = re.compile(
    r"Could not read from remote|unable to access|Authentication failed|"
    r"does not appear to be a git repository"
)
_DENIED = re.compile(
    r"denied|Authentication failed|error: 40[13]|could not read (?:Username|Password)|not allowed",
    re.IGNORECASE,
)
_OTHER_HASH = re.compile(r"mismatched algorithms: [^\n]*|the receiving end does not support [^\n]*")
_NO_NEWS = (
    "Could not read from remote repository.",
    "Please make sure you have",
    "and the repository exists.",
)


class _OutOfTime(GitFailed):
    """Git took too long."""


class Answer(Enum):
    """The outcome of a push."""

    TAKEN = "taken"
    MOVED = "moved"  # somebody else pushed first
    REFUSED = "refused"  # by a rule or hook of the remote


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """The outcome of a push and the remote's message, safe to print."""

    answer: Answer
    said: str = ""


def url_of(place: Place, remote: str) -> str:
    """Return a remote's fetch URL, rewritten by git. Raises UsageError without such a remote."""
    return _urls(place, remote)[0]


def push_urls(place: Place, remote: str) -> list[str]:
    """Return a remote's push URLs, which can differ from its fetch URL."""
    return _urls(place, remote, "--push", "--all")


def _urls(place: Place, remote: str, *which: str) -> list[str]:
    found = (
        git_line(place.git("remote", "get-url", *which, "--", remote), cwd=place.git_dir)
        if remote
        else None
    )
    if found is None:
        known = (
            run_git(place.git("remote"), cwd=place.git_dir)
            .decode("utf-8", "surrogateescape")
            .split("\n")
        )
        names = ", ".join(plain(name) for name in known if name)
        # the personal store is elsewhere
        where = f" -C {shlex.quote(plain(str(place.git_dir)))}" if place.bare else ""
        hint = (
            f"git knows {names}; lerim.remote says which is meant where none is named"
            if names
            else f"git{where} remote add {plain(remote) or 'origin'} URL adds one"
        )
        raise UsageError(f"no remote is called {plain(remote)!r}", hint=hint)
    return found.split("\n")


def without_password(url: str) -> str:
    """Return a URL without its password, safe to print."""
    return plain(
        re.sub(r"(?<=://)[^/@]*@", lambda user: f"{user[0].partition(':')[0].rstrip('@')}@", url)
    )


def tracking_ref(remote: str, branch: str) -> str:
    """Return the remote-tracking ref of a branch."""
    return f"refs/remotes/{remote}/{branch}"


def fetch(  # noqa: PLR0913 what, where from, and how
    place: Place, remote: str, branch: str, *, alone: bool, at: str = "", into: str = ""
) -> str | None:
    """Fetch a branch into its tracking ref; return the commit, or None without such a branch.

    `alone` disables all prompts. `at` is another URL to fetch from, such as a `pushurl`; `into` is
    another ref. Raises GitFailed.
    """
    url_of(place, remote)
    ref = into or tracking_ref(remote, branch)
    return _came(
        place, remote, ref, _fetch(place, at or remote, f"+refs/heads/{branch}:{ref}", alone=alone)
    )


def fetch_with(place: Place, remote: str, branch: str, folder: str) -> tuple[str | None, str]:
    """Fetch a branch like `fetch`, and the branches of a folder, if any, over the same connection.

    Returns the commit, and why the folder's branches could not be fetched: their problems never
    stop the branch itself. Raises GitFailed.
    """
    url_of(place, remote)
    ref = tracking_ref(remote, branch)
    rules = (
        f"+refs/heads/{branch}:{ref}",
        f"+refs/heads/{folder}/*:{tracking_ref(remote, folder)}/*",
    )
    try:
        done = _fetch(place, remote, *rules, alone=False)
    except _OutOfTime as slow:  # the folder may contain gigabytes
        return _came(
            place, remote, ref, _fetch(place, remote, rules[0], alone=False, limit=BACKGROUND)
        ), str(slow)
    if _lacks_branch(done):  # then git has fetched nothing
        done = _fetch(place, remote, rules[1], alone=False)
        return None, str(_unread(done, remote)) if done.returncode else ""
    if not done.returncode or _UNREACHED.search(done.stderr.decode(errors="replace")):
        return _came(place, remote, ref, done), ""
    return _came(place, remote, ref, _fetch(place, remote, rules[0], alone=False)), str(
        _unread(done, remote)
    )


def _fetch(
    place: Place, where: str, *rules: str, alone: bool, limit: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    whole = ["--no-filter"] if _is_partial(place) else []
    args = [
        "-c",
        "fetch.fsckObjects=true",
        *place.git(*_FETCH, *whole, "--end-of-options", where, *rules),
    ]
    return _network(args, place, alone=alone, limit=limit)


def _came(
    place: Place, remote: str, ref: str, done: subprocess.CompletedProcess[bytes]
) -> str | None:
    """Return the fetched commit, or None if there is no such branch. Raises GitFailed."""
    if not done.returncode:
        return git_line(
            place.git("rev-parse", "-q", "--verify", f"{ref}^{{commit}}"), cwd=place.git_dir
        )
    if _lacks_branch(done):
        return None
    raise _unread(done, remote)


def _lacks_branch(done: subprocess.CompletedProcess[bytes]) -> bool:
    return _NO_SUCH_BRANCH in done.stderr.decode(errors="replace")


def _unread(done: subprocess.CompletedProcess[bytes], remote: str) -> LerimError:
    return _failed(done.args, done.stderr, f"{plain(remote)} could not be read")


def fetch_objects(place: Place, remote: str, ids: Sequence[str]) -> None:
    """Fetch objects missing from a partial clone, and all folders in those that are trees.

    No ref moves.
    """
    url_of(place, remote)
    quick = ["-c", "fetch.negotiationAlgorithm=noop"]  # what we have does not help
    args = [
        *quick,
        *place.git(
            *_FETCH, "--no-prune", "--filter=blob:none", "--stdin", "--end-of-options", remote
        ),
    ]
    done = _network(args, place, alone=True, given="".join(f"{each}\n" for each in ids).encode())
    if done.returncode:
        raise _failed(args, done.stderr, f"{plain(remote)} could not be read")


def push(  # noqa: PLR0913 what, where to, and how
    place: Place,
    remote: str,
    branch: str,
    commit: str,
    *,
    alone: bool,
    instead_of: str | None = None,
) -> Pushed:
    """Push a commit to a branch of a remote, as a fast-forward. Raises GitFailed.

    With `instead_of` it replaces that commit even if it does not descend from it: only for a purge.
    """
    home, before = (
        url_of(place, remote),
        refs.read_ref(place.common_dir, tracking_ref(remote, branch)),
    )
    lease = [f"--force-with-lease=refs/heads/{branch}:{instead_of}"] if instead_of else []
    # push a single branch even to a mirror
    alike = (
        "-c",
        "push.gpgSign=false",
        "-c",
        f"remote.{remote}.mirror=false",
    )
    args = [
        *alike,
        *place.git(*_PUSH, *lease, "--end-of-options", remote, f"{commit}:refs/heads/{branch}"),
    ]
    done = _network(args, place, alone=alone)
    told = done.stdout.decode("utf-8", "replace")
    talk = done.stderr.decode("utf-8", "replace")
    is_there = not done.returncode and home in push_urls(place, remote)
    # git updates tracking refs by its refspecs, not by what was pushed where
    _note_fetched(place, remote, branch, commit if is_there else before)
    if not done.returncode:
        return Pushed(answer=Answer.TAKEN)
    refused = next((line for line in told.split("\n") if line.startswith("!\t")), None)
    if refused is None:
        raise _failed(args, done.stderr, f"nothing could be pushed to {plain(remote)}")
    if _MOVED.search(refused):
        return Pushed(answer=Answer.MOVED, said=plain(refused))
    return Pushed(answer=Answer.REFUSED, said=_reason(refused, talk))


def _note_fetched(place: Place, remote: str, branch: str, commit: str | None) -> None:
    """Set the tracking ref of a branch to a commit, or delete it if None."""
    ref = tracking_ref(remote, branch)
    if refs.read_ref(place.common_dir, ref) != commit:
        run_git(
            place.git("update-ref", *([ref, commit] if commit else ["-d", ref])), cwd=place.git_dir
        )


def wants_signatures(said: str) -> bool:
    """Tell whether a push was refused because a commit lacks a valid signature."""
    return bool(_UNSIGNED.search(said))


def key_of(url: str) -> str:
    """Return a hash of a URL for use in a ref's name; a remote's own name can be reused."""
    return hashlib.sha256(url.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def mark_of(url: str) -> str:
    """Return the ref that records what was pushed to a URL."""
    return f"refs/lerim/pushed/{key_of(url)}"


def _reason(refused: str, talk: str) -> str:
    said = [
        line.removeprefix("remote:").strip(" \t!*-=")
        for line in talk.split("\n")
        if line.startswith("remote:")
    ]
    summary = refused.rpartition("\t")[2]
    said += [line.removeprefix("error: ") for line in talk.split("\n") if "unpack failed" in line]
    return plain(" ".join(dict.fromkeys([summary, *(line for line in said if line)])))[:600]


def _failed(args: Sequence[str], stderr: bytes, what: str) -> LerimError:
    again = "nothing was changed; try again when it can be reached"
    talk = stderr.decode("utf-8", "replace")
    if match := _OTHER_HASH.search(talk):
        hint = (
            "a repository shares with others of its own kind only: both have to name their objects"
            " by the same hash"
        )
        return GitFailed(f"{what}: {plain(match[0])}", hint=hint)
    if not _UNREACHED.search(talk):
        error = failure(args, stderr)
        return GitFailed(f"{what}: {error}", hint=error.hint or again)
    rows = [re.sub(r"^(?:remote|fatal|error|ERROR): ", "", row).strip() for row in talk.split("\n")]
    told = " ".join(dict.fromkeys(row for row in rows if row and not row.startswith(_NO_NEWS)))
    given = (
        "nothing was changed; who keeps that repository can let you in; a setting, lerim.remote,"
        " names another remote"
    )
    return GitFailed(
        f"{what}: {plain(told)[:600] or 'git could not read from it'}",
        hint=given if _DENIED.search(told) else again,
    )


def _is_partial(place: Place) -> bool:
    return (
        git_line(place.git("config", "--get-regexp", r"^remote\..*\.promisor$"), cwd=place.git_dir)
        is not None
    )


def _network(
    args: Sequence[str],
    place: Place,
    *,
    alone: bool,
    limit: float | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """Run git with the user's network settings, and end it after a timeout."""
    env = clean_environment()
    env.pop("GIT_TERMINAL_PROMPT")
    if alone:
        env |= _ALONE
        if "GIT_SSH" not in env and not git_line(
            place.git("config", "core.sshCommand"), cwd=place.git_dir
        ):
            env.setdefault("GIT_SSH_COMMAND", _SSH)
    limit = limit or (BACKGROUND if alone else PATIENCE)
    with subprocess.Popen(
        ["git", *SAFE, *args],
        cwd=place.worktree or place.git_dir,  # a relative URL such as `../hub` starts there
        env=env,
        stdin=subprocess.PIPE if given else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=alone,  # a new session would keep ssh from prompting
    ) as process:
        try:
            out, err = process.communicate(given or None, timeout=limit)
        except subprocess.TimeoutExpired as slow:
            _end(process, alone=alone)
            raise _OutOfTime(
                f"git took longer than {limit:.0f} seconds and was ended",
                hint="nothing was changed; try again",
            ) from slow
        except BaseException:
            _end(process, alone=alone)
            raise
    return subprocess.CompletedProcess(args, process.returncode, out, err)


def _end(process: subprocess.Popen[bytes], *, alone: bool) -> None:
    """End git and its children: gently first, so that it removes its lock files."""
    for hard in (False, True):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if alone and os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
            elif hard:
                process.kill()
            else:
                process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=GRACE)
            return
