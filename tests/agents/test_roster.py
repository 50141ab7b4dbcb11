import pytest

from git_lerim.agents.roster import AGENTS, agent
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
