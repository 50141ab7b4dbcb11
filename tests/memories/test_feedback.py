from hypothesis import given
from hypothesis import strategies as st
from support.memories import memory

from git_lerim.memories.feedback import LIMIT, Feedback, Voice, added, disputed, joined
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.memory import Anchor
from git_lerim.memories.merging.merging import merge_same
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge

ROWS = st.lists(
    st.builds(
        Feedback,
        author=st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=1),
        by=st.sampled_from(Voice),
        verdict=st.sampled_from(["used", "helpful", "wrong"]),
        day=st.sampled_from(["2026-02-20", "2026-02-21", "2026-02-22"]),
        count=st.integers(1, 3),
    ),
    max_size=40,
)


def row(
    author: str = "Ada", by: Voice = Voice.PERSON, day: str = "2026-02-20", count: int = 1
) -> Feedback:
    return Feedback(author=author, by=by, verdict="wrong", day=day, count=count)


@given(ROWS, ROWS, ROWS)
def test_rows_are_joined_in_any_order_and_grouping(
    a: list[Feedback], b: list[Feedback], c: list[Feedback]
) -> None:
    assert joined([*joined([*a, *b]), *c]) == joined([*a, *joined([*c, *b])])
    assert joined(joined(a)) == joined(a)
    assert len(joined([*a, *b, *c])) <= LIMIT


def test_an_author_has_one_row_for_each_verdict_with_the_latest_day() -> None:
    assert joined([row(day="2026-02-21", count=2), row(day="2026-02-20", count=5)]) == [
        row(day="2026-02-21", count=2)
    ]
    assert len(joined([row(), row(by=Voice.AGENT), row(author="Bob")])) == 3


def test_of_too_many_rows_those_of_persons_stay_then_the_latest() -> None:
    agents = [
        row(author=f"a{n}", by=Voice.AGENT, day=f"2026-03-{n + 1:02}") for n in range(LIMIT - 10)
    ]
    persons = [row(author=f"p{n}") for n in range(20)]

    kept = joined([*agents, *persons])

    assert kept[:20] == sorted(persons, key=lambda each: each.author, reverse=True)
    assert {each.day for each in kept[20:]} == {f"2026-03-{day:02}" for day in range(11, 23)}


def test_a_verdict_of_a_newer_version_is_kept() -> None:
    data = render(memory(feedback=(row(),))).replace(b'"wrong"', b'"outdated"')

    assert [each.verdict for each in parse(data).feedback] == ["outdated"]
    assert render(parse(data)) == data


def said(
    verdict: str, author: str = "Ada", by: Voice = Voice.PERSON, day: str = "2026-02-20"
) -> Feedback:
    return Feedback(author=author, by=by, verdict=verdict, day=day)


def test_a_verdict_is_counted_once_a_day_and_takes_back_the_contrary() -> None:
    rows = added([], said("helpful"))
    rows = added(rows, said("helpful"))
    assert [(one.verdict, one.count) for one in rows] == [("helpful", 1)]
    rows = added(rows, said("helpful", day="2026-02-21"))
    assert [(one.verdict, one.count) for one in rows] == [("helpful", 2)]
    assert [one.verdict for one in added(rows, said("wrong"))] == ["wrong"]
    assert {one.verdict for one in added(rows, said("wrong", author="Bob"))} == {"helpful", "wrong"}
    assert {one.verdict for one in added(rows, said("wrong", by=Voice.AGENT))} == {
        "helpful",
        "wrong",
    }


def test_two_people_or_the_author_dispute_a_memory_and_agents_do_not() -> None:
    assert not disputed([said("wrong"), said("wrong", author="Bob", by=Voice.AGENT)])
    assert disputed([said("wrong"), said("wrong", author="Bob")])
    assert disputed([said("retracted")])


def test_what_one_side_took_back_stays_taken_back_where_two_meet() -> None:
    base = memory(feedback=(said("wrong"),))
    ours, theirs = (
        base.having(feedback=()),
        base.having(feedback=(said("wrong"), said("used", author="Bob"))),
    )

    merged = merge(base, Side(memory=ours, by="Ada"), Side(memory=theirs, by="Bob"))

    assert [(one.author, one.verdict) for one in merged.feedback] == [("Bob", "used")]


def test_the_anchors_that_were_confirmed_last_stay_where_two_meet() -> None:
    old, ours, theirs = (Anchor(path="a.py", blob=blob * 40) for blob in "123")
    base = memory(anchors=(old,))
    first = base.having(anchors=(ours,), feedback=(said("confirmed", day="2026-02-21"),))
    second = base.having(
        anchors=(theirs,), feedback=(said("confirmed", author="Bob", day="2026-02-22"),)
    )

    for a, b in ((first, second), (second, first)):
        assert merge(base, Side(memory=a, by="Ada"), Side(memory=b, by="Bob")).anchors == (theirs,)
        assert merge_same(a, b).anchors == (theirs,)
