import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memories import later, memory

from git_lerim.memories.memory import Kind, Memory, Primitive
from git_lerim.upkeep.likeness.opposition import gives_up, opposed
from git_lerim.upkeep.likeness.pairs import near

OPPOSED = [
    ("Use tabs for indentation", "Use spaces for indentation"),
    ("Cache responses for 5 minutes", "Cache responses for 60 minutes"),
    ("Sessions expire after 30 minutes", "Sessions expire after 8 hours"),
    ("Release every two weeks", "Release every week"),
    ("Store uploads on the local disk", "Store uploads in S3"),
    ("The default branch is master", "The default branch is main"),
    ("Emails are sent synchronously", "Emails are sent asynchronously"),
    ("Tests may use the network", "Tests may not use the network"),
    ("Log to files in /var/log/app", "Do not log to files; write logs to stdout"),
]
GIVEN_UP = [
    ("The API is served under /v1", "The API is no longer served under /v1; use /v2"),
    ("Deploy with Ansible", "We no longer deploy with Ansible; manifests are applied by Argo CD"),
    (
        "Integration tests run on every push",
        "Integration tests no longer run on every push, only nightly",
    ),
    ("Run the linter with flake8", "The linter is ruff now, flake8 is gone"),
    ("Feature flags live in LaunchDarkly", "Feature flags moved from LaunchDarkly to Unleash"),
    ("Use Jenkins for CI", "CI runs on GitHub Actions instead of Jenkins"),
    ("Passwords are hashed with bcrypt", "Passwords are hashed with argon2 instead of bcrypt"),
]
BOTH_HOLD = [
    ("Use Redis for the session cache", "Use Redis for the rate limiter"),
    ("Deploy staging from main", "Deploy production from main"),
    ("Set the upload timeout to 30 seconds", "Set the download timeout to 60 seconds"),
    ("Close issue 30 after the release", "Close issue 31 after the release"),
    ("Encrypt backups at rest", "Encrypt backups in transit"),
    ("Delete temporary files on success", "Delete temporary files on failure"),
    ("Cache the token endpoint", "Never cache the token endpoint in tests"),
    ("The catalog uses SQLite", "The catalog uses PostgreSQL instead of SQLite in staging"),
    ("The catalog uses SQLite", "The search index moves to PostgreSQL instead of SQLite"),
    ("The catalog uses SQLite", "The catalog of the tests moves to PostgreSQL instead of SQLite"),
    ("Do not mock the database", "Do not mock the mailer"),
    ("Use SQLite for the session catalog", "Session catalog is stored in SQLite"),
    (
        "Secrets come from Vault, never from env files",
        "Read secrets from Vault instead of env files",
    ),
]


def pair(first: str, second: str, kind: Kind | None = None) -> tuple[Memory, Memory]:
    primitive = Primitive.LEARNING if kind else Primitive.DECISION
    one = memory(title=first, primitive=primitive, kind=kind)
    return one, memory(id="b" * 13, title=second, at=later(3), primitive=primitive, kind=kind)


@pytest.mark.parametrize("kind", [None, Kind.FACT])
@pytest.mark.parametrize(("first", "second"), [*OPPOSED, *GIVEN_UP])
def test_what_cannot_hold_beside_an_earlier_memory_opposes_it(
    first: str, second: str, kind: Kind | None
) -> None:
    earlier, newer = pair(first, second, kind)

    assert opposed(newer, earlier)
    assert not opposed(earlier, newer)


@pytest.mark.parametrize(("first", "second"), GIVEN_UP)
def test_a_title_can_say_that_something_is_no_longer_so(first: str, second: str) -> None:
    earlier, newer = pair(first, second)

    assert gives_up(newer, earlier)


@pytest.mark.parametrize(("first", "second"), BOTH_HOLD)
def test_what_can_hold_beside_an_earlier_memory_does_not_oppose_it(first: str, second: str) -> None:
    earlier, newer = pair(first, second)

    assert not opposed(newer, earlier)


VOCABULARY = [
    "use",
    "not",
    "no longer",
    "for",
    "the",
    "catalog",
    "SQLite",
    "30 seconds",
    "60",
    "is",
    "instead of",
    "from",
    "to",
    "sync",
    "async",
]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)


@given(st.lists(WORDS, max_size=8))
def test_every_pair_that_is_opposed_is_looked_at(titles: list[str]) -> None:
    given = [
        memory(id=f"{'a' * 12}{'abcdefgh'[n]}", title=said, at=later(n))
        for n, said in enumerate(titles)
    ]
    found = near(given)

    assert [
        (one, other)
        for one in given
        for other in given
        if opposed(one, other) and other.id not in found[one.id]
    ] == []


def test_titles_that_reject_other_things_are_not_compared() -> None:
    given = [
        memory(id=f"{'a' * 12}{'abcdefgh'[n]}", title=f"Use tool{n} instead of lib{n}", at=later(n))
        for n in range(8)
    ]

    assert near(given) == {}
