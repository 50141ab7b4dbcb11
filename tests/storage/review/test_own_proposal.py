from support.inside import lerim
from support.repos import Repo

from git_lerim.git.repo import discover
from git_lerim.storage.review.own_proposal import OwnProposal


class _Store(OwnProposal):
    branch = "lerim/memory"

    def committer(self) -> str:
        return "Ada Tester <ada@example.org>"


def test_the_proposal_made_here_is_found(repo: Repo) -> None:
    store = _Store()
    store.place = discover(repo.path, {})
    assert store.own() is None

    repo.git("config", "lerim.review", "proposal")
    lerim(repo.path, "remember", "Tests need TZ.")

    own = _Store()
    own.place = discover(repo.path, {})
    assert (own.own() or "").startswith(f"lerim/proposal/{own.user}/")
