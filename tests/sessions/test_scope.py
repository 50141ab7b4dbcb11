import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import repos
from support.repos import Repo

from git_lerim.sessions.scope import Ground, Scope, Territory, Verdict, comparable, normal_remote
from git_lerim.sessions.session import Header
from git_lerim.workspace import Workspace, open_workspace

OURS = "https://github.com/ada/shop.git"
THEIRS = "https://github.com/bob/other.git"
COMMIT = "3f2a9c1" * 5 + "abcde"


def scope(
    territory: Territory, ground: dict[str, Ground] | None = None, commits: Iterable[str] = ()
) -> Scope:
    known = ground or {}
    return Scope(
        territory,
        lambda path: known.get(path, Ground.GONE),
        set(commits).__contains__,
        ("r" * 40).__eq__,
    )


def verdict(
    territory: Territory, cwd: str | None, header: Header | None = None, **ground: Ground
) -> Verdict:
    return scope(territory, {cwd: ground["at"]} if cwd and ground else None, [COMMIT]).judge(
        cwd, header or Header()
    )


SHOP = Territory(worktrees=("/home/ada/shop",), remotes=(OURS,))


# -- the rules, in their order


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("/home/ada/shop/../other", Verdict.UNSCOPED),
        ("/home/ada/shop/src/../../other/x", Verdict.UNSCOPED),
        ("/old/shop/../x", Verdict.UNSCOPED),
        ("/home/ada/shop/src/../lib", Verdict.OURS),
        ("/home/ada/other/../shop", Verdict.OURS),
        ("file:///home/ada/shop/%2e%2e/other", Verdict.UNSCOPED),
        ("D:\\work\\shop\\..\\other", Verdict.UNSCOPED),
        ("D:\\work\\shop\\src\\..", Verdict.OURS),
    ],
)
def test_a_step_up_leads_out_of_a_repository(cwd: str, expected: Verdict) -> None:
    shop = Territory(worktrees=("/home/ada/shop", "D:\\work\\shop"), extra=("/old/shop",))

    assert verdict(shop, cwd) is expected


