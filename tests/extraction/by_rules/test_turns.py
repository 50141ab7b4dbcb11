import pytest
from support.talk import Talk

from git_lerim.extraction.by_rules.turns import Act, living, turns


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("lgtm", Act.APPROVAL),
        ("yes please", Act.APPROVAL),
        ("1.", Act.APPROVAL),
        ("ok, start", Act.APPROVAL),
        ("no, remove this again, because it is misleading", Act.CORRECTION),
        ("actually we don't need both views", Act.CORRECTION),
        ("why would we keep two handlers?", Act.CORRECTION),
        ("is there a limit on the size?", Act.QUESTION),
        ("use SQLite and get rid of the JSON file", Act.DIRECTIVE),
        ("the parser should never guess the encoding", Act.DIRECTIVE),
        ("commit", Act.CHORE),
        ("run the tests", Act.CHORE),
        ("it happened again after the rebase", Act.OTHER),
    ],
)
def test_what_the_human_does_shows_in_the_words(text: str, act: Act) -> None:
    talk = Talk().prompt("Please have a look at the parser.").reply("I looked at it.").prompt(text)
    assert turns(living(talk.session()))[-1].act is act


def test_records_of_the_human_that_have_a_role_need_no_words() -> None:
    talk = Talk().prompt("Plan it.").plan("# Plan").answer("Which?", "A", "A", "B").refuse("not here")
    assert [turn.act for turn in turns(living(talk.session()))[1:]] == [Act.FIRST, Act.PLAN, Act.ANSWER, Act.REJECTION]


def test_a_long_prompt_with_headings_is_a_plan() -> None:
    plan = "# Plan\n\n## Summary\n" + "Telemetry is off unless it was turned on. " * 30
    assert turns(living(Talk().prompt(plan).session()))[-1].act is Act.PLAN


def test_a_prompt_sent_twice_counts_once_and_a_hook_not_at_all() -> None:
    text = "Update the reader so that it goes on from where it stopped, and keep the offset in the catalog."
    talk = Talk().prompt(text).prompt("Operation stopped by hook: another session is active").prompt(text).reply("Done.")
    assert [record.text for record in living(talk.session())] == [text, "Done."]


def test_a_turn_holds_its_replies_and_the_one_before() -> None:
    talk = Talk().prompt("Make it fast.").reply("First.").look("a.py").reply("Second.").prompt("and small")
    first, second = turns(living(talk.session()))[1:]
    assert (first.replies, first.before) == ([1, 4], None)
    assert (second.replies, second.before) == ([], 4)
