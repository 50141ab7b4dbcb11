"""Processes of their own that write into a store, to be raced and killed."""

import subprocess
import sys
from pathlib import Path

WRITE = """
import sys
from pathlib import Path
from support.stores import adding, store_at
store = store_at(Path(sys.argv[1]))
for n in range(int(sys.argv[2]), int(sys.argv[3])):
    store.commit(adding(n))
    print(n, flush=True)
"""


def writer(folder: Path, first: int, end: int) -> subprocess.Popen[str]:
    """Start a process that adds the decisions from `first` up to `end`, one commit each, and prints
    each that is in.
    """
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-c", WRITE, str(folder), str(first), str(end)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tests
    )
