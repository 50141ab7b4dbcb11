import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import FrameType
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.memories import edited, later, memory

from git_lerim.extraction.reconcile import Action, Add, Skip, Supersede, Update, reconcile, settle
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import Anchor, Memory, Origin, Source, Status
from git_lerim.memories.merging.merging import merge_same
from git_lerim.memories.naming import memory_id

Store: TypeAlias = dict[str, Memory]
Session: TypeAlias = tuple[str, tuple[Memory, ...]]

TITLES = [
    "Use SQLite for the session catalog",
    "Use SQLite for session catalog",
    "Use Postgres for the session catalog",
    "Do not use SQLite for the session catalog",
    "Use a SQLite file for the session catalog",
    "Use tabs",
    "Do not use tabs",
    "Use tabs and no spaces",
    "Set the timeout to 30 seconds",
    "Set the timeout to 60 seconds",
    "Tests need TZ=UTC",
    "Switch the session catalog from SQLite to Postgres",
    "The session catalog no longer uses Postgres",
]


def said(session: str, origin: int, title: str, day: float, **changes: object) -> Memory:
    at = later(days=day)
    given = {
        "id": memory_id("claude", str(origin), "decision", 1),
        "title": title,
        "at": at,
        "confidence": 0.7,
    }
    return memory(
        **(
            given
            | {
                "sources": (
                    Source(agent="claude", session=session, records=((origin, origin),), at=at),
                )
            }
            | changes
        )
    )


def carry_out(store: Store, actions: Sequence[Action]) -> Store:
    changed = {
        action.memory.id: action.memory for action in actions if not isinstance(action, Skip)
    }
    return {**store, **changed}


def synced(store: Store, session: str, memories: Sequence[Memory]) -> Store:
    return carry_out(store, reconcile(memories, ("claude", session), store))


def active(store: Mapping[str, Memory]) -> set[str]:
    return {ident for ident, m in store.items() if m.status is Status.ACTIVE}


def kinds(actions: Sequence[Action]) -> list[str]:
    return [type(action).__name__ for action in actions]


# --- one case at a time


def test_a_new_memory_is_added_and_then_left_as_it_is() -> None:
    one = said("s", 1, TITLES[0], 0)

    first = reconcile([one], ("claude", "s"), {})
    again = reconcile([one], ("claude", "s"), carry_out({}, first))

    assert first == [Add(memory=clean(one), reason="is new")]
    assert again == [Skip(memory=clean(one), reason="is stored already")]


def test_a_memory_that_an_undo_dated_anew_is_left_as_it_is() -> None:
    stored = synced({}, "a", [said("a", 1, "Use tabs", 1)])
    undone = {id_: replace(each, updated=later(days=3)) for id_, each in stored.items()}

    actions = reconcile([said("a", 1, "Use tabs", 1)], ("claude", "a"), undone)

    assert [type(action) for action in actions] == [Skip]
    assert not settle(undone, stored)


def test_what_the_grown_session_says_otherwise_is_updated_as_sync_writes_it() -> None:
    store = synced({}, "s", [said("s", 1, "Use tabs", 0)])

    (action,) = reconcile([said("s", 1, "Use tabs in Makefiles", 1)], ("claude", "s"), store)

    assert isinstance(action, Update)
    assert (action.memory.title, action.memory.updated) == ("Use tabs in Makefiles", later(days=1))
    assert not action.memory.touched


def test_what_a_person_touched_stays_whatever_the_session_says() -> None:
    synced_one = synced({}, "s", [said("s", 1, "Use tabs", 0)])
    for touch in (
        {"edited": edited(5), "title": "Mine"},
        {"protected": True},
        {"status": Status.ARCHIVED},
    ):
        store = {ident: replace(m, **touch) for ident, m in synced_one.items()}

        assert kinds(reconcile([said("s", 1, "Use spaces", 1)], ("claude", "s"), store)) == ["Skip"]
        assert reconcile([], ("claude", "s"), store) == []


def test_a_candidate_without_records_still_belongs_to_its_session() -> None:
    store = synced({}, "s", [said("s", 1, "Use tabs", 0, sources=())])

    assert active(store)
    assert not active(synced(store, "s", []))


def test_what_was_written_by_hand_is_never_taken_back() -> None:
    by_hand = memory(id="h" * 13, title="Use tabs", sources=())
    store = synced(
        {by_hand.id: by_hand},
        "s",
        [said("s", 1, "Do not use tabs", 3), said("s", 2, "Use tabs", 4)],
    )

    assert store[by_hand.id] == by_hand
    assert [store[m.id].status for m in (said("s", 1, "", 0), said("s", 2, "", 0))] == [
        Status.ACTIVE,
        Status.SUPERSEDED,
    ]


