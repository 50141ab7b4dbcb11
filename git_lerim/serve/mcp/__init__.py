"""An MCP server over stdio: agents search, read and write the memory while they work.

It does not use the official SDK, which would take over a second to start while the client waits.
The tests check conformance with the SDK's client.
"""
