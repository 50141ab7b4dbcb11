"""A message that the one before it announces as a text is not the user's own."""

import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.transcript.announced import announces_next

WISH = "Always use the staging key."


def _kept(first: str, second: str) -> list[str]:
    talk = Talk().prompt(first).reply("Sure.").prompt(second).reply("Understood.")
    return [one.title for one in extract(talk.session())]


@pytest.mark.parametrize(
    "before",
    [
        "i'll paste the mail text next, just fix the grammar",
        "Next I'm going to send you our old guidelines, summarise them",
        "can you translate the next message to German for the shop page",
        "proofread what i send next",
        "Here comes the prompt for our summarizer, put it in sum.txt as it is",
        "Reply to this mail:",
        "Fix the typo. Then translate this into French:",
        "Draft an email to Bob:",
        "I'll send you the customer's mail in a sec, draft an answer",
        "Now comes the text of the flyer, only check the spelling",
        "The following message is a prompt for our other model, save it",
        "I'm pasting the transcript in the next message, pull out the quotes",
        "summarize what I paste below",
        "Gleich kommt der Text vom Flyer, bitte nur Rechtschreibung",
        "Ich schicke dir gleich den Text für die Mail, nur die Kommas korrigieren",
        "Je te colle le texte juste après, corrige les fautes",
        "下一条消息翻译成英文",
    ],
)
def test_the_announced_message_is_not_the_users(before: str) -> None:
    assert WISH[:-1] not in _kept(before, WISH)


@pytest.mark.parametrize(
    "before",
    [
        "I'll write the docs now, you do the tests",
        "I'll paste logs now and then, read them first",
        "Review the next migration.",
        "I'm going to drop the old table now",
        "Explain this function:",
        "The text is coming from the API.",
        "Ich schicke dir gleich einen Link.",
        "Our rules for keys:",
        "I'll paste the log below:\n\n" + "12:01:07 worker started\n" * 20 + "\nWhat is wrong?",
        "Fix the typo.",
    ],
)
def test_other_messages_stay(before: str) -> None:
    assert WISH[:-1] in _kept(before, WISH)


def test_what_is_said_instead_of_the_announced_text_stays() -> None:
    assert _kept("I'll paste the log next", f"Oh, also: {WISH.lower()}")


def test_only_the_next_message_is_announced() -> None:
    talk = Talk().prompt("I'll paste the mail text next").reply("Sure.")
    talk = talk.prompt("Never send the live key.").reply("Fixed.")
    (kept,) = extract(talk.prompt(WISH).reply("Understood.").session())
    assert kept.title == WISH[:-1]


@pytest.mark.parametrize("part", ["i'll paste ", "reply to this ", "next, ", "a b-c "])
def test_a_long_prompt_costs_time_in_proportion(part: str) -> None:
    assert grows_evenly(lambda size: announces_next(part * size), 2000)
