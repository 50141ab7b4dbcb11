import click
import pytest
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.commands.opening import opened


def broken(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    (repo.path / ".git/refs/heads/lerim/memory").write_bytes(b"")


def test_what_was_repaired_on_the_way_is_told_at_the_end(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(repo)
    monkeypatch.chdir(repo.path)

    with click.Context(click.Command("list")):
        opened().store.snapshot()
        assert capsys.readouterr().err == ""

    assert capsys.readouterr().err.startswith("warning: lerim/memory was broken")


def test_where_nothing_was_repaired_nothing_is_told(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo.path)

    with click.Context(click.Command("list")):
        opened()

    assert capsys.readouterr().err == ""
    assert opened().warnings() == []  # outside a command nobody is told


def test_outside_a_repository_the_personal_store_is_opened_where_a_verb_can_do_with_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path.parent)

    assert opened(fallback=True).personal
    assert opened(personal=True).place.bare
