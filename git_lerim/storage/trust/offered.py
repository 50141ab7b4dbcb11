"""Find the files of a store that are the user's own because the user's proposal wrote them."""

from collections.abc import Callable, Collection, Iterator

from git_lerim.git import own_refs
from git_lerim.git.engines.trees import TreeEntry
from git_lerim.git.repo import Place
from git_lerim.storage.trust import accepted as own
from git_lerim.storage.trust.selection import Selection

Entries = dict[str, TreeEntry | None]  # by path


class Offered:
    """What the user's own proposal wrote."""

    def __init__(
        self, place: Place, selection: Selection, proposal: Callable[[], str | None]
    ) -> None:
        """Prepare without reading anything yet; `proposal` returns the proposal's branch."""
        self._place = place
        self._selection = selection
        self._proposal = proposal
        self._wrote: dict[str, list[TreeEntry | None]] | None = None  # see `versions`

    def forget(self) -> None:
        """Forget what was read of the proposal, so that it is read again when needed."""
        self._wrote = None

    def versions(self, accepted: str) -> dict[str, list[TreeEntry | None]]:
        """Map each path that the proposal wrote to the versions written there, oldest first."""
        if self._wrote is None:
            name, objects = self._proposal(), self._selection.objects
            self._wrote = own.proposed(self._place, objects, accepted, name) if name else {}
        return self._wrote

    def in_view(self, accepted: str, view: str) -> Entries:
        """Return the files of a view, by path, that are as the proposal wrote them.

        A file must be the last version that the proposal wrote at its path or, if nothing was
        accepted there yet, any version. Where the view has the work of others, an unaccepted file
        of the proposal is returned instead.
        """
        wrote = self.versions(accepted)
        found: Entries = {}
        others: set[str] = set()
        for path, now in self._selection.differing(accepted, view) if wrote else ():
            versions = wrote.get(path, [])
            if now in (
                versions if now and not self._selection.blob(accepted, path) else versions[-1:]
            ):
                found[path] = now
            elif now:
                others.add(own.key_of(path))
        return {**dict(self._waiting(accepted, others)), **found} if others else found

    def left(self, accepted: str, new: str) -> Entries:
        """Return the proposal's unaccepted files, by path, that are missing or changed at `new`."""
        waiting = self._waiting(accepted, None) if self.versions(accepted) else ()
        return {
            path: entry
            for path, entry in waiting
            if self._selection.objects.entry_at(new, path) != entry
        }

    def _waiting(
        self, accepted: str, keys: Collection[str] | None
    ) -> Iterator[tuple[str, TreeEntry]]:
        """Yield the unaccepted files that the proposal added and still has.

        With `keys`, only the files of these memories are yielded.
        """
        objects, branch = self._selection.objects, f"refs/heads/{self._proposal()}"
        tip = own_refs.readable(objects, objects.ref(branch))
        if tip is None:
            return
        for path, versions in self.versions(accepted).items():
            plain, entry = path.removeprefix("archived/"), versions[-1]
            if (
                entry
                and (keys is None or own.key_of(path) in keys)
                and objects.entry_at(tip, path) == entry
                and not any(
                    self._selection.blob(accepted, each) for each in (plain, f"archived/{plain}")
                )
            ):
                yield path, entry
