from support.inside import lerim
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


def test_a_session_is_not_looked_up_as_a_memory(world: World, repo: Repo) -> None:
    world.lerim(repo.path, "remember", "Tea is at four.")

    done = world.lerim(repo.path, "show", "claude/6113e919")

    assert (done.code, done.out) == (1, "")
    assert "'claude/6113e919' is a session, not a memory\nhint: " in done.err
    assert "git lerim log --session 6113e919 " in done.err
    assert "git lerim sessions show claude/6113e919 " in done.err


def test_an_unknown_id_has_the_same_exit_code_everywhere(world: World, repo: Repo) -> None:
    world.lerim(repo.path, "remember", "Tea is at four.")

    codes = {
        verb: world.lerim(repo.path, verb, "abcdefgh").code
        for verb in ("show", "timeline", "undo", "forget", "restore")
    }
    commit = world.lerim(repo.path, "undo", "0123abc")

    assert set(codes.values()) == {1}, codes
    assert (commit.code, "no such run or commit" in commit.err) == (1, True)


def test_a_file_that_was_imported_is_named_once(repo: Repo) -> None:
    title, other = "Always use tabs for indentation in Go files", "Never edit the lock file by hand"
    repo.commit(
        {"AGENTS.md": f"- {title}.\n", "sub/AGENTS.md": f"# Go\n\n## Files\n\n- {other}.\n"}
    )
    for file in ("AGENTS.md", "sub/AGENTS.md"):
        assert lerim(repo.path, "import", file).code == 0
    shown = {
        row["title"]: lerim(repo.path, "show", row["id"]).out
        for row in lerim(repo.path, "list", "--json").json
    }

    assert "(AGENTS.md" not in shown[title]
    assert "import/AGENTS.md" in shown[title]
    assert "(sub/AGENTS.md: Files)" in shown[other]
