"""A user who admits a mistake takes back what they said in the message before."""

import pytest
from support.rules import extract
from support.talk import Talk

WISH = "We always use four spaces in this repo, never tabs."


def kept(said: str, then: str) -> str:
    talk = Talk().prompt("Hi there!").reply("Hello!").prompt(said)
    talk = talk.reply("The files use tabs.").prompt(then).edit("src/app.py").reply("Done.")
    return " ".join(one.title for one in extract(talk.session()))


@pytest.mark.parametrize(
    "then",
    [
        "oh you're right, my mistake, tabs it is",
        "That's true. I was wrong.",
        "I mixed that up, we use tabs",
        "Du hast recht, mein Fehler, nimm Tabs.",
        "Tu as raison, je me suis trompé.",
        "Tienes razón, me equivoqué.",
        "Hai ragione, errore mio.",
    ],
)
def test_an_admitted_mistake_is_no_wish(then: str) -> None:
    assert "four spaces" not in kept(WISH, then)


@pytest.mark.parametrize(
    "then",
    [
        "you're right, convert them",
        "my bad, the linter was off",
        "I was wrong about the port, it is 8080",
        "Tabs are a mistake, convert them.",
    ],
)
def test_a_wish_stays_where_the_user_admits_nothing_about_it(then: str) -> None:
    assert "four spaces" in kept(WISH, then)


def test_an_admitted_mistake_takes_back_none_of_several_wishes() -> None:
    said = f"{WISH} Never push to main."
    assert "push to main" in kept(said, "you're right, my mistake, tabs it is")
