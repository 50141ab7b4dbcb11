from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.memories.memory import Anchor, Memory, Primitive, Source
from git_lerim.recall.why.commit_links import Link
from git_lerim.recall.why.why import CodeQuery, Hit, hits, moved

TEXT = [b"a", b"b", b"c", b"d", b"e", b"f"]


def memory(title: str = "It is so", body: str = "So it is.", **more: Any) -> Memory:
    at = datetime(2026, 2, 3, tzinfo=UTC)
    return Memory(
        id=title,
        primitive=Primitive.LEARNING,
        title=title,
        body=body,
        created=at,
        updated=at,
        **more,
    )


def asked(path: str, **more: Any) -> CodeQuery:
    return CodeQuery(path=path, names=(path,), **more)


def found(
    memories: list[Memory], about: CodeQuery, links: list[Link] | None = None, now: Any = None
) -> list[Hit]:
    by_session = {(link.agent, link.session): link for link in links or []}
    return hits(memories, about, by_session, lambda _: now)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("see src/a.py for more", True), ("`src/a.py`", True), ("src/a.py.", True),
        ("(/home/ada/shop/src/a.py:12)", True),
        ("see a.py", True), ("b/a.py", True), ("src/a.pyx", False), ("src/a.py.orig", False),
        ("aa.py", False),
        ("a.py-old", False), ("x-src/a.py", True), ("data.py", False),
    ],
)  # fmt: skip
# a table
def test_a_mention_is_a_path_or_a_last_name_that_stands_by_itself(text: str, meant: bool) -> None:  # noqa: FBT001
    assert bool(found([memory(body=text)], asked("src/a.py"))) == meant


def test_a_last_name_that_other_files_have_is_no_mention() -> None:
    assert found([memory(body="see a.py")], asked("src/a.py", only=False)) == []
    assert found([memory(body="see src/a.py")], asked("src/a.py", only=False)) != []


def test_a_folder_is_mentioned_by_what_is_below_it() -> None:
    assert found([memory(body="see src/a.py")], asked("src", folder=True)) != []
    assert found([memory(body="the src of it")], asked("src", folder=True)) == []


def test_a_session_speaks_more_for_a_memory_that_is_about_the_path() -> None:
    source = (Source(agent="claude", session="s"),)
    link = Link(agent="claude", session="s", sureness=0.9, how=("made this commit",))
    about = memory("About it", sources=source, anchors=(Anchor(path="a.py"),))
    first, second = found(
        [memory("Of it", sources=source), about], asked("a.py", lines=(1, 1)), [link]
    )

    assert (first.memory.title, second.memory.title) == ("About it", "Of it")
    assert first.word == "sure"
    assert second.sureness < 0.55


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ([(3, 5)], "is about these lines"),
        ([(8, 9)], "is about other lines of this file"),
        ([], "is about lines of this file that were changed since"),
        (None, "is about lines of this file that cannot be followed"),
    ],
)
def test_lines_are_followed_to_where_they_stand_now(now: Any, said: str) -> None:
    (hit,) = found(
        [memory(anchors=(Anchor(path="a.py", lines=(1, 2)),))], asked("a.py", lines=(4, 4)), now=now
    )

    assert hit.how == (said,)


@pytest.mark.parametrize(
    ("new", "lines", "there"),
    [
        (TEXT, (2, 3), [(2, 3)]),
        ([b"x", b"y", *TEXT], (2, 3), [(4, 5)]),
        ([b"a", b"b", b"x", b"c", b"d", b"e", b"f"], (2, 4), [(2, 2), (4, 5)]),
        ([b"a", b"f"], (2, 4), []),
        ([], (1, 6), []),
    ],
)
def test_lines_move_with_what_is_put_in_and_taken_out(
    new: list[bytes], lines: tuple[int, int], there: list[tuple[int, int]]
) -> None:
    assert moved(TEXT, new, lines) == there


@given(
    st.lists(st.sampled_from(TEXT)),
    st.lists(st.sampled_from(TEXT)),
    st.integers(1, 9),
    st.integers(0, 9),
)
def test_lines_that_are_followed_say_what_they_said(
    old: list[bytes], new: list[bytes], first: int, more: int
) -> None:
    said = old[first - 1 : first + more]
    for begin, end in moved(old, new, (first, first + more)):
        assert set(new[begin - 1 : end]) <= set(said)


def test_what_speaks_of_the_lines_comes_before_what_is_about_the_file() -> None:
    file = memory("File", anchors=(Anchor(path="a.py", blob="b"),))
    symbol = memory("Symbol", anchors=(Anchor(path="a.py", symbol="Catalog.open_late"),))
    names = memory("Names", body="Never call open_late twice.")
    commit = memory("Commit", body="It came with 3f2a9c1.")
    line = memory("Line", anchors=(Anchor(path="a.py", lines=(1, 3)),))
    meant = asked("a.py", lines=(2, 2), symbols=("open_late",), commits=("3f2a9c1" + "0" * 33,))

    ranked = found([file, names, symbol, commit, line], meant, now=[(1, 3)])

    assert [hit.memory.title for hit in ranked] == ["Line", "Symbol", "Commit", "Names", "File"]
    assert [hit.close for hit in ranked] == [True] * 4 + [False]
    assert [hit.how[0] for hit in ranked][1:4] == [
        "is about Catalog.open_late",
        "names commit 3f2a9c1",
        "names open_late",
    ]


def test_of_a_whole_file_nothing_is_less_close() -> None:
    assert all(hit.close for hit in found([memory(body="see src/a.py")], asked("src/a.py")))
