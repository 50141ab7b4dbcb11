from support.repos import Repo
from support.world import World


def test_a_first_sentence_that_is_the_title_is_printed_once(world: World, repo: Repo) -> None:
    alone = "Tea is at four."
    longer = "Retries are limited to 3. Ask before you raise it."
    ids = [
        world.lerim(repo.path, "remember", text, "--json").json["id"] for text in (alone, longer)
    ]

    shown = world.lerim(repo.path, "show", ids[0]).out
    rest = world.lerim(repo.path, "show", ids[1]).out

    assert shown.count("Tea is at four") == 1
    assert "confidence 0.90\n\norigin " in shown
    assert rest.startswith("Retries are limited to 3\n")
    assert "confidence 0.90\n\nAsk before you raise it.\n\norigin " in rest
    assert world.lerim(repo.path, "show", ids[0], "--json").json[0]["body"] == alone
    assert f"\n{longer}\n" in world.lerim(repo.path, "show", "--raw", ids[1]).out
