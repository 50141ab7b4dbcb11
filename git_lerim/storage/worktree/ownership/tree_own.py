"""Distinguish the user's files from other people's in a store in the work tree.

Files are recorded as the user's own when git-lerim writes them (see `tree_record`); recording
creates no git objects. The user's edits of these files count as the user's own, too: uncommitted
edits, as long as they stand in the work tree, and commits made by hand in any work tree of this
clone, according to the reflogs. A text that was discarded may come back in somebody else's commit.

An edit does not count if another commit contains the same version or some of its lines, since it
may come from a squash, a checkout or a cherry-pick. Nor does it count if it adds something that a
person has to accept, since a commit that it came from may be gone. A version that differs from the
user's newest one only in its use or feedback is still the user's own. All other files belong to
somebody else; without a record, all files do.

`refs/lerim/theirs-tree` points to a commit whose tree maps keys of memories that `init --tree`
moved here to the names of their authors.
"""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property

from git_lerim.errors import LerimError
from git_lerim.git.commits.author_names import NOBODY, named
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.worktree.worktree_snapshot import Disk
from git_lerim.storage import layout
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.judge import Judge
from git_lerim.storage.trust.known import is_still_own, says_again
from git_lerim.storage.trust.provenance.introduced import Introduced, anywhere, is_of, logged
from git_lerim.storage.worktree.ownership import hand_log, moved_here, uncommitted
from git_lerim.storage.worktree.ownership.put_back import put_back
from git_lerim.storage.worktree.ownership.staged import staged
from git_lerim.storage.worktree.ownership.tree_record import TreeRecord

_BELOW = f"{layout.TREE}/"


