"""What coding agents' hooks are given: from payloads as the agents send them, and from what no
agent should send.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import forks
from support.memories import memory as memory_of
from support.repos import Repo
from support.stores import store_at
from support.world import CATALOG, World

from git_lerim.agents.hooks.events import MOMENTS
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Kind, Origin, Primitive
from git_lerim.recall.brief import delivered
from git_lerim.storage.base import Change

DATA = Path(__file__).parents[2] / "agents" / "data" / "hooks"
NEAR = "Unicode is folded to ASCII with unidecode in titles"
FILE = "Slugs keep the hyphen as separator because URLs of old articles use it"
ERROR = (
    "test_slug.py fails with AssertionError: hello-- until empty words are dropped after the split"
)
WISH = "Always run the linter before a commit"


def environment() -> dict[str, str]:
    """Return the environment of a hook: no variable that seals the world of tests sends it the long
    way.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_C", "LERIM_"))
    }


def run(
    agent: str,
    event: str,
    raw: bytes,
    cwd: Path,
    *,
    env: dict[str, str] | None = None,
    starts_python: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """Run a hook, with what Python does when it starts only where that is asked for."""
    command = ("hook", agent, event)
    env = environment() | {"PYTHONSAFEPATH": "1"} | (env or {})
    if not starts_python and forks.can_run(env):
        return subprocess.CompletedProcess(command, *forks.run(cwd, command, env, raw, 60))
    return subprocess.run(
        [sys.executable, "-m", "git_lerim", *command], cwd=cwd, input=raw, capture_output=True,
        check=False, timeout=60, env=env,
    )  # fmt: skip


def lerim(repo: Repo, *words: str) -> bytes:
    """Run a verb in the environment of a hook; return what it printed."""
    env = environment() | {"PYTHONSAFEPATH": "1"}
    code, out, err = forks.run(repo.path, words, env, b"", 60)
    assert code == 0, err
    return out


def hook(repo: Repo, agent: str, event: str, **payload: Any) -> str:
    """Return the text that an agent is given for an event."""
    done = run(
        agent,
        event,
        json.dumps({"session_id": "s1", "cwd": str(repo.path), **payload}).encode(),
        repo.path,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return context(agent, event, done.stdout)


def context(agent: str, event: str, out: bytes) -> str:
    if not out or agent in {"pi", "opencode"}:
        return out.decode()
    said = json.loads(out)
    if agent == "copilot":
        return str(said["additionalContext"])
    if agent == "cursor":
        return str(said["additional_context"])
    assert said["hookSpecificOutput"]["hookEventName"] == event
    return str(said["hookSpecificOutput"]["additionalContext"])


def recorded(agent: str, repo: Repo) -> list[tuple[str, dict[str, Any]]]:
    text = (DATA / f"{agent}.jsonl").read_text().replace("@REPO@", str(repo.path))
    return [(row["event"], row["payload"]) for row in map(json.loads, text.splitlines())]


@pytest.fixture
def memory(repo: Repo, world: World) -> Repo:
    """Return a repository with one memory for each occasion, whose brief holds only what people
    want.
    """
    (repo.path / "slug.py").write_text('SEP = "-"\n')
    repo.git("add", "slug.py")
    repo.git("commit", "-q", "-m", "Slugs")
    world.lerim(repo.path, "remember", WISH, "--kind", "preference")
    world.lerim(repo.path, "remember", FILE, "--decision", "--file", "slug.py")
    world.lerim(repo.path, "remember", ERROR, "--kind", "pitfall")
    world.lerim(repo.path, "remember", NEAR, "--decision")
    lerim(repo, "brief")
    return repo


@pytest.fixture
def short(memory: Repo) -> Repo:
    """Return that repository with a brief that has room for nothing, so that prompts, files and
    errors are answered.
    """
    memory.git("config", "lerim.briefTokens", "1")
    lerim(memory, "brief")
    return memory


def test_what_a_variable_hides_from_one_hook_is_shown_to_the_next(
    memory: Repo, world: World
) -> None:
    world.lerim(memory.path, "remember", "Floats round, so prices are integers.")
    payload = {"session_id": "s2", "cwd": str(memory.path), "source": "startup"}
    hides = {"LERIM_REDACT_PATTERN": "[a-z]{3,}"}

    hidden = run(
        "claude", "SessionStart", json.dumps(payload).encode(), memory.path, env=hides
    ).stdout.decode()
    text = hook(memory, "claude", "SessionStart", source="startup")

    assert "[REDACTED:pattern]" in hidden
    assert WISH not in hidden
    assert "[REDACTED:pattern]" not in text
    assert WISH in text


def test_a_session_begins_with_the_brief(memory: Repo) -> None:
    text = hook(memory, "claude", "SessionStart", source="startup")

    assert text.startswith("<lerim-memory-")
    assert all(said in text for said in (WISH, FILE, ERROR, NEAR))


@pytest.mark.parametrize("source", ["resume", "compact"])
def test_a_session_that_goes_on_is_given_only_what_changed(
    memory: Repo, world: World, source: str
) -> None:
    assert hook(memory, "claude", "SessionStart", source="startup")
    assert hook(memory, "claude", "SessionStart", source=source) == ""

    new = world.lerim(memory.path, "remember", "Never push on Fridays", "--kind", "preference")
    assert new.code == 0
    lerim(memory, "brief")
    text = hook(memory, "claude", "SessionStart", source=source)

    assert "Never push on Fridays" in text
    assert WISH not in text


@pytest.mark.parametrize("source", ["resume", "compact"])
def test_a_session_that_goes_on_is_not_filled_up_again(repo: Repo, source: str) -> None:
    learnt = [
        memory_of(
            id=naming.memory_id("claude", f"record {n}", "learning", 0),
            title=f"The gradient of panel {n} is drawn after all other panels",
        )
        for n in range(70)
    ]
    files = {naming.path_of(each): frontmatter.render(each) for each in learnt}
    store_at(repo.path).commit(lambda _: Change(files=files, subject="write"))

    begun = hook(repo, "claude", "SessionStart", source="startup")

    assert begun.count("The gradient") > 10
    assert hook(repo, "claude", "SessionStart", source=source) == ""


def test_right_after_a_write_the_last_brief_is_given_and_says_so(
    memory: Repo, world: World
) -> None:
    world.lerim(memory.path, "remember", "Never push on Fridays", "--kind", "preference")

    text = hook(memory, "claude", "SessionStart", source="startup")

    assert "The memory has changed since" in text
    assert WISH in text
    assert _soon(
        lambda: (
            "Never push on Fridays"
            in hook(
                memory, "claude", "SessionStart", source="startup", session_id=os.urandom(4).hex()
            )
        )
    )


def test_a_prompt_brings_what_is_near_once_and_counts_as_an_access(short: Repo) -> None:
    asked = "How do we handle unicode in titles, with unidecode?"

    text = hook(short, "claude", "UserPromptSubmit", prompt=asked)

    assert NEAR in text
    assert WISH not in text
    assert hook(short, "claude", "UserPromptSubmit", prompt=asked) == ""
    assert len((short.path / ".git/lerim/accesses").read_text().splitlines()) == 1


def test_silence_is_the_answer_to_most_prompts(memory: Repo) -> None:
    for prompt in (
        "fix the typo in the readme please",
        "go on",
        "",
        "Add a test for the parser.",
        "Why?\0",
    ):
        assert hook(memory, "claude", "UserPromptSubmit", prompt=prompt) == ""


def test_a_prompt_takes_no_more_than_its_tokens(short: Repo) -> None:
    short.git("config", "lerim.promptTokens", "20")

    assert (
        hook(
            short,
            "claude",
            "UserPromptSubmit",
            prompt="How do we handle unicode in titles, with unidecode?",
        )
        == ""
    )


def test_what_gemini_puts_before_a_prompt_is_not_searched_for(short: Repo) -> None:
    asked = f"<hook_context>{NEAR}</hook_context>\n\nfix the typo please"

    assert hook(short, "gemini", "BeforeAgent", prompt=asked) == ""


def test_a_file_brings_its_decisions_and_pitfalls_once(short: Repo) -> None:
    read = {"tool_name": "Read", "tool_input": {"file_path": str(short.path / "slug.py")}}

    text = hook(short, "claude", "PreToolUse", **read)

    assert FILE in text
    assert NEAR not in text
    assert hook(short, "claude", "PreToolUse", **read) == ""
    assert FILE in hook(short, "claude", "PreToolUse", **read, session_id="another")


@pytest.mark.parametrize("kind", ["fact", "preference"])
def test_a_file_brings_all_that_the_user_wrote_by_hand_about_it(
    short: Repo, world: World, kind: str
) -> None:
    note = "The longest slug has sixty characters, as the printed catalogue has"
    noted = "A slug is made before the article is stored"
    world.lerim(short.path, "remember", note, "--kind", kind, "--file", "slug.py")
    learnt = replace(
        memory_of(title=noted, primitive=Primitive.LEARNING, kind=Kind(kind)),
        anchors=(Anchor(path="slug.py", blob="a" * 40),), origin=Origin.HUMAN,
    )  # fmt: skip
    files = {naming.path_of(learnt): frontmatter.render(learnt)}
    store_at(short.path).commit(lambda _: Change(files=files, subject="write"))
    world.lerim(short.path, "brief", "--budget", "1")
    read = {"tool_name": "Read", "tool_input": {"file_path": str(short.path / "slug.py")}}

    text = hook(short, "claude", "PreToolUse", **read)

    assert note in text
    assert FILE in text
    assert noted not in text  # a person's words in a session


def test_files_bring_nothing_where_the_user_does_not_want_it(short: Repo) -> None:
    short.git("config", "lerim.fileNotes", "false")

    assert (
        hook(short, "claude", "PreToolUse", tool_name="Read", tool_input={"file_path": "slug.py"})
        == ""
    )


def test_other_files_bring_nothing(short: Repo) -> None:
    for path in ("/etc/passwd", "../slug.py", "other.py", "a\0b", "\ud800", 7, ["slug"]):
        assert (
            hook(short, "claude", "PreToolUse", tool_name="Read", tool_input={"file_path": path})
            == ""
        )


def test_an_error_brings_the_pitfall_that_tells_of_it_once(short: Repo) -> None:
    failed = {"tool_name": "Bash", "tool_input": {"command": "python3 test_slug.py"}}
    error = (
        'Exit code 1\nTraceback (most recent call last):\n  File "test_slug.py", line'
        " 4\nAssertionError: hello--\n"
    )

    assert (
        hook(
            short,
            "claude",
            "PostToolUseFailure",
            **failed,
            error="Exit code 1\nfatal: no upstream branch\n",
        )
        == ""
    )
    assert ERROR in hook(short, "claude", "PostToolUseFailure", **failed, error=error)
    assert hook(short, "claude", "PostToolUseFailure", **failed, error=error) == ""


FAILS = '`make test` fails with “psycopg.OperationalError: connection to server at "127.0.0.1"…”'
FIXED = (
    "Port 5432 is taken by the PostgreSQL of this machine; the container listens on 5433. `make"
    " test` failed with “psycopg.OperationalError: connection to server failed”; a change of"
    " `Makefile` made it pass. "
)
REFUSED = 'psycopg.OperationalError: connection to server at "127.0.0.1", port 5432 failed: refused'


@pytest.mark.parametrize("tokens", ["400", "180"])
def test_of_a_failure_the_cause_is_told_however_long_the_memory_is(
    short: Repo, world: World, tokens: str
) -> None:
    told = f"{FIXED}{'The rest is another story. ' * 7}"
    world.lerim(short.path, "remember", told, "--title", FAILS, "--kind", "pitfall")
    short.git("config", "lerim.promptTokens", tokens)
    lerim(short, "brief")
    text = hook(
        short,
        "claude",
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "make test"},
        error=f"Exit code 2\n{REFUSED}\n",
    )

    assert "`make test` fails. Port 5432 is taken by" in text
    assert "listens on 5433" in text
    assert "psycopg" not in text  # the agent was just shown it


def test_a_command_that_succeeds_is_no_error(short: Repo) -> None:
    passed = {
        "tool_name": "run_shell_command",
        "tool_response": {"llmContent": "Output: AssertionError: hello-- is gone\nExit Code: 0"},
    }

    assert hook(short, "gemini", "AfterTool", **passed) == ""


def test_a_sub_agent_is_given_a_brief_of_its_own(memory: Repo) -> None:
    assert WISH in hook(memory, "claude", "SessionStart", source="startup")
    assert WISH in hook(
        memory, "claude", "SubagentStart", agent_id="a4d7", agent_type="general-purpose"
    )
    assert delivered.ids(str(memory.path / ".git/lerim"), "claude", "s1") == set(_ids(memory))


def test_a_sub_agent_is_given_what_is_near_to_its_task(short: Repo) -> None:
    short.git("config", "lerim.briefTokens", "165")  # which has room for what is most worth it
    task = {
        "description": "titles",
        "prompt": "Find out how Unicode is folded in titles, with unidecode",
    }

    assert NEAR not in hook(
        short,
        "claude",
        "SubagentStart",
        agent_id="a1",
        agent_type="general-purpose",
        session_id="other",
    )
    assert hook(short, "claude", "PreToolUse", tool_name="Agent", tool_input=task) == ""
    text = hook(short, "claude", "SubagentStart", agent_id="a2", agent_type="general-purpose")

    assert NEAR in text.partition("On what was asked:")[2]
    assert "Find out" not in "".join(
        path.read_text() for path in (short.path / ".git/lerim/delivered").iterdir()
    )
    assert NEAR in hook(
        short, "claude", "UserPromptSubmit", prompt=task["prompt"]
    )  # its parent does not know it yet
    assert NEAR in hook(
        short, "claude", "SubagentStart", agent_id="a3", session_id="new", prompt=task["prompt"]
    )


def test_the_end_of_a_session_syncs_it_without_anybody_typing(memory: Repo, world: World) -> None:
    world.session("claude-catalog.jsonl", memory.path)

    assert hook(memory, "claude", "SessionEnd", session_id=CATALOG, reason="other") == ""

    assert _soon(
        lambda: "from claude 5b0c1a2f" in memory.git("log", "-2", "--format=%s", "lerim/memory")
    )
    assert _soon((memory.path / ".git/lerim/brief.md").exists)


def test_an_end_without_a_session_writes_nothing(memory: Repo) -> None:
    before = memory.git("rev-parse", "lerim/memory")

    hook(memory, "claude", "SessionEnd", session_id="nobody-knows", reason="other")

    assert _soon((memory.path / ".git/lerim/brief.md").exists)
    assert memory.git("rev-parse", "lerim/memory") == before


def test_an_open_handoff_is_handed_over_once(memory: Repo, world: World) -> None:
    done = world.lerim(
        memory.path, "handoff", "begin", "The parser is half done; next: numbers with a sign."
    )
    assert done.code == 0, done.err

    first, second = (
        hook(memory, "claude", "SessionStart", source="startup", session_id=name)
        for name in ("a", "b")
    )

    assert "half done" in first
    assert "half done" not in second
    assert WISH in second


@pytest.mark.parametrize("agent", sorted(MOMENTS))
def test_every_recorded_payload_is_answered_in_the_agents_form(agent: str, short: Repo) -> None:
    texts = []
    for event, payload in recorded(agent, short):
        done = run(agent, event, json.dumps(payload).encode(), short.path, starts_python=True)
        assert (done.returncode, done.stderr) == (0, b"")
        texts.append(context(agent, event, done.stdout))

    said = "".join(texts)
    assert said.count(FILE) == 1
    assert said.count(ERROR) == 1
    assert (NEAR in said) == (agent != "cursor")  # which lets no hook add to a prompt


@pytest.mark.parametrize("agent", sorted(MOMENTS))
def test_every_session_start_is_answered_in_the_agents_form(agent: str, memory: Repo) -> None:
    begins = [
        (event, payload)
        for event, payload in recorded(agent, memory)
        if MOMENTS[agent][event] == "start"
    ]
    assert begins

    for event, payload in begins:
        done = run(agent, event, json.dumps(payload).encode(), memory.path)
        assert WISH in context(agent, event, done.stdout)


@pytest.mark.parametrize("is_default", [False, True])
def test_a_repository_that_never_used_it_is_left_as_it_is(repo: Repo, *, is_default: bool) -> None:
    if is_default:  # as in a clone of a remote whose default branch it is
        repo.git("checkout", "-q", "-b", "lerim/memory")
    before = sorted((repo.path / ".git").rglob("*"))

    for agent in MOMENTS:
        for event, payload in recorded(agent, repo):
            done = run(agent, event, json.dumps(payload).encode(), repo.path)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    assert sorted((repo.path / ".git").rglob("*")) == before


JUNK = {
    "nothing": b"",
    "junk": b"{not json <<<",
    "NUL": b'{"session_id": "a\0b"}',
    "bytes": bytes(range(256)),
    "a list": b"[]",
    "deep": b"[" * 200_000,
    "10 MB": b'{"session_id": "s", "prompt": "' + b"a" * 10_000_000 + b'"}',
    "no JSON but NUL": b"\0" * 1000,
    "wrong types": b'{"session_id": {"a": 1}, "cwd": 7, "prompt": [[]], "tool_name": [], "tool_input": 3}',  # noqa: E501
    "surrogates": b'{"session_id": "\\ud800", "cwd": "\\ud800", "prompt": "unidecode \\ud800 unicode titles"}',  # noqa: E501
}


@pytest.mark.parametrize(
    "event", ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure"]
)
def test_junk_is_answered_by_silence(event: str, short: Repo) -> None:
    for name, raw in JUNK.items():
        done = run("claude", event, raw, short.path)

        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == b"" or (
            name in {"wrong types", "surrogates"} and json.loads(done.stdout)
        )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "> /dev/full", "| true"])
