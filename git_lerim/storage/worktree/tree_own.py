"""Which files of a store in the work tree were written here, and which memories are somebody
else's.

What is ours is recorded when it is written (see `tree_record`), and nothing becomes an object of
git by that. Beyond that, what the user changed of it by hand counts: in the work tree, or in a
commit that they made here, as the reflog of HEAD tells. A change does not count if another commit
has the same version, or lines of it: a squash, a checkout or a pick can have brought those. All
other files are somebody else's, and so are all of them where the record is gone.
`refs/lerim/theirs-tree` leads to a commit whose tree holds names, by the keys of memories that
others wrote and that `init --tree` moved here.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property

from git_lerim.errors import GitFailed
from git_lerim.git import repo
from git_lerim.git.commits.identity import stamp
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.git.worktree.worktree_snapshot import Disk
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.trust import accepted
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.authors import NOBODY, named
from git_lerim.storage.trust.introduced import Introduced, anywhere, is_of, logged
from git_lerim.storage.worktree import hand_log
from git_lerim.storage.worktree.tree_record import TreeRecord
from git_lerim.storage.writing.message import commit_bytes

THEIRS = "refs/lerim/theirs-tree"
_BELOW = f"{layout.TREE}/"
_UNDER_WAY = (
    "MERGE_HEAD",
    "SQUASH_MSG",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "rebase-merge",
    "rebase-apply",
)


class TreeOwn:
    """What this clone wrote of the files of one work tree."""

    def __init__(self, place: Place, disk: Disk, objects: Objects) -> None:
        """Read nothing yet."""
        self._place = place
        self._disk = disk
        self._objects = objects

    def is_own(self, path: str, blob: str) -> bool:
        """Tell whether a version of a file was written here, by or for its user."""
        return blob in self._record.own and key_of(path) not in self.theirs

    def author(self, path: str, blob: str) -> str:
        """Return who wrote what was moved or only committed here; empty where that is not known."""
        return self.theirs.get(key_of(path)) or self._record.names.get(blob, "")

    def paths(self) -> list[str]:
        """Return where the versions stood that were written here, but for memories that were
        deleted here.
        """
        return [
            path for path in set(self._record.own.values()) if key_of(path) not in self._record.gone
        ]

    @cached_property
    def _record(self) -> TreeRecord:
        return TreeRecord(self._place.own_dir)

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
        path; empty where none does.

        `theirs` names who wrote some of it, by path. What is added to somebody else's words is not
        our own.
        """
        marked = {
            key_of(path): name
            for path, name in theirs.items()
            if not self.is_own(path, after.get(path, ""))
        }
        standing = _by_key(before)
        taken = [
            (blob, path)
            for path, blob in after.items()
            if blob
            and key_of(path) not in marked
            and all(self.is_own(path, old) for old in standing.get(key_of(path), ()))
        ]
        left = {key_of(path) for path in before if after.get(path, "left")} | {
            key_of(path) for path in after if after[path]
        }
        self._keep(
            self._record.add(taken, (), (path for path in after if key_of(path) not in left))
        )
        names = {key: name for key, name in marked.items() if self.theirs.get(key) != name}
        self.theirs.update(names)
        if names:
            self._mark({key: name.encode() for key, name in names.items()})

    def follow(self, files: Mapping[str, str]) -> None:
        """Take in what the user's own git committed since the last time, and what they changed in
        the work tree.
        """
        if all(
            self.is_own(path, blob) or key_of(path) in self.theirs for path, blob in files.items()
        ) and self._is_there(files):
            return
        self._keep(self._committed())
        edited = [
            (blob, path)
            for path, blob in files.items()
            if not self.is_own(path, blob) and self._is_edited(path, blob)
        ]
        self._keep(self._record.add(edited, (), ()))

    def _is_there(self, files: Iterable[str]) -> bool:
        """Tell whether some file stands of each memory that was written here and not
        deleted here.
        """
        return not self._record.keys - self._record.gone - {key_of(path) for path in files}

    def _is_edited(self, path: str, blob: str) -> bool:
        """Tell whether a version stands nowhere but in the work tree, in the place of our own."""
        if key_of(path) not in self._record.keys or any(
            (self._place.git_dir / name).exists() for name in _UNDER_WAY
        ):
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
        stood = [*(entry.id for entry in found if entry), *self._staged().get(key_of(path), ())]
        return all(each in self._record.own for each in stood)

    def _staged(self) -> dict[str, list[str]]:
        """Return what the index has of each memory, by key; of a conflict, all sides."""
        args = ("ls-files", "-z", "-s", "--", f":(top,literal){_BELOW}")
        root = self._place.worktree
        told = run_git(
            [f"--work-tree={root}", *self._place.git(*args)], cwd=root, check=False
        ).decode("utf-8", "replace")
        rows = (line.partition("\t") for line in told.split("\0") if line)
        found: dict[str, list[str]] = {}
        for facts, _, path in rows:
            if naming.valid_path(name := path.removeprefix(_BELOW)):
                found.setdefault(key_of(name), []).append(facts.split(" ")[1])
        return found

    def _committed(self) -> list[str]:
        """Return what is to be recorded of what the user committed by hand since the last time."""
        log = hand_log.read(self._place, self._disk)
        beside = {new: old for new, old in log.by_hand.items() if self._is_beside(old)}
        which = ("--no-walk=unsorted", "--ignore-missing", "--stdin")
        groups: dict[tuple[str, str], list[Introduced]] = {}
        for each in logged(self._place, which, log.by_hand, _BELOW, beside) if log.by_hand else ():
            groups.setdefault((each.commit, key_of(each.path)), []).append(each)
        doubtful = [
            each.path for group in groups.values() if not self._is_known(group) for each in group
        ]
        elsewhere: dict[str, list[Introduced]] = {}
        for each in anywhere(self._place, doubtful, _BELOW) if doubtful else ():
            elsewhere.setdefault(key_of(each.path), []).append(each)
        lines: list[str] = []
        for (commit, key), group in groups.items():
            lines += self._judged(
                group,
                [each for each in elsewhere.get(key, ()) if not log.is_later(each.commit, commit)],
            )
        return lines

    def _is_known(self, group: list[Introduced]) -> bool:
        """Tell whether all that a commit put there of one memory was written here, by what is
        recorded.
        """
        new = [each.new for each in group if each.new]
        return bool(new) and all(blob in self._record.own for blob in new)

    def _is_beside(self, old: str) -> bool:
        """Tell whether what HEAD was before counts as a parent, too: what was amended was there
        before.
        """
        return bool(old.strip("0")) and self._objects.is_whole(old)

    def _judged(self, group: list[Introduced], elsewhere: list[Introduced]) -> list[str]:
        """Return what is to be recorded of what a commit made by hand did to one memory;
        `elsewhere`: what other commits did.
        """
        new = [each for each in group if each.new]
        if not new:
            deleted = {each.commit for each in elsewhere} - {
                each.commit for each in elsewhere if each.new
            }
            return self._record.add((), (), [] if deleted else [each.path for each in group])
        old = [blob for each in group for blob in each.old if blob]
        others = [each for each in elsewhere if each.new and each.new not in self._record.own]
        strange = [
            each
            for each in others
            if any(is_of(self._objects, one.new, old, each.new) for one in new)
        ]
        is_own = old and not strange and not any(each.is_copied for each in new)
        if is_own and all(blob in self._record.own for blob in old):
            return self._record.add([(each.new, each.path) for each in new], (), ())
        names = [
            (each.new, each.path, self._writer(each, old, strange))
            for each in new
            if each.new not in self._record.own
        ]
        return self._record.add((), [row for row in names if row[2]], ())

    def _writer(self, each: Introduced, old: list[str], strange: list[Introduced]) -> str:
        """Return who wrote what somebody here committed, as far as git tells; empty where the
        history of the file does.
        """
        if each.is_copied:
            return named(each.author)
        same = [other for other in strange if other.new == each.new] or strange
        if same:
            return named(same[-1].author)  # who had it first
        return next(
            (self._record.names[blob] for blob in old if blob in self._record.names),
            "" if old else NOBODY,
        )

    def _keep(self, lines: list[str]) -> None:
        if self._disk.keeping:
            self._record.keep(lines)

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
