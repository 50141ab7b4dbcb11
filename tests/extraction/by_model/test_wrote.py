import json
from pathlib import Path
from typing import Any

import pytest
from support import readings
from support.claude import Recording

from git_lerim.agents import claude
from git_lerim.extraction.by_model import transcript
from git_lerim.extraction.by_model.answer import Item
from git_lerim.extraction.by_model.checks import Shown
from git_lerim.extraction.by_model.transcript import Transcript
from git_lerim.extraction.by_model.wrote import CALL_LIMIT, LEAST, SHARE, wrote
from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions.gate import redacted
from git_lerim.sessions.session import Header, Record, Role, Session

REASON = "Prices are cents, because floats round."
FOLDER = "/home/ada/shop"


class Talk:
    """A session of Claude Code whose agent calls tools."""

    def __init__(self, home: Path) -> None:
        self.recording = Recording(home, FOLDER).prompt("Store prices as cents.")
        self.calls = 0

    def call(self, tool: str, *, error: str = "", **given: Any) -> "Talk":
        self.calls += 1
        used = {"type": "tool_use", "id": f"t{self.calls}", "name": tool, "input": given}
        self.recording.add("assistant", [used])
        result = {"type": "tool_result", "tool_use_id": f"t{self.calls}", "content": error or "ok"}
        self.recording.add("user", [{**result, "is_error": bool(error)}])
        return self

    def edit(self, path: str, new: str, old: str = "x", **more: Any) -> "Talk":
        return self.call("Edit", file_path=path, old_string=old, new_string=new, **more)

    def records(self) -> tuple[Record, ...]:
        self.recording.reply("Done.")
        return readings.read(claude, self.recording.path).records

    def shown(self) -> Transcript:
        records, _ = redacted(self.records(), Redactor([]), ())  # which cuts what is long
        return shown(records)

    def wrote(self) -> list[str]:
        return [line.text for line in self.shown().lines if line.is_prose]


def shown(records: tuple[Record, ...]) -> Transcript:
    return transcript.shown(Session(agent="claude", id="s", header=Header(), records=records))


def test_a_model_sees_the_prose_that_an_edit_added(tmp_path: Path) -> None:
    talk = Talk(tmp_path).edit(f"{FOLDER}/shop/price.py", f"# {REASON}\nx = 1")
    talk.edit(f"{FOLDER}/README.md", "Call `price` twice.").edit(f"{FOLDER}/a.py", "x = 2")

    assert talk.shown().text() == (
        "[1] USER: Store prices as cents.\n"
        f"[2] WROTE: shop/price.py:\n {REASON}\n"
        "[4] WROTE: README.md:\n Call `price` twice.\n"
        "[6] CALL: Edit: a.py\n"
        "[8] AGENT: Done."
    )


def test_a_model_sees_the_rest_of_a_long_commit_message(tmp_path: Path) -> None:
    start = "Totals of an order did not match the sums of its lines, which customers saw. " * 4
    message = f"Store prices as cents\n\n{start}\n\n{REASON}\n\nCo-Authored-By: A <a@b.example>"
    talk = Talk(tmp_path).call("Bash", command=f"git commit -m '{message}'")
    call, wrote = talk.shown().text().splitlines()[1], talk.wrote()

    assert call.startswith("[2] CALL: Bash: git commit -m 'Store prices as cents")
    assert wrote == [f"[2] WROTE: {start.strip()}\n {REASON}"]


def test_a_file_written_by_a_command_counts(tmp_path: Path) -> None:
    filler = "x = 1\n" * 60
    command = f"cat > shop/price.py <<'EOF'\n{filler}# {REASON}\nEOF"

    assert Talk(tmp_path).call("Bash", command=command).wrote() == [f"[2] WROTE: {REASON}"]


