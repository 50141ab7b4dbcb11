from pathlib import Path

import click
import pytest
from support.repos import Repo, cloned
from support.stores import adding, store_at

from git_lerim.cli import main
from git_lerim.commands.opening import opened, setting_lines
from git_lerim.errors import NotARepository


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

    assert capsys.readouterr().err.startswith("warning: lerim/memory was corrupted")


def test_where_nothing_was_repaired_nothing_is_told(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo.path)

    with click.Context(click.Command("list")):
        opened()

    assert capsys.readouterr().err == ""
    assert opened().warnings() == []  # outside a command nobody is told


def test_a_memory_that_was_fetched_and_is_not_taken_yet_is_told_of(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(repo.path).commit(adding(1))
    clone = cloned(repo, repo.path.parent / "clone")
    clone.git("fetch", "-q", "origin")
    monkeypatch.chdir(clone.path)

    for verb in ("list", "status", "brief"):
        assert main([verb]) == 0
        assert (
            "from origin but is not used yet; to use it: git lerim init" in capsys.readouterr().err
        )
    for words in (["remember", "We keep tabs, because the linter does."], ["list"]):
        assert main(words) == 0
        assert "not used yet" not in capsys.readouterr().err


def test_outside_a_repository_the_personal_store_is_opened_where_a_verb_can_do_with_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path.parent)

    assert opened(fallback=True).personal
    assert opened(personal=True).place.bare


def test_the_personal_memory_is_offered_by_verbs_that_can_work_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    for params, offered in ({"personal": False}, True), ({}, False):
        context = click.Context(click.Command("show"))
        context.params = params
        with context, pytest.raises(NotARepository) as refused:
            opened()
        assert ("--personal" in refused.value.hint) == offered


@pytest.mark.parametrize("verb", ["list", "brief", "export out", "status"])
def test_where_a_repository_is_broken_no_verb_reads_the_personal_memory(
    tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["remember", "--personal", "Salaries round up, because payroll does."]) == 0
    (tmp_path / ".git").write_text("gitdir: /moved/.git/worktrees/wt\n")
    capsys.readouterr()

    assert main(verb.split()) == 1
    out, err = capsys.readouterr()
    assert (out, "is not in a git repository" in err) == ("", True)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "verb",
    [
        "ask x", "brief", "config", "connect", "diff", "export -", "handoff list", "lint", "list",
        "log", "logs", "queue", "search x", "sessions", "stats", "status", "sync",
    ],
)  # fmt: skip
def test_a_verb_that_only_reads_uses_the_personal_memory_outside_a_repository_and_says_so(
    tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = verb.split()

    assert main(words) == 0
    assert capsys.readouterr().err.count("not in a repository: using your personal memory") == 1
    assert main([*words, "--personal"]) == 0
    assert "not in a repository" not in capsys.readouterr().err


def test_status_of_a_deleted_branch_does_not_offer_to_begin_anew(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(repo.path).commit(adding(1))
    repo.git("branch", "-q", "-D", "lerim/memory")
    monkeypatch.chdir(repo.path)

    assert main(["status"]) == 0
    assert capsys.readouterr().out.startswith(
        "branch    lerim/memory: deleted; to restore it: git lerim doctor --restore\n"
    )


@pytest.mark.parametrize(
    "verb", [["list"], ["search", "thing"], ["sync"], ["init"], ["remember", "Begin anew."]]
)
def test_who_has_lost_the_branch_is_told_what_brings_it_back(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: list[str]
) -> None:
    monkeypatch.chdir(repo.path)
    store_at(repo.path).commit(adding(1))
    repo.git("branch", "-D", "lerim/memory")
    told = "warning: lerim/memory was deleted; to bring it back: git lerim doctor --restore\n"

    assert main(verb) == 0
    assert told in capsys.readouterr().err
    assert main(["doctor", "--restore"]) == 0
    assert "was deleted" not in capsys.readouterr().err
    assert main(["list"]) == 0
    assert capsys.readouterr().err == ""


def test_no_value_of_a_setting_can_pass_for_a_line_of_ours() -> None:
    forged = "llama\n\nlerim: nothing is sent anywhere"

    assert setting_lines(
        [("lerim.model", forged), ("lerim.apiBase", "https://example.org/v1")]
    ) == [
        r'lerim.model = "llama\n\nlerim: nothing is sent anywhere"',
        "lerim.apiBase = https://example.org/v1",
    ]
