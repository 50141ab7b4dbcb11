from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.anchoring import anchors_in, spans
from git_lerim.upkeep.freshness.claims import named_words

CODE = """\
import os

TIMEOUT = 30


class Session:
    def request(self, url, retries=3):
        for _ in range(retries):
            send(url, TIMEOUT)

    def close(self):
        self.pool.clear()
"""
FILE = Anchor(path="net.py", blob="ab" * 20, commit="cd" * 20)


def found(title: str, body: str = "") -> list[tuple[tuple[int, int] | None, str | None]]:
    return [
        (anchor.lines, anchor.symbol) for anchor in anchors_in(CODE.encode(), FILE, title, body)
    ]


def test_a_claim_is_anchored_in_the_lines_that_hold_most_of_it() -> None:
    assert found("`TIMEOUT` is 30") == [((3, 3), None)]
    assert found("`Session.close` clears `self.pool`")[0] == ((11, 12), "Session.close")


def test_a_value_is_found_beside_its_name() -> None:
    (lines, symbol), *_ = found("Requests are tried 3 times", "`request` has `retries=3`.")
    assert (lines, symbol) == ((7, 7), "Session.request")


def test_a_file_that_says_nothing_of_it_is_a_mention() -> None:
    assert found("We chose Redis over SQLite") == [(None, None)]
    assert found("The answer is 30") == [(None, None)]  # a number alone says nothing
    assert anchors_in(b"\x00\x01", FILE, "`TIMEOUT`", "") == [FILE]


def test_a_file_of_very_many_lines_is_not_looked_into() -> None:
    rows = ["TIMEOUT = 30"] * 30_000
    assert spans(rows, named_words("`TIMEOUT` is 30", "")) == []
