import os
from collections.abc import Callable
from pathlib import Path

import pytest

from git_lerim.agents import roster, stat_log
from git_lerim.agents.base import Places

# agent → how its folder begins, and what a new session is called in it
STORES = {
    "claude": ("projects/shop", "one.jsonl"),
    "codex": ("sessions/2026/02/20", "rollout-1.jsonl"),
    "opencode": ("storage/session/global", "ses_1.json"),
    "cursor": ("chats/0a1b/0c2d", "store.db"),
    "gemini": ("tmp/0a1b/chats", "session-1.jsonl"),
    "copilot": ("session-state/0a1b", "events.jsonl"),
    "pi": ("sessions/--shop--", "1_2.jsonl"),
    "cline": ("tasks/1767600000000", "ui_messages.json"),
}


def changed(before: dict[str, os.stat_result | None]) -> bool:
    return any(now(Path(path)) != stood(found) for path, found in before.items())


def stood(found: os.stat_result | None) -> tuple[int, ...] | None:
    return (found.st_ctime_ns, found.st_size, found.st_ino) if found else None


def now(path: Path) -> tuple[int, ...] | None:
    return stood(path.stat()) if path.exists() else None


def search(name: str, root: Path) -> tuple[int, dict[str, os.stat_result | None]]:
    stat_log.clear()
    stat_log.watch(root)
    found = list(roster.agent(name).find(root)) if root.exists() else []
    return len(found), stat_log.snapshot()


@pytest.mark.parametrize("depth", range(5))
@pytest.mark.parametrize("agent", STORES)
def test_whatever_was_there_before_a_new_session_is_seen_to_come(
    tmp_path: Path, agent: str, depth: int
) -> None:
    below, name = STORES[agent]
    root = tmp_path / "root"
    there = [root, *(root.joinpath(*Path(below).parts[:n]) for n in range(1, 9))][:depth]
    for folder in there:
        folder.mkdir(exist_ok=True)
    count, before = search(agent, root)
    assert (count, changed(before)) == (0, False)

    (root / below).mkdir(parents=True, exist_ok=True)
    (root / below / name).write_text("{}\n")

    assert search(agent, root)[0] == 1
    assert changed(before)


def _grow(path: Path) -> None:
    path.write_text("{}\n{}\n")


def _remove(path: Path) -> None:
    path.unlink()


def _rename(path: Path) -> None:
    path.rename(path.with_name(f"{path.stem}-2{path.suffix}"))


def _replace(path: Path) -> None:
    path.with_name("new").write_text(path.read_text())
    path.with_name("new").replace(path)


def _beside(path: Path) -> None:
    path.with_name(f"{path.name}-wal").write_text("{}\n")


@pytest.mark.parametrize("change", [_grow, _remove, _rename, _replace, _beside])
@pytest.mark.parametrize("agent", STORES)
def test_whatever_becomes_of_a_session_is_seen(
    tmp_path: Path, agent: str, change: Callable[[Path], None]
) -> None:
    below, name = STORES[agent]
    (tmp_path / below).mkdir(parents=True)
    (tmp_path / below / name).write_text("{}\n")
    count, before = search(agent, tmp_path)
    assert (count, changed(before)) == (1, False)

    change(tmp_path / below / name)

    assert changed(before)


@pytest.mark.parametrize(
    "agent", sorted(STORES.keys() - {"gemini"})
)  # it looks for folders called `chats` alone
def test_a_link_that_comes_to_lead_to_a_session_is_seen(tmp_path: Path, agent: str) -> None:
    below, name = STORES[agent]
    (tmp_path / "root" / below).mkdir(parents=True)
    (tmp_path / "root" / below / name).symlink_to(tmp_path / "file")
    (tmp_path / "root" / below).with_name("link").symlink_to(tmp_path / "folder")
    for target, make in (("file", lambda p: p.write_text("{}\n")), ("folder", lambda p: p.mkdir())):
        _, before = search(agent, tmp_path / "root")
        make(tmp_path / target)
        assert changed(before)


def test_the_variables_that_an_agent_asks_for_are_remembered(tmp_path: Path) -> None:
    env = stat_log.Variables({"CODEX_HOME": "/x", "OTHER": "y"})

    roster.roots("codex", Places(home=tmp_path, env=env, platform="linux"), {})
    roster.roots("claude", Places(home=tmp_path, env=env, platform="linux"), {})

    assert env.asked == {"CODEX_HOME": "/x", "CLAUDE_CONFIG_DIR": None}
    assert (len(env), list(env)) == (2, ["CODEX_HOME", "OTHER"])
