"""Where Cursor's three stores are, and which reader handles each."""

from collections.abc import Iterator
from pathlib import Path

from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.cursor.chats import read_store, read_transcript
from git_lerim.agents.cursor.editor import read_database
from git_lerim.agents.stored import sources

NAME = "cursor"

_DATABASES = (
    *("globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb"),
    *("User/globalStorage/state.vscdb", "User/workspaceStorage/*/state.vscdb"),
    *("chats/*/*/store.db", "acp-sessions/*/store.db"),
)
_TRANSCRIPTS = tuple(
    f"{place}agent-transcripts/{name}"
    for place in ("projects/*/", "", "*/")
    for name in ("*.jsonl", "*/*.jsonl", "*/subagents/*.jsonl")
)


def roots(places: Places) -> list[Path]:
    """Return the user folders of the editor and of its remote server, and the CLI's folders."""
    home, config = places.home, Path(places.env.get("XDG_CONFIG_HOME") or places.home / ".config")
    if places.platform == "darwin":
        editor = home / "Library" / "Application Support" / "Cursor" / "User"
    elif places.platform == "win32":
        editor = Path(places.env.get("APPDATA") or home / "AppData" / "Roaming") / "Cursor" / "User"
    else:
        editor = config / "Cursor" / "User"
    return [editor, home / ".cursor-server" / "data" / "User", home / ".cursor", config / "cursor"]


def find(root: Path) -> Iterator[Source]:
    """Yield all databases with chats, then all transcripts."""
    yield from sources(NAME, root, _DATABASES, "-wal")
    if root.is_dir():
        yield from sources(NAME, root, _TRANSCRIPTS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what is new or changed since the bookmark, with the reader for this source."""
    if source.path.suffix == ".jsonl":
        return read_transcript(source, bookmark)
    if source.path.name == "store.db":
        return read_store(source, bookmark)
    return read_database(source, bookmark)