def test_what_the_repository_does_not_keep_is_not_shown(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    for path in (
        "/tmp/notes.md",  # noqa: S108 a path in a record
        "/home/ada/.claude/plans/plan.md",
        f"{FOLDER}/.claude/plans/plan.md",
        f"{FOLDER}/scratchpad/spec.md",
        "/home/ada/elsewhere/README.md",
        f"{FOLDER}/vendor/x/README.md",
    ):
        talk.edit(path, REASON)
    talk.edit(f"{FOLDER}/a.md", REASON, error="String to replace not found in file.")
    talk.edit(
        f"{FOLDER}/b.md", REASON, error="The user doesn't want to proceed with this tool use."
    )
    talk.call("Bash", command="cat > /tmp/a.md <<'EOF'\n" + "y = 1\n" * 60 + f"{REASON}\nEOF")

    assert talk.wrote() == []


def test_each_passage_is_shown_once_and_all_of_them_within_bounds(tmp_path: Path) -> None:
    talk = Talk(tmp_path).edit(f"{FOLDER}/a.md", REASON).edit(f"{FOLDER}/b.md", REASON)
    assert len(talk.wrote()) == 1

    long = Talk(tmp_path / "long")
    for number in range(60):
        words = "".join(f"Rule {number}.{each} must not be long.\n\n" for each in range(60))
        long.call("Write", file_path=f"{FOLDER}/{number}.md", content=words)
    lines = long.shown().lines
    size = sum(len(line.text) for line in lines if not line.is_prose)
    prose = [line.text for line in lines if line.is_prose]

    assert len(prose) > 1
    assert len(prose[0]) <= CALL_LIMIT + 200  # line breaks and the heading
    assert sum(map(len, prose)) <= 1.3 * max(LEAST, SHARE * size)


def test_secrets_in_prose_do_not_reach_a_model(tmp_path: Path) -> None:
    own, token = "own-Secret-4711-zyx", "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    talk = Talk(tmp_path)
    talk.edit(f"{FOLDER}/a.py", f"# Never use {own} again, because it leaked.")
    talk.edit(f"{FOLDER}/README.md", "words " * 66 + f"{token} is not to be used.")
    talk.call("Bash", command=f"git commit -m '{'Say why. ' * 40}\n\nThe key must be {token}.'")
    records, _ = redacted(talk.records(), Redactor([("TOKEN", own)]), ())
    text = shown(records).text()

    assert "because it leaked" in text
    assert "The key must be" in text
    assert own not in text
    assert token[:12] not in text


def test_prose_about_an_ignored_path_is_left_out(tmp_path: Path) -> None:
    talk = Talk(tmp_path).edit(f"{FOLDER}/a.md", f"Never read private/plan.md.\n\n{REASON}")
    records, _ = redacted(talk.records(), Redactor([]), ("private/**",))

    assert [line.text for line in shown(records).lines if line.is_prose] == [
        f"[2] WROTE: a.md:\n {REASON}"
    ]


def test_a_command_in_prose_was_not_run(tmp_path: Path) -> None:
    talk = Talk(tmp_path).edit(f"{FOLDER}/a.md", "You must run `make clean-everything` first.")
    checked = Shown(talk.shown())

    assert "clean-everything" in talk.shown().text()
    assert not checked.may_name("make clean-everything")


def test_prose_can_be_quoted_as_evidence(tmp_path: Path) -> None:
    checked = Shown(Talk(tmp_path).edit(f"{FOLDER}/a.py", f"# {REASON}").shown())
    item = Item(
        records=[2], quote="cents, because floats", final_record=2, basis="agent_did",
        type="decision", title="Prices are cents", body=REASON, files=[], value="useful",
    )  # fmt: skip

    assert checked.faults(item) == []


def test_the_same_session_gives_the_same_text_wherever_it_lies(tmp_path: Path) -> None:
    texts = set()
    for name in ("a", "b"):
        talk = Talk(tmp_path / name).edit(f"{FOLDER}/a.py", f"# {REASON}")
        texts.add(talk.shown().text())

    assert len(texts) == 1


def test_a_bookmark_keeps_no_prose(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    used = {"type": "tool_use", "id": "t1", "name": "Write"}
    given = {"file_path": f"{FOLDER}/a.md", "content": REASON}
    talk.recording.add("assistant", [{**used, "input": given}])
    reading = readings.read(claude, talk.recording.path)

    assert reading.bookmark
    assert REASON not in json.dumps(reading.bookmark.state)


@pytest.mark.parametrize(("path", "shown_prose"), [("/tmp/a.md", []), ("a.md", [REASON])])  # noqa: S108
def test_a_patch_in_a_command_counts_where_it_writes(path: str, shown_prose: list[str]) -> None:
    patch = f"*** Begin Patch\n*** Add File: {path}\n+{REASON}\n*** End Patch"
    call = Record(
        n=1, role=Role.CALL, cwd=FOLDER, text="exec: apply_patch", command=f"apply_patch '{patch}'",
        files=(path,), prose=(REASON,),
    )  # fmt: skip

    assert wrote([call], set(), 0) == ({0: shown_prose} if shown_prose else {})
