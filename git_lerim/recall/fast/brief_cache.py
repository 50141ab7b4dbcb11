"""Fast path for `git lerim brief`: print a brief from cached facts without importing click.

Facts that are slow to get from git (the settings, the files changed on the branch) are cached
beside the index, with everything they depend on. Which memories are stale is cached, too. Only
uncommitted changes are read from git each time. In any unexpected case the command itself runs.
This module imports little.
"""

# ruff: noqa: PTH109, PTH114, PTH118, PTH119 pathlib alone would
# cost more than all of this

import json
import os
import sys
from collections.abc import Iterable

from git_lerim.git import fast_repo
from git_lerim.git.running import posix_spawn
from git_lerim.git.worktree import status_commands
from git_lerim.private_files import READER_WAITS, read_json, read_text
from git_lerim.recall.brief import brief, prompt_fence, selection
from git_lerim.recall.brief.prompt import prompt_of
from git_lerim.recall.fast import fast_options
from git_lerim.recall.index.index_reader import Document, Reader
from git_lerim.recall.local import cache_files, opposed, verdicts
from git_lerim.recall.local.verdicts import CachedVerdict
from git_lerim.tokens import at_most, counter, printable_json

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from typing import Any

PROMPT_LIMIT = 1 << 20  # bytes read of a prompt
_KIND = "git-lerim brief 5"
_HOMES = ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
_SHAPE = {
    "format": str, "head": str, "refs": dict, "stamps": dict, "homes": dict,
    "branch": str, "remote": str, "budget": int, "model": str, "personal": str, "committed": list,
    "prompt_budget": int, "file_notes": bool, "silenced": list,
    "rules": str, "personal_rules": str,
}  # fmt: skip
_FLAGS = ("-q", "--quiet", "--json", "--all", "--no-pager")
_VALUED = ("--budget", "--for", "--format")


def run(words: list[str]) -> int | None:
    """Print the brief and return 0 if the cache is valid; return None if the command must run."""
    asked = _understood(words)
    if asked is None or os.name != "posix" or fast_repo.redirecting_variables():
        return None  # the environment may select another branch or repository
    if not fast_options.shows_all(sys.stdout):
        return None
    around = fast_repo.find_repo(os.getcwd())
    kept = _kept(*around[1:]) if around else None
    if around is None or kept is None:
        return None
    started = posix_spawn.start([*kept["silenced"], *status_commands.STATUS], around[0])
    try:
        indexes = _current_indexes(kept, around[2])
    finally:
        status = posix_spawn.answer(started, status_commands.PATIENCE)
    if indexes is None or status is None:
        return None
    text = _text(kept, asked, around, indexes, status)
    if text is None or (not text and "--for" not in asked):
        return None
    fast_options.show(text, asked | ({"--json": ""} if asked.get("--format") == "json" else {}))
    return 0


def dependencies(git_dir: str, common: str, names: Iterable[str]) -> "dict[str, Any]":
    """Return all that a cached brief depends on, to find out later whether it is outdated.

    This is HEAD, refs, git's configuration and the variables for the home folder.
    """
    own = (os.path.join(common, "packed-refs"), os.path.join(common, "shallow"))
    return {
        "format": _KIND,
        "head": _loose(git_dir, "HEAD"),
        "refs": {name: _loose(common, name) for name in names},
        "stamps": {path: fast_repo.stamp(path) for path in (*fast_repo.config_files(common), *own)},
        "homes": {name: os.environ.get(name) for name in _HOMES},
    }


def keep(git_dir: str, common: str, before: "dict[str, Any]", facts: "dict[str, Any]") -> None:
    """Cache facts for the next brief, such as branch, budget and model.

    Nothing is cached if what the facts depend on has changed since `before`.
    """
    if (
        any(map(fast_repo.has_includes, fast_repo.config_files(common)))
        or fast_repo.redirecting_variables()
    ):
        return  # an included file could change a setting without notice
    if before == dependencies(git_dir, common, before["refs"]):
        cache_files.replace(_file(git_dir, common), json.dumps(before | facts))


def _understood(words: list[str]) -> dict[str, str] | None:
    asked = fast_options.options(words, _FLAGS, _VALUED)
    if asked is None or asked.get("--format", "json") not in {"json", "markdown"}:
        return None
    budget = asked.get("--budget", "1")
    return (
        asked
        if budget.isascii() and budget.isdecimal() and int(budget[:9]) > 0 and len(budget) < 10
        else None
    )


def _file(git_dir: str, common: str) -> str:
    """Return the cache file of a work tree."""
    own = os.path.realpath(git_dir) == os.path.realpath(common)
    return os.path.join(
        common, "lerim", "briefs", "repository" if own else f"worktree-{os.path.basename(git_dir)}"
    )


def _kept(git_dir: str, common: str) -> "dict[str, Any] | None":
    """Return the cached facts, or None if they are outdated or another user owns the file."""
    kept, is_current = load(git_dir, common)
    return kept if is_current else None


def load(git_dir: str, common: str) -> "tuple[dict[str, Any] | None, bool]":
    """Return the cached facts, and whether they are still current.

    Instead of the facts, None is returned if the cache is missing or belongs to another user, or if
    git's configuration or the home folder has changed.
    """
    try:
        kept: Any = read_json(_file(git_dir, common), own=True)
    except (OSError, ValueError):
        return None, False
    if not isinstance(kept, dict) or any(
        not isinstance(kept.get(name), kind) for name, kind in _SHAPE.items()
    ):
        return None, False
    now = dependencies(git_dir, common, kept["refs"])
    settings = fast_repo.config_files(common)
    if any(kept[name] != now[name] for name in ("format", "homes")) or any(
        kept["stamps"].get(path) != now["stamps"][path] for path in settings
    ):
        return None, False
    return kept, all(kept[name] == value for name, value in now.items())


