"""Orders as people type them in haste: lower case, no apostrophes, the reason in another clause."""

import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.transcript.spelling import spelled_out


def said(text: str) -> list[str]:
    talk = Talk().prompt("Show me the panel.").reply("Here it is.").prompt(text)
    return [one.title for one in extract(talk.edit("src/panel.ts").reply("Done.").session())]


@pytest.mark.parametrize(
    ("hasty", "spelled"),
    [
        ("lets go, we cant wait", "let's go, we can't wait"),
        ("it doesnt work bc thats not set", "it doesn't work because that's not set"),
        ("pls keep its name, it lets users in", "please keep its name, it lets users in"),
        ("they were late, youre not", "they were late, you're not"),
    ],
)
def test_hasty_words_are_read_as_if_they_were_written_out(hasty: str, spelled: str) -> None:
    assert spelled_out(hasty) == spelled


@pytest.mark.parametrize(
    "order",
    [
        "lets put the thumbnails on s3 not on disk, the workers have no shared volume",
        "lets not cache the permissions, we cant invalidate them when a role changes",
        "lets move the retries into the queue, the mobile app doesnt wait",
        "do the diff on the server rather than in the browser, the tab freezes",
        "do soft deletes instead of hard ones, because support restores accounts every week",
        "use bcrypt over sha1 for the api keys since we had a leak last year",
        "load the fonts from our own host because we were warned by the auditors",
    ],
)
def test_a_hasty_order_is_kept_with_its_reason(order: str) -> None:
    (title,) = said(order)
    assert title.lower() == order.lower()


@pytest.mark.parametrize(
    "order",
    [
        "lets run the tests, we have an hour",
        "lets use the old parser for now, the new one isnt ready",
        "lets call it a day, we have enough",
        "do the tests now instead of later. i want to see them green",
        "do the first two instead of all of them. i need to leave at five",
        "do you think polling instead of websockets is better? the proxy kills them",
        "do one thing instead of five. you got lost",
        "use the mirror since we just lost the connection",
        "remove the import, use the alias. the linter complained",
    ],
)
def test_a_hasty_order_for_the_moment_is_left_out(order: str) -> None:
    assert said(order) == []


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("drop the cron job, run the cleanup in the worker", "the host skipped jobs on reboot"),
        ("ditch moment, use Intl.DateTimeFormat for dates", "the bundle grew by 70kb"),
        ("delete the retries, send failed jobs to the dead letter queue", "orders were doubled"),
        ("move the feature flags from the env to the database", "every toggle was a deploy"),
    ],
)
def test_what_happened_is_the_reason_for_an_order_that_takes_one_thing_for_another(
    order: str, reason: str
) -> None:
    (title,) = said(f"{order}. {reason}")
    assert title.lower() == order.lower()


@pytest.mark.parametrize(
    ("asked", "order", "reason"),
    [
        ("can you", "switch the cache from redis to a dict", "we dont want a service to run"),
        ("can you pls", "replace lodash with plain functions", "it added 70kb to the bundle"),
        ("could you", "move the resizing from the request into a worker", "uploads timed out"),
        ("would you", "use advisory locks instead of a lock table", "dead workers left rows"),
        ("can we", "store drafts locally instead of on the server", "we dont want an account"),
    ],
)
def test_an_order_in_a_question_is_kept_with_its_reason(
    asked: str, order: str, reason: str
) -> None:
    (title,) = said(f"{asked} {order}? {reason}")
    assert title.lower() == order.lower()


@pytest.mark.parametrize(
    "order",
    [
        "rename the helper. the module moved to lib/ last week",
        "drop the debug column, add a comment. the migration failed",
        "delete the old file, write the new one. git got confused",
        "remove that paragraph, write something shorter. it got too long",
        "can you switch to the other branch? the build failed here",
        "can you use redis instead of the dict? i dont know if its faster",
        "could you run the tests instead of the linter? the linter took ages",
        "could you put that in a table instead of a list? i lost track",
        "should we store the sessions in redis rather than in memory? we run 3 replicas",
        "can you use nicer colors for the gradients because the transition is harsh?",
    ],
)
def test_what_follows_a_chore_or_a_question_is_no_reason_to_keep_it(order: str) -> None:
    assert said(order) == []
