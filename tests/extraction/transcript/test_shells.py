import pytest

from git_lerim.extraction.transcript.user_text import typed

PRINTED = "Never push to main directly."


@pytest.mark.parametrize(
    "prompt",
    [
        f"(venv) $ make notes\n{PRINTED}",
        f"(venv) ada@host:~/app$ make notes\n\n{PRINTED}",
        f"ada@host app % make notes\n{PRINTED}",
        f"ada@host ~/app> make notes\n{PRINTED}",
        f"ada@host ~/app (main)> make notes\n{PRINTED}",
        f"bash-5.1# make notes\n{PRINTED}",
        f"sh-5.2$ make notes\n{PRINTED}",
        f">>> print(notes)\n{PRINTED}",
        f"In [1]: notes\nOut[1]: {PRINTED}",
        f"> app@1.0.0 build\n> vite build\n\n{PRINTED}",
        f"> @scope/app@1.0.0 build\n{PRINTED}",
        f"npm i prints:\n{PRINTED}",
        f"npm install output:\n\n{PRINTED}",
        f"npm i gives me this:\n{PRINTED}",
        f"stderr of npm i:\n{PRINTED}",
        f"Output of `make notes`:\n{PRINTED}",
        f"I ran npm i and got:\n{PRINTED}",
        f"npm WARN deprecated x\nnpm notice {PRINTED}",
        f"npm warn deprecated x: {PRINTED}",
        f"npm error code {PRINTED}",
        f"what does this mean?\nERROR: {PRINTED}",
        f"INFO {PRINTED}",
        f"WARN app.db: {PRINTED}",
        f"[DEBUG] {PRINTED}",
        f"hint: {PRINTED}",
        f"remote: {PRINTED}",
        f"stdout: {PRINTED}",
        f"  = help: {PRINTED}",
        f"a.py\n  12 | // {PRINTED}",
        f"Output\n\n{PRINTED}",
        f"Test output\n------\n{PRINTED}",
        f"stderr\n{PRINTED}",
        f"cat README.md\n{PRINTED}",
        f"head -n 20 docs/rules.md\n{PRINTED}",
    ],
)
def test_the_output_below_a_prompt_is_not_the_users(prompt: str) -> None:
    assert PRINTED not in typed(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"(optional) add a dark mode.\n{PRINTED}",
        f"(venv) must be active.\n{PRINTED}",
        f"app@1.0.0 is broken.\n{PRINTED}",
        f"ada@example.org has 5 % of the commits.\n{PRINTED}",
        f"> 80% coverage is needed.\n\n{PRINTED}",
        f"We run the linter, which gives:\n- speed\n\n{PRINTED}",
        f"npm i is slow.\n{PRINTED}",
        f"`parse()` returns:\n- {PRINTED}",
        f"Run npm test, and if it fails: {PRINTED}",
        f"I ran npm install and it worked.\n{PRINTED}",
        f"When I run the tests, I want this:\n- {PRINTED}",
        f"pytest always gets:\n- {PRINTED}",
        f"pytest gets:\n- {PRINTED}",
        f"npm ci never gives:\n- {PRINTED}",
        f"Run this:\n\n$ npm ci\n\n{PRINTED}",
        f"DEBUG mode must be off. {PRINTED}",
        f"INFO logs are enough. {PRINTED}",
        f"ERROR messages are lower case. {PRINTED}",
        f"IMPORTANT: {PRINTED}",
        f"WARNING: {PRINTED}",
        f"Note: {PRINTED}",
        f"Hint: {PRINTED}",
        f"npm error again. {PRINTED}",
        f"npm warns too much. {PRINTED}",
        f"12 tests fail. {PRINTED}",
        f"cat the file first.\n{PRINTED}",
        f"Output format\n{PRINTED}",
    ],
)
def test_the_users_own_words_beside_commands_stay(prompt: str) -> None:
    assert PRINTED in typed(prompt)
