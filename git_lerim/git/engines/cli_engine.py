"""Read and write objects and refs through git processes, for SHA-256 and reftable.

libgit2 cannot open such repositories. Two long-lived `git cat-file` processes answer reads. Writes
are buffered until a commit is written, and then go into the repository as one pack.
"""

import os
import re
import subprocess
import weakref
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import IO, NamedTuple

from git_lerim.errors import GitFailed, ReadOnly
from git_lerim.git import refs
from git_lerim.git.commits.ancestry import is_ancestor
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.git_errors import unreadable, write_error
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.pack_writer import pack
from git_lerim.git.repo import Place
from git_lerim.git.running.process import (
    SAFE,
    clean_environment,
    git_version,
    not_run,
    require_git,
    run_git,
)

_ASKED = re.compile(r"[0-9a-f]{4,64}(?:\^\{commit\})?")
# read each object itself, not the one that a replace ref puts in its place
_HERE = {"GIT_NO_REPLACE_OBJECTS": "1"}


class ObjectInfo(NamedTuple):
    """An object as `git cat-file` reports it."""

    id: str
    kind: str
    size: int
    data: bytes  # empty from `--batch-check`


class CliObjects(Objects):
    """The objects and refs of one repository, through git processes."""

    def __init__(self, place: Place) -> None:
        """Prepare without starting a process; the first read starts one."""
        super().__init__(place)
        self._contents = _Child(place, "--batch")
        self._looks = _Child(place, "--batch-check")

    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""
        if blob in self._held:
            return len(self._held[blob][1])
        found = self._looks.ask(blob)
        if found is None:
            raise unreadable(blob, "it does not exist")
        return found.size

    def full_id(self, prefix: str) -> str | None:
        """Return the full id of the commit with this unique prefix, or None."""
        found = self._looks.ask(f"{prefix}^{{commit}}")
        return found.id if found else None

    def descends(self, commit: str, ancestor: str) -> bool:
        """Return whether `commit` is `ancestor` or descends from it."""
        return commit == ancestor or is_ancestor(self._place, ancestor, commit)

    def write_commit(self, data: bytes) -> str:
        """Write a commit and all buffered objects; return the commit's id."""
        name = self._write("commit", data)
        with suppress(ReadOnly):  # enough for readers
            self._write_held()
        return name

    def ref(self, name: str) -> str | None:
        """Return the object id that a ref points to, or None if the ref is missing or broken."""
        return refs.read_ref(self._place.common_dir, name)

    def _move_ref(
        self, name: str, new: str, *, old: str | None, message: str, who: Identity
    ) -> None:
        person, _, mail = os.fsdecode(who.committer).partition(" <")
        signed = {
            "GIT_COMMITTER_NAME": person or "git-lerim",
            "GIT_COMMITTER_EMAIL": mail.rstrip(">") or "none",
        }
        self._run("update-ref", "-m", message, name, new, old or "0" * len(new), env=signed)

    def _read(self, name: str, kind: str) -> bytes:
        if name in self._held:
            return self._held[name][1]
        found = self._contents.ask(name)
        if found is None or found.kind != kind:
            raise unreadable(name, "it does not exist" if found is None else f"it is not a {kind}")
        return found.data

    def _write(self, kind: str, data: bytes) -> str:
        return self._wrote(self._hold(kind, data), kind, data)

    def _write_held(self) -> None:
        if self._held:
            self._unpack(self._held.values())
            self._held.clear()

    def _write_again(self) -> None:
        asked = "".join(f"{name}\n" for name in self._written).encode()
        # the long-lived processes may still have a pruned pack open
        output = run_git(
            self._place.git("cat-file", "--batch-check"),
            cwd=self._place.git_dir,
            input=asked,
            env=_HERE,
        )
        gone = [
            line.split()[0].decode() for line in output.splitlines() if line.endswith(b" missing")
        ]
        if gone:
            self._unpack(
                {name: self._written[name] for name in gone if name not in self._held}.values()
            )

    def _unpack(self, objects: Collection[tuple[str, bytes]]) -> None:
        self._run("unpack-objects", "-q", given=pack(objects, self._place.object_format))

    def _run(self, *args: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> None:
        try:
            run_git(
                [*_durable(), *self._place.git(*args)],
                cwd=self._place.git_dir,
                input=given,
                env=env,
            )
        except GitFailed as error:
            raise write_error(str(error)) from error


class _Child:
    """A long-lived `git cat-file` process, restarted when it dies."""

    def __init__(self, place: Place, how: str) -> None:
        self._place = place
        self._how = how
        self._end: Callable[[], object] | None = None
        self._pipes: tuple[IO[bytes], IO[bytes]] | None = None

    def ask(self, name: str) -> ObjectInfo | None:
        """Return the object with this name, or None if there is none. Raises GitFailed."""
        if not _ASKED.fullmatch(name):
            return None
        for _ in range(2):  # a child may have been killed
            with suppress(OSError, EOFError):
                found = self._answer(name)
                return found if found is not None and (found.id == name or "^" in name) else None
            self._stop()
        raise unreadable(name, "git gave no answer")

    def _answer(self, name: str) -> ObjectInfo | None:
        given, told = self._pipes or self._start()
        given.write(f"{name}\n".encode())
        given.flush()
        head = told.readline()
        if not head.endswith(b"\n"):
            raise EOFError
        fields = head.split()
        if len(fields) != 3 or not fields[2].isdigit():  # missing, or ambiguous
            return None
        size = int(fields[2])
        if self._how == "--batch-check":
            return ObjectInfo(fields[0].decode(), fields[1].decode(), size, b"")
        data = told.read(size + 1)
        if len(data) != size + 1:
            raise EOFError
        return ObjectInfo(fields[0].decode(), fields[1].decode(), size, data[:-1])

    def _start(self) -> tuple[IO[bytes], IO[bytes]]:
        try:
            child = subprocess.Popen(
                ["git", *SAFE, *self._place.git("cat-file", self._how)],
                cwd=self._place.git_dir, env=clean_environment() | _HERE,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as error:
            require_git()
            raise not_run(error) from error
        assert child.stdin is not None  # noqa: S101 pipes were asked for
        assert child.stdout is not None  # noqa: S101
        self._end = weakref.finalize(self, _reap, child)  # runs at exit at the latest
        self._pipes = child.stdin, child.stdout
        return self._pipes

    def _stop(self) -> None:
        if self._end is not None:
            self._end()
        self._end = self._pipes = None


def _reap(child: "subprocess.Popen[bytes]") -> None:
    """End a child process by closing its pipes."""
    for pipe in (child.stdin, child.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    child.wait()


def _durable() -> tuple[str, ...]:
    """Return the options that make the installed git flush everything it writes to disk."""
    if git_version() >= (2, 36):
        return "-c", "core.fsync=committed", "-c", "core.fsyncMethod=batch"
    return "-c", "core.fsyncObjectFiles=true"