class TreeOwn:
    """The files of one work tree that were written in this clone."""

    def __init__(self, place: Place, disk: Disk, objects: Objects) -> None:
        """Prepare without reading anything yet."""
        self._place = place
        self._disk = disk
        self._objects = objects
        self._put_back: frozenset[tuple[str, str]] = frozenset()
        self._edited: set[str] = set()  # the uncommitted edits that stand in the work tree

    def is_own(self, path: str, blob: str) -> bool:
        """Return whether a version of a file was written here, by the user or for the user."""
        return (
            (
                blob in self._record.own
                or blob in self._edited
                or self._is_still_own(key_of(path), blob)
            )
            and key_of(path) not in self.theirs
            and (path, blob) not in self._put_back
        )

    def _is_still_own(self, key: str, blob: str) -> bool:
        """Return whether others left the words of the user's newest version as they were."""
        newest = self._record.newest.get(key, "")
        return is_still_own(self._place, self._objects, key, newest, blob)

    def author(self, path: str, blob: str) -> str:
        """Return the author of a file that was moved or committed here, empty if unknown."""
        return self.theirs.get(key_of(path)) or self._record.names.get(blob, "")

    def paths(self) -> list[str]:
        """Return the paths of all versions written here, except for memories deleted here."""
        return [
            path for path in set(self._record.own.values()) if key_of(path) not in self._record.gone
        ]

    def versions(self, key: str) -> list[str]:
        """Return the blobs of a memory's versions that were written here, the newest first."""
        return [blob for blob, path in self._record.own.items() if key_of(path) == key][::-1]

    @cached_property
    def _record(self) -> TreeRecord:
        return TreeRecord(self._place.own_dir)

    @cached_property
    def theirs(self) -> dict[str, str]:
        """The authors of other people's memories that were moved here, by key."""
        return moved_here.named(self._objects)

    def record(
        self, before: Mapping[str, str], after: Mapping[str, str], theirs: Mapping[str, str]
    ) -> None:
        """Record the files that were just written, and who wrote them.

        `before` and `after` map paths to blobs; an empty blob means that the file does not exist.
        `theirs` maps the paths of files that others wrote to their authors. Editing somebody else's
        file here does not make it the user's own, unless the edit restores the user's version.
        """
        marked = {
            key_of(path): name
            for path, name in theirs.items()
            if not self.is_own(path, after.get(path, ""))
        }
        stood = _by_key(before)
        taken = [
            (blob, path)
            for path, blob in after.items()
            if blob
            and key_of(path) not in marked
            and (
                all(self.is_own(path, old) for old in stood.get(key_of(path), ()))
                or self._is_restored(path, blob)
            )
        ]
        edited = [
            row for row in taken if not self._edited.isdisjoint(stood.get(key_of(row[1]), ()))
        ]
        taken = [row for row in taken if row not in edited]
        self._keep_edited(edited)
        left = {key_of(path) for path in before if after.get(path, "left")} | {
            key_of(path) for path in after if after[path]
        }
        self._keep(
            self._record.add(taken, (), (path for path in after if key_of(path) not in left))
        )
        names = {key: name for key, name in marked.items() if self.theirs.get(key) != name}
        self.theirs.update(names)
        if names:
            moved_here.mark(self._objects, {key: name.encode() for key, name in names.items()})

    def _is_restored(self, path: str, blob: str) -> bool:
        """Return whether a version says what the user's newest version of this memory says."""
        with suppress(LerimError, KeyError):
            newest = self._record.newest[key_of(path)]
            self._disk.look()  # finds the file that was just written
            return says_again(self._disk, blob, newest)
        return False

    def follow(self, files: Mapping[str, str]) -> None:
        """Record the user's own commits and uncommitted edits since the last call."""
        if all(
            self._record.newest.get(key_of(path)) == blob or key_of(path) in self.theirs
            for path, blob in files.items()
        ) and self._is_there(files):
            return
        self._keep(self._committed())
        self._put_back = put_back(self._place, self._record, files)
        self._edited = self._standing(files)
        unchanged = {key_of(path) for path, blob in files.items() if self.is_own(path, blob)}
        edited = [
            (blob, path)
            for path, blob in files.items()
            if key_of(path) not in unchanged
            and self._is_edited(path, blob)
            and not self._adds_orders(blob, self.versions(key_of(path)))
        ]
        self._keep_edited(edited)

    def _keep_edited(self, edits: list[tuple[str, str]]) -> None:
        self._edited.update(blob for blob, _ in edits)
        self._keep(self._record.add_edited(edits))

    def _is_there(self, files: Iterable[str]) -> bool:
        """Return whether each of the user's memories still has a file, or was deleted here."""
        return not self._record.newest.keys() - self._record.gone - {key_of(path) for path in files}

    def _is_edited(self, path: str, blob: str) -> bool:
        """Return whether a version is uncommitted, and replaces one of the user's own."""
        if (
            key_of(path) not in self._record.newest
            or uncommitted.is_merging(self._place)
            or uncommitted.is_stored(self._objects, blob)
        ):
            return False
        stood = [
            *uncommitted.in_head(self._place, self._objects, path),
            *staged(self._place).get(key_of(path), ()),
        ]
        return all(each in self._record.own or self._standing({path: each}) for each in stood)

    def _standing(self, files: Mapping[str, str]) -> set[str]:
        """Return the blobs of known edits that nobody has committed."""
        known = {path: blob for path, blob in files.items() if blob in self._record.edited}
        return uncommitted.standing(self._place, self._objects, known)

    def _committed(self) -> list[str]:
        """Return new record lines for commits that the user made by hand since the last call."""
        log = hand_log.read(self._place, self._disk)
        beside = {new: old for new, old in log.by_hand.items() if self._is_beside(old)}
        which = ("--no-walk=unsorted", "--ignore-missing", "--stdin")
        groups: dict[tuple[str, str], list[Introduced]] = {}
        for each in logged(self._place, which, log.by_hand, _BELOW, beside) if log.by_hand else ():
            groups.setdefault((each.commit, key_of(each.path)), []).append(each)
        doubtful = [
            each.path
            for group in groups.values()
            if not _are_in(group, self._record.own)
            for each in group
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

    def _adds_orders(self, new: str, old: Iterable[str]) -> bool:
        """Return whether a version needs to be accepted for a reason that no older version gave."""
        reason = self._reason(new)
        return bool(reason) and reason not in map(self._reason, old)

    def _reason(self, blob: str) -> str:
        with suppress(LerimError):  # a partial clone lacks old versions
            return self._judge.reason(blob)
        return ""

    @cached_property
    def _judge(self) -> Judge:
        return Judge(self._place, self._objects, self._disk)

    def _is_beside(self, old: str) -> bool:
        """Return whether the previous HEAD counts as one more parent, as for an amended commit."""
        return bool(old.strip("0")) and self._objects.is_whole(old)

    def _judged(self, group: list[Introduced], elsewhere: list[Introduced]) -> list[str]:
        """Return new lines for the record, after a commit made by hand changed one memory.

        `group` has the changes of that commit, `elsewhere` has those of other commits.
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
        edited = self._record.edited  # these were judged when they were found
        said = old or self.versions(key_of(new[0].path))[:1]  # what is restored adds nothing
        is_own = (
            (old or _are_in(group, self._record.own, edited))
            and not strange
            and not any(each.is_copied for each in new)
            and not any(self._adds_orders(each.new, said) for each in new if each.new not in edited)
        )
        if is_own and all(blob in self._record.own for blob in old):
            key = key_of(new[0].path)
            again = self._record.newest.get(key) in old or key in self._record.gone
            put = [each for each in new if again or each.new not in self._record.own]
            return self._record.add([(each.new, each.path) for each in put], (), ())
        names = [
            (each.new, each.path, self._writer(each, old, strange))
            for each in new
            if each.new not in self._record.own
        ]
        return self._record.add((), [row for row in names if row[2]], ())

    def _writer(self, each: Introduced, old: list[str], strange: list[Introduced]) -> str:
        """Return the author to record for a version committed here; empty if git's log has them."""
        if each.is_copied:
            return named(each.author)
        same = [other for other in strange if other.new == each.new] or strange
        if same:
            return named(same[-1].author)  # the author of the earliest one
        return next(
            (self._record.names[blob] for blob in old if blob in self._record.names),
            "" if old else NOBODY,
        )

    def _keep(self, lines: list[str]) -> None:
        if self._disk.keeping:
            self._record.keep(lines)


def _are_in(group: list[Introduced], *known: Collection[str]) -> bool:
    """Return whether a commit wrote a memory, in versions that are all known."""
    new = [each.new for each in group if each.new]
    return bool(new) and all(any(blob in each for each in known) for blob in new)


def _by_key(files: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, blob in files.items():
        found.setdefault(key_of(path), []).append(blob)
    return found
