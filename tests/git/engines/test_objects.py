import gc
import json
import os
import shutil
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.shapes import needs_reftables

from git_lerim.errors import BranchBlocked, GitFailed, LerimError, ReadOnly, StoreMoved
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.cli_engine import CliObjects
from git_lerim.git.engines.libgit2 import Libgit2
from git_lerim.git.engines.libgit2_library import TOGETHER, write_errors
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry
from git_lerim.git.refs import is_branch_name
from git_lerim.git.repo import discover
from git_lerim.git.running.process import git_version
from git_lerim.storage import layout

ADA = Identity(b"Ada <ada@example.org>", b"Ada <ada@example.org>")
REF = "refs/heads/lerim/memory"
MADE = {"sha1": (), "sha256": ("--object-format=sha256",), "reftable": ("--ref-format=reftable",)}
REMOVES_EMPTY_FOLDERS = """
import os
while True:
    for folder in os.listdir():
        if len(folder) == 2:
            try:
                os.rmdir(folder)
            except OSError:
                pass
"""
COMMIT = "tree {tree}\nauthor A <> 0 +0000\ncommitter A <> 0 +0000\n\nfirst\n"


@pytest.fixture(
    params=[
        (Libgit2, "sha1"),
        (CliObjects, "sha1"),
        (CliObjects, "sha256"),
        pytest.param((CliObjects, "reftable"), marks=needs_reftables),
    ],
    ids=["libgit2", "git", "git-sha256", "git-reftable"],
)
def engine(request: pytest.FixtureRequest) -> tuple[type[Libgit2 | CliObjects], str]:
    """Return an engine, and of what make its repository is."""
    made: tuple[type[Libgit2 | CliObjects], str] = request.param
    return made


@pytest.fixture
def repo(engine: tuple[type[Objects], str], tmp_path: Path) -> Repo:
    """Return a repository with one commit."""
    return repos.normal(tmp_path / "repo", *MADE[engine[1]])


@pytest.fixture
def objects(engine: tuple[type[Libgit2 | CliObjects], str], repo: Repo) -> Objects:
    """Return the objects of that repository, opened by that engine."""
    return engine[0](discover(repo.path, os.environ))


def test_what_is_written_is_read_back_by_git(repo: Repo, objects: Objects) -> None:
    blob = objects.write_blob(b"text\n")
    tree = objects.write_tree(None, {"a.md": TreeEntry(b"a.md", FILE, blob)})
    commit = objects.write_commit(
        f"tree {tree}\nauthor A <> 0 +0000\ncommitter A <> 0 +0000\n\nfirst\n".encode()
    )

    assert repo.git("show", f"{commit}:a.md") == "text"
    assert objects.tree_of(commit) == tree
    assert objects.entries(str(tree)) == [TreeEntry(b"a.md", FILE, blob)]
    assert (objects.size(blob), objects.blob(blob)) == (5, b"text\n")


def test_a_tree_that_is_changed_alike_twice_is_there_even_if_it_was_pruned(
    tmp_path: Path,
) -> None:
    repo = repos.normal(tmp_path / "repo")
    objects = Libgit2(discover(repo.path, os.environ))
    blob = objects.write_blob(b"")
    base = objects.write_tree(None, {"a": TreeEntry(b"a", FILE, blob)})
    added = {"b": TreeEntry(b"b", FILE, blob)}

    first = objects.write_tree(base, added)
    assert objects.write_tree(base, added) == first
    shutil.rmtree(repo.path / ".git/objects")
    (repo.path / ".git/objects").mkdir()

    assert objects.write_tree(base, added) == first
    assert repo.git("cat-file", "-t", str(first)) == "tree"


def test_objects_survive_a_prune_that_removes_empty_folders(tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "repo")
    objects = Libgit2(discover(repo.path, os.environ))
    folders = repo.path / ".git/objects"
    prune = subprocess.Popen([sys.executable, "-c", REMOVES_EMPTY_FOLDERS], cwd=folders)
    try:
        settled = 0
        for number in range(20):
            try:
                blob = objects.write_blob(b"%d" % number)
                (folders / blob[:2] / blob[2:]).unlink(missing_ok=True)
                objects.settle()
            except StoreMoved:  # writers retry
                continue
            settled += 1
            assert repo.git("cat-file", "-t", blob) == "blob"
        assert settled > 5
    finally:
        prune.kill()
        prune.wait()


