"""Share the memory: fetch a remote's and join it, push ours. Nothing is forced, and nothing else of the remote is touched."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.actions.listing import found
from git_lerim.actions.settling import settled
from git_lerim.errors import LerimError, NoIdentity, Unsafe, UsageError
from git_lerim.git import refs, remote
from git_lerim.git.process import plain, run_git
from git_lerim.git.remote import Answer
from git_lerim.git.signing import Signer, is_alone
from git_lerim.memories import naming
from git_lerim.memories.handoff import claimer
from git_lerim.memories.memory import Memory
from git_lerim.storage import arriving, choosing, layout
from git_lerim.storage.base import Joined, Snapshot, Stored
from git_lerim.storage.finding import arrived, looked_up
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.storage.trust import Waiting

ROUNDS = 5  # times to join and push again when somebody else was faster
NAMED = 5  # of each sort that a sentence names
_PULL = "git pull brings what others have committed of it, with the rest of your branch"

Ask = Callable[[str], None]  # asks the person, and raises Declined where the answer is no


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """What came from a remote."""

    remote: str
    commit: str | None  # where the branch stands now; None: the remote has no memory
    moved: bool  # whether the branch moved
    added: tuple[str, ...] = ()  # ids
    changed: tuple[str, ...] = ()  # ids that they alone had changed
    merged: tuple[str, ...] = ()  # ids that both sides had changed
    aside: tuple[str, ...] = ()  # files that are no memories: path and reason, safe to print
    handoffs: tuple[Memory, ...] = ()  # new ones
    passed: tuple[Memory, ...] = ()  # handoffs that were here, and that others claimed, gave back or cancelled
    lost: tuple[Memory, ...] = ()  # those of them that were claimed here, and that somebody else claimed first
    summaries: tuple[str, ...] = ()  # ids of new ones
    titles: Mapping[str, str] = field(default_factory=dict)  # of the first few of each, without secrets; what waits has none
    waiting: "tuple[Waiting, ...]" = ()  # what the store has and `lerim.trust` keeps back


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What went to a remote."""

    remote: str
    url: str  # safe to print
    commit: str
    moved: bool  # whether the remote's branch moved
    pulled: Pulled


def pull(ws: Workspace, name: str | None = None, *, alone: bool = False) -> Pulled:
    """Fetch the memory of a remote and join it with ours; `alone`: nobody is there to be asked for a password.

    Raises GitFailed, UsageError.
    """
    choosing.branch_only(ws, _PULL)
    name = name or ws.settings["remote"]
    theirs = remote.fetch(ws.place, name, ws.settings["branch"], alone=alone)
    if theirs is None:
        return Pulled(remote=name, commit=ws.store.tip(), moved=False)
    return _take(ws, name, theirs)


def _take(ws: Workspace, name: str, theirs: str) -> Pulled:
    store = choosing.branch_only(ws, _PULL)
    before = store.tip()
    joined = store.join(theirs, name)
    if joined is None:
        return Pulled(remote=name, commit=before, moved=False)
    old = store.snapshot(before) if before else Snapshot(commit=None)
    if before and joined != Joined():  # who only moved ahead has what the others have settled
        settled(ws, old, f"joining {plain(name)}")
    after = store.snapshot()
    added, aside, changed = arrived(old, after)
    beside = arriving.arrived(ws.place, before, after.commit or theirs)
    pulled = Pulled(
        remote=name,
        commit=after.commit,
        moved=True,
        added=tuple(added),
        changed=tuple(id_ for id_ in changed if id_ not in joined.merged),
        merged=tuple(sorted(looked_up(after, filter(naming.is_id, joined.merged)))),
        handoffs=tuple(item.memory for item in beside.handoffs),
        passed=tuple(item.memory for item in beside.changed),
        lost=tuple(item.memory for item, claim in beside.lost if claim.who == _me(ws)),
        summaries=beside.summaries,
        aside=tuple(f"{file.path}: {file.reason}" for file in aside),
        waiting=tuple(store.waiting()),
    )
    return replace(pulled, titles=_titles(ws, pulled, after, (*beside.handoffs, *beside.changed)))


