"""`git lerim edit`: change a memory by options or in an editor."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from git_lerim import private_files
from git_lerim.actions import edit_memory
from git_lerim.actions.listing import find_memory
from git_lerim.actions.mistrust import refuse_to_read, titles
from git_lerim.commands.editor import edited as in_editor
from git_lerim.commands.ids import id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    can_ask,
    confirm,
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)
from git_lerim.commands.written import print_changed, propose_option, written_options
from git_lerim.errors import BadMemory, Declined, LerimError, UsageError
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.format.body import without_title
from git_lerim.memories.memory import Kind, Memory, Primitive
from git_lerim.memories.retitled import retitled
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_HEAD = b"---\n"  # begins and ends the front matter
_COMMENTS = b"""\
# Change the title, the kind, the tags, and the text below the next line of dashes.
# Lines up to there that begin with # are removed. An unchanged or empty file changes nothing.
"""
_READ = 1 << 20  # characters: far more than a memory holds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options of `git lerim edit`, which say what to change in a memory."""

    title: str | None
    body: str | None
    kind: str | None
    tags: tuple[str, ...]
    no_tags: bool

    def is_given(self) -> bool:
        """Return whether any option asks for a change."""
        return bool(self.title or self.tags or self.no_tags or self.kind or self.body is not None)

    def apply(self, memory: Memory) -> Memory:
        """Return a memory with the changes that the options ask for."""
        if self.kind and memory.primitive is not Primitive.LEARNING:
            raise UsageError(f"a {memory.primitive} has no kind", hint="leave out --kind")
        memory = retitled(memory, self.title or memory.title)
        return replace(
            memory,
            body=memory.body if self.body is None else self.body,
            tags=() if self.no_tags else self.tags or memory.tags,
            kind=Kind(self.kind) if self.kind else memory.kind,
        )


@verb()
@id_argument("id_", "ID")
@click.option("--title", metavar="LINE", help="New title.")
@click.option("--body", metavar="TEXT|-", help="New text; - reads it from stdin.")
@click.option(
    "--kind", type=click.Choice([k.value for k in Kind]), help="New kind (learnings only)."
)
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    help="Replace all tags; can be repeated.",
)
@click.option("--no-tags", is_flag=True, help="Remove all tags.")
@propose_option
@written_options
@personal_option
@json_option
def command(*, id_: str, personal: bool, as_json: bool, **options: Any) -> None:
    """Edit a memory with options, or in your editor if none are given.

    Sync never overwrites your edits.
    """
    asked = _Asked(**options)
    if asked.tags and asked.no_tags:
        raise UsageError(
            "--tag and --no-tags cannot be combined",
            hint="--tag alone replaces all tags",
        )
    ws = opened(personal=personal)
    if asked.body == "-":
        asked = replace(asked, body=sys.stdin.read(_READ))
    changed = edit_memory.edit(ws, id_, asked.apply) if asked.is_given() else _in_editor(ws, id_)
    memory = changed.memories[0]
    if as_json:
        (title,) = titles(ws, changed.memories)
        told = {"commit": changed.commit, "redactions": changed.redactions}
        data_json({"id": memory.id, "title": title, **told})
        return
    print_changed(ws, changed.memories)
    if changed.commit and changed.redactions:
        say(f"redacted {counted(changed.redactions, 'secret')}")
    if changed.commit is None:
        say("nothing changed")
    elif asked.body and not asked.title and memory.title != naming.title_from(memory.body):
        say(f"the title is unchanged; to change it: {_verb(ws, memory.id)} --title LINE")
    elif asked.title and asked.body is None and without_title(memory.title, memory.body):
        say(f"the text below the title is unchanged; to change it: {_verb(ws, memory.id)}")


def _verb(ws: Workspace, id_: str) -> str:
    """Return the command that edits a memory in the same store again."""
    return f"git lerim edit{' --personal' if ws.personal else ''} {id_}"


