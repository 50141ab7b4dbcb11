from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.code_changes import CodeChange, changed_by, code_changes
from git_lerim.upkeep.freshness.freshness import Claim, Freshness

FILE = [f"line {number}" for number in range(1, 41)]


def found(repo: Repo, before: list[str], after: list[str], lines: tuple[int, int]) -> CodeChange:
    """Return what became of some lines of a file."""
    (change,) = changes(repo, before, after, lines)[0]
    return change


def changes(
    repo: Repo, before: list[str], after: list[str] | None, lines: tuple[int, int]
) -> tuple[tuple[CodeChange, ...], Freshness]:
    then = repo.commit({"a.py": "\n".join(before) + "\n"}, "Add")
    anchor = Anchor(path="a.py", lines=lines, blob=repo.git("rev-parse", "HEAD:a.py"), commit=then)
    if after is None:
        repo.git("rm", "-q", "a.py")
        repo.git("commit", "-q", "-m", "Drop")
    else:
        repo.commit({"a.py": "\n".join(after) + "\n"}, "Change")
    claim = Claim(id="x", title="`line` counts", body="", anchors=(anchor,))
    place = discover(Path(repo.path), {})
    freshness = Freshness(place, open_objects(place), repo.git("rev-parse", "HEAD"))
    verdict = freshness.verdicts([claim])["x"]
    return code_changes(freshness.code, claim, verdict), freshness


def test_the_lines_around_an_edit_are_shown_once_and_nothing_beyond_them(repo: Repo) -> None:
    after = ["new top", *FILE[:19], "edited 20", "added", *FILE[20:]]
    diff = found(repo, FILE, after, (20, 20)).diff.split("\n")
    assert diff[0] == " line 14"
    assert diff[6:9] == ["-line 20", "+edited 20", "+added"]
    assert diff[-1] == " line 26"
    assert [row for row in diff if row[0] != " "] == diff[6:9]


def test_of_a_definition_all_is_shown(repo: Repo) -> None:
    body = [f"    work({number})" for number in range(20)]
    before = ["x = 1", "def act():", *body, "", "def other():", "    pass"]
    after = [row.replace("work(3)", "rest(3)") for row in before]
    then = repo.commit({"a.py": "\n".join(before)}, "Add")
    anchor = Anchor(
        path="a.py", lines=(6, 6), symbol="act", blob=repo.git("rev-parse", "HEAD:a.py"),
        commit=then,
    )  # fmt: skip
    repo.commit({"a.py": "\n".join(after)}, "Change")
    place = discover(Path(repo.path), {})
    freshness = Freshness(place, open_objects(place), repo.git("rev-parse", "HEAD"))
    claim = Claim(id="x", title="It works", body="", anchors=(anchor,))
    (change,) = code_changes(freshness.code, claim, freshness.verdicts([claim])["x"])
    rows = change.diff.split("\n")
    assert rows[0] == " def act():"
    assert "-    work(3)" in rows
    assert "+    rest(3)" in rows
    assert " def other():" not in rows


def test_another_line_of_the_definition_counts_and_each_definition_is_shown_once(
    repo: Repo,
) -> None:
    before = ["x = 1", "def act(a):", "    b = a", "    c = b", "    return a == c"]
    then = repo.commit({"a.py": "\n".join(before)}, "Add")
    blob = repo.git("rev-parse", "HEAD:a.py")
    anchors = tuple(
        Anchor(path="a.py", lines=(line, line), symbol="act", blob=blob, commit=then)
        for line in (3, 4)
    )
    repo.commit({"a.py": "\n".join([*before[:4], "    return same(a, c)"])}, "Change")
    place = discover(Path(repo.path), {})
    freshness = Freshness(place, open_objects(place), repo.git("rev-parse", "HEAD"))
    claim = Claim(id="x", title="`act` compares plainly", body="", anchors=anchors)

    (change,) = code_changes(freshness.code, claim, freshness.verdicts([claim])["x"])

    assert change.lines == (3, 3)
    assert change.removed == ("    return a == c",)


def test_a_file_that_is_gone_has_all_its_lines_removed(repo: Repo) -> None:
    ((change,), _) = changes(repo, FILE, None, (3, 4))
    assert all(row.startswith("-") for row in change.diff.split("\n"))
    assert change.left == 0


@pytest.mark.parametrize("after", [[*FILE, "more"], ["more", *FILE]])
def test_lines_that_are_as_they_were_have_no_change(after: list[str], repo: Repo) -> None:
    assert changes(repo, FILE, after, (20, 20))[0] == ()


def test_the_commit_that_changed_the_lines_is_found(repo: Repo) -> None:
    after = [*FILE[:19], "edited 20", *FILE[20:]]
    found_changes, freshness = changes(repo, FILE, after, (20, 20))
    did = repo.git("rev-parse", "HEAD")
    repo.commit({"a.py": "\n".join([*after, "more"])}, "More")
    assert changed_by(freshness.code, found_changes) == [did]
