"""Report settings that git-lerim does not know, and values that a setting cannot have."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from git_lerim import guarded
from git_lerim.config import KEYS, Settings
from git_lerim.git.gitconfig import OURS

_LIKENESS = 0.75


@dataclass(frozen=True, slots=True)
class UnknownSetting:
    """A key of git's configuration that git-lerim does not read."""

    name: str  # as git prints it, in lower case
    origin: str
    near: str  # the setting that was probably meant, or an empty string

    @property
    def suggestion(self) -> str:
        """Return a question that names the setting that was probably meant, if there is one."""
        return f"did you mean {self.near}?" if self.near else ""


def unknown_settings(settings: Settings) -> list[UnknownSetting]:
    """Return the unknown `lerim.*` keys, each once, with a likely correction if there is one."""
    known = {name.lower(): f"{OURS}{name}" for name in (*KEYS, *guarded.PATHS)}
    found = {}
    for entry in settings.unknown:
        name = entry.key.removeprefix(OURS).lower()
        near = difflib.get_close_matches(name, known, n=1, cutoff=_LIKENESS)
        found[entry.key] = UnknownSetting(entry.key, entry.origin, known[near[0]] if near else "")
    return list(found.values())


def misspelt(settings: Settings) -> Iterator[str]:
    """Yield a sentence about each unknown key that resembles a setting."""
    for one in unknown_settings(settings):
        if one.near:
            yield f"{one.name} ({one.origin}) is not a setting and has no effect; {one.suggestion}"
