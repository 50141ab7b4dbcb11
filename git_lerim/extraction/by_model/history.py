"""Show commits and documents of the repository to a model, as numbered records."""

import re

from git_lerim.extraction.by_model.transcript import Line, Transcript
from git_lerim.sessions.session import Session

_BLANK_LINES = re.compile(r"\n\s*\n+")


def shown(history: Session) -> Transcript:
    """Return commits and documents as a model sees them, each as a numbered record.

    All lines of a record but the first are indented, so that none looks like a new record.
    """
    return Transcript(
        [
            Line(record, f"[{record.n}] " + _BLANK_LINES.sub("\n", text).replace("\n", "\n "))
            for record in history.records
            if (text := record.text.strip())
        ]
    )
