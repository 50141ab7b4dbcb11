import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support import repos
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim import cli
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Memory, Origin, Primitive, Source, Status
from git_lerim.recall.fast import fast_search
from git_lerim.storage.base import Change

Look = Callable[..., tuple[str | None, str]]


def put(repo: Repo, *memories: Memory) -> None:
    files = {naming.path_of(one): frontmatter.render(one) for one in memories}
    store_at(repo.path).commit(lambda _: Change(files=files, subject="change"))


def numbered(n: int, title: str, body: str = "Because.", **fields: object) -> Memory:
    return memory(
        **{"id": naming.memory_id("x", str(n), "decision", 0), "title": title, "body": body}
        | fields
    )


def answered(*words: str) -> bool:
    try:
        return fast_search.run(list(words)) == 0
    except OSError:  # sends it the long way, too
        return False


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Look:
    """Return what searches in a folder: what was told at once (None: nothing), and what the command
    itself tells.
    """
    for name in [name for name in os.environ if name.startswith("GIT_C")]:
        monkeypatch.delenv(name)  # what seals the world sends every search the long way

    def both(folder: Path, *words: str) -> tuple[str | None, str]:
        monkeypatch.chdir(folder)
        capfd.readouterr()
        told = "".join(capfd.readouterr()) if answered(*words) else None
        cli.main(["search", *words])
        return told, "".join(capfd.readouterr())

    return both


@pytest.fixture
def searched(repo: Repo, look: Look) -> Repo:
    """Return a repository with memories, in which was searched before."""
    head = repo.commit({"gone.py": "LIMIT = 10\n"}, "Add a limit")
    blob, gone = repo.git("rev-parse", "HEAD:hello.py"), repo.git("rev-parse", "HEAD:gone.py")
    repo.git("rm", "-q", "gone.py")
    repo.git("commit", "-q", "-m", "Drop the limit")
    put(
        repo,
        numbered(0, "Use SQLite for the catalog", anchors=(Anchor(path="hello.py", blob=blob),)),
        numbered(
            1,
            "SQLite is slow on é networks",
            "A — line\x1b[2J.\nAnother about SQLite " + "x y " * 80,
        ),
        numbered(
            2,
            "Gone with SQLite is `LIMIT`",
            anchors=(Anchor(path="gone.py", lines=(1, 1), blob=gone, commit=head),),
        ),
        replace(numbered(3, "An old SQLite"), status=Status.SUPERSEDED),
        numbered(4, "Ask about the walrus", primitive=Primitive.SUMMARY),
    )
    look(repo.path, "sqlite")
    return repo


@pytest.mark.parametrize(
    "words",
    [
        ["sqlite"],
        ["SQLite", "catalog"],
        ["-n", "2", "sqlite"],
        ["gone"],
        ["is", "slow"],
        ["networks"],
        ["walrus"],
    ],
)
def test_a_search_answered_at_once_prints_what_the_command_prints(
    searched: Repo, look: Look, words: list[str]
) -> None:
    at_once, itself = look(searched.path, *words)
    assert at_once == itself
    assert "\x1b" not in itself


@pytest.mark.parametrize(
    "words",
    [
        ["sqlite"],
        ["-n", "2", "sqlite"],
        ["walrus"],
    ],
)
def test_json_answered_at_once_is_what_the_command_prints(
    searched: Repo, look: Look, words: list[str]
) -> None:
    first, told = look(
        searched.path, "--json", "sqlite"
    )  # which finds out who brought what, and when
    at_once, itself = look(searched.path, "--json", *words)

    assert first is None
    assert json.loads(told)[0]["author"]
    assert at_once == itself


def test_json_after_a_new_memory_is_left_to_the_command_once(searched: Repo, look: Look) -> None:
    look(searched.path, "--json", "sqlite")
    put(
        searched,
        numbered(
            9,
            "SQLite again",
            last_accessed="2026-02-20",
            sources=(Source(agent="claude", session="s"),),
        ),
    )

    assert look(searched.path, "--json", "sqlite")[0] is None
    at_once, itself = look(searched.path, "--json", "sqlite")
    assert at_once == itself
    assert '"last_accessed": "2026-02-20"' in itself


