"""A memory whose title a colleague changed does not name them as who asked for what it quotes."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo, cloned
from support.stores import decision, put
from support.team import acting, shared

QUOTE = "“Never retry a POST.”"
MEMORY = replace(decision(1, "Retries"), body=f"The user asked for this: {QUOTE}")


def test_nobody_is_named_as_who_asked_where_several_wrote_a_memory(
    ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    put(ann, MEMORY)
    shared(ann)
    carol = cloned(hub, tmp_path / "carol")
    with acting("Carol"):
        lerim(carol.path, "pull")
        assert f"Ada Tester asked for this: {QUOTE}" in lerim(carol.path, "brief").out
        assert f"Ada Tester asked for this: {QUOTE}" in lerim(carol.path, "show", MEMORY.id).out
    with acting("Bob"):
        lerim(bob.path, "pull")
        assert lerim(bob.path, "edit", MEMORY.id, "--title", "POSTs stay single").code == 0
        assert f"Ada Tester asked for this: {QUOTE}" in lerim(bob.path, "brief").out
        shared(bob)
    lerim(ann.path, "pull")
    fresh = cloned(hub, tmp_path / "fresh")
    for repo, name in ((ann, "Ada Tester"), (carol, "Carol"), (fresh, "Carol")):
        with acting(name):
            lerim(repo.path, "pull")
            for verb in (("brief",), ("show", MEMORY.id), ("search", "POST")):
                told = lerim(repo.path, *verb).out
                assert "POSTs stay single" in told
                assert f"Somebody asked for this: {QUOTE}" in told


def test_who_edits_their_own_memory_is_still_named(ann: Repo, bob: Repo) -> None:
    with acting("Bob"):
        put(bob, MEMORY)
        lerim(bob.path, "edit", MEMORY.id, "--title", "POSTs stay single")
        shared(bob)
    lerim(ann.path, "pull")

    assert f"Bob asked for this: {QUOTE}" in lerim(ann.path, "brief").out


def test_no_history_is_read_for_each_memory_that_a_colleague_wrote_twice(
    ann: Repo, bob: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with acting("Bob"):
        for n in range(5):
            put(bob, replace(decision(n, f"Retries {n}"), body=MEMORY.body))
            assert lerim(bob.path, "edit", decision(n).id, "--tag", "http").code == 0
        shared(bob)
    lerim(ann.path, "pull")
    monkeypatch.setenv("GIT_TRACE", str(trace := tmp_path / "trace"))

    told = lerim(ann.path, "brief").out

    assert told.count("Bob asked for this") == 5
    assert trace.read_text().count("built-in: git log ") <= 2


def test_who_wrote_all_the_words_is_named_whoever_tagged_the_memory(ann: Repo, bob: Repo) -> None:
    with acting("Bob"):
        put(bob, MEMORY)
        shared(bob)
    with acting("Carol"):
        lerim(ann.path, "pull")
        assert lerim(ann.path, "edit", MEMORY.id, "--tag", "http").code == 0
        shared(ann)
    with acting("Bob"):
        lerim(bob.path, "pull")
        lerim(bob.path, "edit", MEMORY.id, "--title", "POSTs stay single")
        shared(bob)
    lerim(ann.path, "pull")

    assert f"Bob asked for this: {QUOTE}" in lerim(ann.path, "brief").out


def test_nobody_is_named_as_who_wants_what_a_handoff_of_several_says(
    ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    lerim(ann.path, "handoff", "begin", "Write the lexer.\n\nThe user wants tabs in it.")
    [row] = lerim(ann.path, "handoff", "list", "--json").json
    shared(ann)
    with acting("Carol"):
        carol = cloned(hub, tmp_path / "carol")
        lerim(carol.path, "pull")
        assert "Ada Tester wants tabs in it" in lerim(carol.path, "handoff", "show", row["id"]).out
    with acting("Bob"):
        lerim(bob.path, "pull")
        text = "Write the lexer.\n\nThe user wants tabs in it, and speed."
        assert lerim(bob.path, "edit", row["id"], "--body", text).code == 0
        shared(bob)
    with acting("Carol"):
        lerim(carol.path, "pull")
        for words in (("show", row["id"]), ("claim",)):
            told = lerim(carol.path, "handoff", *words).out
            assert "from Bob, not the user" in told
            assert "Somebody wants tabs in it, and speed." in told
