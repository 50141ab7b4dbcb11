"""Retrieval: recall of search on corpora with known answers, by kind of query, beside two floors
made in the same run.

usage: python benchmarks/retrieval.py FILE… [--half tuned|other|all] [--ablation]

Each line of a FILE is a corpus: {"docs": [{"id", "text"}], "queries": [{"text", "gold": [ids],
"kind"}]}. The documents go through the real index and the real ranking, each as the body of a
memory. An id `D1:3` says what the source of a memory says in the product: session D1, record 3;
`D1:3+10` says that it begins there and is ten records long; any other id names no session. The row
"without sources" has none of that: texts alone, as FTS5 sees them. The numbers of the ranking were
chosen on every second corpus (the first, third, …: `--half tuned`), so the others (`--half other`)
are what to believe.

recall@5: the share of the right documents among the first five, as a mean; any@5 and all@5: at
least one, and all; MRR: one over the place of the first right one; ms: CPU time of one query,
because the machine may be shared. Floors: SQLite's FTS5 with OR, Porter and stop words, ordered by
bm25(); and `grep -c`, the number of lines with a word of the query.
"""

import argparse
import json
import re
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from git_lerim.memories.memory import Memory, Primitive, Source
from git_lerim.memories.naming import memory_id
from git_lerim.recall.index.index import empty
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.index_writer import Writer
from git_lerim.recall.index.terms import STOP
from git_lerim.recall.search import rerank
from git_lerim.recall.search.search import search

Corpus = dict[str, Any]
Ranking = Callable[[str], list[str]]
AT = datetime(2026, 1, 1, tzinfo=UTC)
SHOWN = 20
# What each part of the ranking is switched off by.
PARTS: dict[str, dict[str, Any]] = {
    "passages": {"PASSAGE": 0.0},
    "words side by side": {"PAIR": 0.0},
    "letters": {"LETTERS": 0.0},
    "neighbours": {"NEIGHBOUR": (0.0, 0.0, 0.0)},
    "session": {"SESSION": 0.0},
    "all five": {
        "PASSAGE": 0.0,
        "PAIR": 0.0,
        "LETTERS": 0.0,
        "NEIGHBOUR": (0.0, 0.0, 0.0),
        "SESSION": 0.0,
    },
}


