from support.repos import Repo

from git_lerim.git.history import code_commits
from git_lerim.git.repo import Place, discover

TEXT = "".join(f"line {n}\n" for n in range(1, 11))


def at(repo: Repo) -> Place:
    return discover(repo.path, {})


def test_changes_follow_a_rename_and_name_both_ends(repo: Repo) -> None:
    made = repo.commit({"a.py": TEXT}, "make", when="2026-02-02T10:00:00Z")
    repo.git("mv", "a.py", "b.py")
    repo.git(
        "commit", "-q", "-m", "move\n\nCo-Authored-By: Claude <c@example.org>\nLerim-Session: s1"
    )
    moved, first = code_commits.changes(at(repo), "b.py", "HEAD", 9)

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
    found = code_commits.commits(at(repo), [made[:9], "0123456789", "--all", "HEAD"])

    assert {id_: commit.paths for id_, commit in found.items()} == {made: ("a.py", "b/c d.py")}
    assert code_commits.commits(at(repo), []) == {}


def test_a_merge_has_the_paths_that_it_brought_in(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": "s\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"main.py": "m\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    merge = repo.git("rev-parse", "HEAD")

    assert code_commits.commits(at(repo), [merge])[merge].paths == ("side.py",)


def test_what_changed_lately_is_told_by_path(repo: Repo) -> None:
    repo.commit({"a.py": "1\n", "b.py": "1\n"}, when="2026-02-05T10:00:00Z")
    repo.commit({"a.py": "2\n"}, when="2026-02-05T11:00:00Z")

    assert code_commits.recent_changes(at(repo), "HEAD", 1770200000) == {
        "a.py": 1770289200,
        "b.py": 1770285600,
    }
    assert code_commits.recent_changes(at(repo), "HEAD", 1770287000) == {"a.py": 1770289200}


def test_the_same_change_has_the_same_patch_id(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    one = repo.commit({"a.py": TEXT})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": TEXT})
    repo.git("cherry-pick", one)
    two = repo.git("rev-parse", "HEAD")
    found = code_commits.patch_ids(at(repo), [one, two])

    assert set(found) == {one, two}
    assert found[one] == found[two]


def test_what_stands_at_a_path_is_told_and_what_it_was_renamed_to(repo: Repo) -> None:
    repo.commit({"src/a.py": TEXT})
    repo.git("mv", "src/a.py", "src/b.py")
    repo.git("commit", "-q", "-m", "move")
    place = at(repo)

    assert code_commits.object_at(place, "HEAD", "src") is not None
    assert (
        code_commits.object_at(place, "HEAD", "src") or code_commits.GitObject(kind="", blob="")
    ).kind == "tree"
    assert (
        code_commits.object_at(place, "HEAD", "src/b.py")
        or code_commits.GitObject(kind="", blob="")
    ).kind == "blob"
    assert code_commits.object_at(place, "HEAD", "src/a.py") is None
    assert code_commits.renamed_to(place, "HEAD", "src/a.py") == "src/b.py"
    assert code_commits.renamed_to(place, "HEAD", "src/c.py") is None
    assert code_commits.paths_of(place, "HEAD") == {"hello.py", "src/b.py"}


def test_files_of_a_commit_are_regular_ones(repo: Repo) -> None:
    repo.commit({"docs/é.md": TEXT})
    (repo.path / "link").symlink_to("hello.py")
    repo.git("add", "link")
    repo.git("commit", "-q", "-m", "link")

    found = code_commits.files_of(at(repo), "HEAD")
    assert sorted(found) == ["docs/é.md", "hello.py"]
    assert found["docs/é.md"] == repo.git("rev-parse", "HEAD:docs/é.md")
