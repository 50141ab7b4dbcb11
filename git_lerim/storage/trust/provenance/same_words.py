"""Tell whether a new version of a memory says what the old one says, so that its author stays."""

import re

from git_lerim.errors import LerimError
from git_lerim.git.engines.trees import Trees
from git_lerim.memories.feedback import RETRACTED
from git_lerim.memories.handoff import unclaimed
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.plain_tags import is_plain
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.other_texts import beside
from git_lerim.storage.verdicts import is_by

RETIRED = {Status.ARCHIVED, Status.SUPERSEDED}
# a name of a file, or a person with a short name
_PLAIN = re.compile(r"[\w.+#-]{1,30}|\S{1,30}(?: \S{1,30})? <\S{1,80}>|")


def both(objects: Trees, one: str, other: str) -> tuple[Memory, Memory] | None:
    """Return the memories in two blobs, or None if one is missing or is not a memory."""
    if not (one and other):  # reading may load libgit2
        return None
    try:
        was, now = (read_blob(objects, blob) for blob in (one, other))
    except LerimError:  # a partial clone lacks old versions
        return None
    return (was, now) if isinstance(was, Memory) and isinstance(now, Memory) else None


def say_the_same(was: Memory, now: Memory) -> bool:
    """Return whether two versions of a memory say the same.

    They may differ in their use, confidence, protection, feedback, and relations to other memories.
    """
    return _words(was) == _words(now)


def unmarked(was: Memory, now: Memory) -> Memory:
    """Return a new version of a memory without the marks of restoring: an editor, and no worth."""
    return now.having(edited=was.edited, worth=was.worth if now.worth is None else now.worth)


def keeps_author(objects: Trees, old: str, new: str, mail: str) -> bool:
    """Return whether the person with this address changed no word in a new version of a memory.

    Archiving, restoring or tagging a memory changes no word, nor does claiming a handoff. A new
    text in any other field counts as a change, unless it is too plain to be a sentence, and so does
    feedback in somebody else's name.
    """
    found = both(objects, old, new)
    if found is None:
        return False
    was, now = map(unclaimed, found)
    if not all(map(_PLAIN.fullmatch, _parts(now) - _parts(was))) or not all(
        map(is_plain, set(now.tags).difference(was.tags))
    ):
        return False
    now = now.having(tags=was.tags, anchors=was.anchors, unknown=was.unknown)
    if not say_the_same(was, unmarked(was, now).having(status=was.status)):
        return False
    given = (row for row in now.feedback if row not in was.feedback)
    return all(is_by(row.author, mail) and row.verdict != RETRACTED for row in given)


def _parts(memory: Memory) -> set[str]:
    """Return the texts of a memory besides its title and body; those of a path are its names."""
    return {part for text in beside(memory) for part in text.split("/")}


def retires_or_restores(objects: Trees, old: str, new: str) -> bool:
    """Return whether a new version takes a memory out of use, or takes that back."""
    found = both(objects, old, new)
    return found is not None and len({each.status is Status.ACTIVE for each in found}) == 2


def hands_out_nothing_new(objects: Trees, old: str, new: str) -> bool:
    """Return whether a new version says the same, though it may be archived or superseded."""
    found = both(objects, old, new)
    if found is None:
        return False
    was, now = found
    if now.status in RETIRED:
        was = was.having(status=now.status)
    return say_the_same(was, now)


def keeps_words(objects: Trees, old: str, new: str) -> bool:
    """Return whether two blobs are memories that say the same."""
    found = both(objects, old, new)
    return found is not None and say_the_same(*found)


def keeps_text(objects: Trees, old: str, new: str) -> bool:
    """Return whether two blobs are memories with the same title and body."""
    found = both(objects, old, new)
    return found is not None and len({(each.title, each.body) for each in found}) == 1


def only_used(objects: Trees, old: str, new: str) -> bool:
    """Return whether two blobs are memories that differ only in the date of last use."""
    found = both(objects, old, new)
    return found is not None and found[0].having(last_accessed=found[1].last_accessed) == found[1]


def only_edited_again(objects: Trees, one: str, other: str) -> bool:
    """Return whether two blobs are the same, or memories that differ only in dates and editor.

    The memory in `one` may also lack the worth of the one in `other`, as after restoring it.
    """
    now, was = both(objects, one, other) or (None, None)
    return one == other or (
        now is not None and was is not None and _timeless(unmarked(was, now)) == _timeless(was)
    )


def _timeless(memory: Memory) -> Memory:
    return memory.having(updated=memory.created, last_accessed=None)


def _words(memory: Memory) -> Memory:
    return memory.having(
        updated=memory.created,
        last_accessed=None,
        confidence=0,
        protected=False,
        feedback=(),
        related=(),
        compared=(),
    )
