import subprocess

from git_lerim.storage.base import Change
from git_lerim.storage.writing.message import commit_bytes, compose


def composed(**fields: object) -> str:
    return compose(Change(files={}, **{"subject": "sync: 1 decision", **fields})).decode()  # type: ignore[arg-type]


def parsed(message: str) -> list[str]:
    done = subprocess.run(
        ["git", "interpret-trailers", "--parse"],
        input=message,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_subject_body_and_trailers_stand_apart() -> None:
    message = composed(
        body="+ abc Use SQLite", trailers=(("Lerim-Op", "sync"), ("Lerim-Added", "abc"))
    )

    assert message == "sync: 1 decision\n\n+ abc Use SQLite\n\nLerim-Op: sync\nLerim-Added: abc\n"
    assert parsed(message) == ["Lerim-Op: sync", "Lerim-Added: abc"]


def test_a_body_cannot_forge_trailers() -> None:
    message = composed(body="Lerim-Op: purge\nLerim-Added: evil", trailers=(("Lerim-Op", "sync"),))

    assert parsed(message) == ["Lerim-Op: sync"]


def test_a_value_cannot_break_out_of_its_line() -> None:
    message = composed(
        subject="one\n\ntwo\0", trailers=(("Lerim-Session", "claude/x\nLerim-Op: purge\r\n\n"),)
    )

    assert message.splitlines()[0] == "one two"
    assert parsed(message) == ["Lerim-Session: claude/x Lerim-Op: purge"]


def test_a_long_subject_is_cut_and_a_bare_one_is_enough() -> None:
    assert composed() == "sync: 1 decision\n"
    assert len(composed(subject="x" * 500)) == 101


def test_a_commit_stands_as_git_stores_it() -> None:
    data = commit_bytes("t" * 40, ["p" * 40], b"A <a> 1 +0000", b"B <b> 2 +0000", b"subject\n")

    assert data.decode().splitlines() == [
        "tree " + "t" * 40, "parent " + "p" * 40, "author A <a> 1 +0000", "committer B <b> 2 +0000",
        "", "subject",
    ]  # fmt: skip
