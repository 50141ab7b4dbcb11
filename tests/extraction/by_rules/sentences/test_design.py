import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.memories.memory import Primitive


def titles(prompt: str, *, works: bool = True) -> list[str]:
    talk = Talk().prompt("Hi!").reply("Hello!").prompt(prompt)
    talk = talk.edit("src/cart.py").reply("Done.") if works else talk.reply("Noted.")
    return [one.title for one in extract(talk.session()) if one.primitive is Primitive.DECISION]


@pytest.mark.parametrize(
    "order",
    [
        "lets store the coordinates as integers in microdegrees, floats drift after a few merges",
        "cap the batch at 500 rows, the warehouse rejects anything bigger",
        "go with a plain text format for the levels so modders can diff them",
        "sign the webhook bodies with hmac, half of the partners use proxies that strip headers",
        "leg die Bilder im Objektspeicher ab, sonst wird die Datenbank bei jedem Backup riesig",
        "usa un índice parcial porque la tabla tiene millones de filas borradas",
        "guarda os valores em centavos, senão o arredondamento dá diferença no fechamento",
    ],
)
def test_an_order_is_known_by_its_words_to_settle_the_design(order: str) -> None:
    (title,) = titles(order)

    assert title.casefold() == order.casefold()
    assert titles(order, works=False) == []


def test_an_order_too_long_for_a_title_loses_only_its_last_clause() -> None:
    order = "let's go with sqlite instead of postgres for the kiosk"
    why = "those boxes lose power all the time and nobody is there who could repair a server"

    assert titles(f"{order}, {why}") == ["Let's go with sqlite instead of postgres for the kiosk"]


@pytest.mark.parametrize(
    "order",
    [
        "fix the cart page, it has been blank since the upgrade",
        "rename the helper, i keep mixing it up with the other one",
        "push it to the branch, i want to try it on my phone",
        "the cache is cold after a deploy, thats why the first request takes so long",
        "für heute reicht das, weil ich gleich los muss",
    ],
)
def test_other_requests_with_a_motive_do_not(order: str) -> None:
    assert titles(order) == []