def test_a_tree_changes_in_the_named_entries_alone(objects: Objects) -> None:
    blob = objects.write_blob(b"")
    both = objects.write_tree(
        None, {"a": TreeEntry(b"a", FILE, blob), "b": TreeEntry(b"b", FILE, blob)}
    )

    only = objects.write_tree(both, {"a": None, "not there": None})

    assert [entry.name for entry in objects.entries(str(only))] == [b"b"]
    assert objects.write_tree(only, {"b": None}) is None


def test_a_ref_moves_from_where_it_was_expected_only(repo: Repo, objects: Objects) -> None:
    first, second = repo.git("rev-parse", "HEAD"), repo.commit({"a": "1"})

    objects.move_ref(REF, first, old=None, message="begin", who=ADA)
    for expected in (None, second):
        with pytest.raises(StoreMoved):
            objects.move_ref(REF, second, old=expected, message="wrong", who=ADA)
    objects.move_ref(REF, second, old=first, message="go on", who=ADA)

    assert repo.git("rev-parse", REF) == objects.ref(REF) == second
    assert repo.git("reflog", "show", "--format=%gs", REF).splitlines() == ["go on", "begin"]


def test_an_identity_without_a_mail_moves_a_ref_too(repo: Repo, objects: Objects) -> None:
    objects.move_ref(
        REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=Identity(b"A <>", b"A <>")
    )

    assert repo.git("rev-parse", REF)


def test_a_locked_ref_is_a_reason_to_try_again(repo: Repo, objects: Objects) -> None:
    table = repo.path / ".git/reftable"
    lock = table / "tables.list.lock" if table.is_dir() else repo.path / f".git/{REF}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()

    with pytest.raises(StoreMoved):
        objects.move_ref(REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=ADA)


def test_a_ref_of_ours_is_removed_once(repo: Repo, objects: Objects) -> None:
    objects.move_ref(REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=ADA)

    objects.remove_ref(REF)
    objects.remove_ref(REF)

    assert objects.ref(REF) is None


def test_commits_are_found_by_prefix_and_nothing_else_is(repo: Repo, objects: Objects) -> None:
    commit = repo.git("rev-parse", "HEAD")

    assert objects.full_id(commit[:7]) == commit
    assert objects.full_id(repo.git("rev-parse", "HEAD:hello.py")) is None
    assert objects.full_id("1234567") is None


def test_a_missing_object_is_told_in_a_sentence(objects: Objects) -> None:

    for ask in (objects.blob, objects.size, objects.entries, objects.tree_of):
        with pytest.raises(GitFailed, match="object 111111111111 cannot be read"):
            ask("1" * 40)
    assert not objects.is_whole("1" * 40)
    assert not objects.descends("1" * 40, "2" * 40)


def test_descent_goes_one_way(repo: Repo, objects: Objects) -> None:
    first, second = repo.git("rev-parse", "HEAD"), repo.commit({"a": "1"})

    assert objects.descends(second, first)
    assert objects.descends(first, first)
    assert not objects.descends(first, second)


