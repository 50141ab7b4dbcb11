import contextlib
import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from support import repos
from support.repos import Repo
from support.stores import adding, decision, store_at, titles
from support.writers import writer

from git_lerim.errors import (
    BadMemory,
    BadSetting,
    BranchBlocked,
    NewerFormat,
    NoIdentity,
    ReadOnly,
    StoreMoved,
)
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage import layout
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.trust import accepted
from git_lerim.storage.writing.lock import Lock, lock_file
from git_lerim.storage.writing.message import commit_bytes

MEMORY = "refs/heads/lerim/memory"
SHAPES = {
    "normal": repos.normal,
    "bare": repos.bare,
    "worktree": repos.worktree,
    "unborn": repos.unborn,
    "detached": repos.detached,
    "line\nend": repos.normal,
}
RUNS_SOMETHING = (
    "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external",
    "diff.x.textconv", "diff.x.command",
    "filter.x.clean", "filter.x.smudge", "credential.helper", "gpg.program", "pager.log",
    "core.alternateRefsCommand",
)  # fmt: skip


def log(repo: Repo, form: str = "%s") -> list[str]:
    return repo.git("log", f"--format={form}", "lerim/memory").splitlines()


def world(repo: Repo) -> list[str]:
    """Return all of the user's own that git-lerim must leave alone."""
    git_dir = Path(repo.git("rev-parse", "--absolute-git-dir"))
    common = repo.path / repo.git("rev-parse", "--git-common-dir")
    own = [
        git_dir / "index",
        git_dir / "HEAD",
        common / "config",
        git_dir / "ORIG_HEAD",
        git_dir / "FETCH_HEAD",
    ]
    told = [
        hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "none" for path in own
    ]
    told += [str(path.stat().st_mtime_ns) for path in own if path.exists()]
    if repo.git("rev-parse", "--is-bare-repository") == "false":
        told += [
            f"{path} {path.stat().st_mtime_ns}"
            for path in sorted(repo.path.rglob("*"))
            if ".git" not in path.parts
        ]
        told.append(repo.git("--no-optional-locks", "status", "--porcelain", "--ignored"))
    return [*told, repo.git("for-each-ref", "refs/heads/main", "refs/tags")]


@pytest.mark.parametrize("shape", SHAPES)
def test_memories_are_kept_and_nothing_of_the_users_is_touched(tmp_path: Path, shape: str) -> None:
    repo = SHAPES[shape](tmp_path / shape)
    before = world(repo)

    store = store_at(repo.path)
    store.commit(adding(1, 2))
    store_at(repo.path).commit(adding(3))
    store.commit(adding(*range(4, 300)))

    assert len(store_at(repo.path).snapshot().memories) == 299
    assert world(repo) == before
    assert "missing" not in repo.git("fsck", "--strict", "--full")


def test_a_submodule_keeps_its_own_memory(repo: Repo, tmp_path: Path) -> None:
    repos.normal(tmp_path / "inner")
    repo.git("submodule", "--quiet", "add", str(tmp_path / "inner"), "inner")
    before = world(repo)

    store_at(repo.path / "inner").commit(adding(1))

    assert world(repo) == before
    assert store_at(repo.path).snapshot().commit is None
    assert len(store_at(repo.path / "inner").snapshot().memories) == 1


def test_a_linked_worktree_writes_into_the_same_store(tmp_path: Path) -> None:
    linked = repos.worktree(tmp_path / "linked")
    store_at(linked.path).commit(adding(1))
    store_at(tmp_path / "linked-main").commit(adding(2))

    assert titles(store_at(linked.path).snapshot()) == {"Use thing 1", "Use thing 2"}


def test_git_dir_in_the_environment_leads_to_that_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    store = BranchStore(discover(tmp_path, os.environ))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", "/nowhere/objects")

    store.commit(adding(1))
    store.commit(adding(*range(2, 300)))

    assert len(store.snapshot().memories) == 299
    assert len(list(store.history())) == 3


def test_an_empty_store_is_an_empty_snapshot(repo: Repo) -> None:
    assert store_at(repo.path).snapshot() == Snapshot(commit=None)
    assert repo.git("for-each-ref", "refs/heads/lerim", "refs/lerim") == ""


def test_the_history_begins_with_the_constant_commit(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))

    assert log(repo, "%H")[-1] == layout.ROOT_IDS["sha1"]