def main() -> None:
    """Print one table a file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--half", choices=["tuned", "other", "all"], default="all")
    parser.add_argument(
        "--ablation", action="store_true", help="also without each part of the ranking"
    )
    args = parser.parse_args()
    for file in args.files:
        corpora = [
            json.loads(line)
            for line in file.read_text(encoding="utf-8").splitlines()
            if line.strip()
        ]
        if args.half != "all":
            corpora = corpora[0 if args.half == "tuned" else 1 :: 2]
        print(
            f"{file.name}: {len(corpora)} corpora ({args.half}),"
            f" {sum(len(c['docs']) for c in corpora)} documents"
        )
        kinds = sorted(
            {str(query.get("kind", "")) for corpus in corpora for query in corpus["queries"]}
        )
        print(
            f"{'':<24}{'recall@5':>9}{'any@5':>8}{'all@5':>8}{'MRR':>8}{'ms':>8}   recall@5 by"
            f" kind: {' '.join(kinds)}"
        )
        rows = (
            ("git-lerim", ours),
            ("without sources", partial(ours, sources=False)),
            ("FTS5 OR porter stop", fts5),
            ("grep -c", grep),
        )
        for name, prepare in rows:
            row(name, corpora, prepare, kinds)
        if args.ablation:
            for part, off in PARTS.items():
                kept = {name: getattr(rerank, name) for name in off}
                for name, value in off.items():
                    setattr(rerank, name, value)
                row(f"without {part}", corpora, ours, kinds)
                for name, value in kept.items():
                    setattr(rerank, name, value)
        sys.stdout.flush()


def row(
    name: str, corpora: list[Corpus], prepare: Callable[[Corpus], Ranking], kinds: list[str]
) -> None:
    sums = dict.fromkeys(("recall", "any", "all", "mrr"), 0.0)
    by_kind: dict[str, list[float]] = defaultdict(list)
    spent, count = 0.0, 0
    for corpus in corpora:
        ranking = prepare(corpus)
        for query in corpus["queries"]:
            gold = set(query["gold"])
            if not gold:
                continue
            begun = time.process_time()
            found = ranking(query["text"])
            spent += time.process_time() - begun
            count += 1
            hits = len(gold.intersection(found[:5]))
            sums["recall"] += hits / len(gold)
            sums["any"] += hits > 0
            sums["all"] += hits == len(gold)
            sums["mrr"] += next(
                (1 / place for place, id_ in enumerate(found, 1) if id_ in gold), 0.0
            )
            by_kind[str(query.get("kind", ""))].append(hits / len(gold))
    recall, some, every, mrr = (value / max(count, 1) for value in sums.values())
    parts = " ".join(
        f"{100 * sum(by_kind[kind]) / max(len(by_kind[kind]), 1):.1f}" for kind in kinds
    )
    each = f"{100 * recall:>9.1f}{100 * some:>8.1f}{100 * every:>8.1f}{mrr:>8.3f}{1000 * spent / max(count, 1):>8.2f}"  # noqa: E501
    print(f"{name:<24}{each}   {parts}")


def ours(corpus: Corpus, *, sources: bool = True) -> Ranking:
    index = Reader(filled(corpus, sources=sources))
    names = {memory_id("bench", doc["id"], "learning", 0): doc["id"] for doc in corpus["docs"]}
    return lambda text: [names[hit.id] for hit in search(index, text, limit=SHOWN)]


def filled(corpus: Corpus, *, sources: bool) -> sqlite3.Connection:
    connection = empty()
    writer = Writer(connection)
    for number, doc in enumerate(corpus["docs"]):
        at = AT + timedelta(minutes=number)
        source = source_of(doc["id"]) if sources else None
        memory = Memory(
            id=memory_id("bench", doc["id"], "learning", 0),
            primitive=Primitive.LEARNING,
            title="",
            body=doc["text"],
            created=at,
            updated=at,
            sources=(source,) if source else (),
        )
        writer.add(memory, f"{number}", "0" * 40)
    writer.finish({})
    return connection


def source_of(id_: str) -> Source | None:
    found = re.fullmatch(r"([^:]+):(\d+)(?:\+(\d+))?", id_)
    if found is None:
        return None
    first = int(found[2])
    return Source(
        agent="bench", session=found[1], records=((first, first + int(found[3] or 1) - 1),)
    )


def fts5(corpus: Corpus) -> Ranking:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61')"
    )
    connection.executemany(
        "INSERT INTO t VALUES (?, ?)", ((doc["id"], doc["text"]) for doc in corpus["docs"])
    )

    def ranking(text: str) -> list[str]:
        query = " OR ".join(f'"{word}"' for word in words(text))
        rows = (
            connection.execute(
                "SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?", (query, SHOWN)
            )
            if query
            else ()
        )
        return [row[0] for row in rows]

    return ranking


def grep(corpus: Corpus) -> Ranking:
    texts = [(doc["id"], doc["text"].lower().split("\n")) for doc in corpus["docs"]]

    def ranking(text: str) -> list[str]:
        wanted = list(words(text))
        counts = [
            (sum(any(word in line for word in wanted) for line in lines), id_)
            for id_, lines in texts
        ]
        return [id_ for count, id_ in sorted(counts, key=lambda pair: -pair[0]) if count][:SHOWN]

    return ranking


def words(text: str) -> Iterator[str]:
    return (word for word in dict.fromkeys(re.findall(r"\w+", text.lower())) if word not in STOP)


if __name__ == "__main__":
    main()
