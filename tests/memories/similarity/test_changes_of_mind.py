import pytest
from support.costs import grows_evenly

from git_lerim.memories.similarity.change_forms import Way
from git_lerim.memories.similarity.changes_of_mind import change_of_mind


@pytest.mark.parametrize(
    ("said", "way", "subject"),
    [
        ("You don't need to run the linter anymore, CI does", Way.EXCUSED, "run the linter"),
        ("no need to run the linter any more", Way.EXCUSED, "run the linter"),
        ("You no longer have to run the linter because CI does", Way.EXCUSED, "run the linter"),
        ("du musst den Linter nicht mehr starten", Way.EXCUSED, "den Linter starten"),
        ("Plus besoin de lancer le linter, la CI s'en charge", Way.EXCUSED, "lancer le linter"),
        ("Non devi più usare il linter", Way.EXCUSED, "usare il linter"),
        ("ok you can edit src/old again, we have tests", Way.ALLOWED, "edit src/old"),
        ("You can add packages again without asking", Way.ALLOWED, "add packages without asking"),
        ("src/old is fine to edit again", Way.ALLOWED, "src/old edit"),
        ("Async is fine in the worker now", Way.ALLOWED, "Async in the worker"),
        ("You can merge features, the freeze is over", Way.ALLOWED, "merge features"),
        ("We should get rid of jest for e2e and use vitest", Way.DROPPED, "jest for e2e"),
        ("yarn keeps breaking, we're back on npm", Way.REPLACED, "yarn"),
        ("Réponds en anglais à partir de maintenant", Way.RATHER, "Réponds"),
        ("we're using Tailwind now", Way.ALLOWED, "Tailwind"),
        ("du darfst src/alt wieder ändern", Way.ALLOWED, "src/alt ändern"),
        ("Tabs are ok again in Makefiles", Way.ALLOWED, "Tabs in Makefiles"),
        ("We dropped yarn, so use pnpm from now on", Way.DROPPED, "yarn"),
        ("we moved away from yarn to pnpm", Way.DROPPED, "yarn"),
        ("We no longer use yarn, use pnpm", Way.DROPPED, "use yarn"),
        ("don't use yarn anymore", Way.DROPPED, "use yarn"),
        ("we moved to pnpm, so no more yarn", Way.DROPPED, "yarn"),
        ("Docstrings are not required anymore", Way.DROPPED, "Docstrings"),
        ("yarn is gone, we use pnpm now", Way.DROPPED, "yarn"),
        ("yarn is slow, we don't use yarn anymore", Way.DROPPED, "use yarn"),
        ("Scrap yarn, go with pnpm", Way.DROPPED, "yarn"),
        ("yarn is too slow for us, let's move to pnpm", Way.DROPPED, "yarn for us"),
        ("wir nutzen yarn nicht mehr", Way.DROPPED, "yarn"),
        ("finalement on vire yarn", Way.DROPPED, "yarn"),
        ("ya no uses yarn, usa pnpm", Way.DROPPED, "yarn"),
        ("não use mais yarn", Way.DROPPED, "yarn"),
        ("gebruik geen yarn meer, maar pnpm", Way.DROPPED, "yarn"),
        ("nie używaj już yarn", Way.DROPPED, "yarn"),
        ("больше не используй yarn", Way.DROPPED, "yarn"),
        ("yarn locks up, so let's go with pnpm instead", Way.REPLACED, "yarn"),
        ("yarn was overkill, we're back to npm", Way.REPLACED, "yarn"),
        ("remove the banner again, nobody reads it", Way.REMOVED, "the banner"),
        ("We're on node 22 now so use what is new", Way.RENEWED, "node"),
        ("Mails in English after all", Way.RATHER, "Mails"),
        ("Write the mails in English from now on", Way.RATHER, "Write the mails"),
        ("Mails doch lieber auf Englisch", Way.RATHER, "Mails"),
        ("les mails plutôt en anglais", Way.RATHER, "les mails"),
    ],
)
def test_a_sentence_gives_up_what_may_have_been_wanted(said: str, way: Way, subject: str) -> None:
    found = change_of_mind(said)

    assert found
    assert (found.way, found.subject) == (way, subject)


@pytest.mark.parametrize(
    "said",
    [
        "Can you remove the banner again?",
        "Are tabs ok again?",
        "The tests are ok again",
        "The tests are fine now",
        "yarn is down, let's use npm instead",
        "yarn was down last night, we're back to normal",
        "In the docs, we no longer use yarn",
        "You can use lambdas again when they are short",
        "The loading indicator is not showing anymore",
        "The banner is no longer on the page",
        "I changed my mind: go back to SQLite instead of Postgres",
        "Bob said we don't use yarn anymore",
        "Users who no longer use yarn see a hint",
        "If the file is YAML, don't use tabs anymore",
        "For this PR you don't need to run the linter anymore",
        "You don't need to run the linter anymore today",
        "you can run it again",
        "remove that again",
        "you don't need to run the linter",
        "The user can edit the page again",
        "The linter is too strict, let's use the default rules",
        "Forget what I said about tabs",
        "heute musst du den Linter nicht mehr starten",
    ],
)
def test_other_sentences_give_nothing_up(said: str) -> None:
    assert change_of_mind(said) is None


@pytest.mark.parametrize("unit", ["we no longer ", "a is too b, ", "remove a ", "a a.", "ok, "])
def test_a_sentence_made_to_be_hostile_is_read_in_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: change_of_mind(unit * size), 20)
