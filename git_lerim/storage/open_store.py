"""Choose and open a repository's store: on a branch of its own, or in the work tree.

Most stores are on a branch, so the modules for other stores are imported only when needed.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from git_lerim.errors import LerimError, NoIdentity
from git_lerim.git import refs
from git_lerim.git.repo import Place
from git_lerim.storage import layout, personal
from git_lerim.storage.base import Change, KnownPaths, Snapshot
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.trust import output_redaction
from git_lerim.storage.trust.checked import Checked

if TYPE_CHECKING:
    from git_lerim.git.commits.signing import Signer
    from git_lerim.storage.branch.lost_commits import Lost
    from git_lerim.storage.review.proposing import ProposalStore
    from git_lerim.storage.worktree.worktree_store import TreeStore

Chosen: TypeAlias = "BranchStore | TreeStore"


class Settings(Protocol):
    """The user's settings."""

    def __getitem__(self, name: str) -> Any:
        """Return the value of a setting."""
        ...

    @property
    def narrowed(self) -> tuple[str, ...]:
        """The settings by which an agent's options or variables hide text in this run."""
        ...


class Workspace(Protocol):
    """Interface of a workspace, limited to what opening a store needs."""

    @property
    def place(self) -> Place:
        """The repository."""
        ...

    @property
    def settings(self) -> Settings:
        """The user's settings."""
        ...

    @property
    def personal(self) -> bool:
        """Whether the store is the user's personal memory."""
        ...

    @property
    def in_tree(self) -> bool:
        """Whether the memory is in the work tree."""
        ...

    @property
    def proposing(self) -> bool:
        """Whether commits wait for review."""
        ...

    @property
    def then(self) -> str:
        """What happens to files written into the work tree: `stage`, `commit` or nothing."""
        ...

    @property
    def redactor(self) -> Any:
        """The redactor of secrets."""
        ...

    @property
    def checked(self) -> Checked:
        """The texts already found free of secrets."""
        ...

    @property
    def store(self) -> Chosen:
        """The store that the settings select."""
        ...

    def known(self, ids: Collection[str]) -> KnownPaths | None:
        """Return the paths that the search index has for some ids, or None without an index."""
        ...

    def with_accesses(
        self, snapshot: Snapshot, change: Change
    ) -> tuple[Change, Callable[[], object]]:
        """Return a change that also records when memories were last shown.

        Also returns a function to call once the change is committed.
        """
        ...


def chosen(ws: Workspace) -> Chosen:
    """Open the store that the settings select."""
    return in_tree(ws) if ws.in_tree else _reviewing(ws) if ws.proposing else on_branch(ws)


def pending(ws: Workspace) -> Mapping[str, str]:
    """Return the blob of each file in the store that still waits for review, by path."""
    if not ws.proposing:
        return {}
    from git_lerim.storage.review.proposing import ProposalStore  # noqa: PLC0415 as said above

    return ws.store.pending() if isinstance(ws.store, ProposalStore) else {}


def rewritten(ws: Workspace, snapshot: Snapshot) -> list[str]:
    """Return the ids of the user's memories that others rewrote and that the user must check."""
    if not isinstance(ws.store, BranchStore):
        return sorted(snapshot.rewritten)
    kept = ws.store.rewritten()
    return sorted(kept.keys() & reviewing(ws).undecided().keys()) if kept else []


def proposal(ws: Workspace) -> tuple[str | None, int]:
    """Return the branch of the user's own proposal, or None, and its number of files.

    This also finds a proposal that was made before review was switched off.
    """
    folder = f"refs/heads/{layout.proposals(ws.settings['branch'])}"
    # most users have no proposal: skip the import
    if ws.in_tree or ws.personal or not refs.below(ws.place.common_dir, folder):
        return None, 0
    store = reviewing(ws)
    try:
        own = store.own()
    except LerimError:  # without an identity there is no proposal
        return None, 0
    return own, len(store.pending()) if own else 0


def lost_proposals(ws: Workspace) -> "list[Lost]":
    """Return the backups of the user's proposals that were deleted before they were decided on."""
    folder = layout.backup_ref(layout.proposals(ws.settings["branch"]))
    if ws.in_tree or ws.personal or not refs.below(ws.place.common_dir, folder):
        return []
    return reviewing(ws).lost()


