from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory
from git_lerim.recall.answers.answer import ENOUGH, answer
from git_lerim.recall.answers.evidence import sentences
from git_lerim.recall.index.index import Index, current
from git_lerim.recall.search.search import search
from git_lerim.storage.base import Change


def told(n: int, title: str, body: str) -> Memory:
    return memory(id=naming.memory_id("test", str(n), "decision", 0), title=title, body=body)


MEMORIES = (
    told(
        1,
        "Use SQLite for the session catalog",
        "It needs no server. JSON files were rejected: two writers lost rows.",
    ),
    told(
        2,
        "Round prices half to even",
        "Half up made the totals drift by a cent. The tax office asks for banker's rounding.",
    ),
    told(
        3,
        "Tests need TZ=UTC",
        "The report test fails east of Greenwich. Set TZ=UTC in the Makefile.",
    ),
    told(
        4, "Publish from the main branch alone", "A release from a side branch had lost two fixes."
    ),
    told(5, "Reject repos exceeding 1,000,000 LOC", "The scan of one took an hour."),
)


@pytest.fixture
def index(repo: Repo, tmp_path: Path) -> Index:
    store = store_at(repo.path)
    files = {naming.path_of(one): frontmatter.render(one) for one in MEMORIES}
    store.commit(lambda _: Change(files=files, subject="fill"))
    return current(tmp_path, store)


@pytest.mark.parametrize(
    ("question", "title", "said"),
    [
        (
            "Why was JSON rejected for the catalog?",
            "Use SQLite for the session catalog",
            "two writers lost rows",
        ),
        ("How do we round prices?", "Round prices half to even", "Round prices half to even"),
        (
            "is there a limit on repository size?",
            "Reject repos exceeding 1,000,000 LOC",
            "1,000,000 LOC",
        ),
        ("do the tests need TZ to be set?", "Tests need TZ=UTC", "Set TZ=UTC in the Makefile"),
    ],
)
def test_the_sentences_that_answer_are_given_with_their_memory(
    index: Index, question: str, title: str, said: str
) -> None:
    found = answer(index, question)

    assert found.quoted[0].hit.title == title
    assert said in found.quoted[0].text
    assert found.confidence >= ENOUGH


@pytest.mark.parametrize(
    "question",
    [
        "Which colour does the login page have?",
        "How do we deploy the payment gateway to Kubernetes?",
        "which license do we use?", "which server do we use?",
        "why", "", "???", '"unclosed OR (', "decide", "NOT AND OR", "\0", "x" * 100_000,
    ],
)  # fmt: skip
def test_what_the_memory_does_not_hold_is_not_answered(index: Index, question: str) -> None:
    assert answer(index, question).quoted == ()


def test_a_sentence_that_an_editor_wrapped_is_one_and_short_lines_and_items_are_not() -> None:
    text = (
        "The tool may read remotes, fetch from a configured remote,\nand push results to that"
        " remote. It adds none.\nshort line\nanother one\n- an item of a list that is quite long as"
        " items go\n- another item\n# A heading that is longer than forty characters\n\nand a text"
        " under it"
    )
    assert sentences(text) == [
        (
            "The tool may read remotes, fetch from a configured remote, and push results to that"
            " remote."
        ),
        "It adds none.",
        "short line",
        "another one",
        "an item of a list that is quite long as items go",
        "another item",
        "# A heading that is longer than forty characters",
        "and a text under it",
    ]


def test_a_text_is_split_where_sentences_and_lines_end_but_not_inside_code_or_numbers() -> None:
    text = (
        "Use v1.2 of it. It works!\n- Then run:\n```sh\nmake all. Now\n```\nDone. e.g. this stays."
    )

    assert sentences(text) == [
        "Use v1.2 of it.",
        "It works!",
        "Then run:",
        "make all. Now",
        "Done. e.g. this stays.",
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            'The user answered: "Yes. Drop it." Then it went.',
            ['The user answered: "Yes. Drop it."', "Then it went."],
        ),
        (
            "She said: “No. Not now.” Later he agreed.",
            ["She said: “No. Not now.”", "Later he agreed."],
        ),
        (
            'Screens of 13" are small. Larger ones fit.',
            ['Screens of 13" are small.', "Larger ones fit."],
        ),
        ("«Nein. Nie.» Das galt. Gut.", ["«Nein. Nie.»", "Das galt.", "Gut."]),
    ],
)
def test_a_quotation_stays_with_who_said_it(text: str, rows: list[str]) -> None:
    assert sentences(text) == rows


def test_what_a_memory_claims_is_said_where_its_best_sentence_does_not_say_it(index: Index) -> None:
    (quoted,) = answer(index, "does the report test fail east of Greenwich?").quoted

    assert quoted.text.startswith("Tests need TZ=UTC. The report test fails")


def test_what_lost_in_a_merge_neither_answers_nor_is_shown_nor_counts(
    repo: Repo, tmp_path: Path
) -> None:
    body = (
        "Releases go out on Tuesday.\n\n## Also recorded\n\n- 2026-02-20 Ann:\n"
        "  The nightly deployment window opens at midnight on Friday."
    )
    store = store_at(repo.path)
    merged = told(90, "Release day", body)
    store.commit(
        lambda _: Change(
            files={naming.path_of(merged): frontmatter.render(merged)}, subject="sync: 1 decision"
        )
    )
    index = current(tmp_path, store)

    found = answer(index, "On which day do releases go out: Friday midnight?")
    (hit,) = search(index, "release deployment midnight Friday")

    assert [quoted.text for quoted in found.quoted] == ["Release day. Releases go out on Tuesday."]
    assert "Friday" not in hit.line
    assert "Friday" in hit.body
    assert search(index, "midnight") == []


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("may a side branch publish prices?", "a side branch publish prices?"),
        ("what if I'm to round prices?", "what if I to round prices?"),
    ],
)
def test_auxiliary_verbs_are_no_subject(index: Index, question: str, plain: str) -> None:
    assert answer(index, question).confidence == answer(index, plain).confidence > 0
