import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim import cli
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Kind, Primitive
from git_lerim.recall.fast import brief_cache
from git_lerim.storage.base import Change

Look = Callable[..., tuple[str | None, str]]


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Look:
    """Return what briefs in a folder: what was printed at once (None: nothing), and what the
    command itself prints.
    """
    for name in [name for name in os.environ if name.startswith("GIT_C")]:
        monkeypatch.delenv(name)  # what seals the world sends every brief the long way

    def both(folder: Path, *words: str, stdin: bytes = b"") -> tuple[str | None, str]:
        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        at_once = capfd.readouterr().out if brief_cache.run(list(words)) == 0 else None
        assert cli.main(["brief", *words]) == 0
        return at_once, capfd.readouterr().out

    return both


def write(folder: Path, *paths: str) -> None:
    """Keep a pitfall about each of some files."""
    found = [
        memory(
            id=naming.memory_id("claude", path, "learning", 0), primitive=Primitive.LEARNING,
            kind=Kind.PITFALL,
            title=f"Mind {path}", anchors=(Anchor(path=path, blob="a" * 40),),
        )
        for path in paths
    ]  # fmt: skip
    store_at(folder).commit(
        lambda _: Change(
            files={naming.path_of(each): frontmatter.render(each) for each in found},
            subject="write",
        )
    )


@pytest.fixture
def ready(repo: Repo, look: Look) -> Repo:
    """Return a repository with memories of which a brief was made once, and so prepared."""
    write(repo.path, "hello.py", "src/a.py", "src/b.py")
    assert look(repo.path)[0] is None
    return repo


@pytest.mark.parametrize(
    "words",
    [
        (), ("--budget", "200"), ("--budget=200",), ("--for", "look at src/a.py"),
        ("--for=src/b.py",), ("--json",),
        ("--format", "json", "--budget", "300"), ("--format=markdown", "-q"), ("--for", "mind b"),
        ("--for", '{"hook_event_name": "UserPromptSubmit", "prompt": "look at src/a.py"}'),
        ("--for", "mind b", "--all"),
        ("--for", '{"hook_event_name": "SessionStart"}'),
    ],
)  # fmt: skip
def test_what_is_printed_at_once_is_what_the_command_prints(
    words: tuple[str, ...], ready: Repo, look: Look
) -> None:
    at_once, told = look(ready.path, *words)

    assert at_once == told != ""


def test_that_nothing_matches_a_prompt_is_known_at_once(ready: Repo, look: Look) -> None:
    assert look(ready.path, "--for", "nothing of the sort") == ("", "")


def test_a_prompt_from_standard_input_is_read_once_and_by_whoever_answers(
    ready: Repo, look: Look
) -> None:
    at_once, told = look(ready.path, "--for", "-", stdin=b"look at src/a.py")

    assert at_once is not None
    assert "On the files at hand:" in at_once
    assert at_once == told


@pytest.mark.parametrize(
    "change",
    ["edited", "added", "committed", "branch", "memory", "setting", "budget", "packed", "upstream"],
)
def test_whatever_changes_is_seen_at_once_or_left_to_the_command(
    change: str, ready: Repo, look: Look
) -> None:
    if change == "edited":
        (ready.path / "hello.py").write_text("changed\n")
    elif change == "added":
        (ready.path / "src").mkdir()
        (ready.path / "src" / "a.py").write_text("new\n")
    elif change == "committed":
        ready.commit({"hello.py": "changed\n"})
    elif change == "branch":
        ready.git("checkout", "-q", "-b", "side")
        ready.commit({"src/b.py": "new\n"})
    elif change == "memory":
        write(ready.path, "src/c.py")
    elif change == "setting":
        store_at(ready.path, "other/memory").commit(adding(1))
        ready.git("config", "lerim.branch", "other/memory")
    elif change == "budget":
        ready.git("config", "lerim.briefTokens", "200")
    elif change == "packed":
        ready.git("pack-refs", "--all")
    else:
        ready.git("update-ref", "refs/remotes/origin/main", "HEAD")
        ready.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")

    at_once, told = look(ready.path)
    again, same = look(ready.path)

    assert at_once in {None, told}
    assert (at_once is not None) == (change in {"edited", "added"})
    assert again == same == told


def test_the_files_that_a_branch_has_changed_are_prepared(ready: Repo, look: Look) -> None:
    ready.git("checkout", "-q", "-b", "side")
    ready.commit({"src/b.py": "new\n"})
    look(ready.path)

    at_once, told = look(ready.path)

    assert at_once is not None
    assert "On the files at hand:" in at_once
    assert at_once == told


