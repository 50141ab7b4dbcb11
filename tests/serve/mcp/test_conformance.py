"""The official SDK's client against our server: what it refuses, no other client can be asked to
take.
"""

import sys

import pytest
from support.repos import Repo

mcp = pytest.importorskip("mcp")
anyio = pytest.importorskip("anyio")


def test_the_official_client_understands_all_that_is_answered(repo: Repo) -> None:
    from mcp.client.stdio import stdio_client  # noqa: PLC0415 it is not there everywhere

    async def talk() -> tuple[list[str], str, int, str]:
        server = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "git_lerim", "mcp"], cwd=repo.path
        )
        async with stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            tools = await session.list_tools()
            arguments = {
                "title": "Locks live beside the database",
                "why": "NFS has no flock.",
                "type": "decision",
            }
            written = await session.call_tool("remember", arguments)
            resources = await session.list_resources()
            await session.list_resource_templates()
            read = await session.read_resource(resources.resources[-1].uri)
            await session.list_prompts()
            await session.get_prompt("wrap-up")
            await session.send_ping()
            names = [tool.name for tool in tools.tools]
            return names, written.content[0].text, len(resources.resources), read.contents[0].text

    names, written, resources, text = anyio.run(talk)
    assert {"search", "read", "why", "ask", "remember", "update", "forget", "handoff"} <= set(names)
    assert written.startswith("remembered ")
    assert resources == 2
    assert "NFS has no flock." in text
