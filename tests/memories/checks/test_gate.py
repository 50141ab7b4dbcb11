import subprocess
import sys

from support.memories import memory

from git_lerim.memories.checks.gate import gated
from git_lerim.memories.memory import Anchor, Source
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.redactor import Redactor

MINE = "own-Secret-4711-zyx"


def test_what_a_newer_version_wrote_is_gated_too() -> None:
    told = {"note": [f"a {MINE}", {MINE: "deep"}, 1, None], "db_password": "tr0ub4dor-and-3"}
    found, blanked = gated(memory(unknown=told), Redactor([("T", MINE)]))

    assert MINE not in repr(found)
    assert (blanked, found.unknown["note"][2:], found.unknown["db_password"]) == (
        3,
        [1, None],
        "[REDACTED:assignment]",
    )


def test_what_a_person_writes_by_hand_passes_it_without_the_rules_of_extraction_being_loaded() -> (
    None
):
    program = (
        "import sys, git_lerim.actions.edit_memory; print([name for name in sys.modules if"
        " 'extraction' in name])"
    )

    assert (
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )


def test_an_anchor_with_a_secret_is_left_out_and_what_names_a_session_is_blanked() -> None:
    anchors = (
        Anchor(path="a.py"),
        Anchor(path=f"dump/{MINE}.txt"),
        Anchor(path="b.py", symbol=f"f_{MINE}"),
    )
    sources = (
        Source(agent="pi", session=f"s-{MINE}", part=f"p-{MINE}"),
        Source(agent="pi", session="s2"),
    )
    found, blanked = gated(memory(anchors=anchors, sources=sources), Redactor([("T", MINE)]))

    assert MINE not in repr(found)
    assert [anchor.path for anchor in found.anchors] == ["a.py"]
    assert (len(found.sources), blanked) == (2, 4)


class Recording(Redactor):
    """A redactor that records what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def redact(self, text: str) -> tuple[str, list[Finding]]:
        self.given.append(text)
        return super().redact(text)


def test_each_text_of_a_memory_is_redacted_once_also_where_it_is_put_into_normal_form() -> None:
    redactor = Recording()
    found, blanked = gated(memory(title="The cart  is slow", tags=("b", "a")), redactor)

    assert (found.title, found.tags, blanked) == ("The cart is slow", ("a", "b"), 0)
    assert len(redactor.given) == len(set(redactor.given))


def test_a_secret_whose_halves_are_joined_by_normal_form_is_blanked() -> None:
    halves = f"{MINE[:9]}\u200b{MINE[9:]}"
    found, blanked = gated(memory(title=f"Use {halves} here"), Redactor([("T", MINE)]))

    assert MINE not in repr(found)
    assert blanked


def test_what_one_field_shows_to_be_a_password_is_redacted_in_all_of_them() -> None:
    password = "Zebra-Lamp-" + "7781"
    note = memory(
        title=f"Never put the password {password} into a file",
        body=f"The grafana password is {password}.",
        tags=(password, "grafana"),
    )

    found, count = gated(note, Redactor())

    assert password not in repr(found)
    assert found.tags == ("grafana",)
    assert count >= 3
