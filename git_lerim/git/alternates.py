"""Find out whether a repository borrows objects from another one that is missing."""

import os

from git_lerim.git.repo import Place
from git_lerim.private_files import read_small


def missing_alternate(place: Place) -> str:
    """Return the first folder in `objects/info/alternates` that is missing, or ""."""
    objects = place.common_dir / "objects"
    try:
        lines = read_small(objects / "info" / "alternates").splitlines()
    except OSError:
        return ""
    named = (os.fsdecode(line) for line in lines if line.strip() and not line.startswith(b"#"))
    return next((each for each in named if not (objects / each).is_dir()), "")
