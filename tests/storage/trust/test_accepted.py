"""What this clone wrote itself, as its history and its reflog tell."""

import pytest
from support.repos import Repo
from support.stores import adding, decision, put, store_at, titles

from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import discover
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.trust.accepted import ACCEPTED

REF = "refs/heads/lerim/memory"


def opened(repo: Repo) -> BranchStore:
    return BranchStore(discover(repo.path, {}), remote="origin", trust="reviewed")


def test_our_own_is_handed_out_and_what_was_fetched_waits(pair: tuple[Repo, Repo]) -> None:
    ours, _ = pair

    assert titles(opened(ours).served()) == {"Use thing 2"}
    assert titles(opened(ours).snapshot()) == {"Use thing 1", "Use thing 2"}
    assert [each.path for each in opened(ours).waiting()] == [
        each.path for each in opened(ours).snapshot().memories.values()
    ][:1]
    opened(ours).commit(adding(3))
    assert titles(opened(ours).served()) == {"Use thing 2", "Use thing 3"}
    ours.git("fsck", "--strict")


def test_what_is_pushed_stays_our_own_whatever_became_of_the_note(pair: tuple[Repo, Repo]) -> None:
    ours, _ = pair
    opened(ours).commit(adding(3))
    ours.git("push", "-q", "origin", REF)
    ours.git("update-ref", "-d", ACCEPTED)

    assert titles(opened(ours).served()) == {"Use thing 2", "Use thing 3"}  # the reflog knows
    ours.git("update-ref", "-d", ACCEPTED)
    ours.git("reflog", "expire", "--expire=all", REF)
    assert titles(opened(ours).served()) == {"Use thing 2", "Use thing 3"}  # it is put back
    ours.git("update-ref", "-d", ACCEPTED)
    (ours.path / ".git" / "lerim" / "own-refs").unlink()
    assert titles(opened(ours).served()) == set()


def test_what_both_wrote_to_the_byte_is_our_own(pair: tuple[Repo, Repo]) -> None:
    ours, theirs = pair
    store_at(theirs.path).commit(adding(2))
    theirs.git("push", "-q", "origin", REF)
    ours.git("fetch", "-q")

    assert titles(opened(ours).served()) == {"Use thing 2"}
    assert len(opened(ours).waiting()) == 1


def test_accepting_goes_by_memory_and_only_forward(pair: tuple[Repo, Repo]) -> None:
    ours, _ = pair
    store = opened(ours)
    (waiting,) = store.waiting()

    assert store.accept(["decisions/2026-02/20260203-nothing-aaaaaaaaaaaaa.md"]) == []
    assert store.accept([waiting.path]) == [waiting.path]
    assert store.accept() == []
    assert titles(opened(ours).served()) == {"Use thing 1", "Use thing 2"}
    assert store.waiting() == []


def test_the_note_grows_by_what_was_accepted_alone(pair: tuple[Repo, Repo]) -> None:
    ours, theirs = pair
    opened(ours).served()
    before = ours.git("rev-list", "--first-parent", "--count", ACCEPTED)
    for n in (4, 5):
        store_at(theirs.path).commit(adding(n))
        theirs.git("push", "-q", "origin", REF)
        ours.git("fetch", "-q")
        assert titles(opened(ours).served()) == {"Use thing 2"}

    assert ours.git("rev-list", "--first-parent", "--count", ACCEPTED) == before


def test_another_version_of_our_own_stays_ours_after_its_branch_was_deleted(repo: Repo) -> None:
    put(repo, decision(1).having(body="Because it is cheap."))
    repo.git("branch", "-D", "lerim/memory")

    put(repo, decision(2))
    put(repo, decision(1))

    shown = opened(repo).served().memories.values()
    assert {each.memory.body for each in shown} == {"Because it is good."}
    assert len(shown) == 2


def test_a_record_that_a_reader_moves_back_is_made_again(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "core.logAllRefUpdates", "false")  # the reflog cannot tell it either
    opened(repo).commit(adding(1))
    before, settle = repo.git("rev-parse", ACCEPTED), Objects.settle

    def late(objects: Objects) -> None:
        if repo.git("rev-parse", ACCEPTED) != before and not moved:
            moved.append(repo.git("update-ref", ACCEPTED, before))
        settle(objects)

    moved: list[str] = []
    monkeypatch.setattr(Objects, "settle", late)
    opened(repo).commit(adding(2))

    assert moved
    assert titles(opened(repo).served()) == {"Use thing 1", "Use thing 2"}
