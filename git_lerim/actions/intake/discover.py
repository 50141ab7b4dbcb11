"""Discover the agents' sessions, and read what is new into the catalog."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from git_lerim.actions.intake.other_states import state_without
from git_lerim.agents import roster, stat_log
from git_lerim.agents.base import Agent, Places, Reading, Source, bookmark_in
from git_lerim.errors import LerimError
from git_lerim.git.running.process import plain
from git_lerim.redaction.own_secrets.elsewhere import Values, certain
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Held, Origin
from git_lerim.sessions.gate import (
    VERSION,
    clean_header,
    clean_id,
    clean_path,
    clean_state,
    redacted,
)
from git_lerim.sessions.late_secrets import blank_earlier
from git_lerim.sessions.scope import Scope, Verdict, plausible_folder
from git_lerim.sessions.session import Header, Record, Role, merge_headers
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.actions.intake.own_trees import OwnTrees
    from git_lerim.actions.intake.prefetch import Ahead
    from git_lerim.actions.intake.template_files import TemplateFiles
    from git_lerim.redaction.redactor import Redactor


_OPENING = 80  # characters


@dataclass(slots=True)
class Discovery:
    """The result of a discovery: what was read, the sessions with new records, and warnings."""

    sources: int = 0  # files and databases seen
    read: int = 0  # sources that were read, because they are new or grown
    size: int = 0  # bytes read
    redactions: int = 0
    sessions: set[tuple[str, str]] = field(default_factory=set)  # with new records
    # by session: the secrets that its new records show, which earlier ones may have, too
    secrets: dict[tuple[str, str], Values] = field(default_factory=dict)
    learned: bool = False  # whether a secret was recognized for the first time
    warnings: list[str] = field(default_factory=list)
    # every path that was looked at, with its `stat` before it was read
    stood: dict[str, os.stat_result | None] = field(default_factory=dict, compare=False)
    # variables that decided where to look
    variables: dict[str, str | None] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The places to look for sessions, and the rules that assign sessions to repositories."""

    places: Places
    agents: tuple[str, ...]
    paths: dict[str, str]  # agent → folder set by `connect --path`
    own: "OwnTrees"  # in which sessions are not the user's
    since: int  # milliseconds; sources not changed since are not opened
    scope: Scope
    fingerprint: str  # of the territory used by the scope
    redactor: "Callable[[], Redactor]"  # loaded when there is something to redact
    ignored: tuple[str, ...]
    keeping: bool = False  # whether the run may write anything
    # the redactor's patterns; when they change, cached sessions are read again
    patterns: tuple[str, ...] = ()
    templates: "TemplateFiles | None" = None  # of prompts that agents expand


def discover(
    catalog: Catalog,
    look: Look,
    progress: Callable[[int, int, str], None],
    ahead: "Ahead | None" = None,
) -> Discovery:
    """Read new and grown sources into the catalog; an unreadable one only causes a warning.

    An unchanged source costs one `stat`. `ahead` is notified of each session that was read, so that
    it can begin to extract it.
    """
    found = Discovery()
    catalog.judge_anew(look.fingerprint)
    catalog.gate_anew(repr((VERSION, look.ignored, look.patterns)))
    new = sorted(
        _changed(catalog, look, found),
        key=lambda one: (look.agents.index(one[0].NAME), str(one[1].path)),
    )
    look.own.forget_queued(catalog, look.agents)
    if ahead:
        ahead.expect(len(new), sum(source.size for _, source, _ in new))
    for number, (agent, source, stamp) in enumerate(new, 1):
        progress(number, len(new), f"reading {agent.NAME} {source.path.name}")
        sessions = _read_or_warn(catalog, look, found, (agent, source, stamp))
        if ahead and sessions is not None:
            ahead.were_read(agent.NAME, sessions)
    catalog.flush()  # nobody is writing: a good time to count accesses
    return found


def _read_or_warn(
    catalog: Catalog, look: Look, found: Discovery, what: tuple[Agent, Source, str]
) -> list[str] | None:
    """Read a source and return its sessions; if it cannot be read, warn and return None."""
    path = what[1].path
    try:
        with catalog.writing():
            return _read(catalog, look, found, what)
    except (LerimError, OSError) as error:
        _warn(found, path, error)
    except UnicodeEncodeError:
        found.warnings.append(
            f"{plain(str(path))}: skipped, because its name is not UTF-8; rename it to have it read"
        )
    # an unexpected file must not stop the others
    except Exception as error:  # noqa: BLE001
        found.warnings.append(f"{path}: cannot be read (internal error: {type(error).__name__})")
    return None


def _changed(catalog: Catalog, look: Look, found: Discovery) -> Iterator[tuple[Agent, Source, str]]:
    stamps = catalog.stamps()
    stat_log.clear()
    env = stat_log.Variables(look.places.env)
    look = replace(look, places=replace(look.places, env=env))
    for name in look.agents:
        agent = roster.agent(name)
        for source in _sources(agent, look, found):
            found.sources += 1
            stamp = ",".join(map(str, source.stamp))
            if source.modified >= look.since and stamps.get(str(source.path)) != stamp:
                yield agent, source, stamp
    found.stood, found.variables = stat_log.snapshot(), env.asked


