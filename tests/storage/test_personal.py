import subprocess
import sys
from pathlib import Path

import pytest
from support.world import World

from git_lerim.errors import LerimError, ReadOnly
from git_lerim.storage import personal
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace


@pytest.fixture
def nobody(sealed_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return somebody who stands in no repository and has no personal memory."""
    monkeypatch.chdir(tmp_path)
    return World(sealed_world)


@pytest.mark.parametrize(
    "words",
    [
        ("status",), ("list", "--personal"), ("list", "--personal", "--json"),
        ("log", "--personal"), ("sessions",), ("config",),
        ("logs",), ("queue",), ("lint", "--personal"), ("connect", "--personal"),
        ("sync", "--dry-run"),
        ("sync", "--dry-run", "--personal"),
    ],
)  # fmt: skip
def test_who_only_looks_makes_no_personal_store(
    nobody: World, tmp_path: Path, words: tuple[str, ...]
) -> None:
    before = sorted(nobody.home.rglob("*"))

    looked = nobody.lerim(tmp_path, *words, env={"TMPDIR": str(tmp_path)})

    assert looked.code == 0, looked.err
    assert sorted(nobody.home.rglob("*")) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("sync",),
        ("remember", "--personal", "I like tabs."),
        ("init", "--personal"),
        ("connect", "claude", "--personal"),
    ],
)
def test_who_writes_first_makes_it(nobody: World, tmp_path: Path, words: tuple[str, ...]) -> None:
    wrote = nobody.lerim(tmp_path, *words)

    assert wrote.code == 0, wrote.err
    assert (nobody.home / ".local/share/git-lerim/memory.git/HEAD").exists()
    assert nobody.lerim(tmp_path, "list", "--personal").out.count("\n") == (words[0] == "remember")


@pytest.mark.usefixtures("nobody")
def test_what_would_be_lost_is_not_committed() -> None:
    store = open_workspace(personal=True).store

    with pytest.raises(LerimError, match="no personal memory") as refused:
        store.commit(lambda _: Change(files={"a.md": b"x"}, subject="x"))
    assert refused.value.hint


def test_its_folder_lies_where_the_variables_say(tmp_path: Path) -> None:
    assert personal.folder(tmp_path, {}) == tmp_path / ".local/share/git-lerim/memory.git"
    assert personal.folder(tmp_path, {"XDG_DATA_HOME": "/data"}) == Path(
        "/data/git-lerim/memory.git"
    )
    assert (
        personal.folder(tmp_path, {"XDG_DATA_HOME": "/data", "LERIM_HOME": "mine"})
        == tmp_path / "mine/memory.git"
    )


def test_where_it_cannot_be_made_the_hint_names_the_variable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ReadOnly) as refused:
        personal.create(tmp_path / "file" / "memory.git")
    assert "LERIM_HOME" in refused.value.hint


def test_the_empty_store_ends_with_its_process(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from git_lerim.storage import personal;"
        f"print(personal.open_for_reading(Path({str(tmp_path)!r}) / 'memory.git').git_dir)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert not Path(done.stdout.strip()).exists()
    assert not (tmp_path / "memory.git").exists()