def test_a_folder_outside_that_is_reached_through_the_repository_is_outside(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    (repo.path.parent / "other").mkdir()

    found = open_workspace().scope.judge(f"{repo.path}/../other", Header())

    assert found is Verdict.OUTSIDE


def test_a_path_the_user_gave_beats_everything() -> None:
    given_ = Territory(extra=("/old/shop",), remotes=(OURS,))
    for standing in Ground:
        assert verdict(given_, "/old/shop", Header(remote=THEIRS), at=standing) is Verdict.OURS
    inside = {"/old/shop": Ground.OTHER, "/old/shop/src": Ground.OTHER}
    assert scope(given_, inside).judge("/old/shop/src", Header()) is Verdict.OURS


def test_another_repository_that_stands_below_a_path_the_user_gave_is_not_taken_with_it() -> None:
    stands = scope(
        Territory(extra=("/old",)), {"/old/library": Ground.OTHER, "/old/library/src": Ground.OTHER}
    )

    assert stands.judge("/old/library/src", Header()) is Verdict.ELSEWHERE
    assert stands.judge("/old/library/gone", Header()) is Verdict.ELSEWHERE
    assert stands.judge("/old/shop", Header()) is Verdict.OURS


def test_a_folder_beside_a_path_the_user_gave_is_not_below_it() -> None:
    assert verdict(Territory(extra=("/old/shop",)), "/old/shop-2") is Verdict.UNSCOPED
    assert verdict(Territory(extra=("/old/shop",)), "/old") is Verdict.UNSCOPED


def test_a_folder_below_the_work_tree_is_ours_whether_it_stands_or_is_gone() -> None:
    assert verdict(SHOP, "/home/ada/shop/src", at=Ground.OURS) is Verdict.OURS
    assert verdict(SHOP, "/home/ada/shop/src") is Verdict.OURS


def test_a_folder_that_is_gone_below_a_nested_repository_is_that_ones() -> None:
    judge = scope(
        SHOP, {"/home/ada/shop": Ground.OURS, "/home/ada/shop/vendor/lib": Ground.OTHER}
    ).judge
    assert judge("/home/ada/shop/vendor/lib/src/gone", Header()) is Verdict.ELSEWHERE
    assert judge("/home/ada/shop/vendor/gone", Header()) is Verdict.OURS


def test_a_folder_that_is_gone_in_another_repository_is_elsewhere_unless_history_says_it_is_ours() -> (  # noqa: E501
    None
):
    judge = scope(SHOP, {"/home/ada": Ground.OTHER}).judge
    assert judge("/home/ada/old/place", Header()) is Verdict.ELSEWHERE
    assert judge("/home/ada/old/place", Header(remote=OURS)) is Verdict.OURS


def test_our_work_tree_that_is_gone_is_ours_though_a_repository_stands_around_it() -> None:
    territory = Territory(worktrees=("/home/ada/shop", "/home/ada/wt"))
    judge = scope(territory, {"/home/ada": Ground.OTHER}).judge
    assert judge("/home/ada/wt/src", Header()) is Verdict.OURS


@pytest.mark.parametrize(
    "header",
    [Header(remote="git@github.com:ada/shop"), Header(commit=COMMIT), Header(root_commit="r" * 40)],
)
def test_history_says_whose_a_folder_was_that_is_gone(header: Header) -> None:
    assert verdict(SHOP, "/somewhere/else", header) is Verdict.OURS
    assert verdict(SHOP, None, header) is Verdict.OURS


def test_unknown_history_says_nothing() -> None:
    assert (
        verdict(SHOP, "/somewhere", Header(commit="f" * 40, root_commit="e" * 40))
        is Verdict.UNSCOPED
    )
    assert verdict(SHOP, None) is Verdict.UNSCOPED


@pytest.mark.parametrize("standing", [Ground.OURS, Ground.GONE])
def test_a_recorded_remote_that_is_not_ours_vetoes_place_and_root(standing: Ground) -> None:
    header = Header(remote=THEIRS, root_commit="r" * 40, commit=COMMIT)
    assert verdict(SHOP, "/home/ada/shop", header, at=standing) is Verdict.VETOED


def test_a_recorded_remote_vetoes_in_a_repository_without_remotes_too() -> None:
    assert (
        verdict(Territory(worktrees=("/w",)), "/w", Header(remote=THEIRS), at=Ground.OURS)
        is Verdict.VETOED
    )


def test_a_folder_that_stands_in_another_repository_is_elsewhere_and_one_in_none_is_outside() -> (
    None
):
    assert verdict(SHOP, "/x", Header(remote=OURS), at=Ground.OTHER) is Verdict.ELSEWHERE
    assert verdict(SHOP, "/x", at=Ground.NONE) is Verdict.OUTSIDE
    assert verdict(SHOP, "/x", Header(remote=THEIRS), at=Ground.NONE) is Verdict.OUTSIDE


def test_a_relative_path_says_nothing_of_a_place() -> None:
    assert verdict(SHOP, "src", at=Ground.NONE) is Verdict.UNSCOPED
    assert verdict(Territory(personal=True), ".", at=Ground.NONE) is Verdict.UNSCOPED


def test_a_folder_that_may_not_be_looked_at_counts_as_gone() -> None:
    def forbidden(path: str) -> Ground:
        raise PermissionError(13, "Permission denied", path)

    judge = Scope(SHOP, forbidden, lambda _: False).judge
    assert judge("/root/x", Header()) is Verdict.UNSCOPED
    assert judge("/home/ada/shop/x", Header()) is Verdict.OURS


def test_the_personal_store_takes_what_stands_in_no_repository() -> None:
    personal = Territory(personal=True)
    assert verdict(personal, "/x", at=Ground.NONE) is Verdict.OURS
    assert verdict(personal, "/x", at=Ground.OTHER) is Verdict.ELSEWHERE
    assert verdict(personal, "/x", at=Ground.GONE) is Verdict.UNSCOPED
    assert verdict(personal, None) is Verdict.UNSCOPED


def test_a_gemini_hash_of_our_path_is_our_path() -> None:
    digest = "sha256:" + hashlib.sha256(b"/home/ada/shop").hexdigest()
    assert verdict(SHOP, digest) is Verdict.OURS
    assert (
        verdict(Territory(extra=("/home/ada/shop",)), digest, Header(remote=THEIRS)) is Verdict.OURS
    )
    assert verdict(Territory(extra=(digest,)), digest) is Verdict.OURS
    assert verdict(Territory(worktrees=("/home/ada/shop2",)), digest) is Verdict.UNSCOPED


# -- spellings of one path


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"C:\work\Shop", "c:/work/shop"),
        ("C:\\work\\shop\\", "C:/work/shop"),
        ("file:///c%3A/work/shop", r"C:\work\shop"),
        ("file:///home/ada/my%20shop", "/home/ada/my shop"),
        ("file://localhost/home/ada", "/home/ada"),
        ("/mnt/c/work/shop", r"C:\work\shop"),
        ("/mnt/C/work/shop", r"c:\work\shop"),
        (r"\\?\C:\work\shop", r"C:\work\shop"),
        (r"\\?\UNC\server\share\x", "//server/share/x"),
        ("file://server/share/x", r"\\SERVER\share\x"),
        (r"\\wsl$\Ubuntu\home\ada\Shop", "/home/ada/Shop"),
        (r"\\wsl.localhost\Debian\home\ada\Shop", "/home/ada/Shop"),
        ("//wsl$/Ubuntu/home/ada", "/home/ada"),
        (r"\\wsl$\Ubuntu\mnt\c\work", r"C:\work"),
        ("/private/tmp/x", "/tmp/x"),  # noqa: S108 a spelling, not a file
        ("/private/var/folders/a", "/var/folders/a"),
        ("/home/ada/shop/", "/home/ada/shop"),
    ],
)
def test_spellings_of_one_path_are_equal(one: str, other: str) -> None:
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/home/ada/Shop", "/home/ada/shop"),
        ("/mnt/data/x", "d:/ata/x"),
        ("/private/shop", "/shop"),
        ("/home/ada", "/home/ad"),
        ("C:", "/mnt/cc"),
    ],
)
def test_other_paths_are_not(one: str, other: str) -> None:
    assert comparable(one) != comparable(other)


