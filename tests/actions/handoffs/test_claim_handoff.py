import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from support.repos import Repo

from git_lerim.actions.handoffs import begin_handoff, claim_handoff, handoff
from git_lerim.actions.handoffs.handoff_draft import Draft
from git_lerim.actions.lint import lint
from git_lerim.errors import Declined, UnknownMemory, UsageError
from git_lerim.memories.handoff import details
from git_lerim.recall.brief.handoff import State
from git_lerim.workspace import Workspace, open_workspace

CLAIM = """
import sys
from git_lerim.actions.handoffs import claim_handoff
from git_lerim.errors import LerimError
from git_lerim.workspace import open_workspace
ws = open_workspace()
ws.store.tip()
print("ready", flush=True)
sys.stdin.readline()
try:
    done = claim_handoff.claim(ws, sys.argv[1] or None, agent=sys.argv[2])
    print("won", done.row.memory.id)
except LerimError as error:
    print("lost", error)
"""

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


def test_the_newest_of_this_branch_is_claimed_once(repo: Repo, opened: Opened) -> None:
    begun(opened(), "Old.")
    newest = begun(opened(1), "New.")
    repo.git("checkout", "-q", "-b", "other")
    other = begun(opened(2), "Other.")
    repo.git("checkout", "-q", "main")

    done = claim_handoff.claim(opened(3), None, agent="codex", session="s1")

    claim = details(done.row.memory).claimed_by
    assert claim
    assert (done.row.memory.id, done.row.state) == (newest, "claimed")
    assert (claim.who, claim.agent, claim.session) == (
        "Ada Tester <ada@example.org>",
        "codex",
        "s1",
    )
    assert repo.git("log", "-1", "--format=%s", "lerim/memory") == "handoff: claim New"
    with pytest.raises(Declined, match="was claimed by Ada Tester <ada@example"):
        claim_handoff.claim(opened(4), newest)
    assert (
        claim_handoff.claim(opened(4), other[:6]).row.memory.id == other
    )  # by its id, from any branch
    assert claim_handoff.claim(opened(5), None).row.memory.title == "Old"
    with pytest.raises(UnknownMemory, match="no handoff is open for main; the last one"):
        claim_handoff.claim(opened(6), None)


def test_a_session_that_asks_again_gets_the_same_one_and_no_second(opened: Opened) -> None:
    begun(opened(), "One.")
    begun(opened(1), "Two.")
    first = claim_handoff.claim(opened(2), None, agent="codex", session="s1")

    again = claim_handoff.claim(opened(3), None, agent="codex", session="s1")

    assert (again.commit, again.row.memory) == (None, first.row.memory)
    assert (
        claim_handoff.claim(opened(4), None, agent="codex", session="s2").row.memory.title == "One"
    )


def test_where_nothing_is_open_that_is_said(opened: Opened) -> None:
    with pytest.raises(UnknownMemory, match="no handoff is open for main"):
        claim_handoff.claim(opened(), None)
    with pytest.raises(UnknownMemory, match="no handoff ID starts with"):
        claim_handoff.claim(opened(), "abcdefg")
    with pytest.raises(UsageError):
        claim_handoff.claim(opened(), None, agent="two words")
    assert handoff.list_handoffs(opened(), everything=True) == []


def test_one_that_nobody_claimed_for_a_month_is_claimed_by_its_id_alone(opened: Opened) -> None:
    id_ = begun(opened())
    month = 31 * 86_400

    assert handoff.list_handoffs(opened(month), everything=False) == []
    assert [row.state for row in handoff.list_handoffs(opened(month), everything=True)] == [
        State.EXPIRED
    ]
    with pytest.raises(UnknownMemory):
        claim_handoff.claim(opened(month), None)
    assert claim_handoff.claim(opened(month), id_).commit


def test_one_that_was_cancelled_is_archived_and_one_that_was_claimed_cannot_be(
    repo: Repo, opened: Opened
) -> None:
    gone, kept = begun(opened(), "Gone."), begun(opened(1), "Kept.")

    done = claim_handoff.cancel(opened(2), gone)

    assert (done.row.state, done.row.path.startswith("archived/handoffs/")) == ("cancelled", True)
    assert handoff.get_handoff(opened(2), gone) == done.row
    assert claim_handoff.cancel(opened(3), gone).commit is None
    with pytest.raises(Declined, match="was cancelled"):
        claim_handoff.claim(opened(3), gone)
    claim_handoff.claim(opened(4), kept)
    with pytest.raises(Declined, match="was claimed by") as refused:
        claim_handoff.cancel(opened(5), kept)
    assert refused.value.hint == f"to archive it anyway: git lerim forget {kept}"
    assert lint(opened(), None) == (2, [])
    assert repo.git("ls-tree", "-r", "--name-only", "lerim/memory").count(".md") == 3
    store = opened().store
    assert store.handoffs() == store.snapshot().handoffs
    assert store.handoffs("HEAD") == store.snapshot("HEAD").handoffs
    assert set(store.handoffs()) == {gone, kept}


@pytest.mark.parametrize("by_id", [True, False])
def test_of_many_processes_that_claim_at_once_one_gets_it(
    repo: Repo,
    opened: Opened,
    by_id: bool,  # noqa: FBT001
) -> None:
    id_ = begun(opened())
    command = [sys.executable, "-c", CLAIM, id_ if by_id else ""]
    racing = [
        subprocess.Popen(
            [*command, f"agent{n}"],
            cwd=repo.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(5)
    ]
    for process in racing:
        assert process.stdout
        process.stdout.readline()
    for process in racing:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    said = sorted(process.communicate(timeout=60)[0].strip() for process in racing)

    claim = details(handoff.get_handoff(opened(9), id_).memory).claimed_by
    assert claim
    assert said[-1] == f"won {id_}"
    assert all(
        f"was claimed by Ada Tester <ada@example.org> for {claim.agent} at" in text
        for text in said[:-1]
    )
    assert [text[:4] for text in said[:-1]] == ["lost"] * 4


def test_what_a_session_claimed_and_left_alone_can_be_opened_again(opened: Opened) -> None:
    id_ = begun(opened())
    assert claim_handoff.release(opened(1), "codex", "s1") is None
    claim_handoff.claim(opened(2), None, agent="codex", session="s1")

    done = claim_handoff.release(opened(3), "codex", "s1")

    assert done
    assert (done.row.memory.id, done.row.state, bool(done.commit)) == (id_, "open", True)
    assert details(done.row.memory).released == done.row.memory.updated.strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )
    assert claim_handoff.claim(opened(4), None, agent="pi", session="s2").row.memory.id == id_
    assert claim_handoff.release(opened(5), "codex", "s1") is None


def test_a_handoff_for_one_agent_is_refused_to_others(opened: Opened) -> None:
    id_ = begun(opened(), to="codex")

    with pytest.raises(Declined, match=f"{id_} is for codex, not for claude") as refused:
        claim_handoff.claim(opened(1), id_, agent="claude")
    assert refused.value.hint == f"to read it anyway: git lerim handoff show {id_}"

    done = claim_handoff.claim(opened(2), id_, agent="codex")
    assert done.row.state is State.CLAIMED
