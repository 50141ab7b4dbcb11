"""Rewrite the store's history without some memories, with the same result in every clone.

A commit's new id depends only on the commit, its ancestors and what is purged. So a clone that
learns of a purge later rewrites the shared commits to the same new commits.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from git_lerim.errors import BranchBlocked, GitFailed
from git_lerim.git import refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FOLDER, split_entries
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout
from git_lerim.storage.sharing.tombstones import MARK, Purge, scrub_message

# headers to drop, because the signatures become invalid
_SIGNED = (b"gpgsig ", b"gpgsig-sha256 ", b"mergetag ")
SHORT = 12  # length of the abbreviated ids in our messages
HASH = re.compile(r"\b[0-9a-f]{12,64}\b")
_TITLE = re.compile(r"^title: *(.*)$", re.MULTILINE)
_NONE: frozenset[str] = frozenset()
_FOLDERS = b"40000 "
_PLAIN = {"GIT_NO_REPLACE_OBJECTS": "1"}


def read_commits(place: Place, listed: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the id and the bytes of each commit in `listed`, which has one id per line.

    Git runs only once for all of them.
    """
    output = run_git(place.git("cat-file", "--batch"), cwd=place.git_dir, input=listed, env=_PLAIN)
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        name, kind, size = output[at:end].split()
        if kind != b"commit":
            raise GitFailed(f"{name.decode()} is not a commit")
        yield name.decode(), output[end + 1 : end + 1 + int(size)]
        at = end + 1 + int(size) + 1


