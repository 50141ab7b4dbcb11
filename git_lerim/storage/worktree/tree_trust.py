"""Decide which files of a store in the work tree are handed out, according to `lerim.trust`.

The user's files are recorded when they are written (see `tree_own`); all others count as somebody
else's and are shown with their author. `refs/lerim/accepted-tree` points to a blob that lists the
accepted versions.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from git_lerim.errors import LerimError
from git_lerim.git import own_refs, refs, repo
from git_lerim.git.commits.author_names import NOBODY, named, signature
from git_lerim.git.commits.verify_signatures import Verifying
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain, run_git
from git_lerim.git.worktree.worktree_snapshot import Disk
from git_lerim.memories import naming
from git_lerim.memories.feedback import Feedback
from git_lerim.memories.memory import Memory
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Stored
from git_lerim.storage.history import past
from git_lerim.storage.own_feedback import credited, plausible
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.claims import Claims
from git_lerim.storage.trust.judge import RULES, Judge
from git_lerim.storage.trust.provenance.authors import author_mail
from git_lerim.storage.trust.provenance.introduced import anywhere
from git_lerim.storage.trust.provenance.vouched import verified
from git_lerim.storage.trust.trust import REVIEWED, SIGNED, WHY
from git_lerim.storage.trust.validate import File
from git_lerim.storage.verdicts import recorded, without_forged
from git_lerim.storage.worktree.ownership.tree_own import TreeOwn

ACCEPTED = "refs/lerim/accepted-tree"
_KEPT = "judged"  # name of the cache of reasons


class TreeTrust:
    """The trust decisions about the files of a store in the work tree, each made only once."""

    def __init__(
        self,
        place: Place,
        disk: Disk,
        objects: Objects,
        word: str,
        files: Callable[[], Mapping[str, str]],
    ) -> None:
        """Prepare without reading anything yet.

        `word` is `remote`, `signed` or `reviewed`; `files` returns a map of paths to blobs.
        """
        self._place = place
        self._disk = disk
        self._objects = objects
        self._files = files
        self._verifying = Verifying(place)
        self._claims = Claims(place, objects, f"{layout.TREE}/")
        self.word = word

    @cached_property
    def own(self) -> TreeOwn:
        """The record of files that were written here."""
        found = TreeOwn(self._place, self._disk, self._objects)
        found.follow(
            {path: blob for path, blob in self._files().items() if naming.valid_path(path)}
        )
        return found

    def reason(self, path: str, blob: str) -> str:
        """Return why a file waits to be accepted, safe to print; empty if it does not wait."""
        if self.own.is_own(path, blob) or blob in self.accepted:
            return ""
        shown = self.own.author(path, blob) or self._committed(path, blob).shown
        return f"from {shown}: {why}" if (why := self._why(path, blob)) else ""

    def _why(self, path: str, blob: str) -> str:
        if self.word == SIGNED and not self._is_signed(path, blob):
            return self._verifying.why_not(self._committed(path, blob).commit) or WHY[SIGNED]
        if self.word == REVIEWED:
            return WHY[REVIEWED]
        if blob not in self._reasons:
            self._reasons[blob] = self.judge.reason(blob)
            self._is_new = True
        return f"it {self._reasons[blob]}" if self._reasons[blob] else ""

    def author(self, path: str, blob: str) -> str:
        """Return a file's author as far as git can tell; empty for the user's own files."""
        if self.own.is_own(path, blob):
            return ""
        return self.own.author(path, blob) or self._committed(path, blob).name

    def passed(self, file: File) -> File:
        """Return a trusted file, with its author if somebody else wrote it; else quarantine it."""
        if isinstance(file, Quarantined):
            return file
        if not (reason := self.reason(file.path, file.blob)):
            item = self.named(file)
            memory = item.memory.having(feedback=item.feedback)
            return item if item.believed is None else replace(item, memory=memory, believed=None)
        return Quarantined(path=file.path, reason=reason)

    def named(self, item: Stored) -> Stored:
        """Return a file; if somebody else wrote it, with its author and without forged feedback."""
        if not (author := self.author(item.path, item.blob)):
            return item
        counted = self._believed(item) if item.memory.feedback else ()
        edits = (each.edited for each in self._own_versions(item))
        memory = credited(plausible(item.memory), author, self._mail, edits)
        tip = partial(repo.head, self._place)
        return replace(
            item,
            author=author,
            memory=self._claims.credited(item.path, item.blob, memory, tip),
            believed=None if counted == item.memory.feedback else counted,
        )

    @cached_property
    def _mail(self) -> str:
        """The user's author address, cached because asking git for each file would be slow."""
        return author_mail(self._place)

    def _believed(self, item: Stored) -> tuple[Feedback, ...]:
        """Return the feedback of a file that others changed, without what they forged."""
        key = key_of(item.path)
        mine = next(self._own_versions(item), None)
        given = (*(mine.feedback if mine else ()), *recorded(self._place, key))
        is_own = mine is not None and key not in self.own.theirs
        return without_forged(item.memory.feedback, self._mail, given, is_own=is_own)

    def _own_versions(self, item: Stored) -> Iterator[Memory]:
        """Yield the committed versions of a file that were written here, the newest first."""
        for blob in self.own.versions(key_of(item.path)):
            if isinstance(found := read_blob(self._objects, blob), Memory):
                yield found

    def decided(self, files: Mapping[str, str]) -> str:
        """Return a fingerprint of the trust decisions about some files (`files`: blobs by path)."""
        told = [
            f"{path} {bool(self.reason(path, blob))} {self.author(path, blob)}"
            for path, blob in sorted(files.items())
            if naming.valid_path(path) and not self.own.is_own(path, blob)
        ]
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()

    def waiting(self, files: Mapping[str, str]) -> dict[str, str]:
        """Return the reasons why files wait to be accepted, by path; leave out files that do not.

        `files` maps paths to blobs.
        """
        found = {
            path: self.reason(path, blob) for path, blob in files.items() if naming.valid_path(path)
        }
        if self._is_new:
            code = self.judge.code.asked(self._reasons)
            self._disk.cache(_KEPT, {"rules": RULES, "code": code, "reasons": self._reasons})
        return {path: reason for path, reason in found.items() if reason}

    def record(
        self, before: Mapping[str, str], after: Mapping[str, str], theirs: Mapping[str, str]
    ) -> None:
        """Record the files just written here (see `TreeOwn.record`).

        A change to an accepted file counts as accepted.
        """
        keys = {
            key_of(path)
            for path, blob in before.items()
            if blob in self.accepted and not self.own.is_own(path, blob)
        }
        self.own.record(before, after, theirs)
        if blobs := [blob for path, blob in after.items() if blob and key_of(path) in keys]:
            self.accept(blobs)

    def accept(self, blobs: Collection[str]) -> None:
        """Record that the user accepts these versions of files."""
        listed = "".join(f"{blob}\n" for blob in sorted(self.accepted.union(blobs)))
        git = self._place.git_dir
        written = (
            run_git(self._place.git("hash-object", "-w", "--stdin"), cwd=git, input=listed.encode())
            .decode()
            .strip()
        )
        own_refs.note(self._place, ACCEPTED, written)
        run_git(
            self._place.git("update-ref", "-m", "git-lerim: accept", ACCEPTED, written), cwd=git
        )
        self.__dict__.pop("accepted", None)

    @cached_property
    def accepted(self) -> frozenset[str]:
        """The blobs that the user accepted."""
        kept = own_refs.held(self._place, self._objects, ACCEPTED)
        listed = self._objects.blob(kept) if kept else b""
        return frozenset(listed.decode("ascii", "replace").split())

    _is_new = False

    @cached_property
    def _reasons(self) -> dict[str, str]:
        kept = self._disk.cached(_KEPT) or {}
        reasons = kept.get("reasons") if kept.get("rules") == RULES else None
        if not isinstance(reasons, dict):
            return {}
        return self.judge.code.current(reasons, str(kept.get("code")))

    @cached_property
    def judge(self) -> Judge:
        """The judge of files that others wrote."""
        return Judge(self._place, self._objects, self._disk)

    def _is_signed(self, path: str, blob: str) -> bool:
        found = self._others.get(key_of(path), _NOWHERE)
        return found.blob == blob and found.commit in self._signed

    @cached_property
    def _signed(self) -> set[str]:
        """The commits with a signature that git verifies, except those at a shallow boundary."""
        return verified(self._place, self._verifying, (at.commit for at in self._others.values()))

    def _committed(self, path: str, blob: str) -> "_Committed":
        """Return the commit that a version of a file comes from, as far as git knows it."""
        found = self._others.get(key_of(path), _NOWHERE)
        if found.blob == blob:
            return found
        elsewhere = self._elsewhere.get((path, blob))
        return elsewhere or (_NOWHERE if found.mail == self._mail else found)

    @cached_property
    def _elsewhere(self) -> dict[tuple[str, str], "_Committed"]:
        """The commits that introduced versions on disk which HEAD lacks, as after a checkout."""
        doubtful = [
            path
            for path, blob in self._files().items()
            if naming.valid_path(path)
            and self._others.get(key_of(path), _NOWHERE).blob != blob
            and not self.own.is_own(path, blob)
        ]
        found: dict[tuple[str, str], _Committed] = {}
        for each in anywhere(self._place, doubtful, f"{layout.TREE}/") if doubtful else ():
            shown = f"{plain(each.author)} in {each.commit[:10]}"
            committed = _Committed(named(each.author), shown, each.commit, each.new, "")
            if len(each.old) < 2:  # what only a merge brought has no known author
                found.setdefault((each.path, each.new), committed)
        return found

    @cached_property
    def _others(self) -> dict[str, "_Committed"]:
        """The last commit that wrote each memory, by key.

        If the user made that commit, the entry names the last other person who changed the memory,
        if any.
        """
        head = repo.head(self._place)
        found: dict[str, _Committed] = {}
        if head is None:
            return found
        mine, cut = self._mail or None, refs.shallow(self._place.common_dir)
        try:
            for logged in past.read_log(
                self._place, head, limit=None, path=None, below=f"{layout.TREE}/"
            ):
                if logged.is_merge and logged.mail == mine:
                    continue  # git merges for the user what others wrote
                # where history is cut off, others may have written the files
                nobody = replace(logged, author=NOBODY, mail="")
                commit = nobody if logged.id in cut else logged
                shown = f"{signature(commit.author, commit.mail)} in {commit.id[:10]}"
                for key, blob in ((key_of(file.path), file.blob) for file in commit.files):
                    if not blob:
                        continue
                    committed = _Committed(
                        named(commit.author), shown, commit.id, blob, commit.mail
                    )
                    last = found.setdefault(key, committed)
                    if last.mail == mine and commit.mail != mine:
                        found[key] = replace(committed, commit=last.commit, blob=last.blob)
        except LerimError:
            return {}
        return found


@dataclass(frozen=True, slots=True)
class _Committed:
    """The last commit of a file in the work tree, as far as git knows it."""

    name: str
    shown: str  # with the address and the commit, safe to print
    commit: str
    blob: str
    mail: str


_NOWHERE = _Committed(NOBODY, NOBODY, "", "", "")
