"""What holds only until something at hand ends is no lasting wish."""

import pytest
from support.costs import grows_evenly

from git_lerim.extraction.wishes.says import Wish, looks_like_one, wish_in


@pytest.mark.parametrize(
    "said",
    [
        "Don't restart the node while Lin's job is running",
        "don't touch the schema as long as the migration is open",
        "don't deploy anything while the auditors are in the house",
        "no merges until the freeze is over",
        "Leave the lint failures alone until I've merged Ana's branch",
        "don't rename anything as long as Kim is on vacation",
        "until CI is green again never merge anything into develop",
        "Starte den Server nicht neu, solange Jans Import läuft",
        "Ne redémarre pas le nœud tant que le job de Luc tourne",
        "No reinicies el nodo mientras corre el trabajo de Luis",
        "Herstart de server niet zolang Jans import loopt",
    ],
)
def test_a_temporary_order_is_no_wish(said: str) -> None:
    assert looks_like_one(said)


@pytest.mark.parametrize(
    "said",
    [
        "don't push while tests are red. ever.",
        "never deploy while tests are running",
        "Never merge until CI is green, that goes for every branch",
        "Never merge until Ana's review is done.",
        "never push until I say so",
        "always wait until the server is up before you run the tests",
        "Pushe nie, solange Tests Fehler zeigen",
        "Nunca hagas push mientras los tests estén en rojo",
    ],
)
def test_an_order_for_a_recurring_state_may_be_a_wish(said: str) -> None:
    assert wish_in(said) is not Wish.NONE


@pytest.mark.parametrize(
    "said",
    [
        "Security fixes stay out of public branches until the embargo is over.",
        "If a build is red, leave features alone until it's green again.",
        "Signatures stay compatible until the last client is migrated.",
    ],
)
def test_an_order_for_each_case_may_be_a_wish(said: str) -> None:
    assert not looks_like_one(said)


@pytest.mark.parametrize("part", ["while ", "until the a ", "mientras de ", "solange As B"])
def test_a_long_prompt_costs_time_in_proportion(part: str) -> None:
    assert grows_evenly(lambda size: looks_like_one(f"Don't {part * size}"), 2000)
