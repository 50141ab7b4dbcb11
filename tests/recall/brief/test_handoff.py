import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from support.corpus import corpus
from support.memories import AT, later, memory

from git_lerim.memories.handoff import Claim, Details, with_details
from git_lerim.memories.memory import Memory, Primitive, Source, Status
from git_lerim.recall.brief.handoff import LIFE, Here, State, choose, is_within, state

NOW = AT + timedelta(days=1)


def a_handoff(n: int = 0, told: Details | None = None, **changes: Any) -> Memory:
    given = {
        "id": f"aaaaaaaaaaaa{'abcdefgh'[n]}",
        "primitive": Primitive.HANDOFF,
        "at": later(minutes=n),
        "sources": (),
    }
    return with_details(memory(**(given | changes)), told or Details())


@pytest.mark.parametrize(
    ("one", "now", "expected"),
    [
        (a_handoff(), NOW, State.OPEN),
        (a_handoff(), AT + LIFE, State.OPEN),
        (a_handoff(), AT + LIFE + timedelta(seconds=1), State.EXPIRED),
        (
            a_handoff(told=Details(claimed_by=Claim(at="2026-02-21T10:00:00Z", who="Ada"))),
            AT + 2 * LIFE,
            State.CLAIMED,
        ),
        (a_handoff(status=Status.ARCHIVED), NOW, State.CANCELLED),
        (a_handoff(status=Status.SUPERSEDED), NOW, State.SUPERSEDED),
        (a_handoff(status=Status.SUSPECT), NOW, State.SUSPECT),
    ],
)
def test_where_a_handoff_stands(one: Memory, now: datetime, expected: State) -> None:
    assert state(one, now) is expected


def test_the_newest_that_somebody_wrote_goes_first() -> None:
    by_rules = a_handoff(2, Details(automatic=True))

    assert choose([a_handoff(0), a_handoff(1), by_rules], Here(), NOW) == a_handoff(1)
    assert choose([by_rules], Here(), NOW) == by_rules
    assert choose([], Here(), NOW) is None


def test_one_of_another_branch_is_left_to_that_one_while_it_exists() -> None:
    other = a_handoff(0, Details(branch="other"))

    assert choose([other], Here(branch="main"), NOW) is None
    assert choose([other], Here(branch="main", exists=lambda _: False), NOW) == other
    assert choose([other], Here(branch=None), NOW) == other
    assert choose([other], Here(branch="other"), NOW) == other


def test_one_that_is_meant_for_an_agent_goes_to_that_one_or_to_a_person() -> None:
    meant = a_handoff(0, Details(to="codex"))

    assert choose([meant], Here(agent="claude"), NOW) is None
    assert choose([meant], Here(agent="codex"), NOW) == meant
    assert choose([meant], Here(), NOW) == meant


def test_a_session_is_not_handed_what_rules_wrote_at_its_own_end() -> None:
    own = a_handoff(0, Details(automatic=True), sources=(Source(agent="claude", session="5b0c"),))

    assert choose([own], Here(session="5b0c"), NOW) is None
    assert choose([own], Here(session="other"), NOW) == own


@pytest.mark.corpus
def test_the_peer_s_cases_of_which_handoff_is_chosen_hold_here_too() -> None:
    vectors = json.loads(corpus("peers/ai-memory/handoff-vectors.json").read_text(encoding="utf-8"))
    for case in vectors["selection"]:
        made = {
            one["summary"]: a_handoff(
                number,
                Details(automatic=not one["manual"], folder=(one["cwd"] or "").lstrip("/")),
                at=later(minutes=one["t"]),
            )
            for number, one in enumerate(case["open"])
        }
        chosen = choose(made.values(), Here(folder=(case["cwd"] or "").lstrip("/")), NOW)
        assert chosen == made.get(case["expect"]), case["name"]
    for above, here, expected in vectors["cwd_within"]:
        assert is_within(above, here) is expected