def test_starting_makes_the_branch_once(repo: Repo) -> None:
    store = store_at(repo.path)

    assert store.start() == store.start() == layout.ROOT_IDS["sha1"]
    assert store.snapshot().memories == {}
    assert (
        repo.git("rev-parse", MEMORY, "refs/lerim/backup/memory").splitlines()
        == [layout.ROOT_IDS["sha1"]] * 2
    )


def test_the_commit_is_the_users_own_and_its_trailers_are_gits(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Zoë Autor")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-02-20T09:30:45+01:00")
    store_at(repo.path).commit(adding(1))

    assert log(repo, "%an <%ae> %aI")[0] == "Zoë Autor <ada@example.org> 2026-02-20T09:30:45+01:00"
    assert log(repo, "%cn <%ce>")[0] == "Ada Tester <ada@example.org>"
    trailers = repo.git("log", "-1", "--format=%(trailers)", "lerim/memory").splitlines()
    assert trailers == ["Lerim-Op: sync", f"Lerim-Added: {decision(1).id}"]
    assert (
        repo.git("reflog", "-1", "--format=%gs %gn", MEMORY)
        == "git-lerim: sync: 1 decisions Ada Tester"
    )


def test_no_identity_is_told_and_nothing_moves(repo: Repo) -> None:
    repo.git("config", "--global", "--unset", "user.name")
    repo.git("config", "--global", "user.useConfigOnly", "true")

    with pytest.raises(NoIdentity):
        store_at(repo.path).commit(adding(1))

    assert store_at(repo.path).snapshot().commit is None


@pytest.mark.parametrize("numbers", [(1,), tuple(range(250))])
def test_no_change_is_no_commit(repo: Repo, numbers: tuple[int, ...]) -> None:
    store = store_at(repo.path)
    first = store.commit(adding(*numbers))

    assert store.commit(adding(*numbers)) is None
    assert store.commit(lambda _: None) is None
    assert store.commit(lambda _: Change(files={}, subject="nothing")) is None
    assert store.snapshot().commit == first


def test_many_files_make_the_same_tree_as_one_by_one(tmp_path: Path) -> None:
    at_once, singly = repos.normal(tmp_path / "a"), repos.normal(tmp_path / "b")
    store_at(at_once.path).commit(adding(*range(210)))
    for start in range(0, 210, 70):
        store_at(singly.path).commit(adding(*range(start, start + 70)))

    trees = {repo.git("rev-parse", "lerim/memory^{tree}") for repo in (at_once, singly)}
    assert len(trees) == 1
    assert int(at_once.git("count-objects").split()[0]) < 210


def test_archiving_moves_the_file_and_leaves_no_empty_folder(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(1))
    path = naming.path_of(decision(1))

    def archive(snapshot: Snapshot) -> Change:
        data = frontmatter.render(snapshot.memories[decision(1).id].memory)
        return Change(files={path: None, f"archived/{path}": data}, subject="forget")

    store.commit(archive)

    kept = store.snapshot().memories[decision(1).id]
    assert (kept.path, kept.memory.status) == (f"archived/{path}", "archived")
    assert repo.git("ls-tree", "--name-only", "lerim/memory").splitlines() == [
        ".gitattributes",
        "README.md",
        "archived",
        "format",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "/etc/x.md",
        ".git/config",
        "decisions/x.md",
        "x",
        "decisions/2026-02/../x.md",
        "lerim",
    ],
)
def test_a_file_that_belongs_nowhere_is_not_written(repo: Repo, path: str) -> None:
    with pytest.raises(BadMemory, match="is not the path of a memory file"):
        store_at(repo.path).commit(lambda _: Change(files={path: b"x"}, subject="x"))


def test_a_file_that_no_reader_takes_is_not_written(repo: Repo) -> None:
    with pytest.raises(BadMemory, match="more than"):
        store_at(repo.path).commit(
            lambda _: Change(files={naming.path_of(decision(1)): b"x" * 40_000}, subject="x")
        )


@pytest.mark.parametrize("branch", ["lerim/memory", "lerim-memory", "a/b/c"])
def test_the_branch_can_have_another_name(repo: Repo, branch: str) -> None:
    store_at(repo.path, branch).commit(adding(1))

    assert len(store_at(repo.path, branch).snapshot().memories) == 1
    assert repo.git("rev-parse", f"refs/heads/{branch}") == repo.git(
        "rev-parse", layout.backup_ref(branch)
    )


