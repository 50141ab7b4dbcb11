import pytest

from git_lerim.extraction.transcript.fences import BLOCK, without_fenced
from git_lerim.extraction.transcript.user_text import paragraphs

INSIDE = "Always use tabs."
FENCE, LONG, TILDES = "```", "````", "~~~~"


@pytest.mark.parametrize(
    "prompt",
    [
        f"Fix it.\n{FENCE}\n{INSIDE}\n{FENCE}\nSoon.",
        f"Fix it.\n{LONG}\n{FENCE}\n{INSIDE}\n{FENCE}\nrest\n{LONG}\nSoon.",
        f"Fix it.\n{LONG}markdown\n{FENCE}sh\n{INSIDE}\n{FENCE}\n{LONG}\nSoon.",
        f"Fix it.\n{TILDES}\n~~~\n{INSIDE}\n~~~\n{TILDES}\nSoon.",
        f"Fix it.\n{FENCE}\nuse {FENCE} marks\n{INSIDE}\n{FENCE}\nSoon.",
        f"Fix it.\n{FENCE}python\nMARK = '{FENCE}'\n\n{INSIDE}\n{FENCE}\nSoon.",
        f"Fix it.\n{FENCE}\n- item\n    {FENCE}\n\n{INSIDE}\n{FENCE}\nSoon.",
        f"Fix it. {FENCE}log\n{INSIDE}\nend{FENCE}\nSoon.",
        f"Fix it. {FENCE}{INSIDE}{FENCE} Soon.",
        f"- Fix it.\n  {FENCE}\n  {INSIDE}\n  {FENCE}\n\nSoon.",
    ],
)
def test_what_stands_in_a_fence_is_left_out_and_what_follows_is_not(prompt: str) -> None:
    left = without_fenced(prompt)

    assert INSIDE not in left
    assert "Fix it." in left
    assert "Soon." in left


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    assert without_fenced(f"Fix it.\n{FENCE}\n{INSIDE}\n\nmore").strip() == f"Fix it.\n\n{BLOCK}"


def test_a_prompt_without_fences_stays_as_it_is() -> None:
    assert without_fenced("Use `tabs`.\n\n~~old~~ Never spaces.") == (
        "Use `tabs`.\n\n~~old~~ Never spaces."
    )


@pytest.mark.parametrize(
    "announcement",
    ["From the logs:", "Output:", "the worker log:", "here's the stack trace:", "stderr of make:"],
)
def test_what_announces_a_fenced_log_goes_with_it(announcement: str) -> None:
    prompt = f"It fails.\n\n{announcement}\n\n```\nboom\n```\n\nNever run it against prod."
    assert paragraphs(prompt) == (("It fails.",), ("Never run it against prod.",))


@pytest.mark.parametrize("says", ["console says", "on CI the build prints", "cargo test gives:"])
def test_what_a_program_says_ends_with_its_fence(says: str) -> None:
    prompt = f"It fails, {says}\n\n```\nboom\n```\n\nNever run it against prod."
    assert ("Never run it against prod.",) in paragraphs(prompt)


@pytest.mark.parametrize(
    "announcement",
    ["Bob wrote:", "Bob's mail:", "The README says:", "Here is the letter from the logs team:"],
)
def test_what_announces_the_words_of_others_reaches_beyond_a_fence(announcement: str) -> None:
    prompt = f"It fails.\n\n{announcement}\n\n```\nboom\n```\n\nNever run it against prod."
    assert ("Never run it against prod.",) not in paragraphs(prompt)
