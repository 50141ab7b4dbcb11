import pytest

from git_lerim.memories.similarity.given_up import gives_up


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Always ask before running migrations", "You don't need to ask for migrations anymore"),
        ("Never touch src/old, nobody understands it", "You can edit src/old again"),
        ("Never edit files under src/old", "You can edit the src/old folder again"),
        ("Never add packages without asking me", "You can add packages without asking me again"),
        ("Use axios for all http calls because it retries", "We no longer use axios"),
        ("All colors go into tailwind.config.js, no hex values", "We dropped tailwind"),
        ("Always write tests with mocha", "Stop using mocha"),
        ("Store the sessions in Redis so they survive", "Scrap the Redis sessions, use cookies"),
        ("Use Redis for the queue", "Redis is too slow for the queue, let's go to Postgres"),
        ("Never use Docker locally", "I don't mind Docker locally anymore"),
        ("Immer Squash-Merges machen", "Squash-Merges machen wir nicht mehr"),
        ("Run prettier after editing", "No need to run prettier after editing anymore"),
        ("Always answer me in German", "Answer in English from now on"),
        ("Write the docs in Markdown", "From now on write all docs in AsciiDoc"),
        ("Always add a changelog entry for users", "Changelog entries are no longer needed"),
        ("Don't use async in the worker", "Async is fine in the worker now"),
        ("Bitte nie Makros verwenden", "Makros sind wieder ok"),
        ("Use Kafka for events", "Kafka was overkill, we're back to a table"),
        ("Put migrations in their own PR", "Migrations don't have to be in their own PR anymore"),
        ("Put the api behind /api/v1", "Remove the /api/v1 prefix again"),
        ("We only support node 18, don't use anything newer", "We're on node 22 now"),
        ("Write the mails in German", "Write the mails in English after all"),
        ("Write tests with unittest", "I gave up on unittest, use pytest from here on"),
        ("From now on mock http with nock", "I'm done with nock, please use msw from here on"),
        ("Indent with 2 spaces in the lua scripts", "2 spaces in lua is odd after all, make it 4"),
        ("Squash everything into one commit per PR", "Don't squash anymore, I want to bisect"),
        (
            "Always answer me in English please, even when I write German",
            "You can answer in German again when I write German, the English colleague left",
        ),
        ("Mails immer auf Deutsch", "Mails doch lieber auf Englisch"),
        ("Usa siempre yarn en este proyecto", "Ya no uses yarn, usa pnpm"),
        ("We moved away from yarn, so use pnpm", "We no longer use pnpm"),
        ("Don't use tabs anymore", "You can use tabs again"),
    ],
)
def test_what_an_earlier_title_wants_is_given_up(earlier: str, later: str) -> None:
    assert gives_up(later, earlier)
    assert not gives_up(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Always ask before running migrations", "You don't need to ask for a review anymore"),
        ("Always ask before running migrations", "We no longer run migrations on startup"),
        ("Always squash before you commit", "You don't need to commit anymore"),
        ("Always squash before you commit", "We no longer commit, the bot does"),
        ("Never touch src/old", "You can edit src/new again"),
        ("Never touch src/old", "You can edit src/old/x.py again"),
        ("Never log tokens", "You can log the request again"),
        ("Never use lambdas", "You can use lambdas again in the tests"),
        ("Never use Docker", "Docker is fine now in the CI"),
        ("Use yarn", "We don't use yarn anymore in the CI"),
        ("Keep error messages short", "The error message is no longer needed in the header"),
        ("Immer yarn nutzen", "Wir nutzen yarn nicht mehr in der CI"),
        ("Never commit to main", "You can commit again"),
        ("Always ask before running migrations", "You can ask before running migrations again"),
        ("Never use moment", "We no longer use moment"),
        ("Use moment for dates", "Don't use moment in the tests anymore"),
        ("Use jest for the tests", "We dropped the tests, so delete the folder"),
        ("Use Redis for the queue", "Redis is too slow for the index, let's move to Solr"),
        ("Use tabs for indentation", "Scrap the tabs component, use the accordion"),
        ("Use jest, and never commit without a test", "We no longer use jest"),
        ("Show a banner while the shop is closed", "Remove the banner image again"),
        ("Write comments in English", "Remove the comments again"),
        ("We only support node 18", "We're on node 18 now"),
        ("Always answer in German", "Answer in Markdown from now on"),
        ("Always answer in German", "Answer in detail from now on"),
        ("Always log in UTC", "Log in JSON from now on"),
        (
            "Always run the linter and the tests before committing",
            "You don't need to run the linter anymore",
        ),
        ("Always support IE 11 and Edge", "We no longer support IE"),
        ("Always deploy on Fridays", "The deploy is too slow, let's move to docker"),
        ("Always ask before you delete files", "You don't need to ask anymore, just do it"),
        ("We only support node 18", "We're on python 3.12 now"),
        ("Run the old lambda on node 18", "We're on node 22 now"),
        ("Always answer quickly", "Answer in English from now on"),
        ("Always back up Kafka at night", "Kafka was overkill, we're back to a table"),
        ("Use Kafka for events", "Kafka is too slow on my laptop, let's use the mock instead"),
        ("Write the mails in German", "Write the error messages in English after all"),
        ("Commit messages in English", "Don't commit anymore"),
        ("Squash everything into one commit", "Don't squash the migrations anymore"),
        ("Write tests with unittest", "I gave up on unittest in the api, use pytest from here on"),
        ("Use the login page everywhere", "I'm done with the login page, do the next instead"),
        ("Always use tabs in Makefiles", "Tabs in lua look odd after all, make it 2 spaces"),
        ("Always answer in English", "You can answer in German again in the support chat"),
        ("Write the mails in English", "Write the mails in English after all"),
        ("Always use Postgres", "Run against SQLite instead of Postgres"),
    ],
)
def test_what_may_be_about_something_else_is_not_given_up(earlier: str, later: str) -> None:
    assert not gives_up(later, earlier)
