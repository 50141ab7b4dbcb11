from typing import Any

from git_lerim.git.history.code_commits import Commit
from git_lerim.recall.why.commit_links import Cited, Evidence, Link, links
from git_lerim.sessions.touched import Made, Span, Write

HOUR, DAY = 3600, 86400
NOW = 100 * DAY
SHA = "3f2a9c1d2e0b4a5f6c7d8e9f0a1b2c3d4e5f6a7b"


def commit(**more: Any) -> Commit:
    known: dict[str, Any] = {
        "id": SHA,
        "parents": ("p" * 40,),
        "paths": ("a.py", "b.py"),
        "authored": NOW,
        "committed": NOW,
    }
    return Commit(author="Ada", subject="change", **(known | more))


def write(session: str, before: float | None, path: str = "a.py", agent: str = "claude") -> Write:
    return Write(agent, session, path, None if before is None else int((NOW - before) * 1000))


def judged(
    *, of: Commit | None = None, since: dict[str, int] | None = None, **evidence: Any
) -> list[Link]:
    return links(of or commit(), Evidence(names=("a.py",), since=since or {}, **evidence))


def named(found: list[Link]) -> list[tuple[str, str]]:
    return [(link.session, link.word) for link in found]


def test_a_commit_that_was_made_beats_a_file_that_was_written() -> None:
    made = [Made("claude", "maker", SHA[:7], NOW * 1000)]

    assert named(judged(made=made, writes=[write("writer", 600)])) == [
        ("maker", "sure"),
        ("writer", "likely"),
    ]


def test_of_two_writers_the_later_one_and_the_one_that_wrote_more_of_it_come_first() -> None:
    near, far = write("near", 600), write("far", 5 * HOUR)
    both = [write("both", 600), write("both", 500, "b.py")]

    assert [name for name, _ in named(judged(writes=[far, near, *both]))] == ["both", "near", "far"]


def test_what_the_commit_before_has_already_is_not_from_this_one() -> None:
    since = {"a.py": NOW - HOUR}

    assert named(judged(since=since, writes=[write("old", 2 * HOUR), write("new", 600)])) == [
        ("new", "likely")
    ]


def test_when_nobody_wrote_since_the_last_one_before_is_possible_for_some_days() -> None:
    since = {"a.py": NOW - HOUR}

    assert named(
        judged(since=since, writes=[write("older", 5 * HOUR), write("old", 2 * HOUR)])
    ) == [("old", "possible")]
    assert judged(since=since, writes=[write("old", 9 * DAY)]) == []


def test_other_files_of_the_commit_tell_less_and_only_for_a_day() -> None:
    assert named(judged(writes=[write("s", 600, "b.py")])) == [("s", "possible")]
    assert judged(writes=[write("s", 2 * DAY, "b.py")]) == []
    assert judged(writes=[write("s", 600, "c.py")]) == []


def test_a_write_without_a_time_is_possible() -> None:
    assert named(judged(writes=[write("s", None)])) == [("s", "possible")]


def test_what_was_written_after_the_commit_was_authored_may_have_been_added_to_it() -> None:
    amended = commit(committed=NOW + HOUR)
    (link,) = judged(of=amended, writes=[write("s", -1800)])

    assert (link.word, "committed anew" in link.how[0]) == ("likely", True)


def test_a_history_whose_order_was_changed_is_looked_at_by_the_day() -> None:
    since = {"a.py": NOW + HOUR}  # a rebase put this commit on top of a later one

    assert named(judged(since=since, writes=[write("s", 600), write("old", 3 * DAY)])) == [
        ("s", "likely")
    ]


def test_the_agent_that_signed_counts_more_and_another_one_less() -> None:
    signed = commit(trailers=(("Co-Authored-By", "Codex <noreply@openai.com>"),))
    found = judged(of=signed, writes=[write("a", 600), write("b", 900, agent="codex")])

    assert named(found) == [("b", "sure"), ("a", "possible")]


def test_a_colleagues_memory_speaks_only_where_nothing_better_is_known() -> None:
    cited = [
        Cited(agent="codex", session="parent", at=None, commit="p" * 40, paths=("a.py",)),
        Cited(agent="codex", session="near", at=NOW - HOUR, commit=None, paths=("a.py",)),
        Cited(agent="codex", session="far", at=NOW - DAY, commit=None, paths=("a.py",)),
        Cited(agent="codex", session="other", at=None, commit="p" * 40, paths=("b.py",)),
    ]

    assert named(judged(cited=cited)) == [("parent", "likely"), ("near", "possible")]
    assert named(judged(cited=cited, writes=[write("s", 600)])) == [("s", "likely")]


def span(session: str, began: float, ended: float) -> Span:
    return Span("claude", session, int((NOW + began) * 1000), int((NOW + ended) * 1000))


def test_a_session_that_ran_is_named_when_no_other_is_likely() -> None:
    spans = [
        span("before", -5 * HOUR, -HOUR),
        span("then", -HOUR, HOUR),
        span("late", HOUR, 2 * HOUR),
        span("old", -9 * HOUR, -3 * HOUR),
    ]

    assert named(judged(running=spans)) == [("then", "possible"), ("before", "possible")]
    assert named(judged(running=spans, writes=[write("s", 600)])) == [("s", "likely")]


def test_of_a_session_and_those_that_continue_it_in_a_copy_the_first_to_end_comes_first() -> None:
    spans = [span("copy", -HOUR, 3 * HOUR), span("itself", -HOUR, HOUR)]
    made = [Made("claude", name, SHA[:7], NOW * 1000) for name in ("copy", "itself")]

    assert named(judged(running=spans, made=made)) == [("itself", "sure"), ("copy", "sure")]
