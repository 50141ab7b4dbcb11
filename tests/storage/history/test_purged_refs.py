import os

from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.storage.history.purged_refs import refs_with_purged
from git_lerim.storage.sharing.tombstones import Purge

REF = "refs/heads/lerim/memory"


def holding(repo: Repo) -> list[str]:
    place = discover(repo.path, os.environ)
    return refs_with_purged(place, open_objects(place), repo.git("rev-parse", REF))


def test_a_damaged_commit_of_another_ref_hides_no_ref_with_purged_files(repo: Repo) -> None:
    for n in range(2):
        store_at(repo.path).commit(adding(n))
    for name in ("a", "z"):
        repo.git("update-ref", f"refs/heads/{name}", REF)
    damaged = repo.commit({"x": "1"})
    repo.git("update-ref", "refs/heads/m", damaged)
    store_at(repo.path).purge(Purge(frozenset([decision(1).id])))
    file = repo.path / ".git/objects" / damaged[:2] / damaged[2:]
    file.chmod(0o600)
    file.write_bytes(b"damaged")

    assert holding(repo) == ["refs/heads/a", "refs/heads/z"]


def test_a_purged_file_that_cannot_be_read_counts_by_its_name(repo: Repo) -> None:
    store_at(repo.path).commit(adding(0))
    store_at(repo.path).commit(adding(1))
    repo.git("update-ref", "refs/heads/old", REF)
    path = next(
        p for p in repo.git("ls-tree", "-r", "--name-only", REF).split() if decision(1).id in p
    )
    blob = repo.git("rev-parse", f"{REF}:{path}")
    store_at(repo.path).purge(Purge(frozenset([decision(1).id])))
    file = repo.path / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(b"damaged")

    assert holding(repo) == ["refs/heads/old"]
