"""Which memories of other sessions a model is asked about, and what is taken of its answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.costs import grows_evenly
from support.memories import later, memory

from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.compare import MOST, Question, question
from git_lerim.extraction.by_model.neighbours import EACH
from git_lerim.memories.memory import Anchor, Memory, Source
from git_lerim.memories.merging.compared import Relation
from git_lerim.memories.naming import memory_id

WORDS = [
    "avatar",
    "cache",
    "catalog",
    "checkpoint",
    "migration",
    "names",
    "panel",
    "schema",
    "timeout",
    "tree",
    "upload",
]


def said(n: int, title: str, body: str = "It was so.", **changes: object) -> Memory:
    return memory(
        id=memory_id("claude", str(n), "learning", 1),
        title=title,
        body=body,
        at=later(days=n),
        **changes,
    )


def near(new: Memory, *stored: Memory) -> set[str]:
    found = question([new], stored)
    return {other.title for _, other in found.pairs} if found else set()


def test_a_reversal_in_other_words_is_a_neighbour_and_what_is_about_something_else_is_none() -> (
    None
):
    new = said(
        9,
        "The header of the session details shows full dates",
        "`sessionHeader.ts` prints day and year.",
    )
    old = said(1, "Session details show only times, never a full date", "Dates made rows too wide.")
    others = [
        said(n, f"The {word} is written before its lock goes", f"A {word} was lost.")
        for n, word in enumerate(WORDS, 20)
    ]

    assert near(new, old, *others) == {old.title}


def test_memories_about_one_file_are_neighbours() -> None:
    files = {"anchors": (Anchor(path="src/panel/render.ts"),)}

    assert near(
        said(9, "Rows have rounded corners", "Since May.", **files),
        said(1, "Icons are drawn twice", **files),
    )


def test_so_many_are_asked_about_and_no_more() -> None:
    stored = [said(n, "Sessions lie in one SQLite file", f"Reason {n}.") for n in range(30)]
    new = [said(100 + n, "Sessions lie in one SQLite file", f"Proof {n}.") for n in range(12)]

    assert len(question(new[:1], stored).pairs) == EACH  # type: ignore[union-attr]
    assert len(question(new, stored).pairs) == MOST  # type: ignore[union-attr]


def test_the_nearest_of_each_memory_is_asked_about_before_the_second_nearest_of_any() -> None:
    stored = [said(n, "Sessions lie in one SQLite file", f"Reason {n}.") for n in range(30)]
    alike = [said(100 + n, "Sessions lie in one SQLite file", f"Proof {n}.") for n in range(11)]
    old, new = (said(50, "Icons blink"), said(200, "An avatar blinks when the panel opens"))

    found = question([*alike, new], [*stored, old])

    assert found is not None
    assert (new, old) in found.pairs[:12]
    assert {memory.id for memory, _ in found.pairs[:12]} == {memory.id for memory in (*alike, new)}


def test_of_a_forked_session_comes_first_what_the_same_record_gave() -> None:
    old = said(1, "Uploads end after a timeout", "A slow client holds the schema lock.")
    other = said(2, "Uploads hold a lock", "Clients hold it.")
    fork = {"id": memory_id("claude", "fork", "learning", 1)}
    new = replace(said(1, "A timeout of uploads frees the lock that clients hold"), **fork)

    def first(session: str, agent: str = "claude") -> str:
        source = Source(agent=agent, session=session)
        found = question([replace(new, sources=(source,))], [named(old), named(other)])
        assert found is not None
        return found.pairs[0][1].title

    def named(memory: Memory) -> Memory:
        return replace(memory, sources=(Source(agent="claude", session="first"),))

    assert first("forked") == old.title
    assert first("first") == first("forked", agent="codex") == other.title


def test_of_one_pair_the_more_cautious_verdict_counts() -> None:
    asked = Question([(said(2, "New"), said(1, "Old"))])
    pairs = [
        {"earlier": "B1", "later": "A1", "verdict": verdict} for verdict in ("replaces", "unsure")
    ]
    (judged,), refused = asked.read(json.dumps({"pairs": pairs}), is_cut=False)

    assert (judged.verdict, judged.later, refused) == (Relation.UNSURE, asked.pairs[0][0].id, [])


@pytest.mark.parametrize(
    "text", ["", "no", '{"pairs": [{"earlier": "B1", "later": "A1", "verdict": "delete"}]}', "[]"]
)
def test_what_is_no_answer_is_refused_whole(text: str) -> None:
    with pytest.raises(Unusable):
        Question([(said(2, "New"), said(1, "Old"))]).read(text, is_cut=False)


TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(
    lambda words: " ".join(words) + "\n[PAIRS] B1, A1"
)
NAMES = st.sampled_from(["A1", "A2", "B1", "B2", "B9", "", "A1, B1"])
ITEMS = st.fixed_dictionaries(
    {
        "earlier": NAMES,
        "later": NAMES,
        "verdict": st.sampled_from([*Relation]),
        "reason": st.text(max_size=9),
    }
)


@settings(deadline=None)
@given(
    st.lists(TITLES, min_size=1, max_size=3),
    st.lists(TITLES, max_size=6),
    st.lists(ITEMS, max_size=8),
    st.randoms(),
)
def test_whatever_is_answered_only_pairs_that_were_asked_about_are_judged(
    new: Sequence[str], stored: Sequence[str], items: Sequence[Mapping[str, str]], chance: object
) -> None:
    ours = [said(50 - 9 * n, title) for n, title in enumerate(new)]  # between the others' times
    theirs = [said(n, title) for n, title in enumerate(stored)]
    shuffled = sorted(theirs, key=lambda _: chance.random())  # type: ignore[attr-defined]
    asked = question(ours, theirs)
    if asked is None:
        return
    again = question(ours[::-1], shuffled)
    judged, refused = asked.read(json.dumps({"pairs": items}), is_cut=False)

    assert again is not None
    assert again.messages() == asked.messages()
    assert {(one.new, one.other) for one in judged} <= {
        (one.id, other.id) for one, other in asked.pairs
    }
    by_id = {memory.id: memory for pair in asked.pairs for memory in pair}
    assert all(
        by_id[one.later].created == max(by_id[one.new].created, by_id[one.other].created)
        for one in judged
    )
    assert len(judged) + len(refused) <= len(items)
    assert len(asked.messages()[1][1].splitlines()) == 4 + len(asked.names) + len(asked.pairs)


def test_a_few_among_thousands_are_found_in_time_in_proportion() -> None:
    stored = [
        said(n, f"{WORDS[n % 11]} {WORDS[n % 7]} number {n}", f"Because of {n} and {n + 1}.")
        for n in range(5000)
    ]
    ours = [said(9000 + n, f"{word} of the panel") for n, word in enumerate(WORDS)]

    assert question(ours, stored)
    assert grows_evenly(lambda size: question(ours, stored[:size]), 1250)
