import pytest
from support.costs import grows_evenly
from support.memories import later, memory

from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.similarity.changed_choice import chooses_otherwise
from git_lerim.memories.similarity.similarity import contradicts

ORDERS = "The orders service should use Postgres"


@pytest.mark.parametrize(
    ("earlier", "then"),
    [
        (ORDERS, "Use SQLite instead of Postgres for the orders service, because it is one file"),
        (ORDERS, "Let's go back to SQLite instead of Postgres for the orders"),
        (ORDERS, "Switch the orders service from Postgres to SQLite, since it is one file"),
        (
            "Which database should we use for the orders? Postgres",
            "Use SQLite, not Postgres, for the orders service",
        ),
        ("I prefer CSS modules over Tailwind here", "Use Tailwind instead of CSS modules"),
        ("Use Redis for the cache because it is fast", "Forget Redis, take the in-process cache"),
        ("Use Redis for the cache", "Use the in-process cache instead of Redis"),
        ("Use yarn", "Use not yarn but pnpm"),
        ("Let's go with yarn", "Let's go with pnpm, not yarn"),
        ("Take Bun as the runtime", "Go back to Node rather than Bun"),
        ("From now on test with unittest", "From now on test with pytest instead of unittest"),
        ("Write tests with unittest, the style we've got", "Write tests with pytest, not unittest"),
        (
            "Put the cache in memcached, otherwise every node has its own copy",
            "Let's swap memcached for redis as the cache, we need the sorted sets anyway",
        ),
        (
            "Let's use memcached as the cache, it's simple and we know it",
            "Let's swap memcached for redis as the cache",
        ),
        ("Use memcached as the cache", "Let's swap memcached for redis"),
        ("Use spaces, never tabs", "Tabs after all, sorry"),
        ("Use aiohttp instead of httpx, because httpx leaks", "Let's go back to httpx"),
        ("Use aiohttp instead of httpx", "Revert to httpx, the leak is fixed"),
        ("Use aiohttp instead of httpx", "We're switching back to httpx"),
        ("Use aiohttp instead of httpx", "Go back to httpx after all, the leak is fixed"),
        ("Use spaces instead of tabs in lua", "Tabs in lua after all"),
        (
            "Write the tests with unittest, we don't use pytest here",
            "We've moved to pytest after all, so write tests with that from here on",
        ),
        ("No default exports", "Ok default exports after all"),
        ("I prefer attrs over pydantic for configs", "I'd rather have pydantic for the configs"),
        ("Bitte immer Leerzeichen statt Tabs verwenden", "Doch lieber Tabs statt Leerzeichen"),
        ("Utilise npm plutôt que yarn", "Finalement yarn, c'est plus rapide"),
        ("No pytest, only unittest", "Write tests with pytest from now on instead of unittest"),
        ("We deploy with Heroku because it is easy", "We deploy to Fly.io now instead of Heroku"),
        ("We deploy with Heroku", "We deploy to Fly.io now, Heroku got too expensive"),
        ("We deploy with Heroku", "Heroku got too expensive, so we deploy to Fly.io now"),
        ("We host the docs on Netlify", "Docs are hosted on Pages now, no longer on Netlify"),
        ("Use Celery for jobs since we know it", "We replaced Celery with Dramatiq for jobs"),
        ("Gebruik altijd npm in deze repo", "Gebruik vanaf nu pnpm in plaats van npm"),
        ("Immer npm benutzen", "Ab jetzt pnpm statt npm benutzen"),
        ("Usa siempre npm", "Usa pnpm en lugar de npm"),
        ("Utilise toujours npm", "Désormais utilise pnpm au lieu de npm"),
        ("Zawsze używaj npm", "Używaj pnpm zamiast npm"),
        ("Всегда используй npm", "Используй pnpm вместо npm"),
        ("Put the cache in memcached", "Use redis instead of memcached for the cache"),
        ("We use moment for dates", "Replace moment with luxon for dates, moment is deprecated"),
        (
            "Always answer me in English please, even when I write German",
            "From now on answer me in German when I write German, not in English",
        ),
        (
            "Write the docs in British English",
            "From now on write the docs in American English, not in British English",
        ),
    ],
)  # fmt: skip
def test_a_title_gives_up_what_an_earlier_one_chose(earlier: str, then: str) -> None:
    assert chooses_otherwise(then, earlier)


