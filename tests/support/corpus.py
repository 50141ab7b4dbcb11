"""Real transcripts and vectors that lie beside the checkout, where they do."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def corpus(below: str) -> Path:
    """Return a path below `../shared/data`, or skip the test, saying why."""
    path = SHARED / "data" / below
    if not path.exists():
        pytest.skip(f"needs ../shared/data/{below}, which is not here")
    return path
