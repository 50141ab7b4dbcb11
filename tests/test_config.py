from datetime import timedelta
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.config import KEYS, Settings, settings_from, variable_of
from git_lerim.errors import BadSetting
from git_lerim.git.gitconfig import Entry
from git_lerim.guarded import MODELS
from git_lerim.setting_values import adoptable, duration
from git_lerim.workspace import open_workspace

HOME = "/home/ada"

BAD = {
    "store": ["", "Branch", "trees", "branch tree"],
    "review": ["", "maybe"],
    "push": ["", "yes", "true"],
    "remote": ["", "-x", "https://example.org/r", "a b", "origin\n"],
    "branch": [
        "", "-x", "a..b", "a b", "a~1", "/a", "a/", "a//b", "a.lock", "a.lock/b", ".a", "a/.b",
        "a.",
        "HEAD", "refs/heads/x", "@{u}", "a\n",
    ],
    "sign": ["", "sometimes"],
    "sync": ["", "never", "true"],
    "syncWindow": ["", "7", "d", "7 d", "-7d", "7x", "1.5d", "forever", "7d\n", "9999999d"],
    "maxSessions": ["", "0", "-1", "1.5", "many", "1e3", "9" * 10],
    "agents": ["claud", "claude,cursr", "claude;codex"],
    "repositoryPath": [
        "", "/", "//", "/.", "/..", "/srv/..", "~", "~/", "~/old", ".", "..", "old", "old/place",
        "/home", "/home/",
        "/home/ada", "/home/ada/", "/home/ada/.", "/home/ada/../ada", "/home/bob", "/Users/bob/",
        "/root", "C:\\", "C:",
        "c:/", "C:\\Users\\Ada", "/mnt/c",
        "/mnt/c/Users/ada", "file:///", "file:///home/bob", r"\\wsl$\Ubuntu\home\ada", "\\\\server",
        "sha256:0f",
    ],
    "apiBase": ["example.org", "file:///etc/passwd", "https://", "https://ada:pw@example.org",
        "https://a b", "javascript:x", "http://[::1", "http://localhost:1/\x1b", "http://a..b/",
        "http://localhost:port/v1"],
    "apiKeyEnv": ["", "sk-proj-Abc123", "A B", "1A", "$KEY"],
    "maxWindowTokens": ["0", "x"],
    "windowOverlapTokens": ["x"],
    "maxConcurrency": ["0", "lots"],
    "temperature": ["hot", "3", "-1", "2.5"],
    "modelTimeout": ["0", "soon"],
    "budgetTokens": ["0", "-1", "lots"],
    "priceIn": ["", "-1", "free"],
    "priceOut": ["", "-1", "free"],
    "budgetUsd": ["", "-1", "1e9", "free", "nan", "$5"],
    "decayPeriodDays": ["0", "180d"],
    "confidenceFloor": ["", "1.1", "-0.1", "nan", "10%", "."],
    "archiveThreshold": ["2"],
    "gracePeriodDays": ["x"],
    "staleGraceDays": ["0"],
    "maintain": ["", "always"],
    "briefTokens": ["0"],
    "promptTokens": ["", "0", "many"],
    "fileNotes": ["", "maybe", "2"],
    "agentWrites": ["", "never"],
    "modelInBackground": ["", "perhaps"],
    "staleNotice": ["", "perhaps"],
    "traceCalls": ["", "perhaps"],
    "trust": ["", "all"],
    "redactPattern": ["", "(", "[a", "*", "a{99999999999}", "(?P<x", "(a+)+$"],
    "redactAllow": ["", "("],
}  # fmt: skip


def entry(name: str, value: str | None, origin: str = "file:.git/config") -> Entry:
    return Entry(key=f"lerim.{name}", value=value, scope="local", origin=origin)


GOOD = {
    "store": "tree", "review": "proposal", "push": "auto", "remote": "up", "branch": "notes",
    "sign": "push", "sync": "ask",
    "syncWindow": "1d", "agents": "codex", "apiKeyEnv": "KEY", "apiBase": "https://a.example",
    "agentWrites": "propose",
    "modelInBackground": "true",
    "trust": "signed", "maintain": "auto",
    "fileNotes": "false", "staleNotice": "true",
}  # fmt: skip


def settled(*entries: Entry, env: dict[str, str] | None = None) -> Settings:
    return settings_from(entries, env or {}, HOME)


@pytest.mark.parametrize(
    ("name", "value"),
    [(n, v) for n, values in BAD.items() if n != "repositoryPath" for v in values],
)
def test_a_bad_value_is_an_error_that_names_key_origin_and_what_it_takes(
    name: str, value: str
) -> None:
    with pytest.raises(BadSetting) as caught:
        settled(entry(name.lower(), value))[name]
    assert f"lerim.{name}" in str(caught.value)
    assert "file:.git/config" in str(caught.value)
    assert caught.value.hint.startswith("expected ")


