"""Match paths against `lerim.ignorePath`, whose globs work as in .gitignore."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache


@lru_cache(maxsize=256)
def _segments(glob: str) -> tuple[re.Pattern[str] | None, ...]:
    """Return a glob as patterns, one for each part between slashes, with None for `**`."""
    return tuple(None if part == "**" else _segment(part) for part in glob.strip("/").split("/"))


def _segment(glob: str) -> re.Pattern[str]:
    """Convert the glob for one file or folder name to a regular expression.

    The text between two `*` has a fixed length, so the search never has to go back behind its first
    match. The time is at most the product of the lengths of the glob and the name.
    """
    first, *rest = _between_stars(glob)
    middle = "".join(f"(?>.*?{part})" for part in rest[:-1])
    last = f".*{rest[-1]}" if rest else ""
    try:
        return re.compile(first + middle + last, re.DOTALL)
    except re.error:  # a range from high to low, which git matches with nothing
        return re.compile(r"(?!)")


def _between_stars(glob: str) -> list[str]:
    parts = [""]
    for piece in re.findall(r"\[.[^\]]*\]|\*+|.", glob, re.DOTALL):
        if piece[0] == "*":
            parts.append("")
        elif len(piece) > 1:
            inside = re.sub(r"([\\\[&~|])", r"\\\1", piece[1:-1])
            parts[-1] += f"[{'^' + inside[1:] if inside[0] in '!^' else inside}]"
        else:
            parts[-1] += "." if piece == "?" else re.escape(piece)
    return parts


def is_ignored(path: str, globs: Iterable[str]) -> bool:
    """Return whether a path or one of its parents matches a glob."""
    names = path.replace("\\", "/").removeprefix("./").split("/")
    return any(_matches(names, glob) for glob in globs if glob.strip("/"))


def _matches(names: Sequence[str], glob: str) -> bool:
    segments = _segments(glob)
    if "/" not in glob.rstrip("/"):  # a name in any folder
        return any(segments[0] is None or segments[0].fullmatch(name) for name in names)
    at, floating, run = 0, False, list[re.Pattern[str]]()
    for segment in (*segments, None):
        if segment is not None:
            run.append(segment)
            continue
        places = range(at, len(names) - len(run) + 1 if floating else at + 1)
        found = next((place for place in places if _fits(names, place, run)), None)
        if found is None:
            return False
        at, floating, run = found + len(run), True, []
    return segments[-1] is not None or any(names[at:])


def _fits(names: Sequence[str], at: int, run: Sequence[re.Pattern[str]]) -> bool:
    here = names[at : at + len(run)]
    return len(here) == len(run) and all(
        segment.fullmatch(name) for segment, name in zip(run, here, strict=True)
    )


_PATH = re.compile(
    # names are at most 255 characters long: without a limit, long runs take quadratic time
    r"[\w.@+~-]{0,255}(?:[/\\]+[\w.@+~-]+)+|[\w@+~-]{0,255}\.[A-Za-z0-9_]\w{0,15}(?:\.\w{1,16})*|"
    r"\b[\w-]{1,64}\b"
)


def mentions(text: str, files: Iterable[str], globs: Sequence[str]) -> bool:
    """Return whether a record's files or its text include an ignored path.

    A path may be absolute, so it is also compared without its first folder, its first two, and so
    on.
    """
    if not globs:
        return False
    if any(is_ignored(end, globs) for path in files for end in _ends(path)):
        return True
    literal = [max(re.split(r"[*?\[\]/]+", glob), key=len) for glob in globs]
    if not any(word in text for word in literal):
        return False
    wordy = tuple(glob for glob in globs if "/" in glob.strip("/") or "." in glob or "*" in glob)
    found = set(_PATH.findall(text))
    # `private/` must not match the word "private"
    folders = tuple(glob for glob in globs if glob.endswith("/") and glob not in wordy)
    return any(is_ignored(end, wordy) for path in found for end in _ends(path)) or any(
        is_ignored(end, folders)
        for path in found
        if "/" in path or "\\" in path
        for end in _ends(path)
    )


def _ends(path: str) -> Iterable[str]:
    plain = path.replace("\\", "/")
    yield plain.lstrip("/")
    at = plain.find("/", 1)
    for _ in range(64):
        if at < 0:
            return
        yield plain[at + 1 :]
        at = plain.find("/", at + 1)
