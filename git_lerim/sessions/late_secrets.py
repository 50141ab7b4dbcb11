"""Redact secrets that only later records reveal, in a session's stored records."""

import msgspec

from git_lerim.redaction.own_secrets.elsewhere import Values
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.gate import without_values
from git_lerim.sessions.session import Record

_records = msgspec.json.Decoder(tuple[Record, ...])


def blank_earlier(catalog: Catalog, session: tuple[str, str], values: Values) -> None:
    """Redact values from the stored records of a session; `session` is its agent and id."""
    rows = catalog.execute(
        "SELECT rowid, records FROM cache.chunks WHERE agent = ? AND session = ?", session
    ).fetchall()
    for row, blob in rows:
        records = _records.decode(blob)
        if (clean := without_values(records, values)) != records:
            catalog.execute(
                "UPDATE cache.chunks SET records = ? WHERE rowid = ?",
                (msgspec.json.encode(clean), row),
            )
