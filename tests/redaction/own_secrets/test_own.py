from pathlib import Path

import pytest
from support.costs import grows_evenly

from git_lerim.redaction.own_secrets.own import own_secrets
from git_lerim.redaction.own_secrets.secret_sources import (
    COMMITTED,
    HOME_FILES,
    LARGEST,
    MOST_COMMITTED,
    MOST_FILES,
    files,
)
from git_lerim.redaction.redactor import Redactor

VALUE = "tr0ub4dor" + "X9k2Lm7Qw"


def values(env: dict[str, str] | None = None, **files: str) -> set[str]:
    return {
        value
        for _, value in own_secrets(
            env or {}, [(name.replace("__", "/"), text) for name, text in files.items()]
        )
    }


def test_variables_with_secret_names_or_random_values_are_secrets() -> None:
    env = {
        "MY_TOKEN": VALUE,
        "DB_PASSWORD": "correct horse 9 battery",
        "PLAIN": "aB3dE6gH9jK2mN5pQ8sT1vW4",
        "DATABASE_URL": f"postgres://app:{VALUE}z@db/app",
    }

    assert values(env) == {
        VALUE,
        "correct horse 9 battery",
        "aB3dE6gH9jK2mN5pQ8sT1vW4",
        f"{VALUE}z",
    }


def test_ordinary_variables_are_none() -> None:
    env = {
        "PATH": "/usr/local/bin:/usr/bin",
        "HOME": "/home/someone",
        "PWD": "/home/someone/project1",
        "SHELL": "/bin/bash",
        "OLDPWD": "/srv/project2",
        "SSH_AUTH_SOCK": "/run/user/1000/agent.123",
        "GITHUB_SHA": "3f786850e387550fdab836ed7e6dc881de23001b",
        "AUTH_ENABLED": "true",
        "DB_PASSWORD": "postgres",
        "TOKEN_COUNT": "12345678",
        "API_KEY": "<your-key>",
        "AUTH_URL": "https://login.host/oauth",
        "SESSION_ID": "123e4567-e89b-42d3-a456-426614174000",
    }

    assert values(env) == set()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".env", f"# comment\nexport API_TOKEN='{VALUE}'\nDEBUG=true\n"),
        ("/home/someone/.netrc", f"machine github.com\n  login me\n  password {VALUE}\n"),
        (
            ".aws/credentials",
            f"[default]\naws_access_key_id = AKIA\naws_secret_access_key = {VALUE}\n",
        ),
        (
            ".npmrc",
            f"registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken={VALUE}\n",
        ),
        (".pypirc", f"[pypi]\nusername = __token__\npassword = {VALUE}\n"),
        (".git-credentials", f"https://me:{VALUE}@github.com\n"),
        (
            ".config/gh/hosts.yml",
            f"github.com:\n    user: me\n    oauth_token: {VALUE}\n    git_protocol: https\n",
        ),
        (".docker/config.json", f'{{"auths": {{"host": {{"auth": "{VALUE}"}}}}}}'),
        (".pgpass", f"localhost:5432:app:me:{VALUE}\n"),
    ],
)
def test_files_that_keep_secrets_are_read(name: str, text: str) -> None:
    assert [value for _, value in own_secrets({}, [(name, text)])] == [VALUE]


def test_the_files_to_read_are_named() -> None:
    assert {
        ".netrc",
        ".aws/credentials",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".config/gh/hosts.yml",
    } <= set(HOME_FILES)


def test_large_files_in_git_keep_no_others_from_being_read(tmp_path: Path) -> None:
    for name, size in {"a": MOST_COMMITTED, "b": 100, "c": MOST_COMMITTED, "own": 1 << 19}.items():
        (tmp_path / f".env.{name}").write_text("x" * size)

    def tracked(_: str, names: list[str]) -> set[str]:
        return set(names) - {".env.own"}

    found = [name for name, _ in files(tmp_path / "home", [str(tmp_path)], tracked)]

    assert found == [".env.own", f"{COMMITTED}.env.b"]


def test_of_very_many_files_the_shortest_names_and_smallest_files_are_read(tmp_path: Path) -> None:
    for number in range(2 * MOST_FILES):
        (tmp_path / f".env.{number:09}").write_text("x" * (LARGEST // 2))
    (tmp_path / ".env").write_text("y")
    asked: list[str] = []

    def tracked(_: str, names: list[str]) -> set[str]:
        asked.extend(names)
        return set()

    found = [name for name, _ in files(tmp_path / "home", [str(tmp_path)], tracked)]

    assert found == [".env", ".env.000000000"]
    assert len(asked) == MOST_FILES


def test_an_own_secret_is_blanked_in_the_middle_of_text() -> None:
    redactor = Redactor(own=own_secrets({"APP_SECRET": VALUE}, []))

    assert redactor.redact(f"x{VALUE}y")[0] == "x[REDACTED:own-secret]y"


@pytest.mark.parametrize("made", [" {} y", "a://{}", "abcde{}!", "A=x{}y"])
@pytest.mark.parametrize("unit", [" ", "a://", "abcde", "a=b:"])
def test_a_file_of_others_costs_time_in_proportion(made: str, unit: str) -> None:
    def read(size: int) -> None:
        values(**{"committed/.env": "KEY=" + made.format(unit * (size // len(unit)))})

    assert grows_evenly(read, 50_000)


def test_a_long_value_of_letters_and_a_mark_is_judged_at_once() -> None:
    assert values({"DB_PASSWORD": "correcthorsebatterystaple" * 4 + "!"}) == {
        "correcthorsebatterystaple" * 4 + "!"
    }


def test_trailing_blanks_are_no_part_of_a_value() -> None:
    assert values(**{".env": f"API_TOKEN={VALUE} \t\nDB_URL=postgres://app:{VALUE}z@db/app\n"}) == {
        VALUE,
        f"{VALUE}z",
    }