@pytest.mark.parametrize(
    ("earlier", "then"),
    [
        ("Use Postgres for analytics", "Use SQLite instead of Postgres for the orders"),
        ("Use Postgres for the orders archive", "Use SQLite instead of Postgres for the orders"),
        ("Use Postgres for all analytics", "Use SQLite instead of Postgres"),
        ("Use Postgres on the server", "Use SQLite instead of Postgres"),
        ("Use Postgres", "Use SQLite instead of Postgres for the tests"),
        ("Use Postgres", "Use SQLite instead of Postgres on the server"),
        ("Use yarn in this repo", "Use pnpm, not yarn, in packages/web"),
        ("Use yarn workspaces", "Use pnpm instead of yarn"),
        ("I prefer CSS modules over Tailwind", "Use Tailwind instead of CSS modules in admin"),
        ("Use Redis for the rate limiter", "Use the in-process cache instead of Redis"),
        ("Never use Redis for sessions", "Use Postgres instead of Redis for sessions"),
        ("Back up Postgres every night", "Use SQLite instead of Postgres"),
        ("Postgres needs a vacuum every week", "Use SQLite instead of Postgres"),
        ("Run the tests against Postgres", "Use SQLite instead of Postgres for the tests"),
        ("Use httpx for the crawler", "Let's switch from httpx to aiohttp"),
        ("Use httpx for all HTTP calls", "Maybe switch from httpx to aiohttp"),
        ("Use Redis for the cache", "Do not forget Redis, we take care of the cache"),
        ("Use Redis for the cache", "Scrap Redis locks, use advisory locks"),
        ("Always use Postgres", "Let the demo run against SQLite instead of Postgres"),
        ("Always use Postgres", "Run against SQLite instead of Postgres"),
        (
            "Use sqlite for jobs, because tests are fast",
            "Use h2 instead of sqlite for jobs in tests",
        ),
        ("Write tests with unittest", "They write tests with pytest instead of unittest"),
        ("Write tests with unittest", "Write integration tests with pytest, not unittest"),
        ("Write tests with unittest", "Write tests for the api with pytest, not unittest"),
        (
            "Write tests with unittest",
            "Write tests with pytest, not unittest, but only for the api",
        ),
        ("Write docs in British English", "Write docs in plain English for kids, not in British"),
        ("Put the cache in memcached", "Swap memcached for redis in the tests"),
        ("We deploy with Heroku", "We deploy to Fly.io now, Heroku is the fallback"),
        ("We deploy with Heroku", "We deploy the docs to Fly.io now, Heroku got too expensive"),
        ("We host the docs on Netlify", "The blog is on GitHub Pages now, no longer on Netlify"),
        ("Gebruik altijd npm voor de website", "Gebruik pnpm in plaats van npm"),
        ("Immer npm benutzen", "Im Web pnpm statt npm benutzen"),
        ("Usa siempre npm", "Usa pnpm en lugar de npm en la web"),
        ("Use spaces, never tabs", "The tabs in the dialog after all"),
        ("Use aiohttp, because it has http2", "Let's go back to httpx"),
        ("Use aiohttp instead of httpx in the crawler", "Let's go back to httpx"),
        ("Commit to a branch, never main", "Let's go back to main"),
        ("Use aiohttp instead of httpx", "Revert the httpx commit"),
        ("Use aiohttp instead of httpx", "Should we go back to httpx?"),
        ("Use spaces, never tabs", "Tabs in lua after all"),
        ("Use spaces instead of tabs in lua", "Tabs after all"),
        ("Use spaces instead of tabs", "Spaces after all"),
        ("Never push to main", "Push after all"),
        ("Never commit", "Commit after all"),
        ("Bitte immer Leerzeichen statt Tabs verwenden", "Doch lieber Leerzeichen statt Tabs"),
        ("No pytest, only unittest", "Write api tests with pytest instead of unittest"),
        ("No pytest, only unittest", "Write tests with pytest instead of unittest in the api"),
        ("No pytest for the cli", "Write tests with pytest instead of nose"),
        ("Use memcached as the session store", "Swap memcached for redis as the cache"),
        ("Use memcached as the cache", "Swap memcached for redis as the session store"),
        ("Use threads", "Write the importer with processes instead of threads"),
        ("Use exceptions", "Return a Result instead of exceptions from the parser"),
        ("Use exceptions", "Parser functions return None rather than exceptions"),
        ("Use requests", "Mock the client instead of requests"),
        ("Use Redis for sessions", "Guests get cookie sessions instead of Redis"),
        ("Use threads", "Use processes in the importer instead of threads"),
        ("Always use tabs in every Makefile", "Use spaces instead of tabs from now on"),
        ("Prefer tabs over spaces in Makefiles", "Prefer spaces over tabs"),
    ],
)
def test_what_may_hold_beside_an_earlier_choice_leaves_it(earlier: str, then: str) -> None:
    assert not chooses_otherwise(then, earlier)


def test_only_a_persons_wish_or_decision_is_given_up_by_one() -> None:
    earlier = memory(title="Use Redis for the cache", origin=Origin.HUMAN)
    newer = memory(
        id="b" * 13,
        title="Use the in-process cache instead of Redis",
        at=later(days=3),
        origin=Origin.HUMAN,
        primitive=Primitive.LEARNING,
        kind=Kind.PREFERENCE,
    )

    assert contradicts(newer, earlier)
    assert not contradicts(earlier, newer)
    assert not contradicts(newer.having(origin=Origin.RULES), earlier)
    assert not contradicts(newer, earlier.having(origin=Origin.REPAIR))
    pitfall = earlier.having(primitive=Primitive.LEARNING, kind=Kind.PITFALL)
    assert not contradicts(newer, pitfall)


@pytest.mark.parametrize("unit", ["use as the ", "no, ", "go with a as the ", "switch from ", "; "])
def test_a_title_made_to_be_hostile_is_read_in_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: chooses_otherwise(unit * size, f"Use {unit * size}x"), 400)
