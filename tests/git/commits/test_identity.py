import os
import time

import pytest
from support.repos import Repo

from git_lerim.errors import NoIdentity
from git_lerim.git import gitconfig
from git_lerim.git.commits.identity import identity, stamp
from git_lerim.git.repo import discover


def test_the_identity_is_what_git_says(repo: Repo) -> None:
    who = identity(discover(repo.path, os.environ))

    assert who.author == who.committer == b"Ada Tester <ada@example.org>"
    assert who.author_date is None


def test_git_is_asked_once_for_each_opening_of_a_repository(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = repo.path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    opened = discover(repo.path, os.environ)
    first, second = identity(opened), identity(opened)
    asked = trace.read_text().count(" var GIT_")
    repo.git("config", "user.name", "Zoë")

    later = identity(discover(repo.path, os.environ))

    assert (asked, first == second) == (2, True)
    assert later.author == "Zoë <ada@example.org>".encode()


def test_whose_author_and_committer_cannot_differ_is_asked_for_once(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = repo.path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    opened = discover(repo.path, os.environ)
    gitconfig.read(opened)

    who = identity(opened)

    assert who.author == who.committer == b"Ada Tester <ada@example.org>"
    assert trace.read_text().count(" var GIT_") == 1


@pytest.mark.parametrize("how", ["configuration", "environment"])
def test_a_committer_with_a_name_of_their_own_is_asked_for(
    how: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "configuration":
        repo.git("config", "--global", "committer.name", "Zoë")
    else:
        monkeypatch.setenv("GIT_COMMITTER_NAME", "Zoë")
    opened = discover(repo.path, os.environ)
    gitconfig.read(opened)

    who = identity(opened)

    assert who.author == b"Ada Tester <ada@example.org>"
    assert who.committer == "Zoë <ada@example.org>".encode()


def test_the_environment_decides_about_author_and_committer_apart(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Zoë")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-02-20T09:30:45+0100")

    who = identity(discover(repo.path, os.environ))

    assert who.author == "Zoë <>".encode()
    assert who.author_date == b"1771576245 +0100"
    assert who.committer == b"Ada Tester <ada@example.org>"


def test_no_identity_is_an_error_that_tells_how_to_give_one(repo: Repo) -> None:
    repo.git("config", "--global", "--unset", "user.email")
    repo.git("config", "--global", "user.useConfigOnly", "true")

    with pytest.raises(NoIdentity) as caught:
        identity(discover(repo.path, os.environ))

    assert "git config --global user.name" in caught.value.hint


@pytest.mark.parametrize("role", ["AUTHOR", "COMMITTER"])
def test_a_date_that_git_cannot_read_is_an_error_that_names_the_variables(
    role: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"GIT_{role}_DATE", "nonsense")

    with pytest.raises(NoIdentity, match="invalid date format: nonsense") as caught:
        identity(discover(repo.path, os.environ))

    assert f"GIT_{role}_*" in caught.value.hint


@pytest.mark.parametrize(
    ("zone", "shown"), [("UTC", b"+0000"), ("IST-5:30", b"+0530"), ("NST3:30", b"-0330")]
)
def test_a_time_is_told_in_the_users_time_zone(
    zone: str, shown: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()

    assert stamp(1_771_576_245.9) == b"1771576245 " + shown
