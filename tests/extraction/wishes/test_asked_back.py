import pytest
from support.rules import extract
from support.talk import Talk


def kept(message: str) -> list[str]:
    talk = Talk().prompt("Hello, how is it going?").reply("Fine. What shall I do?")
    talk.prompt(message).reply("Understood.").prompt("Thanks, bye.").reply("Bye.")
    return [one.title for one in extract(talk.session())]


@pytest.mark.parametrize(
    "question",
    [
        "Does that work for you?",
        "Is that ok?",
        "OK?",
        "Does that make sense?",
        "Can you do that?",
        "Will you please remember it?",
        "Any questions?",
        "Passt das?",
        "D'accord ?",
        "¿Vale?",
        "Can you run the tests now?",
        "How do I start the server?",
        "What is left to do?",
        "What does drain.py do?",
        "Is the branch rebased?",
        "Why is the build so slow?",
        "What do you think about the login page?",
        "How often do I have to say that?",
        "Can you change that in this file?",
        "And now: why is there a drain.py?",
        "Where are we with the release?",
        "Warum gibt es drain.py?",
        "Kannst du das in der Datei ändern?",
        "Pourquoi drain.py existe ?",
        "And why does the queue stop when two workers take from it?",
        "¿Puedes mover los tests del carrito?",
        "Kannst du noch den Export anschauen?",
        "あと、キューの停止も直してもらえますか?",
    ],
)
def test_a_wish_counts_if_the_question_after_it_asks_only_for_agreement_or_for_more(
    question: str,
) -> None:
    assert kept(f"Always use uv here. {question}") == ["Always use uv here"]


@pytest.mark.parametrize(
    "question",
    [
        "Really?",
        "Why?",
        "Or is that wrong?",
        "Is that a good rule?",
        "Is that okay or not?",
        "Should we?",
        "Does that even work?",
        "Can you check whether that is right?",
        "What about pip?",
        "Can you tell me why?",
        "Where does it say so?",
        "Is uv stable enough?",
        "Can you undo that?",
        "What do you think?",
        "Isn't there a better way?",
        "Why uv?",
        "Stimmt das?",
        "Oder lieber pip?",
        "Tu es d'accord avec ça ?",
        "Kannst du prüfen, ob das stimmt?",
        "¿Puedes confirmarlo?",
        "Peux-tu le vérifier ?",
        "And why does the wiki say that we use it?",
    ],
)
def test_a_wish_that_its_author_doubts_is_none(question: str) -> None:
    assert kept(f"Always use uv here. {question}") == []


def test_what_comes_first_in_a_case_is_a_wish() -> None:
    assert kept("If CI is red, fix that first.") == ["If CI is red, fix that first"]
    assert kept("When the build is red, stop and tell me.") != []
    assert kept("CI is red, fix that first.") == []
