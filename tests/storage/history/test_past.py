import os
from datetime import UTC, datetime

import pytest
from support.repos import Repo
from support.stores import adding, decision, store_at, titles

from git_lerim.errors import UsageError
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage.base import Change
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.history import past
from git_lerim.storage.history.past import LoggedCommit


@pytest.fixture
def store(repo: Repo) -> BranchStore:
    clock = iter([f"2026-0{month}-10T12:00:00+00:00" for month in (3, 4, 5)])
    made = BranchStore(
        discover(repo.path, os.environ), now=lambda: datetime.fromisoformat(next(clock)).timestamp()
    )
    for n in (1, 2, 3):
        made.commit(adding(n))
    repo.commit({"a": "1"}, when="2026-04-20T00:00:00Z")
    repo.git("tag", "v1")
    return made


@pytest.mark.parametrize(
    ("at", "count"),
    [
        ("2026-04-10", 2),
        ("2026-04-09", 1),
        ("2026-04-10T11:59:59Z", 1),
        ("2026-04-10T14:00:00+02:00", 2),
        ("2026-05-10 12:00:00", 3),
        ("2026-01-01", 0),
        ("0001-01-01", 0),
        ("1 January 2030", 3),
        ("lerim/memory", 3),
        ("lerim/memory~1", 2),
        ("lerim/memory~3", 0),
        ("v1", 2),
        ("HEAD~1", 0),
    ],
)
def test_the_store_is_read_as_it_was(store: BranchStore, at: str, count: int) -> None:
    assert len(store.snapshot(at).memories) == count


@pytest.mark.parametrize("at", ["nonsense", "", "--all", "decorate", "2026-13-45", "a\0b"])
def test_what_is_neither_a_revision_nor_a_date_is_refused(store: BranchStore, at: str) -> None:
    with pytest.raises(UsageError, match="neither a revision nor a date") as refused:
        store.snapshot(at)
    assert "--at" not in (refused.value.hint or "")  # diff takes these, too, and has no such option


def test_words_for_a_date_are_understood(store: BranchStore) -> None:
    assert titles(store.snapshot("30 years ago")) == set()


def test_without_a_branch_the_past_is_empty(repo: Repo) -> None:
    assert store_at(repo.path).snapshot("2026-01-01").commit is None
    assert list(store_at(repo.path).history()) == []


def test_the_log_tells_each_commit_with_what_it_changed(store: BranchStore) -> None:
    newest, *_, first = store.history()

    path = naming.path_of(decision(3))
    assert (newest.author, newest.mail, newest.subject) == (
        "Ada Tester",
        "ada@example.org",
        "sync: 1 decisions",
    )
    assert newest.body == "+ something"
    assert newest.trailers == (("Lerim-Op", "sync"), ("Lerim-Added", decision(3).id))
    assert newest.at == datetime(2026, 5, 10, 12, tzinfo=UTC)
    assert [(file.status, file.path, file.id) for file in newest.files] == [
        ("A", path, decision(3).id)
    ]
    assert (first.body, first.trailers, len(first.files)) == ("", (), 3)


def test_the_log_is_cut_and_chosen_by_file(store: BranchStore) -> None:
    path = naming.path_of(decision(1))
    store_at(store.place.git_dir).commit(lambda _: Change(files={path: None}, subject="away"))

    assert len(list(store.history(limit=2))) == 2
    assert [(c.subject, c.files[0].status) for c in store.history(path=path)] == [
        ("away", "D"),
        ("sync: 1 decisions", "A"),
    ]
    assert list(store.history(path="*")) == []


def test_a_log_of_anybodys_making_is_read(repo: Repo) -> None:
    tree = repo.git("mktree", stdin="")
    people = "author \x1b[31mEve\xff <> 99999999999999 +0000\ncommitter E <> 99999999999999 +0000"
    odd = f"tree {tree}\n{people}\n\n\x1b]0;x\x07\n\nA\n\nb: c\n"
    commit = repo.git(
        "hash-object", "--literally", "-t", "commit", "-w", "--stdin", stdin=odd.encode("latin-1")
    )
    merge = repo.git("commit-tree", "-p", commit, "-p", "HEAD", "-m", "", tree)
    repo.git("update-ref", "refs/heads/lerim/memory", merge)
    repo.git("config", "log.showSignature", "true")
    repo.git("config", "color.ui", "always")

    log: list[LoggedCommit] = list(store_at(repo.path).history())

    assert [c.id for c in log if c.id in {commit, merge}] == [merge, commit] or len(log) == 3
    assert all(not c.files for c in log if c.id != repo.git("rev-parse", "HEAD"))


def test_the_log_is_read_in_whatever_encoding_the_user_reads_it(repo: Repo) -> None:
    repo.git("config", "i18n.logOutputEncoding", "ISO-8859-1")
    store = store_at(repo.path)
    store.commit(
        lambda _: Change(
            files={naming.path_of(decision(9)): frontmatter.render(decision(9))},
            subject="remember: Käse",
        )
    )

    assert next(store.history()).subject == "remember: Käse"


def test_a_message_that_is_too_long_is_not_read(
    store: BranchStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "LONGEST", 200)
    many = adding(*range(10, 30))
    store_at(store.place.git_dir).commit(many)
    newest, before, *_ = store.history()

    assert (newest.subject, newest.trailers) == ("sync: 20 decisions", ())
    assert newest.body == "The message has more than 4194304 characters, so it is not read."
    assert len(newest.files) == 20
    assert len(before.trailers) == 2
