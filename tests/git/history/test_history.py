import os
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo

from git_lerim.git.history.history import CodeHistory
from git_lerim.git.repo import discover


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.fixture
def commits(repo: Repo) -> dict[str, str]:
    ids = {"feb": repo.git("rev-parse", "HEAD")}
    ids["mar"] = repo.commit({"a": "1"}, when="2026-03-01T10:00:00Z")
    repo.git("checkout", "-q", "-b", "feature/x")
    ids["side"] = repo.commit({"b": "1"}, when="2026-03-05T10:00:00Z")
    repo.git("checkout", "-q", "main")
    ids["skewed"] = repo.commit({"c": "1"}, when="2026-02-20T10:00:00Z")
    ids["apr"] = repo.commit({"c": "2"}, when="2026-04-01T10:00:00Z")
    return ids


def history_of(repo: Repo) -> CodeHistory:
    return CodeHistory(discover(repo.path, os.environ))


@pytest.mark.parametrize(
    ("when", "branch", "name"),
    [
        ("2026-01-31T23:59:59+00:00", None, None),
        ("2026-02-01T10:00:00+00:00", None, "feb"),
        ("2026-02-25T00:00:00+00:00", "main", "feb"),
        ("2026-03-06T00:00:00+00:00", "main", "skewed"),
        ("2026-03-06T00:00:00+00:00", "feature/x", "side"),
        ("2026-03-06T00:00:00+00:00", "deleted", "skewed"),
        ("2026-12-01T00:00:00+00:00", "HEAD", "apr"),
        ("2026-12-01T00:00:00+00:00", "../../../etc", "apr"),
        ("2026-12-01T00:00:00+00:00", "--output=x", "apr"),
        ("2026-12-01T00:00:00+00:00", "x" * 5000, "apr"),
        ("2026-12-01T00:00:00+00:00", "a\0b", "apr"),
    ],
)
def test_the_commit_at_a_time_is_the_last_one_of_the_branch(
    repo: Repo, commits: dict[str, str], when: str, branch: str | None, name: str | None
) -> None:
    assert history_of(repo).commit_at(ms(when), branch) == (commits[name] if name else None)


def test_a_remote_branch_will_do(repo: Repo, commits: dict[str, str]) -> None:
    repo.git("update-ref", "refs/remotes/origin/gone", commits["side"])

    assert history_of(repo).commit_at(ms("2026-12-01T00:00:00+00:00"), "gone") == commits["side"]


def test_many_questions_cost_one_process(
    repo: Repo, commits: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of(repo)
    history.commit_at(0)
    monkeypatch.setenv("PATH", "")

    assert history.commit_at(ms("2026-12-01T00:00:00+00:00")) == commits["apr"]


def test_before_the_first_commit_there_is_none(tmp_path: Path) -> None:
    history = history_of(repos.unborn(tmp_path / "new"))

    assert history.commit_at(ms("2026-12-01T00:00:00+00:00"), "main") is None


def test_prefixes_and_files_are_found(repo: Repo, commits: dict[str, str]) -> None:
    history = history_of(repo)

    assert history.exists(commits["mar"][:8]) == commits["mar"]
    assert [history.exists(p) for p in ("", "abc", "HEAD", "main", "0" * 40, "f" * 80)] == [
        None
    ] * 6
    assert history.blob_at(commits["mar"], "a") == repo.git("rev-parse", f"{commits['mar']}:a")
    assert [
        history.blob_at(commits["mar"], p) for p in ("b", "", "/a", "../a", "a/b", "new\nline")
    ] == [None] * 6


def shown(repo: Repo, commit: str) -> str:
    """Return a patch id as a user would ask for it."""
    patch = subprocess.run(
        ["git", "show", commit], cwd=repo.path, capture_output=True, check=True
    ).stdout
    told = subprocess.run(
        ["git", "patch-id", "--stable"], cwd=repo.path, input=patch, capture_output=True, check=True
    ).stdout
    return told.split()[0].decode() if told else ""


def test_a_patch_id_is_the_one_that_git_gives(repo: Repo, commits: dict[str, str]) -> None:
    history = history_of(repo)
    history.commit_at(ms("2026-04-02T10:00:00Z"))  # so that the line of commits is known

    assert {name: history.patch(commit) or "" for name, commit in commits.items()} == {
        name: shown(repo, commit) for name, commit in commits.items()
    }
    assert history.patch("0" * 40) is None


def test_a_commit_keeps_its_patch_id_when_it_is_picked_and_a_merge_has_none(
    repo: Repo, commits: dict[str, str]
) -> None:
    repo.git("cherry-pick", commits["side"])
    picked = repo.git("rev-parse", "HEAD")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "feature/x")
    history = history_of(repo)

    assert picked != commits["side"]
    assert history.patch(picked) == history.patch(commits["side"])
    assert history.patch(repo.git("rev-parse", "HEAD")) is None


def test_the_first_commit_of_a_shallow_clone_has_no_patch_id(
    repo: Repo, commits: dict[str, str], tmp_path: Path
) -> None:
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")

    assert shallow.git("rev-parse", "HEAD") == commits["apr"]
    assert history_of(shallow).patch(commits["apr"]) is None
