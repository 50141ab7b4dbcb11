import os
import stat
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed, GitMissing, ReadOnly
from git_lerim.git.running import process
from git_lerim.git.running.process import (
    clean_environment,
    failure,
    git_line,
    git_version,
    plain,
    run_git,
)

TRAPS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.hooksPath",
    "diff.external", "credential.helper",
    "gpg.program", "core.askPass", "core.alternateRefsCommand", "remote.origin.uploadpack",
    "pager.log", "sequence.editor",
)  # fmt: skip


def test_what_a_hook_exports_leads_git_nowhere_else(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", "next-index-1.lock")
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path))

    assert git_line(["rev-parse", "--show-toplevel"], cwd=repo.path) == str(repo.path)


def test_settings_given_on_the_command_line_of_git_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'lerim.branch'='x'")

    assert git_line(["config", "lerim.branch"]) == "x"


def test_the_environment_keeps_git_from_asking_and_from_our_own_hooks() -> None:
    kept = clean_environment()

    assert kept["GIT_TERMINAL_PROMPT"] == kept["GIT_OPTIONAL_LOCKS"] == kept["LERIM_HOOKS"] == "0"


def test_a_hostile_configuration_runs_nothing(repo: Repo, tmp_path: Path) -> None:
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    for key in TRAPS:
        repo.git("config", key, str(trap))
    repo.git("config", "log.showSignature", "true")

    for args in (
        ["status"],
        ["log", "-p", "--no-ext-diff", "--no-show-signature"],
        ["config", "--list"],
        ["rev-parse", "HEAD"],
    ):
        run_git(args, cwd=repo.path)

    assert not sprung.exists()


def test_a_failure_says_what_git_said_last(repo: Repo) -> None:
    with pytest.raises(GitFailed, match=r"^git rev-list: ambiguous argument 'nowhere'"):
        run_git(["rev-list", "nowhere"], cwd=repo.path)


def test_damage_to_the_repository_leads_to_doctor(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD")
    file = repo.path / ".git/objects" / head[:2] / head[2:]
    file.chmod(0o600)
    file.write_bytes(file.read_bytes()[:40])

    with pytest.raises(GitFailed) as refused:
        run_git(["log", "-1", head], cwd=repo.path)

    assert "is corrupt" in str(refused.value)
    assert refused.value.hint == "git lerim doctor says more"


def test_an_unchecked_failure_is_what_git_printed(repo: Repo) -> None:
    assert run_git(["rev-list", "nowhere"], cwd=repo.path, check=False) == b""
    assert git_line(["rev-list", "nowhere"], cwd=repo.path) is None


def test_input_reaches_git(repo: Repo) -> None:
    assert run_git(["hash-object", "--stdin"], cwd=repo.path, input=b"").startswith(b"e69de29")


@pytest.mark.skipif(os.name != "posix", reason="such a limit is POSIX")
def test_a_file_that_is_larger_than_allowed_is_no_riddle(repo: Repo) -> None:
    import resource  # noqa: PLC0415 not on every system

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(ReadOnly, match="File too large"):
            run_git(["hash-object", "-w", "--stdin"], cwd=repo.path, input=os.urandom(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match=r"cannot enter folder .*gone"):
        run_git(["status"], cwd=tmp_path / "gone")


def test_missing_git_is_a_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    git_version.cache_clear()

    with pytest.raises(GitMissing, match="not found on PATH") as caught:
        run_git(["status"], cwd=tmp_path)

    assert "2.30" in caught.value.hint
    git_version.cache_clear()


def test_old_git_is_named_only_when_something_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "git"
    fake.write_text('#!/bin/sh\n[ "$1" = version ] && echo git version 2.25.1 && exit\nexit 129\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    git_version.cache_clear()

    with pytest.raises(GitMissing, match=r"git 2\.25\.1 is too old"):
        run_git(["status"], cwd=tmp_path)

    git_version.cache_clear()


@pytest.mark.parametrize(
    "said",
    [
        "error: could not lock config file .git/config: Permission denied",
        "fatal: No space left on device",
    ],
)
def test_a_repository_that_takes_no_writing_is_its_own_error(said: str) -> None:
    assert isinstance(failure(["config"], said.encode()), ReadOnly)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]52;c;ZXZpbA==\x07copied", "copied"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("one\ntwo\r", "one\\ntwo\\r"),
        ("c1 \x9b31m", "c1 \\x9b31m"),
        ("turned \u202e around", "turned \\u202e around"),
        ("lone \udcff", "lone \\udcff"),
        ("Grüße, 世界", "Grüße, 世界"),
    ],
)
def test_no_control_character_reaches_a_terminal(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_nothing_in_a_text_of_ours_starts_an_escape() -> None:
    assert not any(
        c in plain("".join(map(chr, range(256)))) for c in map(chr, [*range(32), *range(127, 160)])
    )
    assert process.plain("") == ""


def test_a_repository_of_a_newer_make_is_told_in_a_sentence(repo: Repo) -> None:
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.fromTomorrow", "x")

    with pytest.raises(GitFailed, match="unknown extension fromtomorrow") as caught:
        run_git(["rev-parse", "--git-dir"], cwd=repo.path)

    assert caught.value.hint == "install a newer git"


def test_the_verb_is_named_and_not_a_setting() -> None:
    assert (
        str(failure(["-c", "fetch.fsckObjects=true", "--git-dir=x", "fetch", "-q"], b"fatal: no\n"))
        == "git fetch: no"
    )
