import pytest
from support.costs import grows_evenly
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
        (
            "Forget what I said about tabs. Use spaces.",
            ["Forget what I said about tabs", "Use spaces"],
        ),
        ("Forget what I said about logos, use the blue.", ["Forget what I said about logos"]),
        (
            "Forget what I said about SQLite, use Postgres for tests.",
            ["Forget what I said about SQLite", "Use Postgres for tests"],
        ),
        (
            "Forget what I said about SQLite. Always use Postgres for tests.",
            ["Always use Postgres for tests", "Forget what I said about SQLite"],
        ),
        (
            "Forget what I said about SQLite, use Postgres, because backups are easier.",
            ["Forget what I said about SQLite", "Use Postgres, because backups are easier"],
        ),
        (
            "Forget what I said about Jira tickets, we closed Jira. Use plain subjects instead.",
            ["Forget what I said about Jira tickets", "Use plain subjects"],
        ),
        (
            "I take back what I said about mocks. Instead, use the real database in tests.",
            ["I take back what I said about mocks", "Use the real database in tests"],
        ),
        (
            "Forget what I said about CSV. Show me the parser instead.",
            ["Forget what I said about CSV"],
        ),
        (
            "Forget what I said about CSV. Add a button to the header.",
            ["Forget what I said about CSV"],
        ),
        (
            "Forget what I said about CSV. Rename the variable in line 12 instead.",
            ["Forget what I said about CSV"],
        ),
        (
            "Forget what I said about tabs. Instead, drop the debug column now.",
            ["Forget what I said about tabs"],
        ),
        (
            "Forget what I said about tabs. Add logging to parser.py instead.",
            ["Forget what I said about tabs"],
        ),
        (
            "Forget what I said about CSV. Put the button into the footer instead.",
            ["Forget what I said about CSV"],
        ),
        (
            "Forget what I said about issues. Write an ADR for each decision instead.",
            ["Forget what I said about issues", "Write an ADR for each decision"],
        ),
        (
            "Forget what I said about src/pay, you can edit it again.",
            ["Forget what I said about src/pay"],
        ),
        ("Forget what I said about mocks, just use them.", ["Forget what I said about mocks"]),
        (
            "I take back what I said about comments: the tricky spots should get one.",
            ["I take back what I said about comments: the tricky spots should get one"],
        ),
        (
            "I know I said short logs. Log everything in detail again please",
            ["I know I said short logs. Log everything in detail again please"],
        ),
        ("Forget the rule to never mock.", ["Forget the rule to never mock"]),
        ("Hello.\nForget what I said about tabs.", ["Forget what I said about tabs"]),
        ("Show it again.\n\nForget what I\nsaid about tabs.", ["Forget what I said about tabs"]),
        ("**Forget what I said about tabs.**", ["Forget what I said about tabs"]),
        ("OK. \nForget what I said about tabs.\n\n- x", ["Forget what I said about tabs"]),
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
        "I know I said short logs. This one may be longer.",
        "I know I said short logs.\n\nLog everything in detail again please",
        "Forget what I said about CSV?",
        "Forget what I said about it.",
        "Bob says: forget what I said about CSV.",
        "> Forget what I said about CSV.",
        "The mail from Bob says this:\nForget what I said about CSV.",
        "Ignore my earlier instructions about CSV.",
        "Ignore what I said about CSV for now, I first want to see the parser work.",
        "Ignore what I said about CSV. That is only for this PR.",
        "The plan of the other agent:\n\n1. Forget what I said about CSV.",
        "The plan of the other agent:\n- Read it.\nForget what I said about CSV.",
        "**The plan of the other agent:**\n\nForget what I said about CSV.",
        "The plan of the other agent\n\n* Read it.\n\nForget what I said about CSV.",
        "# The plan of the other agent\n\nForget what I said about CSV.",
        "The other agent has a plan. Forget what I said about CSV.",
        "Ignore what I said about CSV for now. Write Parquet files instead.",
    ],
)
def test_nothing_else_takes_anything_back(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (
            "ok you can edit src/pay again, we have tests for it now. fix the rounding",
            ["You can edit src/pay again, we have tests for it now"],
        ),
        (
            "jest is too slow with our setup, lets move to vitest instead. port the tests",
            ["Jest is too slow with our setup, lets move to vitest instead"],
        ),
        (
            "hm 2 spaces in lua is hard to read for me after all, make it 4",
            ["2 spaces in lua is hard to read for me after all, make it 4"],
        ),
        (
            "feel free to add packages without asking me from here on",
            ["Feel free to add packages without asking me from here on"],
        ),
        ("remove the /v1 prefix again", ["Remove the /v1 prefix again"]),
        ("finalement on vire axios", ["On vire axios"]),
        (
            "let's swap memcached for redis as the cache",
            ["Let's swap memcached for redis as the cache"],
        ),
        (
            "We deploy to Fly.io now, Heroku got too expensive. Update the readme please.",
            ["We deploy to Fly.io now, Heroku got too expensive"],
        ),
        ("We test with jest now, not mocha", ["We test with jest now, not mocha"]),
        ("Should we swap memcached for redis?", []),
        ("If we swap memcached for redis, what breaks?", []),
        ("Let's swap the spinner for a bar", []),
        ("tabs after all, sorry. fix lua.py", ["Tabs after all, sorry"]),
        ("tabs after all?", []),
        (
            "Redux is too big. Let's switch the state to Zustand, can you start with the cart?",
            ["Redux is too big. Let's switch the state to Zustand"],
        ),
        ("Redux is too much code. Let's switch the state to Zustand?", []),
        ("The page is too slow. Let's switch the sorting to a heap.", []),
        ("I prefer dataclasses over pydantic for configs", []),
        ("the button is green now instead of blue", []),
        ("We get a 500 now instead of a 404", []),
        ("We deploy to Fly.io now instead of Heroku. That is only for this PR.", []),
        ("Bob wrote:\n\n> let's swap memcached for redis", []),
        ("Bob wrote:\n\n> we no longer use axios", []),
        ("The notes of the meeting:\n- we no longer use axios", []),
        ("We no longer use axios. That is only for this PR.", []),
        ("Remove that again", []),
    ],
)  # fmt: skip
def test_a_sentence_that_may_give_up_an_earlier_wish_is_found(text: str, titles: list[str]) -> None:
    assert said(text) == titles


