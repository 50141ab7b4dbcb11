"""Commit messages and commits in git's format."""

import re

from git_lerim.git.running.process import plain
from git_lerim.storage.base import Change

SUBJECT_LIMIT = 100
OPERATIONS = (  # values of `Lerim-Op`
    "sync", "remember", "edit", "forget", "restore", "protect", "merge", "archive", "consolidate",
    "decay", "supersede",
    "handoff", "import", "share", "undo", "purge", "feedback", "anchor", "compare",
)  # fmt: skip


def compose(change: Change) -> bytes:
    """Return a change's commit message, without anything that git would misread."""
    subject = _line(change.subject)[:SUBJECT_LIMIT]
    lines = (
        plain(line.replace("\t", " "))
        for line in change.body.replace("\r", "").replace("\0", "").split("\n")
    )
    body = re.sub(r"[^\S\n]+$", "", "\n".join(lines), flags=re.MULTILINE).strip("\n")
    trailers = "\n".join(f"{key}: {_line(value)}" for key, value in change.trailers)
    parts = [part for part in (subject, body, trailers) if part]
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")


def commit_bytes(
    tree: str, parents: list[str], author: bytes, committer: bytes, message: bytes
) -> bytes:
    """Return a commit in git's format."""
    head = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    return (
        "\n".join(head).encode()
        + b"\nauthor "
        + author
        + b"\ncommitter "
        + committer
        + b"\n\n"
        + message
    )


def _line(text: str) -> str:
    """Return a text as one line, safe for the terminal of whoever reads the log."""
    return plain(" ".join(text.replace("\0", "").split()))
