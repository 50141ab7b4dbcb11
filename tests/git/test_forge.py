"""The address of a pull request, from whatever URL a remote has."""

import os
from pathlib import Path

import pytest

from git_lerim.git import forge

BASE, HEAD = "lerim/memory", "lerim/proposal/ada/20260220-abc"
GITHUB = (
    "https://github.com/team/shop/compare/lerim/memory...lerim/proposal/ada/20260220-abc?expand=1"
)

REQUEST = forge.Request(base=BASE, head=HEAD, title="Two memories", text="What and why.\n")


def address(url: str) -> str | None:
    found = forge.project(url)
    return found.compare(BASE, HEAD) if found else None


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/team/shop.git",
        "https://github.com/team/shop",
        "https://github.com/team/shop/",
        "https://ada:s3cret@github.com/team/shop.git",
        "https://x-access-token:ghp_abc@github.com/team/shop.git",
        "git@github.com:team/shop.git",
        "github.com:team/shop.git",
        "ssh://git@github.com/team/shop.git",
        "ssh://git@ssh.github.com:443/team/shop.git",
        "git://github.com/team/shop.git",
        "https://GitHub.com/team/shop.git",
    ],
)
def test_every_form_of_a_url_gives_one_address_without_a_password(url: str) -> None:
    assert address(url) == GITHUB


def test_each_forge_has_a_page_of_its_own() -> None:
    asked = "merge_request%5Bsource_branch%5D=lerim%2Fproposal%2Fada%2F20260220-abc&merge_request%5Btarget_branch%5D=lerim%2Fmemory"  # noqa: E501

    assert (
        address("git@gitlab.com:a/b/shop.git")
        == f"https://gitlab.com/a/b/shop/-/merge_requests/new?{asked}"
    )
    assert (
        address("ssh://git@gitlab.example.org:2222/a/b.git")
        == f"https://gitlab.example.org/a/b/-/merge_requests/new?{asked}"
    )
    told = "https://bitbucket.org/a/b/pull-requests/new?source=lerim%2Fproposal%2Fada%2F20260220-abc&dest=lerim%2Fmemory"
    assert address("https://bitbucket.org/a/b.git") == told
    assert address("ssh://git@altssh.bitbucket.org:443/a/b.git") == told
    for host in ("codeberg.org", "git.example.org", "localhost"):
        assert (
            address(f"git@{host}:a/b.git")
            == f"https://{host}/a/b/compare/lerim/memory...lerim/proposal/ada/20260220-abc"
        )
    assert (
        address("http://git.example.org:3000/a/b")
        == "http://git.example.org:3000/a/b/compare/lerim/memory...lerim/proposal/ada/20260220-abc"
    )
    assert (
        address("ssh://git@[::1]:22/a/b.git")
        == "https://[::1]/a/b/compare/lerim/memory...lerim/proposal/ada/20260220-abc"
    )


@pytest.mark.parametrize(
    "url",
    [
        "/srv/git/shop.git", "../hub", "file:///srv/git/shop.git", "C:/git/shop.git",
        "C:\\git\\shop", "", "https://github.com",
        "https://github.com/team", "https://git hub.com/a/b", "ext::sh -c x",
        "https://github.com/a/../b", "https://h:99999999/a/b",
        "https://evil\x1b[2J.org/a/b", "git@evil\x1b[2J.org:a/b", "git@github.com:a/b\x1b[2J",
        "ssh://-oProxyCommand=x/a/b",
    ],
)  # fmt: skip
def test_what_is_no_project_of_a_forge_has_no_address(url: str) -> None:
    assert address(url) is None


def test_what_a_name_holds_is_quoted() -> None:
    assert forge.project("git@github.com:a b/c?d#e.git") is not None
    assert "?d" not in str(address("git@github.com:a b/c?d#e.git")).removesuffix("?expand=1")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return folder


def program(folder: Path, name: str, ends: str) -> None:
    (folder / name).write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{folder}/said"\n{ends}\n')
    (folder / name).chmod(0o755)


def test_the_forges_own_program_is_asked_where_it_is_there(programs: Path) -> None:
    github, gitlab = (
        forge.project("git@github.com:team/shop.git"),
        forge.project("git@gitlab.com:team/shop.git"),
    )
    assert github
    assert gitlab
    program(programs, "gh", 'for f; do :; done; cat "$f"; echo https://github.com/team/shop/pull/7')
    program(programs, "glab", "echo 'already\x1b[2J exists' >&2; exit 1")

    opened = forge.open_request(github, REQUEST)
    assert opened == forge.Opened(
        program="gh", done=True, said="What and why. https://github.com/team/shop/pull/7"
    )
    said = (programs / "said").read_text().split("\n")
    assert said[:9] == [
        "pr",
        "create",
        "-R",
        "github.com/team/shop",
        "-B",
        BASE,
        "-H",
        HEAD,
        "--title",
    ]

    failed = forge.open_request(gitlab, REQUEST)
    assert failed == forge.Opened(program="glab", done=False, said="already exists")
    assert "--source-branch" in (programs / "said").read_text()
    other = forge.project("git@codeberg.org:team/shop.git")
    assert other
    assert forge.open_request(other, REQUEST) is None
