"""Read memories from the files of a store; invalid files are reported and skipped."""

import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, islice

from git_lerim.errors import BadMemory, GitFailed, LerimError
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, Trees, raw_entries
from git_lerim.git.refs import OBJECT_ID
from git_lerim.git.running.process import plain
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import FILE_LIMIT, Memory
from git_lerim.storage import layout
from git_lerim.storage.base import FindKnown, KnownPaths, Quarantined
from git_lerim.storage.sharing.tree_diff import differing
from git_lerim.storage.trust.validate import BadFile, File, First, place_file
from git_lerim.storage.writing.preconditions import format_fault

KINDS = {
    0o120000: "a symbolic link", 0o160000: "a submodule", 0o100755: "an executable file",
    FOLDER: "a folder",
    stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}  # fmt: skip
_NAMED = re.compile(rb"-([a-z2-7]{13})\.md\0")
# the words of the title in a file's name, with the hyphens around them
_WORDS = slice(len("20260220"), -len(".md") - naming.ID_LENGTH)
_ID = slice(-len(".md") - naming.ID_LENGTH, -len(".md"))  # in a file's name
_FEW = 20  # up to this many ids are faster to search one by one
LARGE = 1 << 20  # bytes in all folders: from here on, known paths are faster than searching


class TreeReader:
    """A reader of a store's trees that accepts only valid paths and reads each blob once."""

    def __init__(
        self,
        objects: Trees,
        known: FindKnown = lambda _: None,
        finish: Callable[[File], File] = lambda file: file,
        contents: dict[str, Memory | BadFile] | None = None,
    ) -> None:
        """Initialize; `finish` is called with each file, and `contents` holds files read before."""
        self._objects = objects
        self._finish = finish
        self._known = known
        self.first: First = sorted  # orders files with the same id
        self._contents = {} if contents is None else contents  # by blob
        # the tree last read and its files, by path of the folder
        self._folders: dict[str, tuple[str, tuple[File, ...]]] = {}

    def files(self, tree: str) -> Iterator[File]:
        """Yield every file of a store's tree after validating it."""
        yield from self.strangers(tree)
        for folders in layout.SORTS.values():
            yield from self.part(tree, folders)

    def part(self, tree: str, folders: Iterable[str]) -> Iterator[File]:
        """Yield the files of some folders and of their archives, up to `FILES_LIMIT` files."""
        every = chain.from_iterable(
            self._folder(found, path) for path, found in self._roots(tree, folders)
        )
        yield from islice(every, layout.FILES_LIMIT)
        if (beyond := next(every, None)) is not None:
            reason = (
                f"it and later files are not read: the store has more than {layout.FILES_LIMIT}"
                " files"
            )
            yield Quarantined(path=beyond.path, reason=reason)

    def named(self, tree: str, folders: Iterable[str], ids: Collection[str]) -> list[File] | None:
        """Return the files whose names contain one of the ids, which may be abbreviated.

        Returns None if the store may exceed its limit of files: then all of it must be read.
        """
        found: list[File] = []
        most = 0  # upper bound of the number of files
        is_there = _holding(ids)
        is_wanted = naming.prefix_matcher([each.encode() for each in ids])
        for path, below in self._all_folders(tree, folders):
            raw = self._objects.raw_tree(below)
            most += raw.count(b"\0")
            if is_there(raw):
                found += self._wanted(below, path, is_wanted)
        return found if most <= layout.FILES_LIMIT else None

    def by_known_paths(
        self, tree: str, folders: Iterable[str], ids: Collection[str]
    ) -> list[File] | None:
        """Return the files with some ids, read from the paths where they were last seen.

        Folders that have changed since then are searched. Returns None if the paths are unknown or
        outdated, or if scanning all folders is just as fast.
        """
        now = dict(self._all_folders(tree, folders))
        if (
            len(ids) > _FEW
            or sum(map(self._objects.size, now.values())) < LARGE
            or self._objects.is_partial()
        ):
            return None
        known = self._known(ids)
        if known is None or known.count > layout.FILES_LIMIT:
            return None
        try:
            before = dict(self._all_folders(known.tree, folders))
        except GitFailed:  # it was pruned
            return None
        changed = {path for path, below in now.items() if before.get(path) != below}
        if 3 * len(changed) > len(now):
            return None
        files = self._unchanged(known, {path: now[path] for path in now.keys() - changed})
        if files is None:
            return None
        is_wanted = naming.prefix_matcher([each.encode() for each in ids])
        for path in changed:
            if path.removeprefix("archived/").startswith("summaries/"):
                files += self._folder(now[path], path)  # their file names contain no id
            else:
                files += self._wanted(now[path], path, is_wanted)
        return files

    def _unchanged(self, known: KnownPaths, folders: Mapping[str, str]) -> list[File] | None:
        """Return the known files in unchanged folders, or None if such a file is missing."""
        files = []
        for path, blob in known.files:
            folder, _, name = path.rpartition("/")
            if folder not in folders:
                continue
            if not self._contains(folders[folder], name, blob):
                return None
            files.append(self.file(path, TreeEntry(name.encode(), FILE, blob)))
        return files

    def _contains(self, tree: str, name: str, blob: str) -> bool:
        entry = b"%o %s\0" % (FILE, name.encode("utf-8", "replace"))
        return OBJECT_ID.fullmatch(blob) is not None and entry + bytes.fromhex(
            blob
        ) in self._objects.raw_tree(tree)

    def named_in(self, tree: str, folder: str, id_: str) -> list[File]:
        """Return the files in one folder, or in its archive, whose names contain an id."""
        top = [folder.partition("/")[0]]
        return [
            file
            for path, below in self._all_folders(tree, top)
            if path.removeprefix("archived/") == folder
            and id_.encode() in self._objects.raw_tree(below)
            for file in self._wanted(below, path, id_.encode().__eq__)
        ]

    def called(self, tree: str, folders: Collection[str], words: str) -> list[File]:
        """Return the files in `folders` or their archives with exactly these words in the name."""
        mark = f"-{words}-".encode()
        return [
            self.file(f"{path}/{_text(name)}", TreeEntry(name, FILE, blob.hex()))
            for path, below in self._all_folders(tree, layout.SORTS["memories"])
            if path.removeprefix("archived/") in folders and mark in self._objects.raw_tree(below)
            for mode, name, blob in raw_entries(self._objects, below)
            if name[_WORDS] == mark and int(mode, 8) == FILE
        ]

    def apart(self, old: str, new: str) -> list[tuple[str, File | None, File | None]]:
        """Return the path, the old file and the new file of each difference between two trees."""
        return [
            (each.path, self._judged(each.path, each.old), self._judged(each.path, each.new))
            for each in differing(self._objects, old, new, layout.is_folder)
            if each.path.rpartition("/")[0] not in {"", "archived"}
        ]

    def others(self, tree: str, known: Mapping[str, str]) -> Iterator[File]:
        """Yield the files of a tree whose path and blob are not in `known`."""
        yield from self.strangers(tree)
        for each in differing(self._objects, None, tree, layout.is_folder):
            if (
                each.new
                and known.get(each.path) != each.new.id
                and each.path.rpartition("/")[0] not in {"", "archived"}
            ):
                yield self.file(each.path, each.new)

    def strangers(self, tree: str) -> Iterator[Quarantined]:
        """Yield the entries of a tree that are not part of a store, as quarantined files."""
        for entry in self._objects.entries(tree):
            name = _text(entry.name)
            if name == "archived" and entry.mode == FOLDER:
                inner = self._objects.entries(entry.id)
                yield from (_stranger("archived/", each) for each in inner if not _is_part(each))
            elif _is_part(entry) or (name, entry.mode) == (layout.PURGED, FOLDER):
                continue
            elif name not in layout.ROOT_FILES or entry.mode != FILE:
                yield _stranger("", entry)
            elif name == "format" and (why := format_fault(self._objects, entry.id)):
                yield Quarantined(path=name, reason=why)

    def check(self, tree: str) -> None:
        """Raise GitFailed if a folder is missing, as after a concurrent `git gc --prune=now`."""
        for _, below in self._all_folders(tree, layout.PRIMITIVES):
            self._objects.size(below)

    def _roots(self, tree: str, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
        wanted = frozenset(folders)
        for entry in self._objects.entries(tree):
            if _is_part(entry) and _text(entry.name) in wanted:
                yield _text(entry.name), entry.id
            elif entry.name == b"archived" and entry.mode == FOLDER:
                for each in self._objects.entries(entry.id):
                    if _is_part(each) and _text(each.name) in wanted:
                        yield f"archived/{_text(each.name)}", each.id

    def _all_folders(self, tree: str, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
        for path, root in self._roots(tree, folders):
            yield path, root
            if path.removeprefix("archived/") != "handoffs":
                for entry in self._objects.entries(root):
                    if entry.mode == FOLDER and layout.is_month(f"{path}/{_text(entry.name)}"):
                        yield f"{path}/{_text(entry.name)}", entry.id

    def _wanted(self, tree: str, path: str, is_wanted: Callable[[bytes], bool]) -> Iterator[File]:
        for mode, name, blob in raw_entries(self._objects, tree):
            if (
                is_wanted(name[_ID])
                and int(mode, 8) == FILE
                and naming.id_in(f"{path}/{_text(name)}")
            ):
                yield self.file(f"{path}/{_text(name)}", TreeEntry(name, FILE, blob.hex()))

    def _folder(self, tree: str, path: str) -> tuple[File, ...]:
        if self._folders.get(path, ("", ()))[0] != tree:
            self._folders[path] = tree, tuple(self._entries(tree, path))
        return self._folders[path][1]

    def _entries(self, tree: str, path: str) -> Iterator[File]:
        for entry in self._objects.entries(tree):
            below = f"{path}/{_text(entry.name)}"
            if entry.mode == FOLDER and layout.is_month(below):
                yield from self._folder(entry.id, below)
            else:
                yield self.file(below, entry)

    def _judged(self, path: str, entry: TreeEntry | None) -> File | None:
        return self.file(path, entry) if entry is not None else None

    def file(self, path: str, entry: TreeEntry) -> File:
        """Read and validate the file at a path."""
        if entry.mode == FILE and naming.valid_path(path):
            return self._finish(place_file(path, entry.id, self._content(entry.id)))
        return _stranger(path.rpartition("/")[0] + "/" if "/" in path else "", entry)

    def _content(self, blob: str) -> Memory | BadFile:
        if blob not in self._contents:
            self._contents[blob] = read_blob(self._objects, blob)
        return self._contents[blob]


def _holding(ids: Collection[str]) -> Callable[[bytes], bool]:
    """Return a function that tells whether the bytes of a tree may contain one of these ids."""
    if len(ids) > _FEW:
        known = frozenset(each.encode() for each in ids)
        return lambda raw: not known.isdisjoint(_NAMED.findall(raw))
    beginnings = [f"-{each}".encode() for each in ids]
    return lambda raw: any(each in raw for each in beginnings)


def read_blob(objects: Trees, blob: str) -> Memory | BadFile:
    """Read and parse a file of a store; return the memory, or the reason why it is invalid."""
    try:
        size = objects.size(blob)  # check before reading: the file may be huge
        if size > FILE_LIMIT:
            return BadFile(f"the file has {size} bytes, more than {FILE_LIMIT}")
        return frontmatter.parse(objects.blob(blob))
    except BadMemory as error:
        return BadFile(plain(str(error)))
    except GitFailed as error:
        if objects.is_partial():
            hint = "fetch them once: git archive lerim/memory > /dev/null"
            raise LerimError(
                "this is a partial clone, and the files of the memory were not fetched", hint=hint
            ) from error
        return BadFile(str(error))


def _is_part(entry: TreeEntry) -> bool:
    return entry.mode == FOLDER and _text(entry.name) in layout.PRIMITIVES


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _stranger(folder: str, entry: TreeEntry) -> Quarantined:
    name = plain(folder + entry.name.decode("utf-8", "replace"))
    return Quarantined(path=name, reason=f"{KINDS.get(entry.mode, 'a file')} that is not a memory")