def test_a_linked_worktree_has_a_brief_of_its_own(ready: Repo, look: Look, tmp_path: Path) -> None:
    ready.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    Repo(tmp_path / "side").commit({"src/b.py": "new\n"})
    assert look(tmp_path / "side")[0] is None

    at_once, told = look(tmp_path / "side")

    assert at_once == told
    assert "pitfall, src/b.py: Mind src/b.py" in told
    assert "On the files at hand:" not in (look(ready.path)[0] or "On the files at hand:")


def test_a_brief_at_a_commit_that_was_not_judged_is_left_to_the_command_once(
    ready: Repo, look: Look
) -> None:
    (ready.path / ".git" / "lerim" / "verdicts.sqlite3").unlink()
    assert look(ready.path)[0] is None

    at_once, told = look(ready.path)

    assert at_once == told


def test_the_personal_memory_is_told_of_at_once(
    ready: Repo, look: Look, sealed_world: Path
) -> None:
    assert cli.main(["remember", "Answer in French.", "--kind", "preference", "--personal"]) == 0
    assert look(ready.path)[1].count("personal") == 1

    at_once, told = look(ready.path)
    assert cli.main(["remember", "Answer in Latin.", "--kind", "preference", "--personal"]) == 0
    newer, told_newer = look(ready.path)

    assert at_once == told
    assert newer is None
    assert told_newer.count("personal") == 2
    assert discover(ready.path, {}).common_dir != sealed_world


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "{}",
        '"x"',
        '{"format": "git-lerim brief 1"}',
        '{"format": "git-lerim brief 0"}',
        "\udcff",
        "no list of files",
        "[" * 100_000,
    ],
)
def test_what_was_kept_and_is_damaged_is_left_to_the_command(
    damage: str, ready: Repo, look: Look
) -> None:
    kept = ready.path / ".git" / "lerim" / "briefs" / "repository"
    text = (
        json.dumps(json.loads(kept.read_text()) | {"committed": {}})
        if damage == "no list of files"
        else damage
    )
    kept.write_text(text, errors="surrogateescape")

    at_once, told = look(ready.path)

    assert at_once is None
    assert told
    assert look(ready.path)[0] == told


@pytest.mark.parametrize("page", [b"", b"SQLite format 3\0 not really", None])
def test_an_index_that_is_damaged_or_gone_is_left_to_the_command(
    page: bytes | None, ready: Repo, look: Look
) -> None:
    index = ready.path / ".git" / "lerim" / "index.sqlite3"
    if page is None:
        index.unlink()
    else:
        index.write_bytes(page)

    at_once, told = look(ready.path)

    assert at_once is None
    assert told


@pytest.mark.parametrize(
    "words",
    [
        ("--at", "HEAD"),
        ("--personal",),
        ("--budget", "x"),
        ("--budget", "0"),
        ("--format", "xml"),
        ("more",),
        ("--budget",),
        ("--for",),
        ("-h",),
    ],
)
def test_what_is_not_understood_is_left_to_the_command(
    words: tuple[str, ...], ready: Repo, look: Look
) -> None:
    look(ready.path)

    assert brief_cache.run(list(words)) is None


@pytest.mark.parametrize("name", ["LERIM_BRIEF_TOKENS", "GIT_DIR", "GIT_CONFIG_COUNT"])
def test_a_variable_that_could_change_the_answer_leaves_it_to_the_command(
    name: str, ready: Repo, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(ready.path)
    monkeypatch.setenv(name, "1")

    assert brief_cache.run([]) is None


def test_what_is_kept_is_its_owners_alone(ready: Repo) -> None:
    assert (
        stat.S_IMODE((ready.path / ".git" / "lerim" / "briefs" / "repository").stat().st_mode)
        == 0o600
    )


def test_a_configuration_that_leads_to_others_prepares_nothing(repo: Repo, look: Look) -> None:
    write(repo.path, "hello.py")
    repo.git("config", "include.path", "more")
    look(repo.path)

    assert look(repo.path)[0] is None
    assert not (repo.path / ".git" / "lerim" / "briefs" / "repository").exists()


def test_the_hot_path_loads_neither_click_nor_git_nor_what_runs_processes(
    ready: Repo, look: Look
) -> None:
    look(ready.path)
    script = (
        "import sys; from git_lerim import __main__; sys.argv = ['git-lerim', 'brief', '--for',"
        " 'src/a.py']\nassert __main__.main() == 0\nslow = {'click', 'pygit2', 'subprocess',"
        " 'pathlib', 'dataclasses', 'tiktoken', 'openai', 'hashlib', 'msgspec'}\nsys.stderr.write('"
        " '.join(sorted(slow & set(sys.modules) - before)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; before = set(sys.modules)\n{script}"],
        cwd=ready.path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "On the files at hand:" in done.stdout
    assert done.stderr == ""
