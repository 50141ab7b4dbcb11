"""CONTRIBUTING.md: what it says of the tests is so."""

import re
from pathlib import Path

TOP = Path(__file__).parents[1]
TABLE = re.compile(r"\| what \| where \|\n(.*?)\n\n", re.DOTALL)
PLACE = re.compile(r"`([\w/]+\.py)[^`]*`(?: \([^)]*\))?(?:: (.*))?")


def test_each_test_that_the_table_names_is_there() -> None:
    table = TABLE.search((TOP / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert table is not None
    rows = [
        row.strip("| ").rpartition(" | ")[2]
        for row in table[1].splitlines()[1:]
        if not row.startswith("| **")
    ]
    assert len(rows) > 20
    for place in (place for row in rows for place in row.split("; ")):
        found = PLACE.fullmatch(place)
        assert found is not None, place
        path = TOP / found[1] if found[1].startswith("benchmarks/") else TOP / "tests" / found[1]
        text = path.read_text(encoding="utf-8")
        for words in (found[2] or "").split(", ") if found[2] else ():
            assert f"def test_{words.replace(' ', '_')}" in text, (found[1], words)