def _titles(ws: Workspace, pulled: Pulled, after: Snapshot, handoffs: Iterable[Stored]) -> dict[str, str]:
    """Return the titles of what a person is told by name: no secret stands in them, and what waits has none."""
    ids = [id_ for each in (pulled.added, pulled.changed, pulled.merged) for id_ in each[:NAMED]]
    held = {each.path for each in pulled.waiting}
    items = [item for item in (*looked_up(after, ids).values(), *handoffs) if item.path not in held]
    return {item.memory.id: item.memory.title for item in ws.store.gate(items)}


def _me(ws: Workspace) -> str:
    """Return how a claim that was made here names who made it; empty where git does not know who that is."""
    with suppress(NoIdentity):
        return claimer(ws.store.committer())
    return ""


def accepted(ws: Workspace, prefixes: Sequence[str] | None) -> list[str]:
    """Accept what waits, by ids or their beginnings, or all of it, and return the paths of what is handed out from now on.

    Raises UnknownMemory, UsageError.
    """
    if ws.settings["trust"] == "remote":
        hint = "git config lerim.trust reviewed keeps what others wrote back until it is accepted here"
        raise UsageError("lerim.trust is remote, so nothing waits to be accepted", hint=hint)
    snapshot = ws.store.snapshot()
    store = choosing.branch_only(ws, "what stands there is handed out as it stands")
    return store.accept(None if prefixes is None else [found(snapshot, prefix).path for prefix in prefixes])


def push(ws: Workspace, name: str | None, ask: Ask, *, alone: bool = False) -> Pushed:
    """Join the memory of a remote, and give it ours; before the first time, and for each new place, ask.

    Raises Unsafe where a secret is found, Declined, GitFailed, UsageError.
    """
    store = choosing.branch_only(ws, "git push shares it with the rest of your branch")
    name = name or ws.settings["remote"]
    url = remote.url_of(ws.place, name, push=True)
    branch = ws.settings["branch"]
    tip, agreed = ws.store.tip(), was_pushed(ws, url)
    if tip is None or not agreed:
        theirs = remote.fetch(ws.place, name, branch, alone=alone)
        if tip is None and theirs is None:
            raise LerimError("there is no memory yet, here or there", hint="git lerim sync looks for some")
        if not agreed:
            ask(_question(ws, name, url, tip, theirs))
    said, root = "", False
    for _ in range(ROUNDS):
        pulled = pull(ws, name, alone=alone)
        if root or ws.settings["sign"] in {"push", "always"}:
            store.sign_unpushed(Signer(ws.place, ws.note, alone=alone or is_alone()), root=root)
        tip = ws.store.tip() or ""
        theirs = refs.read_ref(ws.place.common_dir, remote.tracking_ref(name, branch)) if pulled.commit else None
        if theirs == tip:
            return done(ws, url, tip, pulled, moved=False)
        if theirs and store.is_before_purge(theirs):
            hint = "git lerim purge --push puts this history in the place of the remote's, and asks first"
            raise LerimError(f"{plain(name)} still has memories that were purged here, and nothing was pushed", hint=hint)
        refuse_secrets(ws, tip, theirs)
        answer = remote.push(ws.place, name, branch, tip, alone=alone)
        if answer.answer is Answer.TAKEN:
            return done(ws, url, tip, pulled, moved=True)
        said = answer.said
        is_refused = answer.answer is Answer.REFUSED
        if is_refused and (root or ws.settings["sign"] == "never" or not remote.wants_signatures(said)):
            raise refused(ws, name, branch, said)
        root = root or is_refused  # the first commit has no signature, so that it is the same in every clone
    raise LerimError(f"{plain(name)} was changed by others {ROUNDS} times while we pushed: {said}", hint="try again in a while")


