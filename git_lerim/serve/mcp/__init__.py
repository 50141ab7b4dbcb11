"""The memory as an MCP server over stdio: agents search, read and write while they work.

Written by hand: the official SDK takes over a second to start, and a client waits for a server at
each of its own starts. Its client is what the tests check conformance with.
"""

from git_lerim.serve.mcp.server import serve

__all__ = ["serve"]
