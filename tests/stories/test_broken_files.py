"""A memory's file that somebody broke with git comes back, in whichever clone."""

import pytest
from support.inside import lerim
from support.repos import Repo
from support.team import REF, path_of, remember, shared

RULE = "Use Redis for the queue, because it is fast."


def broken(repo: Repo, path: str, text: str = "junk\n") -> str:
    """Overwrite a file of the branch by git alone; return the commit."""
    stream = (
        f"commit {REF}\ncommitter Bob <bob@example.org> 1800000000 +0000\ndata 4\nTidy\n"
        f"from {repo.git('rev-parse', REF)}\nM 100644 inline {path}\ndata {len(text)}\n{text}\n"
    )
    repo.git("fast-import", "--quiet", stdin=stream)
    return repo.git("rev-parse", REF)


def listed(repo: Repo) -> str:
    return lerim(repo.path, "list").out


def team(ann: Repo, bob: Repo) -> tuple[str, str, str]:
    """Let Ann share a memory and Bob break its file; return id, path and commit."""
    remember(ann, RULE)
    shared(ann)
    lerim(bob.path, "pull")
    path = path_of(bob, "use-redis")
    return path.removesuffix(".md").rpartition("-")[2], path, broken(bob, path)


def test_who_broke_a_file_restores_its_last_readable_version_in_its_authors_name(
    ann: Repo, bob: Repo
) -> None:
    id_, path, _ = team(ann, bob)
    before = bob.git("show", f"{REF}~1:{path}")

    said = lerim(bob.path, "lint")
    back = lerim(bob.path, "restore", id_[:6])

    assert f"last readable version: git lerim restore {id_}" in said.out
    assert back.code == 0
    assert "Use Redis" in back.out
    assert bob.git("show", f"{REF}:{path}") == before
    assert "from Ada Tester: Use Redis" in listed(bob)
    assert lerim(bob.path, "lint").code == 0


def test_a_commit_that_broke_a_file_is_undone_where_it_was_made(ann: Repo, bob: Repo) -> None:
    _, path, commit = team(ann, bob)
    before = bob.git("show", f"{REF}~1:{path}")

    undone = lerim(bob.path, "undo", commit)

    assert "Use Redis" in undone.out
    assert bob.git("show", f"{REF}:{path}") == before
    assert "from Ada Tester: Use Redis" in listed(bob)


def test_files_that_are_no_memories_go_when_the_commit_that_added_them_is_undone(
    ann: Repo,
) -> None:
    remember(ann, RULE)
    path = path_of(ann, "use-redis")
    first = broken(ann, "x.md")
    second = broken(ann, path.replace(path[-16:-3], "a" * 13))

    undone = [lerim(ann.path, "undo", commit).out for commit in (first, second)]

    assert undone == ["- x.md\n", f"- {path.replace(path[-16:-3], 'a' * 13)}\n"]
    assert lerim(ann.path, "lint").code == 0
    assert "Use Redis" in listed(ann)


def test_a_file_that_was_changed_later_stays_when_the_commit_that_added_it_is_undone(
    ann: Repo,
) -> None:
    remember(ann, RULE)
    added = broken(ann, "x.md")
    broken(ann, "x.md", "changed\n")

    assert lerim(ann.path, "undo", added).out == ""

    assert ann.git("show", f"{REF}:x.md").startswith("changed")


def test_an_archived_memory_whose_file_was_broken_comes_back_active(ann: Repo) -> None:
    remember(ann, RULE)
    id_ = listed(ann).split()[0]
    assert lerim(ann.path, "forget", id_).code == 0
    broken(ann, path_of(ann, "use-redis"))

    assert lerim(ann.path, "restore", id_).code == 0

    assert "Use Redis" in listed(ann)
    assert lerim(ann.path, "lint").code == 0


