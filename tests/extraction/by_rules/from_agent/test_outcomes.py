import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.memories.memory import Kind, Origin, Primitive


def worked(order: str, reply: str, *, after: str = "thanks") -> list[Candidate]:
    talk = Talk().prompt("Build the tree.").reply("Done.").prompt(order).edit("src/tree.ts")
    return extract(talk.reply(reply).prompt(after).reply("Ok.").session())


CRASH = "The tree crashes when a checkpoint is selected. Fix it"


@pytest.mark.parametrize(
    "reply",
    [
        (
            "Fixed.\n\n## Root cause\n\nThe tree loaded every session of the branch. I changed one"
            " file.\n\n## Files\n\n- src/tree.ts"
        ),
        "Fixed.\n\n**Root cause:** The tree loaded every session of the branch.",
        (
            "The tree loaded every session of the branch, since its cache was never used, which"
            " blocked the window. I fixed that."
        ),
    ],
)
def test_the_cause_of_a_repaired_failure_is_a_pitfall(reply: str) -> None:
    (one,) = worked(CRASH, reply)
    assert (one.primitive, one.kind, one.provenance) == (
        Primitive.LEARNING,
        Kind.PITFALL,
        Origin.RULES,
    )
    assert one.title.startswith("The tree loaded every session of the branch")
    assert one.body.startswith("The user reported this: “The tree crashes when")
    assert "Files" not in one.body
    assert "I " not in one.body


def test_what_is_done_now_instead_is_a_decision() -> None:
    (one,) = worked(
        "Selecting a checkpoint does not load its sessions",
        "Selecting a checkpoint now loads its sessions instead of the live ones. I added a test.",
    )
    assert one.primitive is Primitive.DECISION
    assert one.title == "Selecting a checkpoint now loads its sessions instead of the live ones"
    assert "I added" not in one.body


@pytest.mark.parametrize("after", ["are you sure? it still crashes", "no, that's not the cause"])
def test_a_cause_that_the_user_doubts_is_none(after: str) -> None:
    assert worked(CRASH, "**Root cause:** The tree loaded every session.", after=after) == []


def test_an_outcome_on_another_subject_is_none() -> None:
    assert worked("Polish the colours", "The footer now loads lazily instead of at start.") == []


def test_a_cause_without_a_change_is_a_guess() -> None:
    talk = Talk().prompt(CRASH).reply("**Root cause:** The tree loaded every session.")
    assert extract(talk.session()) == []


def test_a_cause_says_what_repaired_it() -> None:
    (one,) = worked(
        CRASH,
        "**Root cause:** The tree loaded every session.\n\nI fixed it by loading the newest.",
    )
    assert one.body.endswith("I fixed it by loading the newest.")


def test_a_cause_says_what_was_added_against_it_and_not_that_tests_pass() -> None:
    (one,) = worked(
        CRASH,
        "**Root cause:** the image `python:3.11-slim` has no time zone database, so `ZoneInfo` "
        "fails there. I added the `tzdata` package to `requirements.txt`. I added a test to "
        "`test_zones.py`. Tests pass in the image now.",
    )

    assert one.body.endswith(
        "The image `python:3.11-slim` has no time zone database, so `ZoneInfo` fails there. "
        "I added the `tzdata` package to `requirements.txt`."
    )


def test_what_is_done_now_joins_the_user_s_own_order() -> None:
    order = "The tree in tree.ts should always load the newest session first"
    (one,) = worked(
        order, "The tree in tree.ts now loads the newest session first instead of the whole branch."
    )
    assert (one.title, one.provenance) == (order, Origin.HUMAN)
    assert "instead of the whole branch" in one.body


CAUSE = "`nightly_import` holds all 15 connections, so `/rates` waits 30 seconds"


def looked_for(order: str, reply: str, *, calls: int = 2) -> list[str]:
    talk = Talk().prompt(order)
    for number in range(calls):
        talk.run(f"grep -c QueuePool app{number}.log")
    return [one.title for one in extract(talk.reply(reply).prompt("thanks").reply("Ok.").session())]


@pytest.mark.parametrize(
    ("order", "reply", "title"),
    [
        ("Find out why /rates times out, change nothing.", f"**Root cause:** {CAUSE}.", CAUSE),
        ("Why is login slow?", f"## Root cause\n\n{CAUSE}.", CAUSE),
        ("Finde heraus, warum /rates hängt.", f"**Root cause:** {CAUSE}.", CAUSE),
        ("Pourquoi /rates est lent ?", f"**Root cause:** {CAUSE}.", CAUSE),
        ("Investigate the timeouts.", f"The root cause is {CAUSE}.", f"The root cause is {CAUSE}"),
    ],
)
def test_the_cause_that_an_investigation_found_is_kept_if_it_changed_nothing(
    order: str, reply: str, title: str
) -> None:
    assert looked_for(order, reply) == [title]
    assert looked_for(order, reply, calls=0) == []
    assert looked_for("List the routes and the tables of the service.", reply) == []


TAIL = "The tail comes from `fdatasync`: each commit waits, since the default is `FULL`"
TWICE = "The import parses each file twice"