def test_json_says_of_each_memory_what_list_says(
    searched: Repo, look: Look, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = {row["id"]: row for row in json.loads(look(searched.path, "--json", "sqlite")[1])}
    cli.main(["list", "--json"])
    listed = {row["id"]: row for row in json.loads(capfd.readouterr().out)}

    for id_, row in rows.items():
        assert listed[id_] == {name: value for name, value in row.items() if name in listed[id_]}


def test_a_stale_memory_is_marked_until_the_code_says_it_again(searched: Repo, look: Look) -> None:
    at_once, _ = look(searched.path, "sqlite")
    assert at_once is not None
    marks = {line.rpartition("  ")[2] for line in at_once.splitlines() if line.endswith(")")}
    assert marks == {f"(stale since {searched.git('rev-parse', '--short=7', 'HEAD')})"}
    searched.git("revert", "--no-edit", "HEAD")
    assert look(searched.path, "sqlite")[0] is None  # another commit is to be judged
    again, told = look(searched.path, "sqlite")
    assert again == told
    assert "stale" not in told


def test_it_is_answered_in_a_folder_below_and_in_a_linked_worktree(
    searched: Repo, look: Look, tmp_path: Path
) -> None:
    (searched.path / "src").mkdir()
    assert look(searched.path / "src", "sqlite")[0]
    searched.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert look(tmp_path / "linked", "sqlite")[0]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--json"],
        ["-x", "sqlite"],
        ["-n"],
        ["-n", "0", "sqlite"],
        ["--", "sqlite"],
        ["\udcff"],
        [" "],
        ["", "sqlite"],
    ],
)
def test_what_is_not_plain_is_left_to_the_command(
    searched: Repo, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(searched.path)
    for name in [name for name in os.environ if name.startswith("GIT_C")]:
        monkeypatch.delenv(name)
    assert fast_search.run(words) is None


def changed_by_hand(repo: Repo, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(repo.path / ".git/lerim/index.sqlite3")) as connection:
        connection.execute(statement)
        connection.commit()


CHANGES: list[Callable[[Repo, pytest.MonkeyPatch], object]] = [
    lambda repo, _: put(repo, numbered(7, "A new thing")),
    lambda repo, _: repo.commit({"hello.py": "print('other')\n"}),
    lambda repo, _: repo.git("config", "lerim.branch", "lerim/other"),
    lambda repo, _: repo.git("update-ref", "-d", "refs/heads/lerim/memory"),
    lambda _, monkeypatch: monkeypatch.setenv("LERIM_BRANCH", "lerim/other"),
    lambda _, monkeypatch: monkeypatch.setenv("GIT_DIR", ".git"),
    lambda repo, _: (repo.path / ".git/lerim/index.sqlite3").write_bytes(b"no database"),
    lambda repo, _: (repo.path / ".git/lerim/index.sqlite3").unlink(),
    lambda repo, _: changed_by_hand(repo, "UPDATE text0_data SET block = x'00' WHERE id > 10"),
    lambda repo, _: changed_by_hand(repo, "DROP TABLE document"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_not_as_it_was_is_left_to_the_command(
    searched: Repo,
    look: Look,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Repo, pytest.MonkeyPatch], object],
) -> None:
    assert look(searched.path, "sqlite")[0]
    change(searched, monkeypatch)
    assert not answered("sqlite")


@pytest.mark.parametrize("change", [*CHANGES[:2], *CHANGES[6:]])
def test_one_search_brings_it_up_to_date(
    searched: Repo,
    look: Look,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Repo, pytest.MonkeyPatch], object],
) -> None:
    change(searched, monkeypatch)
    look(searched.path, "sqlite")
    at_once, itself = look(searched.path, "catalog")
    assert at_once == itself != ""


def test_packed_refs_are_read(searched: Repo, look: Look) -> None:
    searched.git("pack-refs", "--all")
    at_once, itself = look(searched.path, "sqlite")
    assert at_once == itself != ""


def test_a_configuration_that_leads_elsewhere_is_asked_every_time(repo: Repo, look: Look) -> None:
    put(repo, numbered(0, "Use SQLite"))
    repo.git("config", "include.path", "other")
    look(repo.path, "sqlite")
    assert look(repo.path, "sqlite") == (None, look(repo.path, "sqlite")[1])


def test_a_repository_without_a_commit_is_answered_too(tmp_path: Path, look: Look) -> None:
    repo = repos.unborn(tmp_path / "unborn")
    put(repo, numbered(0, "Use SQLite", anchors=(Anchor(path="a.py", blob="ab" * 20),)))
    look(repo.path, "sqlite")
    assert look(repo.path, "sqlite")[0] in {None, look(repo.path, "sqlite")[1]}


def test_what_was_shown_is_counted(searched: Repo, look: Look) -> None:
    noted = searched.path / ".git" / "lerim" / "accesses"
    before = len(noted.read_text().splitlines())
    look(searched.path, "sqlite")
    assert len(noted.read_text().splitlines()) == before + 2


def test_almost_nothing_is_loaded(searched: Repo) -> None:
    heavy = {
        "re",
        "typing",
        "dataclasses",
        "enum",
        "datetime",
        "json",
        "pathlib",
        "inspect",
        "click",
        "pygit2",
        "sqlite3",
        "msgspec",
    }
    program = (
        "import sys; from git_lerim.__main__ import main; main(); print(*sys.modules,"
        " file=sys.stderr)"
    )
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_C")
    }
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}",
            "search", "sqlite"],
        cwd=searched.path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "SQLite" in done.stdout
    assert heavy & set(done.stderr.split()) == set()


def test_an_agents_note_is_marked_both_ways(searched: Repo, look: Look) -> None:
    put(searched, numbered(5, "SQLite locks its file", origin=Origin.AGENT, sources=()))
    look(searched.path, "sqlite")

    at_once, told = look(searched.path, "sqlite")

    assert at_once == told
    marked = [line for line in told.splitlines() if "(an agent's note)" in line]
    assert ["SQLite locks its file" in line for line in marked] == [True]