def test_the_operation_is_carried_out_again_when_somebody_was_faster(repo: Repo) -> None:
    seen: list[int] = []

    def slow(snapshot: Snapshot) -> Change:
        seen.append(len(snapshot.memories))
        if len(seen) < 3:
            store_at(repo.path).commit(adding(10 + len(seen)))
        return adding(1)(snapshot)

    store_at(repo.path).commit(slow)

    assert seen == [0, 1, 2]
    assert titles(store_at(repo.path).snapshot()) == {"Use thing 1", "Use thing 11", "Use thing 12"}
    assert repo.git("rev-list", "--min-parents=2", "lerim/memory") == ""


def test_an_operation_that_takes_long_is_not_given_up_at_its_first_race(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_lerim.storage.writing.retrying.PATIENCE", 0.3)
    seen = []

    def in_an_editor(snapshot: Snapshot) -> Change:
        seen.append(len(snapshot.memories))
        if len(seen) == 1:
            store_at(repo.path).commit(adding(10))
            time.sleep(0.4)
        return adding(1)(snapshot)

    store_at(repo.path).commit(in_an_editor)

    assert seen == [0, 1]


def test_who_sits_in_an_editor_with_the_turn_holds_nobody_up_for_good(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_lerim.storage.writing.retrying.PATIENCE", 0.3)
    monkeypatch.setattr("git_lerim.storage.branch.branch_writer.TURN", 0.2)
    seen: list[int] = []

    def raced(snapshot: Snapshot) -> Change:
        seen.append(len(snapshot.memories))
        if len(seen) == 1:
            store_at(repo.path).commit(adding(10))
        return adding(1)(snapshot)

    with Lock(repo.path / ".git/lerim/turn").acquire(0):
        store_at(repo.path).commit(raced)

    assert seen == [0, 1]


def test_a_race_that_never_ends_is_given_up(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_lerim.storage.writing.retrying.TRIES", 3)
    (repo.path / f".git/{MEMORY}.lock").parent.mkdir(parents=True)
    (repo.path / f".git/{MEMORY}.lock").touch()

    with pytest.raises(StoreMoved, match="could not be updated in 3 tries") as caught:
        store_at(repo.path).commit(adding(1))

    assert "try again" in caught.value.hint


def test_a_lock_left_by_a_killed_process_is_moved_aside(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_lerim.storage.writing.retrying.TRIES", 2)
    lock = repo.path / f".git/{MEMORY}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    os.utime(lock, (1, 1))

    store_at(repo.path).commit(adding(1))

    assert len(store_at(repo.path).snapshot().memories) == 1
    assert list((repo.path / ".git/lerim").glob("stale-lock-*"))


def test_eight_processes_lose_nothing(repo: Repo) -> None:
    children = [writer(repo.path, first, first + 25) for first in range(0, 200, 25)]
    for _ in range(5):
        subprocess.run(
            ["git", "pack-refs", "--all"], cwd=repo.path, check=False, capture_output=True
        )
        subprocess.run(["git", "gc", "-q"], cwd=repo.path, check=False, capture_output=True)
    told = [child.communicate(timeout=120) for child in children]

    assert [child.returncode for child in children] == [0] * 8, told
    assert len(store_at(repo.path).snapshot().memories) == 200
    assert len(log(repo)) == 201
    assert repo.git("rev-parse", MEMORY) == repo.git("rev-parse", "refs/lerim/backup/memory")
    assert "missing" not in repo.git("fsck", "--strict", "--full")


def test_commits_that_land_together_are_commits_like_others(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(0))
    before = world(repo)

    made = store.commit_each([adding(1), lambda _: None, adding(2, 3), adding(2, 3), adding(4)])

    assert [bool(commit) for commit in made] == [True, False, True, False, True]
    assert [commit for commit in made if commit] == log(repo, "%H")[2::-1]
    assert len(store_at(repo.path).snapshot().memories) == 5
    assert world(repo) == before
    moves = repo.git("log", "--walk-reflogs", "--format=%H %gs", "lerim/memory").splitlines()
    assert [move.partition(" ") for move in moves[:3]] == [
        (commit, " ", f"git-lerim: sync: {count} decisions")
        for commit, count in zip(log(repo, "%H"), (1, 2, 1), strict=False)
    ]
    assert repo.git("rev-parse", "refs/lerim/accepted^2") == made[-1]  # all are one's own


def test_nothing_lands_together_without_a_change(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(1))
    tip = repo.git("rev-parse", MEMORY)

    assert store.commit_each([adding(1), lambda _: None]) == [None, None]
    assert store.commit_each([]) == []
    assert repo.git("rev-parse", MEMORY) == tip


def test_operations_are_carried_out_again_together_when_somebody_was_faster(repo: Repo) -> None:
    seen: list[int] = []

    def slow(snapshot: Snapshot) -> Change:
        seen.append(len(snapshot.memories))
        if len(seen) < 3:
            store_at(repo.path).commit(adding(10 + len(seen)))
        return adding(1)(snapshot)

    made = store_at(repo.path).commit_each([adding(2), slow])

    assert seen == [0, 1, 2]
    assert made == log(repo, "%H")[1::-1]
    assert len(store_at(repo.path).snapshot().memories) == 4


def test_what_landed_before_another_writer_came_stays_and_the_rest_follows(repo: Repo) -> None:
    store = store_at(repo.path)
    tip = store.commit(adding(0))
    other = open_objects(discover(repo.path, os.environ))
    raced: list[str] = []

    def come_between() -> None:
        while not raced:
            with contextlib.suppress(StoreMoved):
                if (now := other.ref(MEMORY)) and now != tip:
                    who = accepted.WHO.committer + b" 1 +0000"
                    data = commit_bytes(other.tree_of(now), [now], who, who, b"another\n")
                    commit = other.write_commit(data)
                    other.move_ref(
                        MEMORY, commit, old=now, message="commit: another", who=accepted.WHO
                    )
                    raced.append(commit)

    thread = Thread(target=come_between)
    thread.start()
    made = store.commit_each([adding(n) for n in range(1, 91)])
    thread.join()

    commits = log(repo, "%H")[::-1]
    assert [commit for commit in commits[2:] if commit not in raced] == made
    assert len(commits) == 93
    assert len(store_at(repo.path).snapshot().memories) == 91


def test_who_lands_many_commits_together_loses_nothing_in_a_race(repo: Repo) -> None:
    children = [
        writer(repo.path, first, first + 40, together=together)
        for first, together in ((0, 20), (40, 10), (80, 1), (120, 20))
    ]
    told = [child.communicate(timeout=120) for child in children]

    assert [child.returncode for child in children] == [0] * 4, told
    assert len(store_at(repo.path).snapshot().memories) == 160
    assert len(log(repo)) == 161
    store_at(repo.path).commit(adding(200))
    assert repo.git("rev-parse", "refs/lerim/accepted^2") == repo.git("rev-parse", MEMORY)
    accepted = repo.git("ls-tree", "-r", "--name-only", "refs/lerim/accepted").splitlines()
    assert len([path for path in accepted if path.startswith("decisions/")]) == 161


@pytest.mark.parametrize("linked", [False, True])
def test_a_branch_that_is_checked_out_is_left_alone(
    repo: Repo, tmp_path: Path, *, linked: bool
) -> None:
    store_at(repo.path).commit(adding(1))
    tip = repo.git("rev-parse", MEMORY)
    where = tmp_path / "linked" if linked else repo.path
    (
        repo.git("worktree", "add", "-q", str(where), "lerim/memory")
        if linked
        else repo.git("checkout", "-q", "lerim/memory")
    )

    with pytest.raises(BranchBlocked, match="is checked out in") as caught:
        store_at(repo.path).commit(adding(2))

    assert str(where) in str(caught.value)
    assert repo.git("rev-parse", MEMORY) == tip
    assert len(store_at(repo.path).snapshot().memories) == 1


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("branch", "said"),
    [("lerim", "a branch called lerim"), ("lerim/memory/x", "branches below lerim/memory/")],
)
def test_a_branch_in_the_way_is_named_with_the_setting(
    repo: Repo, branch: str, said: str, *, packed: bool
) -> None:
    repo.git("branch", branch)
    if packed:
        repo.git("pack-refs", "--all")

    for write in (lambda s: s.commit(adding(1)), lambda s: s.start()):
        with pytest.raises(BranchBlocked, match=said) as caught:
            write(store_at(repo.path))
        assert "lerim.branch" in caught.value.hint


@pytest.mark.parametrize("told", [b"2\n", b"99\n", b"2.1 \x1b[31m\n"])
def test_a_newer_layout_is_read_and_not_written(repo: Repo, told: bytes) -> None:
    store = store_at(repo.path)
    store.commit(adding(1))
    store.commit(lambda _: Change(files={"format": told}, subject="from the future"))

    assert len(store.snapshot().memories) == 1
    with pytest.raises(NewerFormat, match="this git-lerim writes layout 1") as caught:
        store.commit(adding(2))
    assert "\x1b" not in str(caught.value)


def test_two_who_start_alone_share_a_history(tmp_path: Path) -> None:
    ada, bob = repos.normal(tmp_path / "ada"), repos.normal(tmp_path / "bob")
    store_at(ada.path).commit(adding(1))
    store_at(bob.path).commit(adding(2))
    bob.git("fetch", "-q", str(ada.path), "lerim/memory:refs/remotes/ada/lerim/memory")

    assert bob.git("merge-base", "lerim/memory", "ada/lerim/memory") == layout.ROOT_IDS["sha1"]


def test_a_fetched_branch_is_taken_over(repo: Repo, tmp_path: Path) -> None:
    store_at(repo.path).commit(adding(1))
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "clone"))
    clone = store_at(tmp_path / "clone")

    assert clone.snapshot().commit is None
    assert not clone.attach("upstream")
    assert clone.attach("origin")
    assert titles(clone.snapshot()) == {"Use thing 1"}
    clone.commit(adding(2))
    assert clone.attach("origin")
    assert len(clone.snapshot().memories) == 2


def test_a_deleted_branch_stays_in_its_backup(repo: Repo) -> None:
    store = store_at(repo.path)
    assert store.delete() is None
    tip = store.commit(adding(1))

    kept = store.delete()

    assert store.snapshot().commit is None
    assert kept is not None
    assert repo.git("rev-parse", kept) == tip


def test_a_new_beginning_does_not_overwrite_the_backup_of_the_old(repo: Repo) -> None:
    old = store_at(repo.path).commit(adding(1))
    repo.git("branch", "-q", "-D", "lerim/memory")
    new = store_at(repo.path).commit(adding(2))

    assert old is not None
    assert repo.git("rev-parse", "refs/lerim/backup/memory") == new
    assert repo.git("rev-parse", f"refs/lerim/backup/memory-{old[:12]}") == old


@pytest.mark.parametrize("count", [3, 250])
def test_a_repository_of_another_make_keeps_memories(tmp_path: Path, count: int) -> None:
    made = repos.unborn(tmp_path / "new", "--object-format=sha256")
    store = store_at(made.path)

    first = store.commit(adding(*range(count)))
    second = store.commit(adding(1000))

    assert made.git("log", "--format=%H", "lerim/memory").splitlines() == [
        second,
        first,
        layout.ROOT_IDS["sha256"],
    ]
    assert len(store_at(made.path).snapshot().memories) == count + 1
    assert made.git("fsck", "--strict") == ""


def test_a_snapshot_reads_each_folder_once(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(*range(50)))
    first = store.snapshot()

    assert store.snapshot().memories[decision(7).id] is first.memories[decision(7).id]


def test_the_store_tells_when_it_first_held_a_memory(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(1))

    assert list(store.first_held()) == [decision(1).id]
    assert store.file(store.snapshot().memories[decision(1).id]) == frontmatter.render(decision(1))
    assert store.committer() == "Ada Tester <ada@example.org>"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not shutil.which("mount") or mount(folder, "size=1m"):
        pytest.skip("a small disk can only be mounted by root")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def mount(folder: Path, options: str) -> int:
    return subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)],
        check=False,
        capture_output=True,
    ).returncode


