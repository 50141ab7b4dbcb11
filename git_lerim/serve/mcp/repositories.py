"""Choose the repository of a call: the server's folder, or one of the client's roots."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from git_lerim.errors import LerimError, NotARepository, UsageError
from git_lerim.workspace import Workspace, open_workspace


class Repositories:
    """The folders that a client has open.

    Each call of a tool changes into one of them, because commands work in the current folder.
    """

    def __init__(self) -> None:
        """Remember the current folder, if possible by a descriptor, which survives a move."""
        self._start: int | str = (
            os.open(".", os.O_RDONLY) if os.chdir in os.supports_fd else os.getcwd()  # noqa: PTH109
        )
        self._roots: dict[str, str] = {}  # path by name

    @property
    def names(self) -> list[str]:
        """The names of the client's roots to choose from; empty if there is only one."""
        return list(self._roots) if len(self._roots) > 1 else []

    def take(self, result: Any) -> None:
        """Store the roots from the client's answer to `roots/list`, if they are local folders."""
        roots = result.get("roots") if isinstance(result, Mapping) else None
        paths = [
            path
            for root in roots or ()
            if isinstance(root, Mapping) and (path := _path(root.get("uri")))
        ]
        self._roots = dict(_named(dict.fromkeys(paths)))

    def enter(self, name: str = "", *, making: bool = False, propose: bool = False) -> Workspace:
        """Change into the folder of the root `name`, and open its repository.

        Without a name, this is the folder in which the server was started or else the first root
        with a repository. With `making`, a missing personal store is created; with `propose`,
        changes become proposals. Raises LerimError.
        """
        if name and name not in self._roots:
            known = ", ".join(self._roots) or "none"
            raise UsageError(
                f"the client has no root {name!a} open", hint=f"the client's roots: {known}"
            )
        if name:
            return _open(self._roots[name], making=making, propose=propose)
        try:
            return _open(self._start, making=making, propose=propose)
        except LerimError:
            for path in self._roots.values():
                with suppress(LerimError):
                    return _open(path, making=making, propose=propose)
            raise


def _open(folder: str | int, *, making: bool, propose: bool) -> Workspace:
    try:
        os.chdir(folder)
    except OSError as error:
        raise NotARepository(
            f"the folder {folder if isinstance(folder, str) else 'of the server'} is gone"
        ) from error
    return open_workspace(making=making, then="propose" if propose else "")


def _path(uri: Any) -> str | None:
    parts = urlsplit(uri) if isinstance(uri, str) else None
    if parts is None or parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    path = url2pathname(unquote(parts.path) if os.name != "nt" else parts.path)
    return path if os.path.isdir(path) else None  # noqa: PTH112 `Path` would raise for a NUL


def _named(paths: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield each path with its name: the base name if that is unique, or else the path itself."""
    every = list(paths)
    # base names as the client spelled them
    last = [os.path.basename(path.rstrip("/\\")) for path in every]  # noqa: PTH119
    return (
        (path if last.count(name) > 1 or not name else name, path)
        for name, path in zip(last, every, strict=True)
    )
