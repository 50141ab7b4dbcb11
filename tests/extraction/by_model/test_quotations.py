import pytest

from git_lerim.extraction.by_model.quotations import misquoted
from git_lerim.extraction.by_model.transcript import shown
from git_lerim.sessions.session import Header, Record, Role, Session

RECORDS = (
    Record(
        n=1,
        role=Role.PROMPT,
        text="Always indent with tabs in this project, and don't use\nspaces. The CI says:\n"
        "```\nuse pnpm for all builds\n```",
    ),
    Record(n=2, role=Role.REPLY, text="I will never use spaces here. Shall I skip the review?"),
    Record(
        n=3,
        role=Role.ANSWER,
        question="Which renderer should widgets use?",
        options=("zed", "gl"),
        text="zed",
    ),
    Record(n=4, role=Role.ANSWER, question="May I skip the review?", text="Yes, once"),
    Record(n=5, role=Role.REJECTION, text="Not like that: keep the `file_name` short"),
)


def found(text: str) -> list[str]:
    session = Session(agent="claude", id="s", header=Header(), records=RECORDS)
    return list(misquoted(text, shown(session).lines))


@pytest.mark.parametrize(
    "text",
    [
        "The user asked for this: “Always indent with tabs in this project.”",
        "The user said “don’t use spaces”.",
        "As the user put it, 'always indent with tabs…'",
        "Asked “Which renderer should widgets use?”, the user chose “zed”. Not chosen: gl.",
        "The user chose “zed” over “gl”.",
        "The user rejected it: “keep the file_name short”.",
        "The build prints “no such file or directory” if it fails. The user agreed to tabs.",
        "The user interface has the button “Save”.",
    ],
)
def test_the_users_own_words_may_be_quoted(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The user asked for this: “Always indent with spaces in this project.”",
        "Tabs are out. “Never use tabs”, the user insisted.",
        "The user was clear. “Never use tabs again.” So be it.",
        "“Never use tabs again.” The user said so.",
        "The user said:\n> Never use tabs\n> again\n",
        "The user demands 'never use tabs again'.",
        "Der Nutzer schrieb: „Nie wieder Tabs bitte“.",
        "用户说：“永远不要使用制表符”。",
    ],
)
def test_words_that_nobody_said_are_no_quotation_of_the_user(text: str) -> None:
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "In the user's words: “I will never use spaces here”.",  # the agent said it
        "The user said “use pnpm for all builds”.",  # it is in what they pasted
        "The user said “use spaces”.",  # they forbade it
        "Asked “Which renderer should widgets use?”, the user chose “gl”.",
        "Asked “Which renderer should widgets use?”, the user answered “Yes, once”.",
        "Asked “Shall I skip the review?”, the user answered “Yes, once”.",
    ],
)
def test_words_of_a_session_that_are_not_what_the_user_said_are_no_quotation_of_them(
    text: str,
) -> None:
    assert len(found(text)) == 1
