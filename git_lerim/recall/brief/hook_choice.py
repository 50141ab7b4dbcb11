"""Choose the memories that a hook gives to a session, leaving out those that it already has.

Hooks run at the start of a session, and for each prompt, file and error; usually there is nothing
to give. This module imports little, because a hook runs before each step of an agent.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from git_lerim.recall.brief import selection
from git_lerim.recall.brief.brief import Pick
from git_lerim.recall.brief.by_author import in_turn, newest_of_each
from git_lerim.recall.brief.recent import ACTIVE
from git_lerim.recall.index.index_reader import Document, Reader, mark
from git_lerim.recall.local.verdicts import UNKNOWN

AT_A_FILE = 4  # memories
AT_AN_ERROR = 2
NOTES = (1,)  # the area of active summaries and handoffs
HANDOFFS = 20  # the newest ones are examined
ERROR_LINES = 4  # lines of an output to search for
SHARE = 0.5  # share of an error line's weight that one sentence of a pitfall must contain
WORDS = 2  # words that a pitfall must share with an error line, at least
_ERRORS = (
    "error",
    "exception",
    "fatal",
    "failed",
    "panic",
    "not found",
    "cannot",
    "denied",
    "undefined",
    "no such",
    "refused",
    "timed out",
)
_LONGEST = 300  # characters of a line


class Source:
    """The indexes that a hook chooses from, and its settings."""

    __slots__ = (
        "brief_tokens",
        "changed",
        "file_notes",
        "folder",
        "handoffs",
        "holds",
        "index",
        "is_current",
        "model",
        "personal",
        "prompt_tokens",
        "verdicts_of",
        "wants_work",
    )

    def __init__(
        self, index: Reader, personal: Reader | None, folder: str, verdicts_of: selection.VerdictsOf
    ) -> None:
        """Initialize with the indexes, the `lerim` folder, and a function that checks staleness."""
        self.index = index
        self.personal = personal
        self.folder = folder
        self.verdicts_of = verdicts_of
        self.changed: Callable[[], Sequence[str]] = tuple  # the files being worked on
        # the files of handoffs on the branch, in case the index is outdated
        self.handoffs: Callable[[], Sequence[str]] = tuple
        self.wants_work = False  # verdicts are missing: another process must compute them
        self.is_current = True  # the indexes are up to date
        self.brief_tokens = 2_000
        self.prompt_tokens = 400
        self.file_notes = True
        self.model = ""
        self.holds: object = None  # keeps the indexes open


def at_start(source: Source, given: dict[str, str]) -> list[Pick]:
    """Return the memories for a session's start, except those that it already has unchanged."""
    picks = selection.candidates(
        source.index,
        changed=source.changed(),
        everything=True,
        personal=source.personal,
        verdicts_of=source.verdicts_of,
    )
    return _new(picks, given)


def at_task(source: Source, prompt: str, ids: Sequence[str], given: dict[str, str]) -> list[Pick]:
    """Return the memories for a sub-agent, those closest to its task first."""
    near = at_prompt(source, prompt, given)
    noted = source.index.documents(source.index.named(ids), Document)
    near += [Pick(document, "asked") for document in noted if document.status == "active"]
    chosen = {pick.document.id: pick for pick in _new(near, given)}
    known = given | {id_: pick.document.blob for id_, pick in chosen.items()}
    return [*chosen.values(), *at_start(source, known)]


def at_prompt(source: Source, prompt: str, given: dict[str, str]) -> list[Pick]:
    """Return the memories that closely match a prompt, or are about files that it names."""
    return (
        _new(
            selection.candidates(source.index, prompt=prompt, verdicts_of=source.verdicts_of), given
        )
        if prompt
        else []
    )


def at_files(source: Source, paths: Sequence[str], given: dict[str, str]) -> list[Pick]:
    """Return the memories to give about some files, those of the highest confidence first.

    These are the pitfalls and decisions about the files, and everything that the user wrote by hand
    about them. The user's memories and those of others alternate. Paths are relative to the
    repository's root.
    """
    about: dict[int, Pick] = {}
    for path in dict.fromkeys(paths):
        keys = newest_of_each(source.index, ACTIVE, selection.LOOKED_AT, mark("path", path))
        for one in source.index.documents(chain(*keys), Document):
            if _is_for_files(one, path):
                about.setdefault(one.key, Pick(one, "code", path=path))
    ranked = sorted(about.values(), key=lambda pick: -round(pick.document.confidence, 1))
    picks = _new([*in_turn(ranked)], given)[:AT_A_FILE]
    if picks:
        verdicts_of = source.verdicts_of([pick.document for pick in picks])
        for pick in picks:
            pick.verdict = verdicts_of.get(pick.document.blob, UNKNOWN)
    return picks


def at_failure(source: Source, error: str, given: dict[str, str]) -> list[Pick]:
    """Return the pitfalls that describe an error printed by a command.

    The user's pitfalls and those of others alternate.
    """
    # imported here, because few commands fail
    from git_lerim.recall.answers.evidence import Evidence  # noqa: PLC0415
    from git_lerim.recall.brief.asked import of_each  # noqa: PLC0415
    from git_lerim.recall.brief.prompt import plain_query  # noqa: PLC0415
    from git_lerim.recall.search.query import parse  # noqa: PLC0415

    found: dict[int, Document] = {}
    for line in _error_lines(error):
        query = parse(f"{plain_query(line)} kind:pitfall")
        if len(query.terms) < WORDS:
            continue
        for hits, asked in of_each(source.index, query, AT_AN_ERROR):
            enough = SHARE * sum(asked.weights.values())
            for hit in hits:
                if (
                    hit.status == "active"
                    and _shares(asked.weights, hit)
                    and Evidence(hit, asked).sentence >= enough
                ):
                    found.setdefault(hit.key, hit)
    picks = in_turn(Pick(document, "error") for document in found.values())
    return _new([*picks], given)[:AT_AN_ERROR]


def has_open_handoff(source: Source) -> bool:
    """Return whether there may be a handoff that nobody has claimed.

    Only an attempt to claim it shows whether it is meant for this session.
    """
    index = source.index
    import json  # noqa: PLC0415 it is loaded by now

    newest = newest_of_each(index, NOTES, HANDOFFS, mark("primitive", "handoff"))
    known = index.documents(chain(*newest), Document)
    if any(not (json.loads(one.row).get("handoff") or {}).get("claimed_by") for one in known):
        return True
    return not source.is_current and bool(set(source.handoffs()) - {one.path for one in known})


def _new(picks: Sequence[Pick], given: dict[str, str]) -> list[Pick]:
    return [pick for pick in picks if given.get(pick.document.id) != pick.document.blob]


def _is_for_files(document: Document, path: str) -> bool:
    is_wanted = (document.kind or document.primitive) in selection.CLOSEST
    return (is_wanted or selection.by_users_hand(document)) and any(
        path == place for place, _ in document.places
    )


def _shares(weights: dict[str, float], document: Document) -> bool:
    from git_lerim.recall.index.terms import terms  # noqa: PLC0415 as above

    return len(weights.keys() & set(terms(f"{document.title}\n{document.body}"))) >= WORDS


def _error_lines(text: str) -> list[str]:
    """Return the last lines that look like errors, the last one first."""
    lines = [line.strip()[:_LONGEST] for line in text.splitlines()[-200:]]
    found = [line for line in lines if any(word in line.lower() for word in _ERRORS)]
    return list(dict.fromkeys(reversed(found)))[:ERROR_LINES]
