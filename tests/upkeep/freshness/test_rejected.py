import pytest

from git_lerim.upkeep.freshness.claims import Word
from git_lerim.upkeep.freshness.rejected import claimed_words, replaced_words, without_rejected

CODE = [
    "client = redis.Redis(host)",
    "other = Memcached(host)",
    "LIMIT = 20",
    "class Row:",
    "    def get(self): ...",
    "    def fetch(self): ...",
]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The pool should not use idleSockets from probe.py", "The pool should not from probe.py"),
        ("Never call `os.fork()` before `start()`", "Never before `start()`"),
        ("Do not call `pop` without `lock`", "Do not without `lock`"),
        ("Use `slots`, not `dict`, in `Row`", "Use `slots`, not , in `Row`"),
        ("Return not `None` but `[]`", "Return not but `[]`"),
        ("Use `slots` instead of `dict` for `Row`", "Use `slots` instead of for `Row`"),
        ("Don't use `a` and `b`", "Don't"),
        ("Get rid of LegacyView. Use GridView", "Get rid of. Use GridView"),
        ("For now remove all liveRows", "For now remove"),
        ("The flag `--fast` was removed", "The flag was removed"),
        ("`open` stays (the `isLocked()` checks were removed)", "`open` stays (the were removed)"),
        ("`legacyPath` is no longer used", "is no longer"),
        ("Rename `old_name` to `new_name`", "Rename to `new_name`"),
        ("Raise LIMIT from 10 to 20", "Raise LIMIT from to 20"),
    ],
)
def test_what_the_code_should_not_have_is_left_out(text: str, left: str) -> None:
    assert " ".join(without_rejected(text).split()).replace(" .", ".") == left


@pytest.mark.parametrize(
    "text",
    [
        "`close` removes `tmp` from `rows`",
        "`flush` calls `clean()` to remove `tmp_dir`",
        "Expired `rows` are removed by `sweep`",
        "`seek` is not only `slow` but `lossy`",
        "`if not ready` guards `start`",
        "`load` reads from `head` to `tail`",
    ],
)
def test_what_code_does_is_kept(text: str) -> None:
    assert without_rejected(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Switch the cache from Redis to Memcached, because ops wants to get rid of Redis.",
        "Move the queue from Redis to Memcached, since Redis loses jobs.",
        "Replace Redis with Memcached in limits.py, because Redis is slow.",
        "Replace Redis by Memcached. Redis needs too much memory.",
        "Use Memcached instead of Redis, because Redis is slow.",
        "Drop Redis in favour of Memcached in store.py, because ops wants to get rid of Redis.",
        "Swap Redis for Memcached, because Redis is slow.",
        "Substitute Memcached for Redis, because Redis is slow.",
        "Move away from Redis to Memcached, because Redis is slow.",
        "Switch to Memcached, away from Redis, because Redis is slow.",
        "Stop using Redis, use Memcached.",
        "We replaced Redis with Memcached, because Redis lost keys.",
        "Phase out Redis, Memcached is enough.",
    ],
)
def test_what_is_to_be_replaced_is_expected_nowhere_in_the_code(text: str) -> None:
    assert [word.text for word in claimed_words(text, text, CODE)] == ["Memcached"]
    assert [word.text for word in replaced_words(text, "", CODE)] == ["Redis"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Keep Redis, because Memcached loses keys", {"Redis", "Memcached"}),
        ("Stay with Redis instead of Memcached, because Redis counts logins", {"Redis"}),
        ("Redis fills Memcached from the rows", {"Redis", "Memcached"}),
        ("Rename `Row.get` to `Row.fetch`, because `Row.get` shadows it", {"Row", "fetch"}),
        ("Raise LIMIT from 10 to 20, because 10 is too low", {"LIMIT", "20"}),
        (
            "`Row.get` must not call `fetch`. `fetch` is called by Redis",
            {"Row", "get", "fetch", "Redis"},
        ),
        ("Never call `Row.get`, because `Row.get` blocks", {"Row", "get"}),
        ("Prefer Memcached over Redis, because Redis is slow", {"Redis", "Memcached"}),
        ("Stop Redis before you start Memcached", {"Redis", "Memcached"}),
        ("Exchange keys between Redis and Memcached", {"Redis", "Memcached"}),
    ],
)
def test_what_is_not_to_be_replaced_is_expected_as_before(text: str, left: set[str]) -> None:
    assert {word.text for word in claimed_words(text, "", CODE)} == left


def test_a_repaired_failure_expects_nothing_of_the_code_that_caused_it() -> None:
    cause = "`datetime.utcnow()` returns a naive datetime."
    failed = "`pytest tests/test_eta.py` failed with “TypeError: can't subtract”"

    assert claimed_words("T", f"{cause} {failed}; a change of `eta.py`, `b.py` made it pass.") == ()
    assert Word("utcnow") in claimed_words("T", f"{cause} {failed}; it passed afterwards.")
