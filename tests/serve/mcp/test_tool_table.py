import msgspec

from git_lerim.serve.mcp import tool_table


def test_what_every_turn_of_an_agent_pays_for_is_small() -> None:
    listed = tool_table.listed([])

    assert len(listed) <= 9
    assert len(msgspec.json.encode(listed)) < 4096


def test_a_repository_is_asked_for_only_where_there_is_a_choice() -> None:
    assert all(
        "repository" not in tool["inputSchema"]["properties"] for tool in tool_table.listed([])
    )
    assert all(
        tool["inputSchema"]["properties"]["repository"] == {"enum": ["a", "b"]}
        for tool in tool_table.listed(["a", "b"])
    )
