"""What a colleague answers anew supersedes the user's answer, who is told so however it comes."""

import os
import re
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest
from support.claude import Recording
from support.inside import lerim
from support.memories import from_session
from support.repos import Repo, cloned
from support.stores import put, stored
from support.team import REF, acting, path_of, remember, rewrite, shared

from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace

ANSWER = "Use Redis for the job queue"
OTHERWISE = "Use RabbitMQ for the job queue"
ADR = """\
# 1. Use SQLite for the catalog

Date: 2026-01-02

## Status

Accepted

## Context

Two writers lost rows of the JSON files.

## Decision

We use SQLite for the catalog.
"""
ALIKE = ("Use Redis for the cache of sessions", "Always use Redis for the cache of sessions")
WAYS = pytest.mark.parametrize("way", ["fast-forward", "merge"])


def _known_to_both(ann: Repo, bob: Repo, title: str = ANSWER) -> Memory:
    """Let both have a memory of one of Ann's sessions."""
    remember(ann, "Prices are rounded half to even.")
    own = from_session("a", 30, title=title, origin=Origin.RULES)
    put(ann, own)
    shared(ann)
    lerim(bob.path, "pull")
    return own


def _answered(bob: Repo, own: Memory, how: str) -> str:
    """Let Bob answer Ann's question otherwise, and share that; return the ID."""
    new = from_session("c", 3, title=OTHERWISE, origin=Origin.RULES)
    with acting("Bob"):
        if how == "of a session":
            put(bob, new)
            theirs = new.id
        else:
            text = f"{OTHERWISE}." if how == "in words" else "The staging host is called blue."
            theirs = lerim(bob.path, "remember", "--decision", text).out.split()[0]
        if how == "by its ID":
            rewrite(bob, path_of(bob, theirs), "supersedes: []", f'supersedes: ["{own.id}"]')
        shared(bob)
    return theirs


def _ready(ann: Repo, way: str) -> None:
    """Let Ann have a commit of her own if her pull is to merge."""
    if way == "merge":
        remember(ann, "The cache is in tmp.")


def _line(own: Memory, theirs: str, who: str = "Bob") -> str:
    return (
        f"retired   {own.id} superseded by {who}: git lerim restore {own.id} brings it back, git"
        f" lerim pull --accept {theirs} accepts this\n"
    )


@WAYS
@pytest.mark.parametrize("how", ["in words", "of a session", "by its ID"])
def test_what_a_colleague_answers_anew_is_named_however_it_is_pulled(
    ann: Repo, bob: Repo, way: str, how: str
) -> None:
    own = _known_to_both(ann, bob)
    theirs = _answered(bob, own, how)
    _ready(ann, way)

    told = lerim(ann.path, "pull")

    line = _line(own, theirs, "Mallory" if how == "by its ID" else "Bob")
    assert line in told.out
    assert line in lerim(ann.path, "status").out
    assert stored(ann)[own.id].status is Status.SUPERSEDED
    assert f"[{theirs}]" in lerim(ann.path, "brief").out


@WAYS
@pytest.mark.parametrize("settle", ["restore", "accept"])
def test_what_the_user_restores_or_accepts_stays_so(
    ann: Repo, bob: Repo, way: str, settle: str
) -> None:
    own = _known_to_both(ann, bob)
    theirs = _answered(bob, own, "in words")
    _ready(ann, way)
    lerim(ann.path, "pull")

    words = {"restore": ["restore", own.id], "accept": ["pull", "--accept", theirs]}[settle]
    assert lerim(ann.path, *words).code == 0

    assert "retired" not in lerim(ann.path, "status").out
    shared(ann)
    lerim(bob.path, "pull")
    with acting("Bob"):
        remember(bob, "The logs are in var.")
        shared(bob)
    assert "retired" not in lerim(ann.path, "pull").out
    status = Status.ACTIVE if settle == "restore" else Status.SUPERSEDED
    assert {stored(repo)[own.id].status for repo in (ann, bob)} == {status}


@WAYS
def test_what_a_colleague_only_repeats_is_not_named(ann: Repo, bob: Repo, way: str) -> None:
    own = _known_to_both(ann, bob, ALIKE[0])
    with acting("Bob"):
        put(bob, from_session("c", 40, title=ALIKE[1], origin=Origin.RULES))
        shared(bob)
    _ready(ann, way)

    told = lerim(ann.path, "pull")

    assert stored(ann)[own.id].status is Status.SUPERSEDED
    assert "retired" not in told.out + lerim(ann.path, "status").out


