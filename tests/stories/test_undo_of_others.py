"""Undo what a colleague changed while the user changed the same memory."""

import os
from pathlib import Path

import pytest
from support.claude import Recording
from support.inside import lerim
from support.repos import Repo
from support.team import REF, acting, path_of, remember, shared


def _edited_beside_an_archiving(ann: Repo, bob: Repo) -> tuple[str, str]:
    """Let Bob reword a memory while Ann archives it; return the memory's id and Bob's commit."""
    remember(ann, "Retries are never made for POST.")
    shared(ann)
    assert lerim(bob.path, "pull").code == 0
    id_ = path_of(bob, "retries").removesuffix(".md")[-13:]
    with acting("Bob"):
        assert lerim(bob.path, "edit", id_, "--title", "No retries in the API").code == 0
        edit = bob.git("rev-parse", "--short=12", REF)
        shared(bob)
    assert lerim(ann.path, "forget", id_).code == 0
    assert lerim(ann.path, "pull").code == 0
    return id_, edit


def _shown(repo: Repo, id_: str) -> str:
    return lerim(repo.path, "show", id_, "--raw").out


@pytest.mark.parametrize("restores", ["never", "before", "after"])
def test_a_colleagues_edit_beside_an_archiving_is_undone(
    restores: str, ann: Repo, bob: Repo
) -> None:
    id_, edit = _edited_beside_an_archiving(ann, bob)
    notes = [line for line in _shown(ann, id_).split("\n") if "beside an edit" in line]
    assert len(notes) == 1
    if restores == "before":
        assert lerim(ann.path, "restore", id_).code == 0

    undone = lerim(ann.path, "undo", edit)

    assert f"~ {id_}  Retries are never made for POST" in undone.out
    if restores == "after":
        assert lerim(ann.path, "restore", id_).code == 0
    shown = _shown(ann, id_)
    assert 'title: "Retries are never made for POST"' in shown
    assert f'status: "{"archived" if restores == "never" else "active"}"' in shown
    assert [line for line in shown.split("\n") if "beside an edit" in line] == notes
    assert "nothing to undo" in lerim(ann.path, "undo", edit).err


def test_an_undo_records_no_words_as_its_own(ann: Repo, bob: Repo) -> None:
    id_, edit = _edited_beside_an_archiving(ann, bob)
    assert lerim(ann.path, "restore", id_).code == 0
    assert lerim(ann.path, "edit", id_, "--title", "Retries are for GET alone").code == 0
    before = _shown(ann, id_)

    undone = lerim(ann.path, "undo", edit)

    assert "nothing to undo" in undone.err
    assert _shown(ann, id_) == before


def test_a_wish_that_a_colleague_tagged_stays_the_users_after_an_undo(ann: Repo, bob: Repo) -> None:
    home, wish = Path(os.environ["HOME"]), "From now on always use pnpm instead of npm, it is fast."
    Recording(home, str(ann.path)).prompt(wish).reply("OK, I will use pnpm.")
    assert lerim(ann.path, "sync", "--window", "all").code == 0
    own = lerim(ann.path, "list", "--format", "%H").out.strip()
    shared(ann)
    lerim(bob.path, "pull")
    with acting("Bob"):
        assert lerim(bob.path, "edit", own, "--tag", "tools").code == 0
        shared(bob)
    lerim(ann.path, "pull")
    later = Recording(home, str(ann.path), id="6b0c1a2f-0000-4000-8000-000000000002")
    later.lines = 60  # a minute later
    later.prompt("Don't use pnpm anymore.").reply("OK.")
    assert lerim(ann.path, "sync", "--window", "all").code == 0
    assert own not in lerim(ann.path, "list", "--format", "%H").out

    assert lerim(ann.path, "undo", "--yes").code == 0

    brief = lerim(ann.path, "brief").out
    assert own in brief
    assert "not the user" not in brief
    assert "taken back into use" not in lerim(ann.path, "status").out
