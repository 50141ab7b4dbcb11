import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from support import forks
from support.repos import Repo
from support.stores import adding, decision, store_at, titles
from support.world import World

pty = pytest.importorskip("pty", reason="a terminal to edit on is made by it")

# The first time it makes what is no memory; the second time it finds that, and mends it.
EDITOR = """
import sys, pathlib, re
file = pathlib.Path(sys.argv[1])
text = file.read_text()
if "protected: perhaps" in text:
    text = text.replace("protected: perhaps", "protected: false")
else:
    text = re.sub("(?m)^title: .*", 'title: "What I wrote"', text).replace("protected: false", \
"protected: perhaps")
file.write_text(text + "\\n" * 3)
"""


# The first time it writes in another encoding; the second time it mends that.
LATIN = """
import sys, pathlib
file = pathlib.Path(sys.argv[1])
data = file.read_bytes()
file.write_bytes(data.replace(b"caf\\xe9", "caf\\xe9".encode()) if b"caf\\xe9" in data else data \
+ b"Not in a caf\\xe9.\\n")
"""


def edited(repo: Repo, answer: bytes, script: str = EDITOR) -> tuple[int, str]:
    """Edit the first decision on a terminal; return the exit code and the result."""
    return on_terminal(repo, answer, script)[:2]


def on_terminal(repo: Repo, answer: bytes, script: str = EDITOR) -> tuple[int, str, str]:
    """Edit the first decision on a terminal; return the exit code, the result and messages."""
    store_at(repo.path).commit(adding(1))
    editor = repo.path.parent / "editor.py"
    editor.write_text(script)
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "git_lerim", "edit", decision(1).id],
        cwd=repo.path,
        stdin=slave,
        stderr=slave,
        stdout=subprocess.PIPE,
        env=os.environ | {"GIT_EDITOR": f"{sys.executable} {editor}"},
    ) as process:
        os.close(slave)
        os.write(master, answer)
        told = process.communicate(timeout=60)[0].decode()
    said = b""
    with suppress(OSError):  # nothing more to read
        while more := os.read(master, 4096):
            said += more
    os.close(master)
    return process.returncode, told, said.decode()


def test_what_was_written_is_not_lost_for_a_mistake(repo: Repo) -> None:
    code, told = edited(repo, b"y\n")

    assert (code, told) == (0, f"{decision(1).id}  What I wrote\n")
    assert titles(store_at(repo.path).snapshot()) == {"What I wrote"}


# Keeps what it was shown, and adds a heading and a comment to the file.
COMMENTING = """
import sys, pathlib
file = pathlib.Path(sys.argv[1])
text = file.read_text()
pathlib.Path("shown").write_text(text)
head, dashes, body = text[4:].partition("---\\n")
file.write_text("---\\n# mine\\n" + head + dashes + "# A heading\\n\\n" + body)
"""


def test_the_comments_in_the_file_are_removed_and_headings_of_the_text_stay(repo: Repo) -> None:
    code, _ = edited(repo, b"", COMMENTING)

    assert code == 0
    shown = (repo.path / "shown").read_text()
    assert shown.startswith("---\n# Change the title")
    (stored,) = store_at(repo.path).snapshot().memories.values()
    assert stored.memory.body == "# A heading\n\nBecause it is good."
    assert b"mine" not in store_at(repo.path).file(stored)


@pytest.mark.parametrize(
    "script",
    [
        "",
        "import sys, pathlib; f = pathlib.Path(sys.argv[1]); f.write_bytes(f.read_bytes())",
        "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text('\\n')",  # gives up, as in git
    ],
)
def test_an_unchanged_or_empty_file_changes_nothing(repo: Repo, script: str) -> None:
    before = store_at(repo.path).commit(adding(1))

    code, told = edited(repo, b"", script)

    assert (code, told) == (0, f"{decision(1).id}  Use thing 1\n")
    assert repo.git("rev-parse", "lerim/memory") == before


@pytest.mark.parametrize(("answer", "expected"), [(b"n\n", 1), (b"\n", 1), (b"\x04", 130)])
def test_an_edit_that_is_given_up_changes_nothing_and_keeps_the_text(
    answer: bytes, expected: int, repo: Repo
) -> None:
    code, told, said = on_terminal(repo, answer)

    draft = repo.path / f".git/lerim/draft-{decision(1).id}.md"
    assert (code, told) == (expected, "")
    assert f"your text was saved to {draft}" in said
    assert "What I wrote" in draft.read_text()
    assert titles(store_at(repo.path).snapshot()) == {"Use thing 1"}


