from typing import Any

import pytest
from support.memories import ID, later, memory

from git_lerim.memories.checks.lint_rules import check, check_memory
from git_lerim.memories.memory import Anchor, Kind, Primitive, Source, Status
from git_lerim.memories.naming import path_of

NOW = later(days=1)


def test_a_good_store_has_no_problem() -> None:
    one = memory()
    two = memory(
        id="b" * 13,
        primitive=Primitive.LEARNING,
        kind=Kind.FACT,
        title="Tests need TZ=UTC",
        supersedes=(ID,),
    )

    assert check([(path_of(one), one), (path_of(two), two)], NOW) == []


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"title": " "}, "title-empty"),
        ({"title": "a" * 121}, "title-long"),
        ({"title": "ok do option 2"}, "noise"),
        ({"title": "Should we use tabs?"}, "noise"),
        ({"body": ""}, "body-empty"),
        ({"body": "a" * 4001}, "body-long"),
        ({"primitive": Primitive.LEARNING}, "kind"),
        ({"kind": Kind.FACT}, "kind"),
        ({"status": Status.SUSPECT}, "suspect"),
        ({"suspect": "tool output"}, "suspect"),
        ({"anchors": (Anchor(path="../x"),)}, "anchor"),
        ({"anchors": (Anchor(path="/etc/passwd"),)}, "anchor"),
        ({"sources": (Source(agent="claude", session="x", records=((5, 4),)),)}, "records"),
        ({"at": later(days=4)}, "future"),
        ({"updated": later(days=-1)}, "times"),
        ({"primitive": Primitive.SUMMARY, "sources": ()}, "source"),
        ({"supersedes": ("c" * 13,)}, "supersedes"),
        ({"related": ("../x",)}, "related"),
        ({"related": (ID,)}, "related"),
    ],
)
def test_what_is_wrong_with_a_memory_is_named(changes: dict[str, Any], rule: str) -> None:
    wrong = memory(**changes)

    assert rule in [problem.rule for problem in check([(path_of(wrong), wrong)], NOW)]


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("decisions/2026-02/20260220-x-bbbbbbbbbbbbb.md", "id"),
        (f"learnings/2026-02/20260220-x-{ID}.md", "folder"),
        (f"archived/decisions/2026-02/20260220-x-{ID}.md", "archived"),
        ("notes/x.md", "path"),
    ],
)
def test_a_file_in_the_wrong_place_is_named(path: str, rule: str) -> None:
    assert [problem.rule for problem in check([(path, memory())], NOW)] == [rule]


def test_an_id_that_stands_in_two_files_is_named_with_the_other() -> None:
    first, second = f"decisions/2026-02/20260220-a-{ID}.md", f"decisions/2026-02/20260220-b-{ID}.md"

    (problem,) = check([(second, memory()), (first, memory())], NOW)
    assert (problem.path, problem.rule) == (second, "twice")
    assert first in problem.sentence


def test_what_was_merged_away_is_no_dangling_link() -> None:
    merged = memory(merged_from=("d" * 13,))
    other = memory(id="b" * 13, related=("d" * 13,))

    assert check([(path_of(merged), merged), (path_of(other), other)], NOW) == []


def test_a_memory_by_itself_is_checked_for_what_nobody_may_write() -> None:
    assert check_memory(memory(title="ok, tabs?")) == []
    assert [problem.rule for problem in check_memory(memory(title=""))] == ["title-empty"]
