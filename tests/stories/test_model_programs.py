"""Models that nobody types for: the user's own `claude` as the model, and a model that a hook's
sync may or may not ask.
"""

import json
import os
import sys
import time
from pathlib import Path

import pytest
from support.chat import Endpoint, completion, memory, reply
from support.repos import Repo
from support.world import World

TITLE = "The product catalog is stored in SQLite"
QUOTE = "one file beside the application needs no server"


@pytest.fixture
def endpoint(endpoint: Endpoint) -> Endpoint:
    """Let the model give one memory."""
    endpoint.answer = lambda request: completion(reply(memory(request, QUOTE, TITLE)))
    return endpoint


def in_background(world: World, repo: Repo) -> None:
    ran = world.lerim(repo.path, "githook", "--quiet", "--now", "post-commit")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_a_hook_asks_no_model_that_the_user_did_not_allow_it_and_leaves_the_session_queued(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    world.lerim(repo.path, "init")
    repo.git("config", "--global", "lerim.syncWindow", "all")
    world.session("claude-catalog.jsonl", repo.path)

    in_background(world, repo)
    before = len(endpoint.asked), world.lerim(repo.path, "list", "--json").json
    repo.git("config", "--global", "lerim.modelInBackground", "true")
    in_background(world, repo)

    assert before == (0, [])
    assert len(endpoint.asked) == 1
    assert [row["title"] for row in world.lerim(repo.path, "list", "--json").json] == [TITLE]


def test_the_first_use_says_what_leaves_and_where_to_and_no_later_one_does(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    world.session("claude-catalog.jsonl", repo.path)

    first = world.lerim(repo.path, "sync", "--window", "all")
    again = world.lerim(repo.path, "sync", "--window", "all", "--force")

    (line,) = [line for line in first.err.splitlines() if " tokens, to " in line]
    assert line.startswith("sending 1 session, about ")
    assert line.endswith(
        f"to careful at 127.0.0.1:{endpoint.url.rsplit(':', 1)[1].split('/')[0]}: compacted,"
        " with secrets redacted"
    )
    assert "sending" not in again.err


def test_a_repository_cannot_let_its_hooks_ask_a_model(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    world.lerim(repo.path, "init")
    repo.git("config", "--global", "lerim.syncWindow", "all")
    repo.git("config", "lerim.modelInBackground", "true")
    world.session("claude-catalog.jsonl", repo.path)

    world.lerim(repo.path, "githook", "--quiet", "--now", "post-commit")

    assert endpoint.asked == []


@pytest.mark.parametrize("hook", [("hook", "claude", "SessionEnd"), ("githook", "post-commit")])
def test_nor_can_variables_that_an_agent_took_from_its_files(
    hook: tuple[str, ...], world: World, repo: Repo, endpoint: Endpoint
) -> None:
    world.lerim(repo.path, "init")
    repo.git("config", "--global", "lerim.syncWindow", "all")
    repo.git("config", "--global", "--unset", "lerim.model")
    session = world.session("claude-catalog.jsonl", repo.path)
    ended = {"session_id": session.stem, "hook_event_name": "SessionEnd", "cwd": str(repo.path)}
    env = {"LERIM_MODEL": "careful", "LERIM_MODEL_IN_BACKGROUND": "true"}

    ran = world.lerim(repo.path, *hook, stdin=json.dumps(ended), env=env)

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    for _ in range(200):
        if world.lerim(repo.path, "list", "--json").json:
            break
        time.sleep(0.1)
    assert world.lerim(repo.path, "list", "--json").json  # by rules, without a model
    assert endpoint.asked == []


def test_a_day_in_the_background_has_a_budget(world: World, repo: Repo, endpoint: Endpoint) -> None:
    world.lerim(repo.path, "init")
    for name, value in {
        "syncWindow": "all",
        "modelInBackground": "true",
        "budgetTokens": "10",
    }.items():
        repo.git("config", "--global", f"lerim.{name}", value)
    world.session("claude-catalog.jsonl", repo.path)

    world.lerim(repo.path, "githook", "--quiet", "--now", "post-commit")

    assert endpoint.asked == []
    assert world.lerim(repo.path, "status", "--json").json["sessions"]["waiting"] == 1


PROGRAM = """#!/bin/sh
printf '%s\\n' "$@" > {seen}/arguments
pwd > {seen}/folder
env > {seen}/environment
cat > {seen}/prompt
{act}
"""


def program(folder: Path, act: str) -> dict[str, str]:
    """Put a `claude` on PATH that does something with what it is asked; return the environment for
    it.
    """
    folder.mkdir()
    made = folder / "claude"
    made.write_text(PROGRAM.format(seen=folder, act=act))
    made.chmod(0o755)
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "LERIM_MODEL": "cli:claude",
        "ANTHROPIC_API_KEY": "sk-secret-1",
    }


@pytest.fixture
def asked(world: World, repo: Repo) -> Repo:
    world.session("claude-catalog.jsonl", repo.path)
    return repo


def test_the_users_own_claude_writes_the_memories(
    world: World, asked: Repo, tmp_path: Path
) -> None:
    prompt = f"import json,sys; sys.path[:0] = {json.dumps([str(Path(__file__).parents[1])])}; "
    prompt += "from support.chat import memory, reply; text = open(sys.argv[1]).read(); "
    prompt += (
        "request = {'messages': [{}, {'role': 'user', 'content': text}]}; m ="
        f" memory(request, {QUOTE!r}, {TITLE!r}); "
    )
    prompt += (
        "print(json.dumps({'type': 'result', 'is_error': False, 'result': json.dumps(reply(m)),"
    )
    prompt += " 'usage': {'input_tokens': 3, 'cache_read_input_tokens': 4, 'output_tokens': 5}}))"
    (tmp_path / "answer.py").write_text(prompt.replace("; ", "\n"))
    env = program(
        tmp_path / "bin", f'{sys.executable} {tmp_path}/answer.py "$(dirname "$0")/prompt"'
    )

    ran = world.lerim(
        asked.path,
        "sync",
        "--window",
        "all",
        "--json",
        env=env | {"GIT_DIR": str(asked.path / ".git")},
    )
    seen = tmp_path / "bin"

    assert ran.code == 0, ran.err
    assert (ran.json["tokens_in"], ran.json["tokens_out"]) == (7, 5)
    assert [row["title"] for row in world.lerim(asked.path, "list", "--json").json] == [TITLE]
    assert "Lerim-Model: cli:claude" in asked.git(
        "log", "-1", "--format=%(trailers)", "lerim/memory"
    )
    arguments = (seen / "arguments").read_text().split("\n")
    assert arguments[:5] == ["--print", "--output-format", "json", "--tools", ""]
    assert "--no-session-persistence" in arguments
    assert not Path((seen / "folder").read_text().strip()).exists()
    environment = (seen / "environment").read_text()
    assert "GIT_DIR=" not in environment
    assert "LERIM_HOOKS=0" in environment


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (
            "echo 'error: unknown option --tools' >&2; exit 1",
            "lacks an option that git-lerim needs",
        ),
        ("echo 'Invalid API key · Please run /login'; exit 1", "claude is not logged in"),
        (
            'echo \'{"is_error": true, "result": "usage limit reached"}\'',
            "claude has reached a subscription limit",
        ),
        ("exit 3", "claude failed with exit code 3"),
        ("echo junk", "claude did not answer with a result"),
        ("sleep 60", "claude did not answer within 1 s"),
    ],
)
def test_a_claude_that_fails_leaves_the_session_queued_and_says_why(
    world: World, asked: Repo, tmp_path: Path, act: str, said: str
) -> None:
    env = program(tmp_path / "bin", act) | {"LERIM_MODEL_TIMEOUT": "1"}

    ran = world.lerim(asked.path, "sync", "--window", "all", env=env)

    assert ran.code == 3
    assert said in ran.err
    assert "sk-secret" not in ran.err
    assert world.lerim(asked.path, "list", "--json").json == []


def test_without_claude_on_path_nothing_is_tried(world: World, asked: Repo) -> None:
    ran = world.lerim(asked.path, "sync", "--window", "all", env={"LERIM_MODEL": "cli:claude"})
    other = world.lerim(asked.path, "sync", "--window", "all", env={"LERIM_MODEL": "cli:codex"})

    assert ran.code == 1
    assert "claude is not on PATH" in ran.err
    assert "lerim.model is 'cli:codex', which cannot be used" in other.err
