"""Many files in one commit, by `git fast-import`: one pack instead of a loose object for each."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress

from git_lerim.errors import GitFailed
from git_lerim.git.process import run_git
from git_lerim.git.repo import Place

TEMPORARY = "refs/lerim/tmp"


def import_files(
    place: Place, base: str, files: Mapping[str, bytes | None], signatures: tuple[bytes, bytes], message: bytes
) -> str:
    """Write a commit on top of another one, with some files changed or removed; return its id. No branch moves."""
    name = f"{TEMPORARY}/{os.getpid()}-{secrets.token_hex(4)}"
    author, committer = signatures
    stream = [
        b"commit " + name.encode(),
        b"author " + author,
        b"committer " + committer,
        _data(message),
        b"from " + base.encode(),
    ]
    for path, data in files.items():
        quoted = _quote(path)
        stream += [b"D " + quoted] if data is None else [b"M 100644 inline " + quoted, _data(data)]
    try:
        run_git(place.git("fast-import", "--quiet", "--done"), cwd=place.git_dir, input=b"\n".join([*stream, b"done", b""]))
        return run_git(place.git("rev-parse", "--verify", name), cwd=place.git_dir).decode().strip()
    finally:
        with suppress(GitFailed):  # what is left is swept by the next gc, and by nobody missed
            run_git(place.git("update-ref", "-d", name), cwd=place.git_dir)


def _data(content: bytes) -> bytes:
    return b"data %d\n" % len(content) + content


def _quote(path: str) -> bytes:
    raw = path.encode("utf-8", "surrogateescape")
    return b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
