"""Orders with a reason in languages other than English."""

import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.wishes.says import explains_order, takes_instead


def said(text: str, *, done: bool = True) -> list[tuple[str, str]]:
    talk = Talk().prompt("Show me the panel.").reply("Here it is.").prompt(text)
    talk = talk.edit("src/panel.ts") if done else talk
    found = extract(talk.reply("Done.").session())
    return [(one.title, one.kind.value if one.kind else "decision") for one in found]


ORDERS = [
    "Speichere die Sessions in Redis, weil wir drei Replikas haben",
    "Nimm lieber csv als json für den Export, die Kunden öffnen ihn in Excel",
    "Bitte argon2 statt bcrypt für die Passwörter, bcrypt schneidet lange ab",
    "Wir nehmen uuidv7 statt uuid4, damit man die Bestellungen sortieren kann",
    "Pinn httpx auf 0.27, da 0.28 das Argument proxies entfernt hat",
    "Stocke les sessions dans redis parce qu'on a trois réplicas",
    "Prends sqlite plutôt que postgres, l'outil doit marcher hors ligne",
    "Utilise une file postgres au lieu de rabbitmq, car l'hébergeur n'en propose pas",
    "Guarda las sesiones en redis porque tenemos tres réplicas",
    "Usa decimal en vez de float para los precios ya que el redondeo daba diferencias",
    "Pon la validación en el servicio y no en el controlador, porque la cli lo llama",
    "Manda los correos desde el worker y no desde la petición, porque smtp es lento",
    "Salva le sessioni in redis perché abbiamo tre repliche",
    "Usa sqlite invece di postgres, lo strumento deve funzionare offline",
    "Guarde as sessões no redis porque temos três réplicas",
    "Use sqlite em vez de postgres, a ferramenta tem que funcionar offline",
    "Bewaar de sessies in redis omdat we drie replica's hebben",
    "Vervang moment door date-fns want moment is 70kb",
]


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_with_a_reason_is_a_decision_once_it_is_carried_out(order: str) -> None:
    assert said(order) == [(order, "decision")]
    assert (order, "decision") not in said(order, done=False)


@pytest.mark.parametrize(
    "order",
    [
        "Nein, nimm Polling statt Websockets. Der Proxy der Bank puffert alles",
        "Non, fais du polling au lieu des websockets. Le proxy coupe les connexions longues",
        "No, haz polling en vez de websockets. El proxy corta las conexiones largas",
        "Kannst du die Queue von Celery auf Postgres umstellen? Wir wollen keinen Broker",
        "Peux-tu passer la file de celery à postgres ? On ne veut pas gérer un broker",
        "¿Puedes pasar la cola de celery a postgres? No queremos mantener un broker",
        "Puoi passare la coda da celery a postgres? Non vogliamo gestire un broker",
        "Você pode mudar a fila do celery para postgres? Não queremos manter um broker",
        "Kun je de wachtrij van celery naar postgres omzetten? We willen geen broker beheren",
    ],
)
def test_the_reason_may_follow_as_a_sentence_of_its_own(order: str) -> None:
    assert [kind for _, kind in said(order)] == ["decision"]


@pytest.mark.parametrize(
    "statement",
    [
        "Nimm heute mal den Mock statt der API, weil die API down ist",
        "Nimm meinen Branch statt main, da bin ich weiter",
        "Nimm das statt json, weil es schneller ist",
        "Schreib einen Test dafür, weil die Abdeckung fehlt",
        "Der Kunde nimmt csv statt json, weil er Excel hat",
        "Soll ich redis statt memcached nehmen, weil es persistiert?",
        "Ich hab sqlite statt postgres genommen, weil es schneller ging",
        "Wir nehmen das nachher auseinander, weil jetzt keine zeit ist",
        "Mets ça de côté parce que je n'ai pas le temps",
        "Guarda ese cambio porque me tengo que ir",
        "Salva tutto perché devo uscire",
        "Salve tudo porque vou sair",
        "Zet dat even opzij want ik heb nu geen tijd",
        "Korrigiere das css, weil der Button verrutscht",
        "Zeig mir die query, weil ich sehen will was sie macht",
        "Prends le mock au lieu de l'api pour l'instant, parce que l'api est en panne",
        "Le client utilise csv au lieu de json parce qu'il a excel",
        "Corrige le css parce que le bouton bouge",
        "Pourquoi tu utilises csv au lieu de json ? C'est lent",
        "Usa mi rama en vez de main porque voy más avanzado",
        "El cliente usa csv en vez de json porque tiene excel",
        "Hazlo en vez de eso porque es mejor",
        "Scrivi un test perché manca la copertura",
        "Il cliente usa csv invece di json perché ha excel",
        "Use o mock em vez da api por enquanto, porque a api está fora",
        "De klant gebruikt csv in plaats van json omdat hij excel heeft",
        "Gebruik nu even de mock in plaats van de api, omdat de api plat ligt",
    ],
)
def test_a_report_a_question_or_an_order_for_the_moment_is_left_out(statement: str) -> None:
    assert said(statement) == []


def test_what_goes_on_to_something_else_is_no_reason() -> None:
    order = "Nimm redis statt memcached"
    assert takes_instead(order)
    assert explains_order(order, "Der Cache muss einen Neustart überleben")
    assert not explains_order(order, "Dann lösch den alten Cache")
    assert not explains_order(order, "Schreib danach die Tests neu")
    assert not explains_order(order, "")
    assert not explains_order("Use redis instead of memcached", "It persists")


@pytest.mark.parametrize("words", ["von a auf b ", "bitte, ", "nimm a statt b ", "move x from a "])
def test_the_time_to_read_an_order_grows_no_faster_than_the_order(words: str) -> None:
    assert grows_evenly(lambda size: said(words * size), 500)