def _sources(agent: Agent, look: Look, found: Discovery) -> Iterator[Source]:
    for root in roster.roots(agent.NAME, look.places, look.paths):
        stat_log.watch(root)
        try:
            if root.exists():
                yield from look.own.leave_out(agent, root, found.warnings)
            elif agent.NAME in look.paths:
                found.warnings.append(f"{root}: no such folder (set by lerim.{agent.NAME}.path)")
        except (LerimError, OSError) as error:
            _warn(found, root, error)


def _warn(found: Discovery, place: Path, error: LerimError | OSError) -> None:
    """Add a warning for an error of one source; raise any other error, such as a full disk."""
    if isinstance(error, LerimError) and not error.passing:
        raise error
    message = (error.strerror if isinstance(error, OSError) else "") or str(error)
    found.warnings.append(message if str(place) in message else f"{place}: {message}")


def _read(
    catalog: Catalog, look: Look, found: Discovery, what: tuple[Agent, Source, str]
) -> list[str]:
    """Read what is new in a source, and return the sessions it belongs to."""
    agent, source, stamp = what
    sessions = []
    bookmark = bookmark_in(catalog.bookmark(str(source.path)))
    last = bookmark
    for reading in agent.read(source, bookmark):
        found.warnings.extend(reading.warnings)
        last = reading.bookmark or last
        if reading.session:
            named = _named(reading, look.redactor())
            _store_reading(
                catalog, look, found, (agent.NAME, str(source.path), named, bookmark is None)
            )
            sessions.append(named.session)
    if last and last.state:
        last = msgspec.structs.replace(last, state=clean_state(last.state, look.redactor()))
    catalog.save_source(
        str(source.path), agent.NAME, stamp, msgspec.json.encode(last) if last else None
    )
    found.read += 1
    found.size += source.size - (
        bookmark.offset if bookmark and last and last.offset >= bookmark.offset else 0
    )
    return sessions


def _named(reading: Reading, redactor: "Redactor") -> Reading:
    """Return what was read, with secrets removed from the ids of its session and part."""
    part = reading.part
    return replace(
        reading,
        session=clean_id(reading.session, redactor),
        part=clean_id(part, redactor) if part else part,
    )


def _store_reading(
    catalog: Catalog, look: Look, found: Discovery, what: tuple[str, str, Reading, bool]
) -> None:
    agent, path, reading, first = what
    origin = Origin(agent, reading.session, reading.part or "", path)
    if first or reading.restart:
        catalog.forget(origin)
    elif not reading.records and not reading.stored:
        return
    known = catalog.entry(agent, reading.session)
    header = merge_headers(known.header if known else None, reading.header)
    ours, verdicts, cwds = _split_records(
        look.scope, header, reading.records, known.places[-1] if known and known.places else None
    )
    said = look.templates.typed(ours, cwds) if look.templates else ours
    secrets: Values = {}
    kept, blanked = redacted(said, look.redactor(), look.ignored, secrets, look.scope.below)
    found.redactions += blanked
    found.learned |= look.redactor().learn(secrets, keep=look.keeping)
    _note_secrets(catalog, found, (agent, reading.session), values := certain(secrets))
    times = [r.at for r in reading.records if r.at is not None]
    started, ended = (min(times), max(times)) if times else (None, None)
    held = Held(
        stored=reading.stored,
        prompts=sum(r.role is Role.PROMPT and r.part is None for r in reading.records),
        started=started,
        ended=ended,
        kept=kept,
        others=len(reading.records) - len(ours),
    )
    catalog.hold(origin, held)
    otherwise = state_without(verdicts, known, is_empty=not ours)
    places = [clean_path(cwd, look.redactor()) for cwd in cwds]
    header = clean_header(header, look.redactor(), values)
    header = msgspec.structs.replace(header, opening=header.opening or _opening(kept))
    catalog.settle(agent, reading.session, header, places, otherwise)
    found.sessions.add((agent, reading.session))


def _note_secrets(
    catalog: Catalog, found: Discovery, session: tuple[str, str], values: Values
) -> None:
    """Redact the secrets that new records show from the session's earlier ones, and note them."""
    if values:
        blank_earlier(catalog, session, values)
        found.secrets.setdefault(session, {}).update(values)


def _opening(records: Iterable[Record]) -> str:
    """Return the beginning of a session's first prompt, from its redacted records."""
    prompt = next(
        (record.text for record in records if record.role is Role.PROMPT and record.part is None),
        "",
    )
    return clip(" ".join(prompt.strip().partition("\n")[0].split()), _OPENING)


def _split_records(
    scope: Scope, header: Header, records: Sequence[Record], cwd: str | None
) -> tuple[list[Record], set[Verdict], list[str]]:
    """Return this repository's records, the verdicts on all others, and the folders of all records.

    A verdict says why a record is not this repository's. The latest folder comes last. Records
    before the first one with a folder count as run in `cwd` or, if `cwd` is missing, in the first
    folder. A path that no system accepts is ignored, because otherwise each of its parent folders
    would be looked at.
    """
    ours: list[Record] = []
    verdicts: set[Verdict] = set()
    cwds: dict[str, None] = {}
    cwd = plausible_folder(cwd or next((record.cwd for record in records if record.cwd), None))
    for record in records:
        if record.cwd:
            cwd = plausible_folder(record.cwd)
            if cwd:
                cwds.pop(cwd, None)
                cwds[cwd] = None
        verdict = scope.judge(cwd, header)
        if verdict is Verdict.OURS:
            ours.append(record)
        else:
            verdicts.add(verdict)
    return ours, verdicts, list(cwds)
