"""Search for secrets in what a push would send."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.errors import Unsafe
from git_lerim.git.running.process import plain, run_git
from git_lerim.memories import naming
from git_lerim.workspace import Workspace

_NAMED = 5  # places listed by name
_IN_FILES = (
    "it is in the history, so editing is not enough: delete it with git lerim purge ID, or drop it"
    " from a proposal with git lerim review reject; if it is not a secret, allow it with"
    " lerim.redactAllow"
)
_IN_OTHER_FILES = (
    "this file is not a memory, so git lerim purge cannot delete it: in a separate work tree (git"
    " worktree add), remove it from the commit that added it (git rebase -i), remove that work tree"
    " and push again; if it is not a secret, allow it with lerim.redactAllow"
)
_IN_COMMITS = (
    "git lerim log shows the commits; git lerim purge ID also removes a memory's title from commit"
    " messages; for your name and address, change user.name and user.email; if it is not a secret,"
    " allow it with lerim.redactAllow"
)
_SIGNATURE = re.compile(r"^gpgsig(?:-sha256)? .*\n(?: .*\n)*", re.MULTILINE)
_SHORT = 12  # characters of an abbreviated commit id


def refuse_secrets(ws: Workspace, tip: str, known: str | None) -> None:
    """Raise Unsafe if a push would send a secret in any version of a file, or in a commit.

    `tip` is the commit to push, and `known` a commit that the remote already has. The error names
    the memory and line, or the commit, but does not contain the secret.
    """
    in_memories: list[str] = []
    in_others: list[str] = []
    scanned: set[str] = set()
    for path, blob in new_files(ws, tip, known):
        places = in_memories if naming.valid_path(path) else in_others
        places += secrets_in(ws, path, blob)
        scanned.add(path)
    for path in _new_paths(ws, tip, known) - scanned:
        places = in_memories if naming.valid_path(path) else in_others
        places += _secrets_in_path(ws, path)
    found = [*in_memories, *in_others, *_secrets_in_commits(ws, tip, known)]
    if found:
        hint = _IN_FILES if in_memories else _IN_OTHER_FILES if in_others else _IN_COMMITS
        raise refusal("nothing was pushed", found, hint)


def refusal(what: str, found: Sequence[str], hint: str) -> Unsafe:
    """Return an Unsafe error that names the first few places where a secret was found."""
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    places = "; ".join(found[:_NAMED])
    return Unsafe(f"{what}: possible secret in {places}{more}", hint=hint)


def _new_objects(ws: Workspace, option: str, tip: str, known: str | None) -> bytes:
    without = [f"^{known}"] if known else []
    return run_git(ws.place.git("rev-list", option, tip, *without), cwd=ws.place.git_dir)


def new_files(ws: Workspace, tip: str, known: str | None) -> Iterator[tuple[str, str]]:
    """Yield the path and blob of each file in the history of `tip` but not of `known`.

    `known` is a commit that the remote already has. All versions of a file are included.
    """
    listed = _new_objects(ws, "--objects", tip, known)
    named = b"".join(row + b"\n" for row in listed.split(b"\n") if b" " in row)
    typed = run_git(
        ws.place.git("cat-file", "--batch-check=%(objecttype) %(objectname) %(rest)"),
        cwd=ws.place.git_dir,
        input=named,
    )
    for row in typed.decode("utf-8", "surrogateescape").split("\n"):
        kind, _, rest = row.partition(" ")
        blob, _, path = rest.partition(" ")
        if kind == "blob":
            yield path, blob


def _new_paths(ws: Workspace, tip: str, known: str | None) -> set[str]:
    """Return every path that the commits to push changed.

    `rev-list --objects` is not enough, because it lists only one path for each blob.
    """
    options = (
        "--format=", "--name-only", "-z", "-m", "--root", "--no-renames", "--no-relative",
        "--ignore-submodules=none", "--no-show-signature", "--no-color",
    )  # fmt: skip
    commits = (tip, *([f"^{known}"] if known else []), "--")
    listed = run_git(ws.place.git("log", *options, *commits), cwd=ws.place.git_dir)
    names = listed.decode("utf-8", "surrogateescape").split("\0")
    return {name for each in names if (name := each.strip("\n"))}


def _secrets_in_path(ws: Workspace, path: str) -> Iterator[str]:
    # summaries and other files have no id in their path
    shown, findings = ws.redactor.redact(path)
    name = naming.id_in(path) or plain(shown)
    yield from (f"the path of {name} ({finding.rule})" for finding in findings)


def secrets_in(ws: Workspace, path: str, blob: str) -> Iterator[str]:
    """Yield where a file contains likely secrets: id, line and rule, safe to print.

    The path is not printed as it is, because it contains words of the title, which can be secret.
    """
    text = ws.store.content(blob).decode("utf-8", "replace")
    yield from _secrets_in_path(ws, path)
    name = naming.id_in(path) or plain(ws.redactor.redact(path)[0])
    for finding in ws.redactor.find(text):
        yield f"{name}, line {text.count(chr(10), 0, finding.start) + 1} ({finding.rule})"


def _secrets_in_commits(ws: Workspace, tip: str, known: str | None) -> Iterator[str]:
    """Yield each likely secret in the message or identity of a commit to push, safe to print."""
    for data in _new_objects(ws, "--header", tip, known).split(b"\0"):
        commit, _, rest = data.decode("utf-8", "replace").partition("\n")
        head, _, message = _SIGNATURE.sub("", rest).partition("\n\n")
        for part, text in (("identity", head), ("message", message)):
            yield from (
                f"the {part} of commit {commit[:_SHORT]} ({finding.rule})"
                for finding in ws.redactor.find(text)
            )
