from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory
from git_lerim.recall.answers.answer import answer
from git_lerim.recall.answers.question import Question
from git_lerim.recall.index.index import Index, current
from git_lerim.recall.search.query import parse
from git_lerim.storage.base import Change


def noted(n: int, title: str, body: str) -> Memory:
    return memory(id=naming.memory_id("test", str(n), "decision", 0), title=title, body=body)


MEMORIES = (
    noted(1, "Keep sessions in SQLite", "It needs no server."),
    noted(2, "Uploads are retried", "A flaky proxy drops the first attempt of an upload."),
    noted(3, "Corrupt archives get a mark in the manifest", "The fourth field says so."),
    noted(4, "Each work tree has a view of its own", "A branch hides what it did not merge."),
    noted(5, "The watcher stops after 90 seconds", "Idle ones filled the memory of the host."),
    noted(6, "GitHub keeps trailers", "A squash leaves them in the message."),
    noted(7, "The report is untested on Greenwich time", "No clock there is set to it."),
)


@pytest.fixture
def index(repo: Repo, tmp_path: Path) -> Index:
    store = store_at(repo.path)
    files = {naming.path_of(one): frontmatter.render(one) for one in MEMORIES}
    store.commit(lambda _: Change(files=files, subject="fill"))
    return current(tmp_path, store)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("which database holds the sessions?", "Keep sessions in SQLite"),
        ("how are broken archives flagged?", "Corrupt archives get a mark in the manifest"),
        ("do worktrees share one view?", "Each work tree has a view of its own"),
        ("when does the watcher shut down?", "The watcher stops after 90 seconds"),
        ("are the reports tested in Greenwich?", "The report is untested on Greenwich time"),
    ],
)
def test_a_question_in_other_words_is_answered(index: Index, question: str, title: str) -> None:
    assert [one.hit.title for one in answer(index, question).quoted][:1] == [title]


@pytest.mark.parametrize(
    "question",
    [
        "which queue do the messages go to?",
        "how is a release signed?",
    ],
)
def test_a_memory_without_what_is_asked_for_is_not_quoted(index: Index, question: str) -> None:
    assert answer(index, question).quoted == ()


def test_the_words_of_an_answer_are_searched_with_the_question_s_filters(index: Index) -> None:
    assert answer(index, "how are broken archives flagged? primitive:learning").quoted == ()


def test_a_question_without_words_for_which_others_stand_quotes_nothing(index: Index) -> None:
    assert answer(index, "zebra?").quoted == ()
    assert answer(index, "zebra?").nearest == ()


def test_a_name_with_capitals_inside_is_one_word_where_it_is_known(index: Index) -> None:
    assert list(Question(index, parse("does GitHub keep them?")).weights) == ["github", "keep"]
    assert "pars" in Question(index, parse("parseHTTP")).weights


def test_a_memory_without_a_number_is_less_likely_to_answer_how_many(index: Index) -> None:
    question = Question(index, parse("how many times are uploads retried?"))

    assert question.lacks("A proxy drops some.")
    assert not question.lacks("A proxy drops 3.")
    plain = answer(index, "which uploads are retried?").confidence
    assert answer(index, "how many uploads are retried?").confidence < plain


def test_words_that_say_little_weigh_little(index: Index) -> None:
    weights = Question(index, parse("is the zebra elsewhere?")).weights

    assert weights["elsewher"] < weights["zebra"]


def test_a_memory_without_a_person_is_less_likely_to_answer_who(index: Index) -> None:
    question = Question(index, parse("who retries the uploads?"))

    assert question.lacks("The proxy of `pkg:agent` drops some.")
    assert not question.lacks("It is up to the maintainers.")
    assert not question.lacks("Uploads are watched by Ada.")


def test_digits_inside_a_name_are_no_number(index: Index) -> None:
    question = Question(index, parse("how many uploads are retried?"))

    assert question.lacks("The e2e tests use vt10x.")
    assert not question.lacks("The e2e tests retry after 90s.")


def test_a_word_of_a_memory_counts_for_one_word_of_the_question(index: Index) -> None:
    question = Question(index, parse("is there a Docker image?"))

    assert question.weight_of(frozenset({"docker"})) == question.weights["docker"]


def test_the_possessive_of_an_identifier_is_the_identifier(index: Index) -> None:
    question = Question(index, parse("what about go-git?"))

    assert "go-git" in question.read("go-git's fetch ignores helpers")
