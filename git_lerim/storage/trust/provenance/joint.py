"""Tell whether several people wrote a memory, so that no one of them is "the user" in its text."""

from git_lerim.git.commits.author_names import named
from git_lerim.git.repo import Place
from git_lerim.memories.authors import SOMEBODY, in_their_name
from git_lerim.memories.memory import Memory
from git_lerim.storage.trust.provenance.introduced import put_by
from git_lerim.storage.trust.provenance.last_writers import Author


def is_joint(place: Place, tip: str, path: str, memory: Memory, author: Author) -> bool:
    """Return whether a memory says what "the user" did, and others wrote it before its author.

    Git is asked only if it matters. A memory whose file was renamed counts as written by several.
    """
    text = f"{memory.title}\n{memory.body}"
    if not author.rewrote or in_their_name(text, SOMEBODY) == text:
        return False
    put = [*put_by(place, tip, [path])]
    return any(named(each.author) != author.name for each in put) or not any(
        each.commit != author.commit for each in put
    )
