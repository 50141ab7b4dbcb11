import pytest

from git_lerim.memories import naming
from git_lerim.sessions.session_names import is_named

RANDOM = "5b0c1a2f-7c1e-4d0b-9a55-0e6f2b9d1c01"
BY_TIME = "019d7e8e-fef6-7481-9a1b-d8d36a852ac4"
SCRIPT = "ses_3f2aC0ffeeBeans"


@pytest.mark.parametrize(
    ("text", "is_meant"),
    [
        (BY_TIME, True),
        (f"codex/{BY_TIME}", True),
        (f"claude/{BY_TIME}", False),
        ("019d", True),
        ("codex/019d", True),
        ("6a852ac4", True),
        ("codex/6a852ac4", True),
        ("claude/6a852ac4", False),
        ("9a1b-d8d36a852ac4", True),
        ("a852ac4", False),  # too short for an end
        ("--------", False),
        ("codex/", False),
        ("", False),
    ],
)
def test_the_id_of_a_session_or_its_beginning_or_end_names_it(text: str, *, is_meant: bool) -> None:
    assert is_named(text, "codex", BY_TIME) is is_meant


@pytest.mark.parametrize("id_", [RANDOM, BY_TIME, SCRIPT])
def test_each_short_name_names_its_session(id_: str) -> None:
    assert is_named(naming.short_session(id_), "codex", id_)
