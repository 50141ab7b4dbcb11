"""The table of verbs."""

import re
from pathlib import Path

from git_lerim.verbs import GROUPS

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_lists_the_verbs_in_the_groups_of_the_help() -> None:
    table = README.read_text(encoding="utf-8").partition("| to | verbs |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1:3] for row in table.strip().split("\n")[1:]]

    assert {name.strip(): set(re.findall(r"`(\w+)`", verbs)) for name, verbs in rows} == {
        name.lower(): set(verbs) for name, verbs in GROUPS.items()
    }
