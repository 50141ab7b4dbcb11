"""Read the prompt templates of a repository and of the user, where agents look for them."""

import glob
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

import msgspec

from git_lerim.agents import roster
from git_lerim.agents.base import Places
from git_lerim.errors import LerimError
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.history.code_commits import files_of
from git_lerim.git.repo import Place, head, worktrees
from git_lerim.sessions.session import Record, Role
from git_lerim.sessions.templates import Template, templates, typed

_KINDS = r"(?:commands?|prompts?|workflows|skills?)"
_FOLDER = re.compile(_KINDS)
_FILE = re.compile(
    rf"(?:.*/)?(?:\.[^/]+/(?:agent/|extensions/[^/]+/)?{_KINDS}/.*\.(?:md|mdc|toml)"
    r"|opencode\.jsonc?)",
    re.DOTALL,
)
_EXTENSIONS = ("extensions/*", "npm/node_modules/*", "npm/node_modules/@*/*", "git/*/*/*")
# Strings and comments in JSON; any string may be a template, since only prompts are compared. What
# is not closed goes on to the end: to look for each of many ends in vain would take endless time.
_IN_JSON = re.compile(
    r'("(?:[^"\\]|\\.)*+")|"(?:[^"\\]|\\.)*+\\?\Z|//[^\n]*|/\*(?:.*?\*/|.*\Z)', re.DOTALL
)
# the same in TOML that Python refuses, while an agent may read it
_IN_TOML = re.compile(
    r"""("{3}(?:[^\\]|\\.)*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*')|\#[^\n]*|"""
    r"""(?:"{3}|'{3}).*\Z|"(?:[^"\\\n]|\\.)*+""",
    re.DOTALL,
)
_INSERTED = re.compile(r"@\{([^{}]+)\}|\{file:([^{}]+)\}")  # the name of a file
_SETTINGS = ("opencode.json", "opencode.jsonc", "settings.json")
_KEY = 100  # most parts of a dotted key, for which Python's reader takes memory of their square
_LISTS = frozenset({"prompts", "skills", "paths", "packages"})  # settings that name paths
_LISTED = 1000  # paths that settings name
_FILES = 10_000  # files and folders of one place
_LARGEST = 1 << 27  # bytes: agents read a file of any size, but few hosts take a larger one
_DEEPEST = 40  # levels of folders


