"""Let a person edit a text in git's editor."""

import click

from git_lerim.errors import Declined


def edited(text: bytes, editor: str | None) -> bytes | None:
    """Open a text in an editor; return the saved text, or None if it was not saved, or was emptied.

    Raises Declined if the editor fails.
    """
    try:
        saved = click.edit(text, editor=editor, extension=".md", require_save=True)
    except click.ClickException as error:
        raise Declined(
            f"the editor failed ({error.message}); nothing was changed",
            hint="to use another editor, set GIT_EDITOR or core.editor",
        ) from error
    return saved if saved and saved.strip() else None
