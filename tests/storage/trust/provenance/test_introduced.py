"""What commits put where, as git tells it."""

from support.repos import Repo
from support.stores import adding

from git_lerim.git.repo import discover
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.trust.provenance.introduced import introduced

REF = "refs/heads/lerim/memory"


def test_what_a_merge_puts_there_is_told_with_each_parent_s_version(
    pair: tuple[Repo, Repo],
) -> None:
    ours, _ = pair
    BranchStore(discover(ours.path, {}), remote="origin").commit(adding(3))
    found = list(introduced(discover(ours.path, {}), ours.git("rev-parse", REF), None))

    assert [each.old for each in found] == [("",)] * 3  # the merge itself brought nothing new
    assert all(each.new for each in found)
