"""Decide which memories of a store are handed out, according to `lerim.trust`.

`remote`: everything except what would make an agent send data, hide something, skip a check or run
foreign code (see `judge`); `signed`: the same, but only versions from commits that git verifies as
signed by their author; `reviewed`: only what was accepted here. What was written in this clone
always counts as accepted (see `accepted`). If a newer version by others is withheld, the accepted
version is handed out instead. Only git's data counts, not what a file says about itself.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from git_lerim.git import own_refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import TreeEntry
from git_lerim.git.repo import Place
from git_lerim.memories.memory import Memory
from git_lerim.storage.base import Change, Snapshot, Stored, Waiting
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.reading import read_blob
from git_lerim.storage.sharing import withdrawn
from git_lerim.storage.trust import accepted as own
from git_lerim.storage.trust import marks
from git_lerim.storage.trust.by_key import path_in
from git_lerim.storage.trust.known import Known
from git_lerim.storage.trust.offered import Offered
from git_lerim.storage.trust.provenance.last_writers import Author
from git_lerim.storage.trust.provenance.same_words import keeps_words
from git_lerim.storage.trust.provenance.wording import Origins
from git_lerim.storage.trust.selection import Selection

REMOTE, SIGNED, REVIEWED = "remote", "signed", "reviewed"
WHY = {  # why something waits
    REMOTE: "it belongs to a memory that waits to be accepted",
    SIGNED: "no signature that git verifies (lerim.trust=signed)",
    REVIEWED: "not accepted here (lerim.trust=reviewed)",
}


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
        """Prepare without reading anything yet.

        `word` is `remote`, `signed` or `reviewed`; `proposal` returns the branch of the user's own
        proposal.
        """
        self._place = place
        self._selection = Selection(place, objects, branch)
        self._branch = branch
        self._offered = Offered(place, self._selection, proposal)
        self.word = word
        self._followed: str | None = None  # the accepted commit at the last tip seen

    @property
    def _objects(self) -> Objects:
        return self._selection.objects

    @property
    def source(self) -> str:
        """The trust part of `Handed.source`: the setting, and the files that list signers."""
        return "\t".join(
            [self.word, *(self._selection.verifying.files if self.word == SIGNED else ())]
        )

    def follow(self, tip: str) -> str:
        """Accept new commits made here on the branch; return the new `refs/lerim/accepted`."""
        self._offered.forget()
        self._followed = own.followed(self._place, self._objects, self._branch, tip)
        return self._followed

    def record(
        self, move: tuple[str | None, str], change: Change, stood: Mapping[str, str]
    ) -> None:
        """Record as accepted a commit that git-lerim has just written (see `accepted.recorded`)."""
        self._followed = own.recorded(self._place, self._objects, self._branch, move, change, stood)

    def served(self, tip: str, view: str) -> str:
        """Return the commit with the memories that may be shown.

        `tip` is the branch's commit; `view` is that commit merged with what was fetched.
        """
        accepted = self._with_proposal(self.follow(tip), view)
        if self.word == REMOTE:
            return self._selection.judged(view, accepted)
        return (
            self._without_marks(accepted, view)
            if self.word == REVIEWED
            else self._selection.signed(view, accepted)
        )

    def is_accepted(self, path: str, blob: str) -> bool:
        """Return whether this is the version of a file that was last written or accepted here."""
        kept = self.recorded()
        return kept is not None and self._selection.blob(kept, path) == blob

    def is_shared(self, path: str, blob: str) -> bool:
        """Return whether others wrote this version of a file, even if it is accepted."""
        kept = self.recorded()
        if kept is None:
            return True
        if self._selection.blob(kept, path_in(self._objects, kept, path)) != blob:
            offered = self._offered.versions(kept).get(path, ())
            if all(entry is None or entry.id != blob for entry in offered):
                return True
        return not self.was_own(kept, path)

    def own_words(self, path: str, blob: str) -> Memory | None:
        """Return a version with the user's own details, if others left its words as they were.

        An earlier version of the user's is returned as it is.
        """
        kept = self.recorded()
        found = Known(self._place, self._objects, kept, {}).in_own_details(path, blob)
        if found is None or kept is None:
            return found
        if (path, blob) not in own.ever_accepted(self._place, self._objects, kept):
            return found
        was = read_blob(self._objects, blob)
        return was if isinstance(was, Memory) else found

    def recorded(self) -> str | None:
        """Return the commit in `refs/lerim/accepted`, or None if there is none."""
        return self._followed or own_refs.kept(self._place, self._objects, own.ACCEPTED, own.WHO)

    def was_own(self, recorded: str, path: str) -> bool:
        """Return whether a file was the user's alone, according to the marks at `recorded`."""
        return self._objects.entry_at(recorded, f"{marks.SHARED}/{own.key_of(path)}") is None

    def never_accepted(self, items: Iterable[Stored]) -> list[Stored]:
        """Return the versions of memories that were never written or accepted here."""
        kept = self.recorded()
        known = own.ever_accepted(self._place, self._objects, kept) if kept else set()
        return [item for item in items if (item.path, item.blob) not in known]

    def reaccepted(self, before: str) -> Iterator[str]:
        """Yield the paths whose accepted version has changed since the commit `before`."""
        kept = own_refs.kept(self._place, self._objects, own.ACCEPTED, own.WHO)
        is_known = own_refs.is_noted(self._place, own.ACCEPTED, before)
        known = own_refs.readable(self._objects, before) if is_known else None
        for path, _ in self._selection.differing(known, kept) if kept != before else ():
            yield path

    def written_here(self, ids: Collection[str]) -> frozenset[str]:
        """Return those of the ids whose memories the user wrote or changed in this clone."""
        kept = self.recorded()
        return marks.written_here(self._objects, kept, ids) if kept else frozenset()

    def held(self, view: str) -> frozenset[str]:
        """Return the paths to withhold, without writing anything.

        A file counts as the user's own only if it was already recorded as such.
        """
        kept = own_refs.kept(self._place, self._objects, own.ACCEPTED, own.WHO)
        return frozenset(
            path
            for path, entry in self._selection.differing(kept, view)
            if entry is not None and self._selection.judge.reason(entry.id)
        )

    def _without_marks(self, commit: str, view: str) -> str:
        """Return a commit with the accepted files, except marks and what others withdrew."""
        tree = self._objects.tree_of(commit)
        gone = dict.fromkeys(withdrawn.gone(self._objects, commit, view))
        left = written(self._objects, tree, gone | self._selection.retired(view, commit)) or tree
        bare = self._objects.write_tree(
            left, dict.fromkeys((marks.SHARED, marks.MIXED, marks.NAMES))
        )
        if bare in {tree, None}:
            return commit
        return self._selection.commit(bare, [commit], "accepted")

    def keep(self, tip: str, view: str, new: str) -> None:
        """Accept what the user's own proposal wrote and the memory's commit `view` has unchanged.

        `new` is the proposal's next commit. Files of the proposal that others removed or replaced
        there are accepted, too, so that they stay the user's own.
        """
        kept = self.follow(tip)
        if changed := self._offered.left(kept, new) | self._offered.in_view(kept, view):
            self._followed = own.accepted(self._place, self._objects, kept, tip, changed)

    def _with_proposal(self, accepted: str, view: str) -> str:
        changed = self._offered.in_view(accepted, view)
        tree = written(self._objects, self._objects.tree_of(accepted), changed) if changed else None
        return self._selection.commit(tree, [accepted], "pending") if tree else accepted

    def of_the_past(self, tip: str, commit: str) -> str:
        """Return a commit with those files of an older state that have ever been trusted."""
        files = self._selection.differing(None, commit)
        if not (gone := dict.fromkeys(self._never_trusted(tip, commit, files))):
            return commit
        tree = written(self._objects, self._objects.tree_of(commit), gone)
        return self._selection.commit(tree, [commit], "past")

    def taken_away(self, tip: str, new: str) -> dict[str, TreeEntry]:
        """Return, by path, the files shown at `tip` whose memories are withheld at `new`."""
        served = self.served(tip, new)
        held = {
            own.key_of(path)
            for path, entry in self._selection.differing(served, new)
            if entry and not self._selection.blob(served, path)
        }
        changed = self._selection.differing(new, tip) if held else ()
        was = {path: entry for path, entry in changed if entry and own.key_of(path) in held}
        doubted = set(self._never_trusted(tip, tip, was.items())) if was else ()
        return {path: entry for path, entry in was.items() if path not in doubted}

    def _never_trusted(
        self, tip: str, commit: str, files: Iterable[tuple[str, TreeEntry | None]]
    ) -> Iterator[str]:
        """Yield the paths of those files of a commit that have never been trusted."""
        pairs = own.ever_accepted(
            self._place, self._objects, self._with_proposal(self.follow(tip), commit)
        )
        is_signed = self.word == SIGNED
        kept = self.recorded()
        verdicts = self._selection.verdicts(commit, None, lambda _: "", kept) if is_signed else {}
        for path, entry in files:
            if entry is not None and (path, entry.id) not in pairs:
                trusted = verdicts.get((path, entry.id)) if is_signed else self.word == REMOTE
                if not trusted or self._selection.judge.reason(entry.id):
                    yield path

    def accept(self, tip: str, view: str, paths: Collection[str] | None = None) -> list[str]:
        """Accept the current files at some paths, or all; return the paths that changed."""
        kept = self.follow(tip)
        keys = {own.key_of(path) for path in paths or ()}
        changed = {
            path: entry
            for path, entry in self._selection.differing(kept, view)
            if paths is None or (path in paths if entry else own.key_of(path) in keys)
        }
        if changed:
            known = Known(self._place, self._objects, kept, {})
            others = [
                path for path, new in changed.items() if not new or not known.is_own(path, new.id)
            ]
            marked = {**changed, **own.marks_of(self._place, self._objects, kept, others)}
            self._followed = own.accepted(self._place, self._objects, kept, tip, marked)
        return sorted(changed)

    def withheld(self, tip: str, view: str) -> dict[str, str]:
        """Return the current versions that are not handed out, by path.

        A file that says the same as the shown version is left out.
        """
        served = self.served(tip, view)
        return {
            path: entry.id
            for path, entry in self._selection.differing(served, view)
            for was in (self._selection.blob(served, path_in(self._objects, served, path)),)
            if entry and not keeps_words(self._objects, was, entry.id)
        }

    def waiting(self, tip: str, view: str) -> list[Waiting]:
        """Return the files whose current version is not handed out, each with the reason."""
        origins = Origins(self._place, self._objects, self._branch, self.recorded())
        return [
            Waiting(
                path=path,
                id=self._selection.judge.id_of(path, blob),
                reason=f"{origins.told(author)}{self._why(blob, author)}",
                blob=blob,
            )
            for path, blob in sorted(self.withheld(tip, view).items())
            for author in (origins.of(view, path, blob),)
        ]

    def _why(self, blob: str, author: Author | None) -> str:
        if blob and self.word != REVIEWED and (reason := self._selection.judge.reason(blob)):
            return f"it {reason}"
        other = author and self.word == SIGNED and self._selection.verifying.why_not(author.commit)
        return other or WHY[self.word]

    def believed(self, served: str, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with untrusted files quarantined, and the user's own details.

        The files are kept there so that nothing adds the same memories again.
        """
        commit = snapshot.commit
        held = {path for path, _ in self._selection.differing(served, commit)} if commit else ()
        snapshot = snapshot.setting_aside(held, WHY[self.word]) if held else snapshot
        kept = self.recorded()
        known = Known(self._place, self._objects, kept, {})
        offered = self._offered.in_view(kept, commit) if kept and commit else {}
        differing = (path for path, _ in self._selection.differing(kept, commit))
        ids = [own.key_of(path) for path in differing if path not in offered]
        memories, handoffs = (
            known.with_own_details(each, ids) for each in (snapshot.memories, snapshot.handoffs)
        )
        return replace(snapshot, memories=memories, handoffs=handoffs)
