import pytest
from support import stores
from support.memories import memory
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.actions.lint import lint
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Primitive, Status
from git_lerim.storage.base import Change
from git_lerim.workspace import Workspace, open_workspace

KEY = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    store_at(repo.path).commit(adding(1, 2))
    return open_workspace()


def put(ws: Workspace, files: dict[str, bytes]) -> None:
    ws.store.commit(lambda _: Change(files=files, subject="by hand"))


def test_a_good_store_has_no_problem(ws: Workspace) -> None:
    assert lint(ws, None) == (2, [])


def test_an_empty_store_has_none_either(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.path)

    assert lint(open_workspace(), None) == (0, [])


@pytest.mark.parametrize(
    "changes",
    [
        {"body": f"It is {KEY}."},
        {"title": f"Use {KEY}"},
        {"tags": (KEY,)},
        {"status": Status.SUSPECT, "suspect": f"names {KEY}"},
        {"primitive": Primitive.SUMMARY, "body": f"## Intent\n\n{KEY}"},
    ],
)
def test_a_secret_that_was_committed_by_hand_is_found_and_not_repeated(
    ws: Workspace, changes: dict[str, object]
) -> None:
    one = memory(**changes)
    path = naming.path_of(one.having(title="x"))
    put(ws, {path: frontmatter.render(one)})

    count, problems = lint(ws, None)

    assert count == 3
    assert [(p.path, p.id, p.rule) for p in problems if p.rule == "secret"] == [
        (path, one.id, "secret")
    ]
    assert KEY not in repr(problems)


def test_a_contradiction_repeats_no_secret(ws: Workspace, repo: Repo) -> None:
    stores.put(
        repo,
        stores.decision(3, f"Use Redis for the job queue with the token {KEY}"),
        stores.decision(4, f"Do not use Redis for the job queue with the token {KEY}"),
    )

    _, problems = lint(ws, None)

    (found,) = (p for p in problems if p.rule == "contradiction")
    assert "Redis" in found.sentence
    assert KEY not in repr(problems)