def _in_editor(ws: Workspace, prefix: str) -> edit_memory.Changed:
    """Let the user edit a memory in an editor until it is valid, or until they give up.

    After a mistake, the user can go on editing the draft, also in a later run.
    """
    editor = _editor(ws)
    item = find_memory(ws.store.snapshot(), prefix)
    refuse_to_read(ws, item)
    drafts = _saved(ws, item.memory.id)
    saved = len(drafts)
    read: list[tuple[Memory, Memory]] = []  # what the editor was opened with, and what came of it

    def edited(memory: Memory) -> Memory:
        if read and read[-1][0] != memory:  # changed by somebody else while the editor was open
            say("the memory changed meanwhile; both changes are kept")
            return edit_memory.merged(ws, *read[-1], memory)
        text = drafts[-1] if drafts else _commented(frontmatter.render(memory))
        written = in_editor(text, editor)
        if len(drafts) == saved and (written is None or (not saved and written == text)):
            return memory
        drafts.append(text if written is None else written)
        read.append((memory, frontmatter.parse(_uncommented(drafts[-1]))))
        return read[-1][1]

    while True:
        try:
            changed = edit_memory.edit(ws, prefix, edited)
        except BadMemory as error:
            _ask_again(ws, item.memory.id, drafts, error)
            read.clear()
        except LerimError as error:
            error.hint = "; ".join(filter(None, [error.hint, _kept(ws, item.memory.id, drafts)]))
            raise
        else:
            if len(drafts) > saved:
                _draft(ws, item.memory.id).unlink(missing_ok=True)
            return changed


def _editor(ws: Workspace) -> str:
    """Return the user's editor. Raises Declined if it needs a terminal and there is none."""
    editor = ws.editor(terminal=sys.stdin.isatty())
    if editor is None:
        raise Declined(
            "cannot open an editor without a terminal; nothing was changed",
            hint="use --title, --body, --kind or --tag, or an editor in GIT_EDITOR that needs none",
        )
    return editor


def _ask_again(ws: Workspace, id_: str, drafts: Sequence[bytes], error: BadMemory) -> None:
    """Ask whether to edit an invalid draft again; if not, save the draft and raise an error.

    The hint of the error names the file that the draft was saved to.
    """
    if not can_ask():
        advice = filter(None, [error.hint, _kept(ws, id_, drafts)])
        raise BadMemory(str(error), hint="; ".join(advice)) from error
    try:
        confirm(f"{error}. Edit it again?", yes=False)
    except Declined as declined:
        raise Declined(str(declined), hint=_kept(ws, id_, drafts)) from error
    except click.Abort:
        say(_kept(ws, id_, drafts), is_error=True)
        raise


def _kept(ws: Workspace, id_: str, drafts: Sequence[bytes]) -> str:
    """Save the last draft to a file; return a sentence with its path, or "" without a draft."""
    if not drafts:
        return ""
    path = _draft(ws, id_)
    private_files.make_folders(ws.folder)
    private_files.write(path, ws.redactor.redact(drafts[-1].decode("utf-8", "replace"))[0])
    return f"your text was saved to {path}; {_verb(ws, id_)} opens it again"


def _saved(ws: Workspace, id_: str) -> list[bytes]:
    """Return the draft that an earlier run saved, if there is one, and say so."""
    path = _draft(ws, id_)
    try:
        text = private_files.read_text(path, private_files.OURS)
    except OSError:
        return []
    say(f"opening the text that was saved to {path}; delete that file to start over")
    return [text.encode()]


def _draft(ws: Workspace, id_: str) -> Path:
    return ws.folder / f"draft-{id_}.md"


def _commented(file: bytes) -> bytes:
    return _HEAD + _COMMENTS + file.removeprefix(_HEAD)


def _uncommented(draft: bytes) -> bytes:
    """Return a draft without the comments in its front matter; the rest stays the same."""
    lines = draft.splitlines(keepends=True)
    dashes = [number for number, line in enumerate(lines) if line.rstrip() == _HEAD.rstrip()]
    end = dashes[1] if len(dashes) > 1 else 0
    head = [line for line in lines[:end] if not line.startswith(b"#")]
    return b"".join([*head, *lines[end:]])
