import re
import sys
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.memories import memory

from git_lerim.invisible import CODES, CONTROLS, FILLERS, NORMALIZED, ZERO_WIDTH
from git_lerim.memories.checks.gate import gated, texts
from git_lerim.memories.memory import TITLE_LIMIT
from git_lerim.recall.brief.prompt_fence import safe
from git_lerim.redaction.redactor import Redactor
from git_lerim.tokens import visible

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

from secret_forms import Case, cases

REDACTOR = Redactor()
ABSENT = re.compile(f"[{CONTROLS}{CODES}{ZERO_WIDTH}{FILLERS}]")
EVERY = [char for char in map(chr, range(sys.maxunicode + 1)) if ABSENT.match(char)]
TOKEN = "ghp_" + "a8Kd93LmQpZx72VbNw0TyUrEs5GhJ1cF4iO6"
PASSWORD = "hV7!kq2Lw" + " 9zT"
FOUND = [
    case
    for case in cases(seed=31, rounds=1)
    if case.variant.endswith((", bare", ", in a fence", ", quoted in Markdown"))
    and case.secret not in REDACTOR.redact(case.text)[0]
]


def handed_on(text: str) -> str:
    """Return all that is made of a text: stored, handed to an agent, or as the cache keeps it."""
    title = "The deploy" if "\n" in text or len(text) > TITLE_LIMIT else text
    stored, _ = gated(memory(title=title, body=text), REDACTOR)
    kept = REDACTOR.redact(text)[0]
    return "\n".join([*texts(stored), *map(safe, texts(stored)), safe(kept), ABSENT.sub("", kept)])


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FOUND), st.sampled_from(EVERY), st.data())
def test_no_invisible_character_hides_a_secret(case: Case, char: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(case.secret) - 1))
    hidden = case.secret[:at] + char + case.secret[at:]

    assert case.secret not in handed_on(case.text.replace(case.secret, hidden))


def test_each_invisible_character_is_taken_as_absent() -> None:
    few = 8  # in a text, as one with more is searched in another way

    for group in (EVERY[at : at + few] for at in range(0, len(EVERY), few)):
        text = "\n".join(f"use {TOKEN[:14]}{char}{TOKEN[14:]}" for char in group)
        assert TOKEN not in handed_on(text), ascii(group)


def test_whatever_cleaning_removes_is_known_to_be_invisible() -> None:
    kept = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if not (char.isalnum() or ABSENT.match(char))
    ]
    joined = " ".join(f"a{char}b" for char in kept)

    assert "ab" not in (visible(joined) + safe(joined)).split()


@pytest.mark.parametrize("char", NORMALIZED)
@pytest.mark.parametrize(
    "text", [f"use {TOKEN}", f"password: `{PASSWORD}`", f"Server=db;Pwd={PASSWORD[:-4]};Timeout=3"]
)
def test_a_character_that_becomes_ascii_is_read_as_ascii(char: str, text: str) -> None:
    redacted, _ = REDACTOR.redact(text.replace(NORMALIZED[char], char))

    assert normalize("NFC", redacted) == REDACTOR.redact(text)[0] != text


def test_a_code_of_a_terminal_swallows_no_part_of_a_secret() -> None:
    for code in ("\x1b[", "\x1b[1;", "\x1b]", "\x1b(", "\x9b"):
        for end in ("", "\x07"):
            assert TOKEN not in handed_on(f"use {code}{TOKEN}{end}"), repr(code)
