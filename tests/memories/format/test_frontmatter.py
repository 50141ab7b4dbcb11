import re
import subprocess
import sys

import pytest
from hypothesis import given
from support.memories import AT, edited, memories, memory

from git_lerim.errors import BadMemory
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.format.body import body_itself
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import (
    FILE_LIMIT,
    Anchor,
    Kind,
    Memory,
    Origin,
    Primitive,
    Source,
    Status,
)

WRITTEN = """\
---
id: "k3v2qd2m7x4ab"
primitive: "decision"
kind: null
title: "Use \\"SQLite\\" for the R&D catalog: yes"
status: "active"
created: "2026-02-20T09:30:45Z"
updated: "2026-02-20T09:30:45Z"
last_accessed: null
confidence: 0.85
origin: "human"
edited: {by: "Ada <ada@example.org>", at: "2026-02-21T09:30:45Z"}
protected: false
suspect: null
tags: ["catalog", "sqlite"]
sources:
  - {agent: "claude", session: "5b0c1a2f", part: null, records: [[41, 44]], at: \
"2026-02-20T09:30:45Z", \
commit: "3f2a9c1d", branch: "main", patch: "77ab"}
anchors:
  - {path: "src/catalog.py", lines: [10, 42], symbol: "Catalog", blob: null, commit: null}
supersedes: []
merged_from: []
related: []
feedback:
  - ["Bob <bob@example.org>", "person", "helpful", "2026-03-01", 2]
---
Because it is there.
"""
OLDER = """\
---
id: "k3v2qd2m7x4ab"
primitive: "decision"
kind: null
title: "Use SQLite"
status: "active"
created: "2026-02-20T09:30:45Z"
updated: "2026-02-20T09:30:45Z"
last_accessed: null
confidence: 0.85
protected: false
suspect: null
tags: []
sources:
  - {agent: "claude", session: "5b0c1a2f", part: null, records: [[41, 44]], at: null, commit: \
"3f2a9c1d"}
anchors: []
supersedes: []
merged_from: []
related: []
---
Because it is there.
"""
OLDER_ANEW = (
    OLDER.replace("protected", 'origin: "rules"\nedited: null\nprotected')
    .replace("}\nanchors", ", branch: null, patch: null}\nanchors")
    .replace("related: []\n", "related: []\nfeedback: []\n")
)
BY_HAND = """\
---
id: k3v2qd2m7x4ab
title: R&D isn't, *bold* "so" no!   # a remark with an & and a *star
primitive: learning
kind: pitfall
created: 2026-02-20T10:30:45.25+01:00
tags:
- sqlite
- 'no'
sources:
  - agent: claude
    session: 12:30:45
    records:
    - [41, 44]
    at: 2026-02-20T09:30:45Z
anchors: [{path: src/catalog.py, lines: [10, 42]}]
---

Because it is there.

"""


def test_a_memory_is_written_field_by_field_as_the_contract_says() -> None:
    made = memory(
        title='Use "SQLite" for the R&D catalog: yes',
        body="Because it is there.\n",
        confidence=0.849999,
        tags=("sqlite", "catalog", "sqlite"),
        origin=Origin.HUMAN,
        edited=edited(),
        sources=(
            Source(
                agent="claude",
                session="5b0c1a2f",
                records=((41, 44),),
                at=AT,
                commit="3f2a9c1d",
                branch="main",
                patch="77ab",
            ),
        ),
        anchors=(Anchor(path="src/catalog.py", lines=(10, 42), symbol="Catalog"),),
        feedback=(
            Feedback(
                author="Bob <bob@example.org>",
                by=Voice.PERSON,
                verdict="helpful",
                day="2026-03-01",
                count=2,
            ),
        ),
    )

    assert render(made).decode() == WRITTEN
    assert parse(WRITTEN.encode()) == clean(made)


def test_a_file_without_the_newer_fields_reads_with_their_defaults_and_gets_them_when_it_is_written() -> (  # noqa: E501
    None
):
    read = parse(OLDER.encode())

    assert (read.origin, read.edited, read.feedback) == (Origin.RULES, None, ())
    assert (read.sources[0].branch, read.sources[0].patch) == (None, None)
    assert render(read).decode() == OLDER_ANEW
    assert parse(OLDER_ANEW.encode()) == read
    assert parse(re.sub(r"sources:\n.*\n", "sources: []\n", OLDER).encode()).origin is Origin.HUMAN


def test_what_a_person_wrote_by_hand_is_read_without_guessing_types() -> None:
    read = parse(BY_HAND.encode())

    assert read == Memory(
        id="k3v2qd2m7x4ab",
        primitive=Primitive.LEARNING,
        kind=Kind.PITFALL,
        title='R&D isn\'t, *bold* "so" no!',
        body="Because it is there.",
        created=AT,
        updated=AT,
        tags=("no", "sqlite"),
        sources=(Source(agent="claude", session="12:30:45", records=((41, 44),), at=AT),),
        anchors=(Anchor(path="src/catalog.py", lines=(10, 42)),),
    )
    assert parse(render(read)) == read