def test_a_wish_that_gives_something_up_is_found_once() -> None:
    text = "We dropped tailwind, so colors are CSS variables in theme.css from now on."

    assert said(text) == [text.rstrip(".")]


def test_a_wish_stays_beside_a_sentence_that_may_be_about_something_else() -> None:
    talk = Talk().prompt("Always run the linter before you commit.").reply("I will.")
    talk = talk.prompt("You don't need to run the linter on the docs anymore.").edit("a.py")

    titles = [one.title for one in extract(talk.reply("Done.").session())]
    assert "Always run the linter before you commit" in titles


def test_a_wish_in_an_item_is_kept_without_what_it_takes_back() -> None:
    item = "Forget what I said about tabs, always use spaces."

    assert said(item) == ["Always use spaces", "Forget what I said about tabs"]
    assert said(f"Two things:\n\n- {item}") == ["Always use spaces"]


def test_an_order_in_an_item_takes_nothing_back() -> None:
    order = "Forget what I said about SQLite, use Postgres, because backups are easier."

    assert said(order) == [
        "Forget what I said about SQLite",
        "Use Postgres, because backups are easier",
    ]
    assert said(f"The plan of the other agent:\n\n1. {order}") == []


@pytest.mark.parametrize("unit", [": ", ":", "* ", "for this a ", "x.\n", "1. Forget it.\n"])
def test_a_long_prompt_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: said(f"Forget what I said about it.\n{unit * size}x"), 4000)
