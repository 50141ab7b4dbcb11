from pathlib import Path
from typing import Any

import pytest
from support.repos import Repo, normal
from support.world import World

from git_lerim.agent_limits import moves_memory, settings_from, trusted
from git_lerim.config import Settings
from git_lerim.git.gitconfig import Entry

AGENT = {"CLAUDECODE": "1"}
SAID = "an agent runs this command, so "


def entry(name: str, value: str, scope: str) -> Entry:
    return Entry(key=f"lerim.{name}".lower(), value=value, scope=scope, origin=scope)


def settled(
    *entries: Entry, env: dict[str, str] | None = None, allowed: bool = True, by: Any = AGENT
) -> Settings:
    return settings_from(entries, by | (env or {}), "/home/ada", lambda _: allowed)


@pytest.mark.parametrize(
    ("name", "lax", "strict", "variable"),
    [
        ("trust", "remote", "signed", "LERIM_TRUST"),
        ("agentWrites", "direct", "propose", "LERIM_AGENT_WRITES"),
        ("review", "direct", "proposal", "LERIM_REVIEW"),
        ("sync", "auto", "ask", "LERIM_SYNC"),
        ("push", "auto", "never", "LERIM_PUSH"),
    ],
)
def test_an_agent_can_make_a_guard_stricter_but_not_laxer(
    name: str, lax: str, strict: str, variable: str
) -> None:
    for file, given in ((strict, lax), (lax, strict)):
        for found in (
            settled(entry(name, file, "global"), entry(name, given, "command")),
            settled(entry(name, file, "global"), env={variable: given}),
        ):
            assert found[name] == strict
            assert [SAID in said and f"lerim.{name} " in said for said in found.refused] == (
                [True] if given == lax else []
            )


def test_a_person_can_make_a_guard_laxer() -> None:
    found = settled(entry("trust", "reviewed", "global"), env={"LERIM_TRUST": "remote"}, by={})

    assert (found["trust"], found.refused) == ("remote", ())


def test_a_value_that_the_user_has_not_allowed_is_no_guard() -> None:
    found = settled(
        entry("trust", "reviewed", "global"),
        entry("trust", "remote", "local"),
        entry("trust", "remote", "command"),
        allowed=False,
    )

    assert found["trust"] == "reviewed"


def test_an_agent_can_add_to_what_is_redacted_only() -> None:
    files = [entry("redactPattern", "a+", "global"), entry("redactAllow", "b", "global")]

    found = settled(*files, env={"LERIM_REDACT_PATTERN": "c", "LERIM_REDACT_ALLOW": "b\n.*"})
    none = settled(*files, env={"LERIM_REDACT_PATTERN": "", "LERIM_REDACT_ALLOW": ""})

    assert (found["redactPattern"], found["redactAllow"]) == (("c", "a+"), ("b",))
    assert (none["redactPattern"], none["redactAllow"]) == (("a+",), ())


def test_an_agent_names_no_model_and_no_place_to_send_to_but_can_turn_it_off() -> None:
    files = [entry("model", "mine", "global"), entry("apiBase", "https://mine.example", "global")]
    env = {
        "LERIM_MODEL": "evil",
        "LERIM_API_BASE": "https://evil.example",
        "LERIM_API_KEY_ENV": "SECRET",
        "LERIM_MODEL_IN_BACKGROUND": "true",
    }

    found = settled(*files, entry("askModel", "evil", "command"), env=env)

    names = ("model", "apiBase", "apiKeyEnv", "askModel", "modelInBackground")
    assert [found[name] for name in names] == [
        "mine", "https://mine.example", "OPENAI_API_KEY", "", False,
    ]  # fmt: skip
    assert all(f"lerim.{name}" in found.refused[0] for name in names)
    assert settled(*files, env={"LERIM_MODEL": ""})["model"] == ""


def test_of_other_settings_an_agent_changes_only_harmless_ones() -> None:
    env = {"LERIM_BRANCH": "side", "LERIM_REPOSITORY_PATH": "/work/other", "LERIM_STORE": "tree"}

    found = settled(
        entry("agents", "codex", "global"),
        env=env | {"LERIM_SYNC_WINDOW": "all", "LERIM_AGENTS": "codex,claude", "LERIM_TRUST": "x"},
    )

    assert [found[name] for name in ("branch", "repositoryPath", "store", "agents", "trust")] == [
        "lerim/memory", (), "branch", ("codex",), "remote",
    ]  # fmt: skip
    assert found["syncWindow"] == "all"
    assert moves_memory(env, found)
    assert not moves_memory({"LERIM_BRANCH": ""}, found)
    assert settled(env=env, by={})["branch"] == "side"


def test_an_agent_can_narrow_what_is_read_and_spent() -> None:
    env = {"LERIM_AGENTS": "codex", "LERIM_BUDGET_TOKENS": "1000"}
    found = settled(env=env)
    more = settled(entry("budgetTokens", "500", "global"), env=env)

    assert (found["agents"], found["budgetTokens"], found.refused) == (("codex",), 1000, ())
    assert more["budgetTokens"] == 500


def test_what_follows_from_an_endpoint_is_not_named() -> None:
    (told,) = settled(env={"LERIM_API_BASE": "http://localhost:1/v1"}).refused

    assert told.startswith(f"{SAID}lerim.apiBase from")


def test_a_folder_of_ours_in_the_project_is_not_used_for_an_agent(
    repo: Repo, sealed_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    other = normal(tmp_path / "other")
    for name in ("LERIM_HOME", "XDG_DATA_HOME"):
        for inside in (repo.path, repo.path / "x", "/proc/self/cwd/x", other.path / "x"):
            env = {name: str(inside)}
            assert trusted(env | AGENT, sealed_world) == AGENT
            assert trusted(env, sealed_world) == env
        assert name in trusted({name: str(repo.path.parent / "x")} | AGENT, sealed_world)


def test_an_agent_sets_no_folder_of_sessions() -> None:
    found = settled(
        entry("codex.path", "/home/ada/codex", "global"),
        entry("codex.path", "/work/fixtures", "command"),
        entry("claude.path", "/work/fixtures", "command"),
    )

    assert {agent: path.value for agent, path in found.paths.items()} == {
        "codex": "/home/ada/codex"
    }
    assert "lerim.codex.path, lerim.claude.path from" in found.refused[0]


def test_what_an_agent_writes_waits_for_review_whatever_its_command_line_says(
    world: World, repo: Repo
) -> None:
    world.lerim(repo.path, "init")
    repo.git("config", "--global", "lerim.agentWrites", "propose")
    one = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "lerim.agentWrites"}

    for env in ({"LERIM_AGENT_WRITES": "direct"}, one | {"GIT_CONFIG_VALUE_0": "direct"}):
        done = world.lerim(repo.path, "remember", f"Tests need {env}.", env=AGENT | env)
        assert (SAID in done.err, "waiting for review" in done.err) == (True, True)

    assert world.lerim(repo.path, "list", "--json").json == []
