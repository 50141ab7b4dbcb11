"""Check the installation: each check is a function that yields its findings and what to do."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from git_lerim.actions import reset
from git_lerim.actions.hooks import delivery
from git_lerim.actions.listing import iso
from git_lerim.actions.setup import connections
from git_lerim.errors import Busy, LerimError, ModelFailed
from git_lerim.git import refs
from git_lerim.git.engines.objects import open_objects
from git_lerim.git.running.process import git_version, require_git
from git_lerim.storage import layout, open_store
from git_lerim.storage.branch import lost_commits
from git_lerim.storage.branch.lost_commits import Lost
from git_lerim.storage.history import replace_branch
from git_lerim.storage.worktree.worktree_store import TreeStore
from git_lerim.tokens import counted, local_times
from git_lerim.workspace import Workspace

_PATIENCE = 60  # seconds for a model to answer
_LEAST_DISK = 100 * 1024 * 1024  # bytes
_DATABASES = {
    "catalog": "the catalog of sessions",
    "index": "the search index",
    "transcripts": "the cache of what was said in sessions",
    "vectors": "the vectors that search by meaning",
}
_RESTORE = "git lerim doctor --restore joins that in again, and loses nothing that stands there now"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    state: Literal["ok", "warning", "problem"]
    says: str
    hint: str = ""


def checkup(ws: Workspace) -> list[Check]:
    """Run every check, repairing what can be repaired without loss (a broken ref, a stale lock)."""
    checks: list[Check] = []
    for check in (
        _git,
        _repository,
        _identity,
        _branch,
        _files,
        _catalog,
        _aside,
        _disk,
        _agents,
        _hooks,
        _models,
    ):
        try:
            checks += check(ws)
        except LerimError as error:
            checks.append(Check(check.__name__.strip("_"), "problem", str(error), error.hint))
    return checks


def _git(ws: Workspace) -> Iterator[Check]:  # noqa: ARG001 every check has one form
    require_git()
    yield Check("git", "ok", ".".join(map(str, git_version())))


def _repository(ws: Workspace) -> Iterator[Check]:
    kind = "bare" if ws.place.bare else "a work tree"
    yield Check(
        "repository",
        "ok",
        f"{ws.place.common_dir} ({'personal store' if ws.personal else kind},"
        f" {ws.place.object_format})",
    )


def _identity(ws: Workspace) -> Iterator[Check]:
    yield Check("identity", "ok", ws.store.committer())


def _branch(ws: Workspace) -> Iterator[Check]:
    store = open_store.tree_of(ws)
    yield from _tree(store) if store else _on_branch(ws)


def _tree(store: TreeStore) -> Iterator[Check]:
    repaired = store.recover(lock_held=True)
    there = bool(store.look().tree)
    for said in dict.fromkeys((*repaired, *store.warnings)):
        yield Check("tree", "warning", said)
    if not there:
        yield Check(
            "tree",
            "warning",
            f"{layout.TREE} holds no memory yet",
            "git lerim init --tree makes it",
        )
    elif store.is_ignored():
        how = "take the line out of .gitignore, or git add -f each file"
        yield Check(
            "tree",
            "warning",
            f"git ignores {layout.TREE}, so nothing of the memory will be committed",
            how,
        )
    else:
        yield Check("tree", "ok", f"the memory lies in {layout.TREE} of this work tree")


def _on_branch(ws: Workspace) -> Iterator[Check]:
    try:
        with ws.locked(0) if ws.folder.is_dir() else contextlib.nullcontext():
            repaired = ws.store.recover(lock_held=ws.folder.is_dir())
    except Busy as busy:
        yield Check("branch", "warning", str(busy), "what it may have to mend is left to it")
        repaired = ws.store.recover(lock_held=False)
    for said in (*ws.warnings(), *repaired):
        yield Check("branch", "warning", said)
    tip = ws.store.tip()
    name = ws.settings["branch"]
    found = lost_commits.lost(ws.place, name, tip)
    if tip is None and not found:
        yield Check("branch", "warning", f"{name} does not exist yet", "git lerim sync makes it")
    elif tip is not None:
        yield Check("branch", "ok", f"{name} at {tip[:10]}")
    if found:
        yield _lost(ws, tip, found)
    if tip is not None and replace_branch.finish(ws.place, open_objects(ws.place), name, tip):
        reset.delete(ws.folder, reset.DERIVED)
        yield Check(
            "purged",
            "warning",
            "a purge had been killed; what it left in backups and reflogs is gone now",
        )
    yield from _look_alikes(ws, tip)
    for ref in replace_branch.kept_refs(ws.place):
        how = "when all is well, delete that ref, and git gc clears what it held in its time"
        yield Check("purged", "warning", f"{ref} still keeps what was purged, on this machine", how)


def _look_alikes(ws: Workspace, tip: str | None) -> Iterator[Check]:
    """Report tags and replace refs that make git resolve the branch to something else."""
    name, common = ws.settings["branch"], ws.place.common_dir
    if refs.read_ref(common, f"refs/tags/{name}"):
        how = "rename the tag, or write refs/heads/ before the name"
        yield Check(
            "branch",
            "warning",
            f"a tag is called {name}, too, and git takes it where that name is said",
            how,
        )
    replaced = (ref.rpartition("/")[2] for ref in refs.below(common, "refs/replace"))
    if tip is not None and (
        grafted := [commit for commit in replaced if open_objects(ws.place).descends(tip, commit)]
    ):
        said = (
            f"git replaces {counted(len(grafted), 'commit')} of {name} by others (git replace):"
            f" {grafted[0][:10]}"
        )
        yield Check(
            "branch",
            "warning",
            said,
            "git log shows another history than the one that is shared; git replace --list",
        )


def _lost(ws: Workspace, tip: str | None, found: list[Lost]) -> Check:
    """Report what was lost from the branch, since when, and which refs still have it."""
    name = ws.settings["branch"]
    places = [
        _state(state)
        for state in (*found, *lost_commits.elsewhere(ws.place, name, tip, list(found)))
    ]
    if tip is None:
        said = f"{name} was deleted; what stood there is in {'; and in '.join(places)}"
        return Check(
            "branch", "warning", said, f"{_RESTORE}; left alone, the next sync begins anew"
        )
    move = lost_commits.last_move(ws.place, name)
    since = ""
    if move and not move.message.startswith("git-lerim"):
        since = f", last moved {local_times(iso(move.at))} by {move.message!r}"
    said = (
        f"{name} was rewound or replaced{since}; what stood there before is in"
        f" {'; and in '.join(places)}"
    )
    return Check(
        "branch",
        "problem" if layout.backup_ref(name) in (s.ref for s in found) else "warning",
        said,
        _RESTORE,
    )


def _state(state: Lost) -> str:
    lacks = counted(state.commits, "commit")
    return (
        f"{state.ref} ({lacks} that it lacks, to {state.commit[:10]} of"
        f" {local_times(iso(state.at))})"
    )


def restore(ws: Workspace) -> list[Check]:
    """Merge what was lost from the branch back in, from its backups or remote-tracking refs."""
    name = ws.settings["branch"]
    store = open_store.branch_only(
        ws, "git log -- .lerim/memory names the commits that changed it; git revert takes one back"
    )
    tip = store.tip()
    found = lost_commits.lost(ws.place, name, tip)
    if tip is None and not found:
        found = list(lost_commits.elsewhere(ws.place, name, tip, []))[:1]
    if not found:
        return [
            Check("restore", "ok", f"{name} has all that ever stood there, as far as can be told")
        ]
    for state in found:
        store.join(state.commit, state.ref)
    return [Check("restore", "ok", f"joined {_state(state)} into {name} again") for state in found]


def _files(ws: Workspace) -> Iterator[Check]:
    snapshot = ws.store.snapshot()
    for item in snapshot.quarantined:
        yield Check(
            "memory",
            "warning",
            f"{item.path} is set aside: {item.reason}",
            "git lerim lint tells more",
        )
    yield Check("memories", "ok", f"{len(snapshot.memories)} read")


def _catalog(ws: Workspace) -> Iterator[Check]:
    if not (ws.folder / "catalog.sqlite3").exists():
        yield Check("catalog", "ok", "none yet")
        return
    with ws.catalog() as catalog:
        said = str(catalog.execute("PRAGMA integrity_check").fetchone()[0])
        counts = ", ".join(f"{n} {word}" for word, n in sorted(catalog.counts().items()))
    if said == "ok":
        yield Check("catalog", "ok", f"{counts or 'no sessions'} (SQLite {sqlite3.sqlite_version})")
    else:
        yield Check("catalog", "problem", said, "git lerim reset makes it anew; the memories stay")


def _aside(ws: Workspace) -> Iterator[Check]:
    """Report each unreadable database that was set aside (see `database.connect`)."""
    for path in sorted(ws.folder.rglob("*.sqlite3.broken")):
        name = path.name.removesuffix(".sqlite3.broken")
        said = (
            f"{path}, {_DATABASES.get(name, 'a database of ours')}, could not be read and was set"
            " aside; a new one took its place"
        )
        yield Check(name, "warning", said, "when you need nothing from it, delete it")


def _disk(ws: Workspace) -> Iterator[Check]:
    free = shutil.disk_usage(ws.place.common_dir).free
    enough = free > _LEAST_DISK
    yield Check(
        "disk",
        "ok" if enough else "warning",
        f"{free // 1024 // 1024} MiB free",
        "" if enough else "a sync may fail for want of space",
    )


def _agents(ws: Workspace) -> Iterator[Check]:
    rows = [row for row in connections(ws) if row.sources]
    said = ", ".join(
        f"{row.agent} {row.sources}" + ("" if row.connected else " (not connected)") for row in rows
    )
    if rows:
        yield Check("agents", "ok", f"files of sessions: {said}")
    else:
        yield Check(
            "agents",
            "warning",
            "no agent's sessions were found",
            "git lerim connect shows where was looked",
        )


def _hooks(ws: Workspace) -> Iterator[Check]:
    found = delivery.installed(ws)
    troubles = list(delivery.problems(ws))
    for said, how in troubles:
        yield Check("hooks", "warning", said, how)
    if not found["git"] and not ws.personal:
        yield Check(
            "hooks", "ok", "git runs nothing of git-lerim here", "git lerim install lets it"
        )
    elif found["git"] and not troubles:
        last = found["last"]
        yield Check(
            "hooks",
            "ok",
            f"git runs them; last {local_times(last['at'])}" if last else "git runs them",
        )
    for agent, said in delivery.of_agents(ws):
        yield Check(agent, "warning", said)


def _models(ws: Workspace) -> Iterator[Check]:
    """Ask each configured model for one token."""
    names = {
        ws.settings[setting]: setting
        for setting in ("fallbackModel", "askModel", "model")
        if ws.settings[setting]
    }
    for name, setting in reversed(names.items()):
        from git_lerim import models  # noqa: PLC0415 rarely needed

        try:
            model = models.one_model(
                ws.settings,
                ws.api_key,
                ws.env,
                setting,
                min(ws.settings["modelTimeout"], _PATIENCE),
            )
            found = model.check()
        except ModelFailed as error:
            yield Check(
                setting,
                "warning",
                f"{name}: {error}",
                error.hint or "git lerim config shows the settings",
            )
            continue
        schema = {
            None: "",
            True: ", takes a JSON schema",
            False: ", takes no JSON schema (it is told in words)",
        }
        context = f", context of {found.context:,} tokens" if found.context else ""
        yield Check(
            setting,
            "ok",
            f"{name} answers ({found.seconds:.1f} s){schema[found.takes_schema]}{context}",
        )
        if found.context and found.context < ws.settings["maxWindowTokens"]:
            how = f"git config lerim.maxWindowTokens {found.context * 3 // 4}"
            yield Check(
                setting,
                "warning",
                f"{name} takes fewer tokens than lerim.maxWindowTokens sends",
                how,
            )
