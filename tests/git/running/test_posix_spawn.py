from pathlib import Path

import pytest
from support.repos import Repo
from support.troubles import program

from git_lerim.git.running import posix_spawn


def open_files() -> int:
    """Return how many files this process has open, where the system tells."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def test_git_answers_in_the_folder_that_is_asked_about(repo: Repo) -> None:
    assert (
        posix_spawn.answer(posix_spawn.start(["rev-parse", "--show-toplevel"], str(repo.path)))
        == f"{repo.path}\n".encode()
    )


def test_a_no_is_no_answer_and_nothing_is_printed(
    repo: Repo, capfd: pytest.CaptureFixture[str]
) -> None:
    assert (
        posix_spawn.answer(posix_spawn.start(["cat-file", "-p", "nothing"], str(repo.path))) is None
    )
    assert posix_spawn.answer(posix_spawn.start(["status"], "/nowhere at all")) is None
    assert capfd.readouterr() == ("", "")


def test_a_long_answer_is_read_whole_and_no_file_stays_open(repo: Repo) -> None:
    repo.commit({"long": "x" * 1_000_000})
    before = open_files()

    assert (
        len(
            posix_spawn.answer(posix_spawn.start(["cat-file", "blob", "HEAD:long"], str(repo.path)))
            or b""
        )
        == 1_000_000
    )
    assert open_files() == before


def test_without_git_there_is_an_error_and_no_file_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            posix_spawn.start(["status"], str(tmp_path))


def test_nothing_that_the_environment_or_a_configuration_names_is_run(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = program(tmp_path / "bin", "bad", f"touch {tmp_path}/pwned")
    repo.git("config", "core.fsmonitor", str(bad / "bad"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(bad / "bad"))
    monkeypatch.setenv("GIT_DIR", "/nowhere")

    assert posix_spawn.answer(posix_spawn.start(["status", "--porcelain"], str(repo.path))) == b""
    assert not (tmp_path / "pwned").exists()