def test_of_two_that_say_the_same_the_earlier_evidence_stays() -> None:
    early, late = said("a", 1, TITLES[0], 0), said("b", 2, TITLES[1], 3)

    for first, second in ((("a", early), ("b", late)), (("b", late), ("a", early))):
        store = synced(synced({}, first[0], [first[1]]), second[0], [second[1]])

        assert active(store) == {early.id}
        assert store[late.id].related == (early.id,)


def test_a_later_decision_takes_back_an_earlier_one_of_another_session() -> None:
    early, late = said("a", 1, TITLES[0], 0), said("b", 2, TITLES[2], 3)
    store = synced({}, "a", [early])

    actions = reconcile([late], ("claude", "b"), store)
    store = carry_out(store, actions)

    assert kinds(actions) == ["Supersede", "Add"]
    assert isinstance(actions[0], Supersede)
    assert actions[0].by == late.id
    assert store[late.id].supersedes == (early.id,)
    assert active(store) == {late.id}


def test_a_later_decision_of_the_same_session_takes_back_the_one_that_it_names() -> None:
    early = said("a", 3, "The product catalog uses SQLite", 0)
    late = said("a", 19, "The product catalog moves to PostgreSQL instead of SQLite", 3)
    store = synced(synced({}, "a", [early]), "a", [early, late])

    assert active(store) == {late.id}
    assert store[late.id].supersedes == (early.id,)
    assert store == synced({}, "a", [early, late])


def test_what_a_grown_session_no_longer_supports_goes_and_what_it_had_replaced_comes_back() -> None:
    early, late = said("a", 1, TITLES[0], 0), said("b", 2, TITLES[2], 3)
    store = synced(synced({}, "a", [early]), "b", [late])

    actions = reconcile([], ("claude", "b"), store)
    store = carry_out(store, actions)

    assert kinds(actions) == ["Update", "Supersede"]
    assert active(store) == {early.id}
    assert reconcile([], ("claude", "b"), store) == []
    assert active(synced(store, "c", [])) == {early.id}
    assert active(carry_out(store, settle(store))) == {early.id}


def test_what_a_person_archived_does_not_come_back_in_the_words_of_another_session() -> None:
    store = synced(synced({}, "a", [said("a", 1, TITLES[0], 0)]), "b", [said("b", 2, TITLES[1], 3)])
    first = said("a", 1, "", 0).id
    store[first] = replace(store[first], status=Status.ARCHIVED, updated=later(days=9))

    assert active(synced(store, "c", [said("c", 3, TITLES[0], 5)])) == set()
    assert active(synced(store, "d", [said("d", 4, TITLES[0], 10)])) == {
        said("d", 4, "", 0).id
    }  # said anew since


def test_when_a_person_archives_what_had_taken_its_place_the_earlier_one_comes_back() -> None:
    early, late = said("a", 1, TITLES[0], 0), said("b", 2, TITLES[2], 3)
    store = synced(synced({}, "a", [early]), "b", [late])
    store[late.id] = replace(store[late.id], status=Status.ARCHIVED, updated=later(days=9))

    assert active(synced(store, "c", [])) == {early.id}


def test_what_said_the_same_as_one_that_a_person_then_wrote_otherwise_does_not_come_back() -> None:
    first, same, new = (
        said("s1", 1, TITLES[0], 0),
        said("s2", 2, TITLES[1], 1),
        said("s4", 4, "Use tabs", 12),
    )
    store = synced(synced({}, "s1", [first]), "s2", [same])
    store[first.id] = replace(
        store[first.id],
        title="Use DuckDB for the events",
        body="It counts.",
        updated=later(days=10),
        edited=edited(10),
    )

    for again in (
        synced(store, "s4", [new]),
        synced(store, "s2", [same]),
        synced(synced(store, "s4", [new]), "s2", [same]),
    ):
        assert again[same.id] == store[same.id]
    assert same.id not in active(carry_out(store, settle(store)))
    gone = {**store, first.id: replace(store[first.id], status=Status.ARCHIVED)}
    assert same.id in active(synced(gone, "s4", [new]))


