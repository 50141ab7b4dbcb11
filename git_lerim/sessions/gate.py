"""Redact secrets and drop ignored paths before anything of a session is stored."""

import hashlib
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from git_lerim.redaction.finding import blank
from git_lerim.redaction.own_secrets.asked import find_answers
from git_lerim.redaction.own_secrets.elsewhere import (
    Values,
    certain,
    values_of,
    without,
    without_known,
)
from git_lerim.sessions import compact, prose
from git_lerim.sessions.ignored import without_ignored
from git_lerim.sessions.session import Header, Record, Role

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor

_USER = re.compile(r"^(\w[\w+.-]*://)[^/]*@")
_PATH_OR_WORDS = re.compile(r"[/\\\s=]")
_WORDS = ("text", "command", "question", "tool", "cwd", "branch")
_READ_ONCE = ("below", "output")  # fields that are needed only for reading
_LISTS = ("options", "files", "prose")
_IDS = ("uuid", "message", "part", "call")
_TOGETHER = 500  # ids that are searched for secrets at once
_FACTS = ("version", "model", "root_commit", "commit")  # fields of a header
VERSION = 9  # of the gate; raise it to have all sessions read again
_SHORT = 200  # characters; shorter texts, such as paths, recur and are cached


def _nowhere(_: str) -> str:
    return ""


def redacted(
    records: Iterable[Record],
    redactor: "Redactor",
    ignored: Sequence[str],
    secrets: Values | None = None,
    below: Callable[[str], str] = _nowhere,
) -> tuple[tuple[Record, ...], int]:
    """Return records without secrets and ignored paths, and the number of secrets.

    The values of the secrets are added to `secrets`, if it is given. `below` returns the path of a
    folder below its work tree. What is left out for the ignored paths, see `without_ignored`.
    """
    kept, count = [], 0
    known: dict[str, tuple[str, int]] = {}
    secrets = {} if secrets is None else secrets
    said = ""  # by the agent, last
    records = _without_secret_ids(records, redactor)
    for record in without_ignored(records, ignored, below) if ignored else records:
        clean, found = _clean(record, redactor, known, secrets)
        clean, answered = _without_answer(clean, said, secrets)
        said = record.text if record.role is Role.REPLY else said
        kept.append(clean)
        count += found + answered
    if again := certain(secrets):
        cleaner = [_without_known(record, again) for record in kept]
        kept, count = [record for record, _ in cleaner], count + sum(n for _, n in cleaner)
    names = {record.branch for record in kept if record.branch} if secrets else set[str]()
    blank = {name: shown for name in names if (shown := without(name, secrets))[1]}
    for index, record in enumerate(kept):
        if record.branch in blank:
            kept[index] = msgspec.structs.replace(record, branch=blank[record.branch][0])
    return tuple(kept), count + sum(shown[1] for shown in blank.values())


def _without_answer(record: Record, said: str, secrets: Values) -> tuple[Record, int]:
    """Redact the secret that the user gives as the answer to a question of the agent.

    `said` is the agent's last message. The secret is added to `secrets`.
    """
    if record.role not in {Role.ANSWER, Role.PROMPT}:
        return record, 0
    found = list(find_answers(record.question or said, record.text))
    secrets.update(values_of(record.text, found))
    text = blank(record.text, found)[0] if found else record.text
    return msgspec.structs.replace(record, text=text) if found else record, len(found)


def _without_secret_ids(records: Iterable[Record], redactor: "Redactor") -> Iterable[Record]:
    """Return records in which each id that contains a secret is replaced by a digest.

    There are many ids, so they are first searched in groups.
    """
    records = tuple(records)
    ids = list({value: None for each in records for name in _IDS if (value := getattr(each, name))})
    parts = (ids[at : at + _TOGETHER] for at in range(0, len(ids), _TOGETHER))
    doubted = [value for part in parts if redactor.redact("\n".join(part))[1] for value in part]
    digests = {value: digest for value in doubted if (digest := clean_id(value, redactor)) != value}
    if not digests:
        return records
    return (
        msgspec.structs.replace(
            record, **{name: digests.get(value := getattr(record, name), value) for name in _IDS}
        )
        for record in records
    )


def clean_id(value: str, redactor: "Redactor") -> str:
    """Return an id, or its digest if it contains a secret."""
    if not redactor.redact(value)[1]:
        return value
    digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).digest()
    return str(uuid.UUID(bytes=digest[:16]))