def test_a_commit_is_read_once_and_noticed_when_it_is_gone(repo: Repo, objects: Objects) -> None:
    commit = repo.commit({"a": "1"})
    assert objects.is_whole(commit)
    repo.git("update-ref", "HEAD", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    tree = objects.tree_of(commit)
    repo.git("gc", "-q", "--prune=now")

    assert objects.tree_of(commit) == tree
    assert not objects.is_whole(commit)


def test_a_file_is_found_by_its_path_in_a_commit(repo: Repo, objects: Objects) -> None:
    commit = repo.commit({"src/a.py": "x"})

    found = objects.entry_at(commit, "src/a.py")

    assert found == TreeEntry(b"a.py", FILE, repo.git("rev-parse", "HEAD:src/a.py"))
    assert objects.entry_at(commit, "src/b.py") is None
    folder = objects.entry_at(commit, "src")
    assert folder is not None
    assert folder.mode == FOLDER


@pytest.mark.parametrize("path", ["", "/src", "../src", "src/a.py/x", "new\nline"])
def test_a_path_that_leads_nowhere_is_no_file(repo: Repo, objects: Objects, path: str) -> None:
    assert objects.entry_at(repo.commit({"src/a.py": "x"}), path) is None


def test_a_commit_tells_its_parents(repo: Repo, objects: Objects) -> None:
    first, second = repo.git("rev-parse", "HEAD"), repo.commit({"a": "1"})

    assert objects.parents(second) == (first,)
    assert objects.parents(first) == ()


def test_the_first_commit_of_a_store_is_the_constant_one(
    engine: tuple[type[Objects], str], objects: Objects
) -> None:
    entries = {
        name: TreeEntry(name.encode(), FILE, objects.write_blob(data))
        for name, data in layout.ROOT_FILES.items()
    }

    commit = objects.write_commit(layout.root_commit(objects.write_tree(None, entries) or ""))

    assert commit == layout.ROOT_IDS["sha256" if engine[1] == "sha256" else "sha1"]


def test_folders_and_files_stand_in_the_order_of_git(repo: Repo, objects: Objects) -> None:
    blob = objects.write_blob(b"")
    inner = TreeEntry(
        b"", FOLDER, objects.write_tree(None, {"x": TreeEntry(b"x", FILE, blob)}) or ""
    )
    names = {
        "a": inner,
        "a.b": TreeEntry(b"", FILE, blob),
        "a0": TreeEntry(b"", FILE, blob),
        "A": inner,
    }

    tree = objects.write_tree(None, names)
    objects.move_ref(
        REF, objects.write_commit(COMMIT.format(tree=tree).encode()), old=None, message="x", who=ADA
    )

    assert repo.git("ls-tree", "--name-only", REF).splitlines() == ["A", "a.b", "a", "a0"]
    assert repo.git("fsck", "--strict") == ""
    assert repo.git("ls-tree", str(tree)) == repo.git(
        "ls-tree", repo.git("mktree", stdin=repo.git("ls-tree", str(tree)) + "\n")
    )


@pytest.mark.parametrize("size", [0, 15, 16, 127, 128, 2047, 2048, 300_000])
def test_a_file_of_any_size_is_kept(repo: Repo, objects: Objects, size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    blob = objects.write_blob(data[:size])
    tree = objects.write_tree(None, {"a": TreeEntry(b"a", FILE, blob)})

    assert (objects.size(blob), objects.blob(blob)) == (size, data[:size])
    objects.write_commit(COMMIT.format(tree=tree).encode())

    assert (objects.size(blob), objects.blob(blob)) == (size, data[:size])
    assert repo.git("cat-file", "-s", blob) == str(size)


@pytest.mark.parametrize("name", ["", ".", "..", ".git", "a/b", ".GIT"])
def test_a_name_that_leads_out_of_its_folder_is_not_written(objects: Objects, name: str) -> None:
    with pytest.raises(LerimError):
        objects.write_tree(None, {name: TreeEntry(b"", FILE, objects.write_blob(b""))})


def test_what_a_gc_takes_before_a_ref_leads_to_it_is_written_again(
    repo: Repo, objects: Objects
) -> None:
    tree = objects.write_tree(
        None, {"a": TreeEntry(b"a", FILE, objects.write_blob(b"text of a commit\n"))}
    )
    commit = objects.write_commit(COMMIT.format(tree=tree).encode())
    assert objects.is_complete(commit)
    repo.git("gc", "-q", "--prune=now")

    objects.settle()

    assert objects.is_complete(commit)
    assert repo.git("show", f"{commit}:a") == "text of a commit"


def test_what_others_write_and_pack_meanwhile_is_seen(repo: Repo, objects: Objects) -> None:
    assert not objects.is_whole("1" * 40)
    second = repo.commit({"a": "1"})
    assert objects.is_whole(second)
    repo.git("gc", "-q")
    third = repo.commit({"a": "2"})

    assert objects.is_complete(second)
    assert objects.is_complete(third)


def test_a_branch_of_that_name_is_in_the_way(repo: Repo, objects: Objects) -> None:
    repo.git("branch", "lerim")

    with pytest.raises(BranchBlocked):
        objects.move_ref(REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=ADA)


def test_a_broken_file_of_an_object_is_told_and_the_next_is_read(
    repo: Repo, objects: Objects
) -> None:
    blob, other = (
        repo.git("rev-parse", "HEAD:hello.py"),
        repo.git("hash-object", "-w", "--stdin", stdin="other"),
    )
    file = repo.path / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(b"garbage")

    with pytest.raises(GitFailed, match=f"object {blob[:12]} cannot be read"):
        objects.blob(blob)
    assert objects.blob(other) == b"other"


def test_no_more_of_an_object_is_unpacked_than_its_head_says(repo: Repo) -> None:
    size = 100_000_000
    blob = repo.git("rev-parse", "HEAD:hello.py")
    file = repo.path / ".git/objects" / blob[:2] / blob[2:]
    head, _, _ = zlib.decompress(file.read_bytes()).partition(b"\0")
    file.chmod(0o600)
    file.write_bytes(zlib.compress(head + b"\0" + bytes(size)))
    tracemalloc.start()

    with pytest.raises(GitFailed, match=f"object {blob[:12]} cannot be read"):
        Libgit2(discover(repo.path, {})).blob(blob)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < size / 10


CUT = """
import os, sys
from git_lerim.errors import GitFailed
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from pathlib import Path

commit, name, *reads = sys.argv[1:]
objects = open_objects(discover(Path.cwd(), os.environ))
for read in reads:
    try:
        print({
            "blob": lambda: objects.blob(name), "tree": lambda: objects.raw_tree(name), "commit": \
lambda: objects.tree_of(name),
            "at": lambda: objects.entry_at(commit, "noise"), "whole": lambda: \
objects.is_complete(commit),
            "id": lambda: objects.full_id(commit[:9]), "grown": lambda: objects.descends(commit, \
commit[::-1]),
        }[read]())
    except GitFailed as error:
        print("cannot be read" if "cannot be read" in str(error) else error)
"""
UNREAD = {
    "blob": ("cannot be read",),
    "tree": ("cannot be read",),
    "commit": ("cannot be read",),
    "at": ("None",),
}
UNREAD |= {"whole": ("False",), "grown": ("False",), "id": ("None", "cannot be read")}


@pytest.mark.parametrize(
    ("kind", "reads"),
    [
        ("blob", ["blob"]),
        ("tree", ["tree", "at", "whole"]),
        ("commit", ["commit", "at", "whole", "id", "grown"]),
    ],
)
def test_a_file_that_is_cut_off_is_told_and_not_read_for_ever(
    repo: Repo, kind: str, reads: list[str]
) -> None:
    for number in range(40):  # so that a tree, too, has some bytes to be cut
        (repo.path / f"noise{number or ''}").write_bytes(os.urandom(3000))
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", os.urandom(3000).hex())
    commit = repo.git("rev-parse", "HEAD")
    name = {
        "blob": repo.git("rev-parse", "HEAD:noise"),
        "tree": repo.git("rev-parse", "HEAD^{tree}"),
        "commit": commit,
    }[kind]
    file = repo.path / ".git/objects" / name[:2] / name[2:]
    whole = file.read_bytes()
    file.chmod(0o600)
    for share in (0.0, 0.1, 0.97):
        file.write_bytes(whole[: int(len(whole) * share)])
        words = [sys.executable, "-c", CUT, commit, name, *reads]
        told = subprocess.run(
            words, cwd=repo.path, capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for read, said in zip(reads, told.splitlines(), strict=True):
            assert said in UNREAD[read], (share, read)


def test_a_forged_parent_is_read_as_it_is(repo: Repo, objects: Objects) -> None:
    head = COMMIT.format(tree=repo.git("rev-parse", "HEAD^{tree}")).encode()
    forged = objects.write_commit(head.replace(b"\nauthor", b"\nparent \xff\nauthor", 1))

    assert objects.parents(forged) == ("\N{REPLACEMENT CHARACTER}",)
    assert not objects.descends(forged, repo.git("rev-parse", "HEAD"))


def test_a_child_that_was_killed_is_started_anew(tmp_path: Path) -> None:
    made = repos.normal(tmp_path / "repo")
    objects = CliObjects(discover(made.path, os.environ))
    blob = made.git("rev-parse", "HEAD:hello.py")
    assert objects.blob(blob)
    mine = str(os.getpid())
    told = subprocess.run(
        ["ps", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in told.splitlines()]
    for pid in [int(row[0]) for row in rows if row[1] == mine and "cat-file" in row[2]]:
        os.kill(pid, 9)

    assert objects.blob(blob) == b"print('hello')\n"


def test_no_child_outlives_who_asked_it(tmp_path: Path) -> None:
    made = repos.normal(tmp_path / "repo")
    objects = CliObjects(discover(made.path, os.environ))
    objects.blob(made.git("rev-parse", "HEAD:hello.py"))
    child = objects._contents._pipes

    del objects
    gc.collect()

    assert child is not None
    assert child[0].closed


def test_no_engine_is_loaded_before_an_object_is_read() -> None:
    loaded = (
        "import sys, git_lerim.storage.branch.branch_store, git_lerim.storage.code;"
        " print({'pygit2'} & sys.modules.keys())"
    )
    told = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )

    assert told.stdout.strip() == "set()"


@pytest.mark.parametrize(
    "make", ["sha1", "sha256", pytest.param("reftable", marks=needs_reftables)]
)
def test_each_repository_gets_an_engine_that_opens_it(tmp_path: Path, make: str) -> None:
    made = repos.normal(tmp_path / "repo", *MADE[make])

    objects = open_objects(discover(made.path, os.environ))

    assert isinstance(objects, Libgit2 if make == "sha1" else CliObjects)
    assert objects.is_complete(made.git("rev-parse", "HEAD"))
    assert objects.ref("refs/heads/main") == made.git("rev-parse", "HEAD")


NAMES = (
    "lerim/memory", "a", "a.b", "a@b", "@", "-a", "", "HEAD", "a b", "a..b", "a/", "/a", "a//b",
    "a/.b", ".a", "a.lock",
    "a.lock/b", "a.", "a/b.", "a~1", "a^", "a:b", "a?", "a*", "a[", "a\\b", "a@{1}", "a\x7f",
    "a\nb", "caf\u00e9",
    "a.locked", "HEAD/x",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_branch_can_have_the_names_that_git_allows(name: str) -> None:
    said = subprocess.run(
        ["git", "check-ref-format", "--branch", name], capture_output=True, check=False
    )

    assert is_branch_name(name) is (said.returncode == 0)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("failed to create locked file: Permission denied", ReadOnly),
        ("failed to write: No space left on device", ReadOnly),
        ("could not open: Read-only file system", ReadOnly),
        ("path to reference 'refs/heads/lerim/memory' collides with existing one", BranchBlocked),
        ("failed to lock file 'x.lock' for writing", StoreMoved),
        (
            "could not delete reference x: Unable to create '/x/packed-refs.lock': File exists.",
            StoreMoved,
        ),
        ("old reference value does not match", StoreMoved),
    ],
)
def test_what_goes_wrong_in_writing_is_sorted(said: str, kind: type[LerimError]) -> None:
    with pytest.raises(kind), write_errors():
        raise OSError(said)


def test_what_a_ref_leads_to_is_on_the_disk_before_it_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repos.normal(tmp_path / "repo")
    objects = Libgit2(discover(repo.path, os.environ))
    early: set[int] = set()
    flush = os.fsync

    def noted(
        handle: int,
    ) -> (
        None
    ):  # the real thing, with a note of what had reached the disk while the ref was not there
        flush(handle)
        early.update([os.fstat(handle).st_ino] if objects.ref(REF) is None else [])

    monkeypatch.setattr(os, "fsync", noted)
    tree = objects.write_tree(
        None, {"a": TreeEntry(b"a", FILE, objects.write_blob(b"text of a commit\n"))}
    )
    commit = objects.write_commit(
        f"tree {tree}\nauthor A <> 0 +0000\ncommitter A <> 0 +0000\n\nfirst\n".encode()
    )
    objects.move_ref(REF, commit, old=None, message="begin", who=ADA)

    names = repo.git("rev-list", "--objects", "--no-object-names", REF).split()
    files = [repo.path / ".git" / "objects" / name[:2] / name[2:] for name in names]
    assert len(files) == 3
    assert {
        path.stat().st_ino for file in files for path in (file, file.parent)
    } <= early or not TOGETHER


COMMITS = """
import sys
from pathlib import Path
from support.stores import adding, store_at
store_at(Path(sys.argv[1])).commit(adding(1))
"""


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace shows what reaches the disk")
def test_a_ref_is_on_the_disk_before_it_takes_its_place(tmp_path: Path) -> None:
    repo, told = repos.normal(tmp_path / "repo"), tmp_path / "told"
    traced = [
        "strace",
        "-f",
        "-y",
        "-s",
        "999",
        "-e",
        "trace=fsync,fdatasync,link,linkat,rename,renameat,renameat2",
        "-o",
        str(told),
    ]
    done = subprocess.run(
        [*traced, sys.executable, "-c", COMMITS, str(repo.path)],
        cwd=Path(__file__).parents[2],
        check=False,
        capture_output=True,
    )
    if b"ptrace" in done.stderr:
        pytest.skip("nothing can be traced here")
    assert done.returncode == 0, done.stderr

    rows = told.read_text(errors="replace").splitlines()
    for name in (REF, "refs/lerim/backup/memory"):
        calls = ["sync" if "sync(" in row else "move" for row in rows if f"/{name}.lock" in row]
        assert calls, name
        assert calls == ["sync", "move"] * (len(calls) // 2), name


@pytest.mark.skipif(
    git_version() < (2, 36), reason="git tells since 2.36 what it brings to the disk"
)
def test_what_git_writes_for_us_is_on_the_disk_before_a_ref_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = CliObjects(
        discover(repos.normal(tmp_path / "repo", "--object-format=sha256").path, os.environ)
    )
    monkeypatch.setenv("GIT_TRACE2_EVENT", str(tmp_path / "told"))
    tree = objects.write_tree(
        None, {"a": TreeEntry(b"a", FILE, objects.write_blob(b"text of a commit\n"))}
    )
    commit = objects.write_commit(COMMIT.format(tree=tree).encode())
    objects.move_ref(REF, commit, old=None, message="begin", who=ADA)

    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    named = {event["sid"]: event["name"] for event in told if event["event"] == "cmd_name"}
    flushed = [
        event["sid"]
        for event in told
        if "hardware-flush" in event.get("key", event.get("name", ""))
    ]
    assert [named[sid] for sid in flushed] == ["unpack-objects", "update-ref"]


def test_what_is_in_files_of_its_own_is_read_without_the_library(tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "own")
    subprocess.run([sys.executable, "-m", "git_lerim", "remember", "x"], cwd=repo.path, check=True)
    listing = (
        "import sys; from git_lerim.cli import main;"
        "main(['list', '--all']); main(['log']); main(['status']);"
        "sys.exit('pygit2' in sys.modules)"
    )

    subprocess.run([sys.executable, "-c", listing], cwd=repo.path, check=True)
    repo.git("gc", "-q")  # what is packed needs it, and is read as well

    packed = subprocess.run(
        [sys.executable, "-c", listing], cwd=repo.path, check=False, capture_output=True, text=True
    )
    assert packed.returncode == 1
    assert "remember: x" in packed.stdout
