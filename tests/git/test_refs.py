import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo

from git_lerim.git.refs import (
    checked_out,
    exists_below,
    is_broken,
    may_prune,
    read_ref,
    reflog,
    refs_of_processes,
    running_gc,
    tracking_refs,
)
from git_lerim.git.running.process import git_version

MAIN = "refs/heads/main"


@pytest.mark.parametrize("packed", [False, True])
def test_a_ref_is_read_loose_or_packed(repo: Repo, *, packed: bool) -> None:
    if packed:
        repo.git("pack-refs", "--all")

    assert read_ref(repo.path / ".git", MAIN) == repo.git("rev-parse", "main")
    assert not is_broken(repo.path / ".git", MAIN)


def test_a_loose_ref_counts_before_a_packed_one(repo: Repo) -> None:
    repo.git("pack-refs", "--all")
    new = repo.commit({"a": "1"})

    assert read_ref(repo.path / ".git", MAIN) == new


@pytest.mark.parametrize("content", [b"", b"\0" * 41, b"garbage\n", b"\xff\xfe"])
def test_a_file_without_an_object_id_is_broken(repo: Repo, content: bytes) -> None:
    (repo.path / ".git" / MAIN).write_bytes(content)

    assert read_ref(repo.path / ".git", MAIN) is None
    assert is_broken(repo.path / ".git", MAIN)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_ref_that_is_a_pipe_or_leads_out_of_the_repository_is_none(
    repo: Repo, tmp_path: Path
) -> None:
    folder = repo.path / ".git"
    os.mkfifo(folder / "refs" / "heads" / "pipe")
    (tmp_path / "outside").write_text(f"{repo.git('rev-parse', 'HEAD')}\n")
    to = os.path.relpath(tmp_path / "outside", folder)
    (folder / "refs" / "heads" / "link").write_text(f"ref: {to}\n")

    assert read_ref(folder, "refs/heads/pipe") is None
    assert read_ref(folder, "refs/heads/link") is None


def test_a_ref_that_is_not_there_is_not_broken(repo: Repo) -> None:
    assert read_ref(repo.path / ".git", "refs/heads/none") is None
    assert not is_broken(repo.path / ".git", "refs/heads/none")


def test_remote_branches_are_found_with_origin_first(repo: Repo, tmp_path: Path) -> None:
    for name in ("alice", "origin"):
        repo.git("remote", "add", name, str(repos.normal(tmp_path / name).path))
        repo.git("fetch", "-q", name)
        repo.git("pack-refs", "--all")

    assert tracking_refs(repo.path / ".git", "main") == [
        "refs/remotes/origin/main",
        "refs/remotes/alice/main",
    ]


def test_the_reflog_tells_what_a_ref_has_held_newest_first(repo: Repo) -> None:
    first = repo.git("rev-parse", "main")
    second = repo.commit({"a": "1"})

    assert list(dict.fromkeys(reflog(repo.path / ".git", MAIN))) == [second, first]


def test_a_damaged_reflog_tells_what_it_can(repo: Repo) -> None:
    first = repo.git("rev-parse", "main")
    log = repo.path / ".git/logs" / MAIN
    log.write_bytes(log.read_bytes() + b"\0\0\0\0\nnonsense\n")

    assert list(reflog(repo.path / ".git", MAIN)) == [first]
    assert list(reflog(repo.path / ".git", "refs/heads/none")) == []


