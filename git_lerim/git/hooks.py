"""Install and remove git-lerim's hooks, in git's configuration or as files.

Git 2.54 or newer runs hooks from its configuration. For an older git they are files, added beside
the hooks that are already there.
"""

import os
import re
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import git_lerim
from git_lerim import file_edits
from git_lerim.file_edits import FileEdit, ManagedFile
from git_lerim.git import hook_text
from git_lerim.git.hook_folder import Folder, folder_of, supports_config_hooks
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line
from git_lerim.private_files import LARGE, read_small

EVENTS = ("post-commit", "post-merge", "post-rewrite", "pre-push")
_FIND = (
    'lerim=${GIT_DIR:-.git}; [ ! -f "$lerim/commondir" ] || lerim=${lerim%/worktrees/*};'
    " lerim=$lerim/hooks/lerim"
)
_SECTION = re.compile(
    rb'^\[hook "lerim-[a-z-]+"\]\n(?:[ \t]+(?:command|event|enabled|parallel)[ \t]*=[^\n]*\n)*',
    re.MULTILINE,
)
_MANAGED = b"hook-impl"  # the hooks of pre-commit and prek, which run EVENT.legacy first


def installation(place: Place, branch: str, python: str) -> tuple[list[FileEdit], list[str]]:
    """Return the file edits that install a repository's hooks, and notes for the user.

    Both are empty if no hooks can be added to git's folder for hooks. Raises LerimError.
    """
    edits = [file_edits.addition(script(place, branch, python))]
    if supports_config_hooks():
        edits += [
            file_edits.addition(configuration(place)),
            *(file_edits.removal(file) for file in _files(place)),
        ]
        return [edit for edit in edits if edit], []
    folder = folder_of(place)
    if folder.refused:
        return [], []
    notes = [_TEAM.format(folder.shared)] if folder.shared else []
    for event in EVENTS:
        where = folder.shared or folder.path
        live = file_edits.read(where / event)
        if hook_text.is_ours(live) or not (folder.shared or _keeps_name(live)):
            edits += _chaining(folder.path, event)
        elif hook_text.takes_line(live):
            edits.append(file_edits.addition(_in_line(where, event, shared=bool(folder.shared))))
        else:
            notes.append(f"{where / event} is not a shell script, so nothing was added to it")
    return [edit for edit in edits if edit], notes


def _keeps_name(hook: bytes | None) -> bool:
    return hook_text.knows_its_name(hook) and _MANAGED not in (hook or b"")


def refusal(place: Place) -> str:
    """Return why git-lerim's hooks cannot be installed, or an empty string if they can."""
    return "" if supports_config_hooks() else folder_of(place).refused


_TEAM = (
    "{} is part of the repository: commit the added lines, so that your team gets them; they do"
    " nothing where git-lerim is not installed"
)


def removal(place: Place) -> list[FileEdit]:
    """Return the file edits that remove a repository's hooks, however they were installed.

    Raises LerimError.
    """
    files = [configuration(place), *_files(place), script(place, "", "")]
    return [edit for edit in map(file_edits.removal, files) if edit]


def script(place: Place, branch: str, python: str) -> ManagedFile:
    """Return the script file that each of git-lerim's hooks runs."""
    text = template("lerim").replace(
        b"@PYTHON@", shlex.quote(python).encode("utf-8", "surrogateescape")
    )
    text = text.replace(b"@BRANCH@", shlex.quote(f"refs/heads/{branch}").encode())
    path = place.common_dir / "hooks" / "lerim"
    return ManagedFile(
        path=path,
        add=lambda _: text,
        strip=_without,
        what="the script that the hooks run",
        mode=0o755,
    )


def configuration(place: Place) -> ManagedFile:
    """Return the repository's `config` file, to which entries for the hooks can be added."""
    what = f"hooks {', '.join(EVENTS)}"
    return ManagedFile(
        path=place.common_dir / "config",
        add=_configured,
        strip=_unconfigured,
        what=what,
        locked=True,
    )


def template(name: str) -> bytes:
    """Return the content of a file in `hooks/`, from the installed package or a checkout."""
    return (_templates() / name).read_bytes()


def _templates() -> Path:
    package = Path(git_lerim.__file__).parent
    installed = package / "_hooks"
    return installed if installed.exists() else package.parent / "hooks"


def _earlier(name: str) -> list[bytes]:
    """Return the former versions of a template, which users may still have installed."""
    return [path.read_bytes() for path in sorted(_templates().glob(f"earlier/{name}-[0-9]*"))]


def missing(place: Place) -> list[str]:
    """Return the events, such as `pre-push`, for which git would not run git-lerim's hook."""
    if supports_config_hooks():
        listed = {
            event: git_line(place.git("hook", "list", event), cwd=place.git_dir) for event in EVENTS
        }
        return [
            event
            for event, names in listed.items()
            if f"lerim-{event}" not in (names or "").split("\n")
        ]
    folder = folder_of(place)
    return [event for event in EVENTS if not _is_run(folder, event)]


