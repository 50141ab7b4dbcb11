"""Fill templates such as `%h %s`, with git's placeholders and fields of `--json`."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from git_lerim.actions.log import as_json
from git_lerim.errors import UsageError
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.tokens import counted, local_times, printable

_LITERAL = re.compile(r"%(?:(%)|(n)|x([0-9A-Fa-f]{2})|C\(([a-z]+)\)|C(red|green|blue|reset))")
_COLOURS = {
    "reset": 0, "bold": 1, "dim": 2, "black": 30, "red": 31, "green": 32, "yellow": 33,
    "blue": 34, "magenta": 35, "cyan": 36, "white": 37,
}  # fmt: skip
FIELDS = (
    "primitive", "kind", "status", "tags", "origin", "branch", "path", "confidence",
    "effective_confidence", "last_accessed", "protected", "suspect", "stale", "pending",
)  # fmt: skip
_ID_LENGTH = 7  # as git abbreviates
_DAY = 86400
# Seconds below which a relative time is given in a unit, the unit's length, and its name; as in git
# (`show_date_relative` in its date.c), but with months up to two years.
_UNITS = (
    (90, 1, "second"), (90 * 60, 60, "minute"), (36 * 3600, 3600, "hour"), (14 * _DAY, _DAY, "day"),
    (70 * _DAY, 7 * _DAY, "week"), (730 * _DAY, 30 * _DAY, "month"),
)  # fmt: skip


def fill(template: str, values: Mapping[str, str], *, coloured: bool) -> str:
    """Replace the placeholders (`%s`) and fields (`%(kind)`) of a template with their values.

    Values are made safe for a terminal. Raises UsageError for an unknown placeholder.
    """
    bare = re.sub(r"^t?format:", "", template)
    return "".join(_parts(bare, values, coloured=coloured))


def _parts(template: str, values: Mapping[str, str], *, coloured: bool) -> Iterator[str]:
    at = 0
    while (start := template.find("%", at)) >= 0:
        yield template[at:start]
        name = next((n for n in _candidates(template, start) if n in values), "")
        if name:
            yield printable(values[name])
            at = start + len(name)
        elif (mark := _literal(template[start:], coloured=coloured)) is not None:
            text, length = mark
            yield text
            at = start + length
        else:
            raise _unknown(template[start:], values)
    yield template[at:]


def _candidates(template: str, start: int) -> Iterator[str]:
    """Yield the possible placeholders at a position in the template, the longest first."""
    if template.startswith("%(", start):
        yield template[start : template.find(")", start) + 1]
    yield template[start : start + 3]
    yield template[start : start + 2]


def _literal(text: str, *, coloured: bool) -> tuple[str, int] | None:
    """Return the text for a fixed placeholder, such as `%n`, and the placeholder's length."""
    found = _LITERAL.match(text)
    if found is None:
        return None
    colour = found[4] or found[5]
    if colour is None:
        return ("%" if found[1] else "\n" if found[2] else chr(int(found[3], 16))), found.end()
    if colour not in _COLOURS:
        return None
    return (f"\x1b[{_COLOURS[colour]}m" if coloured else ""), found.end()


def _unknown(text: str, values: Mapping[str, str]) -> UsageError:
    found = re.match(r"%(?:C?\([^)]*\)?|[ac]?.?)", text, re.DOTALL)
    shown = found[0] if found else text[:2]
    return UsageError(
        f"--format has an unknown placeholder: {printable(shown)}",
        hint=f"known placeholders: {' '.join(values)} %n %% %x00 %C(red)",
    )


def of_memory(row: Mapping[str, Any], ids: Collection[str]) -> dict[str, str]:
    """Map placeholders to a memory's values, from its row of `list --json`.

    `ids` has the ids of all memories, to abbreviate an id without ambiguity.
    """
    author, _, mail = str(row["author"] or "").removesuffix(">").partition(" <")
    now = datetime.now(UTC)
    return {
        "%H": row["id"],
        "%h": abbreviated(row["id"], ids),
        "%s": row["title"],
        "%b": row["body"],
        "%B": f"{row['title']}\n\n{row['body']}",
        "%an": author,
        "%ae": mail,
        "%ad": local_times(row["created"]),
        "%aI": row["created"],
        "%as": row["created"][:10],
        "%ar": relative(row["created"], now),
        "%cd": local_times(row["updated"]),
        "%cI": row["updated"],
        "%cs": row["updated"][:10],
        "%cr": relative(row["updated"], now),
        "%(sources)": _text(
            list(dict.fromkeys(f"{each['agent']}/{each['session']}" for each in row["sources"]))
        ),
        "%(anchors)": _text(list(dict.fromkeys(each["path"] for each in row["anchors"]))),
        **{f"%({name})": _text(row[name]) for name in FIELDS},
    }


def of_commit(commit: LoggedCommit) -> dict[str, str]:
    """Map placeholders to the values of a commit of the memory branch."""
    row = as_json(commit)
    trailers = dict(commit.trailers)
    dates = {
        "d": local_times(row["at"]),
        "I": row["at"],
        "s": row["at"][:10],
        "r": relative(row["at"], datetime.now(UTC)),
    }
    return {
        "%H": commit.id,
        "%h": commit.id[:_ID_LENGTH],
        "%s": commit.subject,
        "%b": commit.body,
        "%B": f"{commit.subject}\n\n{commit.body}".strip("\n"),
        "%an": commit.author,
        "%ae": commit.mail,
        **{f"%{who}{form}": text for who in "ac" for form, text in dates.items()},
        **{
            f"%({name})": trailers.get(f"Lerim-{name.capitalize()}", "")
            for name in ("op", "run", "agent", "session", "model")
        },
        "%(memories)": _text([memory["id"] for memory in row["memories"] if memory["id"]]),
    }


def abbreviated(id_: str, ids: Collection[str]) -> str:
    """Return the shortest unique beginning of an id, of at least seven characters."""
    others = [other for other in ids if other != id_ and other.startswith(id_[:_ID_LENGTH])]
    length = _ID_LENGTH
    while any(other.startswith(id_[:length]) for other in others):
        length += 1
    return id_[:length]


def relative(time: str, now: datetime) -> str:
    """Return how long before now a time in ISO 8601 was, such as `3 days ago`."""
    try:
        seconds = round((now - datetime.fromisoformat(time)).total_seconds())
    except ValueError:  # no such day
        return time
    if seconds < 0:
        return "in the future"
    size, name = next((unit[1:] for unit in _UNITS if seconds < unit[0]), (365 * _DAY, "year"))
    return f"{counted((seconds + size // 2) // size, name)} ago"


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_quoted, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(value: str) -> str:
    """Return an item of a list, in quotes if it could be mistaken for two items."""
    return json.dumps(value, ensure_ascii=False) if "," in value or '"' in value else value
