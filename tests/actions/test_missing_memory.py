"""What is said where there is no memory."""

from pathlib import Path

from support.inside import lerim


def test_a_personal_memory_is_created_by_the_verb_that_can(tmp_path: Path) -> None:
    checked = lerim(tmp_path, "lint", "--personal")

    assert "nothing was checked; git lerim remember --personal creates it" in checked.err
