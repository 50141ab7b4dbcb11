from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from support.memories import memory

from git_lerim.redaction.redactor import Redactor
from git_lerim.storage.base import Change, Stored
from git_lerim.storage.trust import checked as verdicts
from git_lerim.storage.trust.output_redaction import message_redactor, without_secrets

TOKEN = "ghp_" + "R4nd0mQ7w8E2r5T1y6U3i9O0pA4s7D2fG5hJ"


class Loads:
    """Counts how often a redactor is loaded."""

    def __init__(self, own: Iterable[tuple[str, str]] = ()) -> None:
        self.count = 0
        self._redactor = Redactor(own)

    def __call__(self) -> Redactor:
        self.count += 1
        return self._redactor


def stored(body: str, blob: str = "1" * 40) -> Stored:
    return Stored(memory=memory(title="How tests run", body=body), path="learnings/x.md", blob=blob)


def shown(
    folder: Path, items: list[Stored], env: dict[str, str] | None = None, loads: Loads | None = None
) -> tuple[list[str], int]:
    """Return the bodies as a new process would print them, and how often it loaded the redactor."""
    loads = loads or Loads()
    checked = verdicts.opened(folder, env or {}, tuple, ())
    return [item.memory.body for item in without_secrets(loads, checked)(items)], loads.count


def test_what_was_checked_once_is_printed_without_loading_the_redactor(tmp_path: Path) -> None:
    items = [stored("Tests need TZ=UTC."), stored("Run them with make.")]
    assert shown(tmp_path, items)[1] > 0

    bodies, loaded = shown(tmp_path, items)

    assert (bodies, loaded) == (["Tests need TZ=UTC.", "Run them with make."], 0)


def test_a_secret_is_blanked_every_time(tmp_path: Path) -> None:
    items = [stored("Tests need TZ=UTC."), stored(f"With the token {TOKEN} tests run.")]

    for _ in range(3):
        bodies, _ = shown(tmp_path, items)
        assert bodies[0] == "Tests need TZ=UTC."
        assert TOKEN not in bodies[1]
        assert "[REDACTED:" in bodies[1]


def test_a_text_counts_and_not_the_file_it_is_said_to_come_from(tmp_path: Path) -> None:
    clean = stored("Tests need TZ=UTC.")
    shown(tmp_path, [clean])

    changed = replace(clean, memory=replace(clean.memory, body=f"Tests need {TOKEN}."))

    assert TOKEN not in shown(tmp_path, [changed])[0][0]


def test_a_new_secret_of_the_user_is_looked_for_in_what_was_clean(tmp_path: Path) -> None:
    items = [stored("Tests log in with maple-Trout-88-lantern here.")]
    assert "maple" in shown(tmp_path, items)[0][0]

    own = [("DB_PASSWORD", "maple-Trout-88-lantern")]
    bodies, _ = shown(tmp_path, items, env=dict(own), loads=Loads(own))

    assert "maple" not in bodies[0]


@pytest.mark.parametrize("name", ["_", "PWD", "SHLVL", "TERM_SESSION_ID"])
def test_what_differs_between_shells_and_holds_no_secret_does_not_count(
    tmp_path: Path, name: str
) -> None:
    items = [stored("Tests need TZ=UTC.")]
    shown(tmp_path, items, env={name: "/one"})

    assert shown(tmp_path, items, env={name: "/two"})[1] == 0


def test_a_rule_that_changed_in_a_subpackage_makes_other_verdicts(tmp_path: Path) -> None:
    room = tmp_path / "redaction" / "finders"
    room.mkdir(parents=True)
    (room / "tokens.py").write_text("LENGTH = 20\n")
    before = verdicts.version(str(tmp_path / "redaction"))
    (room / "__pycache__").mkdir()
    (room / "__pycache__" / "tokens.pyc").write_bytes(b"compiled")
    assert verdicts.version(str(tmp_path / "redaction")) == before

    (room / "tokens.py").write_text("LENGTH = 8\n")

    assert verdicts.version(str(tmp_path / "redaction")) != before


def test_a_torn_line_costs_a_second_check_and_no_more(tmp_path: Path) -> None:
    items = [stored("Tests need TZ=UTC.")]
    shown(tmp_path, items)
    file = next((tmp_path / "cache" / "checked").iterdir())
    file.write_bytes(file.read_bytes()[:-7])

    assert shown(tmp_path, items) == (["Tests need TZ=UTC."], 1)
    assert shown(tmp_path, items) == (["Tests need TZ=UTC."], 0)


def test_verdicts_of_a_few_rule_sets_are_kept(tmp_path: Path) -> None:
    for number in range(verdicts.RULE_SETS + 4):
        shown(tmp_path, [stored("Tests need TZ=UTC.")], env={"A_TOKEN": f"a-long-value-{number}"})

    assert len(list((tmp_path / "cache" / "checked").iterdir())) == verdicts.RULE_SETS


def test_nothing_is_written_where_nothing_was_ever_kept(tmp_path: Path) -> None:
    shown(tmp_path / "lerim", [stored("Tests need TZ=UTC.")])

    assert list(tmp_path.iterdir()) == []


def test_a_full_file_starts_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "LARGEST", 40)
    for number in range(4):
        shown(tmp_path, [stored(f"Tests need number {number}.")])

    assert next((tmp_path / "cache" / "checked").iterdir()).stat().st_size < 120


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (f"edit: Use {TOKEN}", "edit: Use [REDACTED:github]"),
        (f"edit: Use the key {TOKEN[:20]}…", "edit"),
        ("sync: 2 decisions", "sync: 2 decisions"),
    ],
)
def test_a_message_has_no_secret_and_no_beginning_of_one(subject: str, expected: str) -> None:
    change = message_redactor(Loads())(Change(files={}, subject=subject, body=f"~ x Use {TOKEN}"))

    assert (change.subject, change.body) == (expected, "~ x Use [REDACTED:github]")
