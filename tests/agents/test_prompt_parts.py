from git_lerim.agents.prompt_parts import text_below


def test_the_rest_of_a_command_ends_at_the_files_that_the_user_mentioned() -> None:
    parts = [{"text": "Then ship."}, {"inlineData": {}}, "Now.", None]

    assert text_below(parts) == "Then ship.\n\nNow.\n"
    for head in ("\n--- Content from referenced files ---", "\nContent from @a.py:\n"):
        assert text_below([*parts[:1], {"text": head}, {"text": "No floats."}]) == "Then ship."
