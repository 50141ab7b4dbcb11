"""Every quote of a person is found, whichever rule or agent wrote it."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from support.memories import memory

from git_lerim.extraction import by_rules
from git_lerim.memories.memory import Origin, Source
from git_lerim.memories.quotes import Lead, quote_of, quoted

HEARD = (Source(agent="claude", session="5b0c1a2f", records=((1, 2),)),)


@pytest.mark.parametrize("lead", Lead)
@pytest.mark.parametrize("origin", Origin)
def test_words_after_each_lead_are_a_quote_whatever_the_origin(lead: Lead, origin: Origin) -> None:
    body = f"It fails. {quoted(lead, 'Never do that.')} The agent agreed."

    assert quote_of(memory(body=body, origin=origin, sources=HEARD)) == "“Never do that.”"


@pytest.mark.parametrize(
    "body",
    [
        "The user said: “Never do that.”",
        'Because the user asked for it: "Never do that."',
        "The user’s own words: “Never do that.”",
    ],
)
def test_a_model_s_report_of_what_the_user_said_is_a_quote(body: str) -> None:
    found = quote_of(memory(body=body, origin=Origin.MODEL, sources=HEARD))

    assert found[1:-1] == "Never do that."


@pytest.mark.parametrize(
    "body",
    [
        "`make` failed with “No rule”; it passed afterwards.",
        "Exports are cut. From the plan that the user approved, under “Decisions”.",
        "The user clicks “Save” twice.",
    ],
)
def test_what_a_program_or_an_agent_said_is_no_quote(body: str) -> None:
    assert quote_of(memory(body=body, sources=HEARD)) == ""


def test_only_what_came_from_a_session_is_a_quote() -> None:
    typed = memory(body="The user said this: “Never.”", origin=Origin.HUMAN, sources=())
    imported = replace(typed, sources=(Source(agent="import", session="NOTES.md"),))

    assert (quote_of(typed), quote_of(imported)) == ("", "")
    assert quote_of(replace(typed, origin=Origin.AGENT)) == "“Never.”"


def test_an_answer_is_quoted_with_its_question() -> None:
    body = "Asked “Which one?”, the user chose “The second”. Not chosen: the first."

    found = quote_of(memory(body=body, origin=Origin.ANSWER, sources=HEARD))

    assert found == "“Which one?”, the user chose “The second”"


def test_the_rules_open_quotation_marks_only_where_nobody_is_quoted() -> None:
    opened = {
        node.value
        for path in Path(by_rules.__file__).parent.rglob("*.py")
        for found in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(found, ast.JoinedStr)
        for node in found.values
        if isinstance(node, ast.Constant) and str(node.value).endswith("“")
    }

    assert opened == {
        "“",  # after FROM_PLAN
        "` fails with “",
        "` failed with “",
        "the session later says on the same subject: “",  # a reason, not part of a memory
    }
