from support.repos import Repo
from support.world import World


def test_two_revisions_are_compared_as_git_diff_does(world: World, repo: Repo) -> None:
    for said in ("Prices are in cents.", "Rates are daily."):
        world.lerim(repo.path, "remember", said)
    between = repo.git("rev-parse", "lerim/memory~1"), repo.git("rev-parse", "lerim/memory")

    told = world.lerim(repo.path, "diff", *between)

    assert (told.code, "Rates are daily" in told.out, "cents" in told.out) == (0, True, False)
    assert told.out == world.lerim(repo.path, "diff", "..".join(between)).out
    for words in (("one", "two", "three"), ("one..two", "three")):
        refused = world.lerim(repo.path, "diff", *words)
        assert (refused.code, "diff compares two revisions" in refused.err) == (2, True)
