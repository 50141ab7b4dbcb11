"""Sign the commits that no remote has yet; this also rewrites the commits on top of them."""

import time

from git_lerim.errors import LerimError
from git_lerim.git.commits.identity import Identity, stamp
from git_lerim.git.commits.signing import SIGNED, Signer
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout
from git_lerim.storage.history import replace_branch
from git_lerim.storage.history.rewriting import HASH, SHORT
from git_lerim.storage.trust.provenance.own_commits import NOT_OURS


def sign_branch(  # noqa: PLR0913, PLR0917 what to sign, where, and by whom
    place: Place,
    objects: Objects,
    branch: str,
    signer: Signer,
    who: Identity,
    root: bool,  # noqa: FBT001 handed on
) -> str | None:
    """Sign a branch's unpushed commits and move the branch to them; return its new tip.

    Returns None if nothing changed. With `root`, the store's first commit is signed, too.
    """
    ref, backup = f"refs/heads/{branch}", layout.backup_ref(branch)
    tip = objects.ref(ref)
    new = sign_history(place, objects, tip, signer, who if root else None) if tip else None
    if tip is None or new is None or new == tip:
        return None
    objects.move_ref(ref, new, old=tip, message="git-lerim: sign", who=who)
    objects.settle()
    kept = objects.ref(backup)
    # the rewritten branch contains everything that the backup has
    if kept is not None and objects.descends(tip, kept):
        objects.move_ref(backup, new, old=kept, message="git-lerim: sign", who=who)
    replace_branch.expire_reflogs(place, [ref])
    return new


def sign_history(
    place: Place, objects: Objects, tip: str, signer: Signer, beginner: Identity | None = None
) -> str:
    """Sign all unpushed commits that lead to a tip, and return the new tip.

    The first commit is the same in every clone, so it stays unsigned unless `beginner` is given:
    then it gets that committer and a signature, for a remote that rejects unsigned commits. Raises
    LerimError if signing fails.
    """
    listed = run_git(
        place.git("rev-list", "--topo-order", "--reverse", tip, *NOT_OURS), cwd=place.git_dir
    )
    new: dict[str, str] = {}
    for commit in listed.decode("ascii").split():
        is_root = commit in layout.ROOT_IDS.values()
        if is_root and beginner is None:
            continue
        data = run_git(place.git("cat-file", "commit", commit), cwd=place.git_dir)
        again = _begun(data, beginner) if is_root and beginner else _again(data, new)
        if again == data and _is_signed(data):
            continue
        bare = objects.write_commit(again) if again != data else commit
        new[commit] = signer.commit(objects, bare)
        if new[commit] == bare and (why := signer.why_not()):
            hint = "to push without signatures: git config lerim.sign never"
            raise LerimError(
                f"nothing was pushed: {commit[:12]} could not be signed: {why}", hint=hint
            )
    return new.get(tip, tip)


def _is_signed(data: bytes) -> bool:
    return any(mark in data.partition(b"\n\n")[0] for mark in SIGNED)


def _again(data: bytes, new: dict[str, str]) -> bytes:
    """Return a commit with its parents replaced and its signature, now invalid, removed."""
    head, _, message = data.partition(b"\n\n")
    lines: list[bytes] = []
    for line in head.split(b"\n"):
        if line.startswith(b" "):
            lines[-1] += b"\n" + line
        else:
            lines.append(line)
    kept = [_parent(line, new) for line in lines]
    short = {old[:SHORT]: name for old, name in new.items()}
    told = HASH.sub(
        lambda name: short.get(name[0][:SHORT], name[0])[: len(name[0])],
        message.decode("utf-8", "surrogateescape"),
    ).encode("utf-8", "surrogateescape")
    if (kept, told) == (lines, message):
        return data
    return (
        b"\n".join(
            line
            for line in kept
            if not f"\n{line.decode('latin-1')}".encode("latin-1").startswith(SIGNED)
        )
        + b"\n\n"
        + told
    )


def _begun(data: bytes, beginner: Identity) -> bytes:
    """Return the first commit with a committer and the current time, so that it can be signed."""
    head, rest = data.split(b"\ncommitter ", 1)
    return b"%s\ncommitter %s %s\n%s" % (
        head,
        beginner.committer,
        stamp(time.time()),
        rest.partition(b"\n")[2],
    )


def _parent(line: bytes, new: dict[str, str]) -> bytes:
    word, _, name = line.partition(b" ")
    return (
        b"parent " + new.get(name.decode("latin-1"), name.decode("latin-1")).encode("latin-1")
        if word == b"parent"
        else line
    )
