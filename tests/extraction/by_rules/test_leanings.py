"""What a memory leans to: a decision or a learning."""

from collections.abc import Sequence
from itertools import count

from msgspec.structs import replace

from git_lerim.extraction import by_rules
from git_lerim.extraction.by_rules.body import compose
from git_lerim.extraction.by_rules.kinds import chosen, primitive
from git_lerim.extraction.by_rules.leanings import leaning
from git_lerim.extraction.by_rules.model import leans, trained, worth
from git_lerim.extraction.by_rules.signals import Scene, signals
from git_lerim.memories.memory import Primitive
from git_lerim.sessions.session import Header, Record, Role, Session


def staged(*said: tuple[Role, str]) -> Scene:
    number = count(1)
    records = tuple(Record(n=next(number), role=role, text=text) for role, text in said)
    return by_rules.survey(Session(agent="claude", id="s", header=Header(), records=records))


def numbered(records: Sequence[Record]) -> list[Record]:
    return [replace(record, n=at) for at, record in enumerate(records, 1)]


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


def test_a_wish_of_how_work_is_done_leans_to_a_learning() -> None:
    product = staged((Role.PROMPT, "Hello."), (Role.PROMPT, "I would like to keep the catalog in SQLite."), (Role.REPLY, ANSWER))
    work = staged((Role.PROMPT, "Hello."), (Role.PROMPT, "I would like to keep the tests in one file."), (Role.REPLY, ANSWER))
    plain, wished = lean_of(product, len(product.passages) - 1), lean_of(work, len(work.passages) - 1)
    assert wished["leans_topic_wished"] > plain["leans_topic_wished"] == 0
    assert trained()["leans_topic_wished"] < 0
    assert leans(wished, trained()) < leans(plain, trained())


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


def test_how_all_work_of_a_sort_is_to_be_done_is_a_learning_however_it_leans() -> None:
    for wish, kept in (
        ("For every test I would like to see the whole row that is expected.", Primitive.LEARNING),
        ("Every row must hold the whole path. Please update the tests too.", Primitive.DECISION),
        ("Shall we do so for every test?", Primitive.DECISION),
    ):
        stage = staged((Role.PROMPT, "Hello."), (Role.PROMPT, wish), (Role.REPLY, ANSWER))
        seed = next(one for one in stage.passages if one.source == "exchange")
        assert primitive(stage, seed, "Rows are compared whole", 0.9) is kept


def test_what_the_agent_says_after_the_human_spoke_is_not_of_the_failure_before() -> None:
    call = Record(n=1, role=Role.CALL, text="make check", command="make check", call="c")
    failure = Record(n=2, role=Role.RESULT, text="error: the database is locked by another process", call="c", failed=True)
    prompt = Record(n=3, role=Role.PROMPT, text="No, wait. Please use SQLite for the catalog.")
    reply = Record(n=4, role=Role.REPLY, text=ANSWER)
    for records, kept in (
        ((prompt, call, failure, reply), Primitive.LEARNING),
        ((call, failure, prompt, reply), Primitive.DECISION),
    ):
        first = Record(n=0, role=Role.PROMPT, text="Hello.")
        stage = by_rules.survey(Session(agent="claude", id="s", header=Header(), records=(first, *numbered(records))))
        seed = next(one for one in stage.passages if one.source == "diagnosis")
        assert primitive(stage, seed, "The catalog is kept in SQLite", 0.9) is kept


def test_a_plan_that_was_handed_over_was_chosen_and_a_brief_was_not() -> None:
    plan = "# {}\n\n{}\n\n## Ground\n\n" + "Two writers of the catalog lose rows of each other. " * 14
    for name, opening, kept in (
        ("Plan: a catalog in SQLite", "The steps are below.", True),
        ("Task", "Implement the plan below in a fresh context.", True),
        ("Task: find a format for the catalog", "Look around, then recommend one.", False),
    ):
        stage = staged((Role.PROMPT, plan.format(name, opening)), (Role.REPLY, ANSWER))
        seed = next(one for one in stage.passages if one.source == "reply")
        assert chosen(stage, seed, {}, "") is kept
