"""A person sets an embedding model: what is found, what leaves the machine, and what happens when
nobody answers.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.embeddings import Endpoint as Server
from support.embeddings import serving
from support.repos import Repo
from support.world import Ran, World

KEY = "sk-proj-Zq8vT2nLx0RbW5yHc1Kd7MfU3eJgA9sP"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as endpoint:
        yield endpoint


@pytest.fixture
def told(world: World, repo: Repo) -> Repo:
    world.lerim(repo.path, "remember", "The physician comes at noon.", "--decision")
    world.lerim(repo.path, "remember", "Prices are rounded half to even.")
    return repo


def settle(repo: Repo, server: Server) -> None:
    repo.git("config", "--global", "lerim.embedModel", "words")
    repo.git("config", "--global", "lerim.apiBase", server.url)


def titles(ran: Ran) -> list[str]:
    return [row["title"] for row in ran.json]


def test_what_shares_no_word_is_found_and_the_json_says_how(
    world: World, told: Repo, server: Server
) -> None:
    settle(told, server)
    sync = world.lerim(told.path, "sync")
    before = len(server.asked)
    first, *_ = world.lerim(told.path, "search", "doctor", "--json").json
    shown = world.lerim(told.path, "search", "doctor")

    assert "has no effect" not in sync.err
    assert first["title"] == "The physician comes at noon"
    assert first["found_by"] == ["meaning"]
    assert first["score"] > 0
    assert shown.out.splitlines()[0].endswith("The physician comes at noon")
    assert shown.err == ""
    assert [body["input"] for body in server.asked[before:]] == [
        ["doctor"],
        ["doctor"],
    ]  # no shortcut past the model


def test_nothing_is_sent_unless_a_model_is_set(world: World, told: Repo, server: Server) -> None:
    told.git("config", "--global", "lerim.apiBase", server.url)
    env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url}
    for words in (
        ("search", "doctor"),
        ("search", "--json", "doctor"),
        ("ask", "which doctor?"),
        ("sync",),
    ):
        assert world.lerim(told.path, *words, env=env).code == 0
    (told.path / ".lerim").mkdir()
    for name in (".gitconfig", ".lerim/config", ".env", "lerim.toml"):
        (told.path / name).write_text(f'[lerim]\nembedModel = words\napiBase = "{server.url}"\n')
    world.lerim(told.path, "search", "doctor", env=env)

    assert server.asked == []


def test_the_environment_sets_it_for_one_run_even_after_a_quick_answer(
    world: World, told: Repo, server: Server
) -> None:
    told.git("config", "--global", "lerim.apiBase", server.url)
    for _ in range(2):
        assert world.lerim(told.path, "search", "rounded").code == 0
    asked = world.lerim(told.path, "search", "doctor", "--json", env={"LERIM_EMBED_MODEL": "words"})
    again = world.lerim(told.path, "search", "doctor", "--json")

    assert titles(asked)[0] == "The physician comes at noon"
    assert again.json == []
    assert {body["model"] for body in server.asked} == {"words"}


def test_setting_it_after_a_quick_answer_counts_at_once(
    world: World, told: Repo, server: Server
) -> None:
    for _ in range(2):
        world.lerim(told.path, "search", "doctor")
    settle(told, server)

    assert "physician" in world.lerim(told.path, "search", "doctor").out
    told.git("config", "--global", "--unset", "lerim.embedModel")
    assert world.lerim(told.path, "search", "doctor").out == ""


def test_without_an_answer_words_find_and_one_line_says_so(
    world: World, told: Repo, server: Server
) -> None:
    settle(told, server)
    server.answer = lambda _: (401, b'{"error": "no"}')
    found = world.lerim(told.path, "search", "physician", "--json")
    asked = world.lerim(told.path, "ask", "when does the physician come?")
    synced = world.lerim(told.path, "sync")

    assert [row["found_by"] for row in found.json] == [["words"]]
    assert found.err.count("\n") == 1
    assert "warning: searched by keywords only: 127.0.0.1:" in found.err
    assert "answered with 401: it needs a key" in found.err
    assert "noon" in asked.out
    assert asked.err.count("searched by keywords only") == 1
    assert synced.code == 0
    assert "some memories have no vector yet" in synced.err


def test_a_sync_that_failed_to_make_vectors_is_not_taken_for_one_with_nothing_to_do(
    world: World, told: Repo, server: Server
) -> None:
    settle(told, server)
    server.answer = lambda _: (503, b"")
    assert "the next sync will continue" in world.lerim(told.path, "sync").err
    assert "the next sync will continue" in world.lerim(told.path, "sync").err
    asked = len(server.asked)
    world.lerim(told.path, "sync", "--no-model")
    world.lerim(told.path, "sync", "--dry-run")
    assert len(server.asked) == asked


def test_no_secret_and_no_suspect_memory_reaches_the_model(
    world: World, told: Repo, server: Server
) -> None:
    settle(told, server)
    env = {"SHOP_TOKEN": "tr0ub4dor-and-three"}
    world.lerim(told.path, "search", f"is {KEY} or tr0ub4dor-and-three the token", env=env)
    world.lerim(told.path, "ask", f"which doctor has {KEY}?", env=env)

    assert len(server.texts) == 2 + 2
    assert not any(KEY in text or "tr0ub4dor" in text for text in server.texts)
    assert any("REDACTED" in text for text in server.texts)


def test_the_key_comes_from_the_variable_that_is_named_else_from_git(
    world: World, told: Repo, server: Server
) -> None:
    settle(told, server)
    world.lerim(told.path, "search", "doctor", env={"OPENAI_API_KEY": "sk-default"})
    told.git("config", "--global", "lerim.apiKeyEnv", "SHOP_KEY")
    world.lerim(
        told.path, "search", "doctor", env={"OPENAI_API_KEY": "sk-default", "SHOP_KEY": "sk-shop"}
    )
    host = server.url.removeprefix("http://").removesuffix("/v1")
    (world.home / ".git-credentials").write_text(f"http://ada:sk-kept@{host}\n")
    told.git("config", "--global", "credential.helper", "store")
    world.lerim(told.path, "search", "doctor")

    assert list(dict.fromkeys(server.keys)) == [
        "Bearer sk-default",
        "Bearer sk-shop",
        "Bearer sk-kept",
    ]
    local = (told.path / ".git" / "lerim").rglob("*")
    assert not any(b"sk-" in path.read_bytes() for path in local if path.is_file())


@pytest.mark.parametrize("key", ["credential.helper", "credential.http://HOST.helper"])
def test_no_credential_helper_of_the_repositorys_own_config_runs(
    key: str, world: World, told: Repo, server: Server, tmp_path: Path
) -> None:
    settle(told, server)
    host = server.url.removeprefix("http://").removesuffix("/v1")
    (world.home / ".git-credentials").write_text(f"http://ada:sk-kept@{host}\n")
    told.git("config", "--global", "credential.helper", "store")
    mark = tmp_path / "ran"
    key = key.replace("HOST", host)
    told.git("config", key, "")  # sets aside the user's
    told.git("config", "--add", key, f"!touch {mark}; echo password=theirs #")

    assert world.lerim(told.path, "search", "doctor").code == 0

    assert not mark.exists()
    assert list(dict.fromkeys(server.keys)) == ["Bearer sk-kept"]  # the user's own is asked


def test_a_reset_forgets_the_vectors(world: World, told: Repo, server: Server) -> None:
    settle(told, server)
    world.lerim(told.path, "search", "doctor")
    vectors = told.path / ".git" / "lerim" / "vectors.sqlite3"
    assert vectors.exists()
    (told.path / ".git" / "lerim" / "index.sqlite3").unlink()
    before = len(server.texts)
    world.lerim(told.path, "search", "doctor")
    assert server.texts[before:] == ["doctor"]  # an index made anew keeps them
    world.lerim(told.path, "reset", "--yes")
    assert not vectors.exists()