@given(st.text(st.sampled_from("/\\:aC$?.%wslmnt "), max_size=12))
def test_any_text_can_be_compared(text: str) -> None:
    assert comparable(comparable(text)) == comparable(text)


@given(st.text(st.sampled_from("/\\:ab.~ \n\0\ud800"), max_size=12))
def test_any_text_can_be_a_working_directory(text: str) -> None:
    assert scope(SHOP).judge(text, Header(remote=text)) in Verdict


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:ada/shop.git",
        "https://github.com/ada/shop",
        "https://github.com/ada/shop/",
        "https://ada:ghp_x@github.com/ada/shop.git",
        "https://ada@github.com:443/Ada/Shop.git",
        "ssh://git@github.com:22/ada/shop.git",
        "ssh://git@github.com/ada/shop",
        "git://github.com/ada/shop.git/",
        "git+ssh://git@github.com/ada/shop.git",
        "github.com:ada/shop",
        " git@GitHub.com:ada/shop.git\n",
    ],
)
def test_spellings_of_one_remote_are_equal(url: str) -> None:
    assert normal_remote(url) == "github.com/ada/shop"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("git@host:42/shop.git", "git@host:shop.git"),
        ("git@github.com:ada/shop.git", "git@github.com:ada/shop2.git"),
        ("https://gitlab.com/a/b/c", "https://gitlab.com/a/b"),
        ("https://github.com/ada/shop", "https://github.com.evil.org/ada/shop"),
    ],
)
def test_other_remotes_are_not(one: str, other: str) -> None:
    assert normal_remote(one) != normal_remote(other)


def test_a_remote_that_is_a_folder_equals_its_file_url() -> None:
    assert normal_remote("file:///srv/git/shop.git") == normal_remote("/srv/git/shop.git")
    assert normal_remote("git@host:42/shop.git") == normal_remote("https://host/42/shop")


def test_the_fingerprint_changes_with_the_territory() -> None:
    assert (
        SHOP.fingerprint()
        == Territory(worktrees=("/home/ada/shop",), remotes=(OURS,)).fingerprint()
    )
    assert SHOP.fingerprint() != Territory(worktrees=("/home/ada/shop",)).fingerprint()


# -- on real repositories


def opened(folder: Path, monkeypatch: pytest.MonkeyPatch, **how: bool) -> Workspace:
    monkeypatch.chdir(folder)
    return open_workspace(**how)


def judged(ws: Workspace, cwd: Path | str, header: Header | None = None) -> Verdict:
    return ws.scope.judge(str(cwd), header or Header())


def test_a_real_work_tree_its_folders_and_what_is_gone_of_them_are_ours(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.path / "src").mkdir()
    ws = opened(repo.path / "src", monkeypatch)
    for cwd in (
        repo.path,
        repo.path / "src",
        repo.path / "gone" / "deep",
        repo.path / ".git",
        f"{repo.path}/",
    ):
        assert judged(ws, cwd) is Verdict.OURS


def test_real_linked_work_trees_are_ours_standing_and_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = repos.worktree(tmp_path / "side")
    main = tmp_path / "side-main"
    for start in (main, linked.path):
        ws = opened(start, monkeypatch)
        assert judged(ws, main) is Verdict.OURS
        assert judged(ws, linked.path) is Verdict.OURS
    monkeypatch.chdir(main)
    shutil.rmtree(linked.path)
    assert judged(opened(main, monkeypatch), linked.path / "src") is Verdict.OURS


