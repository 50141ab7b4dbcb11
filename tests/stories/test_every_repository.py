"""One person's day with memory, in every kind of repository that git makes."""

import os
import shutil
from pathlib import Path

import pytest
from support import repos, troubles
from support.repos import Repo
from support.shapes import SHAPES
from support.world import Ran, World

from git_lerim.git.running.process import git_version
from git_lerim.storage.layout import ROOT_IDS

SAID = "The price of a book is kept in cents"
# no session runs in a bare repository, and none can write such a name down
WITHOUT_SESSIONS = {"bare", "sha256 bare", "a name of other bytes"}
CLONES = [
    *(
        ("sha1", option)
        for option in (
            "",
            "--depth=1",
            "--single-branch",
            "--filter=blob:none",
            "--filter=tree:0",
            "--shared",
        )
    ),
    *(("sha256", option) for option in ("", "--filter=tree:0")),
    ("reftable", ""),
    ("reftable", "--filter=blob:none"),
]


def told(ran: Ran) -> str:
    """Return what a verb printed, which must have gone well."""
    assert ran.code == 0, ran.err
    assert "Traceback" not in ran.err
    assert "internal error" not in ran.err, ran.err
    return ran.out


def state(repo: Repo) -> list[str]:
    """Return what verbs must leave alone: HEAD, the user's branches, what git says of the work
    tree.
    """
    own = [line for line in repo.git("for-each-ref").splitlines() if "lerim" not in line]
    return [
        repo.git("rev-parse", "HEAD", check=False),
        repo.git("status", "--porcelain", check=False),
        *own,
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_day_with_memory(shape: str, world: World, tmp_path: Path) -> None:
    world = World(world.home, starts_python=shape == "with strangers' names")
    (tmp_path / "place").mkdir()
    repo = SHAPES[shape](tmp_path / "place" / "repo")
    before = state(repo)
    world.session("claude-catalog.jsonl", repo.path)

    told(world.lerim(repo.path, "init"))
    told(world.lerim(repo.path, "remember", SAID))
    synced = world.lerim(repo.path, "sync", "--window", "all", "--json")
    told(synced)
    listed = world.lerim(repo.path, "list", "--json").json
    mine = next(memory["id"] for memory in listed if memory["title"] == SAID)

    assert synced.json["commits"] or shape in WITHOUT_SESSIONS
    assert len(listed) == 1 + synced.json["decisions_added"] + synced.json["learnings_added"]
    assert SAID in told(world.lerim(repo.path, "search", "price", "cents"))
    assert SAID in told(world.lerim(repo.path, "show", mine))
    assert SAID in told(world.lerim(repo.path, "log"))
    first = repo.git("rev-list", "--max-parents=0", "lerim/memory")
    assert SAID in told(world.lerim(repo.path, "diff", first))
    examined = world.lerim(repo.path, "doctor")
    assert "Traceback" not in examined.err + examined.out
    assert "problem" not in examined.out, examined.out
    assert first == ROOT_IDS[repo.git("rev-parse", "--show-object-format")]
    repo.git("fsck", "--strict", "--full")
    assert state(repo) == before


@pytest.mark.parametrize(("make", "clone"), CLONES)
def test_a_team_s_memory_reaches_a_clone_of_any_kind(
    make: str, clone: str, world: World, tmp_path: Path
) -> None:
    if make == "reftable" and git_version() < (2, 45):
        pytest.skip("git writes reftables since 2.45")
    option = "--ref-format=reftable" if make == "reftable" else f"--object-format={make}"
    hub = repos.bare(tmp_path / "hub.git", option)
    hub.git("config", "uploadpack.allowFilter", "true")
    ann = repos.normal(tmp_path / "ann", option)
    ann.git("remote", "add", "origin", f"file://{hub.path}")
    ann.git("push", "-q", "origin", "main")
    told(world.lerim(ann.path, "remember", SAID))
    told(world.lerim(ann.path, "push", "--yes"))
    ann.git(
        "clone",
        "-q",
        *([clone] if clone else []),
        str(hub.path) if clone == "--shared" else f"file://{hub.path}",
        str(tmp_path / "bob"),
    )
    bob = Repo(tmp_path / "bob")

    told(world.lerim(bob.path, "pull"))
    assert SAID in told(world.lerim(bob.path, "list"))
    assert SAID in told(world.lerim(bob.path, "search", "price"))
    told(world.lerim(bob.path, "remember", "Books are sold in euros"))
    told(world.lerim(bob.path, "push", "--yes"))
    told(world.lerim(ann.path, "pull"))

    assert "Books are sold in euros" in told(world.lerim(ann.path, "list"))
    assert (
        ann.git("rev-parse", "lerim/memory")
        == bob.git("rev-parse", "lerim/memory")
        == hub.git("rev-parse", "lerim/memory")
    )


@pytest.mark.parametrize("make", ["sha1", "sha256"])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_repository_that_may_only_be_read_is_read(
    make: str, world: World, tmp_path: Path, *, fresh: bool
) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={make}")
    told(world.lerim(repo.path, "remember", SAID))
    mine = world.lerim(repo.path, "list", "--json").json[0]["id"]
    if fresh:
        shutil.rmtree(repo.path / ".git" / "lerim")

    with troubles.read_only(repo.path):
        for words in (["list", "--all"], ["search", "price"], ["show", mine], ["log"], ["diff"]):
            assert SAID in told(world.lerim(repo.path, *words))
        for word in ("status", "lint", "statusline", "stats"):
            told(world.lerim(repo.path, word))
        assert "from " not in world.lerim(repo.path, "list").out
        refused = world.lerim(repo.path, "remember", "something else")

    assert refused.code == 1
    assert refused.err.startswith("git lerim: ")
    assert "Traceback" not in refused.err
    assert "hint: " in refused.err


@pytest.mark.parametrize("make", ["sha1", "sha256"])
@pytest.mark.parametrize("common", [False, True])
def test_variables_of_git_point_where_they_point(
    make: str, world: World, tmp_path: Path, *, common: bool
) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={make}")
    other = repos.normal(tmp_path / "other")
    env = {
        "GIT_DIR": str(repo.path / ".git"),
        "GIT_WORK_TREE": str(repo.path),
        "GIT_INDEX_FILE": "/nowhere",
        "GIT_PREFIX": "x/",
    }
    if common:
        repo.git("worktree", "add", "-q", str(tmp_path / "side"))
        env |= {"GIT_COMMON_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(tmp_path / "side")}
        env |= {"GIT_DIR": str(repo.path / ".git" / "worktrees" / "side")}

    told(world.lerim(other.path, "remember", SAID, env=env))

    assert SAID in told(world.lerim(repo.path, "list"))
    assert SAID in told(world.lerim(other.path, "log", env=env))
    assert other.git("for-each-ref", "refs/heads/lerim") == ""


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0,
    reason="only root can give a repository to somebody else",
)
@pytest.mark.parametrize("make", ["sha1", "sha256"])
def test_a_repository_of_a_stranger_is_refused_in_a_sentence(
    make: str, world: World, tmp_path: Path
) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={make}")
    for path in (repo.path, *repo.path.rglob("*")):
        os.chown(path, 12345, -1)

    for words in (["list"], ["remember", SAID], ["sync"]):
        refused = world.lerim(repo.path, *words)
        assert refused.code == 1
        assert "safe.directory" in refused.err
        assert "Traceback" not in refused.err


def test_a_kind_of_repository_that_git_does_not_know_is_told_in_a_sentence(
    world: World, repo: Repo
) -> None:
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.fromTomorrow", "x")

    for words in (["list"], ["sync"], ["remember", SAID]):
        refused = world.lerim(repo.path, *words)
        assert refused.code == 1
        assert "unknown extension fromtomorrow\nhint: install a newer git\n" in refused.err


def test_a_partial_clone_whose_remote_is_away_says_so(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    told(world.lerim(repo.path, "remember", SAID))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "clone"))
    away = repo.path.rename(tmp_path / "away")
    told(world.lerim(tmp_path / "clone", "init"))
    refused = world.lerim(tmp_path / "clone", "list")
    away.rename(repo.path)

    assert refused.code == 1
    assert refused.err.startswith("git lerim: this is a partial clone, and ")
    assert (
        f"origin could not be read: '{repo.path}' does not appear to be a git repository\n"
        in refused.err
    )
    assert SAID in told(world.lerim(tmp_path / "clone", "list"))


