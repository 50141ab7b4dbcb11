"""The first gate: nothing of a session is kept before secrets are blanked and private paths are left out."""

from collections.abc import Iterable, Sequence

import msgspec

from git_lerim.redaction.paths import mentions
from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions.session import Record


def redacted(records: Iterable[Record], redactor: Redactor, ignored: Sequence[str]) -> tuple[tuple[Record, ...], int]:
    """Return the records without secrets and without those about ignored paths, and how many secrets were blanked."""
    kept, count = [], 0
    for record in records:
        if ignored and mentions(" ".join((record.text, record.command or "")), record.files, ignored):
            continue
        clean, found = _clean(record, redactor)
        kept.append(clean)
        count += found
    return tuple(kept), count


def _clean(record: Record, redactor: Redactor) -> tuple[Record, int]:
    changes: dict[str, object] = {}
    count = 0
    for name in ("text", "command", "question"):
        value = getattr(record, name)
        if value:
            clean, found = redactor.redact(value)
            if found:
                changes[name] = clean
                count += len(found)
    if record.options:
        pairs = [redactor.redact(option) for option in record.options]
        if any(found for _, found in pairs):
            changes["options"] = tuple(text for text, _ in pairs)
            count += sum(len(found) for _, found in pairs)
    return (msgspec.structs.replace(record, **changes), count) if changes else (record, 0)
