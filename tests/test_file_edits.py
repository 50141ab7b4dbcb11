import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim import file_edits
from git_lerim.errors import ReadOnly, StoreMoved
from git_lerim.file_edits import FileEdit, ManagedFile

PART = b"# ours\n"


def add(old: bytes | None) -> bytes:
    """Put our line last, as an installer would: with the line end before it that the file lacks."""
    old = old or b""
    return old if PART in old else old + (b"" if old.endswith(b"\n") or not old else b"\n") + PART


def strip(old: bytes) -> bytes | None:
    return old.replace(PART, b"") or None


def managed(path: Path, **more: bool) -> ManagedFile:
    return ManagedFile(path=path, add=add, strip=strip, what="a line", **more)


def planned(edit: FileEdit | None) -> FileEdit:
    assert edit is not None
    return edit


def install(file: ManagedFile) -> None:
    file_edits.apply(planned(file_edits.addition(file)))


def uninstall(file: ManagedFile) -> None:
    file_edits.apply(planned(file_edits.removal(file)))


@given(before=st.one_of(st.none(), st.binary().filter(lambda data: PART not in data)))
def test_what_nobody_changed_since_becomes_what_it_was_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, before: bytes | None
) -> None:
    folder = tmp_path_factory.mktemp("edits")
    file = managed(folder / "settings")
    if before is not None:
        file.path.write_bytes(before)
    install(file)
    uninstall(file)
    assert file_edits.read(file.path) == before
    assert [path.name for path in folder.iterdir()] == ([] if before is None else ["settings"])


def test_what_others_added_since_stays(tmp_path: Path) -> None:
    file = managed(tmp_path / "settings")
    file.path.write_bytes(b"theirs")
    install(file)
    with file.path.open("ab") as settings:
        settings.write(b"later\n")
    uninstall(file)
    assert file.path.read_bytes() == b"theirs\nlater\n"


def test_a_second_install_needs_nothing_and_keeps_the_first_backup(tmp_path: Path) -> None:
    file = managed(tmp_path / "settings")
    file.path.write_bytes(b"theirs")
    install(file)
    assert file_edits.addition(file) is None
    assert file_edits.backup_of(file.path).read_bytes() == b"theirs"


def test_a_file_that_changed_after_it_was_shown_is_left_alone(tmp_path: Path) -> None:
    file = managed(tmp_path / "settings")
    file.path.write_bytes(b"theirs")
    edit = planned(file_edits.addition(file))
    file.path.write_bytes(b"theirs, again")
    with pytest.raises(StoreMoved):
        file_edits.apply(edit)
    assert file.path.read_bytes() == b"theirs, again"
    assert os.listdir(tmp_path) == ["settings"]  # noqa: PTH208 the names


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles"
    real.write_bytes(b"theirs")
    real.chmod(0o600)
    link = tmp_path / "settings"
    link.symlink_to(real)
    install(managed(link))
    assert link.is_symlink()
    assert real.read_bytes() == b"theirs\n" + PART
    assert (
        stat.S_IMODE(real.stat().st_mode)
        == stat.S_IMODE(file_edits.backup_of(real).stat().st_mode)
        == 0o600
    )
    uninstall(managed(link))
    assert link.is_symlink()
    assert real.read_bytes() == b"theirs"


def test_a_configuration_that_git_is_writing_is_left_alone(tmp_path: Path) -> None:
    file = managed(tmp_path / "config", locked=True)
    file.path.write_bytes(b"theirs")
    lock = tmp_path / "config.lock"
    lock.write_bytes(b"")
    with pytest.raises(StoreMoved, match=r"another git"):
        install(file)
    assert file.path.read_bytes() == b"theirs"
    assert lock.exists()


def test_the_lines_that_change_are_shown(tmp_path: Path) -> None:
    file = managed(tmp_path / "settings")
    file.path.write_bytes(b"theirs\n")
    assert file_edits.diff(planned(file_edits.addition(file))) == ["+ # ours"]


@pytest.mark.parametrize("locked", [False, True])
def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path: Path, *, locked: bool) -> None:
    resource = pytest.importorskip("resource")
    file = managed(tmp_path / "config", locked=locked)
    file.path.write_bytes(b"a line\n" * 100)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, limits[1]))
    try:
        with pytest.raises(ReadOnly, match="cannot be written"):
            install(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert [path.name for path in tmp_path.iterdir()] == ["config"]
    install(file)
    assert file_edits.is_there(file)


def test_a_run_that_was_killed_between_two_steps_is_finished_by_the_next(tmp_path: Path) -> None:
    before = tmp_path / "post-commit.pre-lerim"
    file = replace(managed(tmp_path / "post-commit"), before=before)
    file.path.write_bytes(b"theirs\n")
    os.link(file.path, before)
    left = tmp_path / ".post-commit.0123abcd"
    left.touch()
    os.utime(left, (1, 1))
    running = tmp_path / ".post-commit.89abcdef"
    running.touch()

    install(file)

    assert before.read_bytes() == b"theirs\n"
    assert file_edits.is_there(file)
    assert not left.exists()
    assert running.exists()
