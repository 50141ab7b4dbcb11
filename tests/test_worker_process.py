import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from git_lerim.worker_process import Ended, Second, answer

# run as a second process, this module answers each frame with its letters, one a frame
if __name__ == "__main__":
    answer(lambda frame: [bytes([letter]) for letter in frame])


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> Iterator[Second]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    made = Second("test_worker_process")
    yield made
    made.kill()
    made.close()


def test_each_frame_is_answered_with_as_many_as_it_takes(second: Second) -> None:
    large = b"x" * 3 + b"\n\0"
    second.send(b"a", now=False)
    second.send(large)

    assert b"".join(second.receive() for _ in range(6)) == b"a" + large


def test_a_process_that_was_killed_has_ended_for_who_asks_and_for_who_waits(second: Second) -> None:
    os.kill(second.pid, signal.SIGTERM)

    with pytest.raises(Ended):
        second.receive()
    with pytest.raises(Ended):  # where its end is not seen yet, the frame goes nowhere
        send_and_receive(second, b"more")


def send_and_receive(second: Second, frame: bytes) -> bytes:
    second.send(frame)
    return second.receive()


def test_words_that_are_printed_as_it_starts_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('here', flush=True)\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path(__file__).parent)]))
    made = Second("test_worker_process")

    with pytest.raises(Ended):
        send_and_receive(made, b"a")

    made.kill()
    made.close()


def test_a_module_that_cannot_run_has_ended() -> None:
    made = Second("no.such.module")

    with pytest.raises(Ended):
        made.receive()

    made.kill()
    made.close()


def test_one_that_cannot_be_started_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    with pytest.raises(Ended):
        Second("git_lerim.extraction.worker")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_it_ends_with_the_process_that_started_it() -> None:
    script = (
        "from git_lerim.worker_process import"
        " Second\nprint(Second('git_lerim.extraction.worker').pid, flush=True)\ninput()"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert first.stdout
    pid = int(first.stdout.readline())

    first.kill()
    first.communicate()

    deadline = time.monotonic() + 20
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(pid)


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
