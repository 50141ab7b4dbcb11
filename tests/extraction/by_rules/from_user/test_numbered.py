import pytest
from support.rules import extract
from support.talk import Talk

QUESTIONS = (
    "Before I start:\n\n1. Should money be stored as Decimal or cents?\n2. Should the webhooks be"
    " retried?\n3. **Currency**: which currency should the reports use?\n\nI'd go with cents."
)


def decided(answers: str, questions: str = QUESTIONS) -> dict[str, str]:
    talk = Talk().prompt("Build the refunds.").reply(questions).prompt(answers)
    found = extract(talk.edit("refunds.py").reply("Done.").session())
    return {one.title: one.body for one in found}


def test_each_numbered_answer_is_a_decision_with_its_reason() -> None:
    found = decided("1. cents, we already do that in the invoices\n2. yes\n3. later")

    assert [*found] == ["Money should be stored as cents", "The webhooks should be retried"]
    assert found["Money should be stored as cents"] == (
        "Asked “Should money be stored as Decimal or cents?”, the user answered “cents”. In the"
        " user's words: “we already do that in the invoices”."
    )


def test_answers_may_stand_in_one_line() -> None:
    assert [*decided("1. cents 2. no")] == [
        "Money should be stored as cents",
        "The webhooks should not be retried",
    ]


@pytest.mark.parametrize(
    "answers",
    [
        "1. cents",  # perhaps one remark
        "2. yes 1. cents",
        "1. what do you think? 2. not sure",
        "see 1. cents 2. yes",
        "4. cents 5. yes",
    ],
)
def test_what_does_not_answer_the_questions_in_their_order_leaves_nothing(answers: str) -> None:
    assert decided(answers) == {}


def test_steps_that_the_agent_lists_are_no_questions() -> None:
    assert (
        decided("1. cents 2. yes", "I will:\n\n1. Store the money.\n2. Retry the webhooks.") == {}
    )