def test_a_nested_clone_and_what_is_gone_in_it_is_its_own(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested = repos.normal(repo.path / "vendor" / "lib")
    ws = opened(repo.path, monkeypatch)
    assert judged(ws, nested.path) is Verdict.ELSEWHERE
    assert judged(ws, nested.path / "gone") is Verdict.ELSEWHERE
    assert judged(ws, repo.path / "vendor") is Verdict.OURS
    assert judged(opened(nested.path, monkeypatch), nested.path / "gone") is Verdict.OURS
    assert judged(opened(nested.path, monkeypatch), repo.path) is Verdict.ELSEWHERE


def test_a_submodule_is_its_own(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lib = repos.normal(tmp_path / "lib")
    repo.git("submodule", "add", "-q", str(lib.path), "lib")
    assert judged(opened(repo.path, monkeypatch), repo.path / "lib") is Verdict.ELSEWHERE
    assert judged(opened(repo.path / "lib", monkeypatch), repo.path / "lib") is Verdict.OURS


def test_a_link_to_the_work_tree_is_the_work_tree(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(repo.path)
    assert judged(opened(repo.path, monkeypatch), tmp_path / "link") is Verdict.OURS


def test_other_places_are_not_ours(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repos.normal(tmp_path / "other")
    (tmp_path / "plain").mkdir()
    ws = opened(repo.path, monkeypatch)
    assert judged(ws, other.path) is Verdict.ELSEWHERE
    assert judged(ws, other.path / "gone") is Verdict.ELSEWHERE
    assert judged(ws, tmp_path / "plain") is Verdict.OUTSIDE
    assert judged(ws, tmp_path / "gone") is Verdict.UNSCOPED
    assert judged(ws, f"{repo.path}-2") is Verdict.UNSCOPED
    assert judged(ws, "src") is Verdict.UNSCOPED
    assert judged(ws, "/" + "x" * 5000) is Verdict.UNSCOPED


def test_a_moved_repository_is_known_by_the_old_path_the_remote_or_the_commit(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "before"
    root = repo.git("rev-parse", "HEAD")
    repo.git("remote", "add", "origin", "git@example.org:ada/shop.git")
    ws = opened(repo.path, monkeypatch)
    assert judged(ws, gone) is Verdict.UNSCOPED
    assert judged(ws, gone, Header(remote="https://example.org/ada/shop")) is Verdict.OURS
    assert judged(ws, gone, Header(commit=root)) is Verdict.OURS
    assert judged(ws, gone, Header(root_commit=root)) is Verdict.OURS
    assert judged(ws, repo.path, Header(remote=THEIRS)) is Verdict.VETOED
    repo.git("config", "--global", "--add", "lerim.repositoryPath", str(gone))
    assert (
        judged(opened(repo.path, monkeypatch), gone / "src", Header(remote=THEIRS)) is Verdict.OURS
    )


def test_a_bare_repository_with_work_trees_owns_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = repos.normal(tmp_path / "source")
    source.git("clone", "-q", "--bare", str(source.path), str(tmp_path / "shop.git"))
    Repo(tmp_path / "shop.git").git("worktree", "add", "-q", str(tmp_path / "wt"), "main")
    ws = opened(tmp_path / "shop.git", monkeypatch)
    assert judged(ws, tmp_path / "wt") is Verdict.OURS
    assert judged(ws, source.path) is Verdict.ELSEWHERE


def test_the_real_personal_store_takes_folders_in_no_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    ws = opened(tmp_path / "plain", monkeypatch, fallback=True)
    assert ws.personal
    assert judged(ws, tmp_path / "plain") is Verdict.OURS
    assert judged(ws, repo.path) is Verdict.ELSEWHERE
    assert judged(ws, repo.path / "gone") is Verdict.ELSEWHERE
    assert judged(ws, tmp_path / "gone") is Verdict.UNSCOPED


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_a_folder_of_somebody_else_is_no_error(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir(mode=0o000)
    assert judged(opened(repo.path, monkeypatch), tmp_path / "theirs" / "x") is Verdict.UNSCOPED


def test_who_asks_where_the_work_trees_lie_loads_nothing_that_reads_sessions() -> None:
    program = (
        "import sys, git_lerim.sessions.scope; print({'msgspec', 'sqlite3'} & sys.modules.keys())"
    )

    assert (
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        == "set()\n"
    )


def test_a_folder_is_named_below_its_innermost_work_tree() -> None:
    found = scope(Territory(worktrees=("/home/ada/shop", "/home/ada/shop/wt/one")))

    assert found.below("/home/ada/shop/private/data/") == "private/data"
    assert found.below("/home/ada/shop/wt/one/private") == "private"
    assert found.below("/home/ada/shop") == ""
    assert found.below("/home/ada/other/private") == ""
