from datetime import timedelta
from typing import Any

from support.memories import AT, memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.handoff import Claim, Details, with_details
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.naming import path_of
from git_lerim.storage.base import Change
from git_lerim.storage.sharing.incoming import Incoming, find_incoming

BODY = "Prices are floats."
CLAIM = Claim(at="2026-02-21T10:00:00Z", who="Ann <ann@example.org>")


def handoff(**told: Any) -> Memory:
    return with_details(memory(primitive=Primitive.HANDOFF, body=BODY), Details(**told))


def between(repo: Repo, *states: Memory) -> Incoming:
    store = store_at(repo.path)
    tips: list[Any] = [None]
    for state in states:
        change = Change(files={path_of(state): render(state)}, subject="x")
        store.commit(lambda _, change=change: change)  # type: ignore[misc]
        tips.append(store.tip() or "")
    return find_incoming(store.place, *tips[-2:])


def test_a_new_handoff_and_a_new_summary_have_arrived(repo: Repo) -> None:
    came = between(repo, handoff())
    assert [item.memory.title for item in came.handoffs] == [handoff().title]
    assert (came.changed, came.lost, came.summaries) == ((), (), ())

    summary = memory(
        primitive=Primitive.SUMMARY,
        id="k3v2qd2m7x4ac",
        body="## Intent\n\nx\n\n## What happened\n\ny",
    )
    assert between(repo, handoff(), summary).summaries == (summary.id,)


def test_what_was_archived_before_it_came_is_not_told(repo: Repo) -> None:
    gone = handoff().having(status=Status.ARCHIVED, updated=AT + timedelta(days=1))
    assert between(repo, gone) == Incoming()


def test_a_claim_is_lost_to_another_claim_and_to_a_release_of_another(repo: Repo) -> None:
    other = Claim(at="2026-02-21T09:00:00Z", who="Bob <bob@example.org>")

    claimed = between(repo, handoff(), handoff(claimed_by=CLAIM))
    assert ([item.memory.id for item in claimed.changed], claimed.lost) == ([handoff().id], ())
    for now in (handoff(claimed_by=other), handoff(released="2026-02-21T11:00:00Z")):
        lost = between(repo, handoff(claimed_by=CLAIM), now)
        assert [(item.memory, claim) for item, claim in lost.lost] == [(now, CLAIM)]
