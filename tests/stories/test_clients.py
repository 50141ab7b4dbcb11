"""The real coding agents: what `git lerim install` gives them reaches their model, and what was
said in them the branch.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.clients import MCP, PROGRAMS, Client, allow_plugins, program, running
from support.repos import Repo
from support.world import SECRET, World

pytestmark = pytest.mark.clients
NAMES_ITS_SESSION = {"claude", "codex", "copilot", "qwen"}  # to an MCP server
WISH = "From now on, always use pathlib instead of os.path in this repository."
LINTER = "Always run the linter before a commit"
MEMORIES = (
    (LINTER, "--kind", "preference"),
    (
        "Slugs keep the hyphen as separator because URLs of old articles use it",
        "--decision",
        "--file",
        "slug.py",
    ),
    (
        (
            "test_slug.py fails with AssertionError: hello-- until empty words are dropped after"
            " the split"
        ),
        "--kind",
        "pitfall",
    ),
    ("Unicode is folded to ASCII with unidecode in titles", "--decision"),
)
HEADINGS = ("On what was asked:", "On the files at hand:", "On this error:")
REWRITTEN = (
    ".claude.json",
    ".codex/config.toml",
    ".qwen/settings.json",
)  # files that the agent itself writes when it runs


@pytest.fixture(params=sorted(PROGRAMS))
def client(request: pytest.FixtureRequest, tmp_path: Path, repo: Repo) -> Iterator[Client]:
    yield from started(request.param, tmp_path, repo)


@pytest.fixture
def opencode(tmp_path: Path, repo: Repo) -> Iterator[Client]:
    yield from started("opencode", tmp_path, repo)


def started(agent: str, tmp_path: Path, repo: Repo) -> Iterator[Client]:
    if program(agent) is None:
        pytest.skip(f"no {agent} below LERIM_CLIENTS, or no scripted model")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Tester\n\temail = ada@example.org\n")
    (repo.path / "slug.py").write_text(
        'SEP = "-"\ndef slugify(title):\n    return SEP.join(title.lower().replace(",", "'
        ' ").split(" "))\n'
    )
    (repo.path / "test_slug.py").write_text(
        'from slug import slugify\nassert slugify("Hello, ") == "hello", slugify("Hello, ")\n'
    )
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "Slugs")
    with running(agent, home, repo.path) as client:
        for words in MEMORIES:
            lerim(client, "remember", *words)
        yield client


prepared = contextmanager(started)


def lerim(client: Client, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "git_lerim", *words],
        cwd=client.repo,
        env=client.env,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def install(client: Client) -> list[Path]:
    """Install everything for the agent, and return the files that were written."""
    (part,) = json.loads(lerim(client, "install", "--agent", client.agent, "--yes", "--json"))
    assert part["done"]
    return [Path(file["path"]) for file in part["files"]]


def state(home: Path) -> dict[str, bytes]:
    """Return the bytes of all settings below a home; not what a model's server writes there, nor a
    package of others.
    """
    found = {str(path.relative_to(home)): path for path in home.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if "node_modules/" not in name and name[:6] != "model/"
    }


def soon(client: Client, text: str) -> bool:
    """Tell whether the list of memories holds a text within a while: a process that nobody waits
    for writes it.
    """
    until = time.monotonic() + 30
    while text not in lerim(client, "list"):
        if time.monotonic() > until:
            return False
        time.sleep(0.5)
    return True


def test_a_decision_goes_from_one_session_to_the_next_without_anybody_typing(
    client: Client,
) -> None:
    if client.agent == "opencode" and not allow_plugins(client.home):
        pytest.skip("no package of OpenCode's plugins below LERIM_CLIENTS")
    before = state(client.home)
    install(client)
    lerim(client, "uninstall", "--agent", client.agent, "--yes")
    assert state(client.home) == before
    written = install(client)

    first = client.ask(f"Where is Unicode handled, by unidecode? {WISH}")
    assert LINTER in first
    assert soon(client, "always use pathlib")
    time.sleep(2)  # the brief for the next session is being prepared

    assert client.ask("Hello again, what comes next?").count("always use pathlib") > 0
    if client.agent not in {"pi", "opencode"}:  # whose other tools are no hooks
        assert (client.home / "theirs-ran").exists()
    lerim(client, "uninstall", "--agent", client.agent, "--yes")
    after = state(client.home)
    for path in (str(path.relative_to(client.home)) for path in written):
        if path not in REWRITTEN:
            assert after.get(path) == before.get(path), path
        else:
            assert b"git-lerim" not in after.get(path, b""), path
    assert not [path for path in after if "git-lerim" in path]


def test_prompts_files_and_errors_bring_what_belongs_to_them(client: Client) -> None:
    if client.agent == "opencode" and not allow_plugins(client.home):
        pytest.skip("no package of OpenCode's plugins below LERIM_CLIENTS")
    room = "1" if client.agent != "qwen" else "150"  # whose first prompt brings the brief, too
    subprocess.run(["git", "config", "lerim.briefTokens", room], cwd=client.repo, check=True)
    install(client)

    sent = client.ask("Where is Unicode handled in titles, with unidecode?")

    brought = [heading for heading in HEADINGS if heading in sent]
    assert brought[:1] == list(HEADINGS[:1])
    assert (
        brought == list(HEADINGS) or client.agent == "qwen"
    )  # whose brief may have said the rest already


def test_the_model_is_offered_the_tools_and_the_skill(client: Client) -> None:
    install(client)

    sent = client.ask("What does slug.py do?")

    assert "Search it before choosing between options" in sent
    assert (
        "Search when an answer could save work" not in sent
    )  # the skill itself waits until it is asked for
    if client.agent != "pi":  # which speaks no MCP
        assert re.search(
            r"\blerim[-_]remember|mcp_lerim_remember|mcp__lerim__remember|mcp__lerim\b", sent
        )


def test_a_helper_of_claude_is_given_what_is_near_to_its_task(tmp_path: Path, repo: Repo) -> None:
    for client in started("claude", tmp_path, repo):
        subprocess.run(["git", "config", "lerim.briefTokens", "150"], cwd=client.repo, check=True)
        install(client)

        requests = client.ask("Ask a helper about this.").splitlines()

        of_helper = [line for line in requests if "SubagentStart hook additional context" in line]
        assert of_helper
        assert all(
            "Unicode is folded to ASCII" in line.partition(HEADINGS[0])[2] for line in of_helper
        )


def test_opencode_without_its_package_reads_the_brief_as_instructions(opencode: Client) -> None:
    before = state(opencode.home)
    install(opencode)

    sent = opencode.ask(f"Where is Unicode handled, by unidecode? {WISH}")

    assert LINTER in sent
    assert "The rules of another tool." in sent
    lerim(opencode, "sync", "-q")
    assert "always use pathlib" in lerim(opencode, "list")
    lerim(opencode, "uninstall", "--agent", "opencode", "--yes")
    config = ".config/opencode/opencode.json"
    assert state(opencode.home)[config] == before[config]


@pytest.mark.parametrize("agent", MCP)
def test_an_agent_searches_reads_and_remembers_by_its_tools(
    agent: str, tmp_path: Path, repo: Repo
) -> None:
    with prepared(agent, tmp_path, repo) as client:
        lerim(client, "install", "--agent", agent, "--user", "--yes")
        client.env["LERIM_HOOKS"] = "0"  # all that its model sees of the memory comes by the tools
        lerim(client, "handoff", "begin", "Slugs of articles are half done")
        known = next(
            row for row in memories(client) if row["title"].startswith("Slugs keep the hyphen")
        )
        decided = (
            "Article slugs are cut at 80 characters because the old router truncates longer paths"
        )
        note = {
            "title": decided,
            "why": "The router answers 404 beyond that.",
            "type": "decision",
            "files": ["slug.py"],
        }
        client.script("cut long slugs", [
            ("search", {"query": "hyphen separator"}),
            ("read", {"ids": [known["id"]]}),
            ("remember", note),
            ("handoff", {"action": "claim"}),
        ])  # fmt: skip

        sent = client.ask(f"Where do we cut long slugs? I decided: {decided}.")
        id_ = re.search(r"remembered ([a-z2-7]{13})\b", sent)
        assert id_, sent[-3000:]
        seen = max(
            request.count("Slugs keep the hyphen as separator") for request in sent.splitlines()
        )
        assert seen >= 2  # the row, and the whole
        lerim(client, "sync", "--window", "all")
        lerim(client, "sync", "--window", "all")

        kept = [row for row in memories(client) if "80 characters" in row["title"]]
        assert [(row["id"], row["origin"]) for row in kept] == [(id_[1], "agent")]
        [source] = json.loads(lerim(client, "show", id_[1], "--json"))[0]["sources"]
        assert source["agent"] == agent
        [claim] = json.loads(lerim(client, "handoff", "list", "--all", "--json"))
        session = source["session"] if agent in NAMES_ITS_SESSION else None
        assert (claim["claimed_by"]["agent"], claim["claimed_by"]["session"]) == (agent, session)
        assert [row["name"] for row in json.loads(lerim(client, "sessions", "--json"))] == [
            f"{agent}/{source['session']}"
        ]


def memories(client: Client) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(lerim(client, "list", "--json"))
    return rows


def test_the_real_claude_writes_memories_as_the_model(tmp_path: Path, repo: Repo) -> None:
    with prepared("claude", tmp_path, repo) as client:
        kept = '{"records": [3, 4], "quote": "one file beside the application needs no server",'
        kept += ' "final_record": 4, "basis": "user_decided", "type": "decision", "title":'
        kept += ' "The product catalog is stored in SQLite", "body": "One file beside the'
        kept += ' application needs no server.", "files": [], "value": "useful"}'
        answer = f'{{"intent": "A catalog.", "outcome": "Built.", "memories": [{kept}]}}'
        scenario = {"match": "The shop needs a product catalog", "turns": [{"text": answer}]}
        (client.log.parent / "script.json").write_text(json.dumps({"scenarios": [scenario]}))
        World(client.home).session("claude-catalog.jsonl", client.repo)
        before = state(client.home)
        client.env["LERIM_MODEL"] = "cli:claude"
        install(client)

        lerim(client, "sync", "--window", "all")

        assert "The product catalog is stored in SQLite" in lerim(client, "list")
        requests = [json.loads(line) for line in client.log.read_text().splitlines()]
        asked = [one["body"] for one in requests if one["body"].get("messages")]
        assert [one.get("tools", []) for one in asked] == [[]]
        assert "SQLite, because one file" in json.dumps(asked[0]["messages"])
        assert SECRET not in json.dumps(requests)
        sessions = [path for path in state(client.home) if path.startswith(".claude/projects")]
        assert sessions == [path for path in before if path.startswith(".claude/projects")]
        del client.env["ANTHROPIC_API_KEY"]
        ran = subprocess.run(
            [sys.executable, "-m", "git_lerim", "sync", "--window", "all", "--force"],
            cwd=client.repo, env=client.env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (ran.returncode, "claude is not logged in" in ran.stderr) == (3, True)