def test_what_was_taken_back_stays_so_when_a_person_rewords_what_took_it_back() -> None:
    first, against = said("s1", 1, "Use tabs", 0), said("s2", 2, "Do not use tabs", 1)
    store = synced(synced({}, "s1", [first]), "s2", [against])
    store[against.id] = replace(store[against.id], updated=later(days=5), edited=edited(5))
    store = carry_out(store, settle(store))
    assert store[first.id].related == (against.id,)
    store[against.id] = replace(
        store[against.id],
        title="Ask before a release",
        body="x",
        updated=later(days=10),
        edited=edited(10),
    )

    other = said("s4", 4, "Deploy on Fridays", 12)
    assert active(synced(store, "s4", [other])) == {against.id, other.id}
    gone = {**store, against.id: replace(store[against.id], status=Status.ARCHIVED)}
    assert active(synced(gone, "s4", [other])) == {first.id, other.id}


def test_a_suspect_memory_takes_nothing_back_and_is_no_duplicate() -> None:
    early = said("a", 1, TITLES[0], 0)
    poison = said("b", 2, TITLES[2], 3, suspect="rests on web output")
    twin = said("b", 3, TITLES[0], 3, status=Status.SUSPECT, suspect="rests on web output")
    store = synced(synced({}, "a", [early]), "b", [poison, twin])

    assert active(store) == {early.id}
    assert {store[poison.id].status, store[twin.id].status} == {Status.SUSPECT}
    assert synced(store, "b", [poison, twin]) == store


def test_what_was_merged_away_is_not_added_again() -> None:
    one = said("s", 1, "Use tabs", 0)
    whole = memory(
        id="m" * 13, title="Indent by tabs", merged_from=(one.id,), updated=later(days=2)
    )

    (action,) = reconcile([one], ("claude", "s"), {whole.id: whole})
    assert action == Skip(memory=clean(one), reason=f"was merged into {whole.id}")


def test_a_fork_supports_what_its_origin_takes_back() -> None:
    one = said("a", 1, "Use tabs", 0)
    store = synced(synced({}, "a", [one]), "b", [said("b", 1, "Use tabs", 0)])

    assert {source.session for source in store[one.id].sources} == {"a", "b"}
    store = synced(store, "a", [])
    assert active(store) == {one.id}
    assert active(synced(store, "b", [])) == set()


def test_another_clone_with_other_commits_changes_nothing() -> None:
    one = said("s", 1, "Use tabs", 0, anchors=(Anchor(path="a.py", commit="aaaa"),))
    store = synced({}, "s", [one])
    elsewhere = replace(one, anchors=(), sources=(replace(one.sources[0], commit="bbbb"),))

    assert kinds(reconcile([elsewhere], ("claude", "s"), store)) == ["Skip"]


def test_a_text_that_is_more_redacted_stays() -> None:
    store = synced({}, "s", [said("s", 1, "Use tabs", 0, body="Key [REDACTED:token].")])

    assert synced(store, "s", [said("s", 1, "Use tabs", 0, body="Key abc.")]) == store


def test_what_was_counted_and_added_by_others_survives_a_sync() -> None:
    store = synced({}, "s", [said("s", 1, "Use tabs", 0)])
    ident = next(iter(store))
    store[ident] = replace(store[ident], last_accessed="2026-03-01", unknown={"x": 1})

    after = synced(store, "s", [said("s", 1, "Use tabs", 0, body="More.")])[ident]
    assert (after.last_accessed, after.unknown, after.body) == ("2026-03-01", {"x": 1}, "More.")


# --- any sessions, any order

ROW = Feedback(author="Bob", by=Voice.PERSON, verdict="helpful", day="2026-03-01")


@st.composite
def sessions(draw: st.DrawFn) -> list[Session]:
    made = []
    for n in range(draw(st.integers(1, 5))):
        origins = draw(st.lists(st.integers(0, 7), max_size=4, unique=True))
        made.append((f"s{n}", tuple(_any(draw, f"s{n}", 10 * n + origin) for origin in origins)))
    return made


def _any(draw: st.DrawFn, session: str, origin: int) -> Memory:
    suspect = draw(st.sampled_from([None, None, None, "tool output"]))
    body = draw(
        st.sampled_from(["It was slow.", "It was slow, and people waited.", "Nobody can read it."])
    )
    return said(
        session,
        origin,
        draw(st.sampled_from(TITLES)),
        draw(st.integers(0, 6)),
        suspect=suspect,
        body=body,
    )


def all_synced(each: Sequence[Session], store: Store | None = None) -> Store:
    store = store or {}
    for session, memories in each:
        store = synced(store, session, memories)
    return store


@settings(max_examples=examples(400), deadline=None)
@given(sessions(), st.randoms(use_true_random=False))
def test_the_order_of_syncing_does_not_matter(each: list[Session], chance: random.Random) -> None:
    other = chance.sample(each, len(each))

    assert all_synced(each) == all_synced(other)


