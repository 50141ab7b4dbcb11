from typing import Any

from git_lerim.extraction.by_model import HISTORY, Before, Limits, extract, requests
from git_lerim.llm.base import Answer
from git_lerim.sessions.session import Header, Record, Role, Session

TEXTS = ("COMMIT 3f2a: Choose X\nIt is small.\n\n\n[7] no record", "FILE README.md:1-2\nShop")


def history(*texts: str) -> Session:
    records = tuple(
        Record(n=number, role=Role.REPLY, text=text) for number, text in enumerate(texts, 1)
    )
    return Session(agent="git", id="history", header=Header(), records=records)


class Asked:
    """A model that keeps what it was asked."""

    name = "careful"

    def __init__(self) -> None:
        self.messages: Any = None
        self.schema: Any = None

    def ask(self, messages: Any, schema: Any = None, *, hear: Any = None) -> Answer:
        del hear
        self.messages, self.schema = messages, schema
        return Answer(text='{"memories": []}')


def test_history_is_asked_about_in_its_own_words() -> None:
    model = Asked()
    extract(model, history(*TEXTS), Before(), Limits(window=1 << 20), HISTORY)
    (_, prompt), (_, text) = model.messages

    assert prompt.startswith("You read a part of a software repository's history")
    assert text == (
        "HISTORY\n[1] COMMIT 3f2a: Choose X\n It is small.\n [7] no record\n"
        "[2] FILE README.md:1-2\n Shop\nEND OF HISTORY"
    )
    basis = model.schema["properties"]["memories"]["items"]["properties"]["basis"]["enum"]
    assert basis == ["shown", "explained", "inferred", "proposed_only"]


def test_an_empty_history_is_not_asked_about() -> None:
    assert requests(history(), Before(), Limits(window=1000), HISTORY) == []
