import json
from dataclasses import replace

import pytest
from support.repos import Repo
from support.stores import adding, decision, put, store_at

from git_lerim.cli import main
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Kind, Primitive, Source, Status
from git_lerim.storage.base import Change, Snapshot

VERBS = (("list",), ("log",), ("search", "thing"), ("recall", "thing"))


def of_later(_: Snapshot) -> Change:
    """Add what a later version extracted from an agent that this one does not know."""
    source = Source(agent="later", session="s1", records=((1, 1),))
    memory = replace(decision(2), sources=(source,), status=Status.ARCHIVED)
    trailers = (("Lerim-Op", "sync"), ("Lerim-Agent", "later"), ("Lerim-Added", memory.id))
    return Change(
        files={naming.path_of(memory): frontmatter.render(memory)},
        subject="sync: 1 decision",
        trailers=trailers,
    )


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in, with a memory."""
    monkeypatch.chdir(repo.path)
    store_at(repo.path).commit(adding(1))
    return repo


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [*VERBS, ("sync",)])
def test_an_agent_that_nobody_knows_is_refused_in_the_same_words(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--agent", "nope"]) == 2

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(
        "git lerim: git-lerim does not know the agent nope\nhint: known agents: claude, codex, "
    )


@pytest.mark.parametrize("verb", ["list", "search"])
def test_decisions_and_learnings_together_are_both(
    verb: str, here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    learning = replace(decision(2), primitive=Primitive.LEARNING, kind=Kind.FACT)
    put(here, learning, decision(3))

    def ids(*options: str) -> set[str]:
        assert main([verb, "--json", *options]) == 0
        return {row["id"] for row in json.loads(capsys.readouterr().out)}

    assert len(ids("--learnings")) == 1
    both = ids("--decisions") | ids("--learnings")
    assert len(both) == 3
    assert ids("--decisions", "--learnings") == ids("--learnings", "--decisions") == both


@pytest.mark.parametrize("words", VERBS)
def test_an_agent_that_only_the_memory_knows_can_be_asked_for(
    words: tuple[str, ...], here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(here.path).commit(of_later)

    assert main([*words, "--agent", "later"]) == 0
    assert main([*words, "--agent", "latr"]) == 2
    assert capsys.readouterr().err.rstrip().endswith(", later")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", VERBS)
def test_an_agent_that_is_known_and_left_nothing_is_no_mistake(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--agent", "codex"]) == 0
    assert capsys.readouterr().out == ""


def test_a_log_asks_the_history_too_for_agents_that_are_only_there(
    here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(here.path).commit(of_later)
    path = naming.path_of(decision(2))
    store_at(here.path).commit(lambda _: Change(files={path: None}, subject="purge", trailers=()))

    assert main(["log", "--agent", "later", "--op", "forget"]) == 0
    assert "no matching entries" in capsys.readouterr().err
    assert main(["list", "--agent", "later"]) == 2
