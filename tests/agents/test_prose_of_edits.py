import json
from typing import Any

import pytest

from git_lerim.agents.prose_of_edits import LIMIT, in_patch, written_prose

REASON = "Prices are cents, because floats round."
OLD, NEW = "x = 1", f"# {REASON}\nx = 2"
PATCH = (
    "*** Begin Patch\n*** Update File: docs/a.md\n@@\n Old words that were there.\n"
    f"-Prices are floats.\n+\n+{REASON}\n*** Add File: b.py\n+# Never call this\n+# twice.\n"
    "*** End Patch\n"
)


@pytest.mark.parametrize(
    "given",
    [
        {"file_path": "a.py", "old_string": OLD, "new_string": NEW, "replace_all": False},
        {"file_path": "a.py", "edits": [{"old_string": OLD, "new_string": NEW}]},
        {"file_path": "a.py", "content": NEW},
        {"filePath": "a.py", "oldString": OLD, "newString": NEW},
        {"path": "a.py", "old_str": OLD, "new_str": NEW},
        {"path": "a.py", "file_text": NEW},
        {"path": "a.py", "oldText": OLD, "newText": NEW},
        {"path": "a.py", "edits": [{"oldText": OLD, "newText": NEW}]},
        {"path": "a.py", "contents": NEW},
        {
            "target_file": "a.py",
            "instructions": "x",
            "code_edit": f"# ... existing code ...\n{NEW}",
        },
        {"path": "a.py", "diff": f"------- SEARCH\n{OLD}\n=======\n{NEW}\n+++++++ REPLACE\n"},
        {"path": "a.py", "diff": f"<<<<<<< SEARCH\n{OLD}\n=======\n{NEW}\n>>>>>>> REPLACE\n"},
        {"patch": f"--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-{OLD}\n+# {REASON}\n+x = 2\n"},
    ],
)
def test_what_an_edit_adds_is_found_in_the_arguments_of_any_agent(given: dict[str, Any]) -> None:
    assert written_prose("a.py", given) == (REASON,)


@pytest.mark.parametrize("key", ["", "patch", "patchText", "input"])
def test_a_patch_names_its_files(key: str) -> None:
    assert written_prose("docs/a.md", {key: PATCH}) == (REASON, "Never call this twice.")


def test_only_new_lines_of_a_patch_count() -> None:
    patch = (
        f"*** Begin Patch\n*** Update File: a.py\n@@\n # {REASON}\n-x = 1\n+x = 2\n*** End Patch"
    )

    assert in_patch(patch) == ()


def test_a_comment_that_a_diff_moves_is_not_new() -> None:
    patch = (
        f"--- a/a.sql\n+++ b/a.sql\n@@ -1,3 +1,4 @@\n--- {REASON}\n+BEGIN;\n+  -- {REASON}\n"
        " SELECT 1;\n--- a/b.sql\n+++ b/b.sql\n@@ -1 +1,2 @@\n"
        "+-- Never run this in a transaction.\n SELECT 2;\n"
    )

    assert in_patch(patch) == ("Never run this in a transaction.",)


def test_a_long_page_is_cut() -> None:
    page = "\n\n".join(f"Paragraph {number} is not long." for number in range(1000))
    found = written_prose("a.md", {"content": page})

    assert found[0] == "Paragraph 0 is not long."
    assert sum(map(len, found)) <= LIMIT


def test_strange_arguments_give_nothing() -> None:
    for given in ({}, {"edits": "x"}, {"edits": [1, {}]}, {"content": 3}, {"patch": None}):
        assert written_prose("a.md", json.loads(json.dumps(given))) == ()
