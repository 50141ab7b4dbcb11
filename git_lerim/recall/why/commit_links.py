"""Link a commit to the sessions that led to it, with reasons and confidence. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

from git_lerim.git.history.code_blame import Commit
from git_lerim.sessions.touched import Made, Span, Write

SURE, LIKELY = 0.8, 0.5  # below: possible
LATE = 2 * 3600  # seconds after a session's end in which its work is usually committed
SOON = 600  # seconds within which a commit counts as part of the session
DAY = 86400  # seconds before a commit in which its other files count as evidence
LONG = 3 * DAY  # seconds after which a session no longer counts if a commit came in between
CLOCK = 120  # seconds between a commit and the tool's report of it
# The names in co-author trailers, and ours for these agents.
_SIGNED = {
    "claude": "claude",
    "codex": "codex",
    "openai": "codex",
    "copilot": "copilot",
    "cursor": "cursor",
    "gemini": "gemini",
    "opencode": "opencode",
}
_SESSION_TRAILERS = ("lerim-session", "entire-session")

Key = tuple[str, str]  # agent and session


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A session that a memory cites; it may have run on another machine."""

    agent: str
    session: str
    at: int | None  # seconds
    commit: str | None  # that was HEAD
    paths: tuple[str, ...]  # that the memory is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of the sessions around a commit; paths are relative to the root."""

    names: Collection[str]  # of the file in question, in and before the commit
    since: Mapping[str, int]  # author date of the previous change by path, in seconds; 0 if missing
    writes: Iterable[Write] = ()
    made: Iterable[Made] = ()
    same: Mapping[str, str] = field(default_factory=dict)  # id of an equal commit → why it is equal
    running: Iterable[Span] = ()
    cited: Iterable[Cited] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A session that led to a commit."""

    agent: str
    session: str
    sureness: float  # 0 to 1
    how: tuple[str, ...]  # the strongest first

    @property
    def word(self) -> str:
        """The confidence in one word."""
        return word(self.sureness)


Found = tuple[Key, float, str]


def links(commit: Commit, evidence: Evidence) -> list[Link]:
    """Return the sessions that led to a commit, most certain first."""
    writes = _Writes(commit, evidence)
    found = [*_told(commit, evidence), *_signed(commit, writes.within())]
    if not any(sure >= LIKELY for _, sure, _ in found):
        found += _cited(commit, evidence)
    if not found:
        found += _signed(commit, writes.before())
    if not any(sure >= LIKELY for _, sure, _ in found):  # it may have written files in a shell
        linked = {key for key, _, _ in found}
        found += _signed(
            commit, (each for each in _running(commit, evidence.running) if each[0] not in linked)
        )
    ends = {(span.agent, span.session): span.ended for span in evidence.running}
    return _joined(found, ends)


def _joined(found: Iterable[Found], ends: Mapping[Key, int]) -> list[Link]:
    """Return one link per session; several reasons make it more certain.

    Equally certain sessions are sorted by their end: a continued session repeats what it continues.
    """
    grounds: dict[Key, list[tuple[float, str]]] = {}
    for key, sure, how in found:
        grounds.setdefault(key, []).append((sure, how))
    made = [
        Link(
            agent=agent,
            session=session,
            sureness=together(sure for sure, _ in each),
            how=tuple(how for _, how in sorted(each, reverse=True)),
        )
        for (agent, session), each in grounds.items()
    ]
    return sorted(
        made, key=lambda link: (-link.sureness, ends.get((link.agent, link.session), inf))
    )


def together(surenesses: Iterable[float]) -> float:
    """Return the combined certainty of independent reasons."""
    doubt = 1.0
    for sure in surenesses:
        doubt *= 1 - sure
    return round(min(1 - doubt, 0.99), 2)


def word(sureness: float) -> str:
    """Return a certainty as a word."""
    return "sure" if sureness >= SURE else "likely" if sureness >= LIKELY else "possible"


def ago(seconds: float) -> str:
    """Return a duration in words."""
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = round(seconds / size)
            return f"{number} {name}{'' if number == 1 else 's'}"
    return "less than a minute"


# -- reported by tools


def _told(commit: Commit, evidence: Evidence) -> Iterator[Found]:
    """Yield the sessions whose tools reported this commit or the same change."""
    for made in evidence.made:
        key = made.agent, made.session
        apart = abs(made.at / 1000 - commit.committed) if made.at is not None else 0
        if commit.id.startswith(made.id):
            yield (
                (key, 0.95, "made this commit")
                if apart <= CLOCK
                else (key, 0.4, "its tools named this commit")
            )
        elif made.id in evidence.same:
            yield key, 0.85, f"made it as {made.id[:10]}: {evidence.same[made.id]}"
    trailers = {value for name, value in commit.trailers if name.casefold() in _SESSION_TRAILERS}
    for span in evidence.running:
        if span.session in trailers:
            yield (span.agent, span.session), 0.95, "a trailer of the commit names it"


# -- written files


class _Writes:
    """What sessions wrote to the files in question, and to the commit's other files, before it."""

    def __init__(self, commit: Commit, evidence: Evidence) -> None:
        self._commit = commit
        self._since = evidence.since
        self._names = frozenset(evidence.names)
        self._all = frozenset(commit.paths) | self._names
        self._sessions: dict[Key, list[Write]] = {}
        for write in evidence.writes:
            if write.path in self._all:
                self._sessions.setdefault((write.agent, write.session), []).append(write)

    def within(self) -> Iterator[Found]:
        """Yield the sessions that wrote between the previous change and this commit."""
        authored, committed = (
            self._commit.authored,
            max(self._commit.authored, self._commit.committed),
        )
        for key, writes in self._sessions.items():
            for until, doubt, what in (
                (authored + 60, 0.0, "committed"),
                (committed + 60, 0.2, "committed anew"),
            ):
                if found := self._ground(
                    key,
                    [each for each in writes if self._is_between(each, until)],
                    until - 60,
                    what,
                ):
                    yield key, found[1] - doubt, found[2]
                    break

    def _is_between(self, write: Write, until: int) -> bool:
        if write.at is None:
            return True
        before = self._since.get(write.path, 0)
        if before >= self._commit.authored:  # history was rewritten
            before = self._commit.authored - DAY
        begin = before if write.path in self._names else max(before, until - DAY)
        return begin < write.at / 1000 <= until

    def _ground(self, key: Key, writes: list[Write], until: int, what: str) -> Found | None:
        asked = [write for write in writes if write.path in self._names]
        if not writes:
            return None
        share = len({write.path for write in writes}) / max(len(self._all), 1)
        last = max((write.at for write in asked or writes if write.at is not None), default=None)
        if last is None:
            return (
                key,
                0.4 if asked else 0.2,
                (
                    "wrote it, at a time that is not known"
                    if asked
                    else "wrote other files of this commit"
                ),
            )
        gap = max(until - last / 1000, 0)
        near = 0.0 if gap <= LATE else 0.15
        when = f"{ago(gap)} before it was {what}"
        if asked:
            return key, 0.7 - near + 0.15 * share, f"wrote {asked[-1].path} {when}"
        return key, 0.3 - near + 0.3 * share, f"wrote other files of this commit {when}"

    def before(self) -> Iterator[Found]:
        """Yield the last session to write it earlier, although a commit changed it in between."""
        times = [
            (write.at / 1000, key)
            for key, writes in self._sessions.items()
            for write in writes
            if write.path in self._names
            and write.at is not None
            and write.at / 1000 <= self._commit.authored
        ]
        if times and (gap := self._commit.authored - max(times)[0]) <= LONG:
            yield (
                max(times)[1],
                0.3,
                f"wrote it {ago(gap)} before; another commit changed it in between",
            )


