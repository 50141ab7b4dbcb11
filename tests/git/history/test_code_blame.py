import os
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed
from git_lerim.git.history import code_blame, code_commits
from git_lerim.git.repo import Place, discover
from git_lerim.git.running.process import start_git

TEXT = "".join(f"line {n}\n" for n in range(1, 11))


def at(repo: Repo) -> Place:
    return discover(repo.path, {})


def test_each_commit_has_the_spans_that_it_wrote_and_the_name_of_then(repo: Repo) -> None:
    first = repo.commit({"a b.py": TEXT}, when="2026-02-02T10:00:00Z")
    repo.git("mv", "a b.py", 'new "ü".py')
    repo.git("commit", "-q", "-m", "rename")
    second = repo.commit({'new "ü".py': TEXT.replace("line 4", "other").replace("line 9", "other")})
    found = code_blame.start_blame(at(repo), 'new "ü".py', None, None)()

    assert [(each.commit, each.path, each.lines) for each in found] == [
        (first, "a b.py", ((1, 3), (5, 8), (10, 10))),
        (second, 'new "ü".py', ((4, 4), (9, 9))),
    ]


def test_lines_of_the_work_tree_that_are_not_committed_have_no_commit(repo: Repo) -> None:
    (repo.path / "hello.py").write_text("print('hello')\nprint('more')\n")

    assert [
        each.commit for each in code_blame.start_blame(at(repo), "hello.py", (2, 2), None)()
    ] == [None]
    with pytest.raises(GitFailed, match="has only 1 line"):
        code_blame.start_blame(at(repo), "hello.py", (2, 2), "HEAD")()


def test_no_pattern_and_no_configuration_of_the_user_changes_the_answer(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo.commit({"*.py": TEXT}, when="2026-02-02T10:00:00Z")
    for key, value in {
        "log.showSignature": "true",
        "diff.renames": "copies",
        "color.ui": "always",
        "log.follow": "true",
    }.items():
        repo.git("config", key, value)
    repo.git("config", "blame.showEmail", "true")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "0")

    assert [change.id for change in code_commits.changes(at(repo), "*.py", "HEAD", 9)] == [made]
    assert [each.commit for each in code_blame.start_blame(at(repo), "*.py", (1, 1), None)()] == [
        made
    ]


def test_git_runs_while_we_go_on(tmp_path: Path) -> None:
    slow = "alias.slow=!for n in $(seq 600); do [ -e go ] && echo done && break; sleep 0.05; done"
    waits = [start_git(["-c", slow, "slow"], cwd=tmp_path) for _ in range(2)]
    (tmp_path / "go").touch()

    assert [wait().stdout for wait in waits] == [b"done\n", b"done\n"]
    with pytest.raises(GitFailed):
        start_git(["version"], cwd=tmp_path / os.devnull.strip("/"))
