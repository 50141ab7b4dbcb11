"""The history of the user's code: the commit at a given time, and the files in a commit."""

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from git_lerim.git import refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.history import code_commits
from git_lerim.git.history.patches import patch_ids
from git_lerim.git.repo import Place, head
from git_lerim.git.running.process import git_line, run_git

LONGEST = 200  # characters of a branch's name
AHEAD = 50  # further commits whose patch ids are computed at once
# How many commits, and how many seconds, after a change of a file its commit is searched for.
NEXT = 200
LATE = 30 * 86400
_MINUTE = 60  # seconds in which further changes of a file are not noted


class CodeHistory:
    """A repository's history, in which each list of commits is read only once."""

    def __init__(self, place: Place) -> None:
        """Initialize with the repository, which is opened only when it is needed."""
        self._place = place
        # commit times and commit ids by tip, oldest first
        self._lines: dict[str, tuple[list[int], list[str]]] = {}
        self._tips: dict[str | None, str | None] = {}
        self._patches: dict[str, str | None] = {}

    @cached_property
    def objects(self) -> Objects:
        """The repository's object store, opened on first use."""
        return open_objects(self._place)

    def commit_at(self, time_ms: int, branch: str | None = None) -> str | None:
        """Return the last commit of a branch at a time, or None before its first commit.

        If the branch is unknown, HEAD is used.
        """
        tip = self._tip(branch) or self._tip(None)
        if tip is None:
            return None
        times, ids = self._line(tip)
        place = bisect_right(times, time_ms // 1000)
        return ids[place - 1] if place else None

    def changes_after(
        self, path: str, times: Sequence[int], branch: str | None, base: str | None
    ) -> Iterator[tuple[str, str | None]]:
        """Yield the commits of a branch that may contain changes made to a file at some times.

        Each comes with the file's blob before it. Times are in milliseconds. Changes that are in
        `base` already are left out. If there is no local branch of that name that contains `base`,
        HEAD is used: anybody can push a branch of the same name.
        """
        tips = [tip for tip in (self._local_tip(branch), self._tip(None)) if tip is not None]
        if not tips:
            return
        lines = [self._line(tip) for tip in tips]
        dates, ids = next((line for line in lines if base in {None, *line[1]}), lines[-1])
        known = ids.index(base) + 1 if base in ids else 0
        since = dates[known - 1] if known else 0
        seconds = (time // 1000 for time in times)
        begin = min((time for time in seconds if time + _MINUTE > since), default=None)
        if begin is None:
            return
        first = max(known, bisect_left(dates, begin))
        before = self.blob_at(ids[first - 1], path) if first else None
        for date, commit in zip(dates[first:], ids[first : first + NEXT], strict=False):
            if date > begin + LATE:
                return
            now = self.blob_at(commit, path)
            if now != before:
                yield commit, before
            before = now

    def exists(self, prefix: str) -> str | None:
        """Return the full id of the commit with this id prefix, or None."""
        well_formed = 4 <= len(prefix) <= 64 and not prefix.strip("0123456789abcdef")
        return self.objects.full_id(prefix) if well_formed else None

    def resolve(self, revision: str) -> str | None:
        """Return the full id of the commit that a revision such as `HEAD~2` means, or None."""
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        return git_line(self._place.git(*asked), cwd=self._place.git_dir)

    def blob_at(self, commit: str, path: str) -> str | None:
        """Return the blob id of a file in a commit, or None if there is no such file."""
        entry = self.objects.entry_at(commit, path)
        return entry.id if entry and entry.mode in {0o100644, 0o100755} else None

    def renamed_to(self, commit: str, path: str) -> str | None:
        """Return the new name of a file that a commit renamed, or None."""
        return code_commits.renamed_to(self._place, commit, path)

    def patch(self, commit: str) -> str | None:
        """Return the patch id of a commit, or None if it has none or this is a partial clone.

        Also computes and caches the patch ids of the next commits on the branch, which are likely
        to be needed soon, because sessions are read in order of time.
        """
        if commit not in self._patches and not self.objects.is_partial():
            asked = [commit, *(each for each in self._next(commit) if each not in self._patches)]
            found = patch_ids(self._place, asked)
            self._patches |= {each: found.get(each) for each in asked}
        return self._patches.get(commit)

    def _next(self, commit: str) -> list[str]:
        for _, ids in self._lines.values():
            if commit in ids:
                return ids[ids.index(commit) + 1 :][:AHEAD]
        return []

    def _tip(self, branch: str | None) -> str | None:
        if branch not in self._tips:
            self._tips[branch] = self._find(branch)
        return self._tips[branch]

    def _find(self, branch: str | None) -> str | None:
        if branch is None or branch == "HEAD":
            return head(self._place)
        names = refs.tracking_refs(self._place.common_dir, branch) if _is_name(branch) else ()
        tips = (refs.read_ref(self._place.common_dir, name) for name in names)
        return self._local_tip(branch) or next(filter(None, tips), None)

    def _local_tip(self, branch: str | None) -> str | None:
        if branch is None or branch == "HEAD" or not _is_name(branch):
            return None
        return refs.read_ref(self._place.common_dir, f"refs/heads/{branch}")

    def _line(self, tip: str) -> tuple[list[int], list[str]]:
        if tip not in self._lines:
            args = self._place.git("rev-list", "--first-parent", "--reverse", "--timestamp", tip)
            pairs = [
                line.split()
                for line in os.fsdecode(
                    run_git(args, cwd=self._place.git_dir, check=False)
                ).splitlines()
            ]
            # make times monotonic, in case a clock went backwards
            times = list(accumulate((int(seconds) for seconds, _ in pairs), max))
            self._lines[tip] = times, [commit for _, commit in pairs]
        return self._lines[tip]


def _is_name(branch: str) -> bool:
    """Return whether a name can be that of a branch; it comes from a transcript."""
    is_path = ".." in branch or branch.startswith("/") or "\0" in branch
    return not is_path and len(branch) <= LONGEST