@pytest.mark.parametrize(
    ("reply", "titles"),
    [
        (f"{TAIL}. 91 % of the time is spent there.", [TAIL]),
        (
            "**Root cause:** the import parses each file twice, because `a()` reads it again.",
            [TWICE],
        ),
        ("The button comes from `Toolbar`.", []),
        ("It comes from `Toolbar`, since the panel has none.", []),
    ],
)
def test_one_look_that_answers_why_is_an_investigation(reply: str, titles: list[str]) -> None:
    assert looked_for("why is p99 180ms?", reply, calls=1) == titles


@pytest.mark.parametrize(
    "reply",
    [
        "**Root cause:** I could not find it in the logs of `nightly_import` yet.",
        "The root cause of the timeouts is still unclear.",
        "The root cause is probably the pool of `nightly_import`.",
        f"**Likely cause:** {CAUSE}.",
        f"**Problem:** {CAUSE}.",
        f"{CAUSE}.",
        f"**Possible causes:**\n- {CAUSE}.\n- The proxy drops idle connections of `/rates`.",
    ],
)
def test_a_guess_at_a_cause_is_not_kept(reply: str) -> None:
    assert looked_for("Find out why /rates times out.", reply) == []


@pytest.mark.parametrize("order", ["test_jobs is flaky", "Run the whole suite of the jobs."])
def test_a_cause_needs_no_report_if_a_command_failed_before_the_mend(order: str) -> None:
    cause = "The root cause was that `freezegun` also freezes `loop.time()`"
    talk = Talk().prompt(order).run("pytest tests/test_jobs.py", "FAILED").edit("jobs.py")
    (one,) = extract(talk.run("pytest tests/test_jobs.py").reply(f"Fixed. {cause}.").session())
    assert one.title == cause


PRUNES = "The query filters on `date(created_at)`, so the planner can't prune partitions"
FOUND = f"I found it. {PRUNES}. With a range it takes 0.4 s instead of 48 s.\n\nShall I change it?"


def accepted(
    *, order: str = "why is the export slow?", reply: str = FOUND, after: str = "yes"
) -> list[Candidate]:
    talk = Talk().prompt(order).run("psql -c 'explain select 1'").reply(reply).prompt(after)
    return extract(talk.edit("sql/export.sql").reply("Changed.").prompt("thx, commit").session())


@pytest.mark.parametrize(
    "after", ["yes", "ok fix it", "Good catch, change that", "perfect, go ahead"]
)
def test_a_cause_in_plain_words_counts_if_the_user_has_the_agent_act_upon_it(after: str) -> None:
    (one,) = accepted(after=after)
    assert (one.title, one.kind) == (PRUNES, Kind.PITFALL)
    assert one.body.endswith(
        f"{PRUNES}. With a range it takes 0.4 s instead of 48 s. After that, `export.sql` changed."
    )


@pytest.mark.parametrize("after", ["hm, why?", "no, leave it", "use a view for the export instead"])
def test_a_cause_in_plain_words_is_none_if_the_user_says_something_else(after: str) -> None:
    assert all(one.title != PRUNES for one in accepted(after=after))


@pytest.mark.parametrize(
    "reply",
    [
        "You could filter on a range in `export.sql`, so the planner prunes partitions.",
        "The query probably filters on `date(created_at)`, so the planner can't prune partitions.",
        "The query filters on the date of creation, so the planner can't prune partitions.",
        "The query in `export.sql` filters on the date of its creation.",
        "The index in `export.sql` is fine, so the planner is not the problem.",
    ],
)
def test_a_proposal_or_a_guess_is_no_cause_though_the_user_accepts_it(reply: str) -> None:
    assert accepted(reply=f"{reply} Shall I change it?") == []


def test_a_cause_in_plain_words_needs_a_question() -> None:
    assert accepted(order="explain the export to me") == []


def test_what_a_change_does_is_no_cause_though_the_user_accepts_it() -> None:
    talk = Talk().prompt("add retries to the carriers").edit("track.py")
    talk = talk.reply("`track()` retries three times, so time-outs are rare.").prompt(
        "ok, fix that"
    )
    assert extract(talk.edit("track.py").reply("Done.").session()) == []


SLEEPS = "The test slept for a second while the retry used `asyncio.sleep(1)`, so both raced"


@pytest.mark.parametrize("after", ["", "great work, commit it"])
@pytest.mark.parametrize(
    ("reply", "titles"),
    [
        (f"Fixed. {SLEEPS}.", [SLEEPS]),
        (f"Found and fixed.\n\n## What was wrong\n\n{SLEEPS}.", [SLEEPS]),
        ("Fixed. The test now uses `freezer.tick(1)`, so it does not race.", []),
        ("Fixed. The test waits for `retry.done`, so it no longer races.", []),
        ("Fixed. The cached value of `retry.py` is cleared, which ends the race.", []),
        ("Fixed. I ran `pytest` twenty times, so it is stable.", []),
        ("Fixed. The tests of `retry.py` are stable.", []),
    ],
)
def test_the_cause_of_a_repair_may_follow_the_news(
    reply: str, titles: list[str], after: str
) -> None:
    talk = Talk().prompt("the retry test is flaky, find out why").edit("test_retry.py").reply(reply)
    talk = talk.prompt(after).reply("Committed.") if after else talk
    assert [one.title for one in extract(talk.session())] == titles
