from support.repos import Repo


def test_the_world_is_sealed(repo: Repo) -> None:
    assert repo.git("config", "user.name") == "Ada Tester"
