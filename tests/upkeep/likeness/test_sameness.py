import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memories import later, memory

from git_lerim.memories.memory import Memory
from git_lerim.upkeep.likeness.pairs import near, related
from git_lerim.upkeep.likeness.sameness import same

BODY = "It failed in May, and nobody could say why. Rejected: a nightly job."
SAME = [
    ("Use SQLite for the session catalog", "Session catalog is stored in SQLite"),
    ("Pin urllib3 below 2.0", "Keep urllib3 pinned to <2.0"),
    ("Never commit generated protobuf files", "Generated protobuf files must not be committed"),
    (
        "Prefer composition over inheritance in the plugin API",
        "Plugin API should favour composition rather than inheritance",
    ),
    (
        "The build fails on Windows if paths exceed 260 characters",
        "Windows builds break with paths longer than 260 characters",
    ),
    ("Run `make lint` before pushing", "Before you push, run make lint"),
    (
        "Rate limit the login endpoint to 5 attempts per minute",
        "Login endpoint is rate limited to five attempts per minute",
    ),
    (
        "Set `workers = 2` for gunicorn on the small instances",
        "gunicorn runs with 2 workers on small instances",
    ),
    ("The health check must not touch the database", "Keep the database out of the health check"),
    (
        "Secrets come from Vault, never from env files",
        "Read secrets from Vault instead of env files",
    ),
    ("Email sending is disabled in staging", "Staging must not send emails"),
    ("The job of the importer runs at 02:00", "At 02:00: the importer's job runs"),
    ("Run `pytest -x` before a push to the API", "Before a push to the API: run `pytest -x`"),
    ("The API sets the header `Retry-After`", "Header `Retry-After` is set by the API"),
    ("Requests time out after 30 seconds", "Timeout of 30 seconds for requests"),
    ("Keep no notes in the checkout", "Never keep notes where it is checked out"),
    ("An unknown id gives an error", "Unknown ids give an error"),
    ("Read `API_TOKEN` from the environment", "`API_TOKEN` has to be in the environment"),
    ("The parser chokes on an umlaut", "An umlaut crashes the parser"),
]
DIFFERENT = [
    ("Set the upload timeout to 30 seconds", "Set the download timeout to 30 seconds"),
    ("Integration tests need TZ=UTC", "Unit tests need TZ=UTC"),
    ("Deploy staging from main", "Deploy production from main"),
    ("Release from the main branch", "Release from the release branch"),
    ("Cache keys are prefixed with the tenant id", "Cache keys are prefixed with the user id"),
    ("Grant read access to the analytics role", "Grant write access to the analytics role"),
    ("Retry uploads three times", "Retry uploads five times"),
    ("Lock the queue row before processing", "Lock the queue row after processing"),
    ("The nightly export runs at 02:00 UTC", "The nightly backup runs at 02:00 UTC"),
    ("Prefer rebase over merge", "Prefer merge over rebase"),
    ("Feature flags default to off", "Feature flags default to on in tests"),
    ("Use gzip for API responses", "Use gzip for API responses in staging"),
    ("Enable fsync for objects", "Disable fsync for objects"),
    ("Run the linter with flake8", "The linter is ruff now, flake8 is gone"),
    ("Deploy to the US region", "Deploy to the EU region"),
    ("Stop the job after 3 failures", "Stop the job after 5 failures"),
    ("`read_config` returns None for missing keys", "`write_config` returns None for missing keys"),
]


def pair(first: str, second: str, body: str = BODY) -> tuple[Memory, Memory]:
    return memory(title=first, body=body), memory(id="b" * 13, title=second, body=body, at=later(3))


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_claim_in_other_words_is_the_same(first: str, second: str) -> None:
    one, two = pair(first, second)

    assert same(one, two)
    assert same(two, one)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_differs_in_the_point_is_not_the_same_even_with_the_same_body(
    first: str, second: str
) -> None:
    one, two = pair(first, second)

    assert not same(one, two)
    assert not same(two, one)


def test_a_title_may_say_a_word_more_where_the_bodies_agree() -> None:
    one, two = pair(
        "Run migrations before starting the API",
        "Always run database migrations before the API starts",
    )

    assert same(one, two)
    assert not same(one.having(body="Wholly other text."), two)


RESTATED = [
    (
        (
            "Scan uploads with clamav",
            "Every file that a user sends goes through the antivirus daemon before it is kept.",
        ),
        (
            "Scan every user file with clamav, the antivirus",
            "An upload is kept only after that; the daemon runs before.",
        ),
    ),
    (  # only one names something
        (
            "The proxy answers 502 while it restarts",
            "For some seconds it returns HTTP 502, and clients retry.",
        ),
        (
            "During restarts the proxy returns HTTP 502",
            "Clients retry: for some seconds that is what it answers.",
        ),
    ),
]
NOT_RESTATED = [
    (  # one word in the place of another, which the bodies explain
        (
            "The nightly export runs at two",
            "Not together with the backup, which takes an hour of disk time.",
        ),
        (
            "The nightly backup runs at two",
            "Not together with the export, which takes an hour of disk time.",
        ),
    ),
    (  # names that differ
        (
            "Orders are parsed by `read_order`",
            "Items go through `read_item`, which is stricter with dates.",
        ),
        (
            "Items are parsed by `read_item`",
            "Orders go through `read_order`, which is stricter with dates.",
        ),
    ),
    (  # bodies that have nothing else in common
        ("Cache pages for guests", "Guests load the catalog; cookies never reach the proxy."),
        ("Guests load the catalog", "Cache pages early."),
    ),
]


@pytest.mark.parametrize(("first", "second"), RESTATED)
def test_words_of_a_title_may_stand_in_the_other_body(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    one, two = (
        memory(id=id_ * 13, title=title, body=body)
        for id_, (title, body) in zip("ab", (first, second), strict=True)
    )
    assert same(one, two)
    assert same(two, one)


@pytest.mark.parametrize(("first", "second"), NOT_RESTATED)
def test_what_bodies_mention_of_each_other_makes_no_two_the_same(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    one, two = (
        memory(id=id_ * 13, title=title, body=body)
        for id_, (title, body) in zip("ab", (first, second), strict=True)
    )
    assert not same(one, two)
    assert not same(two, one)


WORDS = st.lists(
    st.sampled_from(
        [
            "use",
            "not",
            "`foo_bar`",
            "for",
            "the",
            "catalog",
            "sqlite",
            "30",
            "before",
            "tests",
            "instead of",
            "run",
        ]
    ),
    max_size=6,
).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.just(BODY) | WORDS), max_size=8))
def test_every_pair_that_says_the_same_is_looked_at_whichever_comes_first(
    said: list[tuple[str, str]],
) -> None:
    given = [
        memory(id=f"{'a' * 12}{'abcdefgh'[n]}", title=title, body=body)
        for n, (title, body) in enumerate(said)
    ]
    found = near(given)

    for one in given:
        for other in given:
            assert same(one, other) == same(other, one)
            if one.id != other.id and same(one, other):
                assert other.id in found[one.id]


def test_of_the_pairs_that_are_compared_only_related_ones_are_left() -> None:
    one, two = pair(*SAME[0])
    other = memory(id="c" * 13, title="Use SQLite for the session archive", body=BODY)

    assert other.id in near([one, two, other])[one.id]
    assert related([one, two, other]) == {one.id: {two.id}, two.id: {one.id}}