@pytest.mark.parametrize("numbers", [(2,), tuple(range(2, 250))])
def test_a_disk_that_may_only_be_read_is_told(disk: Path, numbers: tuple[int, ...]) -> None:
    repo = repos.normal(disk / "repo")
    store_at(repo.path).commit(adding(1))
    assert mount(disk, "remount,ro") == 0

    with pytest.raises(ReadOnly, match="the repository cannot be written") as caught:
        store_at(repo.path).commit(adding(*numbers))

    assert "check its permissions" in caught.value.hint
    assert len(store_at(repo.path).snapshot().memories) == 1
    with pytest.raises(ReadOnly), Lock(lock_file(store_at(repo.path).place.own_dir)).acquire(0):
        pass


@pytest.mark.skipif(getattr(os, "getuid", int)() == 0, reason="root may write anywhere")
def test_a_repository_that_may_only_be_read_is_told(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    folders = [path for path in (repo.path / ".git").rglob("*") if path.is_dir()]
    for folder in folders:
        folder.chmod(0o555)

    with pytest.raises(ReadOnly):
        store_at(repo.path).commit(adding(2))

    for folder in folders:
        folder.chmod(0o755)


@pytest.mark.parametrize("numbers", [(2,), tuple(range(2, 250))])
def test_a_full_disk_is_told_and_leaves_the_store_whole(
    disk: Path, numbers: tuple[int, ...]
) -> None:
    repo = repos.normal(disk / "repo")
    store_at(repo.path).commit(adding(1))
    tip = repo.git("rev-parse", MEMORY)
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"1" * 512):
            pass

    with pytest.raises(ReadOnly, match="the repository cannot be written"):
        store_at(repo.path).commit(adding(*numbers))

    assert repo.git("rev-parse", MEMORY) == tip
    assert list((repo.path / ".git").rglob("*.lock")) == []
    filler.unlink()
    repo.commit({"own.py": "own = 1\n"})
    store_at(repo.path).commit(adding(*numbers))
    assert len(store_at(repo.path).snapshot().memories) == 1 + len(numbers)
    repo.git("fsck", "--strict", "--full")


