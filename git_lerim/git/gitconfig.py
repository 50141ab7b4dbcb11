"""Read git's configuration, and write git-lerim's entries in it, through git."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from git_lerim.git.repo import Place, written
from git_lerim.git.running.process import git_line, run_git

OURS = "lerim."
SIGNS = "commit.gpgsign"
NAMES = "names"  # in `Place.known`: if authors or committers have names of their own
_EDITOR = "core.editor"
_OWN_SCOPES = ("local", "worktree")  # who made the repository can set them
# the last two determine the URLs of the remotes
SECTIONS = (
    OURS,
    SIGNS,
    "remote.",
    "url.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of git's configuration, and where it comes from."""

    key: str  # as git prints it: section and name in lower case, `lerim.syncwindow`
    value: str | None  # None: the key has no `=`, which git reads as true
    scope: str  # system | global | local | worktree | command
    origin: str  # `file:.git/config`, `command line`


def read(place: Place | None, sections: tuple[str, ...] = (OURS,)) -> list[Entry]:
    """Return the entries of some sections in git's order (the last one wins), with one process."""
    args = ["config", "--list", "--show-scope", "--show-origin", "-z", "--includes"]
    fields = os.fsdecode(run_git(_at(place, args), cwd=_folder(place))).split("\0")
    if place:
        keys = (line.partition("\n")[0] for line in fields[2::3])
        place.known[NAMES] = any(key.startswith(("author.", "committer.")) for key in keys)
    entries = []
    for scope, origin, line in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        key, newline, value = line.partition("\n")
        if key.startswith(sections):
            entries.append(
                Entry(
                    key=key,
                    value=value if newline else None,
                    scope=scope,
                    origin=origin.removesuffix(":"),
                )
            )
    return entries


def ask(place: Place, *args: str) -> str | None:
    """Return git's answer to a question about the configuration, or None if it has none.

    Each question is asked once for each opening of a repository, and again when the repository's
    own configuration was changed.
    """
    key = f"{written(place)} {args}"
    if key not in place.known:
        place.known[key] = git_line(place.git(*args), cwd=place.git_dir)
    answer = place.known[key]
    return answer if isinstance(answer, str) else None


def files(place: Place) -> list[str] | None:
    """Return the paths of all configuration files, including those that do not exist.

    Included files are among them. Return None if an include depends on the branch or the work tree.
    Settings from environment variables are ignored.
    """
    args = ["config", "--list", "--show-origin", "-z", "--includes"]
    fields = os.fsdecode(run_git(place.git(*args), cwd=place.git_dir)).split("\0")
    found: dict[str, None] = {}
    for origin, line in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = line.partition("\n")
        if not origin.startswith("file:"):
            continue  # command-line options
        # paths stay text
        path = os.path.join(place.git_dir, origin.removeprefix("file:"))  # noqa: PTH118
        found[path] = None
        included, conditional = (
            key == "include.path",
            key.startswith("includeif.") and key.endswith(".path"),
        )
        if conditional and ("onbranch:" in key or (place.common_dir / "worktrees").exists()):
            return None
        if key == "extensions.worktreeconfig" or (included and value.startswith("%(")):
            return None
        if included or conditional:
            target = os.path.expanduser(value)  # noqa: PTH111 as above
            found[os.path.join(os.path.dirname(path), target)] = None  # noqa: PTH118, PTH120
    return list(found)


def remotes(entries: Iterable[Entry]) -> list[str]:
    """Return the fetch and push URLs of all remotes, before and after `url.*.insteadOf` applies."""
    urls, instead = [], []
    for entry in entries:
        section, name = entry.key.partition(".")[0], entry.key.rpartition(".")[2]
        if section == "remote" and name in {"url", "pushurl"}:
            urls.append(entry.value or "")
        elif section == "url" and name in {"insteadof", "pushinsteadof"} and entry.value:
            instead.append((entry.value, entry.key.removeprefix("url.").rpartition(".")[0]))
    expanded = [
        base + url.removeprefix(prefix)
        for url in urls
        for prefix, base in instead
        if url.startswith(prefix)
    ]
    return list(dict.fromkeys([*urls, *expanded]))


def editor(place: Place) -> str | None:
    """Return the editor that git would use without the repository's own configuration."""
    given = [entry for entry in read(place, (_EDITOR,)) if entry.scope not in _OWN_SCOPES]
    option = ["-c", f"{_EDITOR}={given[-1].value or ''}"] if given else []
    return git_line(_at(None, [*option, "var", "GIT_EDITOR"]))


def replace(place: Place, key: str, value: str) -> None:
    """Set a key to a single value in the repository's configuration."""
    run_git(place.git("config", "--local", "--replace-all", key, value), cwd=place.git_dir)


def unset(place: Place, key: str) -> None:
    """Remove a key from the repository's configuration, if it is set."""
    if git_line(place.git("config", "--local", "--get-all", key), cwd=place.git_dir) is not None:
        run_git(place.git("config", "--local", "--unset-all", key), cwd=place.git_dir)


def _at(place: Place | None, args: list[str]) -> list[str]:
    # without a place, git must find no repository: that of the current folder may be hostile
    return place.git(*args) if place else [f"--git-dir={os.devnull}", *args]


def _folder(place: Place | None) -> Path | None:
    return place.git_dir if place else None
