"""The skill that tells an agent when to search and when to remember, and its SKILL.md."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from git_lerim.file_edits import ManagedFile

MARK = "<!-- git-lerim writes this file: git lerim uninstall removes it. -->"


def skill() -> str:
    """Return the text of SKILL.md."""
    return files("git_lerim").joinpath("serve", "SKILL.md").read_text("utf-8")


def skill_file(base: Path, folder: str) -> ManagedFile:
    """Return the skill file in an agent's skills folder, which is below `base`.

    If somebody else wrote a file of that name, it is left as it is.
    """
    return ManagedFile(
        path=base / folder / "git-lerim" / "SKILL.md",
        add=partial(_added, _marked(skill()).encode()),
        strip=_stripped,
        what="the skill that git lerim skill prints",
        is_shown=False,
        folders=folder.count("/") + 2,
    )


def _marked(text: str) -> str:
    """Insert the mark of git-lerim's files after the front matter."""
    front, end, rest = text.partition("\n---\n")
    return f"{front}{end}\n{MARK}\n{rest}"


def _added(text: bytes, data: bytes | None) -> bytes:
    return data if data and MARK.encode() not in data else text


def _stripped(data: bytes) -> bytes | None:
    return None if MARK.encode() in data else data
