import os
from pathlib import Path

import pytest
from support.repos import Repo
from support.world import World

from git_lerim import private_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs modes")


@pytest.fixture(autouse=True)
def _usual_umask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_missing_parents_are_as_private_as_the_folder(tmp_path: Path) -> None:
    private_files.make_folders(tmp_path / "a" / "b" / "c")
    private_files.make_folders(tmp_path / "a" / "b" / "c")
    private_files.write(tmp_path / "a" / "file", "x")

    found = [path.stat().st_mode & 0o777 for path in sorted((tmp_path / "a").rglob("*"))]
    assert found == [0o700, 0o700, 0o600]
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


def test_nothing_of_ours_can_be_read_by_others(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    for words in (
        ["remember", "The cache lives for an hour."],
        ["search", "cache"],
        ["sync"],
        ["brief"],
        ["githook", "-q", "--now", "post-commit"],
    ):
        assert world.lerim(repo.path, *words).code == 0

    ours = [*(repo.path / ".git" / "lerim").rglob("*")]
    assert ours
    assert [path for path in ours if path.lstat().st_mode & 0o077] == []


def test_a_file_is_replaced_without_following_what_was_planted(tmp_path: Path) -> None:
    precious, path = tmp_path / "precious", tmp_path / "cache"
    precious.write_text("keep")
    for planted in (path, tmp_path / f"cache.{os.getpid()}"):
        planted.symlink_to(precious)

    private_files.replace(path, "new\n")

    assert (path.read_text(), path.is_symlink(), precious.read_text()) == ("new\n", False, "keep")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["cache", "precious"]


def test_a_file_that_cannot_be_replaced_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()

    with pytest.raises(OSError, match="directory"):
        private_files.replace(tmp_path / "cache", "new")

    assert [each.name for each in tmp_path.iterdir()] == ["cache"]


@pytest.mark.skipif(not Path("/proc/self/pagemap").is_file(), reason="no such file here")
def test_a_file_of_the_system_that_has_no_end_is_not_read() -> None:
    assert private_files.read_small("/proc/self/pagemap") == b""


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("[1e999]", "not a finite number"),
        ("[-Infinity]", "not a finite number"),
        ("[NaN]", "not a finite number"),
        ("[", "Expecting value"),
    ],
)
def test_json_that_is_not_ours_is_damaged(tmp_path: Path, damage: str, message: str) -> None:
    (tmp_path / "state").write_text(damage)

    with pytest.raises(ValueError, match=message):
        private_files.read_json(tmp_path / "state")


def test_json_that_could_fill_the_memory_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    os.truncate(tmp_path / "state", 65 << 20)

    with pytest.raises(OSError, match="larger than 65536 KiB"):
        private_files.read_json(tmp_path / "state")


def test_json_of_ours_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "state").write_text('{"pid": 7, "seconds": 0.5, "ids": []}')

    assert private_files.read_json(tmp_path / "state") == {"pid": 7, "seconds": 0.5, "ids": []}
