"""From the files of a store to a snapshot: whatever is no memory is set aside and named."""

from collections.abc import Iterator
from itertools import islice

from git_lerim.errors import BadMemory, GitFailed, LerimError
from git_lerim.git.objects import FILE, FOLDER, Objects, TreeEntry
from git_lerim.git.process import plain
from git_lerim.memories import frontmatter, naming
from git_lerim.memories.memory import FILE_LIMIT, Memory
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined
from git_lerim.storage.judging import BadFile, File, place_file

KINDS = {0o120000: "a symbolic link", 0o160000: "a submodule", 0o100755: "an executable file", FOLDER: "a folder"}


class TreeReader:
    """Reads the trees of a store by allow-list, each folder and each blob once."""

    def __init__(self, objects: Objects) -> None:
        """Remember where the objects are."""
        self._objects = objects
        self._contents: dict[str, Memory | BadFile] = {}  # by blob
        self._folders: dict[tuple[str, str], tuple[File, ...]] = {}  # by path and tree

    def files(self, tree: str) -> Iterator[File]:
        """Yield every file of a store's tree, judged; what stands beyond the limit is named as one."""
        every = self._all(tree)
        yield from islice(every, layout.FILES_LIMIT)
        if (beyond := next(every, None)) is not None:
            reason = f"it and what follows is not read: the store has more than {layout.FILES_LIMIT} files"
            yield Quarantined(path=beyond.path, reason=reason)

    def part(self, tree: str, name: str) -> Iterator[File]:
        """Yield the files of one of the store's folders, those in the archive too; nothing else is read."""
        for entry in self._objects.entries(tree):
            if _text(entry.name) == name and entry.mode == FOLDER:
                yield from self._folder(entry.id, name)
            elif _text(entry.name) == "archived" and entry.mode == FOLDER:
                inner = [each for each in self._objects.entries(entry.id) if _text(each.name) == name and each.mode == FOLDER]
                for folder in inner:
                    yield from self._folder(folder.id, f"archived/{name}")

    def _all(self, tree: str) -> Iterator[File]:
        for entry in self._objects.entries(tree):
            name = _text(entry.name)
            if name in layout.PRIMITIVES and entry.mode == FOLDER:
                yield from self._folder(entry.id, name)
            elif name == "archived" and entry.mode == FOLDER:
                yield from self._archived(entry.id)
            elif name not in layout.ROOT_FILES or entry.mode != FILE:
                yield _stranger("", entry)

    def _archived(self, tree: str) -> Iterator[File]:
        for entry in self._objects.entries(tree):
            if _text(entry.name) in layout.PRIMITIVES and entry.mode == FOLDER:
                yield from self._folder(entry.id, f"archived/{_text(entry.name)}")
            else:
                yield _stranger("archived/", entry)

    def _folder(self, tree: str, path: str) -> tuple[File, ...]:
        if (path, tree) not in self._folders:
            self._folders[path, tree] = tuple(self._entries(tree, path))
        return self._folders[path, tree]

    def _entries(self, tree: str, path: str) -> Iterator[File]:
        for entry in self._objects.entries(tree):
            below = f"{path}/{_text(entry.name)}"
            if entry.mode == FOLDER and layout.is_month(below):
                yield from self._folder(entry.id, below)
            else:
                yield self.file(below, entry)

    def file(self, path: str, entry: TreeEntry) -> File:
        """Judge what stands at a path."""
        if entry.mode == FILE and naming.valid_path(path):
            return place_file(path, entry.id, self._content(entry.id))
        return _stranger(path.rpartition("/")[0] + "/" if "/" in path else "", entry)

    def _content(self, blob: str) -> Memory | BadFile:
        if blob not in self._contents:
            self._contents[blob] = read_blob(self._objects, blob)
        return self._contents[blob]


def read_blob(objects: Objects, blob: str) -> Memory | BadFile:
    """Read one file of a store."""
    try:
        size = objects.size(blob)  # somebody may have pushed a gigabyte
        if size > FILE_LIMIT:
            return BadFile(f"the file has {size} bytes, more than {FILE_LIMIT}")
        return frontmatter.parse(objects.blob(blob))
    except BadMemory as error:
        return BadFile(plain(str(error)))
    except GitFailed as error:
        if objects.is_partial():
            hint = "let git fetch them, once: git archive lerim/memory > /dev/null"
            raise LerimError("this is a partial clone, and the files of the memory were not fetched", hint=hint) from error
        return BadFile(str(error))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _stranger(folder: str, entry: TreeEntry) -> Quarantined:
    name = plain(folder + entry.name.decode("utf-8", "replace"))
    return Quarantined(path=name, reason=f"{KINDS.get(entry.mode, 'a file')} that is no memory")
