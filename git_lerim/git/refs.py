"""Read refs, reflogs and HEADs as files, without a process or library.

If a repository keeps its refs in a reftable, git is run instead.
"""

import errno
import os
import platform
import re
import time
from collections.abc import Iterator
from pathlib import Path

from git_lerim.private_files import LARGE, read_small, read_text

LOGGED = 1000  # entries read from a reflog in a reftable
DEPTH = 5  # levels of symbolic refs, as in git
GC_LIMIT = 12 * 3600  # seconds after which git, too, ignores gc.pid
OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NO_NAME = re.compile(
    r"[\0-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(?:/|\Z)|[/.]\Z|\A[-/.]|\A(?:HEAD)?\Z"
)


def is_branch_name(name: str) -> bool:
    """Return whether git accepts a name as the name of a branch."""
    return _NO_NAME.search(name) is None


def in_table(common_dir: Path) -> bool:
    """Return whether refs are in a reftable, which only git can read."""
    return (common_dir / "reftable").is_dir()


def read_ref(common_dir: Path, name: str) -> str | None:
    """Return the object id of a ref, or None if it is missing or broken."""
    if in_table(common_dir):
        return _told(common_dir, name).get(name)
    for _ in range(DEPTH):
        try:
            text = _text(common_dir, name).strip()
        except ValueError:
            return _packed(common_dir).get(name)
        except OSError as error:
            return None if error.errno == errno.EFBIG else _packed(common_dir).get(name)
        if not text.startswith("ref: "):
            return text if OBJECT_ID.fullmatch(text) else None
        name = text.removeprefix("ref: ")
    return None


def _text(common_dir: Path, name: str) -> str:
    """Return the content of a ref's file. Raises OSError."""
    if ".." in name:
        raise OSError("not the name of a ref")
    return read_small(common_dir / name).decode("utf-8", "replace")


def symbolic(common_dir: Path, name: str) -> str | None:
    """Return the ref that a symbolic ref points to, or None for an ordinary ref."""
    if in_table(common_dir):
        return _ask(common_dir, "symbolic-ref", "--quiet", name).strip() or None
    try:
        text = _text(common_dir, name)
    except OSError:
        return None
    return text.removeprefix("ref: ").strip() if text.startswith("ref: ") else None


def is_broken(common_dir: Path, name: str) -> bool:
    """Return whether a ref's file contains neither an id nor a ref, as after a power failure."""
    try:
        text = "ref: " if in_table(common_dir) else _text(common_dir, name)
    except OSError as error:
        return error.errno == errno.EFBIG
    return not text.startswith("ref: ") and read_ref(common_dir, name) is None


def tracking_refs(common_dir: Path, branch: str) -> list[str]:
    """Return the names of a branch's remote-tracking refs, with that of `origin` first."""
    loose = [
        path.name for path in (common_dir / "refs/remotes").glob("*") if (path / branch).is_file()
    ]
    others = _listed(common_dir, "refs/remotes")
    packed = [
        name
        for name in others
        if name.startswith("refs/remotes/") and name.split("/", 3)[3:] == [branch]
    ]
    names = {f"refs/remotes/{remote}/{branch}" for remote in loose} | set(packed)
    return sorted(names, key=lambda name: (name != f"refs/remotes/origin/{branch}", name))


def tracking_below(common_dir: Path, folder: str) -> list[str]:
    """Return the remote-tracking refs of all branches whose names begin with `FOLDER/`."""
    names = names_below(common_dir, "refs/remotes")
    return [name for name in names if name.split("/", 3)[-1].startswith(f"{folder}/")]


def below(common_dir: Path, prefix: str) -> dict[str, str]:
    """Map the name of each ref below a prefix to its object id."""
    names = names_below(common_dir, prefix)
    return {name: held for name in names if (held := read_ref(common_dir, name))}


def names_below(common_dir: Path, prefix: str) -> list[str]:
    """Return the names of the refs below a prefix, including broken refs."""
    loose = [] if in_table(common_dir) else (common_dir / prefix).rglob("*")
    names = {
        path.relative_to(common_dir).as_posix()
        for path in loose
        if path.suffix != ".lock" and path.is_file()
    }
    names |= {name for name in _listed(common_dir, prefix) if name.startswith(prefix + "/")}
    return sorted(names)


def exists_below(common_dir: Path, prefix: str) -> bool:
    """Return whether a ref begins with `PREFIX/`, so that no ref can be named `PREFIX`."""
    return any(name.startswith(prefix + "/") for name in _listed(common_dir, prefix)) or any(
        path.is_file() for path in (common_dir / prefix).rglob("*")
    )


def reflog(common_dir: Path, name: str) -> Iterator[str]:
    """Yield the object ids in a ref's reflog, newest first."""
    if in_table(common_dir):
        # unlike `git log -g` this works with missing commits, and stops at the end of the log
        output = _ask(
            common_dir, "rev-parse", *(f"{name}@{{{back}}}" for back in range(LOGGED))
        ).split()
        yield from (held for held in output if OBJECT_ID.fullmatch(held) and held.strip("0"))
        return
    try:
        lines = read_small(common_dir / "logs" / name, LARGE).splitlines()
    except OSError:
        return
    for line in reversed(lines):
        old, _, rest = line.partition(b" ")
        for field in (rest[:64].split(b" ")[0], old):
            text = field.decode("ascii", "replace")
            if OBJECT_ID.fullmatch(text) and text.strip("0"):
                yield text


