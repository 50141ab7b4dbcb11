"""What a colleague deleted, archived or reworded is named however the user's branch got there."""

from pathlib import Path

import pytest
from support.inside import lerim
from support.prepared import Prepared
from support.repos import Repo
from support.team import REF, deleted, path_of, remember, rewrite, shared

SQUASH = "squash"
TREE = "tree"
FORWARD = "forward"
URL = "url"
RESET = "reset"
MERGE = "merge"
PICK = "pick"


@pytest.fixture
def team(ann: Repo, bob: Repo, prepared: Prepared) -> tuple[Repo, Repo]:
    """Return a colleague's clone, and the user's, with three memories of the user in both."""

    def share() -> None:
        for name in ("first", "second", "third"):
            remember(bob, f"Never skip the {name} check of the house.")
        shared(bob)
        lerim(ann.path, "pull")

    prepared(share)
    return ann, bob


def taken(bob: Repo, way: str, place: Path) -> None:
    """Take in what the remote has, by git alone."""
    if way == FORWARD:
        bob.git("fetch", "-q", "origin", f"{REF}:{REF}")
        return
    if way == URL:
        bob.git("fetch", "-q", bob.git("remote", "get-url", "origin"), f"{REF}:{REF}")
        return
    bob.git("fetch", "-q", "origin")
    bob.git("worktree", "add", "-q", str(place), "lerim/memory")
    copy = Repo(place)
    if way == RESET:
        copy.git("reset", "-q", "--hard", "origin/lerim/memory")
    elif way == MERGE:
        copy.git("merge", "-q", "--no-ff", "-m", "Merge", "origin/lerim/memory")
    elif way == PICK:
        copy.git("cherry-pick", "HEAD..origin/lerim/memory")
    elif way == SQUASH:
        copy.git("merge", "-q", "--squash", "origin/lerim/memory")
        copy.git("commit", "-qm", "Take over")
    else:
        copy.git("read-tree", "-u", "--reset", "origin/lerim/memory")
        copy.git("commit", "-qm", "Take over")
    bob.git("worktree", "remove", "--force", str(place))


def archived(ann: Repo, path: str) -> None:
    text = ann.git("show", f"{REF}:{path}")
    deleted(ann, [path], (f"archived/{path}", f"{text}\n"))


WAYS = [SQUASH, TREE, FORWARD, URL, RESET, MERGE, PICK]


@pytest.fixture
def moved(team: tuple[Repo, Repo], tmp_path: Path, request: pytest.FixtureRequest) -> list[str]:
    """Let a colleague archive, reword and delete, and the user take this in; return the ids."""
    ann, bob = team
    first, second, third = (path_of(ann, f"the-{name}") for name in ("first", "second", "third"))
    archived(ann, first)
    rewrite(ann, second, "of the house", "of the garden")
    deleted(ann, [third])
    ann.git("push", "-q", "origin", REF)
    taken(bob, request.param, tmp_path / "copy")
    return [path.removesuffix(".md").rpartition("-")[2] for path in (first, second, third)]


@pytest.mark.parametrize("moved", WAYS, indirect=True)
def test_the_state_names_what_a_colleague_archived_reworded_or_deleted(
    moved: list[str], bob: Repo
) -> None:
    first, second, third = moved

    told = lerim(bob.path, "status").out

    assert f"retired   {first} archived by Mallory" in told
    assert f"changed   {second} reworded by Mallory" in told
    assert "withdrawn 1 memory deleted by someone else" in told
    assert lerim(bob.path, "list", "--all").out.count("(archived)") == 2
    assert lerim(bob.path, "restore", third).code == 0
    assert "the third check" in lerim(bob.path, "list").out
    assert "withdrawn" not in lerim(bob.path, "status").out


@pytest.mark.parametrize("moved", WAYS, indirect=True)
def test_the_next_pull_names_it_too(moved: list[str], bob: Repo) -> None:
    first, second, third = moved

    pulled = lerim(bob.path, "pull").err

    assert f"someone else archived or superseded 1 memory: {first}" in pulled
    assert f"someone else changed 1 memory: {second}" in pulled
    assert f"someone else deleted 1 memory: {third}" in pulled
    assert "someone else" not in lerim(bob.path, "pull").err


@pytest.mark.parametrize("moved", [SQUASH, FORWARD], indirect=True)
def test_nothing_is_lost_if_the_user_writes_first(moved: list[str], bob: Repo) -> None:
    remember(bob, "Something else.")

    assert "withdrawn 1 memory" in lerim(bob.path, "status").out
    assert lerim(bob.path, "restore", moved[2]).code == 0


def test_what_the_user_deletes_is_not_named(team: tuple[Repo, Repo], tmp_path: Path) -> None:
    _, bob = team
    third = path_of(bob, "the-third")
    bob.git("worktree", "add", "-q", str(tmp_path / "copy"), "lerim/memory")
    copy = Repo(tmp_path / "copy")
    copy.git("rm", "-q", third)
    copy.git("commit", "-qm", "Remove what nobody needs")

    assert third.removesuffix(".md").rpartition("-")[2] not in lerim(bob.path, "list", "--all").out
    assert "deleted by someone else" not in lerim(bob.path, "status").out
