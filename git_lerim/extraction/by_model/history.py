"""A part of the repository's history and documents as a model sees it: numbered records."""

import re

from git_lerim.extraction.by_model.transcript import Line, Transcript
from git_lerim.sessions.session import Session

_BLANK_LINES = re.compile(r"\n\s*\n+")


def shown(history: Session) -> Transcript:
    """Return commits and files as a model sees them, with all lines but the first indented."""
    return Transcript(
        [
            Line(record, f"[{record.n}] " + _BLANK_LINES.sub("\n", text).replace("\n", "\n "))
            for record in history.records
            if (text := record.text.strip())
        ]
    )
