"""Which commit descends from which, also in a history with a gap."""

import pytest
from support.repos import Repo

from git_lerim.git.commits.ancestry import is_ancestor
from git_lerim.git.repo import discover


@pytest.mark.parametrize("seconds", [0, 60])
def test_what_is_above_a_corrupt_commit_is_told_by_what_can_be_read(
    repo: Repo, seconds: int
) -> None:
    made = []
    for n in range(5):
        when = f"@{1_700_000_000 + n * seconds} +0000"
        repo.git("commit", "-q", "--allow-empty", "-m", str(n), when=when)
        made.append(repo.git("rev-parse", "HEAD"))
    file = repo.path / ".git/objects" / made[1][:2] / made[1][2:]
    file.chmod(0o600)
    file.write_bytes(file.read_bytes()[:20])
    place = discover(repo.path, {})

    told = [
        is_ancestor(place, made[3], made[4]),
        is_ancestor(place, made[4], made[3]),
        is_ancestor(place, made[0], made[4]),
    ]

    assert told == [True, False, False]
