import pytest
from support.memories import edited, later, memory

from git_lerim.memories.memory import Origin
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge
from git_lerim.memories.retitled import retitled

OLD, NEW = "Use tabs for indentation", "Use spaces for indentation"
LONG = f"{OLD} in each file, {'and in all that is made from it, ' * 4}too"


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (OLD, OLD),
        (OLD, f"{OLD}.\n"),
        (OLD, f"The user asked for this: “Please, {OLD.lower()}.”"),
        (f"{LONG[:119].rsplit(' ', 1)[0]}…", f"{LONG}."),
    ],
)
def test_a_text_that_says_no_more_than_the_title_follows_it(title: str, body: str) -> None:
    found = retitled(memory(title=title, body=body), NEW)

    assert (found.title, found.body) == (NEW, NEW)


@pytest.mark.parametrize(
    "body",
    [
        "Makefiles need them.",
        f"{OLD}. Makefiles need them.",
        f"The user asked for this: “{OLD}.” Makefiles need them.",
        f"The user asked for this: “{OLD}, because the Makefiles of all services need them.”",
    ],
)
def test_a_text_that_says_more_stays(body: str) -> None:
    assert retitled(memory(title=OLD, body=body), NEW).body == body


def test_a_shorter_title_leaves_the_reason_in_the_text() -> None:
    said = "Log every retry with the parcel id, otherwise support finds nothing in Loki"
    body = f"The user asked for this: “{said}.”"

    short = retitled(memory(title=said, body=body), "Log every carrier retry with the parcel id")
    assert (short.title, short.body) == ("Log every carrier retry with the parcel id", body)
    other = retitled(memory(title=said, body=body), "Log retries at debug level only")
    assert other.body == "Log retries at debug level only"


def test_an_agents_note_keeps_what_it_quotes_and_any_memory_its_title() -> None:
    quoting = memory(title=OLD, body=f"In the user's words: “{OLD}.”", origin=Origin.AGENT)

    assert retitled(quoting, NEW).body == quoting.body
    assert retitled(memory(title=OLD, body=f"{OLD}."), OLD).body == f"{OLD}."


def test_what_others_said_beside_it_stays() -> None:
    also = "\n\n## Also recorded\n\n- 2026-02-20, Bob: Tabs are shorter."

    assert retitled(memory(title=OLD, body=OLD + also), NEW).body == NEW + also


def test_in_a_merge_a_persons_title_beats_an_older_quotation() -> None:
    base = memory(title=OLD, body=f"The user asked for this: “{OLD}.”")
    person = retitled(base, NEW).having(updated=later(1), edited=edited(1))
    sync = base.having(body=f"The user asked for this: “{OLD}, please.”", updated=later(2))

    found = merge(base, Side(memory=person, by="Ann"), Side(memory=sync, by="Bob"))

    assert (found.title, found.body) == (NEW, NEW)