@pytest.mark.parametrize("store", [(), ("--tree",)])
def test_a_partial_clone_begins_no_memory_beside_the_one_it_cannot_fetch(
    world: World, repo: Repo, tmp_path: Path, store: tuple[str, ...]
) -> None:
    told(world.lerim(repo.path, "remember", SAID))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=tree:0", f"file://{repo.path}", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    away = repo.path.rename(tmp_path / "away")

    refused = world.lerim(clone.path, "init", *store)

    assert refused.code == 1
    assert refused.err.startswith("git lerim: this is a partial clone, and ")
    assert "hint: when the remote is reachable" in refused.err
    assert clone.git("for-each-ref", "refs/heads/lerim", "refs/lerim") == ""
    assert clone.git("status", "--short") == ""
    away.rename(repo.path)
    assert "origin" in told(world.lerim(clone.path, "init", *store)) or store
    assert SAID in told(world.lerim(clone.path, "list"))


def test_what_a_partial_clone_could_not_fetch_is_named_and_shown_once_it_can(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    told(world.lerim(repo.path, "remember", SAID))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=tree:0", f"file://{repo.path}", str(tmp_path / "clone"))
    away = repo.path.rename(tmp_path / "away")
    told(world.lerim(tmp_path / "clone", "remember", "Totals are rounded down."))

    listed = world.lerim(tmp_path / "clone", "list")
    assert SAID not in told(listed)
    assert "memories fetched from origin are not shown: this is a partial clone" in listed.err

    away.rename(repo.path)
    assert SAID in told(world.lerim(tmp_path / "clone", "list"))
