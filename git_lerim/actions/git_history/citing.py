"""Make memories from a window cite the commits and file lines that prove them.

A window is a group of commits or documents that a model reads at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from git_lerim.actions.code import anchors
from git_lerim.actions.git_history.windows import Window
from git_lerim.actions.intake.session_memories import Kept, memories_of
from git_lerim.errors import GitFailed
from git_lerim.extraction.base import Candidate
from git_lerim.git.history.code_blame import start_blame
from git_lerim.git.history.code_commits import Commit, commits
from git_lerim.memories.checks.prompt_injection import suspicion
from git_lerim.memories.memory import Anchor, Memory, Source
from git_lerim.memories.quotes import false_claim
from git_lerim.sessions.session import moment
from git_lerim.storage.trust.judge import Judge
from git_lerim.workspace import Workspace


def memories_in(
    ws: Workspace,
    window: Window,
    head: str,
    candidates: Sequence[Candidate],
    stored: Mapping[str, Memory],
) -> Kept:
    """Turn the candidates that a model found in a window into memories with sources.

    If a candidate restates one of the `stored` memories, it also keeps the sources of that memory
    that are outside the window.
    """
    citing = _Citing(ws, window, head)
    judge = Judge(ws.place, ws.code.objects)
    sources = [citing.sources(candidate) for candidate in candidates]
    dated = [
        _dated(_judged(candidate, judge), cited)
        for candidate, cited in zip(candidates, sources, strict=True)
    ]
    kept = memories_of(window.session, dated, None, ws.code, ws.redactor)
    made = [
        replace(
            memory,
            sources=(*cited, *_elsewhere(stored.get(memory.id), window)),
            anchors=citing.anchors(cited, memory),
        )
        for memory, cited in zip(kept.memories, sources, strict=True)
    ]
    return replace(kept, memories=tuple(made))


def _judged(candidate: Candidate, judge: Judge) -> Candidate:
    """Mark a candidate as suspect if it gives orders or speaks for the user.

    Files and commits may do neither.
    """
    text = f"{candidate.title}\n{candidate.body}"
    reason = suspicion(text, heard="", runs=judge.is_own) or false_claim(text)
    return replace(candidate, suspect=reason)


def _dated(candidate: Candidate, cited: Iterable[Source]) -> Candidate:
    """Give a candidate the date and commit of the latest source that it cites."""
    last = max(cited, key=lambda source: source.at or moment(0))
    at = int(last.at.timestamp() * 1000) if last.at else candidate.at
    return replace(candidate, at=at, commit=last.commit)


def _elsewhere(before: Memory | None, window: Window) -> Iterable[Source]:
    """Return those sources of a stored memory that are outside this window."""
    here = {(passage.cites.agent, passage.cites.session) for passage in window.passages}
    return [s for s in (before.sources if before else ()) if (s.agent, s.session) not in here]


@dataclass(frozen=True)
class _Citing:
    ws: Workspace
    window: Window
    head: str

    def sources(self, candidate: Candidate) -> tuple[Source, ...]:
        """Return the commits and the lines of files that a candidate cites."""
        cited: dict[str, list[Source]] = {}
        for evidence in candidate.evidence:
            for first, last in evidence.records:
                for passage in self.window.passages[first - 1 : last]:
                    cited.setdefault(passage.cites.session, []).append(passage.cites)
        return tuple(self._source(same) for same in cited.values())

    def _source(self, same: Sequence[Source]) -> Source:
        if same[0].commit is not None:
            return replace(same[0], patch=self.ws.code.patch(same[0].commit))
        spans = tuple(sorted(span for source in same for span in source.records))
        at, commit = self._written(same[0].session, (spans[0][0], spans[-1][1]))
        patch = self.ws.code.patch(commit)
        return replace(same[0], records=spans, at=at, commit=commit, patch=patch)

    def _written(self, path: str, lines: tuple[int, int]) -> tuple[datetime, str]:
        """Return when lines of a file were last written, and in which commit."""
        found: Mapping[str, Commit] = {}
        if not self.ws.code.objects.is_partial():  # git would fetch every version of the file
            try:
                blamed = start_blame(self.ws.place, path, lines, self.head, origin=False)()
                found = commits(self.ws.place, [each.commit for each in blamed if each.commit])
            except GitFailed:
                found = {}
        found = found or commits(self.ws.place, [self.head])
        last = max(found.values(), key=lambda commit: (commit.authored, commit.id))
        return moment(last.authored * 1000), last.id

    def anchors(self, cited: Iterable[Source], memory: Memory) -> tuple[Anchor, ...]:
        """Return anchors at the cited lines of files, and the memory's other anchors."""
        blobs = {
            passage.cites.session: passage.blob for passage in self.window.passages if passage.blob
        }
        lines = [
            Anchor(
                path=source.session, lines=source.records[0],
                blob=blobs[source.session], commit=self.head,
            )
            for source in cited
            if source.session in blobs
        ]  # fmt: skip
        own = anchors.find_anchors(self.ws.code, lines, memory.title, memory.body)
        paths = {anchor.path for anchor in own}
        others = (anchor for anchor in memory.anchors if anchor.path not in paths)
        return (*own, *others)[: anchors.MOST]
