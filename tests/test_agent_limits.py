import shutil
from pathlib import Path
from typing import Any

import pytest
from support.repos import Repo, normal
from support.world import World

from git_lerim.agent_limits import forbids_work, settings_from, trusted
from git_lerim.config import Settings
from git_lerim.consent import data_home
from git_lerim.errors import BadSetting
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


@pytest.mark.parametrize("file", ["remote", "signed"])
def test_an_invalid_guard_of_an_agent_is_the_strictest(file: str) -> None:
    for found in (
        settled(entry("trust", file, "global"), env={"LERIM_TRUST": "review"}),
        settled(entry("trust", file, "global"), entry("trust", "review", "command")),
    ):
        assert found["trust"] == "reviewed"
        (said,) = found.refused
        assert said.startswith("lerim.trust has the invalid value 'review' (")
        assert said.endswith("; the strictest value is used here")
    with pytest.raises(BadSetting):
        settled(entry("trust", "review", "command"), by={})


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
        env=env | {"LERIM_SYNC_WINDOW": "all", "LERIM_AGENTS": "codex,claude"},
    )

    assert [found[name] for name in ("branch", "repositoryPath", "store", "agents")] == [
        "lerim/memory", (), "branch", ("codex",),
    ]  # fmt: skip
    assert found["syncWindow"] == "all"
    assert forbids_work(env, found)
    assert not forbids_work({"LERIM_BRANCH": ""}, found)
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


def unpacked(folder: Path) -> None:
    """Replace a folder by a copy of it, as an archive brings it to another machine."""
    folder.rename(folder.with_name("packed"))
    shutil.copytree(folder.with_name("packed"), folder, symlinks=True)