def is_elsewhere(common_dir: Path, path: Path) -> bool:
    """Return whether a symbolic link redirects the path of a ref or reflog.

    The top folder, `refs` or `logs/refs`, may itself be a link, as `git-new-workdir` creates it.
    """
    parts = path.relative_to(common_dir).parts
    below = parts.index("refs") + 1
    top = common_dir.joinpath(*parts[:below]).resolve()
    return path.resolve() != top.joinpath(*parts[below:])


def shallow(common_dir: Path) -> set[str]:
    """Return the boundary commits of a shallow clone, whose parents are unknown."""
    try:
        return set(read_text(common_dir / "shallow", LARGE).split())
    except OSError:
        return set()


def checked_out(common_dir: Path, name: str, *, bare: bool) -> str | None:
    """Return the worktree in which a branch is checked out, or None."""
    if in_table(common_dir):
        return _where(_ask(common_dir, "worktree", "list", "--porcelain", "-z"), name)
    heads = [] if bare else [(common_dir / "HEAD", common_dir.parent)]
    heads += [
        (admin / "HEAD", _worktree_of(admin))
        for admin in sorted((common_dir / "worktrees").glob("*"))
    ]
    for head, worktree in heads:
        try:
            if read_text(head).strip() == f"ref: {name}" and worktree.is_dir():
                return str(worktree)
        except OSError:
            continue
    return None


def running_gc(common_dir: Path) -> str | None:
    """Return a string that identifies the running `git gc`, or None if none is running.

    A stale gc.pid is ignored.
    """
    try:
        signed = common_dir / "gc.pid"
        told, since = read_text(signed), signed.stat().st_mtime
        pid = int(told.split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return f"{told} {since}" if is_running(pid) and time.time() - since < GC_LIMIT else None


def may_prune(common_dir: Path, running: str) -> bool:
    """Return whether a running gc might delete new objects.

    `running` is the result of `running_gc`. An ordinary gc without settings for pruning deletes
    none; if in doubt, the result is True.
    """
    pid, host = running.split()[:2]
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        # `git -c` passes settings on in the environment; that of another user cannot be read
        settings = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return True
    is_told = any(b"prune" in said.lower() for said in (*words, settings))
    ordinary = host == platform.node() and b"gc" in words and not is_told
    return not ordinary or _ask(common_dir, "config", "gc.pruneExpire") != ""


def refs_of_processes(common_dir: Path, prefix: str) -> Iterator[tuple[str, int]]:
    """Yield the refs named `PREFIX/PID-...` in a reftable, each with its process id."""
    for name in _told(common_dir, prefix):
        maker = name.removeprefix(prefix + "/").partition("-")[0]
        if maker.isdecimal():
            yield name, int(maker)


def is_running(pid: int) -> bool:
    """Return whether a process with this id is running."""
    try:
        if os.name == "posix":  # on Windows, signal 0 would kill it
            os.kill(pid, 0)
    except PermissionError:  # another user's
        return True
    except (OSError, OverflowError):
        return False
    return True


def _worktree_of(admin: Path) -> Path:
    try:
        link = read_small(admin / "gitdir").rstrip(b"\n")
    except OSError:
        return admin / "gone"
    return Path(os.path.normpath(admin / os.fsdecode(link))).parent


def _listed(common_dir: Path, prefix: str) -> dict[str, str]:
    """Map refs that are packed or in a reftable to their ids.

    All refs below the prefix are included, and possibly others.
    """
    return _told(common_dir, prefix) if in_table(common_dir) else _packed(common_dir)


def _told(common_dir: Path, prefix: str) -> dict[str, str]:
    lines = _ask(common_dir, "for-each-ref", "--format=%(objectname) %(refname)", prefix).split(
        "\n"
    )
    return {name: held for held, _, name in (line.partition(" ") for line in lines) if name}


def _where(listed: str, name: str) -> str | None:
    for entry in listed.split("\0\0"):
        worktree, *facts = entry.split("\0")
        path = worktree.removeprefix("worktree ")
        if f"branch {name}" in facts and os.path.isdir(path):  # noqa: PTH112 it is text here
            return path
    return None


def _ask(common_dir: Path, *args: str) -> str:
    from git_lerim.git.running.process import run_git  # noqa: PLC0415 refs in files need no process

    return os.fsdecode(run_git([f"--git-dir={common_dir}", *args], cwd=common_dir, check=False))


def _packed(common_dir: Path) -> dict[str, str]:
    try:
        packed = read_small(common_dir / "packed-refs", LARGE)
    except OSError:
        return {}
    lines = packed.decode("utf-8", "surrogateescape").splitlines()
    pairs = (line.split(" ", 1) for line in lines if line[:1] not in {"#", "^", ""})
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2 and OBJECT_ID.fullmatch(pair[0])}
