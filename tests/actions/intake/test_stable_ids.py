from dataclasses import replace
from datetime import UTC, datetime

from git_lerim.actions.intake.session_memories import Kept
from git_lerim.actions.intake.stable_ids import with_stored_ids
from git_lerim.memories.memory import Kind, Memory, Origin, Primitive, Source, Status
from git_lerim.sessions.session import Header, Session

NOW = datetime(2026, 2, 20, tzinfo=UTC)
FIRST, SECOND = "a" * 13, "b" * 13


def memory(ident: str, title: str, *, record: int = 1) -> Memory:
    return Memory(
        id=ident, primitive=Primitive.LEARNING, kind=Kind.PREFERENCE, title=title,
        body=f"The user asked for this: “{title}.”", origin=Origin.HUMAN, created=NOW, updated=NOW,
        sources=(Source(agent="claude", session="one", records=((record, record),)),),
    )  # fmt: skip


TABS = memory(FIRST, "Always indent with tabs in this repository")
PUSH = memory(FIRST, "Never push to main directly")
FORGOTTEN = replace(TABS, status=Status.ARCHIVED)


def ids(*found: Memory, known: tuple[Memory, ...] = (), dropped: tuple[Memory, ...] = ()) -> list:
    kept = Kept(
        session=Session(agent="claude", id="one", header=Header(), records=()),
        memories=found, summary=None, redactions=0,
    )  # fmt: skip
    return [one.id for one in with_stored_ids(kept, known, dropped).memories]


def test_ids_that_nobody_has_stay() -> None:
    other = replace(TABS, sources=(Source(agent="claude", session="two"),))

    assert ids(PUSH, replace(TABS, id=SECOND)) == [FIRST, SECOND]
    assert ids(replace(TABS, id=SECOND), known=(other,)) == [SECOND]


def test_a_known_statement_takes_its_id_along() -> None:
    moved = replace(TABS, id=SECOND)

    assert ids(moved, known=(TABS,)) == [FIRST]
    assert ids(PUSH, moved, known=(TABS,))[1] == FIRST


def test_what_else_the_rules_find_gets_no_id_that_was_put_away() -> None:
    for away in ({"known": (FORGOTTEN,)}, {"dropped": (TABS,)}):
        (new,) = ids(PUSH, **away)
        again = ids(PUSH, known=(replace(PUSH, id=new), *away.get("known", ())))

        assert new not in {FIRST, SECOND}
        assert again == [new]


def test_a_reworded_statement_keeps_its_id() -> None:
    shorter = memory(SECOND, "Always indent with tabs")
    elsewhere = memory(SECOND, "Always indent with tabs", record=7)

    assert ids(shorter, known=(FORGOTTEN,)) == [FIRST]
    assert ids(elsewhere, known=(FORGOTTEN,)) == [SECOND]


def test_words_at_the_place_of_others_replace_them_if_nobody_put_these_away() -> None:
    assert ids(PUSH, known=(TABS,)) == [FIRST]


def test_half_of_what_was_put_away_does_not_come_back() -> None:
    both = "Always indent with tabs in this repository, and never push to main directly"
    forgotten = replace(memory(FIRST, both), status=Status.ARCHIVED, protected=True)

    assert ids(TABS, replace(PUSH, id=SECOND), known=(forgotten,)) == [FIRST]