# -- other evidence


def _cited(commit: Commit, evidence: Evidence) -> Iterator[Found]:
    """Yield sessions of other machines, known from the memories that cite them."""
    for cited in evidence.cited:
        key = cited.agent, cited.session
        if not set(evidence.names).intersection(cited.paths):
            continue
        if cited.commit in commit.parents:
            yield key, 0.5, "a memory of it is about this file as it was before this commit"
        elif (
            cited.at is not None
            and max(evidence.since.values(), default=0) < cited.at <= commit.authored
            and commit.authored - cited.at <= LATE
        ):
            yield (
                key,
                0.45,
                (
                    f"a memory of it is about this file, {ago(commit.authored - cited.at)} before"
                    " it was committed"
                ),
            )


def _running(commit: Commit, spans: Iterable[Span]) -> Iterator[Found]:
    for span in spans:
        gaps = [
            time - span.ended / 1000
            for time in (commit.authored, commit.committed)
            if span.started / 1000 <= time + 60
        ]
        gap = min(gaps, default=LATE + 1)
        if gap <= LATE:
            then = (
                "ran when this was committed"
                if gap <= SOON
                else f"ended {ago(gap)} before this was committed"
            )
            yield (
                (span.agent, span.session),
                0.35 if gap <= SOON else 0.2,
                f"{then}; what it wrote is not known",
            )


def _signed(commit: Commit, found: Iterable[Found]) -> Iterator[Found]:
    """Adjust certainties by the commit's co-author: half if another agent signed it."""
    signed = {
        agent
        for name, value in commit.trailers
        if name.casefold() == "co-authored-by"
        for mark, agent in _SIGNED.items()
        if mark in value.casefold()
    }
    for key, sure, how in found:
        if not signed:
            yield key, sure, how
        elif key[0] in signed:
            yield key, sure + 0.1, f"{how}; its agent signed the commit"
        else:
            yield key, sure / 2, f"{how}; another agent signed the commit"
