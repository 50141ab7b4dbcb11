"""Bring memories into their normal form, in which equal memories have identical files."""

from git_lerim.memories.format.unknown import Unknown
from git_lerim.memories.memory import COLUMNS, Memory

_CLEAN = [(each.name, each.form.clean) for each in COLUMNS]


def clean(memory: Memory) -> Memory:
    """Return a memory in normal form: visible text, UTC in whole seconds, sorted sets.

    For every memory, `parse(render(m)) == clean(m)`, and clean(clean(m)) == clean(m). Two memories
    in normal form are equal if and only if their files are.
    """
    return Memory(
        **{name: form(getattr(memory, name)) for name, form in _CLEAN},
        unknown=Unknown.of(memory.unknown),
    )
