"""The URLs of a remote, and the names of the refs that belong to a remote or URL."""

import hashlib
import os
import re
import shlex
from pathlib import Path

from git_lerim.errors import UsageError
from git_lerim.git import gitconfig
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain, run_git

_WHO = re.compile(r"(?<=://)[^/@]*@")  # a user name, which may be a token, and a password


def fetch_url(place: Place, remote: str) -> str:
    """Return a remote's fetch URL as git would use it, with a relative path made absolute.

    Git's rewriting of URLs is applied. Raises UsageError if there is no such remote.
    """
    return _urls(place, remote)[0]


def push_urls(place: Place, remote: str) -> list[str]:
    """Return a remote's push URLs, which can differ from its fetch URL."""
    return _urls(place, remote, "--push", "--all")


def _urls(place: Place, remote: str, *which: str) -> list[str]:
    found = gitconfig.ask(place, "remote", "get-url", *which, "--", remote) if remote else None
    if found is None:
        known = (
            run_git(place.git("remote"), cwd=place.git_dir)
            .decode("utf-8", "surrogateescape")
            .split("\n")
        )
        names = ", ".join(plain(name) for name in known if name)
        # the personal store is elsewhere
        where = f" -C {shlex.quote(plain(str(place.git_dir)))}" if place.bare else ""
        name = "origin" if not remote or "/" in remote else plain(remote)
        hint = (
            f"known remotes: {names}; lerim.remote sets the default"
            if names
            else f"to add it: git{where} remote add {name} URL"
        )
        raise UsageError(f"no such remote: {plain(_WHO.sub('', remote))!r}", hint=hint)
    return [_absolute(place, url) for url in found.split("\n")]


def _absolute(place: Place, url: str) -> str:
    """Return a URL with a relative path made absolute, so that it works in every worktree."""
    # as git tells paths from addresses, such as `host:path` and `ext::program`
    is_path = "/" in url.partition(":")[0] or ":" not in url
    base = place.worktree or place.git_dir
    return os.path.realpath(base / url) if is_path and not Path(url).is_absolute() else url


def without_password(url: str) -> str:
    """Return a URL without its password, safe to print."""
    return plain(_WHO.sub(lambda user: f"{user[0].partition(':')[0].rstrip('@')}@", url))


def tracking_ref(remote: str, branch: str) -> str:
    """Return the remote-tracking ref of a branch."""
    return f"refs/remotes/{remote}/{branch}"


def url_key(url: str) -> str:
    """Return a hash of a URL, for use in the name of a ref.

    A remote's name is not used there, because it could later mean another URL.
    """
    return hashlib.sha256(url.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def pushed_ref(url: str) -> str:
    """Return the name of the ref that records what was pushed to a URL."""
    return f"refs/lerim/pushed/{url_key(url)}"