def test_closed_and_full_streams_do_no_harm(closed: str, memory: Repo) -> None:
    payload = json.dumps({"session_id": "s", "cwd": str(memory.path), "source": "startup"})
    index = (memory.path / ".git/lerim/index.sqlite3").read_bytes()
    script = (
        f"printf %s '{payload}' | {{ '{sys.executable}' -m git_lerim hook claude SessionStart"
        f" {closed}; }}"
    )

    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        cwd=memory.path,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert (memory.path / ".git/lerim/index.sqlite3").read_bytes() == index


def test_an_index_that_is_locked_is_not_waited_for(memory: Repo) -> None:
    index = sqlite3.connect(memory.path / ".git/lerim/index.sqlite3", isolation_level=None)
    index.execute("PRAGMA locking_mode=EXCLUSIVE")
    index.execute("BEGIN EXCLUSIVE")

    text = hook(memory, "claude", "SessionStart", source="startup")

    assert "another process keeps" in text
    index.close()


def test_where_nothing_can_be_noted_nothing_is_said(memory: Repo) -> None:
    place = memory.path / ".git/lerim/delivered"
    place.write_text("no folder")

    assert hook(memory, "claude", "SessionStart", source="startup") == ""


def test_outside_of_a_repository_nothing_is_said(tmp_path: Path) -> None:
    done = run(
        "claude",
        "SessionStart",
        json.dumps({"session_id": "s", "cwd": str(tmp_path), "source": "startup"}).encode(),
        tmp_path,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_hook_inside_our_own_work_is_silent(memory: Repo) -> None:
    raw = json.dumps({"session_id": "s", "cwd": str(memory.path), "source": "startup"}).encode()

    assert run("claude", "SessionStart", raw, memory.path, env={"LERIM_HOOKS": "0"}).stdout == b""


def test_cursor_that_runs_the_hooks_of_claude_is_not_told_twice(memory: Repo) -> None:
    assert hook(memory, "claude", "SessionStart", source="startup", cursor_version="2.9") == ""


def test_what_was_delivered_last_is_known(memory: Repo) -> None:
    hook(memory, "claude", "SessionStart", source="startup")

    last = delivered.last_deliveries(memory.path / ".git/lerim")

    assert last["claude"].event == "SessionStart"
    assert last["claude"].tokens > 50


def test_the_long_way_says_the_same_as_a_glance(memory: Repo, world: World) -> None:
    payload = json.dumps({"session_id": "long", "cwd": str(memory.path), "source": "startup"})

    done = world.lerim(
        memory.path, "hook", "claude", "SessionStart", stdin=payload
    )  # the sealed world's variables are in its way

    assert context("claude", "SessionStart", done.out.encode()) == hook(
        memory, "claude", "SessionStart", source="startup"
    )


def test_a_hook_in_a_work_tree_starts_few_processes_and_loads_little(
    memory: Repo, world: World, tmp_path: Path
) -> None:
    world.lerim(memory.path, "init", "--tree")
    memory.git("add", ".lerim")
    memory.git("commit", "-qm", "The memory into the tree")
    (memory.path / ".git/lerim/own").unlink()  # as if others had written all memories
    memory.git("repack", "-adq")
    payload = json.dumps({"session_id": "s1", "cwd": str(memory.path)}).encode()
    assert b"linter" in run("claude", "SubagentStart", payload, memory.path).stdout
    code = (
        "import sys; from git_lerim.__main__ import main; sys.argv[1:] = ['hook', 'claude',"
        " 'SubagentStart']; main(); print(*sys.modules, sep='\\n', file=sys.stderr)"
    )

    trace = tmp_path / "trace"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=memory.path, input=payload, capture_output=True,
        check=True, env=environment() | {"GIT_TRACE2_EVENT": str(trace)},
    )  # fmt: skip

    rows = map(json.loads, trace.read_text().splitlines())
    started = [row["argv"] for row in rows if row["event"] == "start"]
    assert [argv for argv in started if "var" in argv] == []  # no new commit by hand to look at
    assert len([argv for argv in started if "status" in argv]) == 1
    loaded = done.stderr.decode().splitlines()
    assert "git_lerim.storage.worktree.worktree_store" in loaded
    assert {"pygit2", "msgspec"}.isdisjoint(loaded)


def _soon(holds: Any) -> bool:
    """Tell whether something holds within a while, as a process that nobody waits for brings it
    about.
    """
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.2)
    return False


def _ids(repo: Repo) -> list[str]:
    return [row["id"] for row in json.loads(lerim(repo, "list", "--json"))]
