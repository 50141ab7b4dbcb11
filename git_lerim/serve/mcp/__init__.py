"""An MCP server over stdio: agents search, read and write the memory while they work.

Written by hand: the official SDK takes over a second to start, and a client waits for that each
time. The tests check conformance with the SDK's client.
"""
