"""What `lint` says of what it found."""

from support.inside import lerim
from support.repos import Repo


def test_what_waits_for_a_decision_is_counted_beside_the_problems(repo: Repo) -> None:
    id_ = lerim(repo.path, "remember", "Prices are rounded half to even.").out.split()[0]
    clean = lerim(repo.path, "lint")
    lerim(repo.path, "feedback", id_, "wrong")

    disputed = lerim(repo.path, "lint")

    assert clean.err == "checked 1 file: 0 problems\n"
    assert "[disputed]" in disputed.out
    assert (disputed.code, disputed.err) == (
        0,
        "checked 1 file: 0 problems, 1 left for you to decide\n",
    )
