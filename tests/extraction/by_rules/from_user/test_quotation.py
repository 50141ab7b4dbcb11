import pytest
from msgspec import structs
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.sessions.session import Header

ASKED = "The user asked for this: "


def bodies(prompt: str, *, edited: bool = True) -> dict[str, str]:
    talk = Talk().prompt("Show me the panel.").reply("Here it is.").prompt(prompt)
    talk = talk.edit("src/panel.ts") if edited else talk
    return {one.title: one.body.removeprefix(ASKED) for one in extract(talk.reply("Ok.").session())}


def test_a_wish_is_quoted_without_its_neighbours() -> None:
    found = bodies(
        "The import dies since yesterday. I think the except block eats the error.\n\n"
        "Strip the NUL bytes and add a test. Generally never swallow exceptions in the workers, "
        "log and re-raise. Also the result page shows green for 0 rows, make that yellow.\n\n"
        "- bump node to 20 in the Dockerfile\n"
        "- move the password out. I never want secrets in the compose files\n"
        "- the volume should be a named one\n\n"
        "Then rebuild everything."
    )
    assert found == {
        "Generally never swallow exceptions in the workers, log and re-raise": (
            "“Generally never swallow exceptions in the workers, log and re-raise.”"
        ),
        "I never want secrets in the compose files": "“I never want secrets in the compose files.”",
    }


@pytest.mark.parametrize(
    "belongs",
    [
        "Because they are overwritten.",
        "It breaks the release.",
        "That breaks the release.",
        "Change the .proto instead, always.",
        "Except for typos.",
        "Unless I say so.",
        "But only in the main module.",
        "Not in the examples, not in the tests.",
        "For example, leave the stubs alone.",
        "If in doubt, ask.",
        "Especially in a release.",
        "Two people can't review them.",
        "The last edit of one broke CI.",
        "The examples are exempt.",
        "Don't worry about the stubs though.",
        "Every time.",
        "We do that in all services.",
        "The build makes them anew. Except for typos.",
        "\n\nException: typos.",
        "It breaks these:\n\n- the release\n- the docs",
    ],
)
def test_what_follows_and_belongs_to_a_wish_is_quoted(belongs: str) -> None:
    wish = "From now on, never touch the generated files."
    (body,) = bodies(f"The panel is slow. {wish} {belongs}\n\nNow fix the panel.").values()
    whole = " ".join(f"{wish} {belongs}".replace("- the release\n-", "the release.").split())
    assert body in {f"“{whole}”", f"“{whole}.”"}


@pytest.mark.parametrize(
    "other",
    [
        "Also make the header yellow.",
        "Now fix the panel.",
        "Fix it in panel.ts.",
        "You can use the factories in spec/factories.",
        "The tiny config in configs/tiny.yaml runs in three minutes.",
        "I'll review tonight.",
        "We do that in March.",
        "A diagram would be great.",
        "Can you show me the diff?",
        "Please add a story for the panel.",
        "Thanks!",
        "\n\nBut first, fix the panel.",
        "\n\nIt crashes when it starts.",
    ],
)
def test_what_follows_a_wish_and_is_another_matter_is_not_quoted(other: str) -> None:
    wish = "From now on, never touch the generated files."
    assert bodies(f"{wish} {other}")[wish.rstrip(".")] == f"“{wish}”"


def test_an_exception_is_quoted_over_what_is_left_out() -> None:
    text = "Never push to main. See docs/ci.md, it has a section on that. Except for typos."
    (body,) = bodies(text, edited=False).values()
    assert body == "“Never push to main. … Except for typos.”"
    long = "It has cost us a day, since nobody knew which of the many workers had failed. " * 5
    wish = "Never swallow the exceptions of workers."
    (body,) = bodies(f"{wish} {long}But only log in tests.", edited=False).values()
    assert body.startswith(f"“{wish} It has cost us")
    assert body.endswith(" … But only log in tests.”")


def test_each_wish_of_a_list_is_quoted_with_its_scope_and_its_exception() -> None:
    found = bodies(
        "Fix the panel.\n\nRules for the importer:\n\n- never use floats for money\n"
        "- always log the row number\n- always close the file\n\nBut in tests floats are fine."
    )
    assert found["Never use floats for money"] == (
        "“Rules for the importer: never use floats for money. … But in tests floats are fine.”"
    )
    assert found["Always log the row number"] == (
        "“Rules for the importer: … always log the row number.”"
    )
    listed = bodies("Fix these for me:\n\n- the header is too big\n- never use floats for money")
    assert listed["Never use floats for money"] == "“never use floats for money.”"


@pytest.mark.parametrize(
    "before", ["In the billing module we are strict.", "No console logs!", "I hate mocks."]
)
def test_what_a_wish_needs_of_the_sentence_before_it_is_quoted(before: str) -> None:
    wish = "Always use the logger of the project."
    (body,) = bodies(f"The panel is slow. {before} {wish}").values()
    assert body == f"“{before} {wish}”"
    assert bodies(f"The panel is slow. {wish}")[wish.rstrip(".")] == f"“{wish}”"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "All money values are integer cents in this project. Never floats.",
            "All money values are integer cents in this project",
        ),
        ("Ici on utilise yarn, pas npm. Toujours yarn.", "Ici on utilise yarn, pas npm"),
        ("Never commit to main. Unless I say so.", "Never commit to main"),
        (
            "I hate mocks. Whenever you write tests here use the real postgres.",
            "Whenever you write tests here use the real postgres",
        ),
        ("I hate mocks. Use the real postgres here.", "Use the real postgres here"),
    ],
)
def test_two_sentences_that_make_one_rule_are_one_memory(text: str, title: str) -> None:
    assert bodies(f"{text} Now fix the panel.") == {title: f"“{text}”"}


def test_a_feeling_before_work_that_is_done_once_keeps_its_title() -> None:
    found = bodies("I hate mocks. Remove the mock of the clock in tests/test_clock.py.")
    assert found == {"I hate mocks": "“I hate mocks.”"}


def test_the_id_of_a_wish_does_not_depend_on_what_is_quoted() -> None:
    def origin(prompt: str) -> list[tuple[str, str]]:
        session = Talk().prompt(prompt).edit("src/panel.ts").reply("Ok.").session()
        return [(one.origin, one.place) for one in extract(session)]

    wish = "From now on, never touch the generated files."
    assert origin(wish) == origin(f"{wish} It breaks the release.") == [("5b0c#1", "")]


def test_many_short_rules_cost_no_more_than_their_number() -> None:
    assert grows_evenly(lambda rules: bodies("Never floats. " * rules), 50)


def test_a_session_s_title_from_the_same_message_is_not_told() -> None:
    wish = "Always run the linter before each commit."
    session = Talk().prompt(f"Fix the import of invoices. {wish}").edit("a.py").reply("Ok.")
    named = structs.replace(session.session(), header=Header(title="Fix import of invoices"))
    (one,) = extract(named)
    assert one.body == f"{ASKED}“{wish}”"
