"""`git lerim mcp`: serve the memory to an agent over MCP."""

import os
import sys

from git_lerim.commands.terminal import say, verb


@verb()
def command() -> None:
    """Serve the memory to an agent over MCP, on standard input and output.

    Agents start this themselves, and end it: put `git lerim mcp` (or `git-lerim mcp`) as a stdio
    server into their settings.
    """
    if sys.stdin.isatty():
        say("an MCP client is expected at the other end; Ctrl-D ends this")
    from git_lerim.serve.mcp import server  # noqa: PLC0415 only this verb starts a server

    out = sys.stdout.fileno()
    with os.fdopen(os.dup(out), "wb") as sink:
        os.dup2(sys.stderr.fileno(), out)  # whatever else prints must not break the protocol
        try:
            server.serve(sys.stdin.buffer, sink)
        finally:
            os.dup2(sink.fileno(), out)
