import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.wishes.requests import asked_for, is_lasting, without_tag
from git_lerim.extraction.wishes.says import Wish, wish_in


def said(text: str) -> list[str]:
    talk = Talk().prompt("Show me the panel.").reply("Here it is.").prompt(text)
    return [one.title for one in extract(talk.edit("src/panel.ts").reply("Done.").session())]


@pytest.mark.parametrize(
    "wish",
    [
        "Kannst du bitte in Zukunft die Tests laufen lassen, bevor du fertig bist?",
        "Könntest du künftig vor jeder Migration ein Backup machen",
        "Wenn du einen Endpunkt änderst, dann bitte auch immer die Tests anpassen, ok?",
        "Bitte generell keine Inline-Styles",
        "Bei allem was du hier machst, Commits auf Englisch",
        "Peux-tu à l'avenir me demander avant d'ajouter une dépendance ?",
        "Pourrais-tu toujours écrire les tests d'abord ?",
        "Pour tout ce que tu écris ici, des noms en anglais",
        "Ne touche jamais au dossier legacy, d'accord ?",
        "¿Puedes a partir de ahora pedirme permiso antes de borrar archivos?",
        "Podrías siempre correr el linter antes de terminar",
        "Para todo lo que hagas aquí, mensajes de commit en inglés",
        "Puoi d'ora in poi chiedermi prima di aggiungere dipendenze?",
        "Per tutto quello che fai qui, messaggi di commit in inglese",
        "Você poderia sempre rodar os testes antes de dizer que terminou?",
        "Czy możesz od teraz pisać commity po angielsku?",
        "¿Puedes correr siempre los tests antes de terminar?",
        "Puoi sempre lanciare i test prima di finire?",
        "Você pode sempre rodar os testes antes de terminar?",
        "Kun je voortaan eerst vragen voor je een dependency toevoegt?",
        "Maak voortaan voor elke bug eerst een falende test",
        "Vanaf nu eerst een test schrijven",
        "Voor alles wat je hier doet, commits in het Engels",
    ],
)
def test_a_wish_in_a_question_or_for_all_that_is_done_is_kept(wish: str) -> None:
    assert wish_in(wish) is Wish.EXPLICIT
    assert len(said(wish)) == 1


@pytest.mark.parametrize(
    "other",
    [
        "Kannst du den Test nochmal laufen lassen?",
        "Kannst du mir sagen, warum das immer fehlschlägt?",
        "Kannst du das immer noch nicht lesen?",
        "Bitte keine neue lib für den datepicker, wir haben schon einen in src/Range.vue",
        "Das Menü muss immer oben bleiben, fix das css",
        "Bei allem was du heute geändert hast fehlt der Test",
        "Ab jetzt geht der Login wieder",
        "Peux-tu relancer les tests ?",
        "Peux-tu me dire pourquoi ça plante toujours ?",
        "Tu peux toujours le changer plus tard",
        "Le menu doit toujours rester visible au scroll, corrige le css",
        "¿Puedes decirme por qué siempre falla?",
        "Puedes cambiarlo siempre después",
        "El menú siempre debe estar arriba, corrige el css",
        "Puoi rilanciare i test?",
        "Il menu deve restare sempre visibile, correggi il css",
        "Pode rodar os testes de novo?",
        "O menu deve ficar sempre visível, corrige o css",
        "Kun je de tests nog eens draaien?",
        "Het menu moet altijd zichtbaar blijven, fix de css",
        "Vanaf nu werkt de login weer",
        "Permitir en el futuro exportar los informes a PDF",
    ],
)
def test_a_request_of_the_moment_and_a_report_are_no_wishes(other: str) -> None:
    assert said(other) == []


def test_a_request_is_what_the_question_asks_for() -> None:
    assert asked_for("Kannst du die Tests starten?") == "die Tests starten"
    assert asked_for("Warum laufen die Tests?") == ""
    assert without_tag("immer auf Deutsch, ok?") == "immer auf Deutsch"
    assert is_lasting("die Tests immer starten")
    assert not is_lasting("die Tests immer noch starten")
