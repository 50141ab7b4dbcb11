"""Whatever a colleague writes beside what the user said: the user's words stay, and come first."""

from support.inside import lerim
from support.repos import Repo
from support.team import REF, path_of, remember, rewrite, shared


def test_a_paragraph_added_with_git_survives_a_colleagues_new_tag(ann: Repo, bob: Repo) -> None:
    remember(ann, "Never use library aa because it is slow.")
    shared(ann)
    lerim(bob.path, "pull")
    path = path_of(ann, "never-use-library")
    rewrite(ann, path, "it is slow.", "it is slow.\n\nExcept in a.py, where bb crashes.")
    shared(ann)

    assert lerim(bob.path, "edit", path[-16:-3], "--tag", "slow").code == 0
    shared(bob)
    lerim(ann.path, "pull")

    for repo in (ann, bob):
        kept = repo.git("show", f"{REF}:{path}")
        assert "Except in a.py, where bb crashes." in kept
        assert '"slow"' in kept


def test_a_sentence_changed_with_git_is_recorded_beside_a_colleagues_edit(
    ann: Repo, bob: Repo
) -> None:
    remember(ann, "Never use library aa because it is slow.")
    shared(ann)
    lerim(bob.path, "pull")
    path = path_of(ann, "never-use-library")
    rewrite(bob, path, "it is slow.", "it is slow on ARM.")
    assert lerim(ann.path, "edit", path[-16:-3], "--body", "It is slow on every CPU.").code == 0
    shared(ann)

    lerim(bob.path, "pull")

    kept = bob.git("show", f"{REF}:{path}")
    assert "slow on ARM" in kept
    assert "slow on every CPU" in kept