@dataclass
class Rewriting:
    """A rewriting of histories, which may share commits; it writes objects but moves no refs."""

    place: Place
    objects: Objects
    purge: Purge
    new: dict[str, str] = field(default_factory=dict)  # old commit → new
    # commits that changed although their parents did not
    first: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)  # blobs
    dropped: set[str] = field(default_factory=set)  # commits
    _old_trees: dict[str, str] = field(default_factory=dict)  # by old commit
    _trees: dict[str, str] = field(default_factory=dict)  # by new commit
    _clean: dict[tuple[str, str], tuple[str | None, frozenset[str]]] = field(default_factory=dict)
    _short: dict[str, str] = field(default_factory=dict)  # old commits by abbreviated id

    @property
    def rewritten(self) -> int:
        """The number of commits changed or dropped."""
        return sum(old != new for old, new in self.new.items())

    def history(self, tip: str) -> str:
        """Rewrite the history that ends at a tip, and return the new tip."""
        cut = refs.shallow(self.place.common_dir)
        with self.objects.together():
            for commit, data in self._commits(tip):
                if commit in cut:
                    hint = "to fetch the rest: git fetch --unshallow"
                    raise GitFailed(
                        f"cannot purge: the history of the memory is cut off at {commit[:12]} in"
                        " this shallow clone",
                        hint=hint,
                    )
                if commit not in self.new:
                    self.new[commit] = self._commit(commit, data)
                    self._short[commit[:SHORT]] = commit
        return self.new[tip]

    def _commits(self, tip: str) -> Iterator[tuple[str, bytes]]:
        git, plain = self.place.git, _PLAIN
        listed = run_git(
            git("rev-list", "--topo-order", "--reverse", tip), cwd=self.place.git_dir, env=plain
        )
        return read_commits(self.place, listed)

    def _commit(self, commit: str, data: bytes) -> str:
        head, _, message = data.partition(b"\n\n")
        fields = re.split(rb"\n(?! )", head)
        old = [line.split()[1].decode() for line in fields if line.startswith(b"parent ")]
        parents = list(dict.fromkeys(self.new.get(parent, parent) for parent in old))
        was = fields[0].split()[1].decode()
        tree, gone = self._cleaned(was, "")
        if tree is None:
            raise BranchBlocked(
                "this would delete every file of the memory",
                hint="to start over: git lerim reset --branch",
            )
        self._old_trees[commit] = was
        self.gone |= gone
        empty = self._is_empty(was, tree, old, parents)
        text = self._message(message, old, gone)
        if not empty and (tree, parents, text) == (was, old, message):
            self._trees[commit] = tree
            return commit
        self.first += [commit] if parents == old else []
        if empty:
            self.dropped.add(commit)
            return parents[0]
        kept = [line for line in fields if not line.startswith((b"tree ", b"parent ", *_SIGNED))]
        lines = [
            b"tree " + tree.encode(),
            *(b"parent " + parent.encode() for parent in parents),
            *kept,
        ]
        made = self.objects.write("commit", b"\n".join(lines) + b"\n\n" + text)
        self._trees[made] = tree
        return made

    def _is_empty(self, was: str, tree: str, old: list[str], parents: list[str]) -> bool:
        """Return whether a commit lost all its changes.

        This is never so for a root commit, or for a merge that still has more than one parent.
        """
        return (
            len(parents) == 1
            and tree == self._trees.get(parents[0])
            and was != self._old_trees.get(old[0])
        )

    def _message(self, message: bytes, parents: list[str], gone: frozenset[str]) -> bytes:
        text = message.decode("utf-8", "surrogateescape")
        before = [
            self._cleaned(tree, "")[1]
            for parent in parents
            if (tree := self._old_trees.get(parent))
        ]
        if any(id_ in text for id_ in self.purge.ids) or any(was != gone for was in before):
            titles = {title for blob in gone.union(*before) if (title := self._title(blob))}
            text = scrub_message(text, self.purge.ids, titles)
        return HASH.sub(self._renamed, text).encode("utf-8", "surrogateescape")

    def _renamed(self, name: re.Match[str]) -> str:
        commit = self._short.get(name[0][:SHORT])
        if commit is None or not commit.startswith(name[0]) or self.new[commit] == commit:
            return name[0]
        return MARK if commit in self.dropped else self.new[commit][: len(name[0])]

    def _title(self, blob: str) -> str:
        told = _TITLE.search(self.objects.blob(blob).decode("utf-8", "replace"))
        text = told[1].strip() if told else ""
        return _unquoted(text)

    def _cleaned(self, tree: str, path: str) -> tuple[str | None, frozenset[str]]:
        """Return the id of a folder without purged files, and the blobs removed from the folder.

        The id is None if nothing is left.
        """
        key = (tree, path)
        if key not in self._clean:
            self._clean[key] = self._clean_folder(tree, path)
        return self._clean[key]

    def _clean_folder(self, tree: str, path: str) -> tuple[str | None, frozenset[str]]:
        data = self.objects.raw_tree(tree)
        if not (_FOLDERS in data or self._suspect.search(data)):
            return tree, _NONE
        kept: list[bytes] = []
        gone: frozenset[str] = _NONE
        for mode, name, ident in split_entries(tree, data):
            id_: str | None = ident.hex()
            is_folder = int(mode, 8) == FOLDER
            if is_folder or self._suspect.search(name):
                id_, went = self._clean_entry(
                    f"{path}{name.decode('utf-8', 'surrogateescape')}",
                    ident.hex(),
                    is_folder=is_folder,
                )
                gone |= went
            kept += [b"%s %s\0%s" % (mode, name, bytes.fromhex(id_))] if id_ else []
        new = b"".join(kept)
        return (tree if new == data else self.objects.write("tree", new) if new else None), gone

    def _clean_entry(
        self, path: str, id_: str, *, is_folder: bool
    ) -> tuple[str | None, frozenset[str]]:
        """Return the new id of a file or folder (None if it is removed), and the removed blobs."""
        if is_folder:
            return self._cleaned(id_, f"{path}/") if path != layout.PURGED else (id_, _NONE)
        return (
            (None, frozenset([id_]))
            if self.purge.meets(path, None) and self._is_meant(path, id_)
            else (id_, _NONE)
        )

    @cached_property
    def _suspect(self) -> re.Pattern[bytes]:
        """A pattern that matches the names of files that may have to be deleted."""
        names = {*self.purge.ids, *(path.rpartition("/")[2] for path in self.purge.paths)}
        return re.compile(
            b"|".join(re.escape(name.encode("utf-8", "surrogateescape")) for name in sorted(names))
            or rb"(?!)"
        )

    def _is_meant(self, path: str, blob: str) -> bool:
        return self.purge.names(path) or self.purge.meets(path, self.objects.blob(blob))


def _unquoted(text: str) -> str:
    if text[:1] == '"':
        import json  # noqa: PLC0415 few histories are rewritten

        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip('"')
    return text.strip("'")
