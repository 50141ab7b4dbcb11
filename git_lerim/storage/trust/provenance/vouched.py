"""Find which versions of files come from commits whose signature git verifies."""

from collections.abc import Callable, Collection, Iterable
from itertools import groupby
from typing import TypeAlias

from git_lerim.git import refs
from git_lerim.git.commits.verify_signatures import Verifying
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.provenance.introduced import Introduced, introduced

# path and blob → the verified commit that introduced this version, or an empty string
Verdicts: TypeAlias = dict[tuple[str, str], str]


def vouched(  # noqa: PLR0913, PLR0917
    place: Place,
    objects: Objects,
    verifying: Verifying,
    span: tuple[str, str | None],
    stood: Callable[[str], str],
    ours: Collection[str],
) -> Verdicts:
    """Map each version in a range of commits to the verified commit that introduced it.

    An unverified version maps to an empty string. `span` is the tip and the commit before the
    range; `stood` returns the blob that was trusted at a path before; `ours` are the commits made
    here, whose signatures do not count for changes to an untrusted version. Commits at the boundary
    of a shallow clone do not count as verified.
    """
    found = list(introduced(place, *span))
    good = verified(place, verifying, [each.commit for each in found])
    verdicts: Verdicts = {}
    for commit, group in groupby(found, key=lambda each: each.commit):
        files = list(group)
        unclean = {
            key_of(each.path)
            for each in files
            if (len(each.old) > 1 or commit in ours) and not _is_clean(each, verdicts, stood)
        }
        for each in files:
            pair = (each.path, each.new)
            if commit in good and key_of(each.path) not in unclean:
                verdicts[pair] = commit
            elif not verdicts.get(pair) or objects.descends(
                commit, verdicts[pair]
            ):  # otherwise the two are on different lines of history
                verdicts[pair] = ""
    return verdicts


def verified(place: Place, verifying: Verifying, commits: Iterable[str]) -> set[str]:
    """Return the verified ones of some commits, except those at the boundary of a shallow clone."""
    return verifying.among(dict.fromkeys(commits)) - refs.shallow(place.common_dir)


def _is_clean(each: Introduced, verdicts: Verdicts, stood: Callable[[str], str]) -> bool:
    """Return whether a merge or a commit made here is based only on trusted versions."""
    return all(verdicts.get((each.path, old)) or old == stood(each.path) for old in each.old if old)
