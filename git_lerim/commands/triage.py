"""Ask whether to keep each new memory (`git lerim sync -i`), like `git add -p`."""

import sys
from collections.abc import Callable, Sequence

from git_lerim.actions import edit_memory
from git_lerim.actions.sync.passage import passage
from git_lerim.actions.sync.triage import Answer, Ask, Choice, Offer
from git_lerim.commands.editor import edited as in_editor
from git_lerim.commands.terminal import agrees, say_styled
from git_lerim.errors import BadMemory
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory
from git_lerim.tokens import clip, counted, span
from git_lerim.workspace import Workspace

_ONLY_MINE = "p - keep it only for yourself, in your personal memory, and drop it here\n"
_HELP = f"""\
y - keep this memory
n - drop it: sync will not offer it again (git lerim restore brings it back)
{_ONLY_MINE}\
e - edit it in your editor, then keep it
v - view the session records behind it
a - keep this memory and all remaining ones of this session
d - drop this memory and all remaining ones of this session
j - leave it undecided: the next git lerim sync -i asks again
q - quit: this memory and all remaining ones stay queued
? - print help"""
_ANSWERS = {
    "y": Answer(choice=Choice.KEEP),
    "n": Answer(choice=Choice.DROP),
    "p": Answer(choice=Choice.PERSONAL),
    "a": Answer(choice=Choice.KEEP, rest=True),
    "d": Answer(choice=Choice.DROP, rest=True),
    "j": Answer(choice=Choice.LATER),
    "q": Answer(choice=Choice.QUIT),
}
_LETTERS = "y,n,p,e,v,a,d,j,q,?"
_KEEP_HELP = """\
y - keep them as they are
n - supersede them: git lerim undo brings them back
q - ask again at the next sync
? - print help"""
_KEEPS = {"y": True, "n": False, "q": None}
_NAMED = 10
_LONG = 2000  # about how many characters of one record are shown


def asker(ws: Workspace, pause: Callable[[], None]) -> Ask:
    """Return a function that asks the user whether to keep one new memory.

    The function first calls `pause`, to clear the progress line.
    """
    shown: list[str] = []  # the session whose memories are being asked about

    def ask(offer: Offer) -> Answer:
        pause()
        if shown != [offer.session.name]:
            shown[:] = [offer.session.name]
            say_styled(
                f"\n{offer.session.name}  {clip(offer.session.header.heading, 80)}".rstrip(),
                fg="yellow",
            )
        _show(offer.memory)
        return _answer(ws, offer)

    return ask


def keeper(pause: Callable[[], None]) -> Callable[[Sequence[Memory]], bool | None]:
    """Return a function that asks whether to keep memories whose transcripts are gone.

    Such memories cannot be checked against new extraction rules. The function returns None if the
    user wants to be asked again at the next sync. It first calls `pause`, to clear the progress
    line.
    """

    def ask(memories: Sequence[Memory]) -> bool | None:
        pause()
        what, them = counted(len(memories), "memory"), "it" if len(memories) == 1 else "them"
        say_styled(f"the transcripts of {what} are gone, so the new rules cannot check {them}:")
        for memory in memories[:_NAMED]:
            say_styled(f"    {memory.id}  {memory.title}")
        if more := memories[_NAMED:]:
            say_styled(f"    and {len(more)} more")
        while True:
            letter = _typed(f"keep {them} [y,n,q,?]? ")[:1]
            if letter in _KEEPS:
                return _KEEPS[letter]
            say_styled(_KEEP_HELP)

    return ask


def _show(memory: Memory) -> None:
    say_styled(f"\n{memory.kind or memory.primitive}: {memory.title}", bold=True)
    for line in memory.body.split("\n"):
        say_styled(f"    {line}".rstrip())
    for anchor in memory.anchors:
        say_styled(f"    about {anchor.path}{f':{span(anchor.lines)}' if anchor.lines else ''}")
    if memory.suspect:
        say_styled(f"    withheld from agents: {memory.suspect}", fg="red")


def _answer(ws: Workspace, offer: Offer) -> Answer:
    while True:
        letters = _LETTERS if not ws.personal else _LETTERS.replace("p,", "")
        question = f"({offer.number}/{offer.count}) keep this memory [{letters}]? "
        letter = _typed(question)[:1]
        if letter in _ANSWERS and letter in letters:
            return _ANSWERS[letter]
        if letter == "e" and (edited := _edited(ws, offer.memory)):
            return Answer(choice=Choice.KEEP, edited=edited)
        if letter == "v":
            _show_evidence(offer)
        elif letter != "e":
            say_styled(_HELP if not ws.personal else _HELP.replace(_ONLY_MINE, ""))


def _typed(question: str) -> str:
    """Ask a question, and return the answer in lower case, or `q` at the end of input (Ctrl-D)."""
    say_styled(question, newline=False, fg="blue", bold=True)
    line = sys.stdin.readline()
    if not line:
        say_styled("")
    return line.strip().lower() if line else "q"


def _show_evidence(offer: Offer) -> None:
    for record in offer.evidence():
        place = f" of {record.part}" if record.part else ""
        say_styled(f"\n    {record.role}, record {record.n}{place}", fg="cyan")
        text = record.text or record.command or record.question or ""
        for line in passage(text, offer.memory, _LONG):
            say_styled(f"    {line}".rstrip())


def _edited(ws: Workspace, memory: Memory) -> Memory | None:
    """Let the user edit a memory; return None if they gave up or changed nothing."""
    text = frontmatter.render(memory)
    while True:
        written = in_editor(text, ws.editor())
        if written is None:
            say_styled("not edited: the editor saved nothing")
            return None
        text = written
        try:
            new, _ = edit_memory.validate_edit(ws, memory, frontmatter.parse(text))
        except BadMemory as error:
            if not agrees(f"{error}. Edit it again?", default=True):
                return None
        else:
            if new == memory:
                say_styled("not edited: the text is the same")
            return None if new == memory else new
