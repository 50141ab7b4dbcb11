import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.errors import Busy, LerimError, NotARepository, UsageError
from git_lerim.sessions.scope import Verdict
from git_lerim.sessions.session import Header
from git_lerim.storage.writing.lock import Lock
from git_lerim.workspace import Workspace, open_workspace

KEY = "Zx81-own-secret-value-7"


@pytest.fixture
def open_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Workspace]:
    """Return what opens the workspace of a folder."""

    def opened(folder: Path, **options: bool) -> Workspace:
        monkeypatch.chdir(folder)
        return open_workspace(**options)

    return opened


Open = Callable[..., Workspace]


# -- where one stands


def test_a_repository_is_opened_from_any_folder_below(open_in: Open, repo: Repo) -> None:
    (repo.path / "a" / "b").mkdir(parents=True)

    ws = open_in(repo.path / "a" / "b")

    assert (ws.place.worktree, ws.folder, ws.personal) == (
        repo.path,
        repo.path / ".git" / "lerim",
        False,
    )
    assert not ws.folder.exists()


def test_linked_worktrees_share_their_folder(open_in: Open, tmp_path: Path) -> None:
    side = repos.worktree(tmp_path / "side")

    assert open_in(side.path).folder == tmp_path / "side-main" / ".git" / "lerim"


def test_outside_a_repository_the_personal_store_is_opened_where_that_is_asked_for(
    open_in: Open, tmp_path: Path, sealed_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotARepository):
        open_in(tmp_path)

    ws = open_in(tmp_path, fallback=True, making=True)
    assert (ws.personal, ws.place.git_dir) == (
        True,
        sealed_world / ".local/share/git-lerim/memory.git",
    )
    monkeypatch.setenv("LERIM_HOME", str(tmp_path / "mine"))
    assert (
        open_in(tmp_path, personal=True, making=True).place.git_dir
        == tmp_path / "mine" / "memory.git"
    )
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o700


def test_inside_a_repository_personal_is_personal(open_in: Open, repo: Repo) -> None:
    assert open_in(repo.path, personal=True).personal
    assert not open_in(repo.path, fallback=True).personal


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be removed there")
def test_a_folder_that_is_gone_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    with pytest.raises(LerimError, match="no longer exists"):
        open_workspace()


def test_home_is_userprofile_where_it_must_be(
    open_in: Open, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "profile"))

    assert open_in(repo.path).places.home == tmp_path / "profile"


# -- what a run works with


def test_only_what_is_asked_for_is_opened(open_in: Open, repo: Repo) -> None:
    ws = open_in(repo.path)

    assert not {"store", "code", "redactor", "extractor", "territory"} & ws.__dict__.keys()
    assert ws.warnings() == []
    assert ws.store is ws.store


def test_the_territory_is_all_that_sessions_could_name(open_in: Open, tmp_path: Path) -> None:
    side = repos.worktree(tmp_path / "side")
    side.git("remote", "add", "origin", "https://example.org/shop.git")
    side.git("config", "--global", "--add", "lerim.repositoryPath", "/old/place")
    ws = open_in(side.path)

    assert set(ws.territory.worktrees) == {str(tmp_path / "side-main"), str(side.path)}
    assert (ws.territory.extra, ws.territory.remotes) == (
        ("/old/place",),
        ("https://example.org/shop.git",),
    )
    assert not ws.territory.personal


def test_a_link_to_a_worktree_is_named_both_ways(open_in: Open, repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.path)
    ws = open_in(tmp_path / "link")

    assert ws.scope.judge(str(tmp_path / "link"), Header()) is Verdict.OURS
    assert ws.code.relative(str(repo.path / "hello.py")) == "hello.py"


@pytest.mark.parametrize(
    ("cwd", "verdicts"),
    [
        ("repo", (Verdict.OURS, Verdict.ELSEWHERE)),
        ("repo/deep", (Verdict.OURS, Verdict.ELSEWHERE)),
        ("repo/gone", (Verdict.OURS, Verdict.ELSEWHERE)),
        ("repo/nested", (Verdict.ELSEWHERE, Verdict.ELSEWHERE)),
        ("outside", (Verdict.OUTSIDE, Verdict.OURS)),
        ("gone", (Verdict.UNSCOPED, Verdict.UNSCOPED)),
    ],
)
def test_a_folder_is_whose_it_is_today(
    open_in: Open, repo: Repo, tmp_path: Path, cwd: str, verdicts: tuple[Verdict, Verdict]
) -> None:
    (tmp_path / "outside").mkdir()
    (repo.path / "deep").mkdir()
    repos.normal(repo.path / "nested")

    here, personal = open_in(repo.path), open_in(repo.path, personal=True)

    assert (
        tuple(ws.scope.judge(str(tmp_path / cwd), Header()) for ws in (here, personal)) == verdicts
    )


