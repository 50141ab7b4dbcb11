"""The report on sessions that match no repository, with folders to suggest for them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from git_lerim.git.fast_repo import find_repo
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, State
from git_lerim.sessions.scope import comparable, digest_of, is_below, normal_remote
from git_lerim.setting_values import adoptable


class Mismatch(NamedTuple):
    """The sessions that ran in a work tree of this repository, but recorded other remotes."""

    tree: str
    sessions: int
    remotes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscoped:
    """A run's report on sessions that match no repository."""

    sessions: int
    is_news: bool = False
    folders: tuple[str, ...] = ()  # if it is news
    names: Mapping[str, str] = field(default_factory=dict)  # folders by their digests
    mismatches: tuple[Mismatch, ...] = ()  # if it is news


def report_unscoped(
    catalog: Catalog, just_read: Iterable[tuple[str, str]], trees: Iterable[str]
) -> Unscoped:
    """Report how many sessions match no repository, and what to suggest for them.

    `trees` are this repository's work trees. Nothing is suggested if the repository has sessions
    and all of those just read match a repository, or if the suggestions would be the same as last
    time.
    """
    found = catalog.entries("state = ?", (State.UNSCOPED,))
    ours = catalog.counts().keys() - {State.UNSCOPED, State.ELSEWHERE, State.EMPTY}
    if ours and not {(entry.agent, entry.id) for entry in found} & set(just_read):
        return Unscoped(sessions=len(found))
    mismatches, rest = split_mismatches(found, trees)
    names = names_of_digests(catalog, rest)
    places = folders(rest, names)
    news = [*places, *_placeless(rest), *map(repr, mismatches)]
    if not found or not catalog.is_news("unscoped", "\n".join(news)):
        return Unscoped(sessions=len(found))
    return Unscoped(
        sessions=len(found),
        is_news=True,
        folders=tuple(places),
        names=names,
        mismatches=tuple(mismatches),
    )


def split_mismatches(
    entries: Iterable[Entry], trees: Iterable[str]
) -> tuple[list[Mismatch], list[Entry]]:
    """Separate the sessions that ran in a work tree of this repository, by tree, from the others.

    Sessions that recorded no remote count among the others.
    """
    inside: dict[str, list[Entry]] = {}
    others = []
    known = sorted(filter(adoptable, trees), key=len, reverse=True)  # the innermost first
    for entry in entries:
        tree = next((t for t in known for place in entry.places if _is_in(place, t)), None)
        if tree and entry.header.remote:
            inside.setdefault(tree, []).append(entry)
        else:
            others.append(entry)
    return [
        Mismatch(tree, len(held), tuple(sorted({entry.header.remote for entry in held})))
        for tree, held in inside.items()
    ], others


def _placeless(entries: Sequence[Entry]) -> list[str]:
    """Return the names of sessions for which no folder can be suggested."""
    return sorted(entry.name for entry in entries if not any(map(adoptable, entry.places)))


def names_of_digests(catalog: Catalog, entries: Iterable[Entry]) -> dict[str, str]:
    """Map each digest of a folder to the folder's path, if a session in the catalog has the path.

    Older versions of Gemini CLI record a folder only as a digest.
    """
    digests = {place for entry in entries for place in entry.places if place.startswith("sha256:")}
    known = {place for entry in catalog.entries() for place in entry.places} if digests else set()
    return {digest: place for place in known if (digest := digest_of(place)) in digests}


def folders(entries: Sequence[Entry], names: Mapping[str, str]) -> list[str]:
    """Return folders to suggest for lerim.repositoryPath, those with the most sessions first.

    Of nested folders, return only the outermost, because files are named relative to a repository.
    A folder with sessions of several remotes cannot be one repository, so its subfolders are
    returned instead. A folder in another repository is left out, because its sessions belong to
    that repository. A digest whose folder is in `names` is left out if sessions also name that
    folder, or if the folder is in another repository.
    """
    remotes: dict[str, set[str]] = {}
    count: Counter[str] = Counter()
    for entry in entries:
        for place in filter(adoptable, entry.places):
            count[place] += 1
            remotes.setdefault(place, set()).update(
                {normal_remote(entry.header.remote)} if entry.header.remote else ()
            )
    places = [
        place
        for place in count
        if len(_inside(place, remotes)) < 2
        and not _in_repository(names.get(place, place))
        and names.get(place) not in count
    ]
    outermost = [place for place in places if not any(_holds(other, place) for other in places)]
    sums = {
        place: sum(n for other, n in count.items() if other == place or _holds(place, other))
        for place in outermost
    }
    return sorted(outermost, key=lambda place: (-sums[place], place))


def _in_repository(place: str) -> bool:
    """Return whether a folder is in a repository.

    A repository whose root is the home folder does not count.
    """
    found = find_repo(place)
    return found is not None and Path(found[0]) != Path.home()


def _inside(place: str, remotes: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the remotes of all sessions in or below a folder."""
    return {
        remote
        for other, known in remotes.items()
        if other == place or _holds(place, other)
        for remote in known
    }


def _holds(outer: str, inner: str) -> bool:
    return comparable(outer) != comparable(inner) and _is_in(inner, outer)


def _is_in(place: str, folder: str) -> bool:
    return is_below(comparable(place), comparable(folder))