def _loose(folder: str, name: str) -> str | None:
    """Return a loose ref's content; None if it is packed, as packed-refs is checked separately."""
    try:
        return read_text(os.path.join(folder, name))
    except OSError:
        return None


def _current_indexes(kept: "dict[str, Any]", common: str) -> "list[Reader | None] | None":
    """Open both indexes; return None unless both are up to date."""
    try:
        indexes, is_current = open_indexes(kept, common)
    except LookupError:
        return None
    return indexes if is_current else None


def open_indexes(kept: "dict[str, Any]", common: str) -> "tuple[list[Reader | None] | None, bool]":
    """Open the repository's and the personal index; also return whether both are up to date.

    The indexes are None if the repository's index cannot be read. Raises LookupError if an index
    was redacted by other rules.
    """
    own, is_current = _reader(common, kept, kept["rules"])
    if own is None:
        return None, False
    if fast_repo.ref(kept["personal"], f"refs/heads/{kept['branch']}") is None:
        return [own, None], is_current
    personal, too = _reader(kept["personal"], kept, kept["personal_rules"])
    return [own, personal], is_current and too


def _reader(common: str, kept: "dict[str, Any]", rules: str) -> tuple[Reader | None, bool]:
    import _sqlite3  # noqa: PLC0415 loaded while git runs

    seen = fast_repo.store_key(common, kept["branch"], kept["remote"])
    folder = os.path.join(common, "lerim")
    path = os.path.join(folder, "index.sqlite3")
    if not seen or os.path.islink(path):
        return None, False
    try:
        connection = _sqlite3.connect(cache_files.read_only(path), uri=True, timeout=READER_WAITS)
        reader = Reader(connection)
    except _sqlite3.Error:
        return None, False
    if not reader.fits(folder):
        return None, False
    if not reader.fits(folder, rules):
        raise LookupError
    return reader, reader.meta.get("seen") == seen


def _text(
    kept: "dict[str, Any]",
    asked: dict[str, str],
    around: tuple[str, str, str],
    indexes: "list[Reader | None]",
    status: bytes,
) -> str | None:
    import _sqlite3  # noqa: PLC0415 it is loaded by now

    _, git_dir, common = around
    changed = tuple(dict.fromkeys([*status_commands.changed(status), *kept["committed"]]))
    index, personal = indexes
    assert index is not None  # noqa: S101 the caller opened it
    everything = "--all" in asked
    try:
        prompt = given_prompt(asked["--for"]) if "--for" in asked else None
        index.hidden = hidden(index, common, git_dir)
        picks = selection.candidates(
            index, changed=changed, prompt=prompt, everything=everything,
            personal=personal, verdicts_of=lambda documents: _verdicts(documents, common, git_dir),
        )  # fmt: skip
    except (_sqlite3.Error, ValueError, LookupError, OSError):  # damage, or a missing verdict
        return None
    opposed.mark(picks, os.path.join(common, "lerim"))
    budget = int(asked["--budget"]) if "--budget" in asked else kept["budget"]
    made = brief.compose(
        picks,
        budget,
        prompt_fence.local_key(os.path.join(common, "lerim")),
        counter(kept["model"]) or at_most,
    )
    made.left_out += selection.others(index, picks, whole=prompt is None or everything)
    if "--json" in asked or asked.get("--format") == "json":
        return printable_json(json.dumps(brief.as_json(made), ensure_ascii=False, indent=2)) + "\n"
    return made.text


def given_prompt(given: str) -> str | None:
    """Return the prompt given to `--for`: text, a hook's JSON, or `-` for standard input."""
    return prompt_of(read_prompt() if given == "-" else given)


def read_prompt() -> str:
    """Read a prompt from standard input, and rewind the input so that it can be read again."""
    if sys.stdin is None:
        return ""
    import io  # noqa: PLC0415 few prompts come this way

    raw = sys.stdin.buffer.read(PROMPT_LIMIT)
    sys.stdin = io.TextIOWrapper(io.BytesIO(raw))
    return raw.decode("utf-8", "replace")


def hidden(index: Reader, common: str, git_dir: str) -> frozenset[int]:
    """Return the keys of the memories that are hidden, as they belong only to other branches.

    Raises LookupError if they are not cached.
    """
    head = fast_repo.head(common, git_dir)
    kept = verdicts.open_cache(os.path.join(common, "lerim")) if head else None
    found = (
        verdicts.hidden(kept, head, index.tree, fast_repo.branch(git_dir))
        if kept is not None
        else None
    )
    if head and found is None:
        raise LookupError
    return frozenset(found or ())


def _verdicts(documents: list[Document], common: str, git_dir: str) -> dict[str, CachedVerdict]:
    """Return the cached verdicts on memories. Raises LookupError if one is missing."""
    found = cached_verdicts(documents, common, git_dir)
    if found is None:
        return {}
    if len(found) < len({one.blob for one in documents}):
        raise LookupError
    return found


def cached_verdicts(
    documents: list[Document], common: str, git_dir: str
) -> dict[str, CachedVerdict] | None:
    """Map the blobs of memories to their cached verdicts; None if HEAD has no commit yet."""
    head = fast_repo.head(common, git_dir) if documents else ""
    if not head:
        return None
    kept = verdicts.open_cache(os.path.join(common, "lerim"))
    return verdicts.read(kept, head, (one.blob for one in documents)) if kept is not None else {}
