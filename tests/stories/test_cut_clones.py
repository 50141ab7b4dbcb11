"""Clones that lack a part of the history say so, and how to complete them."""

import subprocess
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo

COMMANDS = {
    "--depth=1": "git fetch --unshallow",
    "--filter=blob:none": "git fetch --refetch --no-filter origin && git config --unset"
    " remote.origin.promisor && git config --unset remote.origin.partialCloneFilter",
}


@pytest.fixture(params=sorted(COMMANDS))
def clone(request: pytest.FixtureRequest, repo: Repo, tmp_path: Path) -> Repo:
    """Return a clone that lacks a part of the history, with a memory."""
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("commit", "-q", "--allow-empty", "-m", "More")
    made = tmp_path / "clone"
    options = ("-q", request.param, "--no-local")
    subprocess.run(["git", "clone", *options, f"file://{repo.path}", str(made)], check=True)
    assert lerim(made, "remember", "Prices are in cents.").code == 0
    return Repo(made)


@pytest.mark.parametrize("words", [["stale"], ["status"], ["maintain"], ["maintain", "--dry-run"]])
def test_what_a_clone_lacks_is_said_once_with_what_completes_it(
    words: list[str], clone: Repo
) -> None:
    said = lerim(clone.path, *words).err

    lines = [line for line in said.splitlines() if line.startswith("not looked at: ")]
    assert len(lines) == 1
    command = lines[0].partition("; to complete the clone: ")[2]
    assert command in COMMANDS.values()

    for each in command.split(" && "):
        clone.git(*each.split()[1:])

    assert "not looked at" not in lerim(clone.path, *words).err


@pytest.mark.parametrize("words", [["status"], ["maintain"], ["maintain", "--dry-run"]])
def test_what_a_clone_lacks_is_a_field_of_json(words: list[str], clone: Repo, repo: Repo) -> None:
    [gap] = lerim(clone.path, *words, "--json").json["clone_gaps"]

    assert gap["not_looked_at"]
    assert gap["complete"] in COMMANDS.values()
    assert lerim(repo.path, *words, "--json").json["clone_gaps"] == []


@pytest.mark.parametrize("lacking", ["blob:none", "tree:0"])
def test_a_clone_without_the_folders_of_the_memory_reads_and_writes_it(
    lacking: str, repo: Repo, hub: Repo, tmp_path: Path
) -> None:
    for number in range(3):
        lerim(repo.path, "remember", f"Note {number} is kept, because test {number} needs it.")
    repo.git("remote", "add", "origin", str(hub.path))
    lerim(repo.path, "push", "--yes")
    hub.git("config", "uploadpack.allowFilter", "true")
    made = tmp_path / "cut"
    options = ("-q", f"--filter={lacking}", f"file://{hub.path}", str(made))
    subprocess.run(["git", "clone", *options], check=True)
    lerim(made, "init")

    assert lerim(made, "remember", "The clone adds one, because it is cut.").code == 0

    for words in (["list"], ["search", "test"], ["brief"], ["status"], ["log"], ["push", "--yes"]):
        done = lerim(made, *words)
        assert done.code == 0, done.err
    assert len(lerim(made, "list").out.splitlines()) == 4


@pytest.mark.parametrize("kind", ["branch", "tree"])
def test_where_history_is_cut_off_nobody_is_named_for_what_others_may_have_written(
    kind: str, repo: Repo, tmp_path: Path
) -> None:
    begun = ("init", "--tree", "--commit") if kind == "tree" else ("init",)
    then = ["--commit"] if kind == "tree" else []
    assert lerim(repo.path, *begun).code == 0
    repo.git("config", "user.name", "Eve")
    repo.git("config", "user.email", "eve@example.org")
    assert lerim(repo.path, "remember", "Money is kept as integer cents.", *then).code == 0
    repo.git("config", "user.name", "Ann")
    repo.git("config", "user.email", "ann@example.org")
    if kind == "tree":
        repo.commit({"hello.py": "print(3)\n"}, "Change the code")
    else:
        assert lerim(repo.path, "remember", "Tests need TZ=UTC.").code == 0
    made = tmp_path / "cut"
    options = ("-q", "--depth=1", "--no-single-branch")
    subprocess.run(["git", "clone", *options, f"file://{repo.path}", str(made)], check=True)
    lerim(made, *begun)

    shown = lerim(made, "brief").out

    assert "from somebody, not the user: Money is kept" in shown
    assert "Ann" not in shown
    Repo(made).git("fetch", "-q", "--unshallow")
    assert lerim(made, "reset", "--yes").code == 0  # what was looked up before is kept
    assert "from Eve, not the user: Money is kept" in lerim(made, "brief").out


def test_a_clone_of_one_branch_says_that_it_has_no_memory_to_check(
    hub: Repo, ann: Repo, tmp_path: Path
) -> None:
    lerim(ann.path, "remember", "Prices are in cents.")
    assert lerim(ann.path, "push", "--yes").code == 0
    ann.git("push", "-q", "origin", "HEAD:main")
    made = tmp_path / "ci"
    options = ("-q", "--depth=1", "--branch=main", f"file://{hub.path}")
    subprocess.run(["git", "clone", *options, str(made)], check=True)
    clone = Repo(made)

    checked = lerim(made, "lint")
    assert checked.code == 0
    assert "warning: there is no memory here, so nothing was checked" in checked.err
    way = "git lerim pull gets it if origin has one"
    assert way in checked.err
    assert way in lerim(made, "doctor").out

    clone.git("fetch", "-q", "origin", "lerim/memory:refs/remotes/origin/lerim/memory")
    assert "nothing was checked" not in lerim(made, "lint").err
    assert "git lerim init creates it from origin/lerim/memory" in lerim(made, "doctor").out
    assert lerim(made, "pull").code == 0
    done = lerim(made, "lint")
    assert "checked 1 file" in done.err
    assert "warning" not in done.err
