from dataclasses import replace
from pathlib import Path

import pytest
from support.repos import Repo, bare
from support.stores import decision

from git_lerim.errors import LerimError, NotARepository
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage import open_store
from git_lerim.storage.base import Change
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.worktree.worktree_store import TreeStore
from git_lerim.workspace import open_workspace


def test_the_setting_says_where_the_memory_lies(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    assert type(open_workspace().store) is BranchStore
    assert open_store.tree_of(open_workspace()) is None
    repo.git("config", "lerim.store", "tree")
    ws = open_workspace()
    assert type(ws.store) is TreeStore
    assert open_store.tree_of(ws) is ws.store
    assert (ws.store_name, open_workspace(personal=True).store_name) == (
        ".lerim/memory",
        "lerim/memory",
    )
    assert type(open_workspace(personal=True).store) is BranchStore


def test_the_content_of_a_repository_chooses_nothing(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({".lerim/memory/format": "1\n"})
    monkeypatch.chdir(repo.path)

    assert type(open_workspace().store) is BranchStore
    assert not open_workspace().has_memory()


def test_what_makes_sense_on_a_branch_alone_says_what_to_do_instead(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    assert type(open_store.branch_only(open_workspace(), "x")) is BranchStore
    monkeypatch.setenv("LERIM_STORE", "tree")
    with pytest.raises(LerimError, match="work tree") as refused:
        open_store.branch_only(open_workspace(), "git push does it")
    assert refused.value.hint == "git push does it"


def test_without_a_work_tree_the_setting_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bare(tmp_path / "hub").path)
    monkeypatch.setenv("LERIM_STORE", "tree")

    with pytest.raises(NotARepository):
        _ = open_workspace().store


@pytest.mark.parametrize("store", ["branch", "tree"])
def test_no_message_of_a_commit_contains_a_secret(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    monkeypatch.chdir(repo.path)
    repo.git("config", "lerim.store", store)
    key = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"
    files = {naming.path_of(decision(1)): frontmatter.render(decision(1))}
    ws = replace(open_workspace(), then="commit")

    commit = ws.store.commit(lambda _: Change(files=files, subject=f"use {key}", body=key))

    message = repo.git("log", "-1", "--format=%B", str(commit))
    assert "use [REDACTED" in message
    assert key not in message
    assert key not in repo.git("reflog", "--all")
