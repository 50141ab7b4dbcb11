"""Match paths against `lerim.ignorePath`, whose globs work as in .gitignore."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    anchored = "/" in glob.rstrip("/")
    parts, at = [], 0
    body = glob.strip("/")
    while at < len(body):
        if body.startswith("**/", at):
            parts.append("(?:[^/]+/)*")
            at += 3
        elif body.startswith("/**", at) and at + 3 == len(body):
            parts.append("/.+")
            at += 3
        elif body[at] == "*":
            parts.append("[^/]*")
            at += 1
            while body[at : at + 1] == "*":
                at += 1
        elif body[at] == "?":
            parts.append("[^/]")
            at += 1
        elif body[at] == "[" and (end := body.find("]", at + 2)) > 0:
            inside = body[at + 1 : end].replace("\\", "\\\\")
            parts.append(f"[{'^' + inside[1:] if inside[0] in '!^' else inside}]")
            at = end + 1
        else:
            parts.append(re.escape(body[at]))
            at += 1
    head = r"\A" if anchored else r"(?:\A|/)"
    return re.compile(f"{head}{''.join(parts)}(?:/|\\Z)")


def is_ignored(path: str, globs: Iterable[str]) -> bool:
    """Tell whether a path or one of its parents matches a glob."""
    plain = path.replace("\\", "/").removeprefix("./")
    return any(_compiled(glob).search(plain) for glob in globs if glob.strip("/"))


_PATH = re.compile(
    r"[\w.@+~-]*(?:[/\\]+[\w.@+~-]+)+|[\w@+~-]*\.[A-Za-z0-9_]\w{0,15}(?:\.\w{1,16})*|"
    r"\b[\w-]{1,64}\b"
)


def mentions(text: str, files: Iterable[str], globs: Sequence[str]) -> bool:
    """Tell whether an ignored path is among the files of a record, or is mentioned in its text.

    An absolute path is compared from each of its folders on.
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
