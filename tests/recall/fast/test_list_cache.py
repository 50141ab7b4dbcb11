import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import repos
from support.memories import memory
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim import cli
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Origin
from git_lerim.recall.fast import list_cache
from git_lerim.storage.base import Change

Look = Callable[[Path], tuple[str | None, str]]


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Look:
    """Return what lists in a folder: what was printed at once (None: nothing), and what the command
    itself prints.
    """
    for name in [name for name in os.environ if name.startswith("GIT_C")]:
        monkeypatch.delenv(name)  # what seals the world sends every listing the long way

    def both(folder: Path) -> tuple[str | None, str]:
        monkeypatch.chdir(folder)
        capfd.readouterr()
        at_once = capfd.readouterr().out if list_cache.run([]) == 0 else None
        cli.main(["list"])
        return at_once, capfd.readouterr().out

    return both


@pytest.fixture
def kept(repo: Repo, look: Look) -> Repo:
    """Return a repository with three memories, whose listing was printed once, and so kept."""
    store_at(repo.path).commit(adding(1, 2, 3))
    assert look(repo.path)[0] is None
    return repo


def told_the_long_way(look: Look, folder: Path) -> str:
    """Check that the kept listing is not printed, and return what the command prints."""
    at_once, told = look(folder)
    assert at_once is None
    return told


def told_alike(look: Look, folder: Path) -> str:
    """Check that the kept listing is printed, and is what the command prints."""
    at_once, told = look(folder)
    assert at_once == told
    return told


def test_what_was_listed_is_listed_again_byte_for_byte(kept: Repo, look: Look) -> None:
    told = told_alike(look, kept.path)

    assert [line.split("  ")[-1] for line in told.splitlines()] == [
        "Use thing 3",
        "Use thing 2",
        "Use thing 1",
    ]


