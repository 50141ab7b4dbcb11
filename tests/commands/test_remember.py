"""What a person is told of a memory written by hand."""

from support.repos import Repo
from support.terminal import typing
from support.world import World

SAID = "The staging box takes AKIAIOSFODNN7EXAMPLZ, because nobody made another key."


def test_no_secret_is_counted_where_nothing_is_written(world: World, repo: Repo) -> None:
    first, second = (world.lerim(repo.path, "remember", SAID) for _ in range(2))

    assert first.out == second.out
    assert first.err.endswith("redacted 1 secret\n")
    assert second.err == f"nothing changed: {second.out.split()[0]} says the same\n"


def test_words_need_no_quotes(world: World, repo: Repo) -> None:
    ran = world.lerim(repo.path, "remember", "Keep", "money", "as", "integer", "cents.")

    assert ran.out.endswith("  Keep money as integer cents\n")


def test_on_a_terminal_it_says_how_to_type_the_text(repo: Repo) -> None:
    assert "to type it here: git lerim remember -" in typing(repo.path, ["remember"], "")


def test_a_title_that_is_not_worth_keeping_is_written_with_a_warning(
    world: World, repo: Repo
) -> None:
    noisy = world.lerim(repo.path, "remember", "All tests pass now.")
    clean = world.lerim(
        repo.path, "remember", "Tests need TZ=UTC because dates are rendered in local time."
    )

    assert noisy.code == clean.code == 0
    assert "warning: the title describes the state of the work, which soon changes" in noisy.err
    assert f"git lerim edit {noisy.out.split()[0]} --title" in noisy.err
    assert "warning" not in clean.err


def test_undo_leaves_alone_what_was_only_shown_before_the_commit(world: World, repo: Repo) -> None:
    shown = world.lerim(repo.path, "remember", "Keep money as integer cents, floats round.")
    id_ = shown.out.split()[0]
    world.lerim(repo.path, "show", id_)
    world.lerim(repo.path, "remember", "Dates are ISO 8601, because the bank wants that.")

    undone = world.lerim(repo.path, "undo", repo.git("rev-parse", "lerim/memory"))

    assert len(repo.git("diff", "--name-only", "lerim/memory~2", "lerim/memory~1").split()) == 2
    assert undone.out.startswith("- ")
    assert id_ not in undone.out


def test_a_title_that_is_too_long_is_cut_and_that_is_said(world: World, repo: Repo) -> None:
    added = world.lerim(repo.path, "remember", "--title", "word " * 40, "The body of it.")
    id_ = added.out[:13]
    edited = world.lerim(repo.path, "edit", id_, "--title", "other " * 40)

    assert "the title has 199 characters and was cut after 120" in added.err
    assert "characters and was cut after 120" in edited.err
    assert len(world.lerim(repo.path, "list", "--json").json[0]["title"]) <= 120
