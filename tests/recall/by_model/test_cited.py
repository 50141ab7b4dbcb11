import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.by_model.cited import AnswerReader, Note, Sentence, strange_names

NOTES = {
    "M1": Note(
        name="M1",
        id="aaaa",
        facts="decision, 2026-02-20",
        text="The catalog uses SQLite 3.45 in shop/catalog.py.",
    ),
    "M2": Note(
        name="M2",
        id="bbbb",
        facts="pitfall, 2026-02-21",
        text="Tests hang unless TZ=UTC is set. Run `make check`.",
    ),
}
ANSWER = (
    "<think>Let me see [M1].\nNo.</think>\n"
    "- The catalog uses SQLite. [M1]\n"
    "It is in shop/catalog.py since 2026-02-20 [M1]. Tests hang without TZ=UTC [M2], [M1].\n"
    "Nobody knows why.\n"
    "It uses Postgres 16. [M1]\n"
    "Run `make check`. [M2; M1]"
)


def read(text: str, pieces: int | None = None) -> AnswerReader:
    reading = AnswerReader(NOTES, "which catalog?")
    size = pieces or max(len(text), 1)
    for place in range(0, len(text), size):
        reading.add(text[place : place + size])
    reading.end()
    return reading


def test_each_sentence_is_taken_with_what_stands_after_it() -> None:
    reading = read(ANSWER)

    assert reading.kept == [
        Sentence(text="The catalog uses SQLite.", ids=("aaaa",)),
        Sentence(text="It is in shop/catalog.py since 2026-02-20.", ids=("aaaa",)),
        Sentence(text="Tests hang without TZ=UTC.", ids=("bbbb", "aaaa")),
        Sentence(text="Run `make check`.", ids=("bbbb", "aaaa")),
    ]
    assert [text for text, _ in reading.left_out] == ["Nobody knows why", "It uses Postgres 16."]


@given(st.integers(1, 40))
def test_an_answer_that_comes_in_pieces_says_the_same(pieces: int) -> None:
    assert (read(ANSWER, pieces).kept, read(ANSWER, pieces).left_out) == (
        read(ANSWER).kept,
        read(ANSWER).left_out,
    )


@given(st.text(st.sampled_from("M12 [].,\nabNOTHIG<think>/`"), max_size=80))
def test_whatever_a_model_writes_nothing_is_kept_without_a_note(text: str) -> None:
    assert all(one.ids and set(one.ids) <= {"aaaa", "bbbb"} for one in read(text).kept)


@pytest.mark.parametrize(
    "text",
    [
        "NOTHING",
        "nothing.",
        "**NOTHING**",
        "<think>M1?</think>NOTHING",
        "NOTHING\nBut see it. [M1]",
    ],
)
def test_nothing_is_an_answer(text: str) -> None:
    assert (read(text).is_nothing, read(text).kept) == (True, [])


def test_nothing_in_a_sentence_is_a_word() -> None:
    assert not read("Nothing but SQLite. [M1]").is_nothing


def test_a_sign_that_was_escaped_for_the_fence_is_a_sign_again() -> None:
    notes = {
        "M1": Note(name="M1", id="aaaa", facts="fact", text="Runs lie in runs/<experiment>/<time>.")
    }
    reading = AnswerReader(notes, "where do runs lie?")
    reading.add("They lie in `runs/&lt;experiment&gt;/&lt;time>`. [M1]\n")

    assert [one.text for one in reading.kept] == ["They lie in `runs/<experiment>/<time>`."]


def test_a_citation_that_never_ends_is_read_at_once() -> None:
    assert read("It is so. [" + "M1 " * 200 + "!\n").kept == []


def test_the_digits_of_a_commit_are_no_number_that_a_note_tells() -> None:
    text = "commit 3fb0089b17 of 2026-11-28: it took 41ms, 1,024 rows"

    assert strange_names("It was 17 times as slow.", [text], "") == ["17"]
    assert strange_names("It took 41 ms for 1,024 rows in 2026.", [text], "") == []
