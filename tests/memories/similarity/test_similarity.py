import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.costs import grows_evenly
from support.memories import later, memory

from git_lerim.memories.memory import Memory, Origin, Primitive
from git_lerim.memories.quotes import Lead
from git_lerim.memories.similarity.claim import claim, content
from git_lerim.memories.similarity.similarity import (
    LIKELY,
    Neighbours,
    _titles,
    alike,
    contradicts,
    least_shared,
    near_duplicate,
    related,
)
from git_lerim.memories.similarity.taking_back import needs_target, takes_back

SAME = [
    ("Use SQLite for the session catalog", "Use SQLite for session catalog"),
    ("Use SQLite for the session catalog", "SQLite is used for the session catalog"),
    ("Tests need TZ=UTC", "The tests need `TZ=UTC`"),
    ("Never push to main directly", "I told you never to push to main directly"),
    ("No new dependencies without asking me", "I said no new dependencies without asking me"),
    ("Never touch the user's index", "The user's index must never be touched"),
    ("Retry the push five times at most", "Retry a push at most five times"),
    ("Redact transcripts before caching them", "Redact the transcripts before they are cached"),
    ("`sync` makes one commit per session", "One commit per session is made by `sync`"),
]
SAME_WITH_BODY = [
    ("Run the e2e suite on Windows before a release", "Run the e2e suite on Windows too"),
    (
        "Cache compacted transcripts below the common dir",
        "Compacted transcripts are cached in the git common dir",
    ),
]
DIFFERENT = [
    ("Use tabs", "Do not use tabs"),
    ("Use SQLite for the session catalog", "Use Postgres for the session catalog"),
    ("Store the queue in SQLite", "Store the index in Redis"),
    ("Set the timeout to 30 seconds", "Set the timeout to 60 seconds"),
    ("Run the migrations before the tests", "Run the tests before the migrations"),
    ("Run the linter before the commit hook", "Run the linter after the commit hook"),
    ("Prefer rebase instead of merge", "Prefer merge instead of rebase"),
    ("Enable fsync for objects", "Disable fsync for objects"),
    ("`read_config` returns None for missing keys", "`write_config` returns None for missing keys"),
    (
        "npm trusted publishing rejects publish.yml called via workflow_call",
        "One workflow file, publish.yml, owns release",
    ),
    (
        "CI staticcheck SA5011 needs return after t.Fatal",
        "CI link check only covers markdown links",
    ),
    ("User edits to a file cannot be separated", "User edits between checkpoints are tracked"),
]
CONTRADICTION = [
    ("Use tabs", "Do not use tabs"),
    ("Use SQLite for the session catalog", "Use Postgres for the session catalog"),
    ("Use SQLite for the catalog", "We will switch to Postgres for the catalog"),
    ("Set the timeout to 30 seconds", "Set the timeout to 60 seconds"),
    ("Prefer rebase instead of merge", "Prefer merge instead of rebase"),
    ("Enable fsync for objects", "Disable fsync for objects"),
    ("Use Redis", "Remove Redis"),
    ("Keep the `--force` flag", "Drop the `--force` flag"),
    (
        "The product catalog uses SQLite",
        "The product catalog moves to PostgreSQL instead of SQLite",
    ),
    ("The product catalog moves to SQLite", "Switch the product catalog from SQLite to PostgreSQL"),
    (
        "The catalog moves to SQLite instead of MySQL",
        "The catalog moves to PostgreSQL instead of SQLite",
    ),
    ("Store the catalog in SQLite", "The catalog no longer uses SQLite"),
    ("Use npm for the web client", "Replace npm with pnpm for the web client"),
    ("Use npm for the web client", "Drop npm in favour of pnpm for the web client"),
]
PEACE = [
    ("Use fixtures in tests", "Use real repositories in tests"),
    ("Use SQLite for the catalog", "Use SQLite in WAL mode for the catalog"),
    ("Use pytest for tests", "Use hypothesis for tests"),
    ("Use SQLite for the catalog", "Use Postgres for the search index"),
    ("Never write to HEAD", "Never write to the index"),
    ("Do not use tabs", "Do not use spaces"),
    ("Store the queue in SQLite", "Do not store secrets in the cache"),
    ("Set the timeout to 30 seconds", "Set the retries to 5"),
    ("Close issue 30 after the release", "Close issue 31 after the release"),
    ("The catalog uses SQLite", "The search index moves to PostgreSQL instead of SQLite"),
    ("The catalog uses SQLite", "The catalog of the tests moves to PostgreSQL instead of SQLite"),
    ("The catalog uses SQLite", "The catalog uses PostgreSQL instead of SQLite in staging"),
    ("The catalog uses SQLite", "Move to PostgreSQL instead of SQLite"),
    ("The catalog uses SQLite", "Do not switch the catalog from SQLite to PostgreSQL"),
    ("The catalog uses SQLite", "The catalog might move to PostgreSQL instead of SQLite"),
    ("The catalog locks SQLite for a second", "The catalog moves to PostgreSQL instead of SQLite"),
    ("Do not use SQLite for the catalog", "Use PostgreSQL instead of SQLite for the catalog"),
]
BODY = "It was slow otherwise, and the report came late. Rejected: a nightly job that nobody reads."


