"""Run git against a remote, with the user's credentials, ssh and proxies, and a timeout."""

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Sequence

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git.repo import Place
from git_lerim.git.running.environment import network_environment
from git_lerim.git.running.process import SAFE, failure, git_line, plain

PATIENCE = 120.0  # seconds, with a user who may type a password
BACKGROUND = 30.0  # seconds, in the background
GRACE = 2.0  # seconds for git to exit by itself
_ALONE = {
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=10"
UNREACHED = re.compile(
    r"Could not read from remote|unable to access|Authentication failed|"
    r"does not appear to be a git repository"
)
_DENIED = re.compile(
    r"denied|Authentication failed|error: 40[13]|could not read (?:Username|Password)|not allowed",
    re.IGNORECASE,
)
_OTHER_HASH = re.compile(
    r"mismatched algorithms: [^\n]*|the receiving end does not support [^\n]* hash algorithm"
)
_NO_OPTIONS = "the receiving end does not support push options"
_UNSAFE = re.compile(r"^error: object ([0-9a-f]+: \w+: .+)", re.MULTILINE)  # by `git fsck`
_NO_NEWS = (
    "Could not read from remote repository.",
    "Please make sure you have",
    "and the repository exists.",
)


class OutOfTime(GitFailed):
    """Raised when git was stopped because it took too long."""


def network_error(args: Sequence[str], stderr: bytes, what: str) -> LerimError:
    """Return the error for a failed fetch or push, with a hint.

    `what` begins the message, as in `cannot push to origin`.
    """
    again = "nothing was changed; try again when it is reachable"
    talk = stderr.decode("utf-8", "replace")
    if match := _OTHER_HASH.search(talk):
        hint = "both repositories must use the same object format (SHA-1 or SHA-256)"
        return GitFailed(f"{what}: {plain(match[0])}", hint=hint)
    if _NO_OPTIONS in talk:
        hint = (
            "your git configuration sets push.pushOption; to push without it: git -c"
            " push.pushOption= lerim push"
        )
        return GitFailed(f"{what}: {_NO_OPTIONS}", hint=hint)
    if match := _UNSAFE.search(talk):
        hint = (
            "nothing was changed; someone pushed this object, and it must be removed from the"
            " history of the remote before anybody can fetch again"
        )
        return GitFailed(f"{what}: git rejects an object in it: {plain(match[1])}", hint=hint)
    if not UNREACHED.search(talk):
        error = failure(args, stderr)
        return GitFailed(f"{what}: {error}", hint=error.hint or again)
    rows = [re.sub(r"^(?:remote|fatal|error|ERROR): ", "", row).strip() for row in talk.split("\n")]
    reason = " ".join(dict.fromkeys(row for row in rows if row and not row.startswith(_NO_NEWS)))
    given = "nothing was changed; ask its owner for access, or set lerim.remote to another remote"
    return GitFailed(
        f"{what}: {plain(reason)[:600] or 'git could not read from it'}",
        hint=given if _DENIED.search(reason) else again,
    )


def run_network(
    args: Sequence[str],
    place: Place,
    *,
    alone: bool,
    limit: float | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """Run git with the user's network settings; raise OutOfTime after `limit` seconds."""
    env = network_environment()
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
            raise OutOfTime(
                f"git took longer than {limit:.0f} seconds and was stopped",
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
