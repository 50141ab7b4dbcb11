import os
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.errors import BranchBlocked
from git_lerim.git.repo import discover
from git_lerim.storage.history import replace_branch
from git_lerim.storage.sharing.tombstones import Purge

REF = "refs/heads/lerim/memory"


def of(*numbers: int) -> Purge:
    return Purge(frozenset(decision(n).id for n in numbers))


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_purged_id_is_noted_and_never_written_again(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    for n in range(3):
        store_at(repo.path).commit(adding(n))

    done = store_at(repo.path).purge(of(1))

    assert (
        done.commit
        == repo.git("rev-parse", REF)
        == repo.git("rev-parse", "refs/lerim/backup/memory")
    )
    assert repo.git("ls-tree", "-r", "--name-only", REF, "purged") == f"purged/{decision(1).id}"
    snapshot = store_at(repo.path).snapshot()
    assert set(snapshot.memories) == {decision(0).id, decision(2).id}
    assert snapshot.purged == {decision(1).id}
    assert not snapshot.quarantined
    assert store_at(repo.path).commit(adding(1)) is None
    assert store_at(repo.path).commit(adding(1, 4))
    assert set(store_at(repo.path).snapshot().memories) == {decision(n).id for n in (0, 2, 4)}
    assert decision(1).title not in repo.git("log", "--format=%B", REF)


def test_backups_and_proposals_of_ours_are_rewritten_and_what_they_have_alone_stays(
    repo: Repo,
) -> None:
    store_at(repo.path).commit(adding(0))
    store_at(repo.path).commit(adding(1))
    repo.git("update-ref", "refs/heads/lerim/proposal/ann/x", REF)
    other = store_at(repo.path, "lerim/proposal/ann/x")
    other.commit(adding(5))
    repo.git(
        "update-ref", "refs/lerim/backup/memory-0123456789ab", "refs/heads/lerim/proposal/ann/x"
    )
    repo.git("pack-refs", "--all")

    store_at(repo.path).purge(of(1))

    place = discover(repo.path, os.environ)
    for ref in ("refs/heads/lerim/proposal/ann/x", "refs/lerim/backup/memory-0123456789ab"):
        names = repo.git("log", "--name-only", "--format=", ref)
        assert decision(5).id in names
        assert decision(1).id not in names
    assert [name.partition("-")[0][:18] for name in replace_branch.kept_refs(place)] == [
        "refs/lerim/purged/"
    ]


def test_a_purge_of_what_was_never_there_rewrites_nothing(repo: Repo) -> None:
    tip = store_at(repo.path).commit(adding(0))

    done = store_at(repo.path).purge(of(7))

    assert done.kept is None
    assert repo.git("rev-parse", f"{REF}~1") == tip


def test_a_branch_that_somebody_works_on_is_left_alone(repo: Repo) -> None:
    tip = store_at(repo.path).commit(adding(0))
    repo.git("checkout", "-q", "lerim/memory")

    with pytest.raises(BranchBlocked):
        store_at(repo.path).purge(of(0))

    assert repo.git("rev-parse", REF) == tip
    assert replace_branch.kept_refs(discover(repo.path, os.environ)) == []


def test_reflogs_of_others_are_left_alone(repo: Repo) -> None:
    store_at(repo.path).commit(adding(0))
    repo.git("config", "core.logAllRefUpdates", "always")
    repo.git("branch", "mine", "lerim/memory")
    repo.git("branch", "-f", "mine", "main")
    before = repo.git("reflog", "show", "mine"), repo.git("reflog", "show", "HEAD")

    store_at(repo.path).purge(of(0))

    assert (repo.git("reflog", "show", "mine"), repo.git("reflog", "show", "HEAD")) == before
    assert decision(0).id not in repo.git("log", "--walk-reflogs", "--name-only", "--format=", REF)
