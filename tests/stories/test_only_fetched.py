"""A fresh clone, as on a CI runner: the memory was only fetched, and git knows no user."""

from pathlib import Path

import pytest
from support.repos import Repo, bare, cloned
from support.world import World

from git_lerim.memories import naming

REF = "lerim/memory"
NOBODY = "[user]\n\tuseConfigOnly = true\n"


@pytest.fixture
def hub(repo: Repo, world: World) -> Repo:
    """Return a remote to which a colleague has pushed one memory."""
    hub = bare(repo.path.parent / "hub.git")
    repo.git("config", "user.name", "Ada")
    repo.git("config", "user.email", "ada@example.org")
    repo.git("remote", "add", "origin", str(hub.path))
    repo.git("push", "-q", "origin", "HEAD")
    assert world.lerim(repo.path, "remember", "Never retry a POST request.").code == 0
    assert world.lerim(repo.path, "push", "--yes").code == 0
    return hub


@pytest.fixture
def clone(hub: Repo, sealed_world: Path) -> Repo:
    """Return a clone in which git has no identity."""
    clone = cloned(hub, hub.path.parent / "clone")
    clone.git("fetch", "-q", "origin")
    (sealed_world / ".gitconfig").write_text(NOBODY)
    for key in ("user.name", "user.email"):
        clone.git("config", "--unset", key, check=False)
    return clone


def by_git(repo: Repo, old: str, new: str, *, mail: str = "mallory@example.org") -> Path:
    """Change the memory's file with git alone, as Mallory; return the work tree of the memory."""
    place = repo.path.parent / "by-git"
    repo.git("worktree", "add", "-q", str(place), REF)
    [file] = place.rglob("*-retry-*.md")
    file.write_text(file.read_text().replace(old, new))
    who = ("-c", "user.name=Mallory", "-c", f"user.email={mail}")
    repo.git("-C", str(place), *who, "commit", "-qam", "Reword it")
    repo.git("push", "-q", "origin", REF)
    return place


def test_a_memory_is_taken_and_followed_without_an_identity(
    repo: Repo, clone: Repo, world: World
) -> None:
    begun = world.lerim(clone.path, "init")
    assert world.lerim(repo.path, "remember", "Charts are blue.").code == 0
    assert world.lerim(repo.path, "push", "--yes").code == 0
    pulled = world.lerim(clone.path, "pull")

    assert begun.code == 0, begun.err
    assert "Created branch lerim/memory from origin/lerim/memory" in begun.out
    assert pulled.code == 0, pulled.err
    assert clone.git("rev-parse", REF) == repo.git("rev-parse", REF)
    assert "from Ada: Charts are blue" in world.lerim(clone.path, "list").out
    refused = world.lerim(clone.path, "remember", "Mine.")
    assert (refused.code, "git has no author identity" in refused.err) == (1, True)


def test_a_pull_creates_the_branch_without_an_identity(
    repo: Repo, clone: Repo, world: World
) -> None:
    assert world.lerim(clone.path, "pull").code == 0

    assert clone.git("rev-parse", REF) == repo.git("rev-parse", REF)
    assert "from Ada: Never retry" in world.lerim(clone.path, "list").out


def test_without_an_identity_nobody_without_an_address_writes_in_anothers_name(
    repo: Repo, clone: Repo, world: World
) -> None:
    by_git(repo, "Never retry", "Always retry", mail="")

    assert world.lerim(clone.path, "pull").code == 0

    assert "from Mallory: Always retry" in world.lerim(clone.path, "list").out


def test_lint_checks_what_was_only_fetched(repo: Repo, clone: Repo, world: World) -> None:
    good = world.lerim(clone.path, "lint")
    assert (good.code, good.err.splitlines()[0]) == (0, "checked 1 file: 0 problems")

    by_git(repo, "\nkind: ", "\nkind: {} # ")
    clone.git("fetch", "-q")
    bad = world.lerim(clone.path, "lint", "--json")

    assert bad.code == 1
    assert [row["rule"] for row in bad.json] == ["quarantined"]
    assert naming.valid_path(bad.json[0]["path"])
    assert clone.git("for-each-ref", "refs/heads/lerim", "refs/lerim") == ""


def test_a_past_of_what_was_only_fetched_is_refused_and_list_names_the_next_step(
    clone: Repo, world: World
) -> None:
    for verb in (["list"], ["list", "--json"], ["search", "retry"], ["brief"], ["lint"]):
        past = world.lerim(clone.path, *verb, "--at", f"origin/{REF}")
        assert (past.code, past.out) == (1, "")
        assert (
            "fetched from origin but is not used yet\nhint: to use it: git lerim init" in past.err
        )
    listed = world.lerim(clone.path, "list")
    assert "git lerim sync" not in listed.err
    assert "to use it: git lerim init" in listed.err


def test_a_misspelt_revision_is_an_error_even_without_a_memory(repo: Repo, world: World) -> None:
    done = world.lerim(repo.path, "list", "--json", "--at", "nosuchrev")

    assert (done.code, done.out) == (2, "")
    assert "'nosuchrev' is neither a revision nor a date" in done.err
    assert world.lerim(repo.path, "list", "--json", "--at", "2020-01-01").json == []
