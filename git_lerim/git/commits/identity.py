"""Ask git for the identity that it would commit with."""

import os
import re
import time
from dataclasses import dataclass

from git_lerim.errors import GitFailed, NoIdentity
from git_lerim.git import gitconfig
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

# parts of git's messages if no name or no address is configured
UNKNOWN = (
    "empty ident name",
    "no email was given",
    "unable to auto-detect",
    "no name was given",
    "tell me who you are",
)
IDENT = re.compile(rb"(.* <[^<>\n]*>) ([0-9]+ [+-][0-9]{4})\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Identity:
    """The author and committer as `Name <mail>`, and their dates if the environment sets them."""

    author: bytes
    committer: bytes
    author_date: bytes | None = None
    committer_date: bytes | None = None


def identity(place: Place) -> Identity:
    """Ask git who the author and the committer of a new commit are. Raises NoIdentity.

    Git is asked once for each opening of a repository.
    """
    kept = place.known.get("identity")
    if not isinstance(kept, Identity):
        place.known["identity"] = kept = _asked(place)
    return kept


def _asked(place: Place) -> Identity:
    author, author_date = _ident(place, "AUTHOR")
    if _is_one_person(place):
        committer, committer_date = author, None
    else:
        committer, committer_date = _ident(place, "COMMITTER")
    return Identity(
        author=author,
        committer=committer,
        author_date=author_date if "GIT_AUTHOR_DATE" in os.environ else None,
        committer_date=committer_date if "GIT_COMMITTER_DATE" in os.environ else None,
    )


def _is_one_person(place: Place) -> bool:
    """Return whether author and committer are known to be the same, so that git is asked once."""
    variables = ("GIT_AUTHOR_", "GIT_COMMITTER_")
    return place.known.get(gitconfig.NAMES) is False and not any(
        name.startswith(variables) for name in os.environ
    )


def stamp(seconds: float) -> bytes:
    """Return a time in the format of a commit: seconds and the local UTC offset."""
    offset = (time.localtime(seconds).tm_gmtoff or 0) // 60
    sign = "-" if offset < 0 else "+"
    return f"{int(seconds)} {sign}{abs(offset) // 60:02}{abs(offset) % 60:02}".encode()


def _ident(place: Place, role: str) -> tuple[bytes, bytes]:
    try:
        output = run_git(place.git("var", f"GIT_{role}_IDENT"), cwd=place.git_dir)
    except GitFailed as error:
        if not any(words in str(error) for words in UNKNOWN):
            hint = f"check git config user.name and the variables GIT_{role}_*"
            raise NoIdentity(f"git has no identity to commit with: {error}", hint=hint) from error
        hint = (
            'git config --global user.name "Your Name"; git config --global user.email'
            " you@example.com"
        )
        raise NoIdentity(
            "git has no author identity: user.name and user.email are not set", hint=hint
        ) from error
    match = IDENT.fullmatch(output)
    if match is None:
        raise NoIdentity("git returned an invalid identity", hint="check git config user.name")
    return match[1], match[2]
