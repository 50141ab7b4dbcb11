"""Refs of ours that a crash emptied or a prune left without their objects."""

from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo

GONE = b"1234567890123456789012345678901234567890\n"
READING = (
    "list", "list --all --json", "search because", "brief", "status", "log", "review", "diff",
    "stats", "handoff list",
)  # fmt: skip
OURS = (
    "refs/heads/lerim/proposal/ann/x", "refs/lerim/accepted", "refs/lerim/accepted-tree",
    "refs/lerim/backup/memory", "refs/lerim/backup/memory-1234567890ab",
    "refs/lerim/backup/proposal/ann/x", "refs/lerim/dropped", "refs/lerim/joined",
    "refs/lerim/moved", "refs/lerim/pending", "refs/lerim/proposed/ann/x",
    "refs/lerim/pushed/0123456789abcdef", "refs/lerim/rejected", "refs/lerim/served",
    "refs/lerim/theirs-tree", "refs/lerim/theirs/origin/lerim/memory", "refs/lerim/withdrawn",
    "refs/remotes/origin/lerim/memory", "refs/remotes/origin/lerim/proposal/bob/x",
)  # fmt: skip


def damage(repo: Repo, name: str, content: bytes) -> None:
    path = repo.path / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def loose(repo: Repo, name: str) -> Path:
    return repo.path / ".git/objects" / name[:2] / name[2:]


@pytest.mark.parametrize("content", [b"", GONE], ids=["emptied", "missing"])
def test_no_damaged_ref_stops_reading_and_doctor_repairs_it(repo: Repo, content: bytes) -> None:
    repo.git("config", "remote.origin.url", "nowhere")
    for text in ("Use zstd because gzip is slow.", "Keep logs in JSON because of jq."):
        assert lerim(repo.path, "remember", text).code == 0
    for name in OURS:
        damage(repo, name, content)

    for words in READING:
        assert (ran := lerim(repo.path, *words.split())).code == 0, (words, ran)
    assert "zstd" in lerim(repo.path, "list").out
    assert lerim(repo.path, "remember", "Pin numpy because scipy breaks.").code == 0
    for name in OURS:  # what a reader repaired, too
        damage(repo, name, content)
    told = lerim(repo.path, "doctor")
    assert all(name in told.out for name in OURS), told
    assert "was damaged, probably by a crash" in told.out
    if content:  # a branch of the user's is left to the user
        assert "proposal/ann/x points to 123456789012, which is not in the repository" in told.out
        repo.git("update-ref", "-d", OURS[0])
    else:
        assert all(name not in lerim(repo.path, "doctor").out for name in OURS)
    repo.git("gc", "-q", "--prune=now")
    assert "numpy" in lerim(repo.path, "list").out
    repo.git("fsck", "--no-dangling")


def test_doctor_keeps_the_old_value_of_a_repaired_ref(repo: Repo) -> None:
    assert lerim(repo.path, "remember", "Use zstd because gzip is slow.").code == 0
    accepted = repo.git("rev-parse", "refs/lerim/accepted")
    damage(repo, "refs/lerim/accepted", GONE)

    told = lerim(repo.path, "doctor").out

    assert (
        f"refs/lerim/accepted was damaged, probably by a crash; it was reset to {accepted[:12]}"
        in told
    )
    (kept,) = (repo.path / ".git/lerim").glob("broken-refs-lerim-accepted-*")
    assert kept.read_bytes() == GONE


def test_a_missing_folder_of_what_was_accepted_does_not_stop_reading(repo: Repo) -> None:
    for text in ("Use zstd because gzip is slow.", "Keep logs in JSON because of jq."):
        assert lerim(repo.path, "remember", text).code == 0
    folder = repo.git("rev-parse", "refs/lerim/accepted:learnings")
    if folder == repo.git("rev-parse", "lerim/memory:learnings"):
        repo.git("update-ref", "refs/lerim/accepted", "refs/lerim/accepted^")
        folder = repo.git("rev-parse", "refs/lerim/accepted:learnings")
    loose(repo, folder).unlink()

    ran = lerim(repo.path, "list")

    assert ran.code == 0
    assert "zstd" in ran.out
    assert "JSON" in ran.out


