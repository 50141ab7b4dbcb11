import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support import githooks, repos
from support.repos import Repo

from git_lerim import cli
from git_lerim.git import hooks
from git_lerim.git.running import process

pytestmark = pytest.mark.usefixtures("git")


@pytest.fixture(
    params=githooks.GITS, ids=lambda folder: ".".join(map(str, githooks.VERSIONS[folder]))
)
def git(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[int, ...]:
    """Work with one of the gits that can be had; return its version."""
    if request.param:
        monkeypatch.setenv("PATH", request.param, prepend=os.pathsep)
    process.git_version.cache_clear()
    return githooks.VERSIONS[request.param]


def lerim(folder: Path, *words: str, code: int = 0) -> None:
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert cli.main([*words]) == code
    finally:
        os.chdir(before)


def install(folder: Path) -> None:
    lerim(folder, "install", "--hooks", "--yes")


def uninstall(folder: Path) -> None:
    lerim(folder, "uninstall", "--hooks", "--yes")


def troubles(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what `doctor` says of the hooks, but for what is well."""
    capsys.readouterr()
    lerim(folder, "doctor")
    return [
        line
        for line in capsys.readouterr().out.splitlines()
        if " hooks: " in line and not line.startswith("ok")
    ]


def commit(repo: Repo, *options: str) -> str:
    return repo.git("commit", "-q", "--allow-empty", "-m", "change", *options)


def state(folder: Path) -> dict[str, str]:
    """Return all files that hooks could stand in, with their modes and contents."""
    skipped = {
        "objects",
        "logs",
        "refs",
        "lerim",
        "index",
        "COMMIT_EDITMSG",
        "ORIG_HEAD",
        "node_modules",
        "info",
    }
    return {
        str(
            path.relative_to(folder)
        ): f"{path.lstat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in folder.rglob("*")
        if path.is_file() and not skipped & set(path.relative_to(folder).parts)
    }


def hook(path: Path, says: str) -> None:
    """Write a hook of the user's that leaves a line in the file `said` of the repository."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "{says}" >>"$(git rev-parse --git-common-dir)/said"\n')
    path.chmod(0o755)


def said(repo: Repo) -> list[str]:
    path = Path(repo.git("rev-parse", "--path-format=absolute", "--git-common-dir")) / "said"
    return path.read_text().split() if path.exists() else []


def test_a_commit_is_synced_in_silence_and_uninstall_leaves_no_trace(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(repo.path)
    install(repo.path)

    done = subprocess.run(
        ["git", "commit", "--allow-empty", "-qm", "x"],
        cwd=repo.path,
        capture_output=True,
        check=True,
        timeout=10,
    )

    assert (done.stdout, done.stderr) == (b"", b"")
    assert githooks.runs(repo.path / ".git/lerim") == 1
    assert githooks.last(repo.path / ".git/lerim")["error"] == ""
    assert troubles(repo.path, capsys) == []
    uninstall(repo.path)
    assert state(repo.path) == before
    commit(repo)
    assert githooks.runs(repo.path / ".git/lerim") == 1


def test_whoever_waits_for_all_streams_of_a_commit_does_not_wait_for_the_sync(repo: Repo) -> None:
    install(repo.path)
    subprocess.run(
        ["git", "commit", "--allow-empty", "-qm", "x"],
        cwd=repo.path,
        capture_output=True,
        check=True,
    )
    assert (repo.path / ".git/lerim/hook-starting").exists()  # its end removes it


def test_each_act_is_synced_once(repo: Repo) -> None:
    install(repo.path)
    own = repo.path / ".git/lerim"
    for number in range(3):
        repo.commit({"a": f"{number}\n"})
    assert githooks.runs(own) == 1
    repo.git("commit", "-q", "--amend", "-m", "other")
    assert githooks.runs(own) == 2
    repo.git("checkout", "-q", "-b", "side", "HEAD~2")
    for number in range(3):
        repo.commit({f"b{number}": "b\n"})
    assert githooks.runs(own) == 3
    repo.git("rebase", "-q", "main")
    assert (githooks.runs(own), githooks.last(own)["event"]) == (4, "post-rewrite")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "side")
    assert (githooks.runs(own), githooks.last(own)["event"]) == (5, "post-merge")


def test_a_rebase_starts_nothing_before_it_ends(repo: Repo) -> None:
    for number in range(3):
        repo.commit({f"b{number}": "b\n"})
    install(repo.path)
    repo.git(
        "rebase", "-q", "--exec", "test ! -e .git/lerim/hook-starting", "--force-rebase", "HEAD~3"
    )
    assert githooks.runs(repo.path / ".git/lerim") == 1


def test_a_commit_in_a_linked_worktree_is_synced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    linked = repos.worktree(tmp_path / "worktrees" / "linked")
    main = tmp_path / "worktrees" / "linked-main"
    before = state(main)
    install(linked.path)
    commit(linked)
    assert githooks.runs(main / ".git/lerim") == 1
    assert (main / ".git/lerim/briefs").exists() is ("GIT_CONFIG_GLOBAL" not in os.environ)
    assert troubles(linked.path, capsys) == []
    commit(Repo(main))
    assert githooks.runs(main / ".git/lerim") == 2
    uninstall(main)
    assert state(main) == before


def test_a_commit_in_a_submodule_is_synced_and_in_the_repository_around_it_not(
    tmp_path: Path,
) -> None:
    outer, inner = repos.normal(tmp_path / "outer"), repos.normal(tmp_path / "inner")
    outer.git("submodule", "add", "-q", str(inner.path), "sub")
    submodule = Repo(outer.path / "sub")
    install(submodule.path)
    commit(submodule)
    commit(outer)
    assert githooks.runs(outer.path / ".git/modules/sub/lerim") == 1
    assert not (outer.path / ".git/lerim").exists()


def test_a_commit_in_a_worktree_of_a_bare_repository_is_synced(tmp_path: Path) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repos.cloned(hub, tmp_path / "one").git("push", "-q", "origin", "main")
    before = state(hub.path)
    install(hub.path)
    hub.git("worktree", "add", "-q", str(tmp_path / "linked"), "main")
    commit(Repo(tmp_path / "linked"))
    assert githooks.runs(hub.path / "lerim") == 1
    hub.git("worktree", "remove", "--force", str(tmp_path / "linked"))
    uninstall(hub.path)
    assert state(hub.path) == before


def test_a_repository_that_was_moved_keeps_its_hooks(repo: Repo, tmp_path: Path) -> None:
    install(repo.path)
    moved = Repo(repo.path.rename(tmp_path / "moved here"))
    commit(moved)
    assert githooks.runs(moved.path / ".git/lerim") == 1


def test_hooks_without_their_script_or_their_python_say_nothing_and_doctor_does(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    install(repo.path)
    script = repo.path / ".git/hooks/lerim"
    script.write_text(script.read_text().replace("\npython=", "\npython=/gone"))
    assert "is gone" in troubles(repo.path, capsys)[0]
    script.unlink()
    done = subprocess.run(
        ["git", "commit", "--allow-empty", "-qm", "x"],
        cwd=repo.path,
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert "is missing" in troubles(repo.path, capsys)[0]
    install(repo.path)
    assert troubles(repo.path, capsys) == []


def test_commits_after_which_no_hook_ran_are_told(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(repo.path)
    os.utime(repo.path / ".git/hooks/lerim", (1_700_000_000, 1_700_000_000))
    monkeypatch.setenv("LERIM_HOOKS", "0")
    repo.git("commit", "-q", "--allow-empty", "-m", "x", when="2026-03-01T10:00:00Z")
    monkeypatch.delenv("LERIM_HOOKS")
    assert githooks.runs(repo.path / ".git/lerim") == 0
    assert "no hook ran after" in troubles(repo.path, capsys)[0]


@pytest.mark.parametrize("event", ["post-commit", "pre-push"])
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_a_hook_of_the_user_runs_as_before(
    git: tuple[int, ...], repo: Repo, tmp_path: Path, first: str, event: str
) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    path = repo.path / f".git/hooks/{event}"
    if first == "theirs":
        hook(path, "theirs $* $(cat | cut -d' ' -f1)")
    before = state(repo.path)
    install(repo.path)
    if first == "ours" and git >= (2, 54):
        hook(path, "theirs $* $(cat | cut -d' ' -f1)")
    elif first == "ours":
        pytest.skip("with this git the place is taken by ours")
    if event == "post-commit":
        commit(repo)
    else:
        repo.git("push", "-q", "origin", "main")
    expected = (
        ["theirs"]
        if event == "post-commit"
        else ["theirs", "origin", str(hub.path), "refs/heads/main"]
    )
    assert said(repo) == expected
    assert githooks.runs(repo.path / ".git/lerim") == 1
    uninstall(repo.path)
    if first == "theirs":
        (repo.path / ".git/said").unlink()
        assert {
            name: value for name, value in state(repo.path).items() if ".git/refs" not in name
        } == before


def test_a_hook_that_forbids_a_push_still_does(repo: Repo, tmp_path: Path) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    path = repo.path / ".git/hooks/pre-push"
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    install(repo.path)
    with pytest.raises(AssertionError, match="failed to push"):
        repo.git("push", "-q", "origin", "main")


@pytest.mark.parametrize(
    "hook",
    [
        '#!/bin/sh\ncase $(basename "$0") in pre-push) exit 1 ;; esac\n',
        '#!/bin/sh\n. "$(dirname "$0")/work.sh"\n',
    ],
)
def test_a_hook_that_finds_its_work_by_its_name_still_does(
    repo: Repo, tmp_path: Path, hook: str
) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    work = repo.path / ".git/hooks/work.sh"
    work.write_text('[ "${0##*/}" != pre-push ] || exit 1\n')
    gate = repo.path / ".git/hooks/pre-push"
    gate.write_text(hook)
    gate.chmod(0o755)
    before = state(repo.path)

    install(repo.path)

    with pytest.raises(AssertionError, match="failed to push"):
        repo.git("push", "-q", "origin", "main")
    uninstall(repo.path)
    assert state(repo.path) == before


def test_a_push_of_the_memory_under_any_name_is_scanned(repo: Repo, tmp_path: Path) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    lerim(repo.path, "remember", "Prices are rounded half to even.")
    repo.git("branch", "clean", "lerim/memory")
    install(repo.path)
    aside = tmp_path / "aside"
    repo.git("worktree", "add", "-q", str(aside), "lerim/memory")
    file = aside / repo.git("ls-tree", "-r", "--name-only", "lerim/memory", "learnings")
    file.write_text(file.read_text() + "the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a\n")
    repo.git("-C", str(aside), "commit", "-qam", "careless", "--no-verify")
    repo.git("tag", "-a", "-m", "x", "tagged", "lerim/memory")
    repo.git("branch", "copy", "lerim/memory")

    for spec in (
        "lerim/memory:refs/heads/other",
        "copy",
        "tagged",
        "lerim/memory:refs/tags/x",
        "lerim/memory^{tree}:refs/tags/tree",
        "main copy:refs/heads/second",
    ):
        with pytest.raises(AssertionError, match="possible secret"):
            repo.git("push", "-q", "origin", *spec.split())
    with pytest.raises(AssertionError, match="possible secret"):
        repo.git("-C", str(aside), "push", "-q", "origin", "HEAD:refs/heads/aside")
    assert hub.git("for-each-ref") == ""

    repo.git("push", "-q", "origin", "clean", "main")


def test_a_push_of_code_starts_no_scan(repo: Repo, tmp_path: Path) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    install(repo.path)
    script = repo.path / ".git/hooks/lerim"
    script.write_text(script.read_text().replace("\nrun() {", "\nrun() { exit 1;"))
    repo.commit({"decisions/a.md": "no memory\n", "format/a": "a folder\n"})
    repo.git("push", "-q", "origin", "main", "main:second")
    repo.git("push", "-q", "origin", ":second")


def test_code_with_a_file_called_format_is_no_memory(repo: Repo, tmp_path: Path) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    install(repo.path)
    key = "the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a\n"
    repo.commit({"format": "1\n", "tests/planted.txt": key})
    repo.git("push", "-q", "origin", "main")


def test_a_link_that_is_a_hook_stays_one(repo: Repo, tmp_path: Path) -> None:
    hook(tmp_path / "shared", "theirs")
    path = repo.path / ".git/hooks/post-commit"
    path.symlink_to(tmp_path / "shared")
    install(repo.path)
    commit(repo)
    assert said(repo) == ["theirs"]
    uninstall(repo.path)
    assert path.readlink() == tmp_path / "shared"


def test_hooks_in_a_folder_of_the_repository_run_as_before(
    git: tuple[int, ...], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    hook(repo.path / ".githooks/post-commit", "theirs")
    repo.git("config", "core.hooksPath", ".githooks")
    before = state(repo.path)
    install(repo.path)
    names = {path.name for path in (repo.path / ".githooks").iterdir()}
    assert names == ({"post-commit"} if git >= (2, 54) else {*hooks.EVENTS})
    assert troubles(repo.path, capsys) == []
    commit(repo)
    assert said(repo) == ["theirs"]
    assert githooks.runs(repo.path / ".git/lerim") == 1
    uninstall(repo.path)
    (repo.path / ".git/said").unlink()
    assert state(repo.path) == before


def test_a_teams_tracked_hook_works_for_colleagues_without_git_lerim(
    git: tuple[int, ...], repo: Repo, tmp_path: Path
) -> None:
    hub = repos.bare(tmp_path / "hub.git")
    gate = repo.path / ".githooks/pre-push"
    gate.parent.mkdir()
    gate.write_text("#!/bin/sh\nwhile read -r line; do echo gate: $line; done >&2; exit 1\n")
    gate.chmod(0o755)
    repo.git("config", "core.hooksPath", ".githooks")
    repo.git("remote", "add", "origin", str(hub.path))
    repo.git("add", "-A")
    commit(repo, "--no-verify")

    install(repo.path)
    repo.git("commit", "-aqm", "usual", "--allow-empty", "--no-verify")
    repo.git("push", "-q", "--no-verify", "origin", "HEAD:refs/heads/main")

    colleague = tmp_path / "colleague"
    subprocess.run(["git", "clone", "-q", "-b", "main", str(hub.path), str(colleague)], check=True)
    subprocess.run(["git", "config", "core.hooksPath", ".githooks"], cwd=colleague, check=True)
    for folder in (colleague, repo.path):
        pushed = subprocess.run(
            ["git", "push", "origin", "HEAD:refs/heads/other"],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert pushed.returncode == 1
        assert "gate: HEAD" in pushed.stderr
    assert gate.read_text().count("# git-lerim hook") == (0 if git >= (2, 54) else 1)


def test_a_hook_of_the_team_in_another_language_is_left_as_it_is(
    git: tuple[int, ...], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    gate = repo.path / ".githooks/pre-push"
    gate.parent.mkdir()
    gate.write_text("#!/usr/bin/env python3\nraise SystemExit(1)\n")
    repo.git("config", "core.hooksPath", ".githooks")

    install(repo.path)

    assert gate.read_text() == "#!/usr/bin/env python3\nraise SystemExit(1)\n"
    assert git >= (2, 54) or "is not a shell script" in capsys.readouterr().err


def test_a_folder_of_hooks_for_all_repositories_is_left_alone(
    git: tuple[int, ...], repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hook(tmp_path / "everywhere/post-commit", "theirs")
    repo.git("config", "--global", "core.hooksPath", str(tmp_path / "everywhere"))
    lerim(repo.path, "install", "--hooks", "--yes", code=0 if git >= (2, 54) else 1)
    commit(repo)
    assert said(repo) == ["theirs"]
    assert os.listdir(tmp_path / "everywhere") == ["post-commit"]  # noqa: PTH208 the names
    assert githooks.runs(repo.path / ".git/lerim") == (1 if git >= (2, 54) else 0)
    assert "core.hooksPath" in capsys.readouterr().err or git >= (2, 54)


def test_hooks_written_for_an_older_git_give_way_to_those_in_the_configuration(
    git: tuple[int, ...], repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = next((folder for folder, number in githooks.VERSIONS.items() if number < (2, 54)), None)
    if older is None or git < (2, 54):
        pytest.skip("takes a git before 2.54 and a newer one: LERIM_TEST_GITS")
    hook(repo.path / ".git/hooks/post-commit", "theirs")
    before, path = state(repo.path), os.environ["PATH"]
    monkeypatch.setenv("PATH", older or path.partition(os.pathsep)[2])
    process.git_version.cache_clear()
    install(repo.path)
    assert (repo.path / ".git/hooks/post-commit.pre-lerim").exists()
    monkeypatch.setenv("PATH", path)
    process.git_version.cache_clear()
    install(repo.path)
    assert not (repo.path / ".git/hooks/post-commit.pre-lerim").exists()
    commit(repo)
    assert said(repo) == ["theirs"]
    assert githooks.runs(repo.path / ".git/lerim") == 1
    uninstall(repo.path)
    (repo.path / ".git/said").unlink()
    assert state(repo.path) == before


def add_line(path: Path, line: str) -> bytes:
    """Add a line of the user's to a hook, below its first; return the whole file."""
    first, rest = path.read_text().split("\n", 1)
    path.write_text(f"{first}\n{line}\n{rest}")
    return path.read_bytes()


def test_what_the_user_added_to_a_hook_of_ours_outlives_install_and_uninstall(
    git: tuple[int, ...], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    if git >= (2, 54):
        pytest.skip("this git needs no hook files")
    folder = repo.path / ".git/hooks"
    hook(folder / "post-commit", "theirs")
    install(repo.path)
    own = 'echo "added" >>"$(git rev-parse --git-common-dir)/said" # ' + "long " * 50
    edited = {event: add_line(folder / event, own) for event in ("post-commit", "post-merge")}

    install(repo.path)

    assert {event: (folder / event).read_bytes() for event in edited} == edited
    assert "already installed" in capsys.readouterr().out
    commit(repo)
    assert said(repo) == ["added", "theirs"]
    assert githooks.runs(repo.path / ".git/lerim") == 1

    lerim(repo.path, "uninstall", "--hooks", "--dry-run")
    shown = capsys.readouterr().out
    uninstall(repo.path)

    assert "post-merge (your lines stay)" in shown
    assert "(restored from post-commit.pre-lerim, backup: post-commit.edited-lerim)" in shown
    assert (folder / "post-merge").read_text() == f"#!/bin/sh\n{own}\n"
    assert os.access(folder / "post-merge", os.X_OK)
    assert (folder / "post-commit.edited-lerim").read_bytes() == edited["post-commit"]
    assert "theirs" in (folder / "post-commit").read_text()
    assert not (folder / "post-rewrite").exists()


def test_a_hook_of_ours_that_was_rewritten_is_kept_aside(
    git: tuple[int, ...], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    if git >= (2, 54):
        pytest.skip("this git needs no hook files")
    install(repo.path)
    path = repo.path / ".git/hooks/post-merge"
    rewritten = path.read_text().replace("lerim_status=0", "lerim_status=1; echo mine")
    for number, name in enumerate(("edited-lerim", "edited-lerim2")):
        path.write_text(f"{rewritten}# {number}\n")
        capsys.readouterr()
        install(repo.path)
        assert f"post-merge (backup: post-merge.{name})" in capsys.readouterr().out
        assert path.with_name(f"post-merge.{name}").read_text() == f"{rewritten}# {number}\n"
        assert "echo mine" not in path.read_text()


def test_the_hook_of_an_earlier_version_is_replaced_and_only_the_users_lines_are_kept(
    git: tuple[int, ...], repo: Repo
) -> None:
    if git >= (2, 54):
        pytest.skip("this git needs no hook files")
    folder = repo.path / ".git/hooks"
    install(repo.path)
    now = (folder / "post-merge").read_bytes()
    earlier = hooks.template("earlier/chained-1").decode()
    for event in ("post-commit", "post-merge"):
        (folder / event).write_text(earlier.replace("@EVENT@", event))
    edited = add_line(folder / "post-commit", "echo mine")

    install(repo.path)

    assert (folder / "post-merge").read_bytes() == now
    assert [path.name for path in folder.glob("*.edited-*")] == ["post-commit.edited-lerim"]
    assert (folder / "post-commit.edited-lerim").read_bytes() == edited

    for event in ("post-commit", "post-merge"):
        (folder / event).write_text(earlier.replace("@EVENT@", event))
    add_line(folder / "post-commit", "echo mine")
    uninstall(repo.path)

    assert (folder / "post-commit").read_text() == "#!/bin/sh\necho mine\n"
    assert not (folder / "post-merge").exists()


def pre_commit(program: str, repo: Repo) -> Callable[[], None]:
    """Return what installs a manager that reads `.pre-commit-config.yaml`, with a hook that says
    `theirs`.
    """
    config = repo.path / ".pre-commit-config.yaml"
    head = (
        "repos:\n- repo: local\n  hooks:\n  - {id: x, name: x, language: system, stages:"
        " [post-commit], always_run: true"
    )
    config.write_text(
        f"""{head}, pass_filenames: false, entry: "sh -c 'echo theirs >>.git/said'"}}\n"""
    )
    repo.git("add", config.name)
    return lambda: _run(repo, program, "install", "-t", "post-commit")


def lefthook(repo: Repo) -> Callable[[], None]:
    (repo.path / "lefthook.yml").write_text(
        "post-commit:\n  jobs:\n    - run: echo theirs >>.git/said\n"
    )
    return lambda: _run(repo, "lefthook", "install")


def husky(repo: Repo) -> Callable[[], None]:
    hook(repo.path / ".husky/post-commit", "theirs")
    return lambda: _run(repo, "husky")


def _run(repo: Repo, *words: str) -> None:
    done = subprocess.run(words, cwd=repo.path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


MANAGERS: dict[str, Callable[[Repo], Callable[[], None]]] = {
    "pre-commit": lambda repo: pre_commit("pre-commit", repo),
    "prek": lambda repo: pre_commit("prek", repo),
    "lefthook": lefthook,
    "husky": husky,
}


@pytest.mark.parametrize("name", MANAGERS)
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_hooks_beside_those_of_a_manager(
    git: tuple[int, ...], repo: Repo, capsys: pytest.CaptureFixture[str], name: str, first: str
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not on PATH")
    theirs = MANAGERS[name](repo)
    if first == "theirs":
        theirs()
    before = state(repo.path)
    install(repo.path)
    if first == "ours":
        theirs()
    if is_dead := git < (2, 54) and first == "ours" and name in {"lefthook", "husky"}:
        assert "does not run git-lerim on post-commit" in troubles(repo.path, capsys)[0]
        install(repo.path)
    assert troubles(repo.path, capsys) == []
    commit(repo)
    assert said(repo) == ["theirs"]
    assert githooks.runs(repo.path / ".git/lerim") == 1
    uninstall(repo.path)
    assert not [path for path in state(repo.path) if "lerim" in path]
    (repo.path / ".git/said").unlink()
    if first == "theirs" or is_dead:
        assert first != "theirs" or state(repo.path) == before
    commit(repo)
    assert said(repo) == ["theirs"]
    assert githooks.runs(repo.path / ".git/lerim") == 1
