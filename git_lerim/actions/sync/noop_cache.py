"""Skip a sync that would find nothing new: print the cached output of the last such sync.

A sync that found nothing to do (a no-op) stores its inputs and output in the file `unchanged`
beside the catalog. While no input has changed, the output is replayed; in any doubt, the full
command runs. Changes are detected by ctime, which nobody can set back. This module imports almost
nothing, because it runs before click is imported.
"""

import os
import sys
import time

from git_lerim import __version__, private_files
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.git import fast_repo
from git_lerim.recall.fast import fast_options

# changes with every version that may read files differently
_FORMAT = f"git-lerim unchanged 1 of {__version__} {RULES_VERSION} {fast_repo.stamp(__file__)}"
_SECTION = "\n\x1e\n"
_LONGEST = 86_400_000  # milliseconds after which a sync must run in full
_FLAGS = ("-q", "--quiet", "--json", "--no-model")  # options that do not affect the result
_VALUED = ("--window", "--agent", "--max-sessions", "--wait")
_POINTING = ("GIT_COMMON_DIR", "GIT_WORK_TREE")  # variables that point to another repository
_PLACES = {
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
}
_HOMES = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME")
# nanoseconds: a file changed this recently may change again within one tick of the clock
_RACY = 50_000_000
_COARSE = 2_000_000_000  # the longest tick, on file systems with whole seconds
_DATABASES = (
    "catalog.sqlite3",
    "catalog.sqlite3-journal",
    "cache/transcripts.sqlite3",
    "cache/transcripts.sqlite3-journal",
)


def replay(words: list[str]) -> int | None:
    """Print the output of the last no-op sync and return 0; return None if an input has changed.

    `words` are the arguments of the command. No session and no catalog is opened.
    """
    began = time.time()
    asked = _parse(words)
    if asked is None or os.name != "posix" or any(name in os.environ for name in _POINTING):
        return None
    if not fast_options.shows_all(sys.stdout, sys.stderr):
        return None
    common = fast_repo.common_dir(os.getcwd())
    if common is None or (
        "GIT_DIR" in os.environ and fast_repo.linked_to(os.environ["GIT_DIR"]) != common
    ):
        # hooks of a linked work tree have GIT_DIR, and it leads to the same repository
        return None
    folder = os.path.join(common, "lerim")
    import fcntl  # noqa: PLC0415 missing on Windows

    lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_NOFOLLOW)
    try:
        # OSError if another run holds it: then the command itself runs, and waits
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        kept = _read_cache(folder)
        span = _valid_span(kept, asked, common, began) if kept else None
        if kept is None or span is None:
            return None
        _print(kept, asked, folder, (began, span))
    finally:
        os.close(lock)
    return 0


def _parse(words: list[str]) -> dict[str, str] | None:
    """Return the options by name, or None if they are invalid or need the full command."""
    asked = fast_options.options(words, _FLAGS, _VALUED)
    if asked is None or not all(asked[name].strip(" ,") for name in _VALUED if name in asked):
        return None
    counts = asked.get("--max-sessions", "1"), asked.get("--wait", "1")
    if not all(count.isascii() and count.isdigit() for count in counts) or not int(counts[0]):
        return None
    return asked


def question(window: str | None, agents: str) -> str:
    """Return the cache key for a sync's options; a `window` of None is the configured one."""
    return f"{window or ''}\t{','.join(name.strip() for name in agents.split(',') if name.strip())}"


def save(
    common: str,
    head: list[str],
    seen: tuple[list[str], list[str], list[str], dict[str, os.stat_result | None]],
    answer: list[str],
) -> None:
    """Cache the output of a no-op sync, unless an input may have changed since it began.

    `head` contains the key from `question`, the start of the run, the length of the window (-1:
    unlimited) and the start of its oldest session, all three in milliseconds, and the branch's ref.
    `seen` contains the environment variables that were read, the work trees, git's configuration
    files, and the `stat` of all paths looked at. `answer` contains the printed lines, each after
    `!`, or after `.` if `--json` omits it; then the JSON report with the placeholders `@run`,
    `@since`, `@until` and `"@seconds"`.
    """
    names, trees, files, stats_before = seen
    redirecting = fast_repo.redirecting_variables()
    redirecting.pop("GIT_DIR", None)
    if not redirecting.keys() <= _PLACES:
        return  # another variable may have a secret value, which must not be stored
    stats = {**stats_before, **_stats(common, files)}
    if any(_is_racy(found, int(head[1])) for found in stats.values() if found):
        return
    sections = [
        [_FORMAT, *head],
        [_variable(name) for name in sorted({*names, *redirecting, *_HOMES})],
        [f"{tree}\t{os.path.realpath(tree)}" for tree in trees],
        [f"{fast_repo.stamp_of(found)}\t{path}" for path, found in stats.items()],
        *(part.split("\n") for part in answer),
    ]
    if any("\n" in line or "\x1e" in line for section in sections for line in section):
        return  # a path or variable with line breaks
    text = _SECTION.join("\n".join(section) for section in sections)
    _write(os.path.join(common, "lerim", "unchanged"), text)


