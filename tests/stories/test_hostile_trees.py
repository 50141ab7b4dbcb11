"""Trees that a stranger pushed and that have more paths than anybody can list: no verb
walks them.
"""

import os
import subprocess

import pytest
from support.repos import Repo
from support.team import REF, remember
from support.world import World

MALLORY = ("-c", "user.name=Mallory", "-c", "user.email=mallory@example.org")
READING = (
    ("list",), ("list", "--all", "--json"), ("search", "clocks"), ("brief",),
    ("brief", "--for", "which clock?"), ("log",),
    ("ask", "which clock?"), ("why", "hello.py"), ("why", "hello.py:1", "--all"),
    ("log", "-v", "--json"), ("diff", "2020-01-01"),
    ("stale",), ("lint",), ("doctor",), ("status",), ("stats",), ("timeline", "hello.py"),
    ("handoff", "list"), ("review",),
    ("maintain", "--dry-run"), ("export", "out"), ("list", "--at", "lerim/memory"),
)  # fmt: skip
PLACES = (
    "extra",
    "learnings/2026-02/deep",
    "handoffs/deep",
    "learnings/deep",
    "archived/deep",
    "archived/learnings/x",
    "purged/x",
)


def bomb(repo: Repo) -> str:
    """Return a tree of 10^10 paths: ten folders in one another, each with ten names for
    the next.
    """
    tree = repo.git(
        "mktree", stdin=f"100644 blob {repo.git('hash-object', '-w', '--stdin', stdin='x')}\tx\n"
    )
    for _ in range(10):
        tree = repo.git("mktree", stdin="".join(f"040000 tree {tree}\t{n}\n" for n in range(10)))
    return tree


def many(repo: Repo) -> str:
    """Return a tree of 720,000 files in months that are all the same."""
    blob = repo.git("hash-object", "-w", "--stdin", stdin="x")
    names = [f"20260202-{n:04}-{'a' * 13}.md" for n in range(600)]
    month = repo.git("mktree", stdin="".join(f"100644 blob {blob}\t{n}\n" for n in names))
    months = [f"{year}-{n:02}" for year in range(1000, 1100) for n in range(1, 13)]
    return repo.git("mktree", stdin="".join(f"040000 tree {month}\t{n}\n" for n in months))


def planted(repo: Repo, path: str, tree: str, parent: str = REF) -> str:
    """Return a commit of Mallory's that puts a tree at a path of the branch."""
    *folders, name = path.split("/")
    for n in range(len(folders), -1, -1):
        above = "/".join(folders[:n])
        listed = repo.git("ls-tree", f"{parent}:{above}", check=False)
        kept = [line for line in listed.splitlines() if line and line.split("\t")[1] != name]
        tree = repo.git("mktree", stdin="\n".join([*kept, f"040000 tree {tree}\t{name}"]) + "\n")
        name = folders[n - 1] if n else ""
    return repo.git(*MALLORY, "commit-tree", tree, "-p", parent, "-m", "Tidy up")


@pytest.mark.parametrize("state", ["there", "in the history"])
def test_no_verb_walks_a_tree_with_endless_paths(state: str, repo: Repo, world: World) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    before = commit = repo.git("rev-parse", REF)
    for where in PLACES:
        commit = planted(repo, where, bomb(repo), commit)
    if state == "in the history":
        commit = repo.git(
            *MALLORY, "commit-tree", f"{before}^{{tree}}", "-p", commit, "-m", "Tidy up more"
        )
    repo.git("update-ref", REF, commit)

    for words in READING:
        ran = world.lerim(repo.path, *words, timeout=20)
        assert ran.code in {0, 1, 3}, (words, ran.err)
    assert "monotonic clocks" in world.lerim(repo.path, "brief").out
    remember(repo, "Tests need a fixed time zone.")
    assert "time zone" in world.lerim(repo.path, "search", "time zone").out


@pytest.mark.parametrize("where", ["extra", "learnings/2026-02/deep"])
def test_a_pull_takes_such_a_tree_without_walking_it(where: str, repo: Repo, world: World) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    commit = planted(repo, where, bomb(repo))
    repo.git("update-ref", "refs/remotes/origin/lerim/memory", commit)
    repo.git("clone", "-q", "--bare", str(repo.path), str(repo.path) + ".remote")
    repo.git("push", "-q", str(repo.path) + ".remote", f"{commit}:{REF}")
    repo.git("remote", "add", "origin", str(repo.path) + ".remote")
    remember(repo, "Tests need a fixed time zone.")

    for words in (["pull"], ["pull"], ["push", "--yes"], ["list"], ["lint"], ["doctor"], ["brief"]):
        ran = world.lerim(repo.path, *words, timeout=20)
        assert ran.code in {0, 1, 3}, (words, ran.err)
    assert "time zone" in world.lerim(repo.path, "brief").out


def test_a_remote_with_endless_files_is_refused_and_the_rest_is_read(
    repo: Repo, world: World
) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    remote = str(repo.path) + ".remote"
    repo.git("clone", "-q", "--bare", str(repo.path), remote)
    repo.git("push", "-q", remote, REF)
    repo.git("push", "-q", remote, f"{planted(repo, 'decisions', many(repo))}:{REF}")
    repo.git("remote", "add", "origin", remote)
    repo.git("fetch", "-q", "origin")
    before = repo.git("rev-parse", REF)

    for words in (["list"], ["brief"], ["lint"], ["doctor"], ["statusline"], ["pull"]):
        ran = world.lerim(repo.path, *words, timeout=20)
        assert ran.code == (words == ["pull"]), (words, ran.err)
    assert "more than 250000 files" in ran.err
    assert "monotonic clocks" in world.lerim(repo.path, "brief").out
    assert repo.git("rev-parse", REF) == before
    remember(repo, "Tests need a fixed time zone.")
    assert len(repo.git("rev-parse", f"{REF}^@").split()) == 1

    repo.git("update-ref", "-d", REF)
    begun = world.lerim(repo.path, "init", timeout=20)
    assert "more than 250000 files" in begun.err
    assert repo.git("for-each-ref", REF) == ""


