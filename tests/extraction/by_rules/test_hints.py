"""Of what only hints at a change of mind, the likeliest is offered; nothing that others said."""

import pytest
from support.talk import Talk

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Candidate
from git_lerim.extraction.by_rules import MOST
from git_lerim.extraction.by_rules.hints import PLACE

FULL = "I can't find anything with six worktrees around and the disk is full."
PLAIN = "Plain checkout, one task after the other"


def offered(*prompts: str) -> list[str]:
    talk = Talk().prompt("Hi!").reply("Hello!")
    for prompt in prompts:
        talk = talk.prompt(prompt).edit("a.py").reply("Done.")
    found = (one for one in by_rules.extract(talk.session()) if isinstance(one, Candidate))
    return [one.title for one in found if one.place == PLACE]


def test_its_title_is_what_is_wanted_now_and_its_text_the_whole_paragraph() -> None:
    assert offered(f"{FULL} {PLAIN}.") == [PLAIN]
    assert offered("hm aiohttp doesn't do http2. go back to httpx after all, thanks") == [
        "Go back to httpx after all"
    ]


def test_a_choice_without_an_object_takes_it_from_what_was_wrong_before() -> None:
    wrong = "the dead letter queue for the webhooks was a bad idea"
    choice = "lets retry with backoff for 24h and then drop"
    assert offered(f"{wrong}, nobody ever looks into it. {choice}") == [
        f"The dead letter queue for the webhooks was a bad idea: {choice}"
    ]
    assert offered(f"{FULL} {PLAIN}.") == [PLAIN]


@pytest.mark.parametrize(
    ("wrong", "choice"),
    [
        ("The pnpm cache breaks every week.", "Let's go back to npm for the builds"),
        ("Jest always needs a minute to start.", "Let's move to vitest"),
        ("Sentry never groups the errors right.", "Log to loki instead"),
        ("The yaml is hard to read for all of us.", "We write the config in toml now"),
    ],
)
def test_its_title_is_what_is_wanted_and_not_what_is_wrong(wrong: str, choice: str) -> None:
    assert offered(f"{wrong} {choice}.") == [choice]


def test_of_many_the_likeliest_are_offered_wherever_they_stand() -> None:
    parts = ("one", "two", "three", "four", "five", "six", "seven", "eight")
    others = [f"We moved part {n} last week, it lives in its own file now." for n in parts]

    assert len(offered(*others)) == MOST
    assert PLAIN in offered(f"{FULL} {PLAIN}.", *others)


@pytest.mark.parametrize(
    "prompt",
    [
        f'Tom wrote: "{FULL} {PLAIN}." What would you answer?',
        f"Just for today: {FULL} {PLAIN}.",
        f"- {FULL} {PLAIN}.",
        f"{FULL} Shall we go back to a plain checkout?" + " And then?" * 5,
    ],
)
def test_what_others_said_and_what_holds_for_now_is_not_offered(prompt: str) -> None:
    assert offered(prompt) == []
