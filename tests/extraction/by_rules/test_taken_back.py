import pytest
from support.rules import extract
from support.talk import Talk


def said(text: str) -> list[str]:
    talk = Talk().prompt("Show me the exports.").reply("Here they are.")
    session = talk.prompt(text).edit("src/export.py").reply("Done.").session()
    return sorted(one.title for one in extract(session))


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Forget what I said about CSV exports.", ["Forget what I said about CSV exports"]),
        ("I take back what I said about CSV.", ["I take back what I said about CSV"]),
        ("Forget what I said about tabs. Use spaces.", ["Forget what I said about tabs"]),
        ("Forget what I said about logos, use the blue.", ["Forget what I said about logos"]),
        (
            "Forget what I said about SQLite, use Postgres for tests.",
            ["Forget what I said about SQLite, use Postgres for tests"],
        ),
        (
            "Forget what I said about SQLite. Always use Postgres for tests.",
            ["Always use Postgres for tests", "Forget what I said about SQLite"],
        ),
        (
            "Forget what I said about SQLite, use Postgres, because backups are easier.",
            ["Forget what I said about SQLite, use Postgres, because backups are easier"],
        ),
    ],
)  # fmt: skip
def test_what_the_user_takes_back_is_found_with_what_replaces_it(
    text: str, titles: list[str]
) -> None:
    assert said(text) == titles


@pytest.mark.parametrize(
    "text",
    [
        "Should I forget what I said about CSV?",
        "Forget what I said about CSV?",
        "Forget what I said about it.",
        "Bob says: forget what I said about CSV.",
        "> Forget what I said about CSV.",
        "The mail from Bob says this:\nForget what I said about CSV.",
        "Ignore my earlier instructions about CSV.",
    ],
)
def test_nothing_else_takes_anything_back(text: str) -> None:
    assert said(text) == []
