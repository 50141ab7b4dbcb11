"""Which memories maintenance may change at all."""

from git_lerim.memories.memory import Memory, Primitive, Status


def may_change(memory: Memory) -> bool:
    """Tell whether maintenance may change a memory: nobody protected, edited, or archived it."""
    is_kept = memory.primitive in {Primitive.DECISION, Primitive.LEARNING}
    return (
        is_kept
        and not memory.protected
        and memory.edited is None
        and memory.status is not Status.ARCHIVED
    )
