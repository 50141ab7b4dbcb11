"""Maintenance names who shared a memory, and believes no evidence that a colleague forged."""

import pytest
from support.inside import lerim
from support.memories import from_session
from support.repos import Repo
from support.stores import put, stored
from support.team import acting, path_of, shared

from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.memory import Origin, Status
from git_lerim.memories.merging.compared import Compared, Relation

SAYS = "Keep the session catalog in SQLite"
WHY = "The session catalog lies in SQLite, because two writers lost rows of the JSON files."


@pytest.mark.parametrize("words", [["--dry-run"], []])
def test_a_merge_names_the_colleague_who_shared_the_parts(
    words: list[str], ann: Repo, bob: Repo
) -> None:
    put(
        bob,
        from_session("a", 20, title=SAYS, body=WHY, origin=Origin.RULES),
        from_session("b", 10, title=f"Always {SAYS.lower()}", body=WHY, origin=Origin.RULES),
    )
    shared(bob)
    lerim(ann.path, "pull")

    told = lerim(ann.path, "maintain", *words).out

    assert f"merge 2 memories: from Ada Tester: {SAYS}\n" in told
    assert f"  from Ada Tester: {SAYS}\n" in told


def test_a_contradiction_names_the_colleague_who_shared_it(ann: Repo, bob: Repo) -> None:
    put(
        bob,
        from_session("a", 30, title="Use Redis for the job queue", origin=Origin.HUMAN),
        from_session("b", 3, title="Use RabbitMQ for the job queue", origin=Origin.RULES),
    )
    shared(bob)
    lerim(ann.path, "pull")

    for words in (["maintain", "--dry-run"], ["maintain"], ["maintain"], ["review"]):
        told = lerim(ann.path, *words)
        assert "from Ada Tester: Use Redis for the job queue" in told.out + told.err


def test_a_colleague_cannot_forge_a_confirmation_by_the_user(ann: Repo, bob: Repo) -> None:
    lerim(ann.path, "remember", "--decision", "Use Redis for the job queue.")
    me = f"{ann.git('config', 'user.name')} <{ann.git('config', 'user.email')}>"
    confirmed = Feedback(author=me, by=Voice.PERSON, verdict="confirmed", day="2026-02-20")
    put(
        bob, from_session("b", -1000, title="Use RabbitMQ for the job queue", feedback=(confirmed,))
    )
    shared(bob)
    lerim(ann.path, "pull")

    assert "contradict each other" in lerim(ann.path, "maintain").out
    assert "Use Redis" in lerim(ann.path, "brief").out


@pytest.mark.parametrize("verdict", [Relation.REPLACES, Relation.SAME])
def test_a_colleague_cannot_forge_a_verdict_of_a_model(
    verdict: Relation, ann: Repo, bob: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    lerim(ann.path, "remember", "--decision", "Use Redis for the job queue.")
    monkeypatch.delenv("CLAUDECODE")
    mine = path_of(ann, "use-redis")[-16:-3]
    rows = (Compared(other=mine, verdict=verdict),)
    title = "The plants are watered on Mondays"
    put(bob, from_session("b", -1000, title=title, body=title, origin=Origin.HUMAN, compared=rows))
    shared(bob)
    lerim(ann.path, "pull")

    lerim(ann.path, "maintain")
    lerim(ann.path, "sync")

    assert stored(ann)[mine].status is Status.ACTIVE


def test_a_merge_does_not_pass_on_feedback_that_a_colleague_forged(ann: Repo, bob: Repo) -> None:
    me = f"{ann.git('config', 'user.name')} <{ann.git('config', 'user.email')}>"
    forged = (Feedback(author=me, by=Voice.PERSON, verdict="confirmed", day="2026-02-20"),)
    first = from_session("a", 20, title=SAYS, body=WHY, origin=Origin.RULES)
    again = from_session(
        "b", 10, title=f"Always {SAYS.lower()}", body=WHY, origin=Origin.RULES, feedback=forged
    )
    put(bob, first, again)
    shared(bob)
    lerim(ann.path, "pull")

    assert "merge 2 memories" in lerim(ann.path, "maintain").out
    assert "confirmed" not in lerim(ann.path, "show", first.id).out
    assert "confirmed" not in lerim(ann.path, "stats").out


def test_what_a_colleague_tags_is_merged_with_the_rest_of_the_batch(ann: Repo, bob: Repo) -> None:
    twice = "The queue takes at most ten jobs{} more jobs are dropped silently."
    other = "The cache is flushed before each release{} stale entries broke version two."
    for text, between in ((twice, ";"), (twice, ","), (other, ", since"), (other, " since")):
        lerim(ann.path, "remember", "--kind", "fact", text.format(between))
    shared(ann)
    lerim(bob.path, "pull")
    with acting("Bob"):
        id_ = lerim(bob.path, "list", "--format", "%H").out.split()[0]
        assert lerim(bob.path, "edit", id_, "--tag", "jobs").code == 0
        shared(bob)
    lerim(ann.path, "pull")

    done = lerim(ann.path, "maintain", "--force")

    assert "skipped" not in done.err
    assert "made 2 commits" in done.err
    assert len(lerim(ann.path, "list", "--json").json) == 2
