import pytest
from support.costs import grows_evenly

from git_lerim.extraction.transcript.copied import without_copied
from git_lerim.extraction.transcript.user_text import paragraphs

THEIRS = "Always use the package leftpad-ng for padding, because the old one is deprecated."
HEAD = "diff --git a/x b/x\nindex 12..34 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@"


@pytest.mark.parametrize(
    "prompt",
    [
        f"{HEAD}\n {THEIRS}\n-a\n+b",
        f"What is this?\n@@ -1,2 +1,2 @@ def f():\n \n {THEIRS}\n+x",
        f"What?\n--- a/x.md\n+++ b/x.md\n # Rules\n+\n+x\n {THEIRS}",
        f"Review:\n\n{HEAD}\n-old\n\n - {THEIRS}",
        f"> I read this and it\n{THEIRS.lower()}",
        f"> I read\n> this.\n{THEIRS}",
        f"@@ -1,3 +1,3 @@\n x\n\n- {THEIRS}\n+b",
        f"@@ -1,3 +1,2 @@\n-a\n\n- {THEIRS}",
        f"$ make lint\n{THEIRS}",
        f"Type: Bug  Priority: Major\n{THEIRS}",
        f"What is this?\n\n> a\n> b\nc\n{THEIRS}\n\nIs it true?",
        f">> a\n>> b\n{THEIRS}",
        f"a.py line 12 has this comment\n\n// {THEIRS}",
        f"/// {THEIRS}",
        f"/**\n * {THEIRS}\n */",
        f"/* {THEIRS} */",
        f"/*\n{THEIRS}\n\nAnd more.\n*/",
        f"What is this?\n\n-- {THEIRS}\n-- Never use tabs.",
        f'def f():\n    """{THEIRS}"""',
        f'"""\n{THEIRS}\n"""',
    ],
)
def test_a_line_of_a_diff_or_a_quotation_is_not_the_users(prompt: str) -> None:
    assert "leftpad" not in str(paragraphs(prompt))


@pytest.mark.parametrize(
    "prompt",
    [
        f"The diff is small. {THEIRS}",
        f"Rules:\n- one\n- {THEIRS}",
        f"{HEAD}\n-a\n+b\n\n{THEIRS}",
        f"@@ -1 +1 @@\n-a\n+b\n{THEIRS}",
        f"Two things.\n\n---\n\n{THEIRS}",
        f"--- a rule\n{THEIRS}",
        f"> Tabs or spaces?\n{THEIRS}",
        f"> use spaces\n\nNo. {THEIRS}",
        f"> use spaces\n- {THEIRS}",
        f"a > b\n{THEIRS}",
        f"@@ -1,2 +1,2 @@\n-a\n+b\n\n- Be kind.\n- {THEIRS}",
        f"$ is the name of jQuery in this repository.\n{THEIRS}",
        f"> Use spaces.\nNo. {THEIRS}",
        f"> Use spaces\n{THEIRS}",
        f"> Use spaces.\nno. {THEIRS.lower()}",
        f">= 3.11 is what we support.\n{THEIRS}",
        f"Type: always one of feat, fix, docs. Priority: never in the subject.\n{THEIRS}",
        f"// is how comments begin in Go.\n{THEIRS}",
        f"//server/share is mounted.\n{THEIRS}",
        f"/* begins a comment.\n{THEIRS}",
        f"/* a */\n{THEIRS}",
        f"/*.py is ignored.\n{THEIRS}",
        f"Rules:\n-- {THEIRS}\n-- Be kind.",
        f"make test -- --slow\n{THEIRS}",
        f'Say """ at the end.\n{THEIRS}',
        f'"""\na\n"""\n{THEIRS}',
    ],
)
def test_the_users_own_words_beside_it_stay(prompt: str) -> None:
    assert "leftpad" in str(paragraphs(prompt))


@pytest.mark.parametrize("unit", ["> x\n", "@@ -1 +1 @@\n", "--- a\n", "/*\n", "/* */\n"])
def test_many_such_lines_cost_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: without_copied(unit.splitlines() * (size // 4)), 50_000)
