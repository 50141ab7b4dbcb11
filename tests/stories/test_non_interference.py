"""Whatever verb is run, in whatever kind of repository: nothing of the user's is touched."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.world import World

from git_lerim import cli

OURS = re.compile(r"refs/heads/lerim/|refs/lerim/|refs/remotes/origin/lerim/")
# Every verb with arguments that make it do something: `{id}` is a memory, `{other}` another one,
# `{tip}` the last commit of the store, `{new}` a new folder, `{out}` the beginning of new names,
# `{notes}` a folder of notes.
STORY = (
    "sync --window all --dry-run",
    "init",
    "sync --window all",
    "sync --window all --force --no-model --json",
    (
        'remember "The cache is cleared at midnight, because the prices change then." --decision'
        " --tag cache"
    ),
    'remember "Say please." --personal',
    "list",
    "list",  # the second one is answered from what the first one kept
    "list --all --json --at lerim/memory~1",
    "show {id} --raw",
    "show {id} --json",
    "search sqlite",
    "search sqlite",  # the second one is answered from the index that the first one made
    "recall tag:cache --json",
    'ask "which storage does the catalog use?"',
    "brief --for hello.py",
    "brief --for hello.py",
    "why hello.py",
    "stale",
    "stats",
    'handoff begin "Go on with the cache."',
    "handoff claim",
    "blame {id}",
    'edit {id} --title "A title of my own" --tag mine',
    "forget {id} {other}",
    "restore {id}",
    "protect {id}",
    "protect --off {id}",
    "feedback {id} helpful",
    "timeline {id}",
    "maintain",
    "statusline",
    "skill --short",
    "hook claude SessionStart",
    "install --dry-run --agent claude",
    "uninstall --dry-run",
    "undo {tip}",
    "push --yes",
    "pull",
    'remember "Words that wait." --propose',
    "review",
    "review show",
    "review --open --yes --json",
    "review accept ada-tester --all --json",
    'remember "Words that go." --propose',
    "review reject ada-tester --all",
    "backup {out}.bundle",
    "backup restore {out}.bundle",
    "export {out}",
    "import {notes}",
    "purge {other} --yes",
    "log -v",
    "log {id} --json",
    "diff",
    "diff 2026-01-01",
    "status",
    "status --json",
    "lint",
    "doctor",
    "allow",
    "config --json",
    "logs",
    "sessions --all",
    "sessions --unscoped",
    "sessions show {session}",
    "queue",
    "queue skip {session}",
    "queue retry {session}",
    "connect",
    "connect codex --path {home}",
    "connect remove codex",
    "connect auto",
    "completion bash",
    "reset --yes",
    "sync --window all --ignore-lock",
    "reset --branch --yes",
    "init",
    "tour --keep {new}",
)
KINDS: dict[str, Callable[[Path], Repo]] = {
    "normal": repos.normal,
    "worktree": repos.worktree,
    "bare": repos.bare,
    "unborn": repos.unborn,
    "detached": repos.detached,
}


@dataclass(frozen=True)
class State:
    """What a user has in a repository that is not ours to touch."""

    status: str
    head: str
    refs: list[str]
    config: list[str]
    hooks: list[str]
    files: dict[
        str, tuple[int, int, bytes]
    ]  # of the work tree, and of the index, HEAD and what else git keeps beside them

    @classmethod
    def of(cls, repo: Repo) -> "State":
        """Look at a repository without changing it."""
        git = Path(repo.git("rev-parse", "--absolute-git-dir"))
        common = git / repo.git("rev-parse", "--git-common-dir") if git.name != ".git" else git
        bare = repo.git("rev-parse", "--is-bare-repository") == "true"
        kept = [
            path
            for folder in {git, common}
            for path in folder.iterdir()
            if path.is_file() and path.name != "config"
        ]
        tree = (
            []
            if bare
            else [p for p in repo.path.rglob("*") if ".git" not in p.relative_to(repo.path).parts]
        )
        reflogs = [
            p
            for p in (common / "logs").rglob("*")
            if p.is_file() and "lerim" not in p.relative_to(common).parts
        ]
        refs = repo.git(
            "for-each-ref", "--format=%(refname) %(objectname)", check=False
        ).splitlines()
        config = repo.git("config", "--local", "--list", check=False).splitlines()
        return cls(
            status=(
                ""
                if bare
                else repo.git("--no-optional-locks", "status", "--porcelain", "--ignored")
            ),
            head=repo.git("symbolic-ref", "-q", "HEAD", check=False)
            + repo.git("rev-parse", "-q", "--verify", "HEAD", check=False),
            refs=[ref for ref in refs if not OURS.match(ref)],
            config=[line for line in config if not line.startswith("lerim.")],
            hooks=sorted(p.name for p in (common / "hooks").glob("*")),
            files={str(p): _held(p) for p in [*kept, *tree, *reflogs]},
        )


def _held(path: Path) -> tuple[int, int, bytes]:
    """Return what tells that a file is the very one that it was: its inode, when it was written,
    and its bytes.
    """
    there = path.lstat()
    return there.st_ino, there.st_mtime_ns, path.read_bytes() if path.is_file() else b""


def prepared(kind: str, folder: Path) -> Repo:
    """Make a repository in which there is something to be disturbed."""
    repo = KINDS[kind](folder / kind)
    if kind == "bare":
        return repo
    if kind != "unborn":
        (repo.path / "hello.py").write_text("print('stashed')\n")
        repo.git("stash", "-q")
        repo.git("tag", "v1")
        repo.git("update-ref", "ORIG_HEAD", "HEAD")
        repo.git("fetch", "-q", ".", "HEAD")
        git = Path(repo.git("rev-parse", "--absolute-git-dir"))
        for name in (
            "MERGE_HEAD",
            "CHERRY_PICK_HEAD",
            "REVERT_HEAD",
            "BISECT_LOG",
            "MERGE_MSG",
        ):  # what is not done yet
            (git / name).write_text(repo.git("rev-parse", "HEAD") + "\n")
    (repo.path / "hello.py").write_text("print('changed')\n")
    (repo.path / "staged.py").write_text("staged\n")
    (repo.path / "untracked.py").write_text("untracked\n")
    (repo.path / ".gitignore").write_text("*.log\n")
    (repo.path / "ignored.log").write_text("ignored\n")
    repo.git("add", "staged.py", ".gitignore")
    repo.git("update-index", "-q", "--refresh", check=False)
    return repo


def filled(line: str, world: World, names: Iterator[list[str]], folder: Path) -> list[str]:
    """Return the words of a verb, with what it is about."""
    ids = next(names) if "{id}" in line or "{other}" in line else []
    about = {"id": ids[0], "other": ids[-1]} if ids else {}
    about |= {
        "tip": Repo(Path.cwd()).git("rev-parse", "-q", "--verify", "lerim/memory", check=False)
    }
    places = {
        "home": world.home / ".codex",
        "new": folder / "tour",
        "out": folder / "out",
        "notes": folder / "notes",
    }
    return [word.format(**about, **places, session="5b0c1a2f") for word in shlex.split(line)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_verb_touches_what_is_the_users(
    kind: str,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    repo = prepared(kind, tmp_path)
    world.session("claude-catalog.jsonl", repo.path)
    world.codex("codex-prices.jsonl", repo.path)
    repo.git(
        "config", "--global", "--add", "lerim.repositoryPath", str(repo.path)
    )  # a bare repository is no session's folder
    repo.git("remote", "add", "origin", str(repos.bare(tmp_path / "hub").path))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "cache.md").write_text(
        "# The cache is small\n\nIt holds a thousand prices, because memory is dear.\n"
    )
    monkeypatch.chdir(repo.path)
    before = State.of(repo)

    def known() -> Iterator[list[str]]:
        while True:
            capfd.readouterr()
            cli.main(["list", "--all", "--json"])
            yield [memory["id"] for memory in json.loads(capfd.readouterr().out)]

    names = known()
    for line in STORY:
        if line.startswith("tour") and kind != "normal":
            continue  # it works in a folder of its own
        if line.startswith("why") and kind in {"bare", "unborn"}:
            continue  # there is no code
        code = cli.main(filled(line, world, names, tmp_path))
        said = capfd.readouterr()

        assert code == 0, f"{line}: {said.err}"
        assert "internal error" not in said.err
        assert State.of(repo) == before, line


def test_the_story_has_every_verb() -> None:
    assert {line.split()[0] for line in STORY} == set(cli.VERBS) - {
        "mcp"
    }  # it answers a client, see test_server


def test_verbs_that_fail_touch_nothing(
    world: World, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    monkeypatch.chdir(repo.path)
    cli.main(["sync", "--window", "all"])
    before = State.of(repo)

    for line in ("show nothing", "edit nothing --title x", "forget nothing", "diff x..y",
        "list --at never", "logs nothing",
                 "sync --window soon", "sync --agent nobody", "connect nobody",
                 "queue skip nothing", "reset", "remember ''",
                 "sessions show nothing", "config nothing", "nothing"):  # fmt: skip
        assert cli.main(shlex.split(line)) in {1, 2}, line
        assert State.of(repo) == before, line


def test_processes_touch_nothing_either(world: World, tmp_path: Path) -> None:
    repo = prepared("worktree", tmp_path)
    world.session("claude-catalog.jsonl", repo.path)
    before = State.of(repo)

    for words in (("sync", "--window", "all"), ("status",), ("list",), ("list",), ("doctor",)):
        ran = world.lerim(repo.path, *words)

        assert ran.code == 0, ran.err
        assert State.of(repo) == before, words


def test_a_sync_below_the_work_tree_leaves_its_folder_alone(world: World, repo: Repo) -> None:
    (repo.path / "deep" / "er").mkdir(parents=True)
    world.session("claude-catalog.jsonl", repo.path / "deep")
    before = State.of(repo)

    ran = world.lerim(repo.path / "deep" / "er", "sync", "--window", "all")

    assert ran.code == 0, ran.err
    assert world.lerim(repo.path / "deep" / "er", "list", "--json").json
    assert State.of(repo) == before
