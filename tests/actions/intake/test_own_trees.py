import os
import shutil
from pathlib import Path

import pytest
from support.repos import Repo, normal
from support.world import World

NOT_READ = "its sessions are not read"


@pytest.fixture
def shipped(world: World, repo: Repo) -> Path:
    """Return the folder of a session of Codex that the repository brought along."""
    session = world.codex("codex-prices.jsonl", repo.path)
    target = repo.path / "fixtures" / session.relative_to(world.home / ".codex")
    target.parent.mkdir(parents=True)
    shutil.move(session, target)
    return repo.path / "fixtures"


def warned(world: World, folder: Path, named: Path | str, *words: str, **env: str) -> int:
    """Return how often a sync says that sessions in a folder are not read, as it reads none."""
    ran = world.lerim(
        folder, "sync", "--window", "all", *words, env={"CODEX_HOME": str(named), **env}
    )
    assert world.lerim(folder, "sessions", "--json").json == []
    return ran.err.count(NOT_READ)


@pytest.mark.parametrize("env", [{}, {"CLAUDECODE": "1"}])
def test_sessions_in_the_work_tree_are_left_out_and_named_once(
    world: World, repo: Repo, shipped: Path, env: dict[str, str]
) -> None:
    assert warned(world, repo.path, "fixtures", **env) == 1
    assert warned(world, repo.path, shipped / "sessions", **env) == 1


def test_a_folder_around_the_work_tree_or_a_link_into_it_changes_nothing(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(shipped)

    assert warned(world, repo.path, repo.path.parent) == 1
    assert warned(world, repo.path, tmp_path / "link") == 1


def test_another_work_tree_of_the_repository_counts_too(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "other"))
    shutil.move(shipped, tmp_path / "other/fixtures")

    assert warned(world, repo.path, tmp_path / "other/fixtures") == 1


def test_so_does_the_repository_around_a_submodule(world: World, repo: Repo, shipped: Path) -> None:
    inner = normal(repo.path / "lib")

    assert warned(world, inner.path, "../fixtures") == 1
    assert warned(world, inner.path, shipped) == 1