def _question(ws: Workspace, name: str, url: str, tip: str | None, theirs: str | None) -> str:
    """Return what is asked before the first push to a place: how much leaves now, where to, and who can read it there."""
    sent = {naming.id_in(path) for path, _ in _new_files(ws, tip, theirs) if layout.is_memory(path)} if tip else set()
    what, they = (counted(len(sent), "memory"), "them") if sent else ("what is remembered from now on", "it")
    return (
        f"push {what} to {plain(name)} ({remote.without_password(url)})? "
        f"Whoever can read that repository, and every fork of it, will be able to read {they}"
    )


def note_pushed(ws: Workspace, url: str, tip: str) -> None:
    """Note that a place was pushed to, so that the next time need not ask, and that all is well now."""
    failed_file(ws).unlink(missing_ok=True)
    run_git(ws.place.git("update-ref", remote.mark_of(url), tip), cwd=ws.place.git_dir)


def done(ws: Workspace, url: str, tip: str, pulled: Pulled, *, moved: bool) -> Pushed:
    """Note that a place was pushed to, and return what to tell of it."""
    note_pushed(ws, url, tip)
    return Pushed(remote=pulled.remote, url=remote.without_password(url), commit=tip, moved=moved, pulled=pulled)


def failed_file(ws: Workspace) -> Path:
    """Return the file that says why a push in the background did not go well."""
    return ws.folder / "unpushed"


def was_pushed(ws: Workspace, url: str) -> bool:
    """Tell whether the user has said once that a place may have the memory."""
    return refs.read_ref(ws.place.common_dir, remote.mark_of(url)) is not None


def refused(ws: Workspace, name: str, branch: str, said: str, *, is_proposal: bool = False) -> LerimError:
    """Return the error for a remote that does not take the branch."""
    if remote.wants_signatures(said):
        hint = "git config lerim.sign push signs what is pushed, with the key that git commit -S signs with"
        if ws.settings["sign"] != "never":
            hint = "what is here alone is signed; the key has to be known there, for the mail address of user.email"
        return LerimError(f"{plain(name)} takes no commit without a signature that it knows: {said}", hint=hint)
    hint = f"whoever keeps it can allow pushing to {branch}; a setting, lerim.remote, names another remote"
    if not is_proposal:
        offered = "git lerim review --open offers it as a proposal instead"
        hint = f"{offered}; with lerim.review=proposal new memories wait for review from the start; {hint}"
    return LerimError(f"{plain(name)} refused {branch}: {said}", hint=hint)


def refuse_secrets(ws: Workspace, tip: str, known: str | None) -> None:
    """Scan all that a push would send, older versions too; raise Unsafe naming memory and line, and not the secret."""
    found = [place for path, blob in _new_files(ws, tip, known) for place in secrets_in(ws, path, blob)]
    if found:
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        raise Unsafe(
            f"nothing was pushed: what looks like a secret stands in {'; '.join(found[:NAMED])}{more}",
            hint="it is in the history, where an edit does not reach: git lerim purge ID deletes it there, "
            "git lerim review reject takes it out of a proposal; lerim.redactAllow lets pass what is no secret",
        )


def _new_files(ws: Workspace, tip: str, known: str | None) -> Iterator[tuple[str, str]]:
    """Yield path and blob of every file that a tip leads to and that is not known at the other side."""
    without = [f"^{known}"] if known else []
    told = run_git(ws.place.git("rev-list", "--objects", tip, *without), cwd=ws.place.git_dir)
    for row in told.decode("utf-8", "surrogateescape").split("\n"):
        blob, _, path = row.partition(" ")
        if path.endswith(".md"):
            yield path, blob


def secrets_in(ws: Workspace, path: str, blob: str) -> Iterator[str]:
    """Yield where a file holds what looks like a secret: id, line and rule, safe to print.

    Its path is not: the words of the title stand in it, and can be those of the secret.
    """
    text = ws.store.content(blob).decode("utf-8", "replace")
    name = naming.id_in(path) or plain(ws.redactor.redact(path)[0])  # of a summary, or of what is no memory
    for finding in ws.redactor.find(text):
        yield f"{name}, line {text.count(chr(10), 0, finding.start) + 1} ({finding.rule})"
