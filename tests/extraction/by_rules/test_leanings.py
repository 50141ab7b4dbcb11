"""What a memory leans to: a decision or a learning."""

from itertools import count

from git_lerim.extraction import by_rules
from git_lerim.extraction.by_rules.body import compose
from git_lerim.extraction.by_rules.kinds import primitive
from git_lerim.extraction.by_rules.leanings import leaning
from git_lerim.extraction.by_rules.model import leans, trained, worth
from git_lerim.extraction.by_rules.signals import Scene, signals
from git_lerim.memories.memory import Primitive
from git_lerim.sessions.session import Header, Record, Role, Session


def staged(*said: tuple[Role, str]) -> Scene:
    number = count(1)
    records = tuple(Record(n=next(number), role=role, text=text) for role, text in said)
    return by_rules.survey(Session(agent="claude", id="s", header=Header(), records=records))


def lean_of(stage: Scene, at: int, title: str = "A title") -> dict[str, float]:
    found = [signals(stage, one) for one in range(len(stage.passages))]
    worths = [worth(one, trained()) for one in found]
    return leaning(stage, found)(at, title, compose(stage, worths, at))


ANSWER = (
    "The catalog is kept in SQLite from now on instead of a JSON file, because two writers lost each other's rows. "
    "Every writer opens the catalog with a busy timeout of five seconds."
)


def test_an_order_of_the_human_leans_more_to_a_decision_than_a_question() -> None:
    ordered = staged((Role.PROMPT, "Hello."), (Role.PROMPT, "Please use SQLite for the catalog."), (Role.REPLY, ANSWER))
    asked = staged((Role.PROMPT, "Hello."), (Role.PROMPT, "How does the catalog work?"), (Role.REPLY, ANSWER))
    order, question = lean_of(ordered, len(ordered.passages) - 1), lean_of(asked, len(asked.passages) - 1)
    assert order["leans_topic_ordered"] > question["leans_topic_ordered"] == 0
    assert leans(order, trained()) > leans(question, trained())


def test_words_about_tests_lean_to_a_learning() -> None:
    stage = staged((Role.PROMPT, "Please use SQLite for the catalog."), (Role.REPLY, ANSWER))
    plain, tests = lean_of(stage, 0), lean_of(stage, 0, "Catalog tests need a fixture of two writers")
    assert tests["leans_title_tests"] == 1
    assert leans(tests, trained()) < leans(plain, trained())


def test_every_leaning_is_a_number_from_0_to_1_and_has_a_weight() -> None:
    stage = staged((Role.PROMPT, "Please use SQLite for the catalog."), (Role.REPLY, ANSWER), (Role.PROMPT, "Rename it then."))
    for at in range(len(stage.passages)):
        found = lean_of(stage, at)
        assert all(0 <= value <= 1 for value in found.values())
        assert set(found) <= set(trained())


def test_how_to_run_a_thing_is_a_learning_however_it_leans() -> None:
    stage = staged((Role.PROMPT, "Please use SQLite for the catalog."), (Role.REPLY, ANSWER))
    seed = stage.passages[0]
    assert primitive(stage, seed, "Run `make check` before every commit", 0.9) is Primitive.LEARNING
    assert primitive(stage, seed, "The catalog is kept in SQLite", 0.9) is Primitive.DECISION
    assert primitive(stage, seed, "The catalog is kept in SQLite", 0.1) is Primitive.LEARNING