def proposed_as_other(ws: Workspace) -> list[str]:
    """Return the branches of proposals that this clone wrote while the user had another name."""
    folder = layout.proposals(ws.settings["branch"])
    if ws.in_tree or ws.personal or not refs.below(ws.place.common_dir, f"refs/heads/{folder}"):
        return []
    from git_lerim.storage.review.proposals import own_branches  # noqa: PLC0415 few propose

    with suppress(NoIdentity):
        own = f"{folder}/{reviewing(ws).user}/"
        # git-lerim backs up what it writes, but no branch of others that the user checked out
        return [
            name
            for name in own_branches(ws.place, folder)
            if not name.startswith(own)
            and refs.read_ref(ws.place.common_dir, layout.backup_ref(name)) is not None
        ]
    return []


def reviewing(ws: Workspace) -> "ProposalStore":
    """Return the store with the user's own proposal on top.

    Raises LerimError if the memory is in the work tree instead of on a branch.
    """
    hint = (
        "files in your own branches are reviewed together with the code; to move the memory to a"
        " branch: git lerim init --branch"
    )
    memory = branch_only(ws, hint)
    from git_lerim.storage.review.proposing import ProposalStore  # noqa: PLC0415 as said above

    if isinstance(ws.store, ProposalStore):
        return ws.store
    store = _reviewing(ws)
    store.warnings = memory.warnings
    return store


def _reviewing(ws: Workspace) -> "ProposalStore":
    from git_lerim.storage.review.proposing import ProposalStore  # noqa: PLC0415 as said above

    store = ProposalStore(
        ws.place, ws.settings["branch"], remote=ws.settings["remote"], trust=ws.settings["trust"]
    )
    store.signer = _signer(ws, store)
    store.known = ws.known
    # no `along`: times of access need no review
    _redact_output(ws, store)
    return store


def on_branch(ws: Workspace) -> BranchStore:
    """Open the memory on its branch, even if the settings select another store."""
    store = BranchStore(
        ws.place, ws.settings["branch"], remote=ws.settings["remote"], trust=ws.settings["trust"]
    )
    store.signer = _signer(ws, store)
    store.along = (
        personal.refuse_commit
        if ws.personal and personal.is_temporary(ws.place)
        else ws.with_accesses
    )
    store.known = ws.known
    _redact_output(ws, store)
    return store


def _redact_output(ws: Workspace, store: "BranchStore | TreeStore") -> None:
    """Let a store redact the memories that it hands out, and the messages of its commits."""
    store.gate = output_redaction.without_secrets(lambda: ws.redactor, ws.checked)
    store.redact_message = output_redaction.message_redactor(lambda: ws.redactor)
    store.rules = output_redaction.rules_of(
        ws.settings["redactPattern"], ws.settings["redactAllow"]
    )
    if hiding := [name for name in ws.settings.narrowed if name.startswith("redact")]:
        # what is read here is redacted, so it must not be written back either
        store.check_write = lambda: output_redaction.refuse_hiding(hiding)


def _signer(ws: Workspace, store: BranchStore) -> "Signer | None":
    """Return the signer of new commits; None if they are signed only on a push, or never."""
    if ws.settings["sign"] in {"never", "push"}:
        return None
    from git_lerim.git.commits.signing import Signer, is_alone  # noqa: PLC0415 few sign

    def warn(line: str) -> None:
        store.warnings.append(line)  # not bound early: `recover` replaces the list

    return Signer(ws.place, warn, alone=is_alone())


def in_tree(ws: Workspace) -> "TreeStore":
    """Open the memory in the work tree, even if the settings select another store.

    Raises NotARepository without a work tree.
    """
    from git_lerim.storage.worktree.worktree_store import TreeStore  # noqa: PLC0415 as said above

    store = TreeStore(ws.place, then=ws.then, trust=ws.settings["trust"])
    store.along = ws.with_accesses
    _redact_output(ws, store)
    return store


def tree_of(ws: Workspace) -> "TreeStore | None":
    """Return the selected store if it is in the work tree, else None."""
    store = ws.store if ws.in_tree else None
    return None if isinstance(store, BranchStore) else store


def keep_nothing(ws: Workspace) -> None:
    """Disable all caching by the store, so that reading it writes nothing."""
    if tree := tree_of(ws):
        tree.disk.keeping = False


def branch_only(ws: Workspace, instead: str) -> BranchStore:
    """Return the memory's branch as a store, without any proposal.

    Raises LerimError with `instead` as its hint if the memory is in the work tree.
    """
    store = ws.store
    if not isinstance(store, BranchStore):
        raise LerimError(
            f"the memory is in your work tree ({layout.TREE}), not on a branch of its own",
            hint=instead,
        )
    if ws.proposing:  # changes to the branch change the memory, not the proposal
        memory = on_branch(ws)
        memory.warnings = store.warnings
        return memory
    return store