def pair(first: str, second: str, **changes: object) -> tuple[Memory, Memory]:
    one = memory(title=first, **changes)
    return one, memory(id="b" * 13, title=second, at=later(days=3), **changes)


@pytest.mark.parametrize(("first", "second"), SAME)
def test_a_restatement_is_a_duplicate_whatever_the_body_says(first: str, second: str) -> None:
    one, two = pair(first, second)

    assert near_duplicate(one.having(body="Wholly other text."), two)
    assert near_duplicate(two, one)
    assert not contradicts(two, one)


@pytest.mark.parametrize(("first", "second"), SAME_WITH_BODY)
def test_a_looser_restatement_is_a_duplicate_when_the_bodies_agree(first: str, second: str) -> None:
    one, two = pair(first, second, body=BODY)

    assert near_duplicate(one, two)
    assert not near_duplicate(one.having(body="Wholly other text."), two)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_differs_in_the_point_is_no_duplicate_even_with_the_same_body(
    first: str, second: str
) -> None:
    one, two = pair(first, second, body=BODY)

    assert not near_duplicate(one, two)
    assert not near_duplicate(two, one)


@pytest.mark.parametrize(("first", "second"), CONTRADICTION)
def test_a_later_decision_takes_back_an_earlier_one(first: str, second: str) -> None:
    earlier, newer = pair(first, second)

    assert contradicts(newer, earlier)
    assert not contradicts(earlier, newer)
    assert not contradicts(newer.having(primitive=Primitive.LEARNING), earlier)
    assert contradicts(earlier.having(created=later(days=9)), newer)


@pytest.mark.parametrize(("first", "second"), PEACE)
def test_two_decisions_that_can_both_hold_do_not_contradict(first: str, second: str) -> None:
    earlier, newer = pair(first, second)

    assert not contradicts(newer, earlier)


@pytest.mark.parametrize(
    ("title", "taken_back"),
    [
        ("Always run the linter before you commit", True),
        ("Run the linter", True),
        ("The linter needs Node 20 in order to run on the build machines", False),
        ("Always run the tests", False),
    ],
)
def test_what_a_person_takes_back_in_so_many_words_is_contradicted(
    title: str, *, taken_back: bool
) -> None:
    earlier, newer = pair(title, "Scrap the rule about running the linter", origin=Origin.HUMAN)

    assert contradicts(newer, earlier) is taken_back
    assert contradicts(newer.having(primitive=Primitive.LEARNING), earlier) is taken_back
    assert not contradicts(earlier, newer)
    assert not contradicts(newer, earlier.having(origin=Origin.REPAIR))
    assert not contradicts(newer.having(origin=Origin.AGENT), earlier)


@pytest.mark.parametrize(
    ("title", "taken_back"),
    [
        ("Never write comments in the code, good names are enough", True),
        ("Begin block comments in each public Java method with a verb", False),
        ("Good names are enough, comments are noise", False),
    ],
)
def test_the_reason_of_a_wish_does_not_count_where_it_is_taken_back(
    title: str, *, taken_back: bool
) -> None:
    earlier, newer = pair(title, "I take back what I said about comments", origin=Origin.HUMAN)

    assert contradicts(newer, earlier) is taken_back


