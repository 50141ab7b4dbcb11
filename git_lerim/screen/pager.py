"""Show long output in the pager that git would use."""

import os

from git_lerim.screen import display_settings, terminal_size

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from typing import TextIO

_DEFAULTS = {"LESS": "FRX", "LV": "-c"}  # as git sets them
_ON, _OFF = {"true", "yes", "on", "1"}, {"false", "no", "off", "0", ""}
_NEEDS_SHELL = frozenset("|&;<>()$`\\\"' \t\n*?[#~=%")  # as git decides it
_NOT_FOUND = 127  # the exit code of a shell


def show(text: str, stream: "TextIO") -> None:
    """Write text to a stream, through the pager if it is longer than the terminal."""
    if is_needed(text, stream):
        command = pager(display_settings.read())
        if command and _paged(command, text, stream):
            return
    stream.write(text)
    stream.flush()


def is_needed(text: str, stream: "TextIO") -> bool:
    """Return whether a stream is a terminal that has too few rows for the text."""
    if not stream.isatty():
        return False
    from git_lerim.screen import wrapping  # noqa: PLC0415 loaded only for a terminal

    # the last row is for the prompt of the shell
    return wrapping.height(text, terminal_size.columns(stream)) >= terminal_size.rows(stream)


def pager(settings: dict[str, str]) -> str:
    """Return the user's pager command, found as git finds it, or an empty string for none."""
    own = settings.get("pager.lerim", "true")
    if own.casefold() in _OFF:
        return ""
    named = [
        os.environ.get("GIT_PAGER"),
        None if own.casefold() in _ON else own,
        settings.get("core.pager"),
        os.environ.get("PAGER"),
        "less",
    ]
    command = next(each for each in named if each is not None)
    return "" if command == "cat" else command


def _paged(command: str, text: str, stream: "TextIO") -> bool:
    """Run a pager until the user leaves it; return whether the pager could be run."""
    import contextlib  # noqa: PLC0415 few outputs are that long
    import signal  # noqa: PLC0415
    import subprocess  # noqa: PLC0415

    in_shell = not _NEEDS_SHELL.isdisjoint(command)
    stream.flush()
    try:
        process = subprocess.Popen(
            command if in_shell else [command],
            shell=in_shell,
            stdin=subprocess.PIPE,
            env=_DEFAULTS | os.environ,
        )
    except OSError:
        return False
    with contextlib.ExitStack() as after:
        with contextlib.suppress(ValueError):  # raised outside of the main thread
            # Ctrl-C is for the pager
            after.callback(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        process.communicate(text.encode(stream.encoding, "backslashreplace"))
    return process.returncode != _NOT_FOUND
