import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.memories.memory import Kind, Origin, Primitive


def objected(objection: str, reply: str, *, after: str = "thanks") -> list[Candidate]:
    talk = Talk().prompt("Build the session class.").reply("Done.").edit("src/session.ts")
    return extract(talk.prompt(objection).reply(reply).prompt(after).reply("Ok.").session())


WHY = "why does unsubscribe clear the listeners of the user?"
AGREED = (
    "You're absolutely right. That's a bug in my design. `unsubscribe()` should only leave the"
    " agent, not clear the listeners. Let me fix that:"
)


def test_a_rule_that_the_agent_concedes_is_a_decision_with_both_sides() -> None:
    (one,) = objected(WHY, AGREED)
    assert (one.primitive, one.provenance) == (Primitive.DECISION, Origin.RULES)
    assert one.title == "`unsubscribe()` should only leave the agent, not clear the listeners"
    assert one.body.startswith(f"The user objected: “{WHY}” The agent agreed: That's a bug")
    assert "Let me fix" not in one.body


def test_a_fact_that_the_agent_confirms_is_the_user_s() -> None:
    (one,) = objected(
        "the squash of the forge keeps trailers",
        "Good point. The forge's squash keeps the trailers of each commit in the message.",
    )
    assert (one.primitive, one.kind, one.provenance) == (
        Primitive.LEARNING,
        Kind.FACT,
        Origin.HUMAN,
    )
    assert one.title == "The squash of the forge keeps trailers"


@pytest.mark.parametrize(
    "reply",
    [
        "You're right. Let me look at the listeners first.",
        "You're right. The listeners are cleared by the unsubscribe call of the user.",
        "It clears them on purpose. A listener should not outlive its session.",
        "You're right. Colours should be chosen by the theme.",
    ],
)
def test_a_concession_without_a_rule_on_the_subject_is_none(reply: str) -> None:
    assert objected(WHY, reply) == []


def test_a_concession_that_the_user_doubts_is_none() -> None:
    assert objected(WHY, AGREED, after="are you sure? it is still broken") == []


def test_what_the_user_only_guesses_is_not_settled_by_the_agent_s_praise() -> None:
    guess = "still doesn't work, maybe the submodule has to be checked out before the build?"
    reply = "Good point! The build needs to know to check out the submodule. Let me look:"

    assert objected(guess, reply) == []
    assert objected(guess.replace("maybe ", ""), reply)


@pytest.mark.parametrize(
    ("objection", "rule", "kept"),
    [
        (
            "You deleted the cache file, that should not have happened.",
            "The cache file must be deleted before builds.",
            False,
        ),
        (
            "Never delete the cache file before each build.",
            "The cache file must be deleted before builds.",
            False,
        ),
        (
            "You deleted the cache file, that should not have happened.",
            "A build must leave all files of the cache alone.",
            True,
        ),
    ],
)
def test_a_rule_does_not_demand_what_the_user_forbids_or_regrets(
    objection: str,
    rule: str,
    kept: bool,  # noqa: FBT001
) -> None:
    found = objected(objection, f"You're right. {rule}")

    assert any(one.provenance is Origin.RULES for one in found) is kept
    assert kept or not any("must be deleted" in one.title for one in found)


def corrected(text: str) -> list[Candidate]:
    talk = Talk().prompt("Set it up.").edit("a.py").reply("Done.").prompt(text)
    return extract(talk.edit("a.py").reply("Changed.").session())


def test_a_value_that_the_user_corrects_is_kept_with_the_reason() -> None:
    reason = "The payment provider blocks us after 5 attempts in a minute, so keep retries at 3"
    (one,) = corrected(f"no, not 10 retries. {reason}")
    assert (one.title, one.primitive) == (reason, Primitive.DECISION)
    assert "“no, not 10 retries. The payment" in one.body


@pytest.mark.parametrize(
    ("objects", "said", "kind"),
    [
        ("that's wrong, ", "totals must include VAT", None),
        ("wrong, ", "the week must start on Monday in all reports", None),
        ("no. ", "the table is called customer_orders, orders is the legacy table", Kind.FACT),
        ("actually no, ", "invoices are numbered per year, not per customer", Kind.FACT),
        ("that's not right, ", "prices are stored in cents, not in euros", Kind.FACT),
    ],
)
def test_what_is_right_after_an_objection_is_kept(
    objects: str, said: str, kind: Kind | None
) -> None:
    (one,) = corrected(f"{objects}{said}")
    assert (one.title, one.kind) == (f"{said[:1].upper()}{said[1:]}", kind)


@pytest.mark.parametrize(
    "said",
    [
        "no, not like that. It looks odd, so move it a bit to the left",
        "no, not the sidebar. The menu is empty, so add the entries",
        "that's wrong, the button must be blue",
        "that's wrong, users must be able to log in",
        "No, the server is running, I can see it",
        "no, the page is called twice, that is the bug",
        "no. the bug is in parser.py, lexer.py is fine",
        "No, app.py is broken, not b.py",
    ],
)
def test_an_objection_to_the_work_at_hand_is_not_kept(said: str) -> None:
    assert corrected(said) == []
