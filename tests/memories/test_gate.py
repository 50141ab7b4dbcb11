import subprocess
import sys

from support.memories import memory

from git_lerim.memories.gate import gated
from git_lerim.redaction.redactor import Redactor

MINE = "own-Secret-4711-zyx"


def test_what_a_newer_version_wrote_is_gated_too() -> None:
    told = {"note": [f"a {MINE}", {MINE: "deep"}, 1, None], "db_password": "tr0ub4dor-and-3"}
    found, blanked = gated(memory(unknown=told), Redactor([("T", MINE)]))

    assert MINE not in repr(found)
    assert (blanked, found.unknown["note"][2:], found.unknown["db_password"]) == (3, [1, None], "[REDACTED:assignment]")


def test_what_a_person_writes_by_hand_passes_it_without_the_rules_of_extraction_being_loaded() -> None:
    program = "import sys, git_lerim.actions.change; print([name for name in sys.modules if 'extraction' in name])"

    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
