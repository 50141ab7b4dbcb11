"""What is read where a plain `git fetch` has brought somebody else's memories."""

from support.repos import Repo
from support.stores import adding, store_at, titles

from git_lerim.git.repo import discover
from git_lerim.storage import layout
from git_lerim.storage.branch.branch_store import BranchStore

REF = "refs/heads/lerim/memory"


def opened(repo: Repo, remote: str = "origin") -> BranchStore:
    return BranchStore(discover(repo.path, {}), remote=remote)


def test_what_was_fetched_is_read_and_the_branch_stays_until_the_next_commit(
    pair: tuple[Repo, Repo],
) -> None:
    ours, _ = pair
    before = ours.git("rev-parse", REF)

    assert titles(opened(ours).snapshot()) == {"Use thing 1", "Use thing 2"}
    assert opened(ours).view() == opened(ours).view()
    assert ours.git("rev-parse", REF) == before

    opened(ours).commit(adding(3))

    assert titles(opened(ours).snapshot()) == {"Use thing 1", "Use thing 2", "Use thing 3"}
    assert ours.git("rev-list", "--merges", "--count", REF) == "1"
    assert opened(ours).view() == ours.git("rev-parse", REF)
    ours.git("fsck", "--strict")


def test_who_is_behind_reads_what_was_fetched_and_writes_on_top_of_it(
    pair: tuple[Repo, Repo],
) -> None:
    ours, theirs = pair
    ours.git("update-ref", REF, layout.ROOT_IDS["sha1"])

    assert opened(ours).view() == theirs.git("rev-parse", REF)
    opened(ours).commit(adding(4))

    assert titles(opened(ours).snapshot()) == {"Use thing 1", "Use thing 4"}
    assert ours.git("rev-list", "--merges", "--count", REF) == "0"


def test_the_memory_of_another_remote_is_not_read(pair: tuple[Repo, Repo]) -> None:
    ours, _ = pair

    assert titles(opened(ours, "upstream").snapshot()) == {"Use thing 2"}
    assert titles(store_at(ours.path).snapshot()) == {"Use thing 2"}


def test_a_newer_layout_that_was_fetched_is_left_out_with_a_word(pair: tuple[Repo, Repo]) -> None:
    ours, theirs = pair
    theirs.git(
        "fast-import",
        "--quiet",
        stdin=f"commit {REF}\ncommitter X <x@x> 1800000000 +0000\ndata 1\nx\n"
        f"from {theirs.git('rev-parse', REF)}\nM 100644 inline format\ndata 2\n9\n\n",
    )
    theirs.git("push", "-q", "origin", REF)
    ours.git("fetch", "-q")
    store = opened(ours)

    assert titles(store.snapshot()) == {"Use thing 2"}
    assert "layout 9" in store.warnings[0]


def test_the_index_follows_what_was_fetched(pair: tuple[Repo, Repo]) -> None:
    ours, _ = pair
    store = opened(ours)

    assert store.changes(None).count == 2
    assert store.changes(store.changes(None).tree).count == 0