def test_a_relative_path_leads_into_no_other_repository(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    other = normal(tmp_path / "other")
    shutil.move(shipped, other.path / "fixtures")

    assert warned(world, repo.path, "../other/fixtures") == 1
    ran = world.lerim(
        repo.path, "sync", "--window", "all", env={"CODEX_HOME": str(other.path / "fixtures")}
    )
    assert NOT_READ not in ran.err  # such as a repository of the user's settings
    assert len(world.lerim(repo.path, "sessions", "--json").json) == 1


@pytest.mark.parametrize("agent", [{}, {"GEMINI_CLI": "1"}])
def test_a_session_that_another_repository_tracks_is_left_out(
    world: World, repo: Repo, shipped: Path, tmp_path: Path, agent: dict[str, str]
) -> None:
    other = normal(tmp_path / "other")
    shutil.move(shipped, other.path / "fixtures")
    other.git("add", ".")
    folder = other.path / "fixtures"

    assert warned(world, repo.path, folder, **agent) == 1
    assert warned(world, repo.path, folder / "sessions/../sessions", **agent) == 1
    assert warned(world, repo.path, f"/{folder}", **agent) == 1
    world.lerim(repo.path, "connect", "codex", "--path", str(folder))
    assert NOT_READ not in world.lerim(repo.path, "sync", "--window", "all", env=agent).err
    assert len(world.lerim(repo.path, "sessions", "--json").json) == 1


def test_so_is_one_in_a_work_tree_of_which_git_says_nothing(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "other/.git/HEAD").write_text("damaged")
    shutil.move(shipped, tmp_path / "other/fixtures")

    assert warned(world, repo.path, tmp_path / "other/fixtures") == 1


def test_git_is_asked_once_for_a_work_tree_and_not_for_other_folders(
    world: World, repo: Repo, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = normal(tmp_path / "other")
    rollout = next(shipped.rglob("rollout-*"))
    for number in range(5):
        shutil.copy(rollout, rollout.with_name(f"rollout-{number}.jsonl"))
    shutil.copytree(shipped, tmp_path / "plain")
    shutil.move(shipped, other.path / "fixtures")
    trace = tmp_path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    counts = []
    for folder in (tmp_path / "plain", other.path / "fixtures"):
        trace.unlink(missing_ok=True)
        world.lerim(repo.path, "sync", "--window", "all", env={"CODEX_HOME": str(folder)})
        counts.append(trace.read_text().count("built-in: git ls-files -z\n"))

    assert counts == [0, 1]


@pytest.mark.parametrize(
    "named",
    ["../archive", "/proc/self/cwd/../archive", "//proc/thread-self/cwd/../archive",
     "/dev/fd/../cwd/../archive", "/usr/../proc/self/cwd/../archive"],
)  # fmt: skip
def test_a_path_that_depends_on_the_current_folder_is_left_out(
    world: World, repo: Repo, shipped: Path, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.move(shipped, repo.path.parent / "archive")
    monkeypatch.chdir(repo.path)
    if not os.path.exists(named):  # noqa: PTH110 as the system resolves it
        pytest.skip("this system has no such path")

    assert warned(world, repo.path, named) == 1
    assert warned(world, repo.path, named, "--personal", CLAUDECODE="1") == 1


def test_a_linked_work_tree_that_was_moved_counts_too(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "before"))
    shutil.move(tmp_path / "before", tmp_path / "after")
    shutil.move(shipped, tmp_path / "after/fixtures")

    assert warned(world, tmp_path / "after", tmp_path / "after/fixtures") == 1


def test_a_queued_session_whose_file_is_left_out_by_now_is_forgotten(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    other = normal(tmp_path / "other")
    shutil.move(shipped, other.path / "fixtures")
    hook = {"CODEX_HOME": str(other.path / "fixtures"), "LERIM_SYNC": "ask"}
    world.lerim(repo.path, "sync", "--window", "all", env=hook)
    (waiting,) = world.lerim(repo.path, "sessions", "--json").json
    assert waiting["state"] == "waiting"
    other.git("add", ".")

    world.lerim(repo.path, "sync", "--window", "all")

    assert world.lerim(repo.path, "sessions", "--json").json == []
    assert "no memories" in world.lerim(repo.path, "list").err


def test_a_queued_session_of_the_user_is_kept_without_the_variable(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    session = world.codex("codex-prices.jsonl", repo.path)
    normal(tmp_path / "mine")
    shutil.move(session.parents[3], tmp_path / "mine/sessions")
    hook = {"CODEX_HOME": str(tmp_path / "mine"), "LERIM_SYNC": "ask"}
    world.lerim(repo.path, "sync", "--window", "all", env=hook)

    world.lerim(repo.path, "sync", "--window", "all")

    (kept,) = world.lerim(repo.path, "sessions", "--json").json
    assert kept["state"] == "extracted"


@pytest.mark.usefixtures("shipped")
def test_the_personal_memory_leaves_out_the_current_work_tree(world: World, repo: Repo) -> None:
    assert warned(world, repo.path, "fixtures", "--personal") == 1


def test_connect_counts_none_of_them(world: World, repo: Repo, shipped: Path) -> None:
    rows = world.lerim(repo.path, "connect", "--json", env={"CODEX_HOME": str(shipped)}).json

    assert {row["sources"] for row in rows} == {0}


def test_a_folder_that_a_person_connected_is_read(world: World, repo: Repo, shipped: Path) -> None:
    world.lerim(repo.path, "connect", "codex", "--path", str(shipped))

    ran = world.lerim(repo.path, "sync", "--window", "all", env={"CLAUDECODE": "1"})

    assert NOT_READ not in ran.err
    assert len(world.lerim(repo.path, "sessions", "--json").json) == 1


def test_a_queued_session_of_a_default_folder_is_kept_whatever_tracks_it(
    world: World, repo: Repo, shipped: Path, tmp_path: Path
) -> None:
    dotfiles = normal(tmp_path / "dotfiles")
    shutil.move(shipped / "sessions", dotfiles.path / "sessions")
    dotfiles.git("add", ".")
    shutil.rmtree(world.home / ".codex/sessions")
    (world.home / ".codex/sessions").symlink_to(dotfiles.path / "sessions")
    world.lerim(repo.path, "sync", "--window", "all", env={"LERIM_SYNC": "ask"})
    for session in dotfiles.path.rglob("rollout-*"):
        os.utime(session, (0, 0))

    world.lerim(repo.path, "sync", "--window", "1d", env={"LERIM_SYNC": "ask"})

    (kept,) = world.lerim(repo.path, "sessions", "--json").json
    assert kept["state"] == "waiting"


def test_a_home_folder_that_is_a_work_tree_is_read(world: World, sealed_world: Path) -> None:
    home = Repo(sealed_world)
    home.git("init", "-q")
    session = world.codex("codex-prices.jsonl", sealed_world)
    shutil.move(session.parents[4], sealed_world / "agents")

    ran = world.lerim(
        sealed_world, "sync", "--window", "all", env={"CODEX_HOME": str(sealed_world / "agents")}
    )

    assert NOT_READ not in ran.err
    assert len(world.lerim(sealed_world, "sessions", "--json").json) == 1


def test_a_default_folder_that_links_into_the_work_tree_is_read(
    world: World, repo: Repo, shipped: Path
) -> None:
    shutil.rmtree(world.home / ".codex")
    (world.home / ".codex").symlink_to(shipped)

    ran = world.lerim(repo.path, "sync", "--window", "all")

    assert NOT_READ not in ran.err
    assert len(world.lerim(repo.path, "sessions", "--json").json) == 1
