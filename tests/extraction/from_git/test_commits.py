import pytest

from git_lerim.extraction.from_git.commits import choosing, left_out, parts, shown
from git_lerim.git.history.messages import FileChange, Message


def message(text: str, author: str = "Ada <ada@example.org>", parents: int = 1) -> Message:
    return Message(
        id="3f2a9c1b2d4e" + "0" * 28,
        parents=("1" * 40, "2" * 40)[:parents],
        at=1770112800,
        author=author,
        text=text,
    )


@pytest.mark.parametrize(
    "author",
    [
        "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
        "Renovate Bot <bot@renovateapp.com>",
        "github-actions <github-actions@github.com>",
    ],
)
def test_what_a_robot_wrote_is_left_out(author: str) -> None:
    assert left_out(message("Choose X\n\nBecause of Y.", author)) == "by a bot"


@pytest.mark.parametrize(
    "text",
    [
        "fix typo",
        "Fix typo in README",
        "wip",
        "WIP: parse it all",
        "fixup! Choose a queue for the jobs",
        "Bump version to 1.2.3",
        "v1.2.3",
        "Release 1.2.3",
        "chore: bump left-pad from 1 to 2",
        "Merge branch 'main' into side",
        "update",
        "Initial commit",
        "Bump left-pad\n\nSigned-off-by: Ada <ada@example.org>",
        "Merge branch 'main'\n\nConflicts:\n\tsrc/a.py",
    ],
)
def test_a_commit_that_says_little_is_left_out(text: str) -> None:
    assert left_out(message(text)) == "too little information"


@pytest.mark.parametrize(
    "text",
    [
        "Queue jobs in PostgreSQL",
        "Fix typo\n\nIt broke the parser, since names are compared by bytes.",
        "Bump Django to 5.1 for async signals\n\nThe old ones block.",
        "Merge pull request #12 from ada/queue\n\nQueue jobs in PostgreSQL",
        "Revert the cache of prices",
    ],
)
def test_a_commit_that_says_something_is_read(text: str) -> None:
    assert left_out(message(text)) == ""


def test_a_merge_without_words_of_its_own_is_left_out() -> None:
    assert left_out(message("Join the two queues again", parents=2)) == "too little information"


def test_commits_of_a_memory_in_the_work_tree_are_left_out() -> None:
    ours = "remember: Use SQLite\n\n+ k3v9 Use SQLite\n\nLerim-Op: remember"
    assert left_out(message(ours)) == "of the memory itself"


def test_trailers_and_conflicts_are_no_words() -> None:
    text = "Choose X\n\nBecause: it is small.\n\nAnd fast.\n\nReviewed-by: B <b@c>\nChange-Id: I1"
    assert parts(message(text)) == ("Choose X", "Because: it is small.\n\nAnd fast.")


def test_a_small_change_of_what_is_depended_on_is_shown() -> None:
    small = FileChange(path="web/package.json", added=1, removed=1)
    large = FileChange(path="pyproject.toml", added=100, removed=0)
    code = FileChange(path="src/a.py", added=1, removed=1)

    assert choosing([small, code]) == ["web/package.json"]
    assert choosing([small, large]) == []
    assert shown(message("Choose X\n\nWhy."), [small, code], "web/package.json\n@@ -1 +1 @@") == (
        "COMMIT 3f2a9c1b2d4e 2026-02-03: Choose X\nWhy.\n"
        "Files: web/package.json +1 -1, src/a.py +1 -1\nDiff:\nweb/package.json\n@@ -1 +1 @@"
    )


def test_many_files_are_counted() -> None:
    files = [FileChange(path=f"f{n}", added=n, removed=0) for n in range(20)]
    told = shown(message("Choose X\n\nWhy."), files, "")
    assert "f19 +19 -0" in told
    assert told.endswith("and 12 more")
    assert shown(message("Choose X"), files, "").endswith("and 17 more")
