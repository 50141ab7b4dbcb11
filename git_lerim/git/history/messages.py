"""Read commits: their messages, how many lines they changed in each file, and diffs."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_lerim.git.commits.author_names import ident
from git_lerim.git.history import dates
from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import disable_drivers
from git_lerim.git.running.process import run_git

_FORMAT = "--format=%x01%H%x00%P%x00%at%x00%an <%ae>%x00%B"
_FIELDS = 5
_SOBER = ("--encoding=UTF-8", "--no-show-signature", "--no-color", "--no-relative", "--no-renames")
_BATCH = 500  # commits
_CUT = b"\x01"
_FILE = re.compile(r"^diff --git ", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A commit with its author and message, whose texts are untrusted."""

    id: str
    parents: tuple[str, ...]
    at: int  # seconds since the epoch, of the author: a rebase keeps it
    author: str  # name <email>
    text: str  # the whole message


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """The numbers of lines that a commit added to a file and removed from it.

    They are None if unknown, as for a binary file.
    """

    path: str
    added: int | None
    removed: int | None


def messages(place: Place, tip: str, since: int, paths: Sequence[str] = ()) -> Iterator[Message]:
    """Yield the commits up to `tip` since a time, oldest first.

    `since` is in seconds since the epoch. With `paths`, only commits that changed one of these
    paths are yielded.
    """
    asked = (
        "--literal-pathspecs",
        *place.git("log", "-z", _FORMAT, *_SOBER, "--topo-order", "--reverse"),
        f"--since=@{since} +0000",
        tip,
        "--",
        *paths,
    )
    fields = run_git(asked, cwd=place.git_dir).decode("utf-8", "replace").split("\0")
    for at in range(0, len(fields) - _FIELDS + 1, _FIELDS):
        id_, parents, authored, author, text = fields[at : at + _FIELDS]
        yield Message(
            id=id_.removeprefix("\x01"),
            parents=tuple(parents.split()),
            at=dates.of_commit(authored),
            author=ident(author),
            text=text,
        )


def changes(place: Place, ids: Sequence[str]) -> dict[str, tuple[FileChange, ...]]:
    """Map each commit to the files that it changed; a merge has none.

    The numbers of lines are None if this clone lacks the files' contents.
    """
    found: dict[str, tuple[FileChange, ...]] = {}
    for at in range(0, len(ids), _BATCH):
        some = ids[at : at + _BATCH]
        found |= _changes(_show(place, some, "-z", "--numstat", "--format=%x01%H%x00"))
        lacking = [each for each in some if each not in found]
        found |= _names(_show(place, lacking, "-z", "--name-only", "--format=%x01%H%x00"))
    return found


def _changes(output: bytes) -> dict[str, tuple[FileChange, ...]]:
    found = {}
    for block in output.split(_CUT)[1:]:
        id_, _, rest = block.partition(b"\0")
        rows = (row.lstrip(b"\n").split(b"\t", 2) for row in rest.split(b"\0"))
        found[id_.decode()] = tuple(
            FileChange(path=_text(row[2]), added=_number(row[0]), removed=_number(row[1]))
            for row in rows
            if len(row) == 3
        )
    return found


def _names(output: bytes) -> dict[str, tuple[FileChange, ...]]:
    found = {}
    for block in output.split(_CUT)[1:]:
        id_, _, rest = block.partition(b"\0")
        names = (_text(name.lstrip(b"\n")) for name in rest.split(b"\0"))
        found[id_.decode()] = tuple(
            FileChange(path=name, added=None, removed=None) for name in names if name
        )
    return found


def diffs(place: Place, wanted: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Map each commit to its diff, limited to the files that are wanted from that commit.

    The hunks of a file follow its name, without git's header.
    """
    paths = sorted({path for some in wanted.values() for path in some})
    if not paths:
        return {}
    output = _show(place, [*wanted], "-p", "-U1", "--format=%x01%H", paths=paths)
    found: dict[str, str] = {}
    for block in output.split(_CUT)[1:]:
        id_, _, rest = block.decode("utf-8", "replace").partition("\n")
        parts = [_hunks(part, wanted.get(id_, ())) for part in _FILE.split(rest)[1:]]
        found[id_] = "\n".join(filter(None, parts))
    return found


def _show(place: Place, ids: Sequence[str], *how: str, paths: Sequence[str] = ()) -> bytes:
    if not ids:
        return b""
    asked = (
        "--literal-pathspecs",
        "-c",
        "core.quotePath=false",
        *disable_drivers(place),
        *place.git("log", "--no-walk=unsorted", *how, *_SOBER, "--no-ext-diff", "--no-textconv"),
        *("--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", "--stdin"),
        *(["--", *paths] if paths else []),
    )
    names = "".join(f"{each}\n" for each in ids).encode()
    return run_git(asked, cwd=place.git_dir, input=names, check=False)


def _hunks(part: str, wanted: Collection[str]) -> str:
    """Return a file's name and hunks, or an empty string if the file is not wanted."""
    head, mark, rest = part.partition("\n@@ ")
    name = head.partition(" b/")[2].partition("\n")[0]
    return f"{name}\n@@ {rest.rstrip()}" if mark and name in wanted else ""


def _text(name: bytes) -> str:
    """Return a path for display; bytes that are not UTF-8 are replaced."""
    return name.decode("utf-8", "replace")


def _number(digits: bytes) -> int | None:
    return int(digits) if digits.isdigit() else None