def test_what_an_editor_wrote_in_another_encoding_is_not_lost(repo: Repo) -> None:
    code, _ = edited(repo, b"y\n", LATIN)

    assert code == 0
    (stored,) = store_at(repo.path).snapshot().memories.values()
    assert stored.memory.body == "Because it is good.\nNot in a caf\xe9."


@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape"])
@pytest.mark.parametrize(
    "words",
    [("edit", decision(1).id, "--body", "-"), ("edit", decision(1).id, "--title", "caf\udce9"),
        ("remember", "-"),
     ("remember", "Tea.", "--tag", "caf\udce9"), ("remember", "caf\udce9")],
)  # fmt: skip
def test_what_is_not_utf_8_is_refused_and_nothing_is_written(
    words: tuple[str, ...], encoding: str, repo: Repo
) -> None:
    before = store_at(repo.path).commit(adding(1))

    done = subprocess.run(
        [sys.executable, "-m", "git_lerim", *words], cwd=repo.path, input=b"caf\xe9",
        capture_output=True, check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"contains bytes that are not UTF-8\nhint: " in done.stderr
    assert repo.git("rev-parse", "lerim/memory") == before


def test_tags_are_replaced_kept_or_taken_away(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    id_ = decision(1).id

    def tags(*words: str) -> tuple[int, tuple[str, ...]]:
        done = forks.completed(repo.path, "edit", id_, *words)
        return done.returncode, store_at(repo.path).snapshot().memories[id_].memory.tags

    assert tags("--tag", "db", "--tag", "cli") == (0, ("cli", "db"))
    assert tags("--title", "Say it otherwise") == (0, ("cli", "db"))
    assert tags("--no-tags", "--tag", "db") == (2, ("cli", "db"))
    assert tags("--no-tags") == (0, ())


def without_terminal(repo: Repo, *options: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Edit the first decision while stdin is a pipe that says nothing."""
    store_at(repo.path).commit(adding(1))
    reader, writer = os.pipe()
    try:
        return subprocess.run(
            ["git", *options, "lerim", "edit", decision(1).id],
            cwd=repo.path, stdin=reader, capture_output=True, text=True, check=False, timeout=60,
            env={k: v for k, v in os.environ.items() if k != "GIT_EDITOR"}
            | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"} | env,
        )  # fmt: skip
    finally:
        os.close(reader)
        os.close(writer)


def test_an_editor_for_people_is_not_opened_without_a_terminal(repo: Repo) -> None:
    done = without_terminal(repo, "-c", "core.editor=sleep 90 #", EDITOR="sleep 90 #")

    assert done.returncode == 1
    assert "cannot open an editor without a terminal" in done.stderr
    assert "GIT_EDITOR" in done.stderr


def test_an_editor_that_fails_changes_nothing_and_advises(repo: Repo) -> None:
    done = without_terminal(repo, GIT_EDITOR="false")

    assert done.returncode == 1
    assert (
        "nothing was changed\nhint: to use another editor, set GIT_EDITOR or core.editor"
        in done.stderr
    )


def test_a_draft_that_nobody_can_be_asked_about_is_kept(repo: Repo) -> None:
    done = without_terminal(repo, GIT_EDITOR="sed -i -e 's/^title: .*/title: []/' -e '$aMine.'")

    draft = repo.path / f".git/lerim/draft-{decision(1).id}.md"
    assert done.returncode == 1
    assert f"your text was saved to {draft}" in done.stderr
    assert draft.read_text().endswith("Mine.\n")
    assert draft.stat().st_mode & 0o777 == 0o600


def test_a_saved_draft_is_opened_again(repo: Repo) -> None:
    broken = without_terminal(repo, GIT_EDITOR="sed -i -e 's/^title: .*/title: []/' -e '$aMine.'")
    left = without_terminal(repo, GIT_EDITOR="true")
    mended = without_terminal(repo, GIT_EDITOR="sed -i -e 's/^title: .*/title: Good/'")

    draft = repo.path / f".git/lerim/draft-{decision(1).id}.md"
    assert f"saved to {draft}; git lerim edit {decision(1).id} opens it again" in broken.stderr
    assert (left.returncode, left.stderr.splitlines()[1:]) == (0, ["nothing changed"])
    assert f"opening the text that was saved to {draft}" in mended.stderr
    (stored,) = store_at(repo.path).snapshot().memories.values()
    assert (stored.memory.title, stored.memory.body[-5:]) == ("Good", "Mine.")
    assert not draft.exists()


def test_even_a_long_saved_draft_is_opened_again(repo: Repo) -> None:
    without_terminal(
        repo, GIT_EDITOR="sed -i -e 's/^title: .*/title: []/' -e '$a" + "x" * 90_000 + "'"
    )

    assert "opening the text that was saved" in without_terminal(repo, GIT_EDITOR="true").stderr


def test_what_is_said_of_a_personal_memory_can_be_run(world: World, repo: Repo) -> None:
    options = ["--kind", "preference", "--personal", "--json"]
    id_ = world.lerim(repo.path, "remember", "Use tabs. They are wide.", *options).json["id"]
    again = f"git lerim edit --personal {id_}"

    titled = world.lerim(repo.path, "edit", id_, "--personal", "--title", "Use spaces")
    editor = {"GIT_EDITOR": "sed -i -e 's/^title: .*/title: []/'"}
    broken = world.lerim(repo.path, "edit", id_, "--personal", env=editor)

    assert titled.err == f"the text below the title is unchanged; to change it: {again}\n"
    assert f"; {again} opens it again" in broken.err


def test_it_says_how_many_secrets_it_redacted(world: World, repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2"

    said = world.lerim(repo.path, "edit", decision(1).id, "--body", f"It needs {secret} to run.")
    told = world.lerim(repo.path, "edit", decision(1).id, "--body", f"Use {secret}.", "--json")

    assert said.err.splitlines()[0] == "redacted 1 secret"
    assert json.loads(told.out)["redactions"] == 1


def test_what_was_written_is_kept_where_the_commit_fails(repo: Repo) -> None:
    lock = repo.path / ".git/refs/heads/lerim/memory.lock"
    script = f"import pathlib; pathlib.Path({str(lock)!r}).touch()\n{EDITOR}"

    code, _, said = on_terminal(repo, b"y\n", script)

    assert code == 1
    assert "your text was saved to " in said
    draft = Path(said.partition("your text was saved to ")[2].partition(";")[0].strip())
    assert "What I wrote" in draft.read_text()


@pytest.mark.parametrize(
    ("command", "code", "title"),
    [
        ("sed -i 's/^title: .*/title: Mine/'", 0, "Mine"),
        ("sed -i 's/^title: .*/title: []/'", 1, ""),
    ],
)
def test_an_editor_that_needs_no_terminal_is_run_without_one(
    repo: Repo, command: str, code: int, title: str
) -> None:
    store_at(repo.path).commit(adding(1))

    env = os.environ | {"GIT_EDITOR": command}
    done = forks.completed(repo.path, "edit", decision(1).id, env=env)

    assert done.returncode == code, done.stderr
    assert titles(store_at(repo.path).snapshot()) == {title or decision(1).title}
    assert b"cannot ask" not in done.stderr


STATEMENT = "The importer runs single-threaded."
REASON = "Because the vendor library is not thread safe."


@pytest.mark.parametrize("text", [STATEMENT, f"{STATEMENT} It was faster once."])
def test_a_new_text_leaves_the_statement_as_the_title(world: World, repo: Repo, text: str) -> None:
    id_ = world.lerim(repo.path, "remember", text, "--json").json["id"]

    done = world.lerim(repo.path, "edit", id_, "--body", REASON)

    shown = world.lerim(repo.path, "show", id_).out
    assert (done.code, done.out) == (0, f"{id_}  The importer runs single-threaded\n")
    assert done.err == f"the title is unchanged; to change it: git lerim edit {id_} --title LINE\n"
    assert shown.startswith("The importer runs single-threaded\n")
    assert REASON in shown
    assert "faster" not in shown


def test_a_title_that_a_person_gave_stays_and_the_verb_says_how_to_change_it(
    world: World, repo: Repo
) -> None:
    text = "MAX is 4 because of the quota of the API."
    told = world.lerim(repo.path, "remember", text, "--title", "The limit of requests", "--json")
    id_ = told.json["id"]

    done = world.lerim(repo.path, "edit", id_, "--body", "MAX is 9 by agreement.")
    both = world.lerim(repo.path, "edit", id_, "--body", "MAX is 7.", "--title", "Lower")

    assert done.out == f"{id_}  The limit of requests\n"
    hint = f"the title is unchanged; to change it: git lerim edit {id_} --title LINE\n"
    assert done.err == hint
    assert (both.out, both.err) == (f"{id_}  Lower\n", "")


def test_agents_get_a_persons_new_title(world: World, repo: Repo) -> None:
    old, new = "Use tabs for indentation in Go", "Use spaces for indentation in Go"
    plain, more = (
        world.lerim(repo.path, "remember", text, "--kind", "preference", "--json").json["id"]
        for text in (old, "Use pytest for the tests of money. It is quick.")
    )

    done = world.lerim(repo.path, "edit", plain, "--title", new)
    kept = world.lerim(repo.path, "edit", more, "--title", "Use unittest for the tests of money")

    read = [
        world.lerim(repo.path, *words).out
        for words in (["brief"], ["ask", "Which indentation do we use in Go?"], ["show", plain])
    ]
    assert all(new in text and old not in text for text in read)
    assert "Use unittest for the tests of money. Use pytest for the tests" in read[0]
    assert done.err == ""
    said = f"the text below the title is unchanged; to change it: git lerim edit {more}\n"
    assert kept.err == said


def edited_by(repo: Repo, script: str) -> subprocess.CompletedProcess[bytes]:
    """Edit the first decision by a script, without a terminal."""
    store_at(repo.path).commit(adding(1))
    editor = repo.path.parent / "editor.py"
    editor.write_text(script)
    env = os.environ | {"GIT_EDITOR": f"{sys.executable} {editor}"}
    return forks.completed(repo.path, "edit", decision(1).id, env=env)


# While it is open, somebody else edits the same memory.
BESIDE = """
import subprocess, sys, pathlib
subprocess.run([sys.executable, "-m", "git_lerim", "edit", "{id}", "--body", "Theirs."], check=True)
file = pathlib.Path(sys.argv[1])
head, dashes, _ = file.read_text()[4:].partition("---\\n")
file.write_text("---\\n" + head + dashes + "Mine.\\n")
"""


def test_no_text_is_lost_where_two_edit_one_memory(repo: Repo) -> None:
    done = edited_by(repo, BESIDE.replace("{id}", decision(1).id))

    [memory] = [item.memory for item in store_at(repo.path).snapshot().memories.values()]
    assert done.returncode == 0
    assert b"the memory changed meanwhile; both changes are kept" in done.stderr
    assert "Mine." in memory.body
    assert "Theirs." in memory.body


# While it is open, a commit of git alone adds a paragraph to the same memory.
BY_GIT = """
import subprocess, sys, pathlib
place = pathlib.Path.cwd().parent / "by-git"
subprocess.run(["git", "worktree", "add", "-q", place, "lerim/memory"], check=True)
[memory] = place.rglob("*{id}.md")
memory.write_text(memory.read_text() + "\\nTheirs.\\n")
subprocess.run(["git", "-C", place, "commit", "-qam", "Add a paragraph"], check=True)
subprocess.run(["git", "worktree", "remove", place], check=True)
file = pathlib.Path(sys.argv[1])
head, dashes, _ = file.read_text()[4:].partition("---\\n")
file.write_text("---\\n" + head + dashes + "Mine.\\n")
"""


def test_no_text_is_lost_where_git_alone_changes_what_is_edited(repo: Repo) -> None:
    done = edited_by(repo, BY_GIT.replace("{id}", decision(1).id))

    [memory] = [item.memory for item in store_at(repo.path).snapshot().memories.values()]
    assert done.returncode == 0, done.stderr
    assert b"the memory changed meanwhile; both changes are kept" in done.stderr
    assert "Mine." in memory.body
    assert "Theirs." in memory.body


MOVING = """
import subprocess, sys, pathlib
subprocess.run([sys.executable, "-m", "git_lerim", "init", "--tree"], check=True)
file = pathlib.Path(sys.argv[1])
file.write_text(file.read_text() + "Mine.\\n")
"""


def test_what_was_written_while_the_memory_moved_is_named(repo: Repo) -> None:
    done = edited_by(repo, MOVING)

    assert done.returncode == 0
    assert b"the memory moved to the work tree meanwhile" in done.stderr
    assert forks.completed(repo.path, "init", "--tree").returncode == 0
    [file] = (repo.path / ".lerim" / "memory" / "decisions").rglob("*.md")
    assert "Mine." in file.read_text()
