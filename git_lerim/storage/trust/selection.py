"""Select the versions of memories to hand out, for `lerim.trust` set to `remote` or `signed`."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from git_lerim.git import own_refs
from git_lerim.git.commits.identity import stamp
from git_lerim.git.commits.verify_signatures import Verifying
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import TreeEntry
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line
from git_lerim.memories.memory import Memory
from git_lerim.storage import layout
from git_lerim.storage.branch.tree_builder import beginning, written
from git_lerim.storage.reading import read_blob
from git_lerim.storage.sharing import withdrawn
from git_lerim.storage.trust.accepted import WHO, changed_files, key_of
from git_lerim.storage.trust.judge import RULES, Judge
from git_lerim.storage.trust.marks import SHARED
from git_lerim.storage.trust.provenance.authors import WORDED, Authors
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.trust.provenance.same_words import (
    RETIRED,
    hands_out_nothing_new,
    keeps_text,
)
from git_lerim.storage.trust.provenance.vouched import Verdicts, verified, vouched
from git_lerim.storage.writing.message import commit_bytes

_Entries: TypeAlias = dict[str, TreeEntry | None]  # by path


class Selection:
    """A selection of the versions of a store's memories that may be handed out."""

    def __init__(self, place: Place, objects: Callable[[], Objects], branch: str) -> None:
        """Prepare without reading anything yet."""
        self._place = place
        self._branch = branch
        self._open = objects

    @cached_property
    def objects(self) -> Objects:
        """The repository's objects."""
        return self._open()

    @cached_property
    def verifying(self) -> Verifying:
        """The verifier of signatures."""
        return Verifying(self._place)

    @cached_property
    def judge(self) -> Judge:
        """The judge of files that others wrote."""
        return Judge(self._place, self.objects)

    def judged(self, view: str, accepted: str) -> str:
        """Return a commit with the view's files, but with the accepted version of withheld files.

        The commit is cached until the view or the accepted versions change, or until a change of
        the code at HEAD affects a verdict.
        """
        if next(self.differing(accepted, view), None) is None:
            return view
        kept = own_refs.held(self._place, self.objects, layout.SERVED)
        old = self._outdated(kept, RULES)
        before = self.objects.parents(kept) if kept is not None and old is not None else ()
        if kept is not None and before == (view, accepted) and not old:
            return view if self.objects.tree_of(kept) == self.objects.tree_of(view) else kept
        pairs = [(accepted, view)]
        if len(before) == 2:  # a purge can leave one parent
            pairs = [(before[0], view), (before[1], accepted), (kept or "", before[0])]
        touched = [each for pair in pairs for each in self.differing(*pair)]
        if old:
            touched += [each for each in self.differing(accepted, view) if _id(each[1]) in old]
        changed = self._chosen({path for path, _ in touched}, view, accepted, None)
        tree = self.objects.tree_of(view)
        new = written(self.objects, tree, changed) or tree
        made = self.commit(new, [view, accepted], self._said(RULES, view, accepted))
        self._keep(made)
        return view if new == tree else made

    def signed(self, view: str, accepted: str) -> str:
        """Return a commit with the view's verified harmless files, else their accepted versions.

        Memories that the view lacks are left out, whether or not a verified commit deleted them.
        The commit is cached until the view, the accepted versions or the signers change, or until a
        change of the code at HEAD affects a verdict.
        """
        kept = own_refs.held(self._place, self.objects, layout.SERVED)
        key = f"{self.verifying.key} {RULES}"
        now = (view, accepted)
        is_current = kept is not None and self._outdated(kept, key) == set()
        before = self.objects.parents(kept) if kept is not None and is_current else ()
        if kept is not None and before == now:
            return kept
        # a purge can leave one parent, and a branch can be rewound
        is_whole = len(before) == 2 and self.objects.descends(view, before[0])
        base = kept if is_whole else None
        was_view, was_accepted = before if is_whole else (None, None)
        touched = [*self.differing(was_view, view), *self.differing(was_accepted, accepted)]
        paths = {path for path, _ in touched}
        verdicts = (
            self.verdicts(view, was_view, lambda path: self.blob(base, path), accepted)
            if paths
            else {}
        )
        changed = self._chosen(paths, view, accepted, verdicts)
        changed |= dict.fromkeys(withdrawn.gone(self.objects, accepted, view))
        tree = self.objects.tree_of(base or beginning(self.objects))
        made = self.commit(
            written(self.objects, tree, changed) or tree, list(now), self._said(key, *now)
        )
        self._keep(made)
        return made

    def _keep(self, made: str) -> None:
        own_refs.cache(
            self._place, self.objects, layout.SERVED, made, message="git-lerim: serve", who=WHO
        )
        self.judge.finish()

    def verdicts(
        self, view: str, since: str | None, stood: Callable[[str], str], accepted: str | None
    ) -> Verdicts:
        """Map each version added after `since` to its verified commit; see `vouched`."""
        ours = own_by_reflog(self._place, f"refs/heads/{self._branch}")
        span = (view, since)
        found = vouched(self._place, self.objects, self.verifying, span, stood, ours)
        return found | dict.fromkeys(self._put_in_mouths(view, found, accepted), "")

    def _put_in_mouths(
        self, view: str, verdicts: Verdicts, accepted: str | None
    ) -> list[tuple[str, str]]:
        """Return verified versions in a view with words that their author did not sign.

        These are shown in the author's name, though a signed commit only tagged or restored them.
        Versions with accepted words are left out.
        """
        worded = Authors(self._place, self.objects, time.time(), WORDED)
        authors = {
            pair: author.commit
            for pair, commit in verdicts.items()
            if commit and pair[1] and (author := worded.of(view, pair[0]))
        }
        good = verified(self._place, self.verifying, authors.values())
        return [
            (path, blob)
            for (path, blob), commit in authors.items()
            if commit not in good
            and not any(
                keeps_text(self.objects, old, blob) for old in self._blobs(accepted, [path])
            )
        ]

    def differing(self, old: str | None, new: str | None) -> Iterator[tuple[str, TreeEntry | None]]:
        """Yield the path and the new entry of each memory file that differs between two commits."""
        for each in changed_files(self.objects, old, new):
            yield each.path, each.new

    def blob(self, commit: str | None, path: str) -> str:
        """Return the blob at a path of a commit, or an empty string."""
        return _id(self.objects.entry_at(commit, path) if commit else None)

    def commit(self, tree: str | None, parents: list[str], subject: str) -> str:
        """Write a commit with a constant date; return its id. Without `tree`, it is empty."""
        who = WHO.committer + b" " + stamp(0)
        empty = tree or self.objects.tree_of(beginning(self.objects))
        return self.objects.write_commit(
            commit_bytes(empty, parents, who, who, subject.encode() + b"\n")
        )

    def retired(self, view: str, accepted: str) -> dict[str, TreeEntry | None]:
        """Choose what to show of others' accepted memories that a view archived or superseded.

        Return the chosen entry for each path. If the view also changed the words of a memory,
        neither version is shown: its paths map to None.
        """
        chosen: dict[str, TreeEntry | None] = {}
        paths = (path for path, _ in self.differing(accepted, view))
        for now, mine, known in self._versions(paths, view, accepted):
            new = [entry.id for path, entry in now.items() if entry and entry != mine[path]]
            if new and self._is_by_others(accepted, now) and all(map(self._is_retired, new)):
                same = all(self._adds_nothing(known, blob) for blob in new)
                chosen |= now if same else dict.fromkeys(now)
        return chosen

    def _chosen(
        self, paths: Iterable[str], view: str, accepted: str, verdicts: Verdicts | None
    ) -> dict[str, TreeEntry | None]:
        """Map each path to the entry to hand out: the current one, the accepted one, or None.

        The files of a memory are trusted together or not at all. Without verdicts, whatever is
        harmless is trusted. If others wrote a memory, and archived or superseded it with words that
        are withheld, its paths map to None.
        """
        chosen: dict[str, TreeEntry | None] = {}
        for now, mine, known in self._versions(paths, view, accepted):
            trusted = all(
                _id(entry) == _id(mine[path]) or self._may_pass(path, _id(entry), known, verdicts)
                for path, entry in now.items()
            )
            if trusted:
                chosen |= now
            elif (
                verdicts is None
                and self._is_by_others(accepted, now)
                and any(self._is_retired(_id(entry)) for entry in now.values())
            ):
                chosen |= dict.fromkeys(now)
            else:
                chosen |= mine
        return chosen

    def _versions(
        self, paths: Iterable[str], view: str, accepted: str
    ) -> Iterator[tuple[_Entries, _Entries, set[str]]]:
        """Yield current entries, accepted entries and accepted blobs of each memory at the paths.

        The blobs include accepted versions of the memory at other paths.
        """
        groups: dict[str, list[str]] = {}
        for path in paths:
            groups.setdefault(key_of(path), []).append(path)
        for group in groups.values():
            now, mine = (
                {path: self.objects.entry_at(at, path) for path in group} for at in (view, accepted)
            )
            yield now, mine, self._blobs(accepted, group)

    def _blobs(self, commit: str | None, paths: Iterable[str]) -> set[str]:
        """Return the blobs that a commit has at some paths, archived or not."""
        plain = {path.removeprefix("archived/") for path in paths}
        every = plain | {f"archived/{path}" for path in plain}
        return {self.blob(commit, path) for path in every} - {""}

    def _may_pass(
        self, path: str, blob: str, known: Iterable[str], verdicts: Verdicts | None
    ) -> bool:
        """Return whether a version is trusted, given the accepted versions of its memory.

        A version that only archives an accepted one, or adds feedback to it, needs no judgement, as
        it says nothing new.
        """
        if verdicts is not None and not verdicts.get((path, blob)):
            return False
        return not blob or not self.judge.reason(blob) or self._adds_nothing(known, blob)

    def _adds_nothing(self, known: Iterable[str], blob: str) -> bool:
        return any(hands_out_nothing_new(self.objects, old, blob) for old in known)

    def _is_by_others(self, accepted: str, files: _Entries) -> bool:
        """Return whether others wrote the accepted memory with these files."""
        return any(self.blob(accepted, f"{SHARED}/{key_of(path)}") for path in files)

    def _is_retired(self, blob: str) -> bool:
        found = read_blob(self.objects, blob) if blob else None
        return isinstance(found, Memory) and found.status in RETIRED

    def _said(self, key: str, view: str, accepted: str) -> str:
        """Return the message of a cached commit, which shows `_outdated` what it depends on."""
        blobs = {_id(entry) for _, entry in self.differing(accepted, view)}
        return f"key: {key}\n\n{self.judge.code.asked(blobs)}"

    def _outdated(self, commit: str | None, key: str) -> set[str] | None:
        """Return the blobs about which a cached commit may be wrong since the code at HEAD changed.

        Return None if the commit was made with another key, or if there is no commit.
        """
        if commit is None:
            return None
        first, _, answers = self._message(commit).partition("\n\n")
        return self.judge.code.outdated(answers) if first == f"key: {key}" else None

    def _message(self, commit: str) -> str:
        """Return a commit's message, for which git is asked once, or an empty string."""
        key, place = f"message {commit}", self._place
        if not place.known.get(key):
            words = place.git("log", "-1", "--no-show-signature", "--format=%B", commit)
            place.known[key] = git_line(words, cwd=place.git_dir) or ""
        return str(place.known[key])


def _id(entry: TreeEntry | None) -> str:
    return entry.id if entry else ""
