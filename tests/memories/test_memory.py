from typing import Any

import pytest
from support.memories import edited, later, memory

from git_lerim.memories.memory import Status


@pytest.mark.parametrize(
    "change", [{"edited": edited()}, {"protected": True}, {"status": Status.ARCHIVED}]
)
def test_a_memory_that_a_person_changed_is_touched(change: dict[str, Any]) -> None:
    assert memory(**change).touched


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"updated": later(days=1)},
        {"status": Status.SUPERSEDED},
        {"status": Status.SUSPECT},
        {"last_accessed": "2026-03-01"},
    ],
)
def test_a_memory_that_only_sync_changed_is_not(change: dict[str, Any]) -> None:
    assert not memory(**change).touched
