from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.errors import UnknownMemory
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Primitive, Source
from git_lerim.memories.slug import slug

AT = datetime(2026, 2, 20, 9, 30, 45, tzinfo=UTC)


def memory(
    title: str = "Use SQLite for the session catalog",
    primitive: Primitive = Primitive.DECISION,
    session: str = "x",
) -> Memory:
    return Memory(
        id="k3v2qd2m7x4ab",
        primitive=primitive,
        title=title,
        body="Because.",
        created=AT,
        updated=AT,
        sources=(Source(agent="claude", session=session),),
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("claude", "5b0c1a2f-0000-4000-8000-000000000000", "decision", 0), "dpcu5a5znhys6"),
        (("claude", "5b0c1a2f-0000-4000-8000-000000000000", "decision", 1), "3nj7uje6d5qy4"),
        (("codex", "0198c0de#12", "learning", 0), "jpek5aj2ihxdh"),
        (("opencode", "ses_ü", "summary", 0), "fm2cwfiljhfmq"),
    ],
)
def test_the_same_evidence_gets_the_same_id_for_ever(
    fields: tuple[str, str, str, int], expected: str
) -> None:
    assert naming.memory_id(*fields) == expected


def test_an_id_of_a_primitive_is_the_id_of_its_name() -> None:
    assert naming.memory_id("a", "b", Primitive.DECISION, 0) == naming.memory_id(
        "a", "b", "decision", 0
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Use SQLite for the session catalog", "use-sqlite-for-the-session-catalog"),
        ("Don't use `--force` / ../../etc", "dont-use-force-etc"),
        ("Größe über alles", "groe-uber-alles"),
        ("決定: 使う", "memory"),
        ("", "memory"),
        ("a" * 80, "a" * 50),
        ("word " * 20, "word-word-word-word-word-word-word-word-word-word"),
        ("CON", "con"),
    ],
)
def test_a_slug_is_plain_words(title: str, expected: str) -> None:
    assert slug(title) == expected


@pytest.mark.parametrize(
    ("primitive", "archived", "expected"),
    [
        (
            Primitive.DECISION,
            False,
            "decisions/2026-02/20260220-use-sqlite-for-the-session-catalog-k3v2qd2m7x4ab.md",
        ),
        (
            Primitive.LEARNING,
            True,
            "archived/learnings/2026-02/20260220-use-sqlite-for-the-session-catalog-k3v2qd2m7x4ab.md",
        ),
        (Primitive.SUMMARY, False, "summaries/2026-02/20260220-093045-claude-5b0c1a2f.md"),
        (Primitive.HANDOFF, False, "handoffs/20260220-093045-k3v2qd2m7x4ab.md"),
    ],
)
def test_each_primitive_has_its_place(
    primitive: Primitive, *, archived: bool, expected: str
) -> None:
    path = naming.path_of(
        memory(primitive=primitive, session="5b0c1a2f-1111-4222-8333-444455556666"),
        archived=archived,
    )

    assert path == expected
    assert naming.valid_path(path)


def test_ids_that_begin_with_a_time_are_known_by_their_end() -> None:
    assert naming.short_session("019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b") == "8e9f0a1b"
    assert naming.short_session("ses_4f12abcdWXYZ") == "abcdwxyz"
    assert naming.short_session("../..") == "session"


@given(
    title=st.text(),
    primitive=st.sampled_from(list(Primitive)),
    archived=st.booleans(),
    session=st.text(max_size=40),
)
def test_every_memory_has_a_valid_path_with_its_id(
    title: str, primitive: Primitive, session: str, *, archived: bool
) -> None:
    path = naming.path_of(memory(title, primitive, session), archived=archived)

    assert naming.valid_path(path)
    assert naming.id_in(path) == (None if primitive is Primitive.SUMMARY else "k3v2qd2m7x4ab")


@pytest.mark.parametrize(
    "path",
    [
        "../decisions/2026-02/20260220-x-k3v2qd2m7x4ab.md",
        "/decisions/2026-02/20260220-x-k3v2qd2m7x4ab.md",
        "decisions/2026-02/20260220-X-k3v2qd2m7x4ab.md",
        "decisions/2026-02/20260220-x-K3V2QD2M7X4AB.md",
        "decisions/2026-02/../../x.md",
        "decisions/2026-02/CON.md",
        "decisions/2026-13/20260220-x-k3v2qd2m7x4ab.md",
        "decisions/2026-02/20260220-x-k3v2qd2m7x4ab.md.",
        "decisions/2026-02/20260220-x-k3v2qd2m7x4ab.md\n",
        "decisions/2026-02/20260220-\x1b[2J-k3v2qd2m7x4ab.md",
        "decisions/2026-02/20260220-é-k3v2qd2m7x4ab.md",
        "decisions\\2026-02\\20260220-x-k3v2qd2m7x4ab.md",
        "decisions/2026-02/20260220-" + "a-" * 100 + "k3v2qd2m7x4ab.md",
        "notes.md",
        ".git/hooks/post-commit",
    ],
)
def test_a_path_outside_the_layout_is_refused(path: str) -> None:
    assert not naming.valid_path(path)
    assert naming.id_in(path) is None


def test_an_id_is_found_by_its_beginning() -> None:
    ids = ["abcd234567abc", "abce234567abc", "zzzz234567abc"]

    assert naming.find_id(ids, "zzzz") == "zzzz234567abc"
    assert naming.find_id(ids, "ABCD2") == "abcd234567abc"
    assert naming.find_id(ids, "abcd234567abc") == "abcd234567abc"


def test_an_id_that_is_not_one_memory_is_told_so() -> None:
    ids = [f"abcd{letter}34567abc2" for letter in "abcdefg"]

    with pytest.raises(UnknownMemory, match=r"7 memory IDs .* and 2 more"):
        naming.find_id(ids, "abcd")
    with pytest.raises(UnknownMemory, match="no memory"):
        naming.find_id(ids, "qqqq")
    with pytest.raises(UnknownMemory, match="too short"):
        naming.find_id(ids, "abc")
    with pytest.raises(UnknownMemory, match=r"\\x1b"):
        naming.find_id(ids, "\x1b]52;c;x")
