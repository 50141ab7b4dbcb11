"""A colleague's memory that says to run something is judged by the code that is checked out now."""

from pathlib import Path

import pytest
from support.inside import lerim
from support.mcp import HELLO, Peer
from support.repos import Repo
from support.team import remember, shared

SCRIPT = "scripts/release.sh"
TEXT = f"Releases start with `{SCRIPT} --all`."
FOLDER = ".lerim/memory"
WAITS = "asks to run something that is not in this repository"
READING = (
    ["list"],
    ["search", "releases"],
    ["brief"],
    ["ask", "what starts releases?"],
    ["brief", "--for", "How do releases start?"],
)


def told(repo: Repo) -> list[bool]:
    """Return for each verb, asked twice, whether it hands out the memory."""
    return [SCRIPT in lerim(repo.path, *words).out for words in READING for _ in range(2)]


@pytest.fixture
def released(ann: Repo, bob: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Bob's repository with what Ann shared, on its branch `release`, which alone has a script."""
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.delenv(name)  # with these, nothing is answered at once
    bob.commit({"README.md": "A shop.\n"})
    bob.git("branch", "-M", "main")
    bob.git("checkout", "-qb", "release")
    bob.commit({SCRIPT: "#\n"})
    remember(bob, "Prices are rounded half to even.")
    shared(bob)
    lerim(ann.path, "pull")
    remember(ann, TEXT)
    shared(ann)
    lerim(bob.path, "pull")
    return bob


def test_what_runs_a_script_waits_on_a_branch_without_it(released: Repo, ann: Repo) -> None:
    assert all(told(released))

    released.git("checkout", "-q", "main")
    assert not any(told(released))
    assert WAITS in lerim(released.path, "status").out
    remember(ann, "Invoices are sent on Fridays.")
    shared(ann)
    lerim(released.path, "pull")
    assert not any(told(released))

    released.git("checkout", "-q", "release")
    assert all(told(released))
    released.git("rm", "-q", SCRIPT)
    released.git("commit", "-qm", "Drop the script")
    assert not any(told(released))
    lerim(released.path, "pull", "--accept", "all")
    assert all(told(released))


def test_each_work_tree_is_told_what_it_can_run(released: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    released.git("worktree", "add", "-q", str(other), "main")

    for _ in range(2):
        assert all(told(released))
        assert not any(told(Repo(other)))


def test_a_server_that_stays_judges_by_what_is_checked_out(released: Repo) -> None:
    def found(peer: Peer) -> bool:
        arguments = {"name": "search", "arguments": {"query": "releases"}}
        return SCRIPT in str(peer.ask("tools/call", arguments)["result"])

    with Peer(released.path) as peer:
        peer.ask("initialize", HELLO)
        peer.send("notifications/initialized")
        assert found(peer)
        released.git("checkout", "-q", "main")
        assert not found(peer)
        released.git("checkout", "-q", "release")
        assert found(peer)


def test_a_memory_in_the_work_tree_is_judged_by_the_code_too(repo: Repo) -> None:
    repo.commit({SCRIPT: "#\n"})
    assert lerim(repo.path, "init", "--tree").code == 0
    lerim(repo.path, "remember", "Tests need TZ=UTC.")
    path = next((repo.path / FOLDER).rglob("*tests-need*.md"))
    path.write_text(path.read_text().replace("Tests need TZ=UTC", TEXT.rstrip(".")))
    repo.git("add", FOLDER)
    mallory = ("-c", "user.name=Mallory", "-c", "user.email=mallory@example.org")
    repo.git(*mallory, "commit", "-qm", "Tidy up")
    assert all(told(repo))

    repo.git("rm", "-q", SCRIPT)
    repo.git("commit", "-qm", "Drop the script")
    assert not any(told(repo))
    repo.git("reset", "-q", "--hard", "HEAD~")
    assert all(told(repo))