def is_installed(place: Place) -> bool:
    """Return whether a repository has hooks of git-lerim, of any version and in any form."""
    return any(
        map(file_edits.is_there, (script(place, "", ""), configuration(place), *_files(place)))
    )


def installed_at(place: Place) -> float | None:
    """Return when the hooks' script was written, in seconds since the epoch, or None."""
    try:
        return (place.common_dir / "hooks" / "lerim").stat().st_mtime
    except OSError:
        return None


def program(place: Place) -> str | None:
    """Return the Python program that the hooks' script runs, or None if it is unknown."""
    text = _quietly(place.common_dir / "hooks" / "lerim") or b""
    named = re.search(rb"^python=(.*)$", text, re.MULTILINE)
    return shlex.split(os.fsdecode(named[1]))[0] if named and named[1] else None


def _is_run(folder: Folder, event: str) -> bool:
    if file_edits.is_there(_in_line(folder.shared or folder.path, event)):
        return True
    live = folder.path / event
    if hook_text.is_ours(_quietly(live)):
        return os.access(live, os.X_OK)
    legacy = folder.path / f"{event}.legacy"
    return (
        _MANAGED in (_quietly(live) or b"")
        and hook_text.is_ours(_quietly(legacy))
        and os.access(legacy, os.X_OK)
    )


def _quietly(path: Path) -> bytes | None:
    try:
        return read_small(path, LARGE)
    except OSError:
        return None


def _chaining(folder: Path, event: str) -> Iterator[FileEdit | None]:
    """Yield the edits that make git-lerim's hook run before an existing hook.

    If pre-commit or prek already runs git-lerim's hook as `EVENT.legacy`, only that file is
    updated.
    """
    if not hook_text.is_ours(live := file_edits.read(folder / event)):
        aside = [_chained(folder, event, suffix) for suffix in (".legacy", ".old")]
        if _MANAGED in (live or b"") and file_edits.is_there(aside[0]):
            yield file_edits.addition(aside[0])
            return
        yield from map(file_edits.removal, aside)
    yield file_edits.addition(_chained(folder, event))


def _files(place: Place) -> Iterator[ManagedFile]:
    """Yield every file that may contain one of git-lerim's hooks."""
    folder = folder_of(place)
    for path in dict.fromkeys(
        (place.common_dir / "hooks", *(() if folder.refused else (folder.path,)))
    ):
        for event in EVENTS:
            yield from (_chained(path, event, suffix) for suffix in ("", ".legacy", ".old"))
            if path != folder.shared:
                yield _in_line(path, event, shared=False)
    husky = place.worktree / ".husky" if place.worktree else None
    for shared in filter(None, dict.fromkeys((folder.shared, husky))):
        yield from (_in_line(shared, event) for event in EVENTS)


def _chained(folder: Path, event: str, suffix: str = "") -> ManagedFile:
    name = "chained-pre-push" if event == "pre-push" else "chained"
    text, *earlier = (
        each.replace(b"@EVENT@", event.encode()) for each in (template(name), *_earlier(name))
    )
    return ManagedFile(
        path=folder / f"{event}{suffix}", add=partial(hook_text.with_script, text),
        strip=partial(hook_text.without_script, text, earlier=earlier), what=f"the hook {event}",
        mode=0o755, before=folder / f"{event}.pre-lerim", earlier=tuple(earlier),
    )  # fmt: skip


def _without(text: bytes) -> bytes | None:
    return None if hook_text.is_ours(text) else text


def _configured(text: bytes | None) -> bytes:
    if text and all(_section(event) in text for event in EVENTS):
        return text  # keep what the user added to a section, such as `enabled`
    kept = _unconfigured(text or b"")
    return (
        kept
        + (b"" if kept.endswith(b"\n") or not kept else b"\n")
        + b"".join(map(_section, EVENTS))
    )


def _unconfigured(text: bytes) -> bytes:
    return _SECTION.sub(b"", text)


def _section(event: str) -> bytes:
    command = f'{_FIND}; set -- {event} "$@"; [ ! -r "$lerim" ] || . "$lerim"; :'.replace(
        "\\", "\\\\"
    ).replace('"', '\\"')
    return f'[hook "lerim-{event}"]\n\tcommand = "{command}"\n\tevent = {event}\n'.encode()


def _in_line(folder: Path, event: str, *, shared: bool = True) -> ManagedFile:
    name = "line-pre-push" if event == "pre-push" else "line"
    words = template(name).strip().replace(b"@EVENT@", event.encode())
    run = b"%s; %s %s" % (_FIND.encode(), words, hook_text.LINE)
    return ManagedFile(
        path=folder / event, add=partial(hook_text.with_line, run), strip=hook_text.without_line,
        what=f"the hook {event}{', shared with the team' * shared}", mode=0o755, is_backed_up=False,
    )  # fmt: skip