def test_an_agent_uses_a_folder_that_a_variable_names_once_a_person_has(
    world: World, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    named = {"LERIM_HOME": str(folder)}

    def agents() -> tuple[str, bool]:
        done = world.lerim(tmp_path, "list", "--personal", env=named | AGENT)
        return done.out, f"{SAID}LERIM_HOME was ignored" in done.err

    world.lerim(tmp_path, "remember", "--personal", "I like tabs.", env=named)
    own, told = agents()
    unpacked(folder)
    after = agents()
    world.lerim(tmp_path, "list", "--personal", env=named)

    assert ("I like tabs" in own, told) == (True, False)
    assert after == ("", True)
    assert agents() == (own, False)
    folder = folder.rename(tmp_path / "moved")
    assert trusted({"LERIM_HOME": str(folder)} | AGENT, world.home)["LERIM_HOME"] == str(folder)


def test_an_agent_writes_nothing_where_its_user_does_not_look(world: World, tmp_path: Path) -> None:
    note = ("remember", "--personal", "The user likes tabs.")
    for name in ("LERIM_HOME", "XDG_DATA_HOME"):
        named = {name: str(tmp_path / name)}
        refused = world.lerim(tmp_path, *note, env=named | AGENT)
        assert refused.code != 0
        assert "hint: run git lerim init --personal yourself" in refused.err
        assert world.lerim(tmp_path, "init", "--personal", env=named).code == 0
        assert world.lerim(tmp_path, *note, env=named | AGENT).code == 0
        assert "likes tabs" in world.lerim(tmp_path, "list", "--personal", env=named).out


def test_a_forged_mark_of_a_folder_does_not_count(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    named = {"LERIM_HOME": str(folder)} | AGENT
    world.lerim(tmp_path, "init", "--personal", env={"LERIM_HOME": str(folder)})
    (mark,) = folder.glob("*.id")
    assert trusted(named, world.home) == named

    mark.with_suffix("").unlink()
    mark.with_suffix("").symlink_to("/proc/self/status")
    assert trusted(named, world.home) == AGENT
    mark.unlink()
    assert trusted(named, world.home) == AGENT


def test_what_an_agent_begins_does_not_let_it_use_a_folder(world: World, tmp_path: Path) -> None:
    named = {"LERIM_HOME": str(tmp_path / "data")}

    for words in (("init", "--personal"), ("hook", "claude", "SessionStart"), ("status",)):
        world.lerim(tmp_path, *words, env=named | AGENT)

    assert not (tmp_path / "data").exists()
    assert trusted(named | AGENT, world.home) == AGENT


def test_other_data_stay_where_a_variable_names_them(sealed_world: Path, tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": str(tmp_path / "share")} | AGENT
    usual = {"XDG_DATA_HOME": str(sealed_world / ".local" / "share")} | AGENT

    found = trusted(env, sealed_world)

    assert found["XDG_DATA_HOME"] == env["XDG_DATA_HOME"]
    assert data_home(sealed_world, found) == data_home(sealed_world, {})
    assert trusted(usual, sealed_world) == usual
    both = env | {"LERIM_HOME": str(tmp_path / "mine")}
    assert data_home(sealed_world, trusted(both, sealed_world)) == data_home(sealed_world, {})


def test_who_only_looks_marks_no_folder(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()

    world.lerim(tmp_path, "list", "--personal", env={"LERIM_HOME": str(folder)})

    assert list(folder.iterdir()) == []


HIDES = [
    {"LERIM_REDACT_PATTERN": "[a-z]{3,}"},
    {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "lerim.redactPattern",
        "GIT_CONFIG_VALUE_0": "[a-z]{3,}",
    },
]


@pytest.mark.parametrize("hides", HIDES)
@pytest.mark.parametrize("store", ["--branch", "--tree"])
def test_what_a_variable_hides_from_an_agent_is_not_lost(
    world: World, repo: Repo, hides: dict[str, str], store: str
) -> None:
    world.lerim(repo.path, "init", store)
    world.lerim(repo.path, "remember", "Run the linter first, because CI is slow.")
    (id_,) = (memory["id"] for memory in world.lerim(repo.path, "list", "--json").json)
    verbs = [("list",), ("search", "linter"), ("brief",), ("show", id_)]

    def seen(env: dict[str, str]) -> list[bool]:
        return ["linter" in world.lerim(repo.path, *words, env=env).out for words in verbs]

    for words in (
        ("remember", "The checkout retries because the gateway drops packets."),
        ("feedback", id_, "wrong"),
        ("handoff", "begin", "Finish the parser of tables."),
        ("sync",),
    ):
        done = world.lerim(repo.path, *words, env=AGENT | hides)
        assert done.code != 0, words
        assert "an agent runs this command, and lerim.redactPattern from" in done.err, words
    assert seen(AGENT | hides) == [False] * 4
    assert seen({}) == [True] * 4
    assert seen(AGENT) == [True] * 4
    assert len(world.lerim(repo.path, "list", "--json").json) == 1


def test_a_variable_that_only_repeats_the_configuration_stops_no_agent(
    world: World, repo: Repo
) -> None:
    world.lerim(repo.path, "init")
    for pattern in ("X[0-9]+", "Y[0-9]+"):
        repo.git("config", "--global", "--add", "lerim.redactPattern", pattern)

    for env in ({"LERIM_REDACT_PATTERN": "Y[0-9]+"}, {"LERIM_IGNORE_PATH": "private"}):
        done = world.lerim(repo.path, "remember", f"Tests need {env}.", env=AGENT | env)
        assert done.code == 0, done.err
    assert not forbids_work(AGENT, settled(env={"LERIM_SYNC_WINDOW": "all"}))
    assert forbids_work(AGENT, settled(env={"LERIM_IGNORE_PATH": "private"}))
    files = entry("redactAllow", "a", "global")
    assert settled(files, env={"LERIM_REDACT_ALLOW": ""}).narrowed == ("redactAllow",)
    assert world.lerim(repo.path, "sync", env=AGENT | {"LERIM_IGNORE_PATH": "x"}).code != 0


def test_a_person_may_hide_by_a_variable(world: World, repo: Repo) -> None:
    world.lerim(repo.path, "init")

    done = world.lerim(repo.path, "remember", "Keys are like X12 here.", env={
        "LERIM_REDACT_PATTERN": "X[0-9]+"
    })  # fmt: skip

    assert done.code == 0
    assert "X12" not in world.lerim(repo.path, "list", "--json").out


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
