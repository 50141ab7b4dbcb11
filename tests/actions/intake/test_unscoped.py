from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.actions.intake import unscoped
from git_lerim.sessions.entry import Entry, State
from git_lerim.sessions.session import Header


def folders(entries: list[Entry]) -> list[str]:
    return unscoped.folders(entries, {})


def gone(*places: str, remote: str = "") -> Entry:
    """Return a session that ran in some folders, which are gone."""
    return Entry(
        agent="claude", id=" ".join(places), header=Header(remote=remote), started=0, ended=0,
        stored=1, prompts=1, kept=0,
        places=places, state=State.UNSCOPED, reason="", generation=1, extracted=0, tried=0, rules=0,
    )  # fmt: skip


def test_of_nested_folders_the_outermost_is_named() -> None:
    assert folders(
        [gone("/old/shop/web"), gone("/old/shop"), gone("/old/shop/web/src", "/old/shop/api")]
    ) == ["/old/shop"]


def test_the_folder_of_most_sessions_comes_first() -> None:
    assert folders([gone("/a"), gone("/b"), gone("/b/x"), gone("/c")]) == ["/b", "/a", "/c"]


def test_a_folder_that_holds_sessions_of_two_remotes_is_no_repository() -> None:
    shop, blog = "https://example.org/shop.git", "git@example.org:blog.git"

    assert folders(
        [
            gone("/work"),
            gone("/work/shop", remote=shop),
            gone("/work/shop/web"),
            gone("/work/blog", remote=blog),
        ]
    ) == [
        "/work/shop",
        "/work/blog",
    ]
    assert folders(
        [gone("/work"), gone("/work/shop", remote=shop), gone("/work/x", remote=shop)]
    ) == ["/work"]


def test_what_the_setting_would_not_take_is_not_named() -> None:
    assert folders([gone("/home/ada", "/", "-x", "relative")]) == []


def test_spellings_of_one_place_are_compared() -> None:
    assert folders([gone("C:\\Users\\Ada\\shop"), gone("/mnt/c/users/ada/shop/web")]) == [
        "C:\\Users\\Ada\\shop"
    ]


def test_the_folder_of_another_repository_is_not_named(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, plain = repo.path / "web", tmp_path / "plain"
    inner.mkdir()
    plain.mkdir()

    assert folders([gone(str(repo.path)), gone(str(inner)), gone(str(plain))]) == [str(plain)]
    monkeypatch.setenv("HOME", str(repo.path))  # whose files are in a repository
    assert folders([gone(str(inner))]) == [str(inner)]
