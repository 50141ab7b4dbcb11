"""Proposals: branches that wait for review, and the versions rejected in this clone."""

import hashlib
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from git_lerim.errors import GitFailed
from git_lerim.git import own_refs, refs
from git_lerim.git.commits.author_names import ident
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.git.history import dates
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, run_git
from git_lerim.memories.slug import slug
from git_lerim.storage import layout
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.writing.message import commit_bytes
from git_lerim.storage.writing.retrying import retry

# its tree lists the rejected versions of others' proposals as file names `<id>-<blob>`
REJECTED = "refs/lerim/rejected"
PROPOSED = "refs/lerim/proposed/"  # our proposals as last pushed
_APART = re.compile(r"-[0-9a-f]{12}\Z")  # ends a backup ref that does not follow a branch
_FORM = "%00".join(
    f"%({name})"
    for name in (
        "objecttype",
        "objectname",
        "refname",
        "committerdate:unix",
        "authorname",
        "authoremail",
        "authordate:raw",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A branch that waits for review; its texts are untrusted."""

    name: str  # the branch: `lerim/proposal/<user>/<date>-<id>`
    ref: str
    tip: str
    at: datetime  # of its last commit
    author: str  # of that commit: `Name <mail>`
    authored: str  # git's raw author date
    own: bool  # whether it is the current user's
    remote: str | None  # None for a local branch

    @property
    def who(self) -> str:
        """The author as `Name <mail>`, safe to show."""
        return ident(self.author)


def user_of(committer: str) -> str:
    """Return the part of a branch name that stands for a person.

    It is made from the person's name, else from the address, else it is a hash of both.
    """
    name, _, mail = committer.partition(" <")
    words = slug(name, "") or slug(mail.partition("@")[0], "")
    return words or hashlib.sha256(committer.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def list_proposals(place: Place, branch: str, remote: str | None, user: str) -> list[Proposal]:
    """Return the local proposals and those fetched from a remote, newest first."""
    folder = layout.proposals(branch)
    heads, fetched = f"refs/heads/{folder}/", f"refs/remotes/{remote}/{folder}/"
    listed = _listed(place, [heads, *([fetched] if remote else [])])
    own = set(own_branches(place, f"{folder}/{user}")) if user else set()
    all_ = list(_read(listed, heads, fetched, own, remote))
    local = {proposal.name: proposal for proposal in all_ if proposal.remote is None}
    kept = [
        each for each in all_ if each.remote is None or not _is_again(each, local.get(each.name))
    ]
    return sorted(kept, key=lambda each: (each.at, each.name), reverse=True)


def own_branches(place: Place, folder: str) -> list[str]:
    """Return the branches in a user's folder that this clone wrote, oldest first.

    The folder may also contain a branch that somebody else gave such a name, if the user checked it
    out.
    """
    names = sorted(refs.below(place.common_dir, f"refs/heads/{folder}"))
    branches = (name.removeprefix("refs/heads/") for name in names)
    return [each for each in branches if _is_written_here(place, each)]


def backups_without_branch(place: Place, branch: str) -> dict[str, str]:
    """Map the backup refs of proposals whose branch does not exist to their commits.

    Earlier states of a proposal, and proposals that git-lerim ended, are not among them.
    """
    kept = refs.below(place.common_dir, layout.backup_ref(layout.proposals(branch)))
    heads = refs.below(place.common_dir, f"refs/heads/{layout.proposals(branch)}")
    return {
        ref: commit
        for ref, commit in kept.items()
        if not _APART.search(ref) and f"refs/heads/{branch_of_backup(branch, ref)}" not in heads
    }


def branch_of_backup(branch: str, ref: str) -> str:
    """Return the branch of a proposal that a backup ref belongs to."""
    folder = layout.proposals(branch)
    return folder + ref.removeprefix(layout.backup_ref(folder))


def _is_written_here(place: Place, branch: str) -> bool:
    backup = refs.read_ref(place.common_dir, layout.backup_ref(branch))
    return backup is not None or bool(own_by_reflog(place, f"refs/heads/{branch}"))


def _listed(place: Place, places: list[str]) -> str:
    """Return git's list of the refs in the given folders, without damaged refs."""

    def ask(form: str, names: list[str]) -> str:
        args = place.git("for-each-ref", f"--format={form}", *names)
        return os.fsdecode(run_git(args, cwd=place.git_dir))

    try:
        return ask(_FORM, places)
    except GitFailed:  # git stops at the first damaged one
        named = (
            line.split(" ", 1) for line in ask("%(objectname) %(refname)", places).splitlines()
        )
        whole = [ref for id_, ref in named if _is_there(place, id_)]
        return ask(_FORM, whole) if whole else ""


def _is_there(place: Place, id_: str) -> bool:
    return git_line(place.git("cat-file", "-e", id_), cwd=place.git_dir) is not None


def _is_again(fetched: Proposal, local: Proposal | None) -> bool:
    """Return whether a fetched proposal need not be listed beside the local one.

    That is so if both have the same tip, or if the local one is the user's own.
    """
    return local is not None and (local.own or local.tip == fetched.tip)


def _read(
    told: str, heads: str, fetched: str, own: Collection[str], remote: str | None
) -> Iterator[Proposal]:
    for line in told.split("\n"):
        kind, tip, ref, seconds, author, mail, date = (
            line.split("\0") if line.count("\0") == 6 else [""] * 7
        )
        if kind == "commit":
            here = ref.startswith(heads)
            whole = ref if here else f"{heads}{ref.removeprefix(fetched)}"
            name = whole.removeprefix("refs/heads/")
            yield Proposal(
                name=name,
                ref=ref,
                tip=tip,
                at=datetime.fromtimestamp(dates.of_commit(seconds), UTC),
                author=f"{author} {mail}".strip(),
                authored=date,
                own=here and name in own,
                remote=None if here else remote,
            )


def rejected_versions(place: Place, objects: Objects) -> frozenset[str]:
    """Return the versions rejected in this clone, each as `<id>-<blob>`."""
    tip = own_refs.held(place, objects, REJECTED)
    entries = objects.entries(objects.tree_of(tip)) if tip else ()
    return frozenset(entry.name.decode("ascii", "replace") for entry in entries)


def record_rejected(
    place: Place, objects: Objects, versions: Collection[str], who: Identity, stamp: bytes
) -> None:
    """Record these versions as rejected on a local ref. Raises StoreMoved."""
    if not versions:
        return
    nothing = objects.write_blob(b"")
    entries = {version: TreeEntry(version.encode(), FILE, nothing) for version in versions}

    def once(_: int) -> None:
        old = objects.ref(REJECTED)
        tip = own_refs.held(place, objects, REJECTED)
        tree = objects.write_tree(objects.tree_of(tip) if tip else None, entries) or ""
        signature = who.committer + b" " + stamp
        message = f"review: reject {len(entries)}\n".encode()
        commit = objects.write_commit(
            commit_bytes(tree, [tip] if tip else [], signature, signature, message)
        )
        own_refs.note(place, REJECTED, commit)
        objects.move_ref(REJECTED, commit, old=old, message="git-lerim: reject", who=who)

    retry(once, f"{REJECTED} could not be moved")
    objects.settle()
