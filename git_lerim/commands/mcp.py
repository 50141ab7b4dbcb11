"""`git lerim mcp`: serve the memory to an agent over MCP."""

import os
import sys

from git_lerim.commands.terminal import say, verb


@verb()
def command() -> None:
    """Run an MCP server on stdin and stdout.

    Agents start and stop it themselves: add `git lerim mcp` (or `git-lerim mcp`) to their settings
    as a stdio server.
    """
    if sys.stdin.isatty():
        say("waiting for an MCP client on stdin; press Ctrl-D to stop")
    from git_lerim.serve.mcp import server  # noqa: PLC0415 only this verb starts a server

    out = sys.stdout.fileno()
    with os.fdopen(os.dup(out), "wb") as sink:
        os.dup2(sys.stderr.fileno(), out)  # other output must not break the protocol
        try:
            server.serve(sys.stdin.buffer, sink)
        finally:
            os.dup2(sink.fileno(), out)
