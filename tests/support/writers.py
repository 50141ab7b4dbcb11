"""Processes of their own that write into a store, to be raced and killed."""

import subprocess
import sys
from pathlib import Path

WRITE = """
import sys
from pathlib import Path
from support.stores import adding, store_at
store = store_at(Path(sys.argv[1]))
first, end, together = map(int, sys.argv[2:])
for n in range(first, end, together):
    numbers = range(n, min(n + together, end))
    if together > 1:
        assert all(store.commit_each([adding(each) for each in numbers]))
    else:
        store.commit(adding(n))
    print(*numbers, sep="\\n", flush=True)
"""


def writer(folder: Path, first: int, end: int, *, together: int = 1) -> subprocess.Popen[str]:
    """Start a process that adds the decisions from `first` up to `end`, one commit each, and prints
    each that is in; some can land together.
    """
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-c", WRITE, str(folder), *map(str, (first, end, together))]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tests
    )
