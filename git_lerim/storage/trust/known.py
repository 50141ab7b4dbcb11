"""Accept new versions of files whose previous versions were accepted."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, TreeEntry, Trees
from git_lerim.git.repo import Place
from git_lerim.memories import naming
from git_lerim.memories.handoff import unclaimed, with_place_of
from git_lerim.memories.memory import Memory, Primitive
from git_lerim.memories.plain_tags import is_plain
from git_lerim.storage.base import Stored
from git_lerim.storage.history.past import key
from git_lerim.storage.layout import is_archived
from git_lerim.storage.sharing.tree_diff import TreeChange
from git_lerim.storage.trust.by_key import path_in
from git_lerim.storage.trust.marks import MIXED, SHARED, changed_ids, edit_in
from git_lerim.storage.trust.provenance.authors import author_mail
from git_lerim.storage.trust.provenance.introduced import Introduced, has_had
from git_lerim.storage.trust.provenance.same_words import (
    both,
    only_edited_again,
    say_the_same,
    unmarked,
)
from git_lerim.storage.verdicts import is_by, recorded, without_forged

# what of a memory others can change so that it stays the user's, and is shown as the user left it
_DETAILS = (
    "created",
    "suspect",
    "confidence",
    "sources",
    "anchors",
    "supersedes",
    "merged_from",
    "worth",
    "origin",
    "unknown",
    "tags",  # but see `_with_plain_tags`
)


def is_still_own(place: Place, objects: Objects, id_: str, mine: str, now: str) -> bool:
    """Return whether a version says what the user's own version says, and forges nothing.

    It may be restored by others, but neither their feedback nor their edit may name the user.
    `mine` and `now` are blobs, and `id_` is the memory's key.
    """
    found = both(objects, mine, now)
    if found is None:
        return False
    before, after = found
    edited = after.edited
    if _is_handoff(before):  # it is shown with the user's date, by which it expires
        own = _with_own(place, id_, before, after, _DETAILS[:1])
    elif edited and edited != before.edited and not is_by(edited.by, author_mail(place)):
        own = _with_own(place, id_, before, unmarked(before, after), ())
    else:
        own = _with_own(place, id_, before, after, ())
    return own is not None and own.feedback == after.feedback


def in_own_details(place: Place, objects: Objects, id_: str, mine: str, now: str) -> Memory | None:
    """Return a version with the user's own details, if others changed no more of the memory.

    Verdicts that they forged in the user's name are left out. A handoff may be claimed by others,
    too.
    """
    found = both(objects, mine, now)
    if found is None:
        return None
    before, after = found
    if _is_handoff(before):
        placed = with_place_of(after, before)
        own = _with_own(place, id_, unclaimed(before), unclaimed(placed), _DETAILS[:2])
        return own and placed.having(created=own.created, updated=own.updated, suspect=own.suspect)
    own = _with_own(place, id_, before, after, (*_DETAILS, "edited"))
    return own and _with_plain_tags(own, after)


def is_tagged(
    place: Place, objects: Objects, known: Collection[tuple[str, str]], item: Stored
) -> bool:
    """Return whether a version is one of the user's own, which others only tagged or edited.

    `known` has the path and the blob of each of the user's versions.
    """
    id_ = key(item.path)
    mine = (blob for path, blob in known if naming.valid_path(path) and key(path) == id_)
    found = (in_own_details(place, objects, id_, blob, item.blob) for blob in mine)
    now = item.memory.having(edited=None)
    return any(own and own.having(updated=now.updated, edited=None) == now for own in found)


def _with_plain_tags(own: Memory, after: Memory) -> Memory:
    """Return the user's memory with the tags of others, unless one could be a sentence."""
    added = set(after.tags).difference(own.tags)
    return own.having(tags=after.tags) if all(map(is_plain, added)) else own


def _with_own(
    place: Place, id_: str, before: Memory, after: Memory, names: Iterable[str]
) -> Memory | None:
    """Return `after` with some fields of `before`, or None if it says something else then.

    Verdicts that others forged in the user's name are left out.
    """
    own = after.having(**{name: getattr(before, name) for name in names})
    if not say_the_same(before, own):
        return None
    if not set(after.feedback) <= set(before.feedback):
        given = (*before.feedback, *recorded(place, id_))
        known = without_forged(after.feedback, author_mail(place), given, is_own=True)
        own = own.having(feedback=known)
    return own.having(updated=before.updated)


def _is_handoff(memory: Memory) -> bool:
    return memory.primitive is Primitive.HANDOFF


def says_again(objects: Trees, new: str, mine: str) -> bool:
    """Return whether a version differs from the user's only in its dates, editor or claim."""
    if only_edited_again(objects, new, mine):
        return True
    now, was = both(objects, new, mine) or (None, None)
    return (
        now is not None
        and was is not None
        and now.primitive is was.primitive is Primitive.HANDOFF
        and unclaimed(now).having(updated=was.updated, last_accessed=was.last_accessed)
        == unclaimed(was)
    )


