"""Back up the memory with its history as a git bundle, and merge such a bundle back in."""

import hashlib
import os
import secrets
from pathlib import Path

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.sharing.pull import Pulled, merge_fetched
from git_lerim.errors import MAKE_SPACE, GitFailed, LerimError, ReadOnly, UsageError
from git_lerim.git import refs
from git_lerim.git.running.process import git_line, plain, run_git
from git_lerim.storage import layout, open_store
from git_lerim.workspace import Workspace

_WRITES = "git lerim backup FILE makes a backup"
_SHA1 = 40  # hexadecimal digits


def backup(ws: Workspace, file: Path, *, force: bool) -> int:
    """Write the memory branch into a bundle; return the number of commits.

    An existing file is replaced only with `force`.
    """
    tip = open_store.branch_only(
        ws, "the memory is part of your own history; to back it up: git bundle create FILE HEAD"
    ).view()
    if tip is None:
        raise LerimError("no memory to back up yet", hint="git lerim sync creates one")
    if file.exists() and not force:
        raise UsageError(
            f"{file} exists already", hint="choose another name, or overwrite it with --force"
        )
    if file.exists() and not file.is_file():
        raise UsageError(f"{file} exists and is not a regular file", hint="choose another name")
    if file.exists():
        refuse_agent(ws, "this overwrites a file")
    if not file.parent.is_dir():
        raise UsageError(
            f"{file.parent} does not exist", hint="create it, or choose a file in another folder"
        )
    branch = f"refs/heads/{ws.settings['branch']}"
    commit = refs.read_ref(ws.place.common_dir, branch) or tip
    temporary = file.with_name(f".{file.name}.{os.getpid()}-{secrets.token_hex(3)}")
    try:
        temporary.write_bytes(_bundle(ws, branch, commit))
        temporary.replace(file)
    except OSError as error:
        raise ReadOnly(
            f"{file} cannot be written: {error.strerror}", hint="choose another place"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return int(git_line(ws.place.git("rev-list", "--count", commit), cwd=ws.place.git_dir) or 0)


def _bundle(ws: Workspace, ref: str, commit: str) -> bytes:
    """Return a bundle with one ref.

    This does not call `git bundle`, which leaves out a branch if a tag has the same name.
    """
    args = ws.place.git("pack-objects", "-q", "--stdout", "--revs", "--delta-base-offset")
    pack = run_git(args, cwd=ws.place.git_dir, input=f"{commit}\n".encode())
    head = "# v2 git bundle" if len(commit) == _SHA1 else "# v3 git bundle\n@object-format=sha256"
    return os.fsencode(f"{head}\n{commit} {ref}\n\n") + pack


def restore(ws: Workspace, file: Path) -> Pulled:
    """Merge the memory in a bundle into the store, and return what that changed.

    Raises UsageError if the file is not a complete bundle with the memory branch.
    """
    refuse_agent(ws, "this brings back an earlier state of the memory")
    if file.is_dir():
        what = f"{plain(str(file))} is a folder, not a file; nothing was restored"
        raise UsageError(what, hint=f"name a backup file; {_WRITES}")
    if not file.is_file():
        raise UsageError(f"no such file: {plain(str(file))}; nothing was restored", hint=_WRITES)
    name = f"{layout.TEMPORARY}/restore-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        open_store.branch_only(ws, "to read an export, use git lerim import")
        # no remote has a name with a space: what is known of a remote is not true of a file
        return merge_fetched(ws, f"backup {file.name}", _fetched(ws, file.absolute(), name))
    finally:
        git_line(ws.place.git("update-ref", "-d", name), cwd=ws.place.git_dir)


def _check_pack(ws: Workspace, file: Path) -> None:
    """Raise GitFailed unless the pack in a bundle ends with its checksum.

    Git itself does not read the pack if this repository has all its commits already.
    """
    if not _is_whole(ws, file):
        raise GitFailed("its checksum is wrong")


def _is_whole(ws: Workspace, file: Path) -> bool:
    size = len(layout.ROOT_IDS[ws.place.object_format]) // 2
    bundle = file.read_bytes()
    pack = memoryview(bundle)[bundle.find(b"\n\n") + 2 :]
    return hashlib.new(ws.place.object_format, pack[:-size]).digest() == pack[-size:]


# what git says if it cannot write; a limit on file sizes can also make `index-pack` die
_NOT_WRITTEN = (
    "couldn't write",
    "cannot update ref",
    "No space left",
    "File too large",
    "index-pack died",
)
_OPTIONS = (
    "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
    "--quiet", "--end-of-options",
)  # fmt: skip


def _fetched(ws: Workspace, file: Path, name: str) -> str:
    branch, called = f"refs/heads/{ws.settings['branch']}", plain(str(file))
    heads = git_line(ws.place.git("bundle", "list-heads", str(file)), cwd=ws.place.git_dir)
    if heads is None:
        hint = f"{_WRITES}; to read other files, use git lerim import"
        raise UsageError(f"{called} is not a readable git bundle; nothing was restored", hint=hint)
    if heads and len(heads.partition(" ")[0]) != len(layout.ROOT_IDS[ws.place.object_format]):
        hint = "restore it in a repository with the same object format: git init --object-format"
        raise UsageError(
            f"{called} is from a repository with another object format; this one uses"
            f" {ws.place.object_format}; nothing was restored",
            hint=hint,
        )
    if branch not in (line.partition(" ")[2] for line in heads.splitlines()):
        hint = f"{_WRITES} of it; lerim.branch names the memory branch"
        raise UsageError(
            f"{called} is a git bundle without the branch {ws.settings['branch']}; nothing was"
            " restored",
            hint=hint,
        )
    try:
        strict = ["-c", "fetch.fsckObjects=true"]
        fetch = ws.place.git("fetch", *_OPTIONS, str(file), f"+{branch}:{name}")
        run_git([*strict, *fetch], cwd=ws.place.git_dir, env={"GIT_ALLOW_PROTOCOL": "file"})
        _check_pack(ws, file)
    except GitFailed as error:
        if any(sign in str(error) for sign in _NOT_WRITTEN) and _is_whole(ws, file):
            raise ReadOnly(
                f"cannot write into {ws.place.git_dir}; nothing was restored ({error})",
                hint=f"the backup may be intact: {MAKE_SPACE}",
            ) from error
        raise UsageError(
            f"{called} is damaged or incomplete; nothing was restored ({error})",
            hint="use another copy, or an older backup",
        ) from error
    return (
        run_git(ws.place.git("rev-parse", "--verify", f"{name}^{{commit}}"), cwd=ws.place.git_dir)
        .decode()
        .strip()
    )
