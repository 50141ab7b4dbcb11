"""Find the sessions behind commits, using evidence from git, the catalog and the memories."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_lerim.git.history import code_commits
from git_lerim.git.history.code_commits import Commit
from git_lerim.git.repo import Place
from git_lerim.memories.memory import Memory
from git_lerim.recall.why.certainty import LIKELY
from git_lerim.recall.why.commit_links import Cited, Evidence, Link, links
from git_lerim.recall.why.writes import DAY, LATE
from git_lerim.sessions import touched
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.scope import Roots
from git_lerim.sessions.touched import Made, Span, Write

_MONTH = 30 * 86400
# maximum number of earlier commits to compare: a squash or rebase may have replaced them
_TRIED = 20
# maximum seconds from a lost commit to the output line in which a tool reported it
_MOMENT = 15
_HEX = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One commit that led to the code; `commit.id` is empty for uncommitted changes."""

    commit: Commit
    names: tuple[str, ...]  # the paths in this commit
    # by path: when the previous change was authored, in seconds
    since: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[tuple[int, int], ...] = ()
    moved: bool = False  # it only moved or indented the lines


def link_sessions(
    catalog: Catalog | None,
    roots: Roots,
    place: Place,
    steps: Sequence[Step],
    memories: Iterable[Memory],
) -> list[tuple[Step, list[Link]]]:
    """Return each commit with the sessions that may have led to it, most certain first."""
    cited = list(_cited(memories, {name for step in steps for name in step.names}))
    if catalog is None or not steps:
        return [
            (step, links(step.commit, Evidence(names=step.names, since=step.since, cited=cited)))
            for step in steps
        ]
    wrote = _writes(catalog, roots, steps)
    makers = {step.commit.id: _makers(catalog, step) for step in steps}
    same = _same_changes(place, steps, makers)
    found = []
    for step in steps:
        evidence = Evidence(
            names=step.names,
            since=step.since,
            writes=wrote,
            made=makers[step.commit.id],
            same=same.get(step.commit.id, {}),
            running=_running(catalog, step.commit),
            cited=cited,
        )
        judged = links(step.commit, evidence)
        if judged and judged[0].sureness < LIKELY and step.commit.parents:
            recent = code_commits.recent_changes(
                place, step.commit.parents[0], step.commit.authored - DAY
            )
            judged = links(step.commit, replace(evidence, since={**recent, **step.since}))
        found.append((step, judged))
    return found


def _writes(catalog: Catalog, roots: Roots, steps: Sequence[Step]) -> list[Write]:
    """Return what sessions wrote to the files of these commits, with repository paths."""
    wanted = {path for step in steps for path in (*step.commit.paths, *step.names)}
    by_name: dict[str, list[str]] = {}
    for each in sorted(wanted, key=len, reverse=True):
        by_name.setdefault(touched.base_name(each), []).append(each)
    until = max(max(step.commit.authored, step.commit.committed) for step in steps) + 60
    known: dict[str, str | None] = {}
    found = []
    for write in touched.writes(catalog.execute, wanted, until * 1000):
        if write.path not in known:
            known[write.path] = _matching_path(
                write.path, roots, by_name.get(touched.base_name(write.path), ())
            )
        path = known[write.path]
        if path:
            found.append(replace(write, path=path))
    return found


def _matching_path(named: str, roots: Roots, wanted: Collection[str]) -> str | None:
    """Return the wanted path that a path from a session refers to, or None.

    A path outside the `roots`, such as one in a removed work tree, refers to the wanted path that
    it ends with.
    """
    path = roots.relative(named)
    if path is not None and path in wanted:
        return path
    whole = "/" + named.replace("\\", "/")
    return next((each for each in wanted if "/" in each and whole.endswith("/" + each)), None)


def _makers(catalog: Catalog, step: Step) -> list[Made]:
    """Return which sessions made this commit or, if unknown, possible earlier versions of it."""
    if not step.commit.id:
        return []
    authored, committed = step.commit.authored, step.commit.committed
    found = touched.makers(
        catalog.execute,
        step.commit.id,
        (authored - _MONTH) * 1000,
        (max(authored, committed) + _MOMENT) * 1000,
    )
    exact = [made for made in found if step.commit.id.startswith(made.id)]
    others = [made for made in found if _HEX.fullmatch(made.id)]
    return exact or sorted(others, key=lambda made: abs((made.at or 0) / 1000 - authored))[:_TRIED]


def _same_changes(
    place: Place, steps: Sequence[Step], makers: Mapping[str, Sequence[Made]]
) -> dict[str, dict[str, str]]:
    """Map each commit to the earlier commits that made the same change, each with the reason."""
    unsure = [
        step
        for step in steps
        if makers[step.commit.id] and not _exact(step, makers[step.commit.id])
    ]
    ids = sorted({made.id for step in unsure for made in makers[step.commit.id]})
    existing = list(code_commits.commits(place, ids).values())
    before = {
        id_: next((commit for commit in existing if commit.id.startswith(id_)), None) for id_ in ids
    }
    patches = _patches(place, unsure, [commit for commit in before.values() if commit])
    found: dict[str, dict[str, str]] = {}
    for step in unsure:
        for made in makers[step.commit.id]:
            if why := _why_same(step.commit, made, before[made.id], patches):
                found.setdefault(step.commit.id, {})[made.id] = why
    return found


def _running(catalog: Catalog, commit: Commit) -> list[Span]:
    first, last = sorted((commit.authored, commit.committed))
    return touched.running(catalog.execute, (first - LATE) * 1000, (last + 60) * 1000)


def _exact(step: Step, makers: Iterable[Made]) -> bool:
    return any(step.commit.id.startswith(made.id) for made in makers)


def _patches(place: Place, steps: Sequence[Step], before: Sequence[Commit]) -> dict[str, str]:
    changed = {path for step in steps for path in step.commit.paths}
    alike = [commit.id for commit in before if changed & set(commit.paths)]
    return (
        code_commits.patch_ids(place, sorted({*alike, *(step.commit.id for step in steps)}))
        if alike
        else {}
    )


def _why_same(commit: Commit, made: Made, before: Commit | None, patches: Mapping[str, str]) -> str:
    if before is None:
        close = made.at is not None and -2 <= made.at / 1000 - commit.authored <= _MOMENT
        return "its commit is gone, and this one was authored at the same time" if close else ""
    if before.id == commit.id:
        return ""
    if (before.authored, before.author) == (commit.authored, commit.author):
        return "rebased or amended since"
    if before.id in patches and patches[before.id] == patches.get(commit.id):
        return "both make the same change"
    return ""


def _cited(memories: Iterable[Memory], names: set[str]) -> Iterator[Cited]:
    for memory in memories:
        paths = tuple(anchor.path for anchor in memory.anchors)
        if names.intersection(paths):
            for source in memory.sources:
                at = int(source.at.timestamp()) if source.at else None
                yield Cited(
                    agent=source.agent,
                    session=source.session,
                    at=at,
                    commit=source.commit,
                    paths=paths,
                )
