"""Ignore settings in variables that a file of the project sets, as in `.gemini/.env`.

Some agents load such a file into their environment, and so into that of the hooks and commands that
they run. Whoever can push to the project could set a model's endpoint there, and name a key for it.
"""

import os
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

_FILES = (".env", ".gemini/.env", ".qwen/.env")
_READ = 1 << 24  # bytes of a file


def ignore_project_variables(
    env: MutableMapping[str, str], prefixes: tuple[str, ...], folder: Path
) -> dict[str, Path]:
    """Delete the variables that files of the project at `folder` set; map their names to the files.

    Only names with one of the prefixes are looked for.
    """
    found = {
        name: path
        for path, text in _files(folder)
        for name in env
        if name.startswith(prefixes) and name.encode() in text
    }
    for name in found:
        del env[name]
    return found


def _files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the files with variables in a folder and those above, up to the work tree's root.

    If work trees are nested, as with a submodule, the outermost counts. Files in the user's home
    folder, and above, are the user's own.
    """
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 fails nowhere
    above = [*takewhile(lambda at: at != home, (folder, *folder.parents))]
    roots = [number for number, at in enumerate(above) if (at / ".git").exists()]
    for at in above[: roots[-1] + 1] if roots else above:
        for path in (at / name for name in _FILES):
            with suppress(OSError):
                if path.is_file():  # a pipe would have to be waited for
                    with path.open("rb") as file:
                        yield path, file.read(_READ)
