"""The agent benchmark as it is used: tasks, a model at an endpoint, a blind packet, a table."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import chat
from support.repos import Repo

BENCH = Path(__file__).resolve().parents[2] / "benchmarks" / "agents"
WISH = "From now on, always use pathlib instead of os.path in this repository."


@pytest.fixture
def tasks(tmp_path: Path, repo: Repo) -> Path:
    """Write one task, in the form of the description's example."""
    commit = repo.commit(
        {"slug.py": "import os\n\ndef name(path):\n    return os.path.basename(path)\n"}, "Slugs"
    )
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "01-suffix.toml").write_text(f"""
repository = "example/slugs"
commit = "{commit}"
[[sessions]]
date = 2026-03-02T10:15:00Z
turns = [
  {{user = "Why does the test fail?"}},
  {{command = "python test_slug.py", output = "AssertionError: hello--", exit = 1}},
  {{edit = "slug.py", old = "a", new = "b"}},
  {{agent = "An empty word was joined."}},
  {{user = "{WISH}"}},
  {{agent = "I will use pathlib."}},
]
[task]
date = 2026-04-10T09:00:00Z
prompt = "Add a function suffix(path) to slug.py."
open = ["slug.py"]
reply = "pathlib, as always"
[grading]
kind = "wish"
lesson = "pathlib, not os.path"
solved = "suffix is there and uses pathlib"
mistake = "uses os.path"
asked = "asks which of the two"
""")
    return folder


def bench(tasks: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        BENCH / "bench.py",
        "--tasks",
        tasks,
        "--work",
        tasks.parent / "work",
        *words,
    ]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def worker(request: dict[str, Any]) -> chat.Said:
    """Answer as a model that does what it is told of: first it looks, then it edits and
    finishes.
    """
    text = json.dumps(request["messages"])
    knows = "always use pathlib" in text
    tools = [tool["function"]["name"] for tool in request["tools"]]
    look = (
        {"mcp__lerim__search": {"query": "pathlib"}}
        if "mcp__lerim__search" in tools
        else {"ask_user": {"question": "os.path?"}}
    )
    body = "return Path(path).suffix" if knows else "return os.path.splitext(path)[1]"
    edit = {
        "path": "slug.py",
        "old": "import os\n",
        "new": f"import os\n\ndef suffix(path):\n    {body}\n",
    }
    outside = {"path": "../elsewhere.py", "old": "", "new": "x = 1\n"}
    steps: list[list[tuple[str, Any]]] = [
        [*look.items(), ("edit_file", outside), ("finish", {"message": "too early"})],
        [("edit_file", edit), ("finish", {"message": "Done, as mcp__lerim__search says."})],
    ]
    calls = steps[sum(message["role"] == "assistant" for message in request["messages"])]
    return chat.completion(None, tool_calls=[
        {"id": f"c{n}", "type": "function",
            "function": {"name": name, "arguments": json.dumps(given)}}
        for n, (name, given) in enumerate(calls)
    ])  # fmt: skip


def test_the_memory_of_an_earlier_session_reaches_the_task_and_the_table(
    tasks: Path, repo: Repo
) -> None:
    work, source = tasks.parent / "work", f"example/slugs={repo.path}"
    prepared = bench(tasks, "prepare", source)
    with chat.serving() as model:
        model.answer = worker
        runs = [
            bench(tasks, "run", condition, "--base-url", model.url)
            for condition in ("without", "with", "with")
        ]
        asked = len(model.asked)
    packet = bench(tasks, "packet")
    text = (work / "packet" / "packet.md").read_text()
    key = json.loads((work / "key.json").read_text())
    answers = dict(re.findall(r"## Answer (\w+)\n(.*?)(?=\n## |\n---\n|\Z)", text, re.DOTALL))
    grades = [(name,
            *("yes" if each else "no" for each in ("Path(" in said, "splitext" in said,
                    "> os.path?" in said)), "")
              for name, said in answers.items()]  # fmt: skip
    (work / "grades.tsv").write_text("\n".join("\t".join(grade) for grade in grades))
    table = bench(tasks, "table", work / "grades.tsv")

    assert prepared.returncode == 0, prepared.stderr
    assert [run.returncode for run in runs] == [0, 0, 0], runs
    assert "always use pathlib" in prepared.stdout
    assert asked == 4  # the second run with memory found all done
    assert not (work / "copies" / "elsewhere.py").exists()
    assert "2 answers" in packet.stdout
    assert sorted(condition for _, condition in key.values()) == ["with", "without"]
    assert not re.search("lerim|with memory|without memory|too early", text)
    rows = [row.split("|")[1:5] for row in table.stdout.splitlines()[2:]]
    assert rows == [
        [" without memory ", " 0/1 ", " 1/1 ", " 1/1 "],
        [" with memory ", " 1/1 ", " 0/1 ", " 0/1 "],
    ]


def test_a_model_can_extract_the_memories(tasks: Path, repo: Repo) -> None:
    with chat.serving() as model:
        model.answer = lambda request: chat.completion(
            chat.reply(chat.memory(request, "always use pathlib", "Always use pathlib for files"))
        )
        done = bench(
            tasks, "prepare", f"example/slugs={repo.path}", "--model", "m", "--base-url", model.url
        )

    assert done.returncode == 0, done.stderr
    assert model.asked
    assert "Always use pathlib for files" in done.stdout


def test_a_reader_who_left_an_answer_out_is_told_which(tasks: Path) -> None:
    work = tasks.parent / "work"
    work.mkdir()
    (work / "key.json").write_text(
        json.dumps({"01a": ["01-suffix", "with"], "01b": ["01-suffix", "without"]})
    )
    (work / "grades.tsv").write_text("answer\tsolved\tmistake\tasked\twhy\n01b\tyes\tno\tno\t\n")

    done = bench(tasks, "table", work / "grades.tsv")

    assert (done.returncode, "01a" in done.stderr) == (1, True)


def test_what_a_task_lacks_is_said_with_its_file(tasks: Path, repo: Repo) -> None:
    (tasks / "02-bad.toml").write_text(
        (tasks / "01-suffix.toml").read_text().replace("{agent = ", "{agnet = ")
    )
    unknown = bench(tasks, "check", f"example/slugs={repo.path}")
    (tasks / "02-bad.toml").write_text(
        (tasks / "01-suffix.toml").read_text().replace('open = ["slug.py"]', 'open = ["slog.py"]')
    )
    missing = bench(tasks, "check", f"example/slugs={repo.path}")
    (tasks / "02-bad.toml").unlink()

    assert "02-bad.toml" in unknown.stderr
    assert "slog.py" in missing.stderr
    assert bench(tasks, "check", f"example/slugs={repo.path}").returncode == 0


def test_the_example_of_the_description_is_a_task(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", (BENCH / "FORMAT.md").read_text(), re.DOTALL)
    assert example
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "00.toml").write_text(example[1])

    done = bench(tmp_path / "tasks", "check", "another/one=.")

    assert done.stderr == "00: no clone of example/parcels was given\n"
