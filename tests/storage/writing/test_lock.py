import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from git_lerim.errors import Busy, ReadOnly
from git_lerim.storage.writing.lock import Lock

HOLD = """
import sys, time
from pathlib import Path
from git_lerim.storage.writing.lock import Lock
with Lock(Path(sys.argv[1])).acquire(0):
    print("held", flush=True)
    time.sleep(60)
"""


def holding(path: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def ended(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


def test_a_second_run_is_told_who_is_at_work(tmp_path: Path) -> None:
    path = tmp_path / "lerim/lock"
    child = holding(path)

    with (
        pytest.raises(Busy, match=f"process {child.pid} since 20") as caught,
        Lock(path).acquire(0),
    ):
        pass

    assert caught.value.exit_code == 4
    ended(child)


def test_a_killed_process_gives_its_lock_back(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    ended(holding(path))

    with Lock(path).acquire(1):
        assert Lock(path).holder() == (os.getpid(), Lock(path).holder()[1])  # type: ignore[index]


def test_waiting_ends_when_the_lock_is_free(tmp_path: Path) -> None:
    child = holding(tmp_path / "lock")
    os.kill(child.pid, signal.SIGKILL)

    with Lock(tmp_path / "lock").acquire(60):
        ended(child)


def test_what_the_file_says_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text('{"pid": 1, "since": "2026-02-20T09:30:45Z"}')

    with Lock(path).acquire(0):
        pass

    assert Lock(path).holder() is None


@pytest.mark.parametrize("told", ["", "{", "[]", '{"pid": "x", "since": 1}', "null"])
def test_a_lock_file_full_of_nonsense_names_nobody(tmp_path: Path, told: str) -> None:
    (tmp_path / "lock").write_text(told)

    assert Lock(tmp_path / "lock").holder() is None


def test_a_process_started_meanwhile_does_not_keep_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with Lock(path).acquire(0):
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"], close_fds=False
        )

    with Lock(path).acquire(0):
        pass
    child.kill()
    child.wait()


def test_the_lock_is_let_go_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Lock(tmp_path / "lock").acquire(0):
        raise ZeroDivisionError

    with Lock(tmp_path / "lock").acquire(0):
        pass


def test_the_file_is_private_and_no_link_is_followed(tmp_path: Path) -> None:
    with Lock(tmp_path / "lerim/lock").acquire(0):
        assert (tmp_path / "lerim/lock").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "lerim").stat().st_mode & 0o777 == 0o700
    (tmp_path / "link").symlink_to(tmp_path / "target")

    with pytest.raises(ReadOnly), Lock(tmp_path / "link").acquire(0):
        pass

    assert not (tmp_path / "target").exists()
