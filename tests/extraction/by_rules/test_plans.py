from support.rules import extract
from support.talk import Talk

PLAN = """# Plan

## Background
The cache must always be warm, because cold starts are slow.

## Decisions
- The cache lives in Redis instead of files, because two hosts share it.
- See below.

## Steps
1. Replace the file cache, so that nothing is written.

## Non-goals
- The cache does not survive a restart of Redis, since it fills up within a minute.
"""


def test_only_what_a_plan_calls_decisions_is_kept() -> None:
    found = extract(
        Talk().prompt("Plan the cache.").plan(PLAN).reply("Starting.").edit("cache.py").session()
    )
    assert [one.title for one in found] == [
        "The cache lives in Redis instead of files, because two hosts share it",
        "The cache does not survive a restart of Redis, since it fills up within a minute",
    ]
    assert found[1].body.endswith(
        "It was left out on purpose. From the plan that the user approved, under “Non-goals”."
    )


def test_only_the_last_approved_plan_counts() -> None:
    talk = (
        Talk()
        .prompt("Plan the cache.")
        .plan(PLAN)
        .plan("# Plan\n\n## Steps\n1. Nothing.")
        .edit("cache.py")
    )
    assert extract(talk.session()) == []


def test_a_plan_that_was_refused_leaves_nothing() -> None:
    assert (
        extract(Talk().prompt("Plan the cache.").reply(PLAN).refuse("").reply("Ok.").session())
        == []
    )


def test_the_title_of_a_plan_is_a_decision_if_its_summary_says_what_it_replaces() -> None:
    summary = "Telemetry is off where nothing is set, instead of on."
    plan = f"# Plan: Disable Telemetry When Nothing Is Set\n\n## Summary\n\n{summary}\n\n## Steps"
    (one,) = extract(Talk().prompt("Plan it.").plan(plan).reply("Done.").session())
    assert one.title == "Disable Telemetry When Nothing Is Set"
    assert one.body.startswith(summary)
    plain = plan.replace(", instead of on", "")
    assert extract(Talk().prompt("Plan it.").plan(plain).reply("Done.").session()) == []
