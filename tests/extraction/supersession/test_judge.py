"""Every small set of memories, in every order: what hypothesis meets seldom is here met always."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, permutations, product
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.costs import grows_evenly
from support.examples import examples
from support.memories import edited, later, memory

from git_lerim.extraction.reconcile import Action, Skip, reconcile, settle
from git_lerim.memories.memory import Memory, Origin, Source, Status
from git_lerim.memories.merging.compared import COMPARED, Compared, Relation
from git_lerim.memories.merging.merging import merge_same
from git_lerim.memories.naming import memory_id
from git_lerim.memories.quotes import Lead, quoted

Store: TypeAlias = dict[str, Memory]
Numbers: TypeAlias = tuple[int, ...]

SAYINGS = [
    (0, "Use SQLite for the session catalog"),
    (1, "Do not use SQLite for the session catalog"),
    (2, "Use a small SQLite file for the session catalog"),
    (3, "Use Postgres for the session catalog"),
    (3, "Use Postgres for session catalog"),
    (4, "Switch the session catalog from SQLite to Postgres"),
]


def said(n: int, day: float, title: str, **changes: object) -> Memory:
    at = later(days=day)
    source = Source(agent="claude", session=f"s{n}", records=((n, n),), at=at)
    return memory(
        id=memory_id("claude", str(n), "decision", 1),
        title=title,
        at=at,
        sources=(source,),
        **changes,
    )


POOL = [said(n, day, title) for n, (day, title) in enumerate(SAYINGS)]


def carry_out(store: Mapping[str, Memory], actions: Sequence[Action]) -> Store:
    return {
        **store,
        **{action.memory.id: action.memory for action in actions if not isinstance(action, Skip)},
    }


def settled(store: Mapping[str, Memory]) -> Store:
    return carry_out(store, settle(store))


def synced(store: Store, n: int, *memories: Memory) -> Store:
    return carry_out(store, reconcile(memories, ("claude", f"s{n}"), store))


def met(one: Store, other: Store) -> Store:
    return {
        **one,
        **other,
        **{ident: merge_same(one[ident], other[ident]) for ident in one.keys() & other.keys()},
    }


def sets(size: int) -> Iterator[Numbers]:
    return combinations(range(len(POOL)), size)


def parts(numbers: Numbers) -> Iterable[Numbers]:
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


@pytest.fixture(scope="module")
def whole() -> dict[Numbers, Store]:
    """Return each set of up to four memories as it is when judged at once."""
    return {
        numbers: settled({POOL[n].id: POOL[n] for n in numbers})
        for size in range(5)
        for numbers in sets(size)
    }


def test_whichever_session_is_synced_last_the_set_is_judged_as_at_once(
    whole: dict[Numbers, Store],
) -> None:
    for numbers, store in whole.items():
        for n in numbers:
            without = whole[tuple(other for other in numbers if other != n)]

            assert synced(without, n, POOL[n]) == store
            assert synced(store, n, POOL[n]) == store
            gone = synced(store, n)
            assert {ident: m for ident, m in gone.items() if ident != POOL[n].id} == without
            assert synced(gone, n, POOL[n]) == store


def test_whatever_two_people_have_of_a_set_they_come_to_the_same(
    whole: dict[Numbers, Store],
) -> None:
    for numbers in sets(4):
        for mine, yours in product(parts(numbers), parts(numbers)):
            if {*mine, *yours} == {*numbers}:
                both = met(whole[mine], whole[yours])

                assert carry_out(both, settle(both, whole[mine])) == whole[numbers]


def test_two_takers_of_one_memory_meet() -> None:
    """The links of both stores stand side by side then, and no longer tell when what they name was
    in force.
    """
    first, not_so, again, other = POOL[:4]
    mine, yours = (
        settled({m.id: m for m in (first, again, other)}),
        settled({m.id: m for m in (first, not_so)}),
    )
    both = met(mine, yours)

    after = carry_out(both, settle(both, mine))

    assert mine[again.id].related == (first.id,)  # said already
    assert {m.id for m in after.values() if first.id in m.supersedes} == {not_so.id}
    assert again.id in after[other.id].supersedes  # said anew, once the first was taken back


@pytest.mark.parametrize(
    "touch",
    [
        {"status": Status.ARCHIVED, "updated": later(days=2.5)},
        {
            "title": "Use Postgres for the session catalog",
            "updated": later(days=9),
            "edited": edited(9),
        },
        {"status": Status.ACTIVE, "updated": later(days=9), "edited": edited(9)},
        {"protected": True, "updated": later(days=9)},
    ],
)
def test_what_a_person_does_is_judged_whoever_syncs_first(
    touch: Mapping[str, object], whole: dict[Numbers, Store]
) -> None:
    for numbers in sets(3):
        for n in numbers:
            ident = POOL[n].id
            store = {**whole[numbers], ident: replace(whole[numbers][ident], **touch)}
            expected = settled(store)

            assert expected[ident] == store[ident]
            assert carry_out(store, settle(store, whole[numbers])) == expected
            for order in (numbers, numbers[::-1]):
                after = store
                for other in order:
                    after = synced(after, other, POOL[other])
                assert after == expected


def test_what_said_the_same_as_an_edited_memory_stays_out_whatever_comes_from_before_that() -> None:
    first, again = said(11, 1, SAYINGS[0][1]), said(14, 4, SAYINGS[0][1])
    earlier, between = said(10, 0, SAYINGS[0][1]), said(13, 3, SAYINGS[1][1])
    store = settled({m.id: m for m in (first, again)})
    assert store[again.id].related == (first.id,)
    store[first.id] = replace(
        store[first.id],
        title="The cache is cleared at midnight",
        updated=later(days=9),
        edited=edited(9),
    )

    one = synced(synced(store, 10, earlier), 13, between)
    other = synced(synced(store, 13, between), 10, earlier)

    assert one == other
    assert (one[again.id].status, one[between.id].status) == (Status.SUPERSEDED, Status.ACTIVE)


def test_what_a_thousand_sessions_say_is_said_once_more_in_a_moment() -> None:
    title = "Run `make check` before every commit"

    def say_again(sessions: int) -> None:
        first, *others = (said(n, n / 10, title) for n in range(sessions))
        lost = [replace(m, status=Status.SUPERSEDED, related=(first.id,)) for m in others]
        store = {m.id: m for m in (first, *lost)}
        protected = {**store, first.id: replace(first, protected=True)}

        once_more = synced(store, 5000, said(5000, 500, title))
        elsewhere = synced(protected, 5001, said(5001, 501, "Use tabs"))

        assert len([m for m in once_more.values() if m.status is Status.ACTIVE]) == 1
        assert len([m for m in elsewhere.values() if m.status is Status.ACTIVE]) == 2

    assert grows_evenly(say_again, 250)


# -- what a model said of pairs of memories

TOPICS = [
    "Sessions lie in SQLite",
    "The catalog moved to Postgres",
    "One file holds all sessions",
    "Backups run at midnight",
]
VERDICTS = [None, *Relation]
TITLES = st.lists(
    st.sampled_from([*TOPICS, *(title for _, title in SAYINGS)]), min_size=4, max_size=4
)


def compared(
    titles: Sequence[str], verdicts: Sequence[Relation | None], by_later: Sequence[bool]
) -> Store:
    """Return memories, pairs of which got a verdict, in the file of the later one or of the
    earlier.
    """
    memories = [said(20 + n, n, title) for n, title in enumerate(titles)]
    rows: dict[int, list[Compared]] = {n: [] for n in range(len(memories))}
    for (one, other), verdict, later_holds in zip(
        combinations(range(len(memories)), 2), verdicts, by_later, strict=True
    ):
        holder, named = (other, one) if later_holds else (one, other)
        rows[holder] += [Compared(other=memories[named].id, verdict=verdict)] if verdict else []
    return {
        m.id: replace(m, compared=COMPARED.clean(tuple(rows[n]))) for n, m in enumerate(memories)
    }


@settings(max_examples=examples(300), deadline=None)
@given(
    TITLES,
    st.lists(st.sampled_from(VERDICTS), min_size=6, max_size=6),
    st.lists(st.booleans(), min_size=6, max_size=6),
    st.permutations(range(len(TOPICS))),
)
def test_verdicts_give_the_same_whatever_the_order_of_reading(
    titles: list[str], verdicts: list[Relation | None], by_later: list[bool], order: list[int]
) -> None:
    given_all = compared(titles, verdicts, by_later)
    store: Store = {}
    for n in order:
        memory = next(m for m in given_all.values() if m.sources[0].session == f"s{20 + n}")
        store = synced(store, 20 + n, memory)
        assert store == settled({ident: given_all[ident] for ident in store})
    first, *others = list(given_all)
    assert synced(
        settled({ident: given_all[ident] for ident in others}), 20, given_all[first]
    ) == settled(given_all)
    assert not any(action for action in settle(store, store) if not isinstance(action, Skip))


def one_pair(
    verdict: Relation, earlier: Mapping[str, object], holder: str = "later"
) -> tuple[Memory, Memory]:
    a, b = said(30, 0, TOPICS[0], **earlier), said(31, 1, TOPICS[1])
    row = Compared(other=a.id if holder == "later" else b.id, verdict=verdict)
    a, b = (
        (a, replace(b, compared=(row,))) if holder == "later" else (replace(a, compared=(row,)), b)
    )
    store = settled({a.id: a, b.id: b})
    return store[a.id], store[b.id]


@pytest.mark.parametrize("holder", ["later", "earlier"])
def test_the_times_tell_which_of_two_goes_whoever_was_read_last(holder: str) -> None:
    old, new = one_pair(Relation.REPLACES, {}, holder)
    first, again = one_pair(Relation.SAME, {}, holder)

    assert (old.status, new.status, new.supersedes) == (Status.SUPERSEDED, Status.ACTIVE, (old.id,))
    assert (first.status, again.status, again.related) == (
        Status.ACTIVE,
        Status.SUPERSEDED,
        (first.id,),
    )


@pytest.mark.parametrize(
    "persons",
    [
        {"protected": True},
        {"edited": edited(0.5)},
        {"origin": Origin.HUMAN},
        {"origin": Origin.ANSWER},
    ],
)
def test_a_models_word_alone_takes_nothing_of_a_person_out_of_use(
    persons: Mapping[str, object],
) -> None:
    old, new = one_pair(Relation.REPLACES, persons)

    assert (old.status, new.status) == (Status.ACTIVE, Status.ACTIVE)


def test_what_a_model_is_unsure_about_is_linked_and_both_stay() -> None:
    old, new = one_pair(Relation.UNSURE, {})

    assert (old.status, new.status, new.related) == (Status.ACTIVE, Status.ACTIVE, (old.id,))


def test_a_verdict_counts_instead_of_the_words() -> None:
    use, not_so = (
        POOL[0],
        replace(POOL[1], compared=(Compared(other=POOL[0].id, verdict=Relation.BOTH),)),
    )

    assert {m.status for m in settled({use.id: use, not_so.id: not_so}).values()} == {Status.ACTIVE}


def test_verdicts_on_what_was_merged_go_with_what_stayed() -> None:
    stayed = said(40, 0, TOPICS[0], merged_from=(memory_id("claude", "41", "decision", 1),))
    new = said(
        42,
        2,
        TOPICS[1],
        compared=(Compared(other=stayed.merged_from[0], verdict=Relation.REPLACES),),
    )

    assert settled({stayed.id: stayed, new.id: new})[stayed.id].status is Status.SUPERSEDED


@settings(max_examples=examples(300), deadline=None)
@given(
    TITLES,
    st.lists(st.sampled_from(VERDICTS), min_size=6, max_size=6),
    st.lists(st.booleans(), min_size=6, max_size=6),
    st.lists(st.sampled_from(["mine", "yours", "both"]), min_size=4, max_size=4),
)
def test_verdicts_of_two_people_who_synced_apart_come_to_the_same(
    titles: list[str], verdicts: list[Relation | None], by_later: list[bool], whose: list[str]
) -> None:
    everything = compared(titles, verdicts, by_later)
    owned = list(zip(everything.values(), whose, strict=True))
    mine, yours = (
        settled({m.id: m for m, who in owned if who != other}) for other in ("yours", "mine")
    )
    both = met(mine, yours)

    assert carry_out(both, settle(both, mine)) == settled(everything)


TOUCHES = [
    {"status": Status.ARCHIVED, "updated": later(days=9)},
    {"protected": True, "updated": later(days=9)},
    {"title": "Sessions lie on the desk", "updated": later(days=9), "edited": edited(9)},
]


@settings(max_examples=examples(300), deadline=None)
@given(
    TITLES,
    st.lists(st.sampled_from(VERDICTS), min_size=6, max_size=6),
    st.integers(0, 3),
    st.sampled_from(TOUCHES),
    st.permutations(range(4)),
)
def test_what_a_person_does_to_what_was_compared_is_judged_whoever_syncs_first(
    titles: list[str],
    verdicts: list[Relation | None],
    n: int,
    touch: Mapping[str, object],
    order: list[int],
) -> None:
    everything = list(compared(titles, verdicts, [True] * 6).values())
    before = settled({m.id: m for m in everything})
    ident = everything[n].id
    store = {**before, ident: replace(before[ident], **touch)}
    expected = settled(store)
    after = carry_out(store, settle(store, before))
    for place in order:
        after = synced(after, 20 + place, everything[place])

    assert after == expected
    assert after[ident] == store[ident]


@pytest.mark.parametrize("author", ["", "Bob"])
def test_a_person_takes_back_their_own_words_and_no_one_elses(author: str) -> None:
    first = said(1, 0, "Always use tabs for indentation here", origin=Origin.HUMAN)
    second = said(2, 1, "Forget what I said about tabs for indentation", origin=Origin.HUMAN)
    store = {one.id: one for one in (first, second)}

    actions = settle(store, author=lambda id_: author if id_ == first.id else "")

    taken_back = carry_out(store, actions)[first.id].status is Status.SUPERSEDED
    assert taken_back is (not author)


WISHES = [
    (0, "Always indent with tabs, because the linter complains"),
    (1, "Put tabs into Makefiles"),
    (2, "Forget what I said about tabs"),
    (3, "Always use tabs"),
    (4, "Forget what I said about tabs, use spaces"),
    (5, "Scratch what I said about tabs in Makefiles"),
    (6, "We no longer use tabs"),
    (7, "Don't use tabs anymore"),
]
CHANGED = 6  # the place of the one that says nothing without an earlier one
WISHED = [said(n, day, title, origin=Origin.HUMAN) for n, (day, title) in enumerate(WISHES)]
WISHED[CHANGED] = replace(WISHED[CHANGED], body=quoted(Lead.CHANGED, WISHES[CHANGED][1]))


def wished(*numbers: int) -> Store:
    return settled({WISHED[n].id: WISHED[n] for n in numbers})


@pytest.mark.parametrize(
    ("numbers", "stay"),
    [
        ((0, 2), ()),
        ((0, 4), (4,)),
        ((0, 1, 2), (0, 1, 2)),
        ((0, 1, 5), (0,)),
        ((0, 1, 3, 4), (0, 1, 4)),
        ((2, 3), (3,)),
        ((2,), ()),
        ((2, 5), ()),
        ((3, 6), (6,)),
        ((6,), ()),
        ((1, 6), (1, 6)),  # it may mean the other one, or not
        ((3, 7), (7,)),
        ((7,), (7,)),
    ],
)
def test_what_is_taken_back_in_so_many_words_goes_if_it_alone_is_named(
    numbers: Numbers, stay: Numbers
) -> None:
    active = {m.id for m in wished(*numbers).values() if m.status is Status.ACTIVE}
    assert active == {WISHED[n].id for n in stay}


def test_what_is_taken_back_does_not_depend_on_the_order_of_syncing() -> None:
    for numbers in parts(tuple(range(len(WISHED)))):
        store = wished(*numbers)
        assert settle(store) == []
        for n in numbers:
            without = wished(*(other for other in numbers if other != n))

            assert synced(without, n, WISHED[n]) == store
            gone = synced(store, n)
            assert {ident: m for ident, m in gone.items() if ident != WISHED[n].id} == without


@pytest.mark.parametrize("noted", ["Use SQLite", "Never use SQLite"])
@pytest.mark.parametrize("day", [0, 2])
def test_an_agents_note_puts_nothing_out_of_force_that_a_person_said(
    noted: str, day: float
) -> None:
    wish = said(1, 1, "Use SQLite for the session catalog", origin=Origin.HUMAN)
    note = said(2, day, f"{noted} for the session catalog", origin=Origin.AGENT)

    assert settled({wish.id: wish, note.id: note})[wish.id].status is Status.ACTIVE


@pytest.mark.parametrize("origin", [Origin.RULES, Origin.REPAIR, Origin.IMPORT])
def test_what_an_agent_or_a_file_says_later_withdraws_nothing_that_a_person_said(
    origin: Origin,
) -> None:
    wish = said(1, 1, "Use SQLite for the session catalog", origin=Origin.HUMAN)
    fact = said(2, 2, "Do not use SQLite for the session catalog", origin=origin)

    assert settled({wish.id: wish, fact.id: fact})[wish.id].status is Status.ACTIVE


CHOICES = [
    (0, "The orders service should use Postgres"),
    (1, "Use SQLite instead of Postgres for the orders, because it is one file"),
    (2, "Use Postgres for analytics"),
    (3, "Let's go back to Postgres instead of SQLite for the orders service"),
    (3, "Use Postgres for the orders service"),
]


def test_a_change_of_mind_is_judged_alike_in_every_order_of_syncing() -> None:
    pool = [said(n, day, title, origin=Origin.HUMAN) for n, (day, title) in enumerate(CHOICES)]
    whole = settled({one.id: one for one in pool})

    assert [whole[one.id].status for one in pool[:4]] == [
        Status.SUPERSEDED, Status.SUPERSEDED, Status.ACTIVE, Status.ACTIVE,
    ]  # fmt: skip
    for order in permutations(range(len(pool))):
        store: Store = {}
        for n in order:
            store = synced(store, n, pool[n])
        assert store == whole


FULL = "I can't find anything with six worktrees around and the disk is full."
HINTED = [
    (0, "Use worktrees for parallel tasks", ""),
    (1, "Use six worktrees at most for parallel tasks", ""),
    (2, "Plain checkout, one task after the other", FULL),
    (0, "Always show me the diff before you apply anything", ""),
    (3, "Show me no diffs first any more, I trust you with that by now", ""),
]


def test_what_only_hints_at_a_change_is_judged_alike_in_every_order_of_syncing() -> None:
    pool = [
        said(n, day, title, origin=Origin.HUMAN, body=quoted(lead, f"{why} {title}."))
        for n, (day, title, why) in enumerate(HINTED)
        for lead in ([Lead.CHANGED] if why else [Lead.ASKED_FOR])
    ]
    outcomes = set()
    for numbers in parts(tuple(range(len(pool)))):
        whole = settled({pool[n].id: pool[n] for n in numbers})
        outcomes |= {(n, whole[pool[n].id].status) for n in numbers}
        for order in permutations(numbers):
            store: Store = {}
            for n in order:
                store = synced(store, n, pool[n])
            assert store == whole

    assert (0, Status.SUPERSEDED) in outcomes
    assert (3, Status.SUPERSEDED) in outcomes