def test_the_users_own_secrets_are_known(
    open_in: Open, repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", KEY)
    (repo.path / ".env.local").write_text(f"DB_PASSWORD={KEY[::-1]}\n")
    (sealed_world / ".netrc").mkdir()  # a folder where a file should be

    redactor = open_in(repo.path).redactor

    assert KEY not in redactor.redact(f"it is {KEY} here")[0]
    assert KEY[::-1] not in redactor.redact(f"it is {KEY[::-1]} here")[0]


def test_patterns_of_the_settings_count(open_in: Open, repo: Repo) -> None:
    repo.git("config", "lerim.redactPattern", "Postgre[A-Za-z]+")

    assert "PostgreSQL" not in open_in(repo.path).redactor.redact("We use PostgreSQL.")[0]


@pytest.mark.parametrize(
    ("text", "names"), [("", ()), ("claude", ("claude",)), (" pi, codex ,", ("pi", "codex"))]
)
def test_agents_are_named_by_commas(
    open_in: Open, repo: Repo, text: str, names: tuple[str, ...]
) -> None:
    assert open_in(repo.path).agents_named(text) == names


def test_an_agent_that_nobody_knows_is_refused(open_in: Open, repo: Repo) -> None:
    with pytest.raises(UsageError):
        open_in(repo.path).agents_named("claude,nobody")


@pytest.mark.parametrize("text", [",", " , "])
def test_names_that_were_lost_do_not_mean_every_agent(open_in: Open, repo: Repo, text: str) -> None:
    with pytest.raises(UsageError, match="is not a known agent"):
        open_in(repo.path).agents_named(text)


def test_the_editor_is_the_one_of_git(open_in: Open, repo: Repo) -> None:
    repo.git("config", "--global", "core.editor", "ed -p x")

    assert open_in(repo.path).editor() == "ed -p x"


def test_an_editor_that_the_repository_names_itself_is_not_run(open_in: Open, repo: Repo) -> None:
    repo.git("config", "core.editor", "./evil")
    assert open_in(repo.path).editor() != "./evil"

    repo.git("config", "--global", "core.editor", "nano")
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "core.editor", "./evil")
    assert open_in(repo.path).editor() == "nano"


# -- what a run leaves


def test_the_log_is_private_and_one_line_a_run(open_in: Open, repo: Repo) -> None:
    ws = open_in(repo.path)
    ws.log("one")
    ws.log("two")

    lines = (ws.folder / "activity.log").read_text().splitlines()
    assert [line.split(" ", 1)[1] for line in lines] == ["one", "two"]
    assert stat.S_IMODE((ws.folder / "activity.log").stat().st_mode) == 0o600


def test_a_log_that_cannot_be_written_stops_nothing(open_in: Open, repo: Repo) -> None:
    ws = open_in(repo.path)
    (ws.folder / "activity.log").mkdir(parents=True)

    ws.log("x")

    assert list((ws.folder / "activity.log").iterdir()) == []


def test_runs_have_names_of_their_own(open_in: Open, repo: Repo) -> None:
    ws = open_in(repo.path)

    assert ws.new_run("sync").startswith(f"sync-{ws.now:%Y%m%dT%H%M%S}-")
    assert len({ws.new_run("sync") for _ in range(20)}) > 15


def test_looking_into_a_catalog_that_is_not_there_makes_none(open_in: Open, repo: Repo) -> None:
    ws = open_in(repo.path)

    with ws.catalog_to_read() as catalog:
        assert catalog.entries() == []

    assert not ws.folder.exists()


# -- the lock


def test_one_run_at_a_time_holds_the_lock(open_in: Open, repo: Repo) -> None:
    ws = open_in(repo.path)

    with (
        ws.locked(0),
        pytest.raises(Busy, match="another run is in progress"),
        open_in(repo.path).locked(0),
    ):
        pass
    with ws.locked(0), pytest.raises(Busy), Lock(ws.folder / "lock").acquire(0):
        pass
    with open_in(repo.path).locked(0):
        pass


def test_who_holds_the_lock_takes_away_what_a_killed_run_left(open_in: Open, repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    left = repo.path / ".git/refs/heads/lerim/memory.lock"
    left.write_text("")
    os.utime(left, (1_700_000_000, 1_700_000_000))
    ws = open_in(repo.path)

    with ws.locked(0):
        ws.store.snapshot()

    assert not left.exists()
    assert [warning[:12] for warning in ws.warnings()] == ["moved a lock"]


def test_the_editor_is_the_one_that_git_would_open(
    open_in: Open, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "ed")
    assert open_in(repo.path).editor() == "ed"

    monkeypatch.setenv("GIT_EDITOR", "nano -w")
    assert open_in(repo.path).editor() == "nano -w"


def test_the_personal_store_is_one_that_can_be_opened_whatever_new_repositories_are_made_of(
    open_in: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")

    assert open_in(tmp_path, personal=True).store.tip() is None


@pytest.mark.skipif(sys.platform == "win32", reason="the home folder is found otherwise there")
def test_a_user_without_a_home_folder_is_told_so(
    open_in: Open, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)

    with pytest.raises(LerimError, match="cannot determine your home folder"):
        open_in(repo.path)


def test_the_secrets_of_every_work_tree_are_known(open_in: Open, tmp_path: Path) -> None:
    side = repos.worktree(tmp_path / "side")
    (tmp_path / "side-main" / ".env").write_text(f"DB_PASSWORD={KEY}\n")

    assert KEY not in open_in(side.path).redactor.redact(f"it is {KEY} there")[0]