def test_so_it_is_in_a_folder_below_and_in_a_linked_worktree(
    kept: Repo, look: Look, tmp_path: Path
) -> None:
    (kept.path / "deep" / "er").mkdir(parents=True)
    kept.git("worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "side" / "deep").mkdir()

    look(tmp_path / "side")  # each work tree has a HEAD of its own, and keeps its own listing
    for folder in (kept.path / "deep" / "er", tmp_path / "side" / "deep"):
        look(folder)
        assert told_alike(look, folder)


@pytest.mark.parametrize(
    "title",
    ["Größe — naïve 日本 R&D", "a  b\tc", "evil \x1b[31m red", "no\u00a0break", "bidi \u202e here"],
)
def test_whatever_a_title_holds_both_ways_print_it_alike(
    repo: Repo, look: Look, title: str
) -> None:
    hers = memory(title=title)
    files = {naming.path_of(hers): frontmatter.render(hers)}
    store_at(repo.path).commit(lambda _: Change(files=files, subject="x"))

    told = told_the_long_way(look, repo.path)
    at_once, again = look(repo.path)

    assert again == told
    assert at_once in {told, None}
    assert "\x1b" not in told


@pytest.mark.parametrize(
    "words",
    [
        ("remember", "Another thing."),
        ("forget", "{id}"),
        ("edit", "{id}", "--title", "Another title"),
        ("reset", "--branch", "--yes"),
    ],
)
def test_after_a_change_nothing_old_is_printed(
    kept: Repo, look: Look, words: tuple[str, ...]
) -> None:
    before = told_alike(look, kept.path)

    assert cli.main([word.format(id=before[:13]) for word in words]) == 0

    assert told_the_long_way(look, kept.path) != before
    if "reset" not in words:
        assert told_alike(look, kept.path) != before


def test_a_tip_that_is_packed_is_found(kept: Repo, look: Look) -> None:
    before = told_alike(look, kept.path)
    kept.git("pack-refs", "--all")

    assert told_alike(look, kept.path) == before
    store_at(kept.path).commit(adding(4))
    assert "Use thing 4" in told_the_long_way(look, kept.path)
    kept.git("pack-refs", "--all")
    assert "Use thing 4" in told_alike(look, kept.path)


@pytest.mark.parametrize(
    ("words", "empty"),
    [
        (("update-ref", "refs/heads/lerim/memory", "lerim/memory~1"), True),
        (("branch", "-D", "lerim/memory"), True),
        (("config", "lerim.branch", "lerim/other"), True),
        (("config", "--global", "lerim.branch", "lerim/other"), True),
        (("config", "user.name", "Somebody"), False),
    ],
)
def test_a_branch_that_moves_or_may_have_another_name_goes_the_long_way(
    kept: Repo, look: Look, words: tuple[str, ...], *, empty: bool
) -> None:
    kept.git(*words)

    assert (told_the_long_way(look, kept.path) == "") is empty


def test_a_configuration_that_includes_another_file_goes_the_long_way(
    kept: Repo, look: Look, tmp_path: Path
) -> None:
    other = tmp_path / "other.config"
    other.write_text("")
    kept.git("config", "include.path", str(other))
    for _ in range(2):
        assert told_the_long_way(look, kept.path)

    other.write_text("[lerim]\n\tbranch = lerim/other\n")

    assert told_the_long_way(look, kept.path) == ""


def test_a_worktree_with_a_configuration_of_its_own_goes_the_long_way(
    kept: Repo, look: Look, tmp_path: Path
) -> None:
    side = Repo(tmp_path / "side")
    kept.git("worktree", "add", "-q", str(side.path))
    kept.git("config", "extensions.worktreeConfig", "true")
    told_the_long_way(look, kept.path)
    side.git("config", "--worktree", "lerim.branch", "lerim/other")

    assert told_the_long_way(look, side.path) == ""
    assert told_the_long_way(look, kept.path)


@pytest.mark.parametrize(
    "name",
    [
        "GIT_DIR",
        "GIT_CONFIG_PARAMETERS",
        "GIT_COMMON_DIR",
        "LERIM_BRANCH",
        "GIT_CEILING_DIRECTORIES",
    ],
)
def test_an_environment_that_bends_goes_the_long_way(
    kept: Repo,
    look: Look,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    name: str,
) -> None:
    told_alike(look, kept.path)
    monkeypatch.setenv(name, "x")

    assert list_cache.run([]) is None
    assert capfd.readouterr().out == ""


def test_another_home_goes_the_long_way(
    kept: Repo, look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(Path(os.environ["HOME"]), tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    assert told_the_long_way(look, kept.path)


@pytest.mark.parametrize("words", [["--all"], ["-h"], ["--json"], ["list"]])
def test_only_the_plain_list_is_printed(kept: Repo, look: Look, words: list[str]) -> None:
    told_alike(look, kept.path)

    assert list_cache.run(words) is None


def test_another_repository_inside_this_one_is_another(kept: Repo, look: Look) -> None:
    inner = repos.bare(kept.path / "inner.git")
    nested = repos.normal(kept.path / "nested")

    assert told_the_long_way(look, inner.path) == ""
    assert told_the_long_way(look, nested.path) == ""
    assert told_alike(look, kept.path)


def test_a_submodule_is_another_repository(kept: Repo, look: Look, tmp_path: Path) -> None:
    part = repos.normal(tmp_path / "part")
    kept.git("submodule", "--quiet", "add", str(part.path), "part")
    told_the_long_way(look, kept.path)

    assert told_the_long_way(look, kept.path / "part") == ""
    assert told_the_long_way(look, kept.path / ".git" / "modules" / "part") == ""


@pytest.mark.parametrize(
    "wrong", [b"", b"\xff\n\n", b"git-lerim listing 0\nx\ny\n\nz", b"git-lerim listing 1"]
)
def test_a_kept_listing_that_is_none_is_not_believed(kept: Repo, look: Look, wrong: bytes) -> None:
    (kept.path / ".git" / "lerim" / "listing").write_bytes(wrong)

    assert told_the_long_way(look, kept.path)


def test_a_kept_listing_cannot_steer_a_terminal(kept: Repo, look: Look) -> None:
    place = kept.path / ".git" / "lerim" / "listing"
    place.write_text(place.read_text().replace("Use thing 1", "\x1b]0;evil\x07"))

    assert "Use thing 1" in told_the_long_way(look, kept.path)


def test_where_nothing_can_be_kept_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "lerim").write_text("a file where the folder should be\n")

    list_cache.keep(
        (str(tmp_path), str(tmp_path)), ("lerim/memory", "origin"), "0" * 40, [("a", "b", "c", "d")]
    )

    assert [path.name for path in tmp_path.iterdir()] == ["lerim"]


def test_a_stream_that_is_not_utf_8_goes_the_long_way(repo: Repo) -> None:
    hers = memory(title="A 日")
    store_at(repo.path).commit(
        lambda _: Change(files={naming.path_of(hers): frontmatter.render(hers)}, subject="x")
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_C")}
    run = [sys.executable, "-m", "git_lerim", "list"]

    told = [
        subprocess.run(
            run,
            cwd=repo.path,
            env=env | {"PYTHONIOENCODING": coding},
            capture_output=True,
            check=True,
        ).stdout
        for coding in ("utf-8", "utf-8", "latin-1")
    ]

    assert told[0] == told[1] == hers_in(told[0], "A 日".encode())
    assert told[2] == hers_in(told[2], b"A \\u65e5")


def hers_in(line: bytes, title: bytes) -> bytes:
    """Return a line with its title as it should be."""
    return line[: line.rindex(b"  ") + 2] + title + b"\n"


def test_an_agents_note_is_marked_both_ways(kept: Repo, look: Look) -> None:
    note = memory(origin=Origin.AGENT, sources=())
    files = {naming.path_of(note): frontmatter.render(note)}
    store_at(kept.path).commit(lambda _: Change(files=files, subject="x"))
    look(kept.path)

    told = told_alike(look, kept.path)

    assert [note.id in line for line in told.splitlines()] == [
        line.endswith("  (an agent's note)") for line in told.splitlines()
    ]
    assert "an agent's note" in told
