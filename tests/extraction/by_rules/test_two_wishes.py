import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate


def kept(prompt: str) -> list[Candidate]:
    talk = Talk().prompt("which branch am i on").reply("You are on main.").prompt(prompt)
    return extract(talk.edit("app.py").reply("Done.").session())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Please always use double quotes", "never commit to main directly, open a branch"),
        ("Always use async sqlalchemy", "never log secrets"),
        ("Never use npm here, always use pnpm", "never push to main"),
    ],
)
def test_two_wishes_in_one_sentence_are_two_memories(first: str, second: str) -> None:
    found = kept(f"{first}, and {second}.")
    assert {one.title for one in found} == {first, second[:1].upper() + second[1:]}
    assert all(f"“{first}, and {second}.”" in one.body for one in found)
    assert len({(one.origin, one.place) for one in found}) == 2


@pytest.mark.parametrize(
    "wish",
    [
        "When you write SQL, always use parameters, and never build strings",
        "Always quote paths, and never pass them to a shell",
        "Never commit without running the tests, and always with a message",
        "Always answer in German, and never in English",
        "Please always ask, and never guess",
        "Always use pnpm in the frontend, and never use npm scripts",
        "Always use fixtures for the database, and never open connections",
        "Always lint if the hooks are off, and never skip warnings",
    ],
)
def test_what_needs_the_other_half_stays_with_it(wish: str) -> None:
    assert [one.title for one in kept(wish)] == [wish]
