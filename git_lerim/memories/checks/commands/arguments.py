"""Tell whether the arguments of a tool keep it inside this repository."""

import re
from collections.abc import Iterator
from itertools import dropwhile, pairwise
from typing import Protocol

from git_lerim.memories.checks.commands.known_options import (
    FLAGS,
    NAMES,
    NAMES_ANY,
    NOT_SHORTENED,
    RUNNER_FLAG,
    RUNS_CODE,
    SHORTEST,
    STEERS,
    STEERS_ANY,
    UNSAFE,
    UNSAFE_GIT,
)
from git_lerim.memories.checks.commands.known_tools import GOALS, PUBLISHING, READERS

_words = re.compile(r"\S+").findall
_NOTHING = frozenset[str]()
_SEPARATOR = re.compile("[=,]")
# what follows a path: a test or a line in it, all that is below it, optional parts of a package
_SUFFIX = re.compile(r"(?:::.*|:\d+|/\.\.\.|\[[\w,-]+\])$")
_GLOB = re.compile(r"(?:^|/)[^/]*[*?\[{<]")
_ANY_FOLDER = re.compile(r"\*\*?(?:/\*\*?)*(?:/\*[^/]*)?|<[\w/.-]+>")  # `**/*.ts`, `<name>`
_PUBLISHES = re.compile(r"(?:^|[.:])(?:publish|upload|deploy|push)|[.:]release$")
_MAIN = frozenset(("main", "master", "develop", "trunk", "HEAD"))
_REMOTES = frozenset(("origin", "upstream"))
_SHARED = frozenset(f"{remote}/{branch}" for remote in _REMOTES for branch in _MAIN)
_REVISIONS = re.compile(r"\.\.+|[:~^=].*")  # what separates or follows the name of a branch
# git's subcommands that take code from a commit into the work tree
_TAKING = frozenset(
    _words("checkout switch restore reset merge cherry-pick revert rebase show read-tree worktree")
)
_HIDDEN = re.compile(r"(?:^|/)\.\w")


class Repository(Protocol):
    """What must be known about a repository to judge commands: its files, targets and tools."""

    def is_here(self, path: str) -> bool:
        """Return whether git tracks a path."""

    def has_target(self, runner: str, target: str) -> bool:
        """Return whether a target of make or the like, or a script in package.json, exists."""

    def declares(self, tool: str) -> bool:
        """Return whether the project declares a tool as a dependency, or builds the tool."""


class Below:
    """A repository as it is seen from one of its folders."""

    def __init__(self, repository: Repository, folder: str) -> None:
        """Initialize with `folder`, a path in `repository`."""
        self._repository = repository
        self._folder = folder
        self.has_target = repository.has_target
        self.declares = repository.declares

    def is_here(self, path: str) -> bool:
        """Return whether git tracks a path below the folder."""
        return self._repository.is_here(plain(f"{self._folder}/{path}"))


def plain(path: str) -> str:
    """Return a path as git spells it; an empty string for the root of the repository."""
    if path.startswith("/"):
        return path
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def is_tracked(path: str, repository: Repository) -> bool:
    """Return whether git tracks a path that a command names; the repository's root counts, too."""
    return not plain(path) or repository.is_here(plain(path))


def is_package_here(target: str, repository: Repository) -> bool:
    """Return whether a package to be installed or run is a tracked folder or file."""
    return re.search(r"[./]", target) is not None and is_tracked(
        _SUFFIX.sub("", target), repository
    )


def names_what_is_here(program: str, rest: list[str], repository: Repository) -> bool:
    """Return whether git tracks all paths among the arguments of a program.

    An argument with a slash is a path, unless it is the value of an option that names an output.
    """
    if program in READERS:
        return program not in {"tee", "touch"} or not any(map(_HIDDEN.search, rest))
    harmless = NAMES_ANY | NAMES.get(program, _NOTHING)
    for before, word in pairwise(["", *rest]):
        if before in harmless or word.partition("=")[0] in harmless or word[:2] in harmless:
            continue
        is_target = program == "bazel" and word.startswith("//")
        paths = [word.partition(":")[0].replace("//", "./")] if is_target else _paths(word)
        if not all(_is_path_here(path, repository) for path in paths):
            return False
    return True


