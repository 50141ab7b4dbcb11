"""The real coding agents: what they are given by hooks reaches their model, and what was said in them reaches the branch."""

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
from support.clients import MCP, PROGRAMS, Client, add_server, program, running
from support.repos import Repo

from git_lerim.agents import hooked
from git_lerim.agents.base import Places
from git_lerim.agents.hooked import Target
from git_lerim.file_edits import addition, apply, removal

pytestmark = pytest.mark.clients
NAMES_ITS_SESSION = {"claude", "codex", "copilot", "qwen"}  # to an MCP server
WISH = "From now on, always use pathlib instead of os.path in this repository."
MEMORIES = (
    ("Always run the linter before a commit", "--kind", "preference"),
    ("Slugs keep the hyphen as separator because URLs of old articles use it", "--decision", "--file", "slug.py"),
    ("test_slug.py fails with AssertionError: hello-- until empty words are dropped after the split", "--kind", "pitfall"),
    ("Unicode is folded to ASCII with unidecode in titles", "--decision"),
)


@pytest.fixture(params=sorted(set(PROGRAMS) - {"opencode"}))  # which is given a file, not hooks
def client(request: pytest.FixtureRequest, tmp_path: Path, repo: Repo) -> Iterator[Client]:
    with prepared(request.param, tmp_path, repo) as client:
        yield client


@contextmanager
def prepared(agent: str, tmp_path: Path, repo: Repo) -> Iterator[Client]:
    """Set up an agent in a repository that has memories."""
    if program(agent) is None:
        pytest.skip(f"no {agent} below LERIM_CLIENTS, or no scripted model")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Tester\n\temail = ada@example.org\n")
    (repo.path / "slug.py").write_text(
        'SEP = "-"\ndef slugify(title):\n    return SEP.join(title.lower().replace(",", " ").split(" "))\n'
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


def lerim(client: Client, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "git_lerim", *words], cwd=client.repo, env=client.env, capture_output=True, check=True
    )
    return done.stdout.decode()


def target(client: Client) -> Target:
    launcher = str(Path(sys.executable).with_name("git-lerim"))
    return Target(places=Places(home=client.home, env={}, platform="linux"), scope="user", root=None, program=launcher)


def install(client: Client) -> dict[Path, bytes | None]:
    """Install the hooks, and return the settings as they were before."""
    files = hooked.hooked(client.agent).files(target(client))
    before = {file.path: file.path.read_bytes() if file.path.exists() else None for file in files}
    for file in files:
        edit = addition(file)
        assert edit is not None
        apply(edit)
    return before


def test_a_decision_goes_from_one_session_to_the_next_without_anybody_typing(client: Client) -> None:
    before = install(client)

    first = client.ask(f"Where is Unicode handled, by unidecode? {WISH}")
    assert "Always run the linter before a commit" in first
    until = time.monotonic() + 30
    while "pathlib" not in lerim(client, "list") and time.monotonic() < until:
        time.sleep(0.5)
    assert "always use pathlib" in lerim(client, "list")
    time.sleep(2)  # the brief for the next session is being prepared

    assert client.ask("Hello again, what comes next?").count("always use pathlib") > 0
    for file in hooked.hooked(client.agent).files(target(client)):
        edit = removal(file)
        assert edit is not None
        apply(edit)
    assert {path: path.read_bytes() if path.exists() else None for path in before} == before


def test_prompts_files_and_errors_bring_what_belongs_to_them(client: Client) -> None:
    room = "1" if client.agent != "qwen" else "150"  # whose first prompt brings the brief, too
    subprocess.run(["git", "config", "lerim.briefTokens", room], cwd=client.repo, check=True)
    install(client)

    sent = client.ask("Where is Unicode handled in titles, with unidecode?")

    headings = ["On what was asked:", "On the files at hand:", "On this error:"]
    assert [heading for heading in headings if heading in sent] == (headings[:1] if client.agent == "qwen" else headings)


@pytest.mark.parametrize("agent", MCP)
def test_an_agent_searches_reads_and_remembers_by_its_tools(agent: str, tmp_path: Path, repo: Repo) -> None:
    with prepared(agent, tmp_path, repo) as client:
        add_server(client)
        lerim(client, "handoff", "begin", "Slugs of articles are half done")
        known = next(row for row in memories(client) if row["title"].startswith("Slugs keep the hyphen"))
        decided = "Article slugs are cut at 80 characters because the old router truncates longer paths"
        note = {"title": decided, "why": "The router answers 404 beyond that.", "type": "decision", "files": ["slug.py"]}
        client.script("cut long slugs", [
            ("search", {"query": "hyphen separator"}),
            ("read", {"ids": [known["id"]]}),
            ("remember", note),
            ("handoff", {"action": "claim"}),
        ])  # fmt: skip

        sent = client.ask(f"Where do we cut long slugs? I decided: {decided}.")
        id_ = re.search(r"remembered ([a-z0-9]+)", sent)
        assert id_, sent[-3000:]
        seen = max(request.count("Slugs keep the hyphen as separator") for request in sent.splitlines())
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
        assert [row["name"] for row in json.loads(lerim(client, "sessions", "--json"))] == [f"{agent}/{source['session']}"]


def memories(client: Client) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(lerim(client, "list", "--json"))
    return rows
