"""Answers: how well `ask` tells a question that the memory can answer from one that it cannot.

usage: python benchmarks/answers.py FILE... [--sample N]

Each FILE holds a corpus a line, `{"docs": [{"id", "text"}], "queries": [{"text", "gold": [ids]}]}`.
Every question is asked of its own corpus, and of one that shares no question with it: two files may
hold the same corpus in different forms. Both times it is asked without names, which would tell the
corpora apart at once. Printed for some thresholds of `recall.answer.ENOUGH`, by halves of the
corpora: of the questions of which the search finds a gold document, how many are answered; of the
foreign ones, how many are answered all the same; of all own questions, how many are answered; and
the mean of the first two rights. The weights were fitted on the first half of LoCoMo's turns
and on questions about four repositories, for 0.5; expect what they give on the other half.
"""

import argparse
import json
import random
import re
import statistics
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from git_lerim.memories.memory import Memory, Primitive
from git_lerim.memories.naming import memory_id, path_of
from git_lerim.recall.answers import answer
from git_lerim.recall.index.index import Index, current
from git_lerim.recall.search.search import search
from git_lerim.storage.base import Stored

AT = datetime(2026, 1, 1, tzinfo=UTC)
NAME = re.compile(r"(?<!^)\b[A-Z][a-z]+(?:'s)?\b")
THRESHOLDS = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


class Documents:
    """A store of documents that are in no repository."""

    commit = tree = "0" * 40
    gone = ()
    seen = ""

    def __init__(self, documents: list[dict[str, str]]) -> None:
        self.ids = {
            memory_id("bench", document["id"], "decision", 0): document["id"]
            for document in documents
        }
        texts = zip(self.ids, (document["text"] for document in documents), strict=True)
        made = [
            Memory(
                id=id_, primitive=Primitive.DECISION, title="-", body=text, created=AT, updated=AT
            )
            for id_, text in texts
        ]
        self.found = iter(
            [Stored(memory=memory, path=path_of(memory), blob="0" * 40) for memory in made]
        )
        self.count = len(made)

    # the store's signature
    def changes(self, since: str | None, at: str | None = None) -> "Documents":  # noqa: ARG002
        """Say that all documents are new."""
        return self


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=80, help="questions of each corpus")
    args = parser.parse_args()
    corpora = [
        json.loads(line) for path in args.files for line in path.read_text("utf-8").splitlines()
    ]
    stores = [Documents(corpus["docs"]) for corpus in corpora]
    indexes = [current(Path("/nonexistent"), store, at="now") for store in stores]  # in memory
    halves: list[list[tuple[float, float | None]]] = [[], []]
    chance = random.Random(1)  # noqa: S311 the same questions every time
    asked = [{query["text"] for query in corpus["queries"]} for corpus in corpora]
    for n, corpus in enumerate(corpora):
        foreign = [m for m, others in enumerate(asked) if asked[n].isdisjoint(others)]
        for query in chance.sample(corpus["queries"], min(args.sample, len(corpus["queries"]))):
            text = NAME.sub("", query["text"])
            other = chance.choice(foreign)
            own = (
                _confidence(indexes[n], text)
                if _is_found(indexes[n], stores[n], query, text)
                else None
            )
            halves[n % 2].append((_confidence(indexes[other], text), own))
    for name, rows in zip(("first half", "other half"), halves, strict=True):
        print(
            f"{name}: {len(rows)} questions, {sum(own is not None for _, own in rows)} of them with"
            " a gold document found"
        )
        for threshold in THRESHOLDS:
            right = statistics.mean(own >= threshold for _, own in rows if own is not None)
            wrong = statistics.mean(foreign >= threshold for foreign, _ in rows)
            mark = "  <-" if threshold == answer.ENOUGH else ""
            print(
                f"  {threshold:.2f}  answered {right:.3f}  foreign answered {wrong:.3f}  mean"
                f" {(right + 1 - wrong) / 2:.3f}{mark}"
            )


def _confidence(index: Index, text: str) -> float:
    return answer.answer(index, text).confidence


def _is_found(index: Index, store: Documents, query: dict[str, Any], text: str) -> bool:
    return any(
        store.ids[hit.id] in query["gold"] for hit in search(index, text, limit=answer.LOOKED_AT)
    )


if __name__ == "__main__":
    main()