class Known:
    """The accepted files, including those being added."""

    def __init__(
        self,
        place: Place,
        objects: Objects,
        commit: str | None,
        changed: dict[str, TreeEntry | None],
    ) -> None:
        """Start with the accepted files in a commit; the files in `changed` override them."""
        self._place = place
        self._objects = objects
        self._commit = commit
        self.changed = changed

    def blob(self, path: str) -> str:
        """Return the accepted version of the memory at a path, or an empty string."""
        if path in self.changed:
            found = self.changed[path]
        elif self._commit:
            known = path_in(self._objects, self._commit, path)
            found = self._objects.entry_at(self._commit, known)
        else:
            found = None
        return found.id if found else ""

    def of_gone_branch(self, each: TreeChange, before: str | None) -> str:
        """Return the accepted version of a new file that comes from a deleted branch.

        Return an empty string if there is none, or if the history of `before`, the commit that the
        file was added to, already had the memory: others may have changed it there.
        """
        version = self.blob(each.path)
        if version and before and has_had(self._place, before, key(each.path)):
            return ""
        return version

    def is_shared(self, path: str) -> bool:
        """Return whether others wrote the accepted version at a path."""
        return bool(self.blob(f"{SHARED}/{key(path)}"))

    def holds(self, path: str, blob: str) -> bool:
        """Return whether a version is accepted, or still the user's own."""
        return self.blob(path) == blob or self.is_own(path, blob)

    def is_own(self, path: str, blob: str) -> bool:
        """Return whether a version is the user's own; others may have used, rated or claimed it."""
        if self.is_shared(path):
            return False
        own = self.in_own_details(path, blob)
        return own is not None and (
            _is_handoff(own)
            or is_still_own(self._place, self._objects, key(path), self.blob(path), blob)
        )

    def in_own_details(self, path: str, blob: str) -> Memory | None:
        """Return a version as the user left it, if others changed only details of it."""
        if self.is_shared(path):
            return None
        return in_own_details(self._place, self._objects, key(path), self.blob(path), blob)

    def with_own_details(
        self, items: Mapping[str, Stored], ids: Collection[str]
    ) -> Mapping[str, Stored]:
        """Return stored items by id; those of `ids` as the user left them, where they may be."""
        mine = {
            id_: replace(item, memory=memory)
            for id_ in ids
            if (item := items.get(id_)) and (memory := self.in_own_details(item.path, item.blob))
        }
        return {**items, **mine} if mine else items

    def restores_details(self, each: Introduced, old: str) -> bool:
        """Return whether a version has the user's own details, which others changed in `old`."""
        found = both(self._objects, self.blob(each.path), each.new)
        return (
            found is not None
            and all(
                getattr(found[0], name) == getattr(found[1], name)
                for name in _DETAILS
                if name != "tags"  # the user keeps those of others
            )
            and with_place_of(found[1], found[0]) == found[1]
            and self.in_own_details(each.path, old) is not None
        )

    def has(self, each: Introduced) -> bool:
        """Return whether a new version says what the accepted one says."""
        return says_again(self._objects, each.new, self.blob(each.path))

    def mark_changed(self, files: Iterable[Introduced]) -> None:
        """Mark the memories that both others and the user changed; a mark holds the user's edit."""
        files = list(files)
        for id_ in changed_ids(self._objects, files):
            versions = [each for each in files if key(each.path) == id_]
            edit = edit_in(self._objects, versions)
            if not edit and self.blob(f"{MIXED}/{id_}"):
                continue
            blob = self._objects.write_blob(edit)
            self.changed[f"{MIXED}/{id_}"] = TreeEntry(id_.encode(), FILE, blob)


def take(known: Known, files: list[Introduced]) -> list[str]:
    """Accept those of a commit's files whose previous versions were accepted; return their paths.

    So neither editing somebody else's memory nor merging two versions accepts the result, unless it
    is the accepted text again.
    """
    files = _renamed(files)
    waiting = {
        key(each.path)
        for each in files
        if len(each.old) > 1
        or any(
            not known.holds(each.path, old) and not known.restores_details(each, old)
            for old in each.old
        )
    }
    waiting &= {
        key_ for each in files if (key_ := key(each.path)) in waiting and not known.has(each)
    }
    # a write beside details that others changed leaves the memory the user's, but not these details
    beside = {key(each.path) for each in files if known.in_own_details(each.path, each.new)}
    known.mark_changed(
        each for each in files if key(each.path) in waiting - beside or known.is_shared(each.path)
    )
    taken = [each for each in files if key(each.path) not in waiting]
    for each in taken:
        name = each.path.rpartition("/")[2].encode()
        known.changed[each.path] = TreeEntry(name, each.mode, each.new) if each.new else None
    return [each.path for each in taken]


def _renamed(files: list[Introduced]) -> list[Introduced]:
    """Return a commit's files; one added where the memory's old file is deleted is a rename."""
    gone = {_place_of(each): each.old for each in files if not each.new}
    return [
        replace(each, old=gone.get(_place_of(each), each.old)) if not any(each.old) else each
        for each in files
    ]


def _place_of(each: Introduced) -> tuple[str, bool]:
    """Return a memory's key, and whether it is archived: archiving a memory is no rename."""
    return key(each.path), is_archived(each.path)