@pytest.mark.parametrize(
    ("title", "taker", "taken_back"),
    [
        ("Never put two classes in a file", "Scrap that rule about two classes per file", True),
        ("Never put two classes in a file", "Scrap that rule about each file", False),
        (
            "Use sqlalchemy for the access to data, async",
            "I changed my mind about sqlalchemy",
            True,
        ),
        (
            "Test the access to data with sqlalchemy, too",
            "I changed my mind about sqlalchemy",
            False,
        ),
        ("Keep the explanations short", "I know I said short explanations, go on again", True),
        ("Keep the explanations short", "I know I said short titles, make it long again", False),
        ("No uses nunca lodash", "Olvida lo de no usar lodash", True),
        ("Indent with tabs in this repo", "Changed my mind about the indentation", True),
        ("Indent the queries in the docs", "Changed my mind about the indentation", False),
        ("Use tabs to indent yaml in fixtures", "Changed my mind about the indentation", False),
    ],
)
def test_earlier_words_are_named_by_what_they_are_about(
    title: str, taker: str, *, taken_back: bool
) -> None:
    earlier, newer = pair(title, taker, origin=Origin.HUMAN)

    assert contradicts(newer, earlier) is taken_back


@pytest.mark.parametrize(
    ("title", "alone"),
    [
        ("2 spaces in lua is hard to read after all, make it 4", False),
        ("Commit messages in English after all", False),
        ("You can answer in German again when I write German", False),
        ("The padding is too small after all, use 8px", True),
        ("The title in blue after all", True),
        ("Remove the banner again", True),
    ],
)
def test_a_new_choice_of_a_general_kind_holds_also_if_it_gives_up_nothing_known(
    title: str, *, alone: bool
) -> None:
    one = memory(title=title, origin=Origin.HUMAN, body=f'{Lead.CHANGED} "{title}."')

    assert needs_target(one) is alone


def test_a_switch_in_unusual_words_takes_back_what_it_names() -> None:
    title = "We deploy to Fly.io now, Heroku got too expensive"
    earlier, newer = pair("We deploy with Heroku, it is easy", title, origin=Origin.HUMAN)
    heard = newer.having(body=f'{Lead.CHANGED} "{title}."')

    assert needs_target(heard)
    assert takes_back(heard, earlier)
    assert contradicts(newer, earlier)


def test_what_takes_something_back_does_not_say_the_same() -> None:
    words = "running the linter before you commit, always"
    one, two = pair(f"Prefer {words}", f"Scrap the rule about {words}", origin=Origin.HUMAN)

    assert not near_duplicate(one, two)


def test_a_decision_and_a_learning_are_never_duplicates() -> None:
    one, two = pair("Use tabs", "Use tabs")

    assert near_duplicate(one, two)
    assert not near_duplicate(one, two.having(primitive=Primitive.LEARNING))


VOCABULARY = [
    "use",
    "not",
    "`foo_bar`",
    "for",
    "the",
    "catalog",
    "sqlite",
    "postgres",
    "30",
    "60",
    "before",
    "tests",
    "instead of",
    "no longer",
    "switch",
    "from",
    "to",
    "run",
    "scrap the rule about",
]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)


@given(st.lists(WORDS, max_size=8), WORDS)
def test_neighbours_are_all_that_are_related_and_no_other(titles: list[str], title: str) -> None:
    stored = [
        memory(id=f"{'a' * 12}{'abcdefgh'[n]}", title=said, at=later(days=n), origin=Origin.HUMAN)
        for n, said in enumerate(titles)
    ]
    asked = memory(title=title, at=later(days=4), origin=Origin.HUMAN)

    one_by_one = Neighbours([])
    for other in stored:
        one_by_one.add(other)

    wanted = [other for other in stored if related(asked, other)]
    assert Neighbours(stored).near(asked) == one_by_one.near(asked) == wanted
    same = [other for other in stored if near_duplicate(asked, other)]
    assert Neighbours(stored).same(asked) == same


