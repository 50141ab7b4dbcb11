import os
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed
from git_lerim.git.engines.partial_clone import fetch_missing, missing_objects, promisors
from git_lerim.git.repo import discover


@pytest.fixture(params=["blob:none", "tree:0"])
def clone(request: pytest.FixtureRequest, repo: Repo, tmp_path: Path) -> Repo:
    """Return a clone that left files, or folders too, with its remote; nothing of it is checked
    out.
    """
    repo.commit({f"src/{n}/{n}.py": f"n = {n}\n" for n in range(20)})
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git(
        "clone",
        "-q",
        "--no-checkout",
        f"--filter={request.param}",
        f"file://{repo.path}",
        str(tmp_path / "clone"),
    )
    return Repo(tmp_path / "clone")


def packs(repo: Repo) -> int:
    return len(list((repo.path / ".git/objects/pack").glob("*.pack")))


def test_what_is_missing_comes_at_once(clone: Repo) -> None:
    place = discover(clone.path, os.environ)
    tip = clone.git("rev-parse", "HEAD")
    before, refs = packs(clone), clone.git("for-each-ref")

    assert missing_objects(place, tip)
    fetch_missing(place, tip)

    assert missing_objects(place, tip) == []
    assert packs(clone) - before <= 2
    assert clone.git("for-each-ref") == refs
    assert not (clone.path / ".git/FETCH_HEAD").exists()


def test_looking_for_what_is_missing_fetches_nothing(clone: Repo) -> None:
    before = packs(clone)

    missing_objects(discover(clone.path, os.environ), clone.git("rev-parse", "HEAD"))

    assert packs(clone) == before


def test_a_commit_that_is_nowhere_lacks_nothing(clone: Repo) -> None:
    fetch_missing(discover(clone.path, os.environ), "1" * 40)


def test_the_remotes_that_promised_are_named_in_both_ways_of_git(clone: Repo) -> None:
    clone.git("config", "remote.a.b.promisor", "true")
    clone.git("config", "extensions.partialClone", "older")

    assert set(promisors(discover(clone.path, os.environ))) == {"origin", "a.b", "older"}


def test_a_remote_that_is_away_is_named(clone: Repo, repo: Repo, tmp_path: Path) -> None:
    repo.path.rename(tmp_path / "away")

    with pytest.raises(GitFailed, match="could not be fetched: origin could not be read") as caught:
        fetch_missing(discover(clone.path, os.environ), clone.git("rev-parse", "HEAD"))

    assert "git archive" in caught.value.hint
