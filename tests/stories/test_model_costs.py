"""What asking a model costs, and what is left of it: prices, budgets, a second model, and the
traces of each call.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.chat import Endpoint, Said, completion, memory, reply, serving
from support.claude import Recording
from support.repos import Repo
from support.world import CATALOG, SECRET, World

STORAGE = "The product catalog is stored in SQLite"
KEY = "sk-of-mine-0123456789abcdef"


@pytest.fixture
def endpoint(world: World, repo: Repo) -> Iterator[Endpoint]:
    """Return the model's endpoint, which the user has set, beside a session that waits."""
    world.session("claude-catalog.jsonl", repo.path)
    with serving() as server:
        setting(repo, model="careful", apiBase=server.url)
        server.answer = kept
        yield server


def setting(repo: Repo, **settings: str) -> None:
    for name, value in settings.items():
        repo.git("config", "--global", f"lerim.{name}", value)


def kept(request: dict[str, Any]) -> Said:
    return completion(
        reply(memory(request, "one file beside the application needs no server", STORAGE))
    )


def sync(world: World, repo: Repo, *words: str, code: int = 0) -> Any:
    ran = world.lerim(repo.path, "sync", "--window", "all", "--json", *words)
    assert ran.code == code, ran.err
    return ran.json


def test_without_prices_nobody_says_what_it_cost(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    report = sync(world, repo)

    assert (report["tokens_in"], report["tokens_out"], report["cost_usd"]) == (5000, 70, None)
    assert world.lerim(repo.path, "stats", "--json").json["model"][0]["cost_usd"] is None
    assert len(endpoint.asked) == 1


def test_with_prices_sync_stats_and_status_say_what_it_cost(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, priceIn="2", priceOut="10")
    first = sync(world, repo)
    told = world.lerim(repo.path, "sync", "--window", "all", "--force")
    stats = world.lerim(repo.path, "stats", "--json").json["model"]
    shown = world.lerim(repo.path, "stats").out
    status = world.lerim(repo.path, "status")

    assert first["cost_usd"] == 0.0107
    assert "careful: 5,000 tokens in, 70 out, $0.0107" in told.err
    assert len(endpoint.asked) == 2
    assert [
        {name: row[name] for name in ("runs", "tokens_in", "tokens_out", "cost_usd")}
        for row in stats
    ] == [{"runs": 2, "tokens_in": 10_000, "tokens_out": 140, "cost_usd": 0.0214}]
    assert "2 runs, 10,000 tokens in, 140 out, $0.02" in shown
    assert "model     careful: this month 2 runs, 10,000 tokens in, 140 out, $0.02" in status.out


def test_a_budget_in_dollars_ends_the_run_and_queues_the_rest(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    for number in range(2):
        world.session("claude-catalog.jsonl", repo.path, name=f"{number}{CATALOG[1:]}")
    setting(repo, priceIn="2", priceOut="10", budgetUsd="0.011")
    report = sync(world, repo, code=3)

    assert len(endpoint.asked) == 1
    assert (report["sessions_queued"], report["cost_usd"]) == (2, 0.0107)
    why = "the request exceeds what is left of the budget of $0.011 for one run"
    assert why in report["errors"][0]["error"]


def test_a_budget_in_dollars_without_prices_is_an_error_that_says_so(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, budgetUsd="1", priceIn="2")
    ran = world.lerim(repo.path, "sync", "--window", "all")

    assert ran.code == 1
    assert "lerim.budgetUsd has no effect without prices" in ran.err
    assert endpoint.asked == []


def test_where_one_model_does_not_answer_the_other_is_asked_and_named(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, fallbackModel="spare")
    endpoint.answer = lambda request: (
        Said(status=404, body=b"{}") if request["model"] == "careful" else kept(request)
    )
    report = sync(world, repo)

    assert report["decisions_added"] == 1
    assert [request["model"] for request in endpoint.asked] == ["careful", "spare"]
    assert "Lerim-Model: spare" in repo.git("log", "-1", "--format=%(trailers)", "lerim/memory")


def test_where_neither_model_answers_both_reasons_are_said(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, fallbackModel="spare")
    endpoint.answer = lambda request: Said(
        status=404 if request["model"] == "careful" else 401, body=b"{}"
    )
    (error,) = sync(world, repo, code=3)["errors"]

    assert "no model 'careful'" in error["error"]
    assert "the key is missing: OPENAI_API_KEY is not set" in error["error"]


# -- traces


def calls(world: World, repo: Repo, run: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.lerim(repo.path, "logs", run, "--json").json["calls"]
    return found


def test_each_call_leaves_what_it_took_and_what_came_of_it(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    endpoint.answer = lambda _: completion("no JSON")
    run = sync(world, repo, code=3)["run_id"]
    found = calls(world, repo, run)
    shown = world.lerim(repo.path, "logs", run).out

    assert [(call["session"], call["model"], call["outcome"]) for call in found] == [
        (f"claude/{CATALOG}", "careful", "answered")
    ] * 2
    assert [(call["tokens_in"], call["tokens_out"]) for call in found] == [(5000, 70)] * 2
    assert all(
        call["prompt"] >= 1 and call["seconds"] >= 0 and "request" not in call for call in found
    )
    assert shown.count("asked     careful, prompt ") == 2
    assert len(endpoint.asked) == 2


def test_a_call_that_fails_leaves_the_reason(world: World, repo: Repo, endpoint: Endpoint) -> None:
    endpoint.answer = lambda _: Said(status=401, body=b"{}")
    (call,) = calls(world, repo, sync(world, repo, code=3)["run_id"])

    assert "the key is missing: OPENAI_API_KEY is not set" in call["outcome"]
    assert call["tokens_in"] == 0


def test_with_trace_calls_the_texts_are_kept_without_secrets_and_keys(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, traceCalls="true")
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    endpoint.answer = lambda _: completion(
        reply(outcome=f"It is built with {secret}.", intent="To build.")
    )
    ran = world.lerim(repo.path, "sync", "--window", "all", "--json", env={"OPENAI_API_KEY": KEY})
    (call,) = calls(world, repo, ran.json["run_id"])
    shown = world.lerim(repo.path, "logs", ran.json["run_id"]).out

    assert endpoint.keys == [f"Bearer {KEY}"]
    assert call["request"][1]["text"] == endpoint.asked[0]["messages"][1]["content"]
    assert "--- user" in shown
    assert "It is built with" in shown
    for path in (repo.path / ".git" / "lerim").rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert not [word for word in (KEY, secret, SECRET) if word.encode() in data], path


def test_a_question_is_traced_where_that_is_wanted(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, traceCalls="true")
    endpoint.answer = lambda _: completion("NOTHING")
    world.lerim(repo.path, "remember", "Prices are rounded half to even.")
    world.lerim(repo.path, "ask", "how are prices rounded?")
    (folder,) = (repo.path / ".git" / "lerim" / "runs").glob("ask-*")

    (call,) = calls(world, repo, folder.name)
    assert call["answer"] == "NOTHING"
    assert json.dumps(call).count("how are prices rounded?") == 1


# -- doctor


def model_lines(world: World, repo: Repo, **env: str) -> list[str]:
    ran = world.lerim(repo.path, "doctor", env=env)
    assert ran.code == 0, ran.out
    return [
        line
        for line in ran.out.splitlines()
        if line.split(maxsplit=1)[1].startswith(("model:", "askModel:", "fallbackModel:"))
    ]


def test_doctor_asks_the_model_for_one_token_and_says_what_it_is(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    endpoint.models = [{"id": "careful", "context_length": 8000}]
    endpoint.answer = lambda _: completion("", finish="length")
    first, second = model_lines(world, repo)

    assert first.startswith("ok       model: careful answers (")
    assert first.endswith("), accepts a JSON schema, context of 8,000 tokens")
    assert "accepts fewer tokens than lerim.maxWindowTokens sends" in second
    assert [request["max_completion_tokens"] for request in endpoint.asked] == [1]


def test_doctor_says_what_an_endpoint_does_not_take(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    endpoint.answer = lambda request: (
        Said(status=400, body=b'{"error": {"message": "unsupported"}}')
        if {"max_completion_tokens", "response_format"} & request.keys()
        else completion("ok")
    )
    (line,) = model_lines(world, repo)

    assert line.endswith("takes no JSON schema (described in the prompt instead)")


@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "the key is missing: OPENAI_API_KEY is not set"), (404, "no model 'careful'")],
)
def test_doctor_says_why_a_model_does_not_answer(
    world: World, repo: Repo, endpoint: Endpoint, status: int, reason: str
) -> None:
    endpoint.answer = lambda _: Said(status=status, body=b"{}")
    (line,) = model_lines(world, repo)

    assert line.startswith("warning  model: careful: ")
    assert reason in line


def test_doctor_says_that_an_endpoint_is_not_reached_and_nothing_where_no_model_is_set(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    (line,) = model_lines(world, repo, LERIM_API_BASE="http://127.0.0.1:9/v1")
    none = model_lines(world, repo, LERIM_MODEL="")

    assert "127.0.0.1:9 cannot be reached" in line
    assert none == []
    assert endpoint.asked == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("apiBase", "corp.example/v1"),
        ("apiBase", "http://u:p@corp.example/v1"),
        ("apiKeyEnv", "sk-of-mine"),
    ],
)
def test_doctor_asks_no_model_when_its_endpoint_or_key_is_invalid(
    world: World, repo: Repo, endpoint: Endpoint, name: str, value: str
) -> None:
    setting(repo, **{name: value}, askModel="other", fallbackModel="third")
    ran = world.lerim(repo.path, "doctor", env={"HTTPS_PROXY": endpoint.url})

    assert ran.code == 1
    assert "odel: " not in ran.out
    assert f"problem  settings: lerim.{name} has an invalid value" in ran.out
    assert "; no model is asked" in ran.out
    assert endpoint.asked == []
    assert f"because lerim.{name} is invalid" in world.lerim(repo.path, "config", "model").out


@pytest.mark.parametrize("name", ["model", "apiBase", "apiKeyEnv"])
def test_doctor_asks_no_model_when_a_setting_of_it_was_not_allowed(
    world: World, repo: Repo, endpoint: Endpoint, name: str
) -> None:
    repo.git("config", f"lerim.{name}", "https://corp.example" if name == "apiBase" else "OTHER")
    (line,) = model_lines(world, repo)

    assert f"no model was asked, because lerim.{name} needs your approval" in line
    assert endpoint.asked == []


# -- what is loaded


@pytest.mark.parametrize(
    "words",
    [
        ("sync", "--no-model"),
        ("sync", "--dry-run"),
        ("why", "hello.py"),
        ("search", "sqlite"),
        ("status",),
        ("stats",),
    ],
)
def test_a_verb_that_asks_no_model_loads_nothing_for_it(
    world: World, repo: Repo, endpoint: Endpoint, words: tuple[str, ...]
) -> None:
    ran = world.lerim(repo.path, *words, env={"PYTHONPROFILEIMPORTTIME": "1"})

    assert ran.code == 0
    assert "git_lerim" in ran.err
    assert not [
        line
        for line in ran.err.splitlines()
        if line.split("|")[-1].strip().split(".")[0] in {"openai", "httpx", "httpx2"}
    ]
    assert endpoint.asked == []


def test_a_small_price_is_told_in_as_many_digits_as_say_something(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    setting(repo, priceIn="0.25")
    plan = world.lerim(repo.path, "sync", "--window", "all", "--dry-run").err

    assert re.search(r"about \$0\.00\d\d plus the answers", plan)
    assert endpoint.asked == []


def test_init_says_what_a_model_would_get(world: World, repo: Repo, endpoint: Endpoint) -> None:
    said = world.lerim(repo.path, "init").err

    assert "how many tokens of your sessions careful would get" in said
    assert endpoint.asked == []


def test_what_was_extracted_already_is_not_said_to_be_queued(
    world: World, repo: Repo, endpoint: Endpoint
) -> None:
    for number in range(1, 6):
        talk = Recording(
            world.home, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-00000000000{number}"
        )
        talk.prompt(f"Store part {number} in SQLite, please.").reply("Done.")
    endpoint.answer = lambda _: completion(reply())
    sync(world, repo)
    endpoint.answer = lambda _: Said(status=401)

    said = world.lerim(repo.path, "sync", "--window", "all", "--force").err

    assert "not sent, after" in said
    assert "queued" not in said