def _paths(word: str) -> Iterator[str]:
    """Yield the paths in an argument: the word, the value of an option, or the items of a list."""
    for part in _SEPARATOR.split(word):
        if "/" in part:
            yield part[2:] if part.startswith("-") else part


def _is_path_here(path: str, repository: Repository) -> bool:
    path = _SUFFIX.sub("", path).removeprefix("./")
    glob = _GLOB.search(path)
    if glob and not glob.start():
        return _ANY_FOLDER.fullmatch(path) is not None
    return is_tracked(path[: glob.start()] if glob else path, repository)


def is_steered(program: str, rest: list[str], repository: Repository) -> bool:
    """Return whether a tool is asked to load or run something outside the repository."""
    if program in {"sed", "awk"}:
        writes = any(word.startswith(("-i", "--in")) for word in rest)
        return RUNS_CODE.search(" ".join(rest)) is not None or (
            writes and any(map(_HIDDEN.search, rest))
        )
    options = STEERS.get(program, _NOTHING) | (_NOTHING if program in READERS else STEERS_ANY)
    for word, after in pairwise([*rest, ""]):
        name, _, value = word.partition("=")
        if name not in options and word[:2] in options:  # the value is joined to it: `-pVALUE`
            name, value = word[:2], word[2:]
        value = _SUFFIX.sub("", value or after)
        if name in options and not (
            value.startswith("no:") or (value and is_tracked(value, repository))
        ):
            return True
    return False


def is_unsafe(program: str, rest: list[str]) -> bool:
    """Return whether any option of a program, also if abbreviated, is known to be unsafe."""
    names = {word.partition("=")[0] for word in rest}
    shortened = (
        name
        for name in names - NOT_SHORTENED
        if name.startswith("--")
        and len(name) >= SHORTEST
        and any(option.startswith(name) for option in UNSAFE)
    )
    asked = UNSAFE_GIT.get(rest[0]) if program == "git" and rest else None
    return (
        not UNSAFE.isdisjoint(names)
        or any(shortened)
        or (asked is not None and any(map(asked.match, rest)))
    )


def takes_code(subcommand: str, targets: list[str], repository: Repository) -> bool:
    """Return whether git is asked to take code from a branch other than the usual main branch."""
    if subcommand in {"fetch", "pull"}:
        names = [each.removeprefix("refs/heads/") for each in targets[1:]]
        return any(":" in each for each in targets) or (
            subcommand == "pull" and bool({*targets[:1]} - _REMOTES or {*names} - _MAIN)
        )
    if subcommand not in _TAKING:
        return False
    names = [name for each in targets for name in _REVISIONS.split(each) if name]
    return any(
        name == "FETCH_HEAD"
        or ("/" in name and name.removeprefix("refs/").removeprefix("remotes/") not in _SHARED)
        for name in names
        if not is_tracked(_SUFFIX.sub("", name), repository)
    )


def sources(words: list[str]) -> list[str]:
    """Return the sources in options of `git restore`, such as `--source=main` or `-Wsmain`."""
    found = (re.fullmatch(r"(?:--so\w*=|-[A-Za-z]*?s)(.+)", word) for word in words)
    return [match[1] for match in found if match]


def publishes(program: str, named: list[str]) -> bool:
    """Return whether a tool is asked to publish something.

    The first argument says so or, for tools such as Gradle that take several goals, any of them.
    """
    if program.rpartition("/")[2] not in GOALS:
        return bool(named) and named[0] in PUBLISHING
    return any(_PUBLISHES.search(goal) for goal in named) or not PUBLISHING.isdisjoint(named)


def runs_targets(runner: str, rest: list[str], repository: Repository) -> bool:
    """Return whether make or the like is asked only for targets that the project has."""
    return all(
        word.isdecimal() or RUNNER_FLAG.fullmatch(word) or repository.has_target(runner, word)
        for word in rest
    )


def script_of(program: str, rest: list[str]) -> list[str]:
    """Return an interpreter's arguments from its script on, without the plain flags before it."""
    return list(dropwhile(FLAGS[program].fullmatch, rest))
