"""Convert the paths that Cursor stores: file URLs, remote folders, encoded folder names."""

import posixpath
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"^/?[A-Za-z]:[\\/]")
_SANITISED = re.compile(r"[^A-Za-z0-9]+")


def local_path(place: Any) -> str | None:
    """Return the path in a URL (`file://`, `vscode-remote://`), or in an object with a URL."""
    if isinstance(place, dict):
        return next(
            (
                found
                for key in ("fsPath", "path", "external", "uri")
                if (found := local_path(place.get(key)))
            ),
            None,
        )
    if not isinstance(place, str) or not place:
        return None
    if "://" not in place:
        return _native(place)
    try:
        parts = urlsplit(place)
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.scheme == "file" and parts.netloc and parts.netloc != "localhost":
        return "\\\\" + unquote(parts.netloc) + path.replace("/", "\\")
    return _native(path) if path else None


def _native(path: str) -> str:
    if not _DRIVE.match(path):
        return path
    path = path.removeprefix("/")
    return path.replace("/", "\\")


def folder_of(paths: Iterable[str]) -> str | None:
    """Return the common folder of the files, or None if there are no absolute paths.

    If the common folder is too near the root, return the folder of the first file.
    """
    folders = [path.replace("\\", "/").rpartition("/")[0] for path in paths if is_absolute(path)]
    if not folders:
        return None
    windows = [folder for folder in folders if _DRIVE.match(folder + "/")]
    alike = (
        windows
        if len(windows) == len(folders)
        else [folder for folder in folders if folder not in windows]
    )
    common = posixpath.commonpath(alike or folders[:1]) if alike else ""
    chosen = common if common.count("/") >= 3 else folders[0]
    return _native(chosen) or None


def is_absolute(path: str) -> bool:
    """Return whether a path is absolute on Unix or on Windows."""
    return path.startswith("/") or bool(_DRIVE.match(path))


def project_of(name: str, paths: Iterable[str]) -> str | None:
    """Return the folder that a Cursor project is named after, or None if it is not above `paths`.

    `paths` are files in the project. The project's name (`Users-ada-projects-shop`) cannot be
    decoded to a path, so each folder above the paths is encoded and compared with it.
    """
    wanted = _sanitised(name)
    for path in paths:
        folder = path.replace("\\", "/")
        while is_absolute(folder) and folder.strip("/"):
            if _sanitised(folder) == wanted:
                return _native(folder)
            folder = folder.rpartition("/")[0]
    return None


def _sanitised(path: str) -> str:
    return _SANITISED.sub("-", path).strip("-").casefold()
