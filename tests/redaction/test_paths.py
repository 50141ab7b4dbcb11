import pytest
from support.costs import grows_evenly

from git_lerim.redaction.paths import is_ignored, mentions


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("secrets/a/b.txt", "secrets/**", True),
        ("src/secrets/a.txt", "secrets/**", False),
        ("src/secrets/a.txt", "secrets/", True),
        ("src/secrets/a.txt", "**/secrets/**", True),
        ("deep/down/key.pem", "*.pem", True),
        ("key.pem.txt", "*.pem", False),
        ("a/b/c.txt", "a/*.txt", False),
        ("a/c.txt", "/a/*.txt", True),
        ("file1", "file[0-9]", True),
        ("filex", "file[!0-9]", True),
        (".env.local", ".env*", True),
        ("a/b/c/d.txt", "a/**/d.txt", True),
        ("a/d.txt", "a/**/d.txt", True),
        ("a/b/d.txt/e", "a/**/d.txt", True),
        ("b/a/d.txt", "a/**/d.txt", False),
        ("a", "a/**", False),
        ("a/", "a/**", False),
        ("x/b/c/b/d", "**/b/d", True),
        ("x/b/c/d", "**/b/d", False),
        ("one-two-three.txt", "o*two*e.txt", True),
        ("one-two-three.txt", "o*three*two*", False),
        ("a*b", "a[*]b", True),
        ("axb", "a[*]b", False),
        ("m", "[z-a]", False),
        ("a.b", "a?b", True),
    ],
)
# - a column of the table
def test_globs_match_as_git_reads_them(path: str, glob: str, expected: bool) -> None:  # noqa: FBT001
    assert is_ignored(path, [glob]) is expected


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 30 + "b", "a" * 4000),
        ("**/a/" * 30 + "b", "a/" * 4000),
        ("a**/**/" * 20 + "x", "a/" * 2000),
    ],
)
def test_no_glob_backtracks(glob: str, path: str) -> None:
    assert not is_ignored(path, [glob])


def test_a_record_about_an_ignored_path_is_recognised() -> None:
    globs = ["secrets/**", "*.pem"]

    assert mentions("", ["/home/me/project/secrets/prod.txt"], globs)
    assert mentions("I read secrets/prod.txt and stopped", [], globs)
    assert mentions("cat ./certs/server.pem", [], globs)
    assert not mentions("we keep secrets in the vault", ["src/app.py"], globs)
    assert not mentions("anything", ["anything"], [])


def test_a_long_run_in_a_text_costs_time_in_proportion() -> None:
    def read(size: int) -> None:
        mentions("secrets " + "a" * size, [], ["secrets/**"])

    assert grows_evenly(read, 8_000)
