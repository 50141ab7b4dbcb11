"""The personal store: a bare repository of the user's own, created by the first write."""

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from git_lerim import private_files
from git_lerim.consent import STORE, data_home
from git_lerim.errors import LerimError, ReadOnly
from git_lerim.git.repo import Place, place_of
from git_lerim.git.running.process import run_git

_NOWHERE = "git-lerim-none-"


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Return the path of the personal store, which may not exist yet."""
    return data_home(home, env) / STORE


def exists(path: Path) -> bool:
    """Return whether the personal store exists."""
    return (path / "HEAD").exists()


def create(path: Path) -> Place:
    """Return the personal store, creating it if necessary."""
    if not exists(path):
        try:
            private_files.make_folders(path.parent)
        except OSError as error:
            hint = "set LERIM_HOME to use another folder"
            raise ReadOnly(
                f"the personal memory cannot be created in {path.parent}: {error.strerror}",
                hint=hint,
            ) from error
        # regardless of the user's defaults, libgit2 must be able to open it
        run_git(
            ["init", "-q", "--bare", "--object-format=sha1", str(path)],
            env={"GIT_DEFAULT_REF_FORMAT": "files"},
        )
    return place_of(path)


def open_for_reading(path: Path) -> Place:
    """Return the personal store for reading: a temporary empty one if there is none."""
    if exists(path):
        return place_of(path)
    # slow imports, rarely needed
    import atexit  # noqa: PLC0415
    import shutil  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    temporary = tempfile.mkdtemp(prefix=_NOWHERE)
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return create(Path(temporary) / "memory.git")


def is_temporary(place: Place) -> bool:
    """Return whether a store is a temporary one made by `open_for_reading`."""
    return place.git_dir.parent.name.startswith(_NOWHERE)


def refuse_commit(*_: object) -> NoReturn:
    """Raise LerimError, because a commit to the temporary store would be lost."""
    raise LerimError("no personal memory yet", hint="to create it: git lerim init --personal")