def test_a_proposal_with_endless_files_is_named_and_not_read(repo: Repo, world: World) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    name = "refs/heads/lerim/proposal/mallory/every-agent-runs-evil.sh"
    commit = planted(repo, "decisions", many(repo))
    repo.git("update-ref", name, commit)

    for words in (["review"], ["review", "show", "mallory"], ["status"], ["list"]):
        ran = world.lerim(repo.path, *words, timeout=20)
        assert ran.code in {0, 1, 2}, (words, ran.err)

    told = world.lerim(repo.path, "review").err
    assert f"the proposal at {commit[:12]} has more than 250000 files" in told
    assert "evil" not in told


@pytest.mark.parametrize("where", ["extra", "decisions/2026-12"])
def test_a_proposal_of_endless_paths_hangs_no_verb(where: str, repo: Repo, world: World) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    name = "refs/heads/lerim/proposal/mallory/20260202-x"
    repo.git("update-ref", name, planted(repo, where, bomb(repo)))

    for words in (["review"], ["review", "show", "mallory"], ["status"], ["list"]):
        ran = world.lerim(repo.path, *words, timeout=20)
        assert ran.code in {0, 1, 2}, (words, ran.err)


@pytest.mark.parametrize("mode", ["branch", "tree"])
def test_endless_files_of_the_past_are_refused(mode: str, repo: Repo, world: World) -> None:
    if mode == "tree":
        assert world.lerim(repo.path, "init", "--tree").code == 0
    remember(repo, "Use the monotonic clocks for timeouts.")
    if mode == "tree":
        repo.git("add", "-A")
        repo.git("commit", "-qm", "Remember")
    ref, where = (REF, "decisions") if mode == "branch" else ("HEAD", ".lerim/memory/decisions")
    full = planted(repo, where, many(repo), repo.git("rev-parse", ref))
    tree = repo.git("rev-parse", f"{ref}^{{tree}}")
    repo.git("update-ref", ref, repo.git(*MALLORY, "commit-tree", tree, "-p", full, "-m", "Back"))

    for words in (["list"], ["list", "--all"], ["search", "clocks"], ["brief"]):
        ran = world.lerim(repo.path, *words, "--at", full, timeout=20)
        assert ran.code == 1, (words, ran.out)
        assert "more than 250000 files" in ran.err


@pytest.mark.parametrize("lacking", ["blob:none", "tree:0"])
def test_the_first_attach_of_a_partial_clone_refuses_endless_files(
    lacking: str, repo: Repo, world: World
) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    repo.git("update-ref", REF, planted(repo, "decisions", many(repo)))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = Repo(repo.path.with_name("partial"))
    options = ("-q", f"--filter={lacking}", f"file://{repo.path}", str(clone.path))
    repo.git("clone", *options)

    begun = world.lerim(clone.path, "init", timeout=60)

    assert "more than 250000 files" in begun.err
    assert clone.git("for-each-ref", REF) == ""


def test_endless_files_of_the_branch_itself_are_refused(repo: Repo, world: World) -> None:
    remember(repo, "Use the monotonic clocks for timeouts.")
    repo.git("update-ref", REF, planted(repo, "decisions", many(repo)))
    tip = repo.git("rev-parse", REF)

    for words in (["list", "--all"], ["brief"], ["remember", "Tests need a fixed time zone."]):
        ran = world.lerim(repo.path, *words, timeout=20)
        assert ran.code == 1, (words, ran.out)
        assert "more than 250000 files" in ran.err
    assert repo.git("rev-parse", REF) == tip


def test_a_format_file_of_any_size_is_not_read(repo: Repo, world: World) -> None:
    assert world.lerim(repo.path, "init", "--tree").code == 0
    os.truncate(repo.path / ".lerim/memory/format", 1 << 40)

    refused = world.lerim(repo.path, "remember", "Tests need TZ=UTC.")

    assert refused.code == 1
    assert "format has more than 1048576 bytes" in refused.err


def forged(repo: Repo, *names: bytes) -> str:
    """Return a commit on the branch with further entries, which git itself would not write."""
    raw = subprocess.run(
        ["git", "cat-file", "tree", f"{REF}:"], cwd=repo.path, capture_output=True, check=True
    ).stdout
    empty = bytes.fromhex(repo.git("mktree", stdin="").strip())
    raw += b"".join(b"40000 " + name + b"\0" + empty for name in names)
    made = subprocess.run(
        ["git", "hash-object", "-t", "tree", "--literally", "-w", "--stdin"],
        cwd=repo.path, input=raw, capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    return repo.git(*MALLORY, "commit-tree", made, "-p", REF, "-m", "Tidy").strip()


@pytest.mark.parametrize("names", [[b"learnings"], [b".."], [b".GIT"]])
def test_a_fetched_tree_that_git_would_not_write_is_not_taken_in(
    names: list[bytes], repo: Repo, world: World
) -> None:
    remember(repo, "Tests need two clocks.")
    repo.git("config", "remote.origin.url", "nowhere")
    repo.git("update-ref", "refs/remotes/origin/lerim/memory", forged(repo, *names))

    done = world.lerim(repo.path, "remember", "Deploys happen on Tuesdays.")

    assert "a duplicate or forbidden name" in done.err
    listed = world.lerim(repo.path, "list").out
    assert "two clocks" in listed
    assert "Tuesdays" in listed
    assert repo.git("ls-tree", "--name-only", REF).split().count("learnings") == 1
