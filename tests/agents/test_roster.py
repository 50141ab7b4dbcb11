from pathlib import Path

import pytest

from git_lerim.agents.base import Places
from git_lerim.agents.roster import AGENTS, agent, roots
from git_lerim.errors import UsageError


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_an_agent_is_found_by_its_name(name: str) -> None:
    module = agent(name)

    assert name == module.NAME
    assert all(callable(part) for part in (module.roots, module.find, module.read))


def test_an_unknown_agent_is_a_usage_error_that_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="clyde") as caught:
        agent("clyde")

    assert all(name in caught.value.hint for name in AGENTS)


def test_a_folder_that_the_user_named_takes_the_place_of_the_agents_own(tmp_path: Path) -> None:
    places = Places(home=tmp_path, env={}, platform="linux")

    assert roots("pi", places, {}) == [tmp_path / ".pi" / "agent"]
    assert roots("pi", places, {"pi": "~/elsewhere"}) == [tmp_path / "elsewhere"]
    assert roots("pi", places, {"pi": "/elsewhere"}) == [Path("/elsewhere")]