class TemplateFiles:
    """The prompt templates that an agent could expand in sessions of a repository."""

    def __init__(self, place: Place, places: Places) -> None:
        """Initialize with the repository and the user's folders; nothing is read yet."""
        self._place, self._places = place, places
        self._known: dict[Path | None, tuple[Template, ...]] = {}
        self._inserted: dict[str, None] = {}  # files that commands insert, relative to any folder

    def typed(self, records: Sequence[Record], folders: Iterable[str]) -> list[Record]:
        """Return a session's records, with the text of templates cut from the user's prompts.

        `folders` are those in which the agent ran.
        """
        prompts = any(record.role is Role.PROMPT for record in records)
        templates = self.of(folders) if prompts else ()
        return [
            msgspec.structs.replace(record, text=typed(record.text, templates, record.below))
            if record.role is Role.PROMPT
            else record
            for record in records
        ]

    def of(self, folders: Iterable[str]) -> tuple[Template, ...]:
        """Return the templates for an agent that ran in these folders, each file read once."""
        near = {above for folder in folders for above in _upwards(Path(folder))}
        return tuple(dict.fromkeys(each for at in (None, *near) for each in self._read(at)))

    def _read(self, folder: Path | None) -> tuple[Template, ...]:
        """Return the templates of one folder or, for None, those that apply in every folder."""
        if folder not in self._known:
            files = self._in_folder(folder) if folder else self._noting(self._everywhere())
            found = (each for path, text in files for each in _templates(path, text, folder))
            self._known[folder] = tuple(found)
        return self._known[folder]

    def _noting(self, files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Yield files, and note which ones they insert."""
        for path, text in files:
            if "{" in text:
                names = (name for body in _bodies(path, text) for name in _names_in(body))
                self._inserted |= dict.fromkeys(islice(names, _LISTED))
            yield path, text

    def _in_folder(self, folder: Path) -> Iterator[tuple[str, str]]:
        """Yield a folder's template files, and those that commands from elsewhere insert."""
        yield from _in_project(folder)
        yield from _texts(folder / name for name in islice(self._inserted, _LISTED))

    def _everywhere(self) -> Iterator[tuple[str, str]]:
        """Yield the template files of the current commit, all work trees, and the user."""
        with suppress(LerimError):
            yield from islice(_committed(self._place), _FILES)
        for root in worktrees(self._place):
            yield from _in_project(root)
        home, env = self._places.home, self._places.env
        config = Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
        named = env.get("OPENCODE_CONFIG_DIR")
        own = {root for name in roster.AGENTS for root in roster.roots(name, self._places, {})}
        own |= {config, home / ".opencode", home / ".agents", *([Path(named)] if named else [])}
        for folder in sorted(own):
            yield from _in_settings(folder)


def _upwards(folder: Path) -> Iterator[Path]:
    """Yield a folder and its parents, up to the root of its work tree."""
    for above in (folder, *folder.parents)[:_DEEPEST]:
        yield above
        if os.path.lexists(above / ".git"):
            return


def _committed(place: Place) -> Iterator[tuple[str, str]]:
    tip = head(place)
    objects = open_objects(place)
    for path, blob in files_of(place, tip).items() if tip else ():
        if _FILE.fullmatch(path):
            with suppress(LerimError):
                if objects.size(blob) <= _LARGEST:
                    yield path, objects.blob(blob).decode("utf-8", "replace")


def _in_project(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the template files in a project's agent folders and its OpenCode settings."""
    yield from _configured(folder)
    for name in _names(folder):
        if name.startswith(".") and name != ".git":
            yield from _in_settings(folder / name)


def _in_settings(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the template files in a settings folder and the extensions installed there."""
    yield from _configured(folder)
    extensions = [
        folder / name
        for form in _EXTENSIONS
        for name in sorted(glob.iglob(form, root_dir=folder))[:_FILES]  # noqa: PTH207
    ]
    for at in (folder, *extensions):
        for name in filter(_FOLDER.fullmatch, _names(at)):
            yield from _texts(islice(_below(at / name), _FILES))


def _configured(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the OpenCode settings, and the template files that these or Pi's settings name."""
    for name in _SETTINGS:
        text = _text(folder / name) or ""
        if name != "settings.json":
            yield (folder / name).as_posix(), text
        for each in islice(_listed(name, text), _LISTED):
            path = folder / os.path.expanduser(each)  # noqa: PTH111 keeps an unknown user's ~
            with suppress(OSError, ValueError):  # no file can have such a name
                if folder.resolve().is_relative_to(path.resolve()):
                    # of a folder with the settings in it, take only what agents read first
                    near = (path.glob(form) for form in ("*.md", "*/SKILL.md"))
                    yield from _texts(islice(chain.from_iterable(near), _FILES))
                elif path.exists():
                    yield from _texts((path, *islice(_below(path), _FILES)))


def _listed(name: str, text: str) -> Iterator[str]:
    """Yield the paths that settings name; all strings of settings that are no JSON."""
    plain = re.sub(r",(?=\s*[\]}])", "", _IN_JSON.sub(lambda found: found[1] or "", text))
    try:
        settings = json.loads(plain, strict=False)
    except (ValueError, RecursionError):
        yield from _bodies(name, text)
        return
    left: list[tuple[bool, object]] = [(False, settings)]
    while left:
        is_listed, value = left.pop()
        if isinstance(value, dict):
            left += [(is_listed or key in _LISTS, each) for key, each in value.items()]
        elif isinstance(value, list):
            left += [(is_listed, each) for each in value]
        elif is_listed and isinstance(value, str):
            yield value


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each file that can be read, following links as agents do."""
    for path in paths:
        text = _text(path)
        if text is not None:
            yield path.as_posix(), text


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, files in islice(os.walk(folder, followlinks=True), _FILES):
        if len(Path(here).relative_to(folder).parts) >= _DEEPEST:
            folders.clear()
        yield from (Path(here, name) for name in files if name.endswith((".md", ".mdc", ".toml")))


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 names are enough
    except (OSError, ValueError):
        return []


def _text(path: Path) -> str | None:
    with suppress(OSError, ValueError):
        found = path.stat()
        if stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST:
            return path.read_bytes().decode("utf-8", "replace")
    return None


def _templates(path: str, text: str, folder: Path | None) -> Iterator[Template]:
    """Yield the templates in a file: its whole text, and its text without the front matter.

    From a JSON or TOML file, yield only the prompts in it. Also yield the text of the files that
    they insert, since a command can consist of nothing else.
    """
    name = path.rsplit("/", 1)[-1].partition(".")[0].lower()
    bodies = list(_bodies(path, text))
    bases = [base for base in (folder, Path(path).parent) if base and base.is_absolute()]
    inserted = (each for body in bodies for each in _inserted(body, bases))
    for each in (*bodies, *inserted):
        yield from templates(name, each)


def _inserted(body: str, bases: Sequence[Path]) -> Iterator[str]:
    """Yield the text of the files that a template inserts, named relative to one of `bases`."""
    names = islice(_names_in(body), _LISTED)
    paths = (base / name for name in names for base in bases)
    yield from (text for path in paths if (text := _text(path)))


def _names_in(body: str) -> Iterator[str]:
    return ((found[1] or found[2]).strip() for found in _INSERTED.finditer(body))


def _bodies(path: str, text: str) -> Iterator[str]:
    if path.endswith((".json", ".jsonc")):
        for quoted in filter(None, _IN_JSON.findall(text)):
            with suppress(ValueError):
                yield json.loads(quoted, strict=False)
    elif path.endswith(".toml"):
        yield from _in_toml(text)
    else:
        text = text.lstrip("\ufeff \t\r\n")
        yield text
        if text.startswith("---"):
            yield text[3:].partition("\n---")[2]
            # as Qwen Code finds the end
            yield "".join(re.split(r"\n---(?:\r?\n|$)", text[3:], maxsplit=1)[1:])


def _in_toml(text: str) -> Iterator[str]:
    """Yield the prompt of a command, or all strings of a file that Python's reader must not get."""
    if all(line.count(".") <= _KEY for line in text.splitlines() if "=" in line):
        with suppress(ValueError, RecursionError):
            prompt = tomllib.loads(text).get("prompt")
            yield prompt if isinstance(prompt, str) else ""
            return
    for quoted in filter(None, _IN_TOML.findall(text)):
        with suppress(ValueError):
            yield tomllib.loads(f"text = {quoted}")["text"]