@pytest.mark.parametrize("words", ["gc -q --prune=now", "repack -adq", "pack-refs --all"])
def test_tidying_up_beside_a_writer_loses_nothing_that_was_told(words: str, repo: Repo) -> None:
    child = writer(repo.path, 0, 30)
    while child.poll() is None:
        subprocess.run(["git", *words.split()], cwd=repo.path, check=False, capture_output=True)
    out, err = child.communicate()

    assert len(out.splitlines()) == 30, err
    assert len(store_at(repo.path).snapshot().memories) == 30
    repo.git("gc", "-q", "--prune=now")
    repo.git("fsck", "--strict", "--full")


@pytest.mark.parametrize(
    "branch", ["", "-x", "a..b", "a b", "HEAD", "x.lock", "/x", "x/", "../../config", "a\x1b[31m"]
)
def test_a_name_that_no_branch_can_have_is_a_bad_setting(repo: Repo, branch: str) -> None:
    with pytest.raises(BadSetting, match=r"lerim\.branch is not a valid branch name:") as caught:
        store_at(repo.path, branch)

    assert "\x1b" not in str(caught.value)


def test_a_branch_of_code_is_never_written(repo: Repo) -> None:
    repo.git("branch", "code")
    tip = repo.git("rev-parse", "code")

    with pytest.raises(BranchBlocked, match="is not a memory branch"):
        store_at(repo.path, "code").commit(adding(1))

    assert repo.git("rev-parse", "code") == tip


def test_a_hostile_configuration_runs_nothing(repo: Repo, tmp_path: Path) -> None:
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in (
        "reference-transaction",
        "post-commit",
        "pre-commit",
        "post-checkout",
        "pre-auto-gc",
    ):
        shutil.copy(trap, hooks / name)
        shutil.copy(trap, repo.path / ".git/hooks" / name)
    repo.git("config", "core.hooksPath", str(hooks))
    for key in RUNS_SOMETHING:
        repo.git("config", key, str(trap))
    for key in ("log.showSignature", "commit.gpgSign", "log.follow"):
        repo.git("config", key, "true")
    (repo.path / ".git/info/attributes").write_text("* filter=x diff=x\n")
    sprung.unlink(missing_ok=True)

    store = store_at(repo.path)
    store.commit(adding(1))
    store.commit(adding(*range(2, 250)))
    store.snapshot("yesterday")
    store.snapshot("HEAD")
    list(store.history(path=naming.path_of(decision(1))))
    store.recover(lock_held=True)
    store.delete()

    assert not sprung.exists()
