"""Find out whether a person or an agent runs the command, and mark changes accordingly."""

import re
from dataclasses import replace

from git_lerim.errors import Declined, UsageError
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories import confidence, naming
from git_lerim.memories.memory import Edited, Memory, Origin, Status
from git_lerim.memories.quotes import Lead
from git_lerim.memories.writers import BY_PERSON
from git_lerim.recall.index.terms import STOP
from git_lerim.screen.reader import is_agent
from git_lerim.storage.trust.judge import Judge
from git_lerim.workspace import Workspace

SAID = f"{Lead.OWN_WORDS}“"  # begins a quote of the user in an agent's memory
IMPORTED_BY_PERSON = "was imported by a person"
UNHEARD = "gives the user's words, and no session that was read holds them yet"
NO_WISH = "gives the user's words, and they do not say how things should be done from now on"
SAYS_MORE = "says more than the user's words that it gives"
UNCONFIRMED = frozenset({UNHEARD, NO_WISH, SAYS_MORE})  # the reasons that a session can clear
_GIVE_WORDS = (
    "remember it with the user's exact words in user_words (on the command line:"
    " git lerim remember --user-words)"
)
# the phrases by which memories quote the user, anywhere in a line
_QUOTED = re.compile(
    r"(?:the user (?:asked|asks) for this|in the user[’'`´]?s (?:own )?words)\W*[:：—–“”\"«]",
    re.IGNORECASE,
)
_VERB = (
    r"(?:said|says|told|tells|asked|asks|wrote|writes|insisted|insists|demanded|answered|replied|"
    r"stated|confirmed|explained|ordered|wants|wanted|put it)"
)


def by_agent(ws: Workspace) -> bool:
    """Return True if an agent runs this command, according to environment variables."""
    return is_agent(ws.env)


def agents_propose(ws: Workspace) -> bool:
    """Return whether memories that agents write must be reviewed, according to `lerim.agentWrites`.

    Raises Declined if so, but the memory cannot be reviewed: it is personal, or in the work tree.
    """
    if ws.settings["agentWrites"] != "propose":
        return False
    if ws.in_tree or ws.personal:
        hint = "lerim.agentWrites=propose needs a memory on a branch that others share"
        raise Declined(
            "agents' changes need a review here, but this memory cannot be reviewed", hint=hint
        )
    return True


def path_for_reader(ws: Workspace, path: str) -> str:
    """Return a path for a person to read; an agent gets only the id or the time in it.

    The words in a path could be an order that the agent would follow.
    """
    if not by_agent(ws):
        return path
    return naming.last_id_in(path) or naming.summary_time_in(path) or "a file"


def origin(ws: Workspace) -> Origin:
    """Return the origin of memories that this command writes: an agent or a person."""
    return Origin.AGENT if by_agent(ws) else Origin.HUMAN


def flag_injection(ws: Workspace, memory: Memory) -> Memory:
    """Mark an agent's new memory as suspect if it gives orders that only a person may give."""
    if not by_agent(ws):
        return memory
    # the rules take long to load
    from git_lerim.memories.checks.orders_of_others import like_an_order  # noqa: PLC0415
    from git_lerim.memories.checks.prompt_injection import suspicion  # noqa: PLC0415

    text = f"{memory.title}\n{memory.body}"
    judge = Judge(ws.place, open_objects(ws.place))
    reason = suspicion(text, heard="") or like_an_order(text, judge.is_own)
    return replace(memory, status=Status.SUSPECT, suspect=reason) if reason else memory


def refuse_forged_quote(ws: Workspace, memory: Memory, before: Memory | None = None) -> None:
    """Raise UsageError if an agent runs this command and the memory claims what the user said.

    That is a quote, or a claim that somebody said, wanted or allowed something. An agent must pass
    the words as `user_words`; a memory with such a quote stays suspect until a session contains
    the words. Lines that were already in `before`, the memory before an edit, are
    not checked.
    """
    if not by_agent(ws):
        return
    # the rules take long to load
    from git_lerim.memories.checks.claims_of_people import claim_of_person  # noqa: PLC0415
    from git_lerim.memories.checks.disguise import undisguised  # noqa: PLC0415

    known = _lines_of(before) if before else []
    ours = [undisguised(line) for line in _lines_of(memory) if line not in known]
    new = {" ".join(line.split()) for line in ours}
    reported = sum(line.startswith(SAID) for line in new)
    if (
        reported > bool(memory.suspect)
        or any(_QUOTED.search(line.removeprefix(SAID)) for line in new)
        or _retold(ws).search("\n".join(line for line in ours if not line.startswith(SAID)))
    ):
        raise UsageError("the text quotes the user; nothing was written", hint=_GIVE_WORDS)
    is_given = any(line.startswith(SAID) for line in new)  # `says_more` compares the rest
    claim = None if is_given else claim_of_person("\n".join(ours), _names(ws))
    if claim is not None:
        raise UsageError(
            f"“{claim}” is a claim that needs the user's own words; nothing was written",
            hint=_GIVE_WORDS,
        )


