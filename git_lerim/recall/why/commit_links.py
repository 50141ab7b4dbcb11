"""Link a commit to the sessions that led to it, with reasons and confidence. Pure functions."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

from git_lerim.git.history.code_commits import Commit
from git_lerim.recall.why.certainty import LIKELY, together, word
from git_lerim.recall.why.writes import LATE, Found, Key, Writes, ago
from git_lerim.sessions.touched import Made, Span, Write

SOON = 600  # seconds after a session's end in which a commit counts as part of it
CLOCK = 120  # seconds between a commit and a tool's report of it, at most
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
    """What is known about the sessions that may have led to a commit.

    Paths are relative to the root of the repository.
    """

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
        """The link's certainty as a word."""
        return word(self.sureness)


def links(commit: Commit, evidence: Evidence) -> list[Link]:
    """Return the sessions that led to a commit, most certain first."""
    writes = Writes(commit, evidence.names, evidence.since, evidence.writes)
    found = [*_reported(commit, evidence), *_signed(commit, writes.within())]
    if not any(sure >= LIKELY for _, sure, _ in found):
        found += _cited(commit, evidence)
    if not found:
        found += _signed(commit, writes.before())
    if not any(sure >= LIKELY for _, sure, _ in found):  # files may have been written in a shell
        linked = {key for key, _, _ in found}
        found += _signed(
            commit, (each for each in _running(commit, evidence.running) if each[0] not in linked)
        )
    ends = {(span.agent, span.session): span.ended for span in evidence.running}
    return _join(found, ends)


def _join(found: Iterable[Found], ends: Mapping[Key, int]) -> list[Link]:
    """Return one link per session; several reasons for it make the link more certain.

    Of equally certain sessions, the one that ended first comes first, because a session that
    continues another one repeats its records.
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


def _reported(commit: Commit, evidence: Evidence) -> Iterator[Found]:
    """Yield the sessions whose tools reported this commit, or one with the same change.

    A session that a trailer of the commit names is also yielded.
    """
    for made in evidence.made:
        key = made.agent, made.session
        apart = abs(made.at / 1000 - commit.committed) if made.at is not None else 0
        if commit.id.startswith(made.id):
            yield (
                (key, 0.95, "made this commit")
                if apart <= CLOCK
                else (key, 0.4, "ran a tool that named this commit")
            )
        elif made.id in evidence.same:
            yield key, 0.85, f"made it as {made.id[:10]}: {evidence.same[made.id]}"
    trailers = {value for name, value in commit.trailers if name.casefold() in _SESSION_TRAILERS}
    for span in evidence.running:
        if span.session in trailers:
            yield (span.agent, span.session), 0.95, "is named in a trailer of the commit"


def _cited(commit: Commit, evidence: Evidence) -> Iterator[Found]:
    """Yield sessions that may have run on other machines, from the memories that cite them."""
    for cited in evidence.cited:
        key = cited.agent, cited.session
        if not set(evidence.names).intersection(cited.paths):
            continue
        if cited.commit in commit.parents:
            yield key, 0.5, "has a memory about this file as it was before this commit"
        elif (
            cited.at is not None
            and max(evidence.since.values(), default=0) < cited.at <= commit.authored
            and commit.authored - cited.at <= LATE
        ):
            yield (
                key,
                0.45,
                (
                    f"has a memory about this file, from {ago(commit.authored - cited.at)} before"
                    " this was committed"
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
                f"{then}; what it wrote is unknown",
            )


def _signed(commit: Commit, found: Iterable[Found]) -> Iterator[Found]:
    """Adjust the certainty of sessions to the commit's co-author trailers.

    It rises if the session's agent is a co-author, and is halved if only other agents are.
    """
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
