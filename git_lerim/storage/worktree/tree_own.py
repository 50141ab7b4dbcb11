"""Which files of a store in the work tree were written here, and which memories are somebody
else's.

The file `own` beside the repository names the versions that were written here: what is ours is
recorded when it is written, and nothing becomes an object of git by that. Beyond that, what the
user's own git committed here counts, as the reflog of HEAD tells, and what they changed in the work
tree; never what a file, or a commit that came from elsewhere, says of itself. Where the file is
gone, what it alone knew counts as somebody else's. `refs/lerim/theirs-tree` leads to a commit whose
tree holds names, by the keys of memories that others wrote and that `init --tree` moved here.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from git_lerim.errors import GitFailed, NoIdentity
from git_lerim.git import repo
from git_lerim.git.commits.identity import identity, stamp
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place, private_folder
from git_lerim.git.running.process import run_git
from git_lerim.git.worktree.worktree_snapshot import Disk
from git_lerim.storage import layout
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.commit_files import HEADER, Commit, CommitFiles, commit_of
from git_lerim.storage.trust import accepted
from git_lerim.storage.trust.accepted import Introduced, key_of
from git_lerim.storage.writing.message import commit_bytes

THEIRS = "refs/lerim/theirs-tree"
NAME = "own"
_BELOW = f"{layout.TREE}/"
_BY_HAND = re.compile(
    r"commit(?: \([a-z]+\))?: "
)  # a pick, a patch or a pull brings what others wrote
_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_READ = "own-log"  # the name under which it is kept how much of the reflog was read


class TreeOwn:
    """What this clone wrote of the files of one work tree."""

    def __init__(self, place: Place, disk: Disk, objects: Objects) -> None:
        """Read nothing yet."""
        self._place = place
        self._disk = disk
        self._objects = objects

    def is_own(self, path: str, blob: str) -> bool:
        """Tell whether a version of a file was written here, by or for its user."""
        return blob in self.blobs and key_of(path) not in self.theirs

    @cached_property
    def blobs(self) -> set[str]:
        """The versions that were written here."""
        try:
            return set((self._place.own_dir / NAME).read_text("ascii", "replace").split("\n"))
        except OSError:
            return set()

    @cached_property
    def theirs(self) -> dict[str, str]:
        """The names of those who wrote what was only moved here, by the keys of their memories."""
        kept = self._objects.ref(THEIRS)
        entries = self._objects.entries(self._objects.tree_of(kept)) if kept else []
        return {
            each.name.decode("utf-8", "replace"): (
                self._objects.blob(each.id).decode("utf-8", "replace")
            )
            for each in entries
        }

    def record(
        self, before: Mapping[str, str], after: Mapping[str, str], theirs: Mapping[str, str]
    ) -> None:
        """Record what was just written: the blobs that stood in the folder and those that do, by
        path.

        `theirs` names who wrote some of it, by path. What is added to somebody else's words is not
        our own.
        """
        marked = {key_of(path): name for path, name in theirs.items()}
        standing = _by_key(before)
        taken = {
            blob
            for path, blob in after.items()
            if key_of(path) not in marked
            and all(self.is_own(path, old) for old in standing.get(key_of(path), ()))
        }
        self._keep(taken, marked)

    def follow(self, files: Mapping[str, str]) -> None:
        """Take in what the user's own git committed since the last time, and what they changed in
        the work tree.
        """
        if all(
            self.is_own(path, blob) or key_of(path) in self.theirs for path, blob in files.items()
        ):
            return
        taken: set[str] = set()
        for each in self._committed():
            if all(not old or old in self.blobs or old in taken for old in each.old):
                taken.add(each.new)
        self._keep(taken - {""}, {})
        self._keep(
            {
                blob
                for path, blob in files.items()
                if not self.is_own(path, blob) and self._is_edited(path, blob)
            },
            {},
        )

    def _is_edited(self, path: str, blob: str) -> bool:
        """Tell whether a version stands nowhere but in the work tree, in the place of nothing or of
        one of our own.
        """
        if any((self._place.git_dir / name).exists() for name in _UNDER_WAY):
            return False
        with suppress(GitFailed):
            self._objects.size(blob)
            return False
        head = repo.head(self._place)
        name = path.removeprefix("archived/")
        found = (
            [self._objects.entry_at(head, f"{_BELOW}{each}") for each in (name, f"archived/{name}")]
            if head
            else []
        )
        return all(entry is None or entry.id in self.blobs for entry in found)

    def _committed(self) -> Iterator[Introduced]:
        """Yield what the user's own git put where, by the new lines of the reflog, the oldest
        first.
        """
        moves = dict(self._moves())
        if not moves:
            return
        args = (
            "log",
            "-z",
            "--no-walk=unsorted",
            "--ignore-missing",
            "--no-show-signature",
            f"--format={HEADER}",
            "--stdin",
        )
        asked = "".join(f"{commit}\n" for commit in moves).encode()
        tokens = iter(
            run_git(self._place.git(*args), cwd=self._place.git_dir, input=asked)
            .decode("ascii", "replace")
            .split("\0")
        )
        commits = [
            self._beside(commit_of(each), moves)
            for each in zip(tokens, tokens, tokens, strict=False)
        ]
        files = CommitFiles(self._place, commits, _BELOW)
        for commit in commits:
            yield from accepted.put_where(commit.id, files.against_parents(commit))

    def _beside(self, commit: Commit, moves: Mapping[str, str]) -> Commit:
        """Return a commit that counts what it took the place of as a parent, too: what was amended
        was there before.
        """
        old = moves.get(commit.id, "")
        more = (
            [old]
            if old.strip("0") and old not in commit.parents and self._objects.is_whole(old)
            else []
        )
        return commit._replace(parents=(*commit.parents, *more))

    def _moves(self) -> Iterator[tuple[str, str]]:
        """Yield each commit that the user made by hand, and what HEAD was before."""
        try:
            mail = identity(self._place).committer.rpartition(b"<")[2].rstrip(b">")
            raw = (self._place.git_dir / "logs/HEAD").read_bytes()
        except (OSError, NoIdentity):
            return
        name = f"{self._disk.key}.{_READ}"
        kept = (self._disk.told(name) or {}).get("bytes")
        start = (
            kept
            if isinstance(kept, int) and 0 < kept <= len(raw) and raw[kept - 1 : kept] == b"\n"
            else 0
        )
        for line in raw[start:].split(b"\n"):
            head, tab, said = line.partition(b"\t")
            if (
                tab
                and head.rpartition(b"<")[2].partition(b">")[0] == mail
                and _BY_HAND.match(os.fsdecode(said))
            ):
                old, new = head.split(b" ")[:2]
                yield new.decode("ascii", "replace"), old.decode("ascii", "replace")
        self._disk.tell(name, {"bytes": len(raw)})

    def _keep(self, taken: set[str], marked: Mapping[str, str]) -> None:
        new = sorted(taken - self.blobs)
        names = {key: name for key, name in marked.items() if self.theirs.get(key) != name}
        self.blobs.update(new)
        self.theirs.update(names)
        if new and self._disk.keeping:
            with suppress(OSError):  # where nothing can be written, the next process tells it anew
                private_folder(self._place.own_dir)
                file = os.open(
                    self._place.own_dir / NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600
                )
                with os.fdopen(file, "w", encoding="ascii") as opened:
                    opened.write("".join(f"{blob}\n" for blob in new))
        if names:
            self._mark({key: name.encode() for key, name in names.items()})

    def _mark(self, names: Mapping[str, bytes]) -> None:
        kept = self._objects.ref(THEIRS)
        tree = written(self._objects, self._objects.tree_of(kept) if kept else None, names) or ""
        who = accepted.WHO.committer + b" " + stamp(0)
        commit = self._objects.write_commit(
            commit_bytes(tree, [], who, who, b"git-lerim: theirs\n")
        )
        self._objects.move_ref(
            THEIRS, commit, old=kept, message="git-lerim: theirs", who=accepted.WHO
        )
        self._objects.settle()


def _by_key(files: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, blob in files.items():
        found.setdefault(key_of(path), []).append(blob)
    return found
