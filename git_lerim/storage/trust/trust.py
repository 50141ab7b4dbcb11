"""Decide which memories of a store are handed out, according to `lerim.trust`.

`remote`: everything except what would make an agent send data, hide something, skip a check or run
foreign code (see `judge`); `signed`: of that, versions from commits whose signature git verifies;
`reviewed`: only what was accepted here. What this clone wrote itself always counts as accepted (see
`accepted`), and a memory that others have changed since is handed out in its accepted version. Only
git's data counts, not what a file says of itself.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from git_lerim.errors import NoIdentity
from git_lerim.git import own_refs
from git_lerim.git.commits.identity import stamp
from git_lerim.git.commits.verify_signatures import Verifying
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Change, Quarantined, Snapshot
from git_lerim.storage.branch.tree_builder import beginning, written
from git_lerim.storage.history import past
from git_lerim.storage.sharing.tree_diff import differing
from git_lerim.storage.trust import accepted as own
from git_lerim.storage.trust.judge import RULES, Judge
from git_lerim.storage.trust.vouched import Verdicts, vouched
from git_lerim.storage.writing.message import commit_bytes

REMOTE, SIGNED, REVIEWED = "remote", "signed", "reviewed"
_SHOWN = re.compile(rb"\A(---\n(?:(?!---\n).*\n)*?)last_accessed: .*\n")  # in the front matter
WHY = {  # why something waits
    REMOTE: "it belongs to what waits",
    SIGNED: "no signature that git verifies (lerim.trust=signed)",
    REVIEWED: "not accepted here (lerim.trust=reviewed)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A file whose current version is not handed out."""

    path: str
    id: str | None  # a summary's name holds none
    reason: str  # safe to print


