import pytest

from git_lerim.extraction.transcript.user_text import is_automated, paragraphs


@pytest.mark.parametrize(
    "prompt",
    [
        "UserPromptSubmit hook success: Use pnpm.",
        "Stop hook stopped continuation: Use pnpm.",
        "PreToolUse:Bash hook blocking error from command: Use pnpm.",
        "UserPromptSubmit operation blocked by hook:\nUse pnpm.",
        "PostToolUse:Edit hook additional context: Use pnpm.",
        "Another Claude session sent a message:\nUse pnpm.",
        "A message arrived from teammate bob: Use pnpm.",
        "Agent reviewer reports:\n\nUse pnpm.",
        "[Background task completed] Use pnpm.",
        "Note: /x/a.py was modified, either by the user or by a linter. Use pnpm.",
    ],
)
def test_what_an_agent_puts_into_a_prompt_is_automated(prompt: str) -> None:
    assert is_automated(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "UserPromptSubmit hooks are broken. Use pnpm.",
        "The hook failed, please fix it. Use pnpm.",
        "Another Claude session is running, so don't touch main.",
        "Another agent wrote this code: it is bad. Use pnpm.",
        "Agent mode reports: wrong line. Use pnpm.",
        "A message from the agent is missing. Use pnpm.",
        "Agent mode finished too early. Use pnpm.",
        "The hook stopped working. Use pnpm.",
        "Commit hook stopped running. Use pnpm.",
        "A message from the agent must be short: Use pnpm.",
        "The last session sent a message to the wrong channel: Use pnpm.",
        "Note: README was modified, either by me or by Bob. Use pnpm.",
        "The following is a scheduled task: update weekly. Use pnpm.",
        "Agent runs finished, from now on:\nUse pnpm.",
        "Note: a.py was modified. Use pnpm.",
    ],
)
def test_what_a_user_says_about_agents_and_hooks_is_not(prompt: str) -> None:
    assert not is_automated(prompt)


@pytest.mark.parametrize(
    ("prompt", "sentences"),
    [
        ("Add it. (Always add a test.)", ("Add it.", "Always add a test.")),
        ("(Always add a test. Never skip one.)", ("Always add a test.", "Never skip one.")),
        ("Always call run().", ("Always call run().",)),
        ("Always add a test. (from the wiki)", ("Always add a test.", "(from the wiki)")),
        ("(Only once) run it (or not).", ("(Only once) run it (or not).",)),
    ],
)
def test_a_sentence_in_brackets_is_a_sentence(prompt: str, sentences: tuple[str, ...]) -> None:
    assert paragraphs(prompt) == (sentences,)
