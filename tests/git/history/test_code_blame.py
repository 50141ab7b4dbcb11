import os
import time
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed
from git_lerim.git.history import code_blame
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
    found = code_blame.blaming(at(repo), 'new "ü".py', None, None)()

    assert [(each.commit, each.path, each.lines) for each in found] == [
        (first, "a b.py", ((1, 3), (5, 8), (10, 10))),
        (second, 'new "ü".py', ((4, 4), (9, 9))),
    ]


def test_lines_of_the_work_tree_that_are_not_committed_have_no_commit(repo: Repo) -> None:
    (repo.path / "hello.py").write_text("print('hello')\nprint('more')\n")

    assert [each.commit for each in code_blame.blaming(at(repo), "hello.py", (2, 2), None)()] == [
        None
    ]
    with pytest.raises(GitFailed, match="has only 1 line"):
        code_blame.blaming(at(repo), "hello.py", (2, 2), "HEAD")()


def test_changes_follow_a_rename_and_name_both_ends(repo: Repo) -> None:
    made = repo.commit({"a.py": TEXT}, "make", when="2026-02-02T10:00:00Z")
    repo.git("mv", "a.py", "b.py")
    repo.git(
        "commit", "-q", "-m", "move\n\nCo-Authored-By: Claude <c@example.org>\nLerim-Session: s1"
    )
    moved, first = code_blame.changes(at(repo), "b.py", "HEAD", 9)

    assert (moved.paths, first.paths, first.id, first.authored) == (
        ("b.py", "a.py"),
        ("a.py",),
        made,
        1770026400,
    )
    assert moved.trailers == (("Co-Authored-By", "Claude <c@example.org>"), ("Lerim-Session", "s1"))
    assert moved.parents == (made,)


def test_commits_have_all_their_paths_and_those_that_are_not_here_are_left_out(repo: Repo) -> None:
    made = repo.commit({"a.py": "a\n", "b/c d.py": "b\n"})
    found = code_blame.commits(at(repo), [made[:9], "0123456789", "--all", "HEAD"])

    assert {id_: commit.paths for id_, commit in found.items()} == {made: ("a.py", "b/c d.py")}
    assert code_blame.commits(at(repo), []) == {}


def test_a_merge_has_the_paths_that_it_brought_in(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": "s\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"main.py": "m\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    merge = repo.git("rev-parse", "HEAD")

    assert code_blame.commits(at(repo), [merge])[merge].paths == ("side.py",)


def test_what_changed_lately_is_told_by_path(repo: Repo) -> None:
    repo.commit({"a.py": "1\n", "b.py": "1\n"}, when="2026-02-05T10:00:00Z")
    repo.commit({"a.py": "2\n"}, when="2026-02-05T11:00:00Z")

    assert code_blame.recent(at(repo), "HEAD", 1770200000) == {
        "a.py": 1770289200,
        "b.py": 1770285600,
    }
    assert code_blame.recent(at(repo), "HEAD", 1770287000) == {"a.py": 1770289200}


def test_the_same_change_has_the_same_patch_id(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    one = repo.commit({"a.py": TEXT})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": TEXT})
    repo.git("cherry-pick", one)
    two = repo.git("rev-parse", "HEAD")
    found = code_blame.patch_ids(at(repo), [one, two])

    assert set(found) == {one, two}
    assert found[one] == found[two]


def test_what_stands_at_a_path_is_told_and_what_it_was_renamed_to(repo: Repo) -> None:
    repo.commit({"src/a.py": TEXT})
    repo.git("mv", "src/a.py", "src/b.py")
    repo.git("commit", "-q", "-m", "move")
    place = at(repo)

    assert code_blame.standing(place, "HEAD", "src") is not None
    assert (
        code_blame.standing(place, "HEAD", "src") or code_blame.Standing(kind="", blob="")
    ).kind == "tree"
    assert (
        code_blame.standing(place, "HEAD", "src/b.py") or code_blame.Standing(kind="", blob="")
    ).kind == "blob"
    assert code_blame.standing(place, "HEAD", "src/a.py") is None
    assert code_blame.renamed_to(place, "HEAD", "src/a.py") == "src/b.py"
    assert code_blame.renamed_to(place, "HEAD", "src/c.py") is None
    assert code_blame.paths_of(place, "HEAD") == {"hello.py", "src/b.py"}


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

    assert [change.id for change in code_blame.changes(at(repo), "*.py", "HEAD", 9)] == [made]
    assert [each.commit for each in code_blame.blaming(at(repo), "*.py", (1, 1), None)()] == [made]


def test_git_runs_while_we_go_on(tmp_path: Path) -> None:
    began = time.monotonic()
    waits = [
        start_git(["-c", "alias.slow=!sleep 0.5; echo done", "slow"], cwd=tmp_path)
        for _ in range(2)
    ]

    assert [wait().stdout for wait in waits] == [b"done\n", b"done\n"]
    assert time.monotonic() - began < 5
    with pytest.raises(GitFailed):
        start_git(["version"], cwd=tmp_path / os.devnull.strip("/"))
