"""Files below .git that are huge and take no room in an archive, or are only long."""

import os
import subprocess
import sys

import pytest
from support.repos import Repo
from support.world import World

HUGE = 6 << 30
READ = (
    "lerim/own-refs",
    "lerim/listing",
    "lerim/briefs/repository",
    "lerim/activity.log",
    "lerim/unchanged",
    "gc.pid",
    "refs/lerim/served",
    "refs/lerim/backup/memory",
    "logs/refs/heads/lerim/memory",
)
LINE = "Keep money as integer cents."
OF_JSON = (
    "authors.json",
    "claims.json",
    "hook-ran",
    "maintained.json",
    "model-spent.json",
    "model-usage.jsonl",
    "purged-here",
    "shown",
    "verdicts",
    "runs/sync-1/calls.jsonl",
    "runs/sync-1/report.json",
)


def plant(repo: Repo, name: str) -> None:
    """Put a huge file without content below .git."""
    path = repo.path / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(HUGE)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited so")
@pytest.mark.parametrize("name", READ)
def test_no_verb_reads_a_file_that_memory_has_no_room_for(
    name: str, world: World, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in [variable for variable in os.environ if variable.startswith("GIT_C")]:
        monkeypatch.delenv(variable)  # what seals the world keeps the caches from being used
    for words in (["remember", LINE], ["list"], ["brief"], ["sync"]):
        assert world.lerim(repo.path, *words).code == 0
    plant(repo, name)

    for verb in ("list", "brief", "hook claude SessionStart", "remember x", "status", "sync"):
        done = subprocess.run(
            ["bash", "-c", f"ulimit -v 3000000; {sys.executable} -P -m git_lerim {verb}"],
            cwd=repo.path, env=os.environ, input="{}", capture_output=True, text=True, check=False,
            timeout=60,
        )  # fmt: skip
        assert (done.returncode, "Memory" in done.stderr) == (0, False), (verb, done.stderr)
        assert verb != "list" or LINE[:-1] in done.stdout


def test_deeply_nested_json_counts_as_a_file_that_is_missing(world: World, repo: Repo) -> None:
    repo.git("config", "lerim.review", "proposal")
    id_ = world.lerim(repo.path, "remember", LINE).out.split()[0]
    for name in OF_JSON:
        path = repo.path / ".git/lerim" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[" * 200_000)

    assert "cannot be read: it is nested too deeply" in world.lerim(repo.path, "logs", "sync-1").err
    for verb in ("brief", "doctor", "maintain", "review", "status", f"show {id_}"):
        done = world.lerim(repo.path, *verb.split())
        assert done.code == 0, (verb, done.err)


@pytest.mark.parametrize("name", ["refs/lerim/accepted", "refs/heads/lerim/memory"])
def test_a_huge_ref_is_repaired_as_a_damaged_one_is(name: str, world: World, repo: Repo) -> None:
    assert world.lerim(repo.path, "remember", LINE).code == 0
    held = repo.git("rev-parse", name)
    repo.git("pack-refs", "--all")
    plant(repo, name)

    done = world.lerim(repo.path, "doctor")

    assert "Traceback" not in done.err
    assert repo.git("rev-parse", name) == held
    assert LINE[:-1] in world.lerim(repo.path, "list").out
    kept = (repo.path / ".git" / "lerim").glob("broken-ref*")
    assert all(path.stat().st_size < 1 << 20 for path in kept)


def test_a_long_log_of_the_branch_is_read(world: World, repo: Repo) -> None:
    assert world.lerim(repo.path, "remember", LINE).code == 0
    log = repo.path / ".git" / "logs" / "refs" / "heads" / "lerim" / "memory"
    lines = log.read_text()
    old = f"{'1' * 40} {'2' * 40} Ada <ada@example.org> 1700000000 +0000\tgit-lerim: {'x' * 100}\n"
    log.write_text(old * 100_000 + lines)

    assert world.lerim(repo.path, "remember", "Prices are rounded half to even.").code == 0
    assert world.lerim(repo.path, "status").code == 0
    listed = world.lerim(repo.path, "list").out
    assert LINE[:-1] in listed
    assert "half to even" in listed
