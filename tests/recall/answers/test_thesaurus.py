from pathlib import Path

import pytest

from git_lerim.recall.answers import thesaurus
from git_lerim.recall.answers.thesaurus import compounds, is_light, joined, related
from git_lerim.recall.index.terms import terms

FILE = Path(thesaurus.__file__).with_name("thesaurus.txt")


def one(word: str) -> str:
    return terms(word)[-1]


def rows() -> list[str]:
    return [
        line
        for line in FILE.read_text(encoding="utf-8").splitlines()
        if line and line[0] not in "#~" and " = " not in line
    ]


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("limits", "exceeding"), ("recap", "summary"), ("broken", "corrupted"),
        ("uploading", "push"), ("timeouts", "deadline"), ("telemetry", "analytics"),
    ],
)  # fmt: skip
def test_a_word_can_stand_for_another_in_all_their_forms(asked: str, answers: str) -> None:
    assert one(answers) in related(one(asked))


@pytest.mark.parametrize(
    ("broad", "narrow"),
    [("database", "SQLite"), ("linux", "Ubuntu"), ("test_runner", "pytest"), ("editor", "vim")],
)
def test_a_narrow_word_answers_a_broad_one_and_not_the_other_way_round(
    broad: str, narrow: str
) -> None:
    assert one(narrow) in related(one(broad))
    assert one(broad) not in related(one(narrow))


def test_two_narrow_words_are_not_the_same() -> None:
    assert one("postgresql") not in related(one("sqlite"))
    assert related("zebra") == frozenset()


def test_every_word_of_the_file_is_found_by_its_own_term() -> None:
    lost = []
    for row in rows():
        head, broad, narrow = row.partition(":")
        asked, answers = (head, narrow) if broad else (row, row)
        for word in asked.split():
            others = {one(other) for other in answers.split()} - {one(word)}
            lost += [(word, other) for other in others - related(one(word))]

    assert lost == []


def test_no_row_of_the_file_says_nothing_or_the_same_twice() -> None:
    groups = [frozenset(row.split()) for row in rows() if ":" not in row]

    assert [group for group in groups if len(group) < 2] == []
    assert len(groups) == len(set(groups))


def test_two_words_that_stand_for_one_are_joined_in_any_form() -> None:
    assert joined("It timed out, then rolled back.") == ["it", "timeout", "then", "rollback"]
    assert joined("time") == ["time"]
    assert compounds(terms("the work tree of a branch")) >= {one("worktree")}


def test_words_that_say_little_are_known() -> None:
    assert is_light(one("things"))
    assert not is_light(one("worktree"))


def test_what_users_call_a_feature_stands_for_its_name() -> None:
    assert one("emoji") in related(one("smiley"))
    assert one("accessibility") in related(one("blind"))
    assert joined("usage data") == ["telemetry"]
