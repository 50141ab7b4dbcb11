import os
import subprocess
import sys

import pytest
from support.repos import Repo

from git_lerim import __main__, cli


@pytest.mark.parametrize("verb", __main__.AT_ONCE)
def test_whoever_answers_at_once_loads_almost_nothing(verb: str) -> None:
    module = __main__.AT_ONCE[verb].partition(":")[0]
    heavy = (
        "click",
        "sqlite3",
        "subprocess",
        "msgspec",
        "pathlib",
        "dataclasses",
        "pygit2",
        "git_lerim.cli",
    )
    program = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env=_here(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "[]\n"


def _here() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@pytest.mark.parametrize("verb", __main__.AT_ONCE)
def test_what_is_answered_at_once_is_a_verb(verb: str) -> None:
    assert verb in cli.VERBS


def test_a_verb_that_nobody_answers_at_once_is_run(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo.path)
    monkeypatch.setattr(sys, "argv", ["git-lerim", "list", "--json"])

    assert __main__.main() == 0
    assert capfd.readouterr().out == "[]\n"
