import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.memories.memory import Kind


def said(text: str) -> list[Candidate]:
    talk = Talk().prompt("which branch am i on").reply("You are on main.").prompt(text)
    return extract(talk.edit("app.py").reply("Done.").session())


@pytest.mark.parametrize(
    ("lead", "decided"),
    [
        ("Decision: ", "Meilisearch instead of Elasticsearch, because it needs less memory"),
        ("We've decided: ", "Postgres instead of MySQL, because of partial indexes"),
        ("decision: ", "No Redis, one process holds the cache"),
        ("", "We went with pnpm instead of yarn because the lockfile merges better"),
        ("", "We agreed on ULIDs rather than UUIDs because they sort by time"),
        ("", "We went with ULIDs because they sort by time"),
        ("", "We settled on cursor pagination because offsets skip rows"),
        ("", "We went with tabs, not spaces, because screen readers cope better"),
        ("", "We're going with Svelte rather than React because the bundle is smaller"),
        (
            "",
            "We decided to go with Kafka for the events because the warehouse team has it already",
        ),
        ("", "I decided against gRPC, the browser clients can't speak it"),
        ("", "Wir haben uns gegen Kafka entschieden, weil niemand es betreiben kann"),
        ("", "Entscheidung: argon2 statt bcrypt, weil bcrypt nach 72 Zeichen abschneidet"),
        ("", "On n'utilise plus axios, mais fetch, parce que Node 18 l'a déjà"),
        ("", "Ya no usamos jest sino vitest, porque jest es lento con ESM"),
    ],
)
def test_what_was_decided_with_a_reason_is_a_decision(lead: str, decided: str) -> None:
    (one,) = said(f"{lead}{decided}.")
    assert (one.title, one.kind) == (decided, None)


def test_when_something_was_decided_is_no_part_of_the_decision() -> None:
    (one,) = said("we decided yesterday to go with kafka because the warehouse team runs it.")
    assert one.title == "We decided to go with kafka because the warehouse team runs it"


@pytest.mark.parametrize(
    ("lead", "noted", "kind"),
    [
        (
            "write that down: ",
            "after pulling a lockfile made on a Mac, reinstall all",
            Kind.PREFERENCE,
        ),
        ("note this: ", "the staging database is reset every night at 3", Kind.FACT),
        ("For the record, ", "audit rows are kept because the bank demands it", Kind.FACT),
        ("Write that down:\n\n", "invoice numbers restart at 1 every year", Kind.FACT),
        ("note this: ", "the staging database is reset every Friday", Kind.FACT),
        ("Note for later: ", "money is stored in cents in every table", Kind.FACT),
    ],
)
def test_what_is_to_be_noted_is_kept(lead: str, noted: str, kind: Kind) -> None:
    (one,) = said(f"{lead}{noted}")
    assert (one.title, one.kind) == (noted[:1].upper() + noted[1:], kind)


@pytest.mark.parametrize(
    "text",
    [
        "Decision: go ahead with option B",
        "I decided to merge it, can you check the CI?",
        "we went with the first one because it was shorter",
        "We agreed on Monday because Tom is away",
        "we're going with you to the demo because it is late",
        "we settled on Tuesday for the demo because the client is away",
        "we went for lunch because it was late",
        "we decided yesterday to go with Ann because the train is late",
        "we agreed on a meeting on Friday because Ann is away",
        "we agreed on pizza because nobody likes sushi",
        "we settled on 3pm because the room is taken",
        "write this down: the standup is moved to Tuesday",
        "write that down: see above",
        "write that down: fix the login page",
        "note this: I'm away tomorrow",
        "note this: the deploy is running",
        "for the record: this took you three attempts",
        "Please note: support for Node 16 ends with the next major version",
        "for the record, what did you change?",
        "Bob said: decision: no Redis, one process holds the cache",
    ],
)
def test_what_is_passing_or_incomplete_is_not_noted(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    "keep",
    ["Remember that.", "please keep that in mind", "remember that, so nobody puts fixtures there"],
)
def test_what_is_to_be_remembered_stands_in_the_sentence_before(keep: str) -> None:
    (one,) = said(f"The staging database is refreshed every sunday. {keep}")
    assert (one.kind, one.title) == (Kind.FACT, "The staging database is refreshed every sunday")


def test_to_remember_nothing_that_was_said_leaves_nothing() -> None:
    assert said("I fixed it myself. Remember that.") == []
