"""Find pipes and devices in a repository unpacked from an archive; git would read them forever.

Git is not run, as it reads some of them whenever it starts. This module imports little, because hot
paths use it.
"""

# ruff: noqa: PTH111, PTH116, PTH118, PTH120 pathlib alone would cost more

import os
import stat

from git_lerim.private_files import LARGE, read_small

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_IN_TREES = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
_IN_REPOSITORY = (
    "HEAD", "config", "config.worktree", "index", "packed-refs", "shallow",
    "info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout",
    "objects/info/alternates",
)  # fmt: skip
# the ends of settings that name a file, such as core.excludesFile, commit.template, fsck.skipList
_NAMING = (b"file=", b"template=", b"list=", b"[include")
_SETTING = r'(?i)(file|template|list|\bpath)[ \t]*=[ \t]*((?:\\.|"(?:\\.|[^\\"\n])*"|[^\\"\n#;])*)'
_OF_THE_SYSTEM = ("/proc/", "/sys/")  # files there say that they are empty
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "\n": ""}


def endless_file(tree: str, git_dir: str, common: str) -> str:
    """Return a path in this repository that git would read forever, or an empty string.

    Git reads it because of its name, such as `HEAD`, or because the repository's own configuration
    names it.
    """
    # git reads the first ones in its own folder, too, if it is started there
    tops = dict.fromkeys((tree, git_dir, common))
    known = [os.path.join(folder, name) for folder in tops for name in _IN_TREES]
    own = dict.fromkeys((git_dir, common))
    known += [os.path.join(folder, name) for folder in own for name in _IN_REPOSITORY]
    known += _refs_of_head(git_dir, common)
    return next(filter(_is_endless, known), "") or _configured(tuple(tops), git_dir, common)


def endless_above(tree: str, path: str) -> str:
    """Return the path of a pipe or device named .gitattributes above a file, or an empty string."""
    while path:
        path = os.path.dirname(path)
        if _is_endless(found := os.path.join(tree, path, ".gitattributes")):
            return found
    return ""


def endless_ref(git_dir: str, common: str) -> str:
    """Return the path of a pipe or device among the refs, or an empty string.

    Git opens all loose refs of a folder, whichever ref it is asked for.
    """
    folders = [os.path.join(common, "refs"), os.path.join(git_dir, "refs")]
    seen = set(folders)
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir():
                        path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                        folders += {path} - seen
                        seen.add(path)
                    elif not entry.is_file(follow_symlinks=False) and _is_endless(entry.path):
                        return entry.path
        except OSError:
            continue
    return ""


def _refs_of_head(git_dir: str, common: str) -> "Iterator[str]":
    """Yield the path of HEAD's ref and, if that is symbolic, of each further ref it leads to."""
    path = os.path.join(git_dir, "HEAD")
    for _ in range(5):  # levels of symbolic refs, as in git
        try:
            text = os.fsdecode(read_small(path))
        except (OSError, ValueError):
            return
        if not text.startswith("ref: "):
            return
        path = os.path.join(common, text.removeprefix("ref: ").strip())
        yield path


def _configured(tops: tuple[str, ...], git_dir: str, common: str) -> str:
    files = [os.path.join(common, "config"), os.path.join(git_dir, "config.worktree")]
    for file in files:  # grows by the included files
        for key, value in _file_settings(file):
            for folder in (*tops, os.path.dirname(file)):
                path = os.path.normpath(os.path.join(folder, value))
                if _is_endless(path):
                    return path
                if key == "path" and path not in files:
                    files.append(path)
    return ""


def _file_settings(file: str) -> "Iterator[tuple[str, str]]":
    """Yield each setting that names a file: the end of its key, such as `list`, and its value."""
    try:
        text = read_small(file, LARGE)
    except (OSError, ValueError):
        return
    dense = text.lower().translate(None, b" \t")
    if not any(word in dense for word in _NAMING):
        return
    import re  # noqa: PLC0415 rarely needed

    for key, raw in re.findall(_SETTING, os.fsdecode(text).replace("\r\n", "\n"), re.DOTALL):
        value = re.sub(
            r'\\(.)|"',
            lambda found: _ESCAPES.get(found[1], found[1] or ""),
            raw.rstrip(),
            flags=re.DOTALL,
        )
        value = value.removeprefix(":(optional)").replace("%(prefix)", "/usr", 1)
        yield key.lower(), os.path.expanduser(value)


def _is_endless(path: str) -> bool:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    is_file = stat.S_ISREG(status.st_mode)
    if stat.S_ISDIR(status.st_mode) or (is_file and status.st_size):
        return False
    place = os.path.realpath(path)
    return place.startswith(_OF_THE_SYSTEM) if is_file else place != os.devnull
