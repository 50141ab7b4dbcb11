"""Record which commits and files a model has read, so that `import git` sends each only once."""

from collections.abc import Iterable

from git_lerim.sessions.catalog import Catalog


def were_read(catalog: Catalog) -> set[str]:
    """Return the keys of the commits and files that a model has read."""
    return {row[0] for row in catalog.execute("SELECT unit FROM history").fetchall()}


def note_read(catalog: Catalog, keys: Iterable[str]) -> None:
    """Record that a model has read some commits and files, and save this at once."""
    with catalog.writing():
        for key in keys:
            catalog.execute("INSERT OR IGNORE INTO history VALUES (?)", (key,))
    catalog.flush()