class Trust:
    """The trust decisions about one repository's store."""

    def __init__(
        self,
        place: Place,
        objects: Callable[[], Objects],
        branch: str,
        word: str,
        proposal: Callable[[], str | None],
    ) -> None:
        """Read nothing yet.

        `word` is `remote`, `signed` or `reviewed`; `proposal` returns the branch of the user's own
        proposal.
        """
        self._place = place
        self._open = objects
        self._branch = branch
        self._proposal = proposal
        self.word = word
        self._followed: str | None = None  # what was accepted at the tip that was looked at last

    @cached_property
    def _objects(self) -> Objects:
        return self._open()

    @cached_property
    def _verifying(self) -> Verifying:
        return Verifying(self._place)

    @cached_property
    def _judge(self) -> Judge:
        return Judge(self._place, self._objects)

    @property
    def source(self) -> str:
        """What `glance.seen` checks besides the branch: the setting, and files with signers."""
        return "\t".join([self.word, *(self._verifying.files if self.word == SIGNED else ())])

    def follow(self, tip: str) -> str:
        """Accept the branch's new own commits; return the accepted commit."""
        self._followed = own.followed(self._place, self._objects, self._branch, tip)
        return self._followed

    def record(
        self, move: tuple[str | None, str], change: Change, stood: Mapping[str, str]
    ) -> None:
        """Record a commit of our own that the branch has just moved to (see `own.recorded`)."""
        self._followed = own.recorded(self._place, self._objects, self._branch, move, change, stood)

    def served(self, tip: str, view: str) -> str:
        """Return the commit with the memories to hand out.

        `tip` is the branch's; `view` is the tip merged with what was fetched.
        """
        accepted = self._with_proposal(self.follow(tip), view)
        if self.word == REMOTE:
            return self._judged(view, accepted)
        return (
            self._without_marks(accepted) if self.word == REVIEWED else self._signed(view, accepted)
        )

    def is_shared(self, path: str, blob: str) -> bool:
        """Tell whether others wrote what stands at a path, accepted or not."""
        kept = self._followed or own_refs.held(self._place, self._objects, own.ACCEPTED)
        if kept is None or self._blob(kept, path) != blob:
            return True
        return self._objects.entry_at(kept, f"{own.SHARED}/{own.key_of(path)}") is not None

    def held(self, view: str) -> frozenset[str]:
        """Return the paths to hold back, without writing anything.

        Own files are known only as far as they have been recorded.
        """
        kept = own_refs.held(self._place, self._objects, own.ACCEPTED)
        return frozenset(
            path
            for path, entry in self._differing(kept, view)
            if entry is not None and self._judge.reason(entry.id)
        )

    def _without_marks(self, commit: str) -> str:
        tree = self._objects.tree_of(commit)
        bare = self._objects.write_tree(tree, dict.fromkeys((own.SHARED, own.NAMES)))
        return commit if bare in {tree, None} else self._commit(bare, [commit], "accepted")

    def keep(self, tip: str, view: str) -> None:
        """Accept what entered the memory as the user's own proposal wrote it."""
        kept = self.follow(tip)
        if changed := self._proposed(kept, view):
            self._followed = own.accepted(self._place, self._objects, kept, tip, changed)

    def _with_proposal(self, accepted: str, view: str) -> str:
        changed = self._proposed(accepted, view)
        tree = written(self._objects, self._objects.tree_of(accepted), changed) if changed else None
        return self._commit(tree, [accepted], "pending") if tree else accepted

    def _proposed(self, accepted: str, view: str) -> dict[str, TreeEntry | None]:
        """Return the files that a view has as the user's proposal wrote them last.

        If nothing was accepted yet at a path, any version that the proposal wrote counts.
        """
        try:
            name = self._proposal()
        except NoIdentity:  # who has no name has no proposal
            name = None
        wrote = own.proposed(self._place, self._objects, accepted, name) if name else {}
        changed: dict[str, TreeEntry | None] = {}
        for path, now in self._differing(accepted, view) if wrote else ():
            versions = wrote.get(path, [])
            if now in (versions if now and not self._blob(accepted, path) else versions[-1:]):
                changed[path] = now
        return changed

    def of_the_past(self, tip: str, commit: str) -> str:
        """Return a commit with the part of an older state that was ever trusted."""
        accepted = self.follow(tip)
        pairs = own.ever(self._place, self._with_proposal(accepted, commit))
        verdicts = self._verdicts(commit, None, lambda _: "") if self.word == SIGNED else {}
        gone: dict[str, TreeEntry | None] = {}
        for path, entry in self._differing(None, commit):
            if entry is None or (path, entry.id) in pairs:
                continue
            trusted = verdicts.get((path, entry.id)) if self.word == SIGNED else self.word == REMOTE
            if not trusted or self._judge.reason(entry.id):
                gone[path] = None
        return (
            self._commit(
                written(self._objects, self._objects.tree_of(commit), gone), [commit], "past"
            )
            if gone
            else commit
        )

    def accept(self, tip: str, view: str, paths: Collection[str] | None = None) -> list[str]:
        """Accept the current versions of files, by path or all; return the paths that changed."""
        kept = self.follow(tip)
        keys = None if paths is None else {own.key_of(path) for path in paths}
        changed = {
            path: entry
            for path, entry in self._differing(kept, view)
            if keys is None or own.key_of(path) in keys
        }
        if changed:
            self._followed = own.accepted(
                self._place, self._objects, kept, tip, {**changed, **own.marks_of(changed)}
            )
        return sorted(changed)

    def waiting(self, tip: str, view: str) -> list[Waiting]:
        """Return the files whose current version is not handed out, each with the reason.

        A file that only differs in the date it was last shown to others is left out.
        """
        served = self.served(tip, view)
        paths = [
            path
            for path, entry in self._differing(served, view)
            if entry and not self._only_shown(served, path, entry)
        ]
        authors = self._authors(view, frozenset(paths)) if paths else {}
        return [
            Waiting(
                path=path,
                id=naming.id_in(path),
                reason=f"{authors.get(path, '')}{self._why(view, path)}",
            )
            for path in sorted(paths)
        ]

    def _why(self, view: str, path: str) -> str:
        blob = self._blob(view, path)
        reason = self._judge.reason(blob) if blob and self.word != REVIEWED else ""
        return f"it {reason}; git lerim pull --accept hands it out" if reason else WHY[self.word]

    def believed(self, served: str, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with untrusted files quarantined, so that they are not re-added."""
        if snapshot.commit is None:
            return snapshot
        held = {path for path, _ in self._differing(served, snapshot.commit)}
        if not held:
            return snapshot
        aside = [Quarantined(path=path, reason=WHY[self.word]) for path in sorted(held)]
        return replace(
            snapshot,
            memories={
                id_: item for id_, item in snapshot.memories.items() if item.path not in held
            },
            summaries={
                id_: item for id_, item in snapshot.summaries.items() if item.path not in held
            },
            handoffs={
                id_: item for id_, item in snapshot.handoffs.items() if item.path not in held
            },
            quarantined=[*snapshot.quarantined, *aside],
        )

    def _authors(self, view: str, wanted: Collection[str]) -> dict[str, str]:
        """Return the last author and commit of some files, according to git."""
        found: dict[str, str] = {}
        for commit in past.read_log(self._place, view, limit=None, path=None):
            for file in commit.files:
                if file.path in wanted and file.path not in found:
                    found[file.path] = (
                        f"from {plain(commit.author)} <{plain(commit.mail)}> in {commit.id[:10]}: "
                    )
            if len(found) == len(wanted):
                break
        return found

    def _differing(
        self, old: str | None, new: str | None
    ) -> Iterator[tuple[str, TreeEntry | None]]:
        """Yield the paths of memories that differ between two commits, with the second's entry."""
        before, after = (self._objects.tree_of(commit) if commit else None for commit in (old, new))
        for each in differing(self._objects, before, after, layout.is_folder):
            if naming.valid_path(each.path) and (each.new is None or each.new.mode == FILE):
                yield each.path, each.new

    def _judged(self, view: str, accepted: str) -> str:
        """Return the view, or a commit with the accepted versions of what waits.

        The commit is cached until the view or the accepted commit changes.
        """
        if next(self._differing(accepted, view), None) is None:
            return view
        kept = own_refs.held(self._place, self._objects, layout.SERVED)
        before = (
            self._objects.parents(kept) if kept is not None and self._key(kept) == RULES else ()
        )
        if kept is not None and before == (view, accepted):
            return view if self._objects.tree_of(kept) == self._objects.tree_of(view) else kept
        was_view, was_accepted = before if len(before) == 2 else (None, accepted)
        touched = [*self._differing(was_view, view), *self._differing(was_accepted, accepted)]
        touched += (
            self._differing(kept, was_view) if kept is not None and was_view is not None else []
        )
        changed = self._chosen({path for path, _ in touched}, view, accepted, None)
        tree = self._objects.tree_of(view)
        new = written(self._objects, tree, changed) or tree
        made = self._commit(new, [view, accepted], f"key: {RULES}")
        own_refs.put(
            self._place, self._objects, layout.SERVED, made, message="git-lerim: serve", who=own.WHO
        )
        return view if new == tree else made

    # -- signed

    def _signed(self, view: str, accepted: str) -> str:
        kept, key = (
            own_refs.held(self._place, self._objects, layout.SERVED),
            f"{self._verifying.key} {RULES}",
        )
        now = (view, accepted)
        before = self._objects.parents(kept) if kept is not None and self._key(kept) == key else ()
        if kept is not None and before == now:
            return kept
        is_whole = len(before) == 2  # a purge can leave one parent
        base = kept if is_whole else None
        was_view, was_accepted = before if is_whole else (None, None)
        touched = [*self._differing(was_view, view), *self._differing(was_accepted, accepted)]
        paths = {path for path, _ in touched}
        verdicts = (
            self._verdicts(view, was_view, lambda path: self._blob(base, path)) if paths else {}
        )
        changed = self._chosen(paths, view, accepted, verdicts)
        tree = self._objects.tree_of(base or beginning(self._objects))
        made = self._commit(written(self._objects, tree, changed) or tree, list(now), f"key: {key}")
        own_refs.put(
            self._place, self._objects, layout.SERVED, made, message="git-lerim: serve", who=own.WHO
        )
        return made

    def _chosen(
        self, paths: Iterable[str], view: str, accepted: str, verdicts: Verdicts | None
    ) -> dict[str, TreeEntry | None]:
        """Return the version of each file to hand out: the current one, or the accepted one.

        All files of a memory are trusted together. Without verdicts, whatever is harmless is
        trusted.
        """
        groups: dict[str, list[str]] = {}
        for path in paths:
            groups.setdefault(own.key_of(path), []).append(path)
        chosen: dict[str, TreeEntry | None] = {}
        for group in groups.values():
            now, mine = (
                {path: self._objects.entry_at(at, path) for path in group}
                for at in (view, accepted)
            )
            trusted = all(
                (entry is None and mine[path] is None)
                or (entry is not None and mine[path] is not None and entry.id == mine[path].id)  # type: ignore[union-attr]
                or self._may_pass(path, entry.id if entry else "", verdicts)
                for path, entry in now.items()
            )
            chosen |= now if trusted else mine
        return chosen

    def _may_pass(self, path: str, blob: str, verdicts: Verdicts | None) -> bool:
        return (verdicts is None or bool(verdicts.get((path, blob)))) and not (
            blob and self._judge.reason(blob)
        )

    def _verdicts(self, view: str, since: str | None, stood: Callable[[str], str]) -> Verdicts:
        return vouched(self._place, self._objects, self._verifying, (view, since), stood)

    def _only_shown(self, served: str, path: str, entry: TreeEntry) -> bool:
        """Tell whether a file differs from the one handed out only in its `last_accessed` date."""
        if not (handed_out := self._blob(served, path)):
            return False
        old, new = (
            _SHOWN.sub(rb"\1", self._objects.blob(blob), count=1) for blob in (handed_out, entry.id)
        )
        return old == new

    def _blob(self, commit: str | None, path: str) -> str:
        entry = self._objects.entry_at(commit, path) if commit else None
        return entry.id if entry else ""

    def _key(self, commit: str) -> str:
        said = git_line(
            self._place.git("log", "-1", "--no-show-signature", "--format=%s", commit),
            cwd=self._place.git_dir,
        )
        return (said or "").removeprefix("key: ")

    def _commit(self, tree: str | None, parents: list[str], subject: str) -> str:
        who = own.WHO.committer + b" " + stamp(0)
        empty = tree or self._objects.tree_of(beginning(self._objects))
        return self._objects.write_commit(
            commit_bytes(empty, parents, who, who, subject.encode() + b"\n")
        )
