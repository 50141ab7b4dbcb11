import pytest
from support.costs import grows_evenly

from git_lerim.memories.checks.denials import is_denial, without_denied

DENIALS = [
    "Never run `make x` before a commit.",
    "You always run `make x`, that should not have happened.",
    "Führe `make x` nie vor einem Commit aus.",
    "Du führst immer `make x` aus, das hätte nicht passieren dürfen.",
    "Ne lance jamais `make x` avant un commit.",
    "N'exécute pas `make x`.",
    "Tu lances toujours `make x`, tu n'aurais pas dû.",
    "No ejecutes `make x` antes de cada commit.",
    "Nunca ejecutes `make x`.",
    "Não execute `make x` antes do commit.",
    "Non eseguire `make x` prima di un commit.",
    "Gebruik nooit `make x`.",
    "Voer `make x` niet uit voor een commit.",
]
ORDERS = [
    "There is no cache: always run `make x`.",
    "No, always run `make x`.",
    "Use non-empty names and `make x`.",
    "I want no mocks, run `make x`.",
    "Führe immer `make x` vor einem Commit aus, keine Ausnahmen.",
    "Benutze immer `make x` und nicht npm.",
    "Vergiss nicht `make x`.",
    "N'oublie pas de lancer toujours `make x`.",
    "Lance toujours `make x` et jamais npm.",
    "Ejecuta siempre `make x` y no npm.",
    "Esegui sempre `make x`, mai npm.",
    "Sempre execute `make x`, não npm.",
    "Voer altijd `make x` uit, niet npm.",
]


@pytest.mark.parametrize("said", DENIALS)
def test_what_a_person_forbids_or_regrets_is_left_out(said: str) -> None:
    assert is_denial(said)
    assert "make x" not in without_denied(said)


@pytest.mark.parametrize("said", ORDERS)
def test_what_a_person_orders_beside_it_stays(said: str) -> None:
    assert "make x" in without_denied(said)


@pytest.mark.parametrize("piece", ["no ", "not ", "no la ", "not sure "])
def test_a_long_sentence_costs_time_in_proportion(piece: str) -> None:
    assert grows_evenly(lambda size: is_denial(piece * (size // len(piece))), 20_000)