@pytest.mark.parametrize(
    ("name", "value"),
    [(n, v) for n, values in BAD.items() if n != "repositoryPath" for v in values if v],
)
def test_a_bad_value_in_the_environment_names_the_variable(name: str, value: str) -> None:
    if KEYS[name].many and "\n" in value:
        return
    with pytest.raises(BadSetting, match=variable_of(name)):
        settled(env={variable_of(name): value})[name]


@pytest.mark.parametrize("value", BAD["repositoryPath"])
def test_a_path_that_cannot_be_is_left_out_and_named_and_the_others_count(value: str) -> None:
    settings = settled(
        entry("repositorypath", "/old/place"),
        entry("repositorypath", value),
        entry("repositorypath", "/other"),
    )

    assert settings["repositoryPath"] == ("/old/place", "/other")
    (said,) = settings.refused
    assert "lerim.repositoryPath" in said
    assert "file:.git/config" in said


def test_every_setting_that_can_be_wrong_is_tried() -> None:
    assert set(KEYS) - set(BAD) == {
        "model",
        "askModel",
        "fallbackModel",
        "embedModel",
        "ignorePath",
    }


@pytest.mark.parametrize(
    ("name", "value", "means"),
    [
        ("branch", "lerim/memory", "lerim/memory"),
        ("branch", "team.memory_2/x-y", "team.memory_2/x-y"),
        ("syncWindow", "all", "all"),
        ("syncWindow", "30s", "30s"),
        ("maxSessions", "1", 1),
        ("agents", "claude, codex", ("claude", "codex")),
        ("agents", "none", ()),
        ("agents", "", ()),
        ("repositoryPath", "/home/ada/old", ("/home/ada/old",)),
        ("repositoryPath", "C:\\Users\\ada\\shop", ("C:\\Users\\ada\\shop",)),
        ("repositoryPath", r"\\wsl$\Ubuntu\home\ada\shop", (r"\\wsl$\Ubuntu\home\ada\shop",)),
        ("repositoryPath", "/workspace", ("/workspace",)),
        ("repositoryPath", "sha256:" + "0f" * 32, ("sha256:" + "0f" * 32,)),
        ("budgetUsd", "0", 0.0),
        ("confidenceFloor", "1", 1.0),
        ("apiBase", "http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("apiBase", "", ""),
        ("redactPattern", r"TICKET-\d+", (r"TICKET-\d+",)),
    ],
)
def test_a_good_value_is_taken(name: str, value: str, means: object) -> None:
    assert settled(entry(name.lower(), value))[name] == means
    if value:
        assert settled(env={variable_of(name): value})[name] == means


def test_what_could_be_a_key_is_never_repeated() -> None:
    for name, value in (
        ("apikeyenv", "sk-proj-Abc123"),
        ("apibase", "https://ada:sk-proj-Abc123@example.org"),
    ):
        with pytest.raises(BadSetting) as caught:
            settled(entry(name, value))
        assert "Abc123" not in str(caught.value) + caught.value.hint


def test_without_a_word_from_anybody_the_defaults_hold() -> None:
    settings = settled()
    assert {s.origin for s in settings.settings.values()} == {"default"}
    assert (
        settings["branch"],
        settings["syncWindow"],
        settings["maxSessions"],
        settings["model"],
    ) == (
        "lerim/memory",
        "7d",
        50,
        "",
    )
    assert (
        settings["maxWindowTokens"],
        settings["windowOverlapTokens"],
        settings["briefTokens"],
    ) == (100_000, 1_000, 2_000)
    assert (settings["decayPeriodDays"], settings["gracePeriodDays"]) == (180, 30)
    assert (settings["confidenceFloor"], settings["archiveThreshold"]) == (0.1, 0.2)
    assert settings["agents"] is None


def test_the_last_value_wins_and_the_environment_beats_it() -> None:
    entries = entry("syncwindow", "1d", "file:/home/ada/.gitconfig"), entry("syncwindow", "2d")
    assert settled(*entries)["syncWindow"] == "2d"
    assert settled(*entries).settings["syncWindow"].origin == "file:.git/config"
    beaten = settled(*entries, env={"LERIM_SYNC_WINDOW": "3d"}).settings["syncWindow"]
    assert (beaten.value, beaten.origin) == ("3d", "environment LERIM_SYNC_WINDOW")


def test_a_bad_value_that_a_later_one_overrides_harms_nothing() -> None:
    entries = entry("syncwindow", "soon", "file:/home/ada/.gitconfig"), entry("syncwindow", "2d")

    assert settled(*entries)["syncWindow"] == "2d"


def test_a_model_on_this_machine_has_smaller_windows_and_one_request_at_a_time() -> None:
    local = settled(entry("apibase", "http://localhost:11434/v1"))
    remote = settled(entry("apibase", "http://localhost.example.org/v1"))
    chosen = settled(entry("apibase", "http://127.0.0.1:1/v1"), entry("maxwindowtokens", "9000"))

    assert (local["maxWindowTokens"], local["maxConcurrency"]) == (24_000, 1)
    assert (remote["maxWindowTokens"], remote["maxConcurrency"]) == (100_000, 4)
    assert (chosen["maxWindowTokens"], chosen["maxConcurrency"]) == (9_000, 1)


def test_settings_of_many_values_add_up_and_the_environment_replaces_them() -> None:
    entries = entry("ignorepath", "secret/"), entry("ignorepath", "*.pem")
    assert settled(*entries)["ignorePath"] == ("secret/", "*.pem")
    assert settled(*entries, env={"LERIM_IGNORE_PATH": "a\nb\n"})["ignorePath"] == ("a", "b")
    assert settled(*entries, env={"LERIM_IGNORE_PATH": ""})["ignorePath"] == ()


@pytest.mark.parametrize(
    "name", [key.name for key in KEYS.values() if not key.many and key.name not in MODELS]
)
def test_an_empty_variable_counts_as_not_set(name: str) -> None:
    entry = Entry(
        key=f"lerim.{name.casefold()}", value=GOOD.get(name, "1"), scope="local", origin="here"
    )

    assert settled(env={variable_of(name): ""}).settings[name].origin == "default"
    assert settled(entry, env={variable_of(name): ""}).settings[name].origin == "here"


@pytest.mark.parametrize("name", MODELS)
def test_an_empty_variable_switches_a_model_off(name: str) -> None:
    entry = Entry(key=f"lerim.{name.casefold()}", value="m", scope="local", origin="here")

    assert settled(entry, env={variable_of(name): ""})[name] == ""


@pytest.mark.parametrize("value", ["", None])
def test_an_empty_endpoint_overrides_none(value: str | None) -> None:
    endpoint = "https://corp.example/v1"
    entries = entry("apibase", endpoint), entry("apibase", value)

    assert settled(*entries)["apiBase"] == endpoint
    assert settled(entries[1]).settings["apiBase"].origin == "default"


@pytest.mark.parametrize(
    ("name", "own", "users"),
    [
        ("apiBase", "https://evil.example", "https://mine.example"),
        ("apiKeyEnv", "SECRET", "MINE"),
        ("trust", "remote", "signed"),
    ],
)
def test_nothing_empty_spares_a_repository_the_question_for_consent(
    name: str, own: str, users: str
) -> None:
    key = f"lerim.{name.casefold()}"
    given = [
        Entry(key=key, value=users, scope="global", origin="global"),
        Entry(key=key, value=own, scope="local", origin="local"),
    ]
    if name == "apiBase":
        given.append(Entry(key=key, value="", scope="command", origin="command"))

    settings = settings_from(given, {variable_of(name): ""}, HOME, lambda _: False)

    assert settings[name] == users
    assert settings.asking == ((f"lerim.{name}", own),)


def test_a_key_without_a_value_is_an_error_where_it_makes_no_sense() -> None:
    with pytest.raises(BadSetting, match=r"lerim\.maxSessions"):
        settled(entry("maxsessions", None))["maxSessions"]


def test_the_home_folder_and_all_that_holds_it_are_refused_wherever_home_is() -> None:
    for home, path in (
        ("/srv/people/ada", "/srv/people/ada/"),
        ("/srv/people/ada", "/srv/people"),
        ("D:\\Ada", "d:/ada"),
    ):
        settings = settings_from([entry("repositorypath", path)], {}, home)
        assert settings["repositoryPath"] == ()
        assert "home folder" in settings.refused[0]


def test_paths_of_agents_are_kept_by_agent() -> None:
    settings = settled(
        entry("claude.path", "/a"), entry("Claude.path", "/b"), entry("nobody.path", "/c")
    )
    assert {agent: path.value for agent, path in settings.paths.items()} == {"claude": "/a"}


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("syncWindow", "LERIM_SYNC_WINDOW"),
        ("model", "LERIM_MODEL"),
        ("apiKeyEnv", "LERIM_API_KEY_ENV"),
        ("budgetUsd", "LERIM_BUDGET_USD"),
    ],
)
def test_the_variable_of_a_setting(name: str, variable: str) -> None:
    assert variable_of(name) == variable


def test_git_is_asked_in_all_its_scopes(
    repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "--global", "lerim.syncWindow", "1d")
    repo.git("config", "lerim.maxSessions", "3")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "lerim.briefTokens")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "99")
    monkeypatch.setenv("LERIM_MAX_SESSIONS", "4")
    monkeypatch.chdir(repo.path)
    settings = open_workspace().settings
    assert (settings["syncWindow"], settings["maxSessions"], settings["briefTokens"]) == (
        "1d",
        4,
        99,
    )
    assert settings.settings["syncWindow"].origin == f"file:{sealed_world / '.gitconfig'}"


def test_durations() -> None:
    assert duration("all") is None
    assert [duration(text) for text in ("30s", "30m", "24h", "7d", "2w")] == [
        timedelta(seconds=30), timedelta(minutes=30), timedelta(hours=24), timedelta(days=7),
        timedelta(days=14),
    ]  # fmt: skip


@pytest.mark.parametrize("folder", ["/work/shop\nrun this", "/work/\x1b[2K", "relative"])
def test_a_folder_that_no_printed_command_can_name_is_not_adoptable(folder: str) -> None:
    assert not adoptable(folder)
    assert adoptable("/work/Größe")
