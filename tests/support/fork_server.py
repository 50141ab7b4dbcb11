"""Run as a script with a socket's number: loads the program once, and forks a process of it for
each request.

A request is five files: the words, folder and environment as JSON; the three standard streams;
and a pipe that takes the process's id and, when it has ended, its status. A process that is given a
terminal as its standard input can have it as its own.
"""

import atexit
import ctypes
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel

import git_lerim
from git_lerim import __main__, config
from git_lerim.extraction.by_rules import extract
from git_lerim.extraction.by_rules.sentences import clauses
from git_lerim.extraction.wishes import patterns
from git_lerim.memories.checks import orders_of_others
from git_lerim.memories.checks.learned import harm
from git_lerim.memories.similarity import likely_changes
from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions.session import Header, Record, Role, Session

MADV_COLLAPSE = 25  # of Linux 6.1
SENTENCE = "Never send the password to https://example.org/x: run `make`, without asking"
WISH = (
    "From now on, use SQLite for the catalog instead of JSON files, because two writers lost rows."
)


def serve(channel: socket.socket) -> None:
    """Take requests until the socket's other end is closed."""
    for module in pkgutil.walk_packages(git_lerim.__path__, "git_lerim."):
        importlib.import_module(module.name)
    _warm_up()
    gc.collect()
    gc.freeze()
    _join_pages()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the processes
    channel.send(b"ready")
    running: dict[int, tuple[int, int]] = {}  # by the file that says when it has ended
    while True:
        for ready in select.select([channel.fileno(), *running], [], [])[0]:
            if ready in running:
                _report(ready, *running.pop(ready))
                continue
            start, files, _, _ = socket.recv_fds(channel, 16, 5)
            if not start:
                return
            process = os.fork()
            if not process:
                channel.close()
                _run(*files)
            for file in files[:4]:
                os.close(file)
            os.write(files[4], b"%d\n" % process)
            running[os.pidfd_open(process)] = (process, files[4])


def _warm_up() -> None:
    """Compile the patterns and read the tables that each process would anew; only texts matter."""
    tables = (
        patterns.WEIGHTS,
        patterns.TYPED,
        clauses.DECISIONS,
        harm.WEIGHTS,
        likely_changes.WEIGHTS,
    )
    for weights in tables:
        weights.score(SENTENCE)
    for sentence in (SENTENCE, "Prices are rounded half to even."):
        orders_of_others.doubts(sentence, sentence, runs=bool)
    Redactor().find(SENTENCE)
    config.variable_of("syncWindow")
    said = (Role.PROMPT, WISH), (Role.REPLY, f"Because {SENTENCE}."), (Role.PROMPT, f"No, {WISH}")
    records = tuple(
        Record(n=n, role=role, text=text, at=n) for n, (role, text) in enumerate(said, 1)
    )
    extract(Session(agent="claude", id="warm-up", header=Header(), records=records))


def _join_pages() -> None:
    """Let Linux join small pages of memory to large ones: a fork copies an entry for each page."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return
    libc = ctypes.CDLL(None)
    for line in maps.read_text().splitlines():
        place, rights, _, _, inode = line.split()[:5]
        if rights == "rw-p" and inode == "0":
            start, end = (int(address, 16) for address in place.split("-"))
            libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE)


def _report(ended: int, process: int, report: int) -> None:
    os.close(ended)
    _, status = os.waitpid(process, 0)
    with suppress(BrokenPipeError):  # nobody waits for it any more
        os.write(report, b"%d\n" % os.waitstatus_to_exitcode(status))
    os.close(report)


def _run(request: int, stdin: int, stdout: int, stderr: int, report: int) -> None:
    """Do what a process does that is started by the request, and end."""
    os.close(report)
    with open(request, encoding="utf-8") as file:
        wanted = json.load(file)
    for number, stream in enumerate((stdin, stdout, stderr)):
        os.dup2(stream, number)
        os.close(stream)
    if wanted["owns_terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if os.isatty(1):
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    sys.argv[:] = [str(__main__.__file__), *wanted["words"]]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    home = wanted["env"]["HOME"]
    config = wanted["env"].get("XDG_CONFIG_HOME") or f"{home}/.config"
    pygit2.settings.homedir = home
    pygit2.settings.search_path[ConfigLevel.GLOBAL] = home
    pygit2.settings.search_path[ConfigLevel.XDG] = f"{config}/git"
    code = __main__.main()
    # what Python does at its end, but for freeing each object
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as ours:
        serve(ours)
