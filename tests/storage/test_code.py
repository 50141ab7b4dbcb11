from pathlib import Path

import pytest
from support import repos
from support.repos import Repo

from git_lerim.git.repo import discover
from git_lerim.storage.code import Code

WINDOWS = "C:\\Work\\Shop"


def code_of(repo: Repo, *roots: str) -> Code:
    return Code(discover(repo.path, {}), lambda: (str(repo.path), *roots))


@pytest.fixture
def code(repo: Repo) -> Code:
    repo.commit({"Src/Main.py": "a = 1\n\nb = 2\n"})
    return code_of(repo, "/old/place", WINDOWS)


@pytest.mark.parametrize(
    ("named", "path"),
    [
        ("Src/Main.py", "Src/Main.py"),
        ("./Src/./Main.py", "Src/Main.py"),
        ("Src\\Main.py", "Src/Main.py"),
        ("/old/place/Src/Main.py", "Src/Main.py"),
        ("file:///old/place/Src/Main.py", "Src/Main.py"),
        ("C:\\Work\\Shop\\Src\\Main.py", "Src/Main.py"),
        ("c:/work/shop/Src/Main.py", "Src/Main.py"),
        ("/mnt/c/Work/Shop/Src/Main.py", "Src/Main.py"),
        ("\\\\?\\C:\\Work\\Shop\\Src\\Main.py", "Src/Main.py"),
        ("/old/places/Src/Main.py", None),
        ("/old/place", None),
        ("/etc/passwd", None),
        ("D:\\Work\\Shop\\Src\\Main.py", None),
        ("../Src/Main.py", None),
        ("/old/place/../../etc/passwd", None),
        ("Src//Main.py", None),
        ("", None),
        (".", None),
    ],
)
def test_a_file_is_known_by_every_name_that_a_session_gives_it(
    code: Code, named: str, path: str | None
) -> None:
    assert code.relative(named) == path


def test_the_innermost_of_the_places_counts(repo: Repo) -> None:
    assert code_of(repo, "/old", "/old/place").relative("/old/place/a.py") == "a.py"


def test_a_file_is_found_as_it_stood_at_a_commit_else_as_it_stands_now(
    repo: Repo, code: Code
) -> None:
    old = repo.git("rev-parse", "HEAD~1")
    blob = repo.git("rev-parse", "HEAD:Src/Main.py")

    assert code.file("hello.py", old) == ("hello.py", repo.git("rev-parse", f"{old}:hello.py"))
    assert code.file("Src/Main.py", old) == ("Src/Main.py", blob)
    assert code.file(f"{WINDOWS}\\Src\\Main.py", None) == ("Src/Main.py", blob)
    assert code.file("Src", None) is None
    assert code.file("none.py", old) is None
    assert code.file("nul\0.py", old) is None
    assert code.length(blob) == 3


def test_a_link_is_no_file(repo: Repo) -> None:
    (repo.path / "link.py").symlink_to("hello.py")
    repo.git("add", "link.py")
    repo.git("commit", "-q", "-m", "link")

    assert code_of(repo).file("link.py", None) is None


def test_before_the_first_commit_nothing_is_known(tmp_path: Path) -> None:
    code = code_of(repos.unborn(tmp_path / "unborn"))

    assert code.head() is None
    assert code.file("hello.py", None) is None


def test_the_head_is_known_even_where_its_history_cannot_be_read(repo: Repo, code: Code) -> None:
    before = repo.git("rev-parse", "HEAD~1")
    (repo.path / ".git/objects" / before[:2] / before[2:]).unlink()

    assert code.head() == repo.git("rev-parse", "HEAD")
