import pytest
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


def kept(heading: str, *lines: str) -> list[str]:
    plan = "\n".join(["# Plan: night jobs", "", f"## {heading}", *lines, "", "## Steps", "1. Go."])
    talk = Talk().prompt("Plan the night jobs.").plan(plan).reply("Starting.").edit("jobs.py")
    return [one.title for one in extract(talk.session())]


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("Approach", "Use cron instead of Celery because there is only one job."),
        ("Approach", "We will use SQLite rather than Postgres, since shops cannot run a server."),
        ("Strategy", "- Prefer polling over websockets because the proxy cuts connections."),
        ("Key decisions", "- **JWT** over server sessions: the mobile app is stateless"),
        ("Key decisions", "- **One queue for all the tenants** over many: fewer workers"),
        ("Key decisions", "- Use ULIDs over UUIDs: they sort by time"),
        ("Technical decisions", "- **Postgres over MySQL** — we need partial indexes"),
    ],
)
def test_a_plan_that_takes_one_thing_over_another_gives_a_decision(heading: str, line: str) -> None:
    assert kept(heading, line) == [line.strip("- .").replace("**", "")]


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("Background", "We use cron instead of Celery because there is only one job."),
        ("Steps", "1. Use pytest instead of unittest because it is there."),
        ("Approach", "Currently the app uses Celery instead of cron because nobody changed it."),
        ("Approach", "Should we use cron instead of Celery, because there is only one job?"),
        ("Approach", "1. Move the jobs to src, so that they are found."),
        ("Key decisions", "- Loop over the files: every one is parsed"),
        ("Key decisions", "- Messages are delivered over AMQP: RabbitMQ holds them"),
        ("Key decisions", "- Pass the config over the wire: it is simple enough for us"),
        ("Key decisions", "- The client then writes each event over HTTP: the proxy reads it"),
        ("Approach", "Pass the config over the wire: it is simple enough for us"),
    ],
)
def test_the_background_and_steps_of_a_plan_are_no_decision(heading: str, line: str) -> None:
    assert kept(heading, line) == []
