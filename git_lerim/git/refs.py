"""Read refs, reflogs and HEADs as files: no process, no library, so that the hot path may."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

GC_LIMIT = 12 * 3600  # seconds after which git, too, believes its gc.pid no more
OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def read_ref(common_dir: Path, name: str) -> str | None:
    """Return the object id that a ref holds; None where there is no such ref, or its file is broken."""
    try:
        text = (common_dir / name).read_text("ascii", "replace").strip()
    except OSError:
        return _packed(common_dir).get(name)
    return text if OBJECT_ID.fullmatch(text) else None


def is_broken(common_dir: Path, name: str) -> bool:
    """Tell whether a ref has a file that holds neither an object id nor another ref: what a power failure leaves."""
    try:
        text = (common_dir / name).read_bytes()
    except OSError:
        return False
    return not text.startswith(b"ref: ") and read_ref(common_dir, name) is None


def tracking_refs(common_dir: Path, branch: str) -> list[str]:
    """Return the names of the remote-tracking refs of a branch, the one of `origin` first."""
    loose = [path.name for path in (common_dir / "refs/remotes").glob("*") if (path / branch).is_file()]
    packed = [name for name in _packed(common_dir) if name.startswith("refs/remotes/") and name.split("/", 3)[3:] == [branch]]
    names = {f"refs/remotes/{remote}/{branch}" for remote in loose} | set(packed)
    return sorted(names, key=lambda name: (name != f"refs/remotes/origin/{branch}", name))


def exists_below(common_dir: Path, prefix: str) -> bool:
    """Tell whether a ref lives below a name that a branch of that name would need for itself."""
    return any(name.startswith(prefix + "/") for name in _packed(common_dir)) or any(
        path.is_file() for path in (common_dir / prefix).rglob("*")
    )


def reflog(common_dir: Path, name: str) -> Iterator[str]:
    """Yield the object ids a ref has held, newest first, as far as its reflog tells."""
    try:
        lines = (common_dir / "logs" / name).read_bytes().splitlines()
    except OSError:
        return
    for line in reversed(lines):
        old, _, rest = line.partition(b" ")
        for field in (rest[:64].split(b" ")[0], old):
            text = field.decode("ascii", "replace")
            if OBJECT_ID.fullmatch(text) and text.strip("0"):
                yield text


def checked_out(common_dir: Path, name: str, *, bare: bool) -> str | None:
    """Return the worktree that has a branch checked out, if any."""
    heads = [] if bare else [(common_dir / "HEAD", common_dir.parent)]
    heads += [(admin / "HEAD", _worktree_of(admin)) for admin in sorted((common_dir / "worktrees").glob("*"))]
    for head, worktree in heads:
        try:
            if head.read_text("utf-8", "replace").strip() == f"ref: {name}" and worktree.is_dir():
                return str(worktree)
        except OSError:
            continue
    return None


def running_gc(common_dir: Path) -> str | None:
    """Return what tells the `git gc` that has signed in from others; None without one. A killed one leaves its file behind."""
    try:
        signed = common_dir / "gc.pid"
        told, since = signed.read_text("ascii"), signed.stat().st_mtime
        pid = int(told.split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return f"{told} {since}" if _runs(pid) and time.time() - since < GC_LIMIT else None


def _runs(pid: int) -> bool:
    try:
        if os.name == "posix":  # elsewhere a signal of 0 would end it
            os.kill(pid, 0)
    except PermissionError:  # another user's
        return True
    except (OSError, OverflowError):
        return False
    return True


def _worktree_of(admin: Path) -> Path:
    try:
        link = (admin / "gitdir").read_bytes().rstrip(b"\n")
    except OSError:
        return admin / "gone"
    return Path(os.path.normpath(admin / os.fsdecode(link))).parent


def _packed(common_dir: Path) -> dict[str, str]:
    try:
        lines = (common_dir / "packed-refs").read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return {}
    pairs = (line.split(" ", 1) for line in lines if line[:1] not in {"#", "^", ""})
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2 and OBJECT_ID.fullmatch(pair[0])}
