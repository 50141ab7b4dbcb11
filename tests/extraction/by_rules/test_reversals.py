import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Dropped

RULE = (
    "Session details should always show the full name of the author, because initials are"
    " ambiguous."
)


def ruled() -> Talk:
    return (
        Talk()
        .prompt("Build the panel.")
        .reply("Done.")
        .prompt(RULE)
        .reply("Shown.")
        .edit("panel.ts")
    )


def test_what_nothing_takes_back_is_kept() -> None:
    assert len(extract(ruled().prompt("thanks").reply("Sure.").session())) == 1


@pytest.mark.parametrize(
    "said",
    [
        "actually, can you revert that?",
        "undo this please",
        "let's go back to how it was",
        "no remove this again, the full name of the author is too long",
        "I concede defeat. let's go back",
        "Scrap the rule about the full name of the author.",
        "Forget what I said about the full name of the author.",
        "Please ignore what I told you about session details.",
        "Actually, go with initials for the author after all.",
    ],
)
def test_what_the_next_message_takes_back_is_not_kept(said: str) -> None:
    found = extract(ruled().prompt(said).reply("Reverted.").edit("panel.ts").session())
    assert [one for one in found if one.title != said.rstrip(".")] == []


@pytest.mark.parametrize(
    "said",
    [
        "roll back = deploy the previous tag. migrations must always work with two versions",
        "To roll back, deploy the previous tag.",
        "Here is how it goes.\nTo undo it: deploy the previous tag.",
    ],
)
def test_how_to_take_something_back_takes_nothing_back(said: str) -> None:
    found = extract(ruled().prompt(said).reply("Written.").edit("RELEASE.md").session())

    assert RULE.rstrip(".") in [one.title for one in found]


def test_what_a_later_message_settles_otherwise_gives_way() -> None:
    talk = ruled().prompt("and the tests?").reply("They pass.")
    talk.prompt("details.ts should never show the full name of the author.").reply("Removed.").edit(
        "panel.ts"
    )
    assert [one.title for one in extract(talk.session())] == [
        "details.ts should never show the full name of the author"
    ]


def test_answers_to_two_questions_on_one_subject_are_both_kept() -> None:
    talk = Talk().prompt("Build the details panel.").reply("Two questions.")
    talk.answer("Where should the details panel of a session open?", "Editor", "Editor", "Sidebar")
    talk.reply("Ok.").answer(
        "For sessions with many checkpoints, what should the details panel show?",
        "Newest",
        "Newest: one checkpoint rather than all",
        "Merged",
    )
    assert len(extract(talk.session())) == 2


def test_a_revert_in_git_takes_back_what_was_done_before() -> None:
    assert (
        extract(
            ruled()
            .prompt("this broke the layout")
            .run("git revert HEAD")
            .reply("Reverted.")
            .session()
        )
        == []
    )


def test_a_change_of_mind_about_something_else_takes_nothing_back() -> None:
    talk = ruled().prompt("the footer is done").reply("Good.")
    assert (
        len(
            extract(
                talk.prompt("actually, use a darker border for the toolbar")
                .reply("Ok.")
                .edit("bar.ts")
                .session()
            )
        )
        == 1
    )


def test_what_was_taken_back_is_named_with_the_reason() -> None:
    given = by_rules.extract(
        ruled()
        .prompt("actually, can you revert that?")
        .reply("Reverted.")
        .edit("panel.ts")
        .session()
    )
    assert [(one.text, one.reason) for one in given if isinstance(one, Dropped)] == [
        (
            (
                "Session details should always show the full name of the author, because initials"
                " are ambiguous"
            ),
            "the user took it back later in the session",
        )
    ]


def test_what_is_said_again_names_the_later_words() -> None:
    talk = ruled().prompt("and the tests?").reply("They pass.")
    talk.prompt("details.ts should never show the full name of the author.").reply("Removed.").edit(
        "panel.ts"
    )

    given = by_rules.extract(talk.session())
    assert [one.reason for one in given if isinstance(one, Dropped)] == [
        (
            "the session later says on the same subject: "
            "“details.ts should never show the full name of the author”"
        )
    ]


def test_what_was_reverted_in_git_says_so() -> None:
    given = by_rules.extract(ruled().prompt("this broke it").run("git revert HEAD").session())

    assert [one.reason for one in given if isinstance(one, Dropped)] == [
        "the next turn reverted a commit or closed a pull request"
    ]


@pytest.mark.parametrize(
    ("later", "stands"),
    [
        ("Ignore what I said about tabs for now, I first want to see the parser work.", True),
        ("Ignore what I said about tabs. It is only for this PR.", True),
        ("The plan of the other agent:\n\n1. Forget what I said about tabs.", True),
        ("Forget what I said about tabs.", False),
        ("Ignore what I said about tabs for now. Actually, no tabs for indentation.", False),
    ],
)
def test_a_wish_that_is_set_aside_for_now_stands(later: str, *, stands: bool) -> None:
    wish = "Always use tabs for indentation, because the linter checks them"
    talk = Talk().prompt("Hello.").reply("Hi.").prompt(f"{wish}.").reply("Ok.").prompt(later)
    titles = [one.title for one in extract(talk.edit("src/parser.py").reply("Done.").session())]

    assert (wish in titles) == stands