def test_a_file_that_was_never_readable_has_no_version_to_restore(ann: Repo) -> None:
    remember(ann, RULE)
    path = path_of(ann, "use-redis")
    id_ = "a" * 13
    broken(ann, path.replace(path[-16:-3], id_))

    said, back = lerim(ann.path, "lint"), lerim(ann.path, "restore", id_)

    assert "git lerim restore" not in said.out
    assert back.code != 0
    assert "cannot be used" in back.err


def test_what_a_colleague_broke_is_restored_and_pushed_without_a_question(
    ann: Repo, bob: Repo
) -> None:
    id_, _, _ = team(ann, bob)
    bob.git("push", "-q", "origin", REF)
    lerim(ann.path, "pull")

    said, back = lerim(ann.path, "lint"), lerim(ann.path, "restore", id_)
    pushed = lerim(ann.path, "push")

    assert f"last readable version: git lerim restore {id_}" in said.out
    assert back.code == 0
    assert "asks before" not in back.err
    assert pushed.code == 0
    lerim(bob.path, "pull")
    assert "Use Redis" in listed(bob)


@pytest.mark.parametrize("text", ["junk", "", "<<<<<<< HEAD"])
def test_a_damaged_format_file_is_named_and_repaired_by_the_next_change(
    ann: Repo, bob: Repo, text: str
) -> None:
    remember(ann, RULE)
    shared(ann)
    lerim(bob.path, "pull")
    broken(bob, "format", f"{text}\n")
    said = "contains no valid layout number; the next change of the memory repairs this file"

    assert f"format: {said}" in lerim(bob.path, "lint").out
    assert said in lerim(bob.path, "doctor").out
    lerim(bob.path, "push", "--yes")
    pulled = lerim(ann.path, "pull")
    remember(ann, "Use tabs in Go.")

    assert pulled.code == 0
    assert "format" in pulled.err + pulled.out
    assert ann.git("show", f"{REF}:format") == "1"
    assert lerim(ann.path, "lint").code == 0


def test_a_newer_format_is_named_and_only_new_commits_there_wait(ann: Repo, bob: Repo) -> None:
    remember(ann, RULE)
    shared(ann)
    lerim(bob.path, "pull")
    broken(bob, "format", "9\n")
    bob.git("push", "-q", "origin", REF)

    pulled, there = lerim(ann.path, "pull"), lerim(bob.path, "lint")
    remember(ann, "Use tabs in Go.")

    assert "so new commits there wait; nothing was merged" in pulled.err
    for said in (pulled.err, there.out, lerim(bob.path, "doctor").out):
        assert "install a newer git-lerim; if nobody has one, revert the commit" in said
    assert "Use tabs" in listed(ann)


def test_a_remote_whose_memory_was_deleted_is_not_said_to_have_none_yet(
    ann: Repo, bob: Repo
) -> None:
    remember(ann, RULE)
    blob = bob.git("hash-object", "-w", "--stdin", stdin="99\n")
    tree = bob.git("mktree", stdin=f"100644 blob {blob}\tformat\n")
    bob.git("update-ref", REF, bob.git("commit-tree", "-m", "By hand", tree))
    bob.git("push", "-q", "origin", REF)
    assert lerim(ann.path, "pull").code == 1
    bob.git("push", "-q", "origin", f":{REF}")

    told = lerim(ann.path, "pull").err

    assert "has layout 99" in told
    assert "origin no longer has a memory; to share yours: git lerim push\n" in told


def test_a_memory_archived_by_hand_is_moved_as_lint_says(ann: Repo) -> None:
    remember(ann, RULE)
    path = path_of(ann, "use-redis")
    text = ann.git("show", f"{REF}:{path}").replace('"active"', '"archived"')
    broken(ann, path, f"{text}\n")
    id_ = path.removesuffix(".md").rpartition("-")[2]

    said = lerim(ann.path, "lint").out
    lerim(ann.path, "forget", id_)

    assert f"to move it there: git lerim forget {id_}" in said
    assert lerim(ann.path, "lint").code == 0
    assert path_of(ann, "use-redis") == f"archived/{path}"