@given(WORDS, WORDS)
def test_likeness_is_symmetric_and_between_none_and_one(first: str, second: str) -> None:
    one, two = pair(first, second)

    assert alike(one, two) == alike(two, one)
    assert 0.0 <= alike(one, two) <= 1.0
    assert near_duplicate(one, two) == near_duplicate(two, one)


@given(WORDS, WORDS)
def test_a_near_duplicate_has_enough_words_of_a_title(first: str, second: str) -> None:
    one, two = pair(first, second)

    shared = len(claim(one.title).words & content(two.title))
    assert shared >= least_shared(one) or not near_duplicate(one, two)


def test_ten_thousand_memories_are_searched_in_time_in_proportion() -> None:
    verbs, nouns = (
        ["Use", "Keep", "Never"],
        [a + b + c for a in "bcdfghklmn" for b in "aeiou" for c in ("ck", "rt", "ndle", "lt")],
    )
    chance = random.Random(1)  # noqa: S311  # the same titles every time
    titles = [" ".join([chance.choice(verbs), *chance.sample(nouns, 5)]) for _ in range(10_000)]
    stored = [
        memory(id=f"{n:013}", title=title, at=later(days=n % 99)) for n, title in enumerate(titles)
    ]
    known = {times: Neighbours(stored[: 2_500 * times]) for times in (1, 4)}
    found = known[4].near(memory(title=titles[7]))

    assert grows_evenly(lambda size: known[size // 2_500].near(memory(title=titles[7])), 2_500)
    assert f"{7:013}" in [other.id for other in found]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The upload timeout is thirty seconds", "The download timeout is thirty seconds"),
        ("Deploys to staging need a VPN", "Deploys to production need a VPN"),
        ("Run the unit tests before pushing", "Run the integration tests before pushing"),
    ],
)
def test_one_word_that_is_another_can_be_the_point(one: str, other: str) -> None:
    first = memory(title=one, body="Because the proxy cuts it off.")
    second = memory(title=other, body="Since somebody waited for an hour.")

    assert not near_duplicate(first, second)
    assert near_duplicate(first, memory(title=other, body=first.body))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Use Redis for the sessions instead of Memcached, since it persists",
            "Use Redis instead of Memcached for the queue, because it persists",
        ),
        (
            "Run the unit tests with pytest instead of unittest, because of the fixtures",
            "Run the browser tests with pytest instead of unittest, because of the fixtures",
        ),
    ],
)
def test_the_same_choice_for_another_thing_is_another_decision(one: str, other: str) -> None:
    first, second = (
        memory(title=title, body=f"The user asked for this: “{title}.”", origin=Origin.HUMAN)
        for title in (one, other)
    )

    assert not near_duplicate(first, second)
    assert near_duplicate(first, first.having(id="bbbbbbbbbbbbb"))


@given(
    st.lists(st.lists(st.sampled_from(range(24)), min_size=1, max_size=9), min_size=1, max_size=30)
)
def test_titles_that_are_alike_are_found_by_some_of_their_words_and_no_others_are(
    all_of: list[list[int]],
) -> None:
    nouns = [first + second for first in ("bora", "ceta", "dilu") for second in "kmnt"]
    nouns += [f"`{noun}`" for noun in nouns]
    stored = [
        memory(id=f"{n:013}", title=" ".join(nouns[at] for at in each))
        for n, each in enumerate(all_of)
    ]
    known = Neighbours(stored)

    for asked in stored:
        said = claim(asked.title)
        wanted = {
            n for n, other in enumerate(stored) if _titles(said, claim(other.title)) >= LIKELY
        }
        assert known._alike(said) == wanted


@pytest.mark.parametrize(
    ("title", "taken_back"),
    [
        ("Never use default exports", True),
        ("Do not use default exports, because they hide names", True),
        ("Always use default exports", False),
        ("Do not use default exports in the web package", False),
        ("Never rename default exports", False),
        ("Use default exports for pages", False),
        ("Never use exports", False),
    ],
)
def test_what_is_allowed_again_takes_back_only_its_prohibition(
    title: str, *, taken_back: bool
) -> None:
    said = "Default exports are fine again, drop that rule"
    earlier, newer = pair(title, said, origin=Origin.HUMAN)

    assert contradicts(newer, earlier) is taken_back
