"""Decide which memories maintenance may change."""

from git_lerim.memories.memory import Memory, Primitive, Status


def may_change(memory: Memory) -> bool:
    """Return whether maintenance may change a memory.

    It may change decisions and learnings that are not protected, edited or archived.
    """
    is_kept = memory.primitive in {Primitive.DECISION, Primitive.LEARNING}
    return (
        is_kept
        and not memory.protected
        and memory.edited is None
        and memory.status is not Status.ARCHIVED
    )
