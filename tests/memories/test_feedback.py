from hypothesis import given
from hypothesis import strategies as st
from support.memories import memory

from git_lerim.memories.feedback import LIMIT, Feedback, Voice, joined
from git_lerim.memories.frontmatter import parse, render

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


def row(author: str = "Ada", by: Voice = Voice.PERSON, day: str = "2026-02-20", count: int = 1) -> Feedback:
    return Feedback(author=author, by=by, verdict="wrong", day=day, count=count)


@given(ROWS, ROWS, ROWS)
def test_rows_are_joined_in_any_order_and_grouping(a: list[Feedback], b: list[Feedback], c: list[Feedback]) -> None:
    assert joined([*joined([*a, *b]), *c]) == joined([*a, *joined([*c, *b])])
    assert joined(joined(a)) == joined(a)
    assert len(joined([*a, *b, *c])) <= LIMIT


def test_an_author_has_one_row_for_each_verdict_with_the_latest_day() -> None:
    assert joined([row(day="2026-02-21", count=2), row(day="2026-02-20", count=5)]) == [row(day="2026-02-21", count=2)]
    assert len(joined([row(), row(by=Voice.AGENT), row(author="Bob")])) == 3


def test_of_too_many_rows_those_of_persons_stay_then_the_latest() -> None:
    agents = [row(author=f"a{n}", by=Voice.AGENT, day=f"2026-03-{n + 1:02}") for n in range(LIMIT - 10)]
    persons = [row(author=f"p{n}") for n in range(20)]

    kept = joined([*agents, *persons])

    assert kept[:20] == sorted(persons, key=lambda each: each.author, reverse=True)
    assert {each.day for each in kept[20:]} == {f"2026-03-{day:02}" for day in range(11, 23)}


def test_a_verdict_of_a_newer_version_is_kept() -> None:
    data = render(memory(feedback=(row(),))).replace(b'"wrong"', b'"outdated"')

    assert [each.verdict for each in parse(data).feedback] == ["outdated"]
    assert render(parse(data)) == data
