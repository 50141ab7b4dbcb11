from pathlib import Path

from support.repos import Repo, normal
from support.world import CATALOG, World


def test_a_file_of_a_submodule_is_called_that(
    repo: Repo, tmp_path: Path, sealed_world: Path
) -> None:
    normal(tmp_path / "other")
    repo.git("submodule", "--quiet", "add", str(tmp_path / "other"), "sub")
    repo.commit({"x.py": "x\n"}, "Add a submodule")

    told = World(sealed_world).lerim(repo.path, "why", "sub/hello.py")

    assert "to ask there: git -C sub lerim why hello.py" in told.err
    assert "never committed" not in told.err
    assert "not committed" not in told.out


def test_what_is_merely_about_the_file_comes_after_the_commits_of_a_line(
    repo: Repo, sealed_world: Path
) -> None:
    world = World(sealed_world)
    world.session("claude-catalog.jsonl", repo.path)
    repo.commit(
        {"src/catalog.py": "import sqlite3\n"},
        "Keep the catalog in SQLite",
        when="2026-02-20T09:40:00Z",
    )
    world.lerim(
        repo.path,
        "remember",
        "It is kept in one file, because copies drift.",
        "--file",
        "src/catalog.py",
    )
    world.lerim(repo.path, "sync", "--window", "all")
    told = world.lerim(repo.path, "why", "src/catalog.py:1")

    assert told.code == 0
    before, _, others = told.out.partition("About this file:\n")
    assert "It is kept in one file, because copies drift" in others
    assert "is about this file" in others
    assert "Keep the catalog in SQLite  (line 1)" in before
    assert f"claude/{CATALOG}" in before


def test_of_a_whole_file_its_memories_come_first(repo: Repo, sealed_world: Path) -> None:
    world = World(sealed_world)
    world.lerim(repo.path, "remember", "It greets in French.", "--file", "hello.py")
    told = world.lerim(repo.path, "why", "hello.py")

    assert told.out.index("It greets in French") < told.out.index(
        repo.git("rev-parse", "HEAD")[:10]
    )
    assert "About this file:" not in told.out


def test_a_memory_that_names_the_function_of_a_line_comes_first(
    repo: Repo, sealed_world: Path
) -> None:
    world = World(sealed_world)
    repo.commit({"src/shop.py": "def round_price(x):\n    return x\n"}, "Round prices")
    world.lerim(repo.path, "remember", "Call round_price once, at the end.")
    told = world.lerim(repo.path, "why", "src/shop.py:2")

    assert "names round_price" in told.out.partition("\n\n")[0]


def test_nothing_in_a_commit_or_a_name_steers_the_terminal(repo: Repo, sealed_world: Path) -> None:
    world = World(sealed_world)
    repo.git("config", "user.name", "Eve\x1b[2J")
    repo.commit({"a\x1b]52;c;x\x07.py": "x = 1\n"}, "Title\x1b]0;hello\x07 \u202egpj.exe")
    told = [
        world.lerim(repo.path, "why", "a\x1b]52;c;x\x07.py:1", *more) for more in ([], ["--json"])
    ]
    told.append(world.lerim(repo.path, "why", "b\x1b[2J.py"))

    assert [each.code for each in told] == [0, 0, 2]
    assert not any(
        mark in each.out + each.err for each in told for mark in ("\x1b", "\x07", "\x9b", "\u202e")
    )
    assert told[1].json["commits"][0]["subject"] == "Title\x1b]0;hello\x07 \u202egpj.exe"


def test_a_limit_leaves_out_memories_and_says_so(repo: Repo, sealed_world: Path) -> None:
    world = World(sealed_world)
    for text in ("The first thing to know of it.", "The second thing to know of it."):
        world.lerim(repo.path, "remember", text, "--file", "hello.py")
    told = world.lerim(repo.path, "why", "hello.py", "-n", "1")

    assert told.out.count("is about this file") == 1
    assert "1 more memory; use -n to see more" in told.err
    assert len(world.lerim(repo.path, "why", "hello.py", "-n", "1", "--json").json["memories"]) == 1


def test_what_is_gone_or_unknown_is_told_beside_the_answer(repo: Repo, sealed_world: Path) -> None:
    world = World(sealed_world)
    repo.git("mv", "hello.py", "bye.py")
    repo.git("commit", "-q", "-m", "Rename it")

    assert "hello.py no longer exists" in world.lerim(repo.path, "why", "hello.py").err
    assert "; now bye.py" in world.lerim(repo.path, "why", "hello.py").err
    assert (
        "no memories about this, and no known session wrote it"
        in world.lerim(repo.path, "why", "bye.py").err
    )


def test_where_a_shallow_clone_ends_is_told(repo: Repo, sealed_world: Path, tmp_path: Path) -> None:
    repo.commit({"b.py": "x = 1\n"}, "second")
    repo.git("clone", "-q", "--depth=1", repo.path.as_uri(), str(tmp_path / "cut"))

    told = World(sealed_world).lerim(tmp_path / "cut", "why", "hello.py")

    assert "these lines; to fetch them: git fetch --unshallow" in told.err


def test_outside_a_repository_why_says_so(tmp_path: Path, sealed_world: Path) -> None:
    told = World(sealed_world).lerim(tmp_path, "why", "a.py")

    assert (told.code, "is not in a git repository" in told.err) == (1, True)