def test_a_gap_in_the_history_stops_neither_reading_nor_writing(repo: Repo) -> None:
    for text in ("Use zstd because gzip is slow.", "Keep logs in JSON because of jq.", "A third."):
        assert lerim(repo.path, "remember", text).code == 0
    loose(repo, repo.git("rev-parse", "lerim/memory~1")).unlink()

    for words in READING:
        assert (ran := lerim(repo.path, *words.split())).code == 0, (words, ran)
    assert "history of lerim/memory cannot be read further back" in lerim(repo.path, "log").err
    assert lerim(repo.path, "remember", "Pin numpy because scipy breaks.").code == 0
    told = lerim(repo.path, "doctor")
    assert "the history of refs/heads/lerim/memory has a gap" in told.out
    assert told.code == 1


def test_a_gap_before_what_was_fetched_does_not_grow_the_history(ann: Repo) -> None:
    for text in ("Use zstd because gzip is slow.", "Keep logs in JSON because of jq."):
        assert lerim(ann.path, "remember", text).code == 0
    assert lerim(ann.path, "push", "--yes").code == 0
    pushed = ann.git("rev-parse", "refs/remotes/origin/lerim/memory")
    for text in ("Pin numpy because scipy breaks.", "Reset staging because of the demo."):
        assert lerim(ann.path, "remember", text).code == 0
    before = ann.git("rev-parse", "lerim/memory")
    loose(ann, ann.git("rev-parse", "lerim/memory~1")).unlink()

    ran = lerim(ann.path, "remember", "One more thing.")

    assert ran.code == 0, ran
    assert ann.git("rev-parse", "lerim/memory^") == before
    assert ann.git("rev-parse", "refs/remotes/origin/lerim/memory") == pushed


def test_a_repair_does_not_write_through_a_link(repo: Repo, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("my only copy\n")
    name = "refs/remotes/origin/lerim/memory"
    for text in ("Use zstd because gzip is slow.", "Keep logs in JSON because of jq."):
        assert lerim(repo.path, "remember", text).code == 0
    loose(repo, repo.git("rev-parse", "lerim/memory").strip()).unlink()
    damage(repo, name, GONE)
    log = repo.path / ".git/logs" / name
    log.parent.mkdir(parents=True)
    log.symlink_to(precious)

    for words in ("list", "doctor"):
        lerim(repo.path, words)

    assert precious.read_text() == "my only copy\n"


def test_a_damaged_ref_behind_a_link_is_told_not_repaired(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "lerim").mkdir()
    (tmp_path / "lerim/memory").write_text("my only copy\n")
    remotes = repo.path / ".git/refs/remotes"
    remotes.mkdir(parents=True, exist_ok=True)
    (remotes / "origin").symlink_to(tmp_path)

    for words in ("remember Use zstd because gzip is slow.", "list", "doctor"):
        assert lerim(repo.path, *words.split(" ", 1)).code in {0, 1}

    assert (tmp_path / "lerim/memory").read_text() == "my only copy\n"


def test_a_ref_whose_objects_are_borrowed_from_a_missing_repository_stays(
    repo: Repo, tmp_path: Path
) -> None:
    lerim(repo.path, "remember", "Use zstd because gzip is slow.")
    repo.git("clone", "-q", "--shared", str(repo.path), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    assert lerim(clone.path, "init").code == 0
    lerim(clone.path, "remember", "Keep logs in JSON because of jq.")
    refs = clone.git("for-each-ref")

    away = repo.path.rename(tmp_path / "away")
    told = lerim(clone.path, "doctor").out
    away.rename(repo.path)

    assert f"borrows objects from {repo.path / '.git/objects'}, which is missing" in told
    assert "was damaged" not in told
    assert clone.git("for-each-ref") == refs
    assert "warning" not in lerim(clone.path, "status").err


@pytest.mark.parametrize("emptied", ["", "^{tree}", ":learnings"])
def test_what_a_crash_emptied_is_named_and_comes_back_from_the_remote(
    repo: Repo, tmp_path: Path, emptied: str
) -> None:
    repo.git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "hub.git"))
    lerim(repo.path, "remember", "Use zstd because gzip is slow.")
    lerim(repo.path, "remember", "Keep logs in JSON because of jq.")
    assert lerim(repo.path, "push", "--yes").code == 0
    path = loose(repo, repo.git("rev-parse", f"lerim/memory{emptied}"))
    path.chmod(0o644)
    path.write_bytes(b"")

    told = lerim(repo.path, "remember", "Pin numpy because scipy breaks.")
    assert told.code == 0
    assert "recreated without its old history" in lerim(repo.path, "doctor").out, told
    assert lerim(repo.path, "pull").code == 0
    listed = lerim(repo.path, "list").out
    assert all(word in listed for word in ("zstd", "JSON", "numpy"))
    assert "recreated" not in lerim(repo.path, "doctor").out
    repo.git("fsck", "--no-dangling")
