"""The commit by which a person or an agent edits, archives, restores or protects memories."""

from collections.abc import Sequence

from git_lerim.actions.feedback_reasons import REASON
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage.base import Change
from git_lerim.tokens import clip


def commit_of(
    operation_name: str,
    reason: str,
    files: dict[str, bytes | None],
    changed: Sequence[Memory],
    touched: Sequence[Memory],
) -> Change:
    """Return the change whose message names memories: those changed or, if none is, all touched."""
    # without a change, the commit holds the user's uncommitted edits of these memories
    named = changed or touched
    counting = [each for each in named if each.primitive is not Primitive.SUMMARY] or named
    what = counting[0].title if len(counting) == 1 else f"{len(counting)} memories"
    command = operation_name
    if operation_name == "protect" and not named[0].protected:
        command = "protect --off"
    archived = {each.id for each in changed if each.status is Status.ARCHIVED}
    return Change(
        files=files,
        subject=clip(f"{command}: {what}", 72),
        body="\n".join(
            f"{'-' if each.id in archived else '~'} {each.id} {each.title}" for each in named
        )
        + (f"\n\n{REASON}{reason}" if reason else ""),
        trailers=(
            ("Lerim-Op", operation_name),
            *(
                ("Lerim-Archived" if each.id in archived else "Lerim-Changed", each.id)
                for each in changed
            ),
        ),
    )
