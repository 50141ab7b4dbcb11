"""Find the memories that contain a text, with `git grep`; only those files are read."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence

from git_lerim.errors import BadMemory, GitFailed
from git_lerim.git.repo import Place
from git_lerim.git.running.process import failure, run_git, start_git
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import FILE_LIMIT, Memory
from git_lerim.private_files import LARGE, read_small
from git_lerim.storage import layout
from git_lerim.storage.base import Stored
from git_lerim.storage.trust.validate import BadFile, First, assemble, place_file

_FOLDERS = ("decisions", "learnings", "archived/decisions", "archived/learnings")
_MONTHS = 5000  # folders to pass to git
_BYTES = 1 << 25  # total size of their trees; 200,000 files need less
# enter no folders: a forged month may contain endless ones
_FLAT = (
    "--max-depth",
    "0",
    "--no-color",
    "--no-textconv",
    "-F",
)
_FILE = b"100644"
_FOLDER = "040000 tree "
_ANCHOR = re.compile(r' *- \{path: ("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")')


def literal_part(text: str) -> str:
    """Return the longest part of a text that is never escaped in a file of the store."""
    plain = "".join(c if c.isprintable() and c not in '"\\' else "\n" for c in text)
    return max(plain.split("\n"), key=len)


def search_files(
    place: Place, commit: str, texts: Iterable[str], first: First = sorted
) -> dict[str, Stored]:
    """Map ids to the memories at a commit whose files contain any of some texts.

    Raises GitFailed if objects are missing or the clone is partial; the caller must then read the
    whole store.
    """
    words = sorted({text for text in texts if text})
    if not words:
        return {}
    if _is_partial(place):
        raise GitFailed("this is a partial clone")
    months = _months(place, commit)
    names = _holding(place, commit, words, months) if months else set[str]()
    if not names:
        return {}
    listed = run_git(
        place.git("ls-tree", "-l", "-z", commit, "--", *(f"{month}/" for month in months)),
        cwd=place.git_dir,
    )
    blobs = dict(_plain_files(listed.split(b"\0"), {naming.id_in(name) for name in names}))
    files = [
        place_file(path, blob, content)
        for (path, blob), content in zip(
            blobs.items(), _contents(place, blobs.values()), strict=True
        )
    ]
    chosen = assemble(commit, files, first).memories
    return {id_: item for id_, item in chosen.items() if item.path in names}


def anchored_paths(place: Place, commit: str) -> set[str]:
    """Return the paths of all code that memories at a commit are about (their anchors)."""
    months = _months(place, commit)
    if not months:
        return set()
    args = place.git(
        "grep",
        "-h",
        *_FLAT,
        "--no-line-number",
        "--no-column",
        "-e",
        '- {path: "',
        commit,
        "--",
        *months,
    )
    lines = start_git(args, cwd=place.git_dir)().stdout.decode("utf-8", "replace").splitlines()
    return {json.loads(match[1]) for line in lines if (match := _ANCHOR.match(line))}


def _months(place: Place, commit: str) -> list[str]:
    """Return the month folders at a commit. Raises GitFailed if they are too large."""
    tops = [f"{folder}/" for folder in _FOLDERS]
    listed = (
        run_git(place.git("ls-tree", "-z", commit, "--", *tops), cwd=place.git_dir)
        .decode("utf-8", "replace")
        .split("\0")
    )
    rows = (line.partition("\t") for line in listed)
    months = {
        path: facts.split(" ")[2]
        for facts, _, path in rows
        if facts.startswith(_FOLDER) and layout.is_month(path)
    }
    asked = "".join(f"{tree}\n" for tree in months.values()).encode()
    sizes = (
        run_git(
            place.git("cat-file", "--batch-check=%(objectsize)"), cwd=place.git_dir, input=asked
        ).split()
        if asked
        else []
    )
    if len(months) > _MONTHS or sum(int(size) for size in sizes if size.isdigit()) > _BYTES:
        raise GitFailed("the memory's folders have too many files to be searched")
    return [*months]


def _holding(place: Place, commit: str, words: Sequence[str], months: Sequence[str]) -> set[str]:
    wanted = ["-l", "-z", "--full-name", *_FLAT, *(part for word in words for part in ("-e", word))]
    args = place.git("grep", *wanted, commit, "--", *months)
    done = start_git(args, cwd=place.git_dir)()
    if done.returncode > 1:  # 1: no matches
        raise failure(args, done.stderr)
    return {os.fsdecode(name).partition(":")[2] for name in done.stdout.split(b"\0") if name}


def _plain_files(listed: Iterable[bytes], ids: set[str | None]) -> Iterator[tuple[str, str]]:
    for line in listed:
        facts, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        if naming.id_in(path) in ids and naming.valid_path(path):
            mode, _, blob, size = facts.split()
            if mode == _FILE and int(size) <= FILE_LIMIT:
                yield path, blob.decode()


def _contents(place: Place, blobs: Iterable[str]) -> Iterator[Memory | BadFile]:
    wanted = "".join(f"{blob}\n" for blob in blobs).encode()
    output = run_git(place.git("cat-file", "--batch"), cwd=place.git_dir, input=wanted)
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        size = int(output[at:end].split()[2])
        try:
            yield frontmatter.parse(output[end + 1 : end + 1 + size])
        except BadMemory as error:
            yield BadFile(str(error))
        at = end + 1 + size + 1


def _is_partial(place: Place) -> bool:
    try:
        return b"promisor" in read_small(place.common_dir / "config", LARGE).lower()
    except OSError:
        return False
