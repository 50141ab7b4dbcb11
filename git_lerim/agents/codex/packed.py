"""Open rollouts that Codex compressed with Zstandard."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO


def opener() -> Callable[[Path], IO[bytes]] | None:
    """Return a function that opens `.zst` files; None if nothing installed can unpack them."""
    if find_spec("zstandard"):
        return _by_package
    return _by_program if shutil.which("zstd") else None


def _by_package(path: Path) -> IO[bytes]:
    """Unpack a file into an unnamed temporary file, to use little memory."""
    zstandard = import_module("zstandard")
    unpacked = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    try:
        with path.open("rb") as packed:
            reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
            shutil.copyfileobj(reader, unpacked)
    except (zstandard.ZstdError, OSError) as error:
        unpacked.close()
        raise OSError(str(error)) from error
    unpacked.seek(0)
    return unpacked


def _by_program(path: Path) -> IO[bytes]:
    unpacked = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    done = subprocess.run(
        ["zstd", "-dcq", "--", path], stdout=unpacked, stderr=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        unpacked.close()
        raise OSError("zstd could not unpack it")
    unpacked.seek(0)
    return unpacked
