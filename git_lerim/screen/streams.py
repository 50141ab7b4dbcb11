"""Make the standard streams safe to use if they are closed or cannot encode a character."""

import io
import os
import sys


def open_closed() -> None:
    """Open closed standard streams on the null device, so that no file gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # it stays open to the end
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def encode_anything() -> None:
    """Escape characters that the terminal's encoding lacks, so that printing cannot fail."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")  # as Python decodes arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
