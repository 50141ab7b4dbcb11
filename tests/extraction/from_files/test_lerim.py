from datetime import UTC, datetime

from git_lerim.extraction.from_files import lerim
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.memories.memory import Kind, Primitive, Source, Status

RUN = "sync-20260220-101500-a1b2c3"
HEAD = f"""\
---
id: use-sqlite
title: Use SQLite
created: '2026-02-20T10:15:00+01:00'
updated: '2026-02-21T10:15:00+01:00'
source: {RUN}
confidence: 0.8
tags:
- catalog
"""


def read(texts: dict[str, str]) -> tuple[dict[str, Draft], Reading]:
    into = Reading()
    lerim.read(
        [
            File(name=f".lerim/memory/{path}", path=path, text=text)
            for path, text in sorted(texts.items())
        ],
        into,
    )
    return {one.title: one for one in into.found}, into


def test_a_decision_keeps_its_dates_tags_confidence_and_run() -> None:
    found, _ = read({"decisions/20260220-use-sqlite.md": HEAD + "---\nIt is there already.\n"})

    one = found["Use SQLite"]
    at = datetime(2026, 2, 20, 9, 15, tzinfo=UTC)
    assert (one.primitive, one.kind, one.body, one.confidence) == (
        Primitive.DECISION,
        None,
        "It is there already.",
        0.8,
    )
    assert (one.created, one.changed, one.tags) == (
        at,
        datetime(2026, 2, 21, 9, 15, tzinfo=UTC),
        ("catalog",),
    )
    assert one.sources == (Source(agent="lerim", session=RUN, at=at),)


def test_a_learning_keeps_its_kind_and_friction_is_a_pitfall() -> None:
    found, _ = read({"learnings/20260220-a.md": HEAD + "kind: friction\n---\nText.\n"})

    assert (found["Use SQLite"].primitive, found["Use SQLite"].kind) == (
        Primitive.LEARNING,
        Kind.PITFALL,
    )


def test_of_an_archived_memory_the_copy_that_lerim_left_behind_does_not_count() -> None:
    text = HEAD + "---\nText.\n"
    found, into = read(
        {
            "archived/decisions/20260220-use-sqlite.md": text,
            "decisions/20260220-use-sqlite.md": text,
        }
    )

    assert [one.status for one in found.values()] == [Status.ARCHIVED]
    assert [one.reason for one in into.left] == [
        "is a leftover copy of a memory that Lerim archived"
    ]
    assert (
        found["Use SQLite"].origin
        == read({"decisions/20260220-use-sqlite.md": text})[0]["Use SQLite"].origin
    )


def test_a_summary_comes_as_one() -> None:
    text = (
        HEAD.replace("source:", "run_id:")
        + "coding_agent: Claude\n---\n## User Intent\n\nA.\n\n## What Happened\n\nB.\n"
    )
    found, _ = read({"summaries/20260220/101500/use-sqlite.md": text})

    one = found["Use SQLite"]
    assert (one.primitive, one.body) == (
        Primitive.SUMMARY,
        "## Intent\n\nA.\n\n## What happened\n\nB.",
    )
    assert ("claude", RUN) in {(source.agent, source.session) for source in one.sources}


def test_the_flat_files_of_its_last_versions_are_notes() -> None:
    found, into = read(
        {
            "feedback_tests.md": "---\nname: Run tests in UTC\ndescription: d\ntype: feedback\n---\nText.\n",  # noqa: E501
            "index.md": "- [x](feedback_tests.md)\n",
        }
    )

    assert found["Run tests in UTC"].kind is Kind.PREFERENCE
    assert [one.reason for one in into.left] == ["is an index made by Lerim"]


def test_a_file_without_title_or_text_fails() -> None:
    _, into = read(
        {
            "decisions/20260220-a.md": "---\nid: a\n---\nText.\n",
            "decisions/20260220-b.md": HEAD + "---\n\n",
        }
    )

    assert [(one.reason, one.failed) for one in into.left] == [
        ("has no title", True),
        ("is empty", True),
    ]
