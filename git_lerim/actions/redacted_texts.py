"""Redact texts that are about to be printed.

This module imports little, because many commands load it.
"""

from collections.abc import Sequence

from git_lerim.workspace import Workspace


def redact_texts(ws: Workspace, texts: Sequence[str]) -> list[str]:
    """Return texts with secrets redacted; load the redactor only for texts not checked before."""
    hidden = ws.checked.with_secrets(texts, lambda: ws.redactor)
    ws.checked.save()
    return [ws.redactor.redact(text)[0] if text in hidden else text for text in texts]


def redact_lines(ws: Workspace, lines: Sequence[str]) -> list[str]:
    """Return the lines of one text with secrets redacted, including secrets that span lines."""
    (whole,) = redact_texts(ws, ["\n".join(lines)])
    clean = whole.split("\n")
    if len(clean) == len(lines):
        return clean
    kept = frozenset(clean)
    return [line if line in kept else "[REDACTED]" for line in lines]
