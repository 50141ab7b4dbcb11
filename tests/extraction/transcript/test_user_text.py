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


@pytest.mark.parametrize(
    "above",
    [
        "\n\n".join(["The import stops at an empty row, and nobody knows why. " * 6] * 6),
        "Look:\n\n" + "2026-11-30 09:00:12 INFO importer: the row was read\n" * 60,
    ],
)
def test_of_a_prompt_that_is_long_or_has_a_long_log_the_end_is_read_too(above: str) -> None:
    wish = "Always run the importer on a copy."

    assert paragraphs(f"{above}\n\n{wish}")[-1] == (wish,)


def test_of_a_prompt_as_long_as_a_document_only_the_beginning_is_read() -> None:
    wish = "Always run the importer on a copy."

    assert wish not in str(paragraphs(f"{'The file has many rows. ' * 200}\n\n{wish}"))


def test_a_quotation_that_ends_with_a_sign_does_not_end_the_sentence() -> None:
    prompt = 'Stop putting "Certainly!" at the start of answers. He said "stop." Then I left.'

    assert paragraphs(prompt) == (
        ('Stop putting "Certainly!" at the start of answers.', 'He said "stop."', "Then I left."),
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Fehlermeldungen bitte immer mit Code, z.B. E-104.",
        "Fehlermeldungen bitte immer mit Code, z. B. E-104.",
        "Usa siempre tabs, p. ej. en Go.",
        "Start PR titles with the ticket, like ENG-412: ... from now on",
    ],
)
def test_an_abbreviation_or_an_elided_example_ends_no_sentence(sentence: str) -> None:
    assert paragraphs(sentence) == ((sentence,),)
