"""Open the objects and refs of a repository with the engine that supports it.

Each engine is imported only when needed.
"""

from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place


def open_objects(place: Place) -> Objects:
    """Open a repository with the engine that supports it. Raises LerimError if none does."""
    if place.object_format == "sha1" and place.ref_format == "files":
        # importing it takes longer than everything else
        from git_lerim.git.engines.libgit2 import Libgit2  # noqa: PLC0415

        return Libgit2(place)
    # few repositories need it
    from git_lerim.git.engines.cli_engine import CliObjects  # noqa: PLC0415

    return CliObjects(place)
