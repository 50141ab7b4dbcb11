import pytest
from support.memories import memory

from git_lerim.actions.sync.passage import passage

SAID = "Retries stop after five attempts, because the proxy drops the others."
FILLER = [f"Line {n} of the plan is about another matter." for n in range(300)]


def of(text: str, limit: int = 1000) -> list[str]:
    return passage(text, memory(title="Stop retries after five attempts", body=SAID), limit)


def test_a_short_text_is_shown_whole() -> None:
    assert of(f"First\n\n  {SAID}") == ["First", "", f"  {SAID}"]


@pytest.mark.parametrize("at", [0, 150, 300])
def test_of_a_long_text_the_lines_around_the_passage_are_shown(at: int) -> None:
    lines = [*FILLER[:at], SAID, *FILLER[at:]]

    shown = of("\n".join(lines))

    assert SAID in shown
    assert 300 < len("\n".join(shown)) < 1010
    assert ([shown[0], shown[-1]].count("…"), at) in {(1, 0), (2, 150), (1, 300)}
    assert "\n".join(line for line in shown if line != "…") in "\n".join(lines)


def test_one_long_line_is_split() -> None:
    shown = of(" ".join([*FILLER, SAID, *FILLER]))

    assert SAID in " ".join(shown)
    assert len("\n".join(shown)) < 1010


@pytest.mark.parametrize("text", [" " * 5000, "\n" * 5000, "x" * 5000, "words and\n" * 500])
def test_a_text_that_shares_no_word_is_shown_from_its_beginning(text: str) -> None:
    shown = of(text)

    assert shown[-1] == "…" or not text.strip()
    assert shown[0] == text[:200].split("\n", maxsplit=1)[0].rstrip()