def clean_session(name: str, redactor: "Redactor") -> str:
    """Return a session's name, `<agent>/<id>` or just an id, with the id cleaned by `clean_id`."""
    agent, slash, own = name.rpartition("/")
    return f"{agent}{slash}{clean_id(own, redactor)}"


def without_values(records: Iterable[Record], values: Values) -> tuple[Record, ...]:
    """Return records with the `certain` values redacted that another part of the session shows."""
    return tuple(_without_known(record, values)[0] for record in records)


def clean_header(header: Header, redactor: "Redactor", values: Values) -> Header:
    """Return a session's header without secrets, and its remote URL without user and password.

    `values` are those that were found in the session.
    """

    def clean(text: str) -> str:
        return without_known(redactor.redact(text)[0], values)[0] if text else ""

    remote = _USER.sub(r"\1", header.remote)
    return msgspec.structs.replace(
        header,
        title=clean(" ".join(header.title.split())),
        opening=clean(header.opening),
        **{name: clean_path(getattr(header, name), redactor) for name in _FACTS},
        forked_from=clean_id(header.forked_from, redactor) if header.forked_from else "",
        remote=clean_path(remote, redactor),
    )


def clean_path(path: str, redactor: "Redactor") -> str:
    """Return a path with secrets redacted.

    A path without a secret is unchanged, so that it can be compared with other paths.
    """
    clean, found = redactor.redact(path)
    return clean if found else path


def clean_state(value: Any, redactor: "Redactor") -> Any:
    """Return a reader's state without secrets in paths, words and ids.

    All other ids and digests are unchanged, since the reader needs them back as they were.
    """
    if isinstance(value, str):
        clean = clean_path if _PATH_OR_WORDS.search(value) else clean_id
        return clean(value, redactor)
    if isinstance(value, dict):
        return {
            clean_state(key, redactor): clean_state(each, redactor) for key, each in value.items()
        }
    return (
        [clean_state(each, redactor) for each in value]
        if isinstance(value, list | tuple)
        else value
    )


def _without_known(record: Record, values: Values) -> tuple[Record, int]:
    """Redact secrets that were found elsewhere in the session from the texts of a record."""
    changes: dict[str, object] = {}
    count = 0
    for name in (*_WORDS, "options", "prose"):  # files are compared with those in git
        value = getattr(record, name)
        texts = [value] if name in _WORDS else value
        shown = [without_known(text, values) for text in texts if text]
        if found := sum(times for _, times in shown):
            clean = tuple(text for text, _ in shown)
            changes[name] = clean[0] if name in _WORDS else clean
            count += found
    return (msgspec.structs.replace(record, **changes), count) if changes else (record, count)


def _dropped(record: Record, redactor: "Redactor", secrets: Values) -> dict[str, object]:
    """Return the changes that drop what was needed only for reading.

    The secrets that a tool's output shows are added to `secrets`.
    """
    if record.output:
        found = values_of(record.output, redactor.find(record.output))
        secrets.update(certain(found))  # not the uncertain ones: an output has many
    return {name: "" for name in _READ_ONCE if getattr(record, name)}


def _clean(
    record: Record, redactor: "Redactor", known: dict[str, tuple[str, int]], secrets: Values
) -> tuple[Record, int]:
    """Redact every text field of a record, and add the redacted secrets to `secrets`.

    `known` caches the results for short texts. What was needed only for reading is dropped.
    """
    changes = _dropped(record, redactor, secrets)
    count = 0

    def cleaned(value: str) -> str:
        nonlocal count
        if value not in known:
            clean, found = redactor.redact(value)
            secrets.update(values_of(value, found))
            pair = (clean, len(found)) if found else (value, 0)
            if len(value) > _SHORT:
                count += pair[1]
                return pair[0]
            known[value] = pair
        count += known[value][1]
        return known[value][0]

    for name in _WORDS:
        value = getattr(record, name)
        clean = cleaned(value) if value else value
        if value and name == "text":
            clean = compact.cut(record.role, clean)
        if clean != value:
            changes[name] = clean
    for name in _LISTS:
        values: tuple[str, ...] = getattr(record, name)
        clean_values = tuple(map(cleaned, values))
        if name == "prose":
            clean_values = tuple(map(prose.cut, clean_values))
        if clean_values != values:
            changes[name] = clean_values
    return (msgspec.structs.replace(record, **changes), count) if changes else (record, count)