def _lines_of(memory: Memory) -> list[str]:
    return [memory.title, *memory.tags, *memory.body.splitlines()]


def _retold(ws: Workspace) -> re.Pattern[str]:
    """Return a pattern that finds quotes introduced by the user's name, "user" or "human"."""
    names = "|".join(["user", "human", *map(re.escape, _names(ws))])
    return re.compile(
        rf"\b(?:{names})(?:['’`´]s? (?:\w+ ){{0,2}}words\b|\b[^.!?“”\"«»\n]{{0,40}}\b{_VERB}\b)"
        r"[^.!?“”\"«»\n]{0,40}\s*[“„\"«]\W*(?:[^\W_]+[^\w“”\"«»]+){2}",
        re.IGNORECASE,
    )


def _names(ws: Workspace) -> list[str]:
    """Return the words of the name with which the user commits, but none such as "The"."""
    words = re.findall(r"\w{2,}", ws.store.committer().partition("<")[0])
    return [word for word in words if word.casefold() not in STOP]


def as_note(memory: Memory) -> Memory:
    """Return a memory as an agent's own note, without what only people, models and merges add."""
    return replace(
        memory,
        origin=Origin.AGENT,
        confidence=min(memory.confidence, confidence.OF_ORIGIN[Origin.AGENT]),
        worth=None,
        edited=None,
        protected=False,
        merged_from=(),
        compared=(),
        feedback=(),
    )


def withhold_rewritten(ws: Workspace, memory: Memory, before: Memory) -> Memory:
    """If an agent changed a memory that quotes the user, mark the memory as suspect again."""
    kept = (memory.title, memory.body) == (before.title, before.body)
    if kept or memory.suspect or SAID not in before.body or not by_agent(ws):
        return memory
    return replace(memory, status=Status.SUSPECT, suspect=UNHEARD)


def refuse_agent(ws: Workspace, why: str) -> None:
    """Raise Declined if an agent runs this command: it may be following injected instructions."""
    if by_agent(ws):
        raise Declined(
            f"{why}; only a person can do this",
            hint="run this yourself, in a terminal not started by an agent",
        )


def is_persons(memory: Memory) -> bool:
    """Return whether a person wrote, edited or imported a memory, or gave it as an answer."""
    return bool(memory.edited) or memory.origin in BY_PERSON


def refuse_persons_words(ws: Workspace, memory: Memory) -> None:
    """Raise Declined if an agent rewrites or archives a memory that comes from a person."""
    if is_persons(memory):
        is_said = memory.sources and not memory.edited
        whose = "quotes a person" if is_said else "was written by a person"
        if memory.origin is Origin.IMPORT and not memory.edited:
            whose = IMPORTED_BY_PERSON
        refuse_agent(ws, f"{memory.id} {whose}, and was not changed")


def mark_rewritten(ws: Workspace, memory: Memory, before: Memory) -> Memory:
    """Return an edited memory; if its title, text or kind changed, the editor is its new origin."""
    if (memory.title, memory.body, memory.kind) == (before.title, before.body, before.kind):
        return mark_edited(ws, memory)
    whose = origin(ws)
    return mark_edited(ws, replace(memory, origin=whose, confidence=confidence.OF_ORIGIN[whose]))


def mark_edited(ws: Workspace, memory: Memory) -> Memory:
    """Mark the memory as edited by a person, so that no sync changes its text.

    If an agent runs this command, the memory is returned unchanged.
    """
    return (
        memory
        if by_agent(ws)
        else replace(memory, edited=Edited(by=ws.store.committer(), at=memory.updated), worth=None)
    )
