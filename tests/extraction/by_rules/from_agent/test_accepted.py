import pytest
from support.talk import Talk

from git_lerim.extraction.by_rules.from_agent.accepted import changed_then
from git_lerim.extraction.transcript.turns import turns


def after(said: str, *more: str) -> tuple[str, ...]:
    talk = Talk().prompt("Why is it slow?").reply("It scans.").prompt(said).edit("a.sql")
    for one in more:
        talk = talk.reply("Done.").prompt(one)
    records = talk.session().records
    return changed_then(records, turns(records), 0)


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "Yes please!",
        "good catch, handle that too",
        "perfect thx, commit",
        "ok fix it",
        "right, put that into the readme",
        "yes pls, and replace them all",
        "ja bitte",
    ],
)
def test_what_the_user_accepts_is_acted_upon(said: str) -> None:
    assert after(said) == ("a.sql",)


@pytest.mark.parametrize(
    "said",
    [
        "yes, but only for the export",
        "ok, now build the login page",
        "yes?",
        "good, are you sure that this is it",
        "no",
        "great, what does it cost",
        "add an index to the table of parcels",
        f"yes, {'and fix it ' * 10}",
    ],
)
def test_another_task_or_a_doubt_accepts_nothing(said: str) -> None:
    assert after(said) == ()


def test_what_was_doubted_after_it_is_not_accepted() -> None:
    assert after("yes", "thanks") == ("a.sql",)
    assert after("yes", "that's wrong, revert it") == ()
