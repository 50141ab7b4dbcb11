"""Find out which memories only one remote has ever had, as far as this clone knows.

A purge made on that remote may delete only these memories here, not those from elsewhere.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from git_lerim.errors import UsageError
from git_lerim.git import refs
from git_lerim.git.remote.remote_urls import fetch_url, push_urls, tracking_ref, url_key
from git_lerim.git.repo import Place
from git_lerim.memories import naming
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.provenance import own_commits
from git_lerim.storage.trust.provenance.introduced import logged

_FEW = 50  # up to this many memories are found faster by name than by reading all of a history


def only_held_by(
    place: Place, remote: str, branch: str, theirs: str, keys: Collection[str]
) -> frozenset[str]:
    """Return the keys of the memories that only this remote has ever had.

    `theirs` is the remote's present tip; `keys` are the ids of memories and the paths of summaries.
    """
    tracking = tracking_ref(remote, branch)
    own = {tracking, f"{own_commits.THEIRS}{remote}/{branch}", *_refs_by_name(place, remote)}
    fetched = {
        name: commit
        for below in ("refs/remotes", own_commits.THEIRS.rstrip("/"))
        for name, commit in refs.below(place.common_dir, below).items()
        if name.startswith(own_commits.THEIRS) or name.endswith(f"/{branch}")
    }
    mine = [commit for name, commit in fetched.items() if name in own]
    # a purge rewrites history: only the reflog has what the remote had before
    before = refs.reflog(place.common_dir, tracking)
    others = [commit for name, commit in fetched.items() if name not in own]
    return _ever(place, [theirs, *mine, *before], keys) - _ever(place, others, keys)


def lost_ref(place: str) -> str:
    """Return git-lerim's ref for commits that a remote lost, or that were pushed to a URL."""
    return own_commits.THEIRS + url_key(f"{place} before")


def _refs_by_name(place: Place, remote: str) -> Iterator[str]:
    """Yield git-lerim's refs for a remote: for what it has lost, and for the tips at its URLs."""
    yield lost_ref(remote)
    with suppress(UsageError):  # a bundle is no remote
        for url in (fetch_url(place, remote), *push_urls(place, remote)):
            yield own_commits.THEIRS + url_key(url)
            yield lost_ref(url)


def _ever(place: Place, tips: Iterable[str], keys: Collection[str]) -> frozenset[str]:
    """Return the keys of the memories that were ever in one of the histories.

    A memory is also found if it had another title, and so another file name, at that time.
    """
    asked = sorted({*tips})
    if not asked or not keys:
        return frozenset()
    specs = [
        f":(top,glob)**/*-{key}.md" if naming.is_id(key) else f":(top,glob)**/{key}"
        for key in sorted(keys)
        if len(keys) <= _FEW
    ]
    which = ("--full-history", "--ignore-missing", "--stdin")
    found = logged(place, which, [*asked, "--", *specs])
    return frozenset(keys) & {key_of(each.path) for each in found}