def test_a_checked_out_branch_is_seen_from_everywhere(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    common = repo.path / ".git"

    assert checked_out(common, MAIN, bare=False) == str(repo.path)
    assert checked_out(common, "refs/heads/side", bare=False) == str(tmp_path / "side")
    assert checked_out(common, "refs/heads/other", bare=False) is None


def test_a_worktree_that_is_gone_holds_no_branch(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side").rename(tmp_path / "elsewhere")

    assert checked_out(repo.path / ".git", "refs/heads/side", bare=False) is None


def test_the_head_of_a_bare_repository_is_no_check_out(tmp_path: Path) -> None:
    made = repos.bare(tmp_path / "bare.git")

    assert checked_out(made.path, MAIN, bare=True) is None


@pytest.mark.parametrize("packed", [False, True])
def test_branches_below_a_name_are_seen(repo: Repo, *, packed: bool) -> None:
    repo.git("branch", "lerim/memory/x")
    if packed:
        repo.git("pack-refs", "--all")

    assert exists_below(repo.path / ".git", "refs/heads/lerim/memory")
    assert not exists_below(repo.path / ".git", "refs/heads/lerim/mem")


def test_a_gc_that_runs_is_seen_and_one_that_died_is_not(tmp_path: Path) -> None:
    assert running_gc(tmp_path) is None

    for told, seen in (
        (f"{os.getpid()} host", True),
        ("999999999 host", False),
        ("", False),
        ("nonsense", False),
    ):
        (tmp_path / "gc.pid").write_text(told)
        assert (running_gc(tmp_path) is not None) is seen

    (tmp_path / "gc.pid").write_text(f"{os.getpid()} host")
    os.utime(tmp_path / "gc.pid", (1, 1))
    assert running_gc(tmp_path) is None


@pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(),
    reason="no other system tells what a process was called with",
)
@pytest.mark.parametrize(
    ("words", "setting", "prunes"),
    [
        (("gc", "-q"), "", False),
        (("gc", "--prune=now"), "", True),
        (("-c", "gc.pruneExpire=now", "gc"), "", True),
        (("gc", "-q"), "GIT_CONFIG_PARAMETERS", True),
        (("gc", "--auto"), "now", True),
        (("sleep",), "", True),  # its id belongs to another program by now
    ],
)
def test_only_a_gc_that_was_told_to_prune_takes_what_is_new(
    words: tuple[str, ...], setting: str, *, prunes: bool, repo: Repo
) -> None:
    common = repo.path / ".git"
    env = {
        name: value
        for name, value in os.environ.items()
        if "prune" not in f"{name}={value}".lower()
    }
    if setting.startswith("GIT_"):  # as from `git -c gc.pruneExpire=now ALIAS`
        env[setting] = "'gc.pruneexpire'='now'"
    elif setting:
        repo.git("config", "gc.pruneExpire", setting)
    waiting = [sys.executable, "-c", "print(flush=True); input()", *words]
    with subprocess.Popen(
        waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (common / "gc.pid").write_text(f"{process.pid} {platform.node()}")
        running = running_gc(common)
        elsewhere = f"{process.pid} another-host 1"

        assert running is not None
        assert may_prune(common, running) is prunes
        assert may_prune(common, elsewhere)
        process.communicate(b"\n")


def test_another_branch_that_ends_in_the_same_word_is_not_taken_for_one(repo: Repo) -> None:
    tip = repo.git("rev-parse", "main")
    (repo.path / ".git" / "packed-refs").write_text(
        f"{tip} refs/remotes/origin/release/main\n{tip} refs/remotes/fork/main\n"
    )

    assert tracking_refs(repo.path / ".git", "main") == ["refs/remotes/fork/main"]


def test_a_gc_of_a_process_that_cannot_be_is_none(tmp_path: Path) -> None:
    (tmp_path / "gc.pid").write_text(f"{10**30} host")

    assert running_gc(tmp_path) is None


def test_a_ref_that_leads_to_a_ref_is_followed_and_a_circle_is_none(repo: Repo) -> None:
    repo.git("symbolic-ref", "refs/heads/other", MAIN)
    repo.git("symbolic-ref", "refs/heads/round", "refs/heads/round")

    assert read_ref(repo.path / ".git", "refs/heads/other") == repo.git("rev-parse", "main")
    assert read_ref(repo.path / ".git", "refs/heads/round") is None


@pytest.fixture
def table(tmp_path: Path) -> Repo:
    """Return a repository whose refs stand in a reftable."""
    if git_version() < (2, 45):
        pytest.skip("git writes reftables since 2.45")
    return repos.normal(tmp_path / "table", "--ref-format=reftable")


def test_refs_in_a_table_are_told_as_those_in_files_are(table: Repo, tmp_path: Path) -> None:
    common = table.path / ".git"
    first = table.git("rev-parse", "main")
    second = table.commit({"a": "1"})
    table.git("branch", "lerim/memory/x", first)
    for name in ("alice", "origin"):
        table.git("update-ref", f"refs/remotes/{name}/main", first)
        table.git("update-ref", f"refs/remotes/{name}/release/main", second)
    table.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "a b"))
    table.git("update-ref", "refs/lerim/tmp/123-abc", first)

    assert read_ref(common, MAIN) == second
    assert read_ref(common, "refs/heads/lerim") is None
    assert not is_broken(common, MAIN)
    assert tracking_refs(common, "main") == ["refs/remotes/origin/main", "refs/remotes/alice/main"]
    assert exists_below(common, "refs/heads/lerim/memory")
    assert not exists_below(common, "refs/heads/lerim/mem")
    assert list(reflog(common, MAIN)) == [second, first]
    assert list(reflog(common, "refs/heads/none")) == []
    assert checked_out(common, MAIN, bare=False) == str(table.path)
    assert checked_out(common, "refs/heads/side", bare=False) == str(tmp_path / "a b")
    assert checked_out(common, "refs/heads/other", bare=False) is None
    assert list(refs_of_processes(common, "refs/lerim/tmp")) == [("refs/lerim/tmp/123-abc", 123)]


def test_a_reflog_in_a_table_outlives_the_commits(table: Repo) -> None:
    first = table.git("rev-parse", "main")
    second = table.commit({"a": "1"})
    (table.path / ".git/objects" / second[:2] / second[2:]).unlink()

    assert list(reflog(table.path / ".git", MAIN)) == [second, first]
