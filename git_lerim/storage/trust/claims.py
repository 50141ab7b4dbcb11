"""Name whoever committed the claim of a handoff as its claimer, whatever the file says.

The answer for each version of a handoff is cached; the cache can be deleted.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import groupby

from git_lerim import private_files
from git_lerim.errors import LerimError
from git_lerim.git import refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line
from git_lerim.memories.handoff import Claim, claimer, details, with_details
from git_lerim.memories.memory import Memory, Primitive
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.provenance.introduced import Introduced, put_by

NAME = "claims.json"


class Claims:
    """The claims of one repository's handoffs."""

    def __init__(self, place: Place, objects: Objects, below: str = "") -> None:
        """Prepare without reading anything; `below` is the store's folder, ending in a slash."""
        self._place = place
        self._objects = objects
        self._below = below
        self._logs: dict[str, list[Introduced]] = {}  # by commit

    def credited(
        self, path: str, blob: str, memory: Memory, tip: Callable[[], str | None]
    ) -> Memory:
        """Return a memory; a claimed handoff names whoever committed the claim as its claimer.

        `tip` returns the commit whose history is searched; it is called only for a claimed handoff.
        """
        claim = _claim_of(memory)
        if claim is None or (view := tip()) is None:
            return memory
        if blob not in self._known:
            with suppress(LerimError):  # a partial clone lacks old versions
                if made_by := self._made_by(view, path, claim):
                    self._known[blob] = made_by
                    self._save()
        who = self._known.get(blob, claim.who)
        if who == claim.who:
            return memory
        return with_details(
            memory, replace(details(memory), claimed_by=replace(claim, who=claimer(who)))
        )

    def _made_by(self, view: str, path: str, claim: Claim) -> str:
        """Return the claimer if they made the commit with the claim, else that commit's author.

        Return an empty string if no commit added the claim.
        """
        for commit, group in groupby(self._versions(view, path), key=lambda each: each.commit):
            files = list(group)
            old = {blob for each in files for blob in each.old}
            if self._claim(files, claim) and not any(self._has(blob, claim) for blob in old):
                names = self._names(commit)
                return claim.who if not names or claim.who in names else names[0]
        return ""

    def _claim(self, files: list[Introduced], claim: Claim) -> bool:
        return any(self._has(each.new, claim) for each in files)

    def _has(self, blob: str, claim: Claim) -> bool:
        found = read_blob(self._objects, blob) if blob else None
        return isinstance(found, Memory) and _claim_of(found) == claim

    def _versions(self, view: str, path: str) -> Iterator[Introduced]:
        """Yield the versions of a handoff, newest first; the log is read once for all handoffs."""
        if view not in self._logs:
            self._logs[view] = list(put_by(self._place, view, ["handoffs"], self._below))
        return (each for each in self._logs[view] if key_of(each.path) == key_of(path))

    def _names(self, commit: str) -> list[str]:
        """Return a commit's author and committer; none at the boundary of a shallow clone."""
        if commit in refs.shallow(self._place.common_dir):
            return []
        form = "--format=%an <%ae>%x00%cn <%ce>"
        said = git_line(
            self._place.git("log", "-1", "--no-show-signature", form, commit),
            cwd=self._place.git_dir,
        )
        return [claimer(name) for name in said.split("\0")] if said else []

    @cached_property
    def _known(self) -> dict[str, str]:
        """The person who made the claim in each version of a handoff, keyed by blob."""
        with suppress(OSError, ValueError, TypeError, AttributeError):
            raw = private_files.read_json(self._place.own_dir / NAME)
            return {str(blob): str(who) for blob, who in raw.items()}
        return {}

    def _save(self) -> None:
        with suppress(OSError):
            private_files.replace(self._place.own_dir / NAME, json.dumps(self._known))


def _claim_of(memory: Memory) -> Claim | None:
    return details(memory).claimed_by if memory.primitive is Primitive.HANDOFF else None