@WAYS
def test_a_colleagues_answer_that_waits_supersedes_nothing(ann: Repo, bob: Repo, way: str) -> None:
    own = _known_to_both(ann, bob)
    ann.git("config", "lerim.trust", "reviewed")
    theirs = _answered(bob, own, "in words")
    _ready(ann, way)

    told = lerim(ann.path, "pull").out

    assert f"waits     {theirs}: " in told
    assert "retired" not in told + lerim(ann.path, "status").out
    assert f"[{own.id}]" in lerim(ann.path, "brief").out


@WAYS
def test_a_pull_proposes_nothing_where_changes_wait_for_review(
    ann: Repo, bob: Repo, way: str
) -> None:
    own = _known_to_both(ann, bob)
    theirs = _answered(bob, own, "in words")
    _ready(ann, way)
    ann.git("config", "lerim.review", "proposal")

    assert lerim(ann.path, "pull").code == 0

    told = lerim(ann.path, "status").out
    assert "pending" not in told
    assert "retired" not in told
    assert {own.id, theirs} <= {row["id"] for row in lerim(ann.path, "list", "--json").json}


def test_what_is_superseded_in_a_proposal_is_restored_there(ann: Repo, bob: Repo) -> None:
    own = _known_to_both(ann, bob)
    theirs = _answered(bob, own, "in words")
    ann.git("config", "lerim.review", "proposal")
    lerim(ann.path, "pull")
    gone = replace(own, status=Status.SUPERSEDED, related=(theirs,))
    files = {path_of(ann, own.id): render(gone)}
    with chdir(ann.path):
        open_workspace().store.commit(lambda _: Change(files=files, subject="put"))

    told = lerim(ann.path, "restore", own.id)

    assert "is superseded now" not in told.err
    assert own.id in {row["id"] for row in lerim(ann.path, "list", "--json").json}


def test_a_confirmed_memory_that_is_superseded_says_how_it_comes_back(ann: Repo, bob: Repo) -> None:
    own = _known_to_both(ann, bob)
    _answered(bob, own, "in words")
    lerim(ann.path, "pull")

    told = lerim(ann.path, "feedback", own.id, "confirmed").err

    assert f"it is still superseded; to bring it back: git lerim restore {own.id}" in told


def test_a_fast_forward_decides_nothing_about_memories_of_others(
    ann: Repo, bob: Repo, hub: Repo
) -> None:
    own = _known_to_both(ann, bob)
    carl = cloned(hub, ann.path.parent / "carl")
    with acting("Carl"):
        lerim(carl.path, "pull")
        _answered(bob, own, "in words")

        told = lerim(carl.path, "pull")

    assert "1 new memory from origin" in told.out
    assert carl.git("rev-parse", REF) == hub.git("rev-parse", REF)


@pytest.mark.parametrize("field", ["supersedes", "merged_from"])
def test_a_wish_that_a_colleague_claims_to_have_replaced_is_kept_and_named(
    ann: Repo, bob: Repo, field: str
) -> None:
    remember(bob, "The staging host is called blue.")
    shared(bob)
    lerim(ann.path, "pull")
    said = "From now on always use pnpm instead of npm, since npm breaks our lockfile."
    session = Recording(Path(os.environ["HOME"]), str(ann.path))
    session.prompt(said).reply("Done, I will use pnpm.")
    dry = lerim(ann.path, "sync", "--window", "all", "--dry-run").out
    own = re.findall(r"  [+] (\w{13})  ", dry)[0]
    path = path_of(bob, "staging-host")
    rewrite(bob, path, f"{field}: []", f'{field}: ["{own}"]')
    shared(bob)
    lerim(ann.path, "pull")

    assert lerim(ann.path, "sync", "--window", "all").code == 0

    assert own in lerim(ann.path, "list", "--all", "--format", "%H").out
    line = f"retired   {own} superseded by Mallory: git lerim restore {own} brings it back"
    assert line in lerim(ann.path, "status").out
    assert lerim(ann.path, "restore", own).code == 0
    assert own in lerim(ann.path, "list", "--format", "%H").out


def test_what_a_colleague_claims_to_have_merged_is_imported(ann: Repo, bob: Repo) -> None:
    remember(bob, "The staging host is called blue.")
    shared(bob)
    lerim(ann.path, "pull")
    ann.commit({"docs/adr/0001-use-sqlite.md": ADR})
    own = lerim(ann.path, "import", str(ann.path / "docs/adr"), "--dry-run", "--json").json[
        "added"
    ][0]["id"]
    path = path_of(bob, "staging-host")
    rewrite(bob, path, "merged_from: []", f'merged_from: ["{own}"]')
    shared(bob)
    lerim(ann.path, "pull")

    done = lerim(ann.path, "import", str(ann.path / "docs/adr"), "--json").json

    assert [row["id"] for row in done["added"]] == [own]
    assert own in lerim(ann.path, "list", "--format", "%H").out
