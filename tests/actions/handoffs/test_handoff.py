from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from support.repos import Repo
from support.world import World

from git_lerim.actions.handoffs import begin_handoff, claim_handoff, handoff
from git_lerim.actions.handoffs.handoff_draft import Draft
from git_lerim.actions.handoffs.handoff_view import fence_handoff
from git_lerim.actions.lint import lint
from git_lerim.memories.format import frontmatter
from git_lerim.memories.handoff import details
from git_lerim.recall.brief.handoff import State
from git_lerim.storage.base import Change
from git_lerim.workspace import Workspace, open_workspace

Opened = Callable[..., Workspace]


@pytest.fixture
def opened(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Return what opens the repository, so many seconds later."""
    monkeypatch.chdir(repo.path)
    first = open_workspace().now

    def at(seconds: float = 0) -> Workspace:
        return replace(open_workspace(), now=first + timedelta(seconds=seconds))

    return at


def begun(ws: Workspace, text: str = "Prices are floats.", **said: str) -> str:
    return begin_handoff.begin(ws, Draft(text=text, **said)).row.memory.id  # type: ignore[arg-type]


def test_the_other_verbs_know_a_handoff(sealed_world: Path, repo: Repo, opened: Opened) -> None:
    world = World(sealed_world)
    id_ = begun(opened(), to="codex")
    before = details(handoff.get_handoff(opened(), id_).memory)

    assert world.lerim(repo.path, "edit", id_, "--title", "Cents").code == 0
    assert world.lerim(repo.path, "forget", id_).code == 0
    assert handoff.get_handoff(opened(5), id_).state is State.CANCELLED
    assert world.lerim(repo.path, "restore", id_).code == 0

    row = handoff.get_handoff(opened(6), id_)
    assert (row.memory.title, row.state, details(row.memory)) == ("Cents", "open", before)
    assert world.lerim(repo.path, "show", id_, "--json").json[0]["handoff"]["to"] == "codex"
    assert world.lerim(repo.path, "list", "--all").out == ""
    assert world.lerim(repo.path, "log", "--json").json[-2]["memories"] == [
        {"id": id_, "path": row.path, "status": "A"}
    ]
    assert lint(opened(), None) == (1, [])


def test_restoring_an_open_handoff_changes_nothing(
    sealed_world: Path, repo: Repo, opened: Opened
) -> None:
    id_ = begun(opened())
    tip = repo.git("rev-parse", "lerim/memory")

    ran = World(sealed_world).lerim(repo.path, "restore", id_)

    assert (ran.code, ran.err) == (0, "nothing changed: already active\n")
    assert repo.git("rev-parse", "lerim/memory") == tip


def test_a_secret_in_a_handoff_is_redacted(repo: Repo, opened: Opened) -> None:
    key = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"
    id_ = begun(opened())
    store = opened().store
    item = store.handoffs()[id_]
    leaked = replace(item.memory, title=f"Use {key}", body=f"{item.memory.body}\n\n{key}")
    store.commit(lambda _: Change(files={item.path: frontmatter.render(leaked)}, subject="x"))

    rows = [
        *handoff.list_handoffs(opened(), everything=True),
        handoff.get_handoff(opened(), id_),
        claim_handoff.claim(opened(), id_, agent=None, session=None).row,
    ]

    assert all("Use [REDACTED" in row.memory.title for row in rows)
    assert not any(key in fence_handoff(opened(), row) for row in rows)
    assert key not in repo.git("log", "-1", "--format=%B", "lerim/memory")


def test_the_users_handoff_in_a_work_tree_names_the_user_before_it_is_committed(
    sealed_world: Path, repo: Repo, opened: Opened
) -> None:
    world = World(sealed_world)
    id_ = begun(opened())
    assert world.lerim(repo.path, "init", "--tree").code == 0
    row = handoff.get_handoff(opened(), id_)
    assert (row.author, row.other) == (opened().store.committer(), "")

    (file,) = repo.path.glob(".lerim/memory/handoffs/*.md")
    theirs = "zzz2345672abc"
    text = file.read_text().replace(id_, theirs).replace("are floats", "are cents")
    file.with_name(file.name.replace(id_, theirs)).write_text(text)
    assert handoff.get_handoff(opened(), theirs).author == "somebody"
