"""Whose hand made a memory, and who may change it then."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.actions import add_memory, edit_memory, undo
from git_lerim.errors import Declined
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Origin, Primitive, Status
from git_lerim.screen.reader import MARKERS
from git_lerim.storage.base import Change
from git_lerim.workspace import Workspace, open_workspace

NOTE = add_memory.Note(
    text="Use tabs, because the linter says so.", primitive=Primitive.DECISION, kind=None
)


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


@pytest.fixture
def put(repo: Repo) -> Callable[[Memory], Memory]:
    def put(one: Memory) -> Memory:
        store_at(repo.path).commit(
            lambda _: Change(files={naming.path_of(one): frontmatter.render(one)}, subject="put")
        )
        return one

    return put


def only(repo: Repo) -> Memory:
    (item,) = store_at(repo.path).snapshot().memories.values()
    return item.memory


@pytest.mark.usefixtures("ws")
@pytest.mark.parametrize("marker", [None, *MARKERS])
def test_what_is_remembered_is_a_persons_or_an_agents(
    marker: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if marker:
        monkeypatch.setenv(marker, "1")

    (made,) = add_memory.remember(open_workspace(), NOTE).memories

    assert (made.origin, made.edited) == (Origin.AGENT if marker else Origin.HUMAN, None)


@pytest.mark.usefixtures("ws")
def test_what_people_set_for_agents_makes_nobody_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("CODEX_HOME", "/x"),
        ("GEMINI_API_KEY", "x"),
        ("CLAUDECODE", ""),
        ("CLAUDE_CONFIG_DIR", "/x"),
    ):
        monkeypatch.setenv(name, value)

    assert add_memory.remember(open_workspace(), NOTE).memories[0].origin is Origin.HUMAN


@pytest.mark.usefixtures("ws")
def test_after_an_edit_of_a_person_no_agent_changes_it(
    repo: Repo, put: Callable[[Memory], Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = put(memory())
    monkeypatch.setenv("CLAUDECODE", "1")
    edit_memory.edit(open_workspace(), one.id, lambda m: m.having(title="By an agent"))
    assert (only(repo).origin, only(repo).edited) == (Origin.AGENT, None)

    monkeypatch.delenv("CLAUDECODE")
    edit_memory.edit(open_workspace(), one.id, lambda m: m.having(title="By a person"))
    mine = only(repo)
    assert mine.edited
    assert (mine.origin, mine.edited.by, mine.edited.at) == (
        Origin.HUMAN,
        "Ada Tester <ada@example.org>",
        mine.updated,
    )

    monkeypatch.setenv("CLAUDECODE", "1")
    with pytest.raises(Declined, match="only a person can do this"):
        edit_memory.edit(open_workspace(), one.id, lambda m: m.having(title="By an agent again"))
    assert only(repo) == mine


def test_what_a_person_brings_back_no_sync_takes_out_again(
    ws: Workspace, repo: Repo, put: Callable[[Memory], Memory]
) -> None:
    one = put(memory(status=Status.SUPERSEDED, confidence=0.0))

    edit_memory.restore(ws, [one.id])

    assert only(repo).touched
    assert (only(repo).status, only(repo).origin, only(repo).confidence) == (
        Status.ACTIVE,
        Origin.RULES,
        0.65,
    )


def test_forgetting_and_protecting_are_no_edits(
    ws: Workspace, repo: Repo, put: Callable[[Memory], Memory]
) -> None:
    one = put(memory())
    edit_memory.protect(ws, [one.id], on=True)
    edit_memory.protect(ws, [one.id], on=False)

    assert only(repo).edited is None
    assert not only(repo).touched


def test_an_undo_is_a_persons_word_and_leaves_what_was_edited_since(
    ws: Workspace, repo: Repo, put: Callable[[Memory], Memory]
) -> None:
    one = put(memory(body="Why.\n\nWhat follows."))
    first = edit_memory.edit(ws, one.id, lambda m: m.having(body="Why not.\n\nWhat follows."))
    edit_memory.edit(ws, one.id, lambda m: m.having(body="Why not.\n\nWhat follows from it."))

    undo.undo(ws, str(first.commit))

    assert only(repo).body == "Why.\n\nWhat follows from it."
    assert only(repo).edited
    assert undo.undo(ws, str(first.commit)).commit is None


def test_an_edit_makes_a_text_a_persons_only_if_it_changes_what_it_says(
    ws: Workspace, put: Callable[[Memory], Memory], repo: Repo
) -> None:
    one = put(memory(origin=Origin.REPAIR, confidence=0.7))

    edit_memory.edit(ws, one.id, lambda m: replace(m, tags=("foo",)))
    tagged = only(repo)
    edit_memory.edit(ws, one.id, lambda m: replace(m, title="What a person says"))
    said = only(repo)

    assert (tagged.tags, tagged.origin, tagged.confidence) == (("foo",), Origin.REPAIR, 0.7)
    assert tagged.touched
    assert (said.origin, said.confidence) == (Origin.HUMAN, 0.9)
