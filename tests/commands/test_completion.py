import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from git_lerim.cli import VERBS, main


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a `git-lerim` of this interpreter on PATH."""
    tool = tmp_path / "bin" / "git-lerim"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m git_lerim "$@"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    return tool


def needs(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def in_bash(text: str) -> list[str]:
    done = subprocess.run(
        [needs("bash"), "--norc", "-c", text], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_verbs_and_options(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert path.exists()
    (tmp_path / "script").write_text(script("bash", capsys))
    show = '_git_lerim_completion git-lerim; echo "${COMPREPLY[@]}"'
    complete = f". {tmp_path}/script; COMP_WORDS=(git-lerim %s); COMP_CWORD=%d; {show}"
    assert in_bash(complete % ("pro", 1)) == ["protect"]
    assert in_bash(complete % ("sync --max", 2)) == ["--max-sessions"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("words=(git lerim pro) cword=2", "protect"),
        ("words=(git lerim sync --max) cword=3", "--max-sessions"),
        ("words=(git -C /x lerim pro) cword=4 __git_cmd_idx=3", "protect"),
    ],
)
def test_bash_completes_through_git(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: str, found: str
) -> None:
    assert path.exists()
    (tmp_path / "script").write_text(script("bash", capsys))
    assert in_bash(f'. {tmp_path}/script; {typed}; _git_lerim; echo "${{COMPREPLY[@]}}"') == [found]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_accepts_its_script(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script(shell, capsys)
    assert "_GIT_LERIM_COMPLETE" in text
    assert not set(text) & set("\x1b\x07\r")
    (tmp_path / "script").write_text(text)
    subprocess.run([needs(shell), "-n", str(tmp_path / "script")], check=True)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_are_answered_too(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_GIT_LERIM_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "git-lerim " if shell == "fish" else "git-lerim pro")
    monkeypatch.setenv("COMP_CWORD", "pro" if shell == "fish" else "1")
    assert main([]) == 0
    assert "protect" in capsys.readouterr().out


def test_the_shell_in_use_is_taken_when_none_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert main(["completion"]) == 0
    assert "complete --no-files --command git-lerim" in capsys.readouterr().out


@pytest.mark.parametrize("shell", ["/bin/dash", "", "/bin/"])
def test_an_unknown_shell_is_a_usage_error(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", shell)
    assert main(["completion"]) == 2
    assert "bash, zsh or fish" in capsys.readouterr().err


def test_every_verb_is_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_GIT_LERIM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "git-lerim ")
    monkeypatch.setenv("COMP_CWORD", "1")
    main([])
    assert [line.removeprefix("plain,") for line in capsys.readouterr().out.split()] == list(VERBS)