def _stats(common: str, files: list[str]) -> dict[str, os.stat_result | None]:
    """Return the `stat` of git's configuration files, work tree links and our databases."""
    linked = os.path.join(common, "worktrees")
    links = [
        os.path.join(linked, name, "gitdir")
        for name in (os.listdir(linked) if os.path.isdir(linked) else ())
    ]
    own = [os.path.join(common, "lerim", name) for name in _DATABASES]
    return {
        path: _stat(path)
        for path in (*fast_repo.config_files(common), *files, *own, linked, *links)
    }


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _is_racy(found: os.stat_result, began: int) -> bool:
    """Return whether a file changed so late that its ctime might hide a further change.

    `began` is the start of the run in milliseconds. On some file systems, a clock tick is as long
    as two seconds.
    """
    tick = _RACY if found.st_ctime_ns % 1_000_000_000 else _COARSE
    return found.st_ctime_ns + tick >= began * 1_000_000


def _write(path: str, text: str) -> None:
    try:
        private_files.replace(path, text)
    except OSError:
        return  # only a cache


def _read_cache(folder: str) -> list[str] | None:
    """Return the sections of the cache file; None if it is invalid or somebody else's."""
    try:
        path = os.path.join(folder, "unchanged")
        data = private_files.read_small(path, private_files.OURS, own=True)
    except OSError:
        return None
    sections = data.decode("utf-8", "surrogateescape").split(_SECTION)
    return sections if len(sections) == 6 and all(map(_printable, sections[4:])) else None


def _printable(text: str) -> bool:
    # the file could contain text of somebody else that controls the terminal
    return all(line.isprintable() for line in text.split("\n"))


def _valid_span(kept: list[str], asked: dict[str, str], common: str, began: float) -> int | None:
    """Return the cached window's length in ms (-1: unlimited), or None if an input changed."""
    head, variables, trees, stamps = map(_lines, kept[:4])
    if (
        len(head) != 6
        or head[0] != _FORMAT
        or head[1] != question(asked.get("--window"), asked.get("--agent", ""))
    ):
        return None
    at, span, oldest = (
        int(number) if number.removeprefix("-").isdecimal() else -1 for number in head[2:5]
    )
    now = int(began * 1000)
    if not at <= now < at + _LONGEST or (span >= 0 and now - span > oldest):
        return None  # too old, or a session has left the window since
    tip = fast_repo.ref(common, head[5])
    if tip is None or len(tip) not in {40, 64} or tip.strip("0123456789abcdef"):
        return None
    names = [line.partition("=")[0] for line in variables]
    if variables != [
        _variable(name) for name in names
    ] or not fast_repo.redirecting_variables().keys() <= {
        *names,
        "GIT_DIR",
    }:
        return None
    if any(
        os.path.realpath(tree) != real for tree, _, real in (line.partition("\t") for line in trees)
    ):
        return None
    return (
        span
        if all(
            fast_repo.stamp(path) == stamp
            for stamp, _, path in (line.partition("\t") for line in stamps)
        )
        else None
    )


def _lines(section: str) -> list[str]:
    return section.split("\n") if section else []


def _variable(name: str) -> str:
    """Return `NAME=value`, or only the name if the variable is not set."""
    return f"{name}={os.environ[name]}" if name in os.environ else name


def _print(kept: list[str], asked: dict[str, str], folder: str, when: tuple[float, int]) -> None:
    began, span = when
    now, since = (
        time.gmtime(int(moment * 1000) // 1000) for moment in (began, began - max(span, 0) / 1000)
    )
    run = f"sync-{time.strftime('%Y%m%dT%H%M%S', now)}-{os.urandom(2).hex()}"
    shown, until = (time.strftime("%Y-%m-%dT%H:%M:%SZ", moment) for moment in (since, now))
    seconds = round(time.time() - began, 3)
    if "--json" in asked:
        text = kept[5].replace("@run", run).replace("@since", shown).replace("@until", until)
        sys.stdout.write(text.replace('"@seconds"', str(seconds)))
        sys.stdout.flush()
    if not asked.keys() & {"-q", "--quiet"}:
        lines = [] if "--json" in asked else [line[1:] for line in _lines(kept[4])]
        sys.stderr.write(
            "".join(f"{line}\n" for line in lines).replace("(0.0 s)", f"({seconds:.1f} s)")
        )
        sys.stderr.flush()
    nothing = (
        f"{until} sync {run}: 0 sessions, 0 decisions, 0 learnings, 0 updated, 0 errors,"
        f" {seconds} s\n"
    )
    try:
        log = os.open(
            os.path.join(folder, "activity.log"),
            os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW,
            0o600,
        )
        os.write(log, nothing.encode())
        os.close(log)
    except OSError:
        return  # the log is optional
