"""A wish that only the sentence before it completes has both in its title."""

import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.by_rules.sentences.subjects import with_object, with_subject


@pytest.mark.parametrize(
    ("before", "wish", "title"),
    [
        (
            "hm the migrations again.",
            "always run them in a transaction",
            "The migrations again: always run them in a transaction",
        ),
        (
            "You keep writing tests with sleeps.",
            "Never do that again",
            "You keep writing tests with sleeps: never do that again",
        ),
        (
            "you keep forgetting the changelog entry!!!",
            "every PR needs one",
            "You keep forgetting the changelog entry: every PR needs one",
        ),
        (
            "your answers are way too long.",
            "3 sentences max unless I ask for more",
            "Your answers are way too long: 3 sentences max unless I ask for more",
        ),
        (
            "The logs are endless.",
            "From now on at most one line a request",
            "The logs are endless: from now on at most one line a request",
        ),
    ],
)
def test_a_title_names_its_subject(before: str, wish: str, title: str) -> None:
    assert with_subject(wish, before) == title


@pytest.mark.parametrize(
    ("before", "wish"),
    [
        ("The linter is set up.", "Always run the linter before you commit"),
        ("I moved the fixtures.", "Keep the tests next to the code that they test"),
        ("I moved the fixtures.", "Never run that script in production"),
        ("The linter is set up.", "120 characters a line"),
        ("Your answers are too long.", "3 reviewers are needed for each change"),
        ("Please rename the class.", "Never do that again without asking"),
        ("Do you know the migrations?", "Always run them in a transaction"),
        ("Always write migrations.", "Never forget them"),
        ("They are slow again.", "Always run them at night"),
        ("The build is green now.", "Always run it before you commit"),
        (f"The migrations of the {'very ' * 20}old database.", "Always run them at night"),
    ],
)
def test_nothing_is_added_that_says_another_thing_or_is_not_needed(before: str, wish: str) -> None:
    assert with_subject(wish, before) == ""


def test_the_text_quotes_both_sentences() -> None:
    prompt = "The API returns floats for money. Never do that, use cents. Now fix the cart."
    talk = Talk().prompt("Hi").reply("Hi").prompt(prompt).edit("cart.py").reply("Done.")

    (found,) = extract(talk.session())

    assert found.title == "The API returns floats for money: never do that, use cents"
    assert "“The API returns floats for money. Never do that, use cents.”" in found.body


def test_words_of_somebody_else_are_no_subject() -> None:
    prompt = 'Tom wrote: "the migrations are slow". Always run them at night.'
    talk = Talk().prompt("Hi").reply("Hi").prompt(prompt).reply("Done.")

    assert all("migrations" not in found.title for found in extract(talk.session()))


@pytest.mark.parametrize(
    ("before", "order"),
    [
        ("The queue was a bad idea.", "Retry each delivery with backoff"),
        ("The queue was a bad idea.", "Let's go back for good"),
        ("It was a bad idea.", "Retry with backoff"),
        ("Is the queue a bad idea?", "Retry with backoff"),
        (f"The queue of {'very ' * 20}old webhooks was bad.", "Retry with backoff"),
    ],
)
def test_an_order_that_names_its_object_takes_no_other(before: str, order: str) -> None:
    assert with_object(order, before) == ""
    title = with_object("Retry with backoff", "The queue was a bad idea.")
    assert title == "The queue was a bad idea: retry with backoff"