@given(memories())
def test_every_memory_comes_back_as_it_was_written(any_memory: Memory) -> None:
    written = render(any_memory)
    read = parse(written)

    assert read == clean(any_memory) == clean(clean(any_memory))
    assert render(read) == written


def test_our_own_files_are_read_without_loading_yaml() -> None:
    code = (
        "import sys; from git_lerim.memories.format.frontmatter import parse;"
        f" parse({WRITTEN!r}.encode()); parse({OLDER!r}.encode()); assert 'yaml' not in"
        f" sys.modules; parse({BY_HAND!r}.encode()); assert 'yaml' in sys.modules"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    for text in (WRITTEN, BY_HAND):
        assert parse(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == parse(text.encode())


def test_a_key_we_do_not_know_stays_as_it_is() -> None:
    line = 'claimed_by: {at: 3, hours: [1, null, true], no: "no", weight: 0.5, who: "me"}\n'
    text = WRITTEN.replace("---\nBecause", line + "---\nBecause")

    assert render(parse(text.encode())).decode() == text


def test_text_that_nobody_can_see_is_taken_out_on_both_ways() -> None:
    hidden = memory(
        title="Use\u202e SQL\u200bite\x1b]52;c;x\x07 \U000e0041now", body="a\x1b[2Jb\u2066c\n\td"
    )

    shown = parse(render(hidden))

    assert (shown.title, shown.body) == ("Use SQLite]52;c;x now", "a[2Jbc\n\td")
    assert (
        parse(WRITTEN.replace("Because", "Be\x1b[31mcause").encode()).body
        == "Be[31mcause it is there."
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('id: "k3v2qd2m7x4ab"', 'id: "../x"', "`id` must be 13"),
        ('id: "k3v2qd2m7x4ab"\n', "", "`id` is missing"),
        ('title: "Use \\"SQLite\\" for the R&D catalog: yes"', 'title: " \u200b "', "has no title"),
        ('title: "Use', 'title: "' + "long " * 30, "title of k3v2qd2m7x4ab has 18"),
        (
            'primitive: "decision"',
            "primitive: rumour",
            "`primitive` must be one of decision, learning",
        ),
        ("kind: null", "kind: hunch", "`kind` must be one of"),
        (
            'created: "2026-02-20T09:30:45Z"',
            'created: "2026-02-30T09:30:45Z"',
            "`created` must be a time",
        ),
        ("last_accessed: null", "last_accessed: soon", "`last_accessed` must be a day"),
        ("confidence: 0.85", "confidence: nan", "`confidence` must be a number from 0 to 1"),
        ("confidence: 0.85", "confidence: 7", "`confidence` must be a number from 0 to 1"),
        ("protected: false", "protected: no", "`protected` must be true or false"),
        ('tags: ["catalog", "sqlite"]', "tags: sqlite", "`tags` must be a list"),
        ("records: [[41, 44]]", "records: [[41]]", "`records` must be two numbers"),
        ("records: [[41, 44]]", "records: [[a, b]]", "`records` must be whole numbers"),
        ('"3f2a9c1d"', '"--upload-pack"', "`commit` must be an object id"),
        ("supersedes: []", "supersedes: [[a]]", "`supersedes` must be text"),
        ("Because", "a" * 4001, "body of k3v2qd2m7x4ab has 40"),
        ("Because", "\0", "NUL"),
        (
            "Because it is there.",
            "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
            "line 26 begins an unresolved merge conflict",
        ),
        ("---\n", "", "does not begin with `---`"),
        ("---\nBecause it is there.\n", "", "has no closing line"),
    ],
)
def test_a_wrong_file_is_told_in_one_sentence(old: str, new: str, told: str) -> None:
    assert old in WRITTEN

    with pytest.raises(BadMemory, match=told):
        parse(WRITTEN.replace(old, new, 1).encode())


def test_a_big_file_and_a_file_that_is_no_text_are_refused() -> None:
    with pytest.raises(BadMemory, match="more than 32768"):
        parse(b"x" * (FILE_LIMIT + 1))
    with pytest.raises(BadMemory, match="line 2 is not UTF-8"):
        parse(b"---\nid: \xff\n---\n")


def test_what_could_not_be_read_again_is_not_written() -> None:
    for wrong in (
        memory(title=" "),
        memory(title="a" * 121),
        memory(body="a" * 4001),
        memory(unknown={"x": "é" * 9000}),
    ):
        with pytest.raises(BadMemory):
            render(wrong)


def test_what_is_also_recorded_does_not_count_for_the_body() -> None:
    long = memory(body="Short.\n\n## Also recorded\n\n" + "a" * 8000, status=Status.SUSPECT)

    assert parse(render(long)) == long
    assert body_itself(long.body) == "Short."


def test_lists_without_an_order_are_sorted() -> None:
    one = Source(agent="b", session="1", at=None)
    two = Source(agent="a", session="2", at=AT)

    assert render(memory(sources=(one, two), tags=("b", "a"))) == render(
        memory(sources=(two, one, one), tags=("a", "b"))
    )
