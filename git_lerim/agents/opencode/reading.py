"""Read sessions of OpenCode from `opencode.db`, its old tree of JSON files, and exports.

One session can be in all three. The database is preferred to the files, and the files to an export:
if a better copy of a session exists below the same folder, the other copies yield a reading without
a session.
"""

from collections.abc import Iterator
from dataclasses import replace as changed
from pathlib import Path

from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.opencode.database import DATABASES, read_database
from git_lerim.agents.opencode.documents import message_folder, read_document
from git_lerim.agents.stored import sources, stamped, unchanged, whole

NAME = "opencode"

_TREES = ("storage/session/*/*.json", "project/*/storage/session/info/*.json")
_EXPORTS = ("export/ses_*.json", "ses_*.json")


def roots(places: Places) -> list[Path]:
    """Return OpenCode's data folders on this platform, and the database in OPENCODE_DB."""
    share = Path(places.env.get("XDG_DATA_HOME") or places.home / ".local" / "share") / "opencode"
    found = [share]
    if places.platform == "darwin":
        found.append(places.home / "Library" / "Application Support" / "opencode")
    if places.platform == "win32" and places.env.get("LOCALAPPDATA"):
        found.append(Path(places.env["LOCALAPPDATA"]) / "opencode")
    named = places.env.get("OPENCODE_DB")
    if named and named != ":memory:":
        found.append(share / named)  # an absolute path replaces `share`
    return found


def find(root: Path) -> Iterator[Source]:
    """Yield the databases, then the session files of the old tree, then the exports."""
    yield from sources(NAME, root, DATABASES, "-wal")
    if root.is_dir():
        for source in sources(NAME, root, _TREES):
            folder = stamped(NAME, message_folder(source.path), folder=True)
            more = folder.stamp if folder else ()
            yield changed(
                source,
                stamp=(*source.stamp, *more),
                modified=max(source.modified, folder.modified if folder else 0),
            )
        yield from sources(NAME, root, _EXPORTS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield each session that is new or changed since the bookmark, as a whole."""
    if source.path.suffix == ".json":
        kept = Reading(session="", bookmark=whole(source))
        yield (
            kept
            if unchanged(source, bookmark)
            else changed(read_document(source.path) or kept, bookmark=whole(source))
        )
    else:
        yield from read_database(source.path, bookmark)
