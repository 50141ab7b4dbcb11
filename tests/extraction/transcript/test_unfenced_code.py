"""Code in a prompt without a fence is no sentence of the user."""

import pytest

from git_lerim.extraction.transcript.unfenced_code import is_code
from git_lerim.extraction.transcript.user_text import paragraphs


@pytest.mark.parametrize(
    "line",
    [
        "ul#menu li code { display: ruby-text; font-size: 2em; letter-spacing: 0.05em;",
        ".card > .meta { display: grid; gap: 4px; }",
        "} else {",
        "});",
        "const data: any = await res.json()",
        "return never_mind;",
        "  always->run(every);",
        "color: red;  // never blue",
        "def always_push(branch):",
        "from shop import never",
        "import nodemailer from 'nodemailer'",
        '"at": "iso 8601, always utc",',
        "SELECT * FROM orders WHERE status = 'open';",
    ],
)
def test_a_line_of_code_is_recognized(line: str) -> None:
    assert is_code(line)


@pytest.mark.parametrize(
    "line",
    [
        "Always call close() in a finally block",
        "name branches {type}/{ticket}",
        "never `import *` from a package",
        "return early instead of nesting ifs",
        "import order: stdlib, third party, ours",
        "keep it short; no jokes",
        "const by default, let only if it changes",
        "from now on import types with `import type`",
        "for commits: lower case, no full stop",
        "use def run(self) and never __call__",
        "note: never push to main;",
        "public functions need a docstring;",
    ],
)
def test_prose_about_code_is_no_code(line: str) -> None:
    assert not is_code(line)


def test_only_the_prose_around_code_is_the_users() -> None:
    prompt = (
        "This is the CSS:\n"
        "ul#menu li span { display: ruby-base; margin: 0 0.15em;\n"
        "}\n"
        "\n"
        "Never use !important in here."
    )

    said = [sentence for paragraph in paragraphs(prompt) for sentence in paragraph]

    assert said == ["This is the CSS:", "Never use !important in here."]