@settings(max_examples=examples(200), deadline=None)
@given(sessions())
def test_syncing_twice_changes_nothing(each: list[Session]) -> None:
    store = all_synced(each)

    assert all_synced(each, store) == store
    assert settle(store) == []


@settings(max_examples=examples(200), deadline=None)
@given(sessions(), st.randoms(use_true_random=False))
def test_two_people_who_synced_apart_come_to_the_same_when_their_stores_meet(
    each: list[Session], chance: random.Random
) -> None:
    mine = all_synced(chance.sample(each, chance.randint(0, len(each))))
    yours = all_synced(each)
    yours_too = all_synced(chance.sample(each, chance.randint(0, len(each))))
    for other in (yours, yours_too):
        met = {
            **mine,
            **other,
            **{
                ident: merge_same(mine[ident], other[ident]) for ident in mine.keys() & other.keys()
            },
        }
        met, partly = carry_out(met, settle(met)), carry_out(met, settle(met, mine))

        assert partly == met
        assert settle(met) == []
        assert active(all_synced(each, met)) == active(yours)
        assert other is not yours or met == yours


@settings(max_examples=examples(300), deadline=None)
@given(sessions(), sessions(), st.randoms(use_true_random=False))
def test_a_session_that_grows_ends_as_if_read_at_once(
    before: list[Session], after: list[Session], chance: random.Random
) -> None:
    steps = [*before, *chance.sample(before, len(before))]
    last = dict(after)
    store = all_synced([*steps, *after, *[(name, ()) for name, _ in before if name not in last]])

    assert active(store) == active(all_synced(after))
    assert settle(store) == []


@settings(max_examples=examples(300), deadline=None)
@given(sessions(), sessions(), st.data())
def test_what_a_person_touched_never_changes(
    before: list[Session], after: list[Session], data: st.DataObject
) -> None:
    store = all_synced(before)
    for ident in data.draw(st.lists(st.sampled_from(sorted(store)), unique=True)) if store else ():
        change = data.draw(
            st.sampled_from(
                [{"status": Status.ARCHIVED}, {"title": "Use tabs"}, {"status": Status.ACTIVE}, {}]
            )
        )
        store[ident] = replace(store[ident], updated=later(days=30), edited=edited(30), **change)
    touched = {ident: m for ident, m in store.items() if m.touched}
    store = all_synced(after, store)

    assert {ident: store[ident] for ident in touched} == touched
    assert all_synced(after, store) == store


def test_five_candidates_among_four_times_as_many_take_four_times_as_long() -> None:
    verbs, nouns = (
        ["Use", "Keep", "Never"],
        [a + b + c for a in "bcdfghklmn" for b in "aeiou" for c in ("ck", "rt", "ndle", "lt")],
    )
    chance = random.Random(1)  # noqa: S311  # the same titles every time
    titles = [" ".join([chance.choice(verbs), *chance.sample(nouns, 5)]) for _ in range(10_000)]
    memories = [said(f"s{n // 5}", n, title, n % 99) for n, title in enumerate(titles)]
    new = [said("new", 20_000 + n, titles[n], 100) for n in range(5)]

    lines = []
    for size in (2_500, 10_000):
        store = {m.id: m for m in memories[:size]}
        first = reconcile(new, ("claude", "new"), store)  # learns the titles, once a process
        again, count = counted(lambda store=store: reconcile(new, ("claude", "new"), store))
        assert [action.memory.status for action in first] == [Status.SUPERSEDED] * 5
        assert again == first
        lines.append(count)

    assert lines[1] < 5 * lines[0]


def counted(work: Callable[[], list[Action]]) -> tuple[list[Action], int]:
    """Return what work gives and how many lines of Python ran for it, on any machine the same."""
    count = 0

    def trace(_frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        done = work()
    finally:
        sys.settrace(before)
    return done, count


def test_what_an_agent_wrote_is_kept_when_rules_read_its_session_again_but_not_from_a_persons_words() -> (  # noqa: E501
    None
):
    def read_again(origin: Origin) -> Memory:
        by_agent = memory(title="By an agent", origin=Origin.AGENT, feedback=(ROW,))
        (action,) = reconcile(
            [memory(title="Read", origin=origin)],
            ("claude", "5b0c1a2f"),
            {by_agent.id: clean(by_agent)},
        )
        return action.memory

    assert (read_again(Origin.RULES).title, read_again(Origin.RULES).origin) == (
        "By an agent",
        Origin.AGENT,
    )
    assert (read_again(Origin.HUMAN).title, read_again(Origin.HUMAN).origin) == (
        "Read",
        Origin.HUMAN,
    )
    assert read_again(Origin.HUMAN).feedback == (ROW,)
