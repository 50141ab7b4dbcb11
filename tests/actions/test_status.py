import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions import edit_memory
from git_lerim.actions.status import status
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Kind, Primitive, Status
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace


def test_before_anything_all_is_empty_and_stays_so(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    ws = open_workspace()

    assert status(ws) == {
        "store": "branch", "branch": "lerim/memory", "personal": False, "commit": None,
        "blocked": None,
        "fetched": None, "lost": [],
        "lost_proposals": [],
        "joined": None, "last_change": None, "memories": {}, "uncommitted": 0, "offered": "",
        "pending": 0,
        "proposed_as_other": [], "proposal": None,
        "waiting": [], "troubles": [], "quarantined": [], "sessions": {}, "last_run": None,
        "dropped": 0, "sync": "auto", "clone_gaps": [],
        "unchecked": [], "withdrawn": [], "withdrawn_pending": [], "rewritten": [], "retired": [],
        "purges_waiting": [], "purges_titles": {}, "purged": [], "proposals": 0,
        "hooks": {"agents": [], "delivered": {}, "git": False, "gone": {}, "last": None},
        "stale": 0, "contradictions": [], "hidden": {},
        "model": None,
    }  # fmt: skip
    assert not ws.folder.exists()


def test_what_is_there_is_counted(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.path)
    store = store_at(repo.path)
    store.commit(adding(1, 2, 3))
    more = [
        memory(id="summaryaaaaaa", primitive=Primitive.SUMMARY, body="## Intent\n\nx"),
        memory(
            id="learningaaaaa",
            primitive=Primitive.LEARNING,
            kind=Kind.FACT,
            status=Status.SUSPECT,
            suspect="odd",
        ),
    ]
    files = {naming.path_of(each): frontmatter.render(each) for each in more}
    broken = {"decisions/2026-02/20260220-broken-aaaaaaaaaaaaa.md": b"no memory\n"}
    store.commit(lambda _: Change(files=files | broken, subject="x"))
    edit_memory.forget(open_workspace(), [decision(1).id])
    ws = open_workspace()
    ws.log("sync sync-1: 3 sessions")

    told = status(ws)

    assert told["memories"] == {
        "decisions": 2,
        "decisions archived": 1,
        "learnings suspect": 1,
        "summaries": 1,
    }
    assert [item["path"] for item in told["quarantined"]] == list(broken)
    assert told["commit"] == repo.git("rev-parse", "lerim/memory")
    assert told["last_change"] == repo.git(
        "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd", "lerim/memory"
    )
    assert told["last_run"].endswith("sync sync-1: 3 sessions")


def test_a_branch_that_was_only_begun_has_no_change(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    store_at(repo.path).start()

    told = status(open_workspace())

    assert told["commit"]
    assert (told["last_change"], told["memories"]) == (None, {})


def test_the_personal_store_says_that_it_is_one() -> None:
    assert status(open_workspace(personal=True))["personal"] is True
