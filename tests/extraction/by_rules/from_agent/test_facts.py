import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.memories.memory import Kind, Origin, Primitive

ASKED = "does expected_output call the default grader when assertions are defined?"
ANSWER = (
    "With assertions, `expected_output` does not call the default grader. Only the graders that"
    " are declared run.\n\nSee src/grade.ts."
)


def asked(question: str, answer: str, *looks: str, after: str = "thanks") -> list[Candidate]:
    talk = Talk().prompt(question).look(*(looks or ("a.ts", "b.ts", "c.ts")))
    return extract(talk.reply(answer).prompt(after).reply("Ok.").session())


def test_the_answer_of_an_investigation_is_a_fact_with_its_question() -> None:
    (one,) = asked(ASKED, ANSWER)
    assert (one.primitive, one.kind, one.provenance) == (
        Primitive.LEARNING,
        Kind.FACT,
        Origin.RULES,
    )
    assert one.title == "With assertions, `expected_output` does not call the default grader"
    assert "Only the graders that are declared run." in one.body
    assert one.body.endswith(f"The user had asked: “{ASKED}”")


@pytest.mark.parametrize(
    "answer",
    [
        "Yes. It is called.",
        "`expected_output` calls the default grader when assertions are defined.",
        "The footer of `panel.ts` is never drawn twice.",
        "Your `expected_output` does not call the default grader of assertions yet.",
    ],
)
def test_an_answer_that_is_no_limit_or_not_direct_is_none(answer: str) -> None:
    assert asked(ASKED, answer) == []


def test_an_answer_from_memory_or_in_doubt_is_none() -> None:
    assert asked(ASKED, ANSWER, "a.ts") == []
    assert asked(ASKED, ANSWER, after="are you sure?") == []
