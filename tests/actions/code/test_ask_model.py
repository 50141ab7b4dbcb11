"""What `git lerim stale` asks a model about changed code, in real repositories."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from support.chat import Endpoint, Said, completion
from support.inside import lerim
from support.repos import Repo

NET = """\
import os


class Session:
    def request(self, url, retries=3):
        for attempt in range(retries):
            page = self.send(url, attempt)
            if page:
                return page
        raise Unreachable(url)

    def close(self):
        self.pool.clear()
"""
RENAMED = NET.replace("retries", "tries")
REVERSED = NET.replace("if page:", "if not page:")
FIVE = NET.replace("retries=3", "retries=5")
CLAIM = "`Session.request` has `retries=3`, because the proxy drops every second request"
ORDER = "`Session.request` gives back the first page that is there"


def says(verdict: str, quote: str, **more: str) -> Callable[[dict[str, Any]], Said]:
    """Return a model that gives each memory one verdict."""

    def answer(request: dict[str, Any]) -> Said:
        names = re.findall(r"^(M\d+) \(", request["messages"][1]["content"], re.MULTILINE)
        row = {"reason": "It is so.", "quote": quote, "verdict": verdict, "title": "", "body": ""}
        return completion({"memories": [{"name": name} | row | more for name in names]})

    return answer


def remember(repo: Repo, monkeypatch: pytest.MonkeyPatch, text: str, file: str) -> str:
    """Let an agent remember something, whose words are not a person's."""
    with monkeypatch.context() as patched:
        patched.setenv("CLAUDECODE", "1")
        ran = lerim(repo.path, "remember", text, "--file", file)
    assert ran.code == 0, ran.err
    rows: list[dict[str, Any]] = lerim(repo.path, "list", "--json").json
    return str(next(row["id"] for row in rows if row["title"] == text))


def stale(repo: Repo, *words: str) -> dict[str, Any]:
    """Return the rows of the listed memories by title."""
    ran = lerim(repo.path, "stale", "--json", *words)
    assert ran.code == 0, ran.err
    return {row["title"]: row for row in json.loads(ran.out)}


@pytest.fixture
def shop(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a repository with a file, and a memory of some lines of it."""
    repo.commit({"src/net.py": NET}, "Add net")
    remember(repo, monkeypatch, CLAIM, "src/net.py")
    return repo


def test_what_the_model_finds_still_true_is_no_longer_called_stale_anywhere(
    shop: Repo, endpoint: Endpoint
) -> None:
    shop.commit({"src/net.py": RENAMED}, "Rename")
    assert "stale since" in lerim(shop.path, "list").out
    endpoint.answer = says("true", "def request(self, url, tries=3):")

    ran = lerim(shop.path, "stale")
    assert "changed, still true by model careful: It is so." in ran.out
    assert "no stale memories" in ran.err
    row = stale(shop)[CLAIM]
    assert (row["stale"], row["stale_since"]) == (False, None)
    assert row["model_says"] == "changed, still true by model careful"
    assert row["cause"]["model"]["verdict"] == "true"
    verbs: dict[str, list[str]] = {
        "list": [],
        "search": ["proxy"],
        "brief": [],
        "show": [row["id"]],
    }
    for verb, words in verbs.items():
        for _ in range(2):  # the second one may be answered from what was kept
            out = lerim(shop.path, verb, *words).out
            assert "changed, still true by model careful" in out, verb
            assert "stale since" not in out, verb
    assert len(endpoint.asked) == 1


def test_what_words_do_not_notice_is_asked_about_and_marked(
    repo: Repo, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"src/net.py": NET}, "Add net")
    id_ = remember(repo, monkeypatch, ORDER, "src/net.py:5-10")
    did = repo.commit({"src/net.py": REVERSED}, "Reverse")
    assert stale(repo, "--no-model") == {}
    endpoint.answer = says("untrue", "if not page:")

    row = stale(repo)[ORDER]
    assert (row["stale"], row["stale_since"]) == (True, did)
    assert (row["cause"]["lost"], row["cause"]["commit"]) == ([], did)
    assert "+            if not page:" in row["cause"]["hunk"]
    mark = f"stale since {did[:7]}, untrue by model careful"
    verbs: dict[str, list[str]] = {"list": [], "search": ["page"], "brief": [], "show": [id_]}
    for verb, words in verbs.items():
        assert mark in lerim(repo.path, verb, *words).out, verb
    assert set(stale(repo, "--since", f"{did}~1")) == {ORDER}
    assert stale(repo, "--since", did) == {}


def test_the_model_sees_the_memory_and_the_change_and_no_secret(
    shop: Repo, endpoint: Endpoint
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    changed = FIVE.replace("for attempt", f"key = '{secret}'\n        for attempt")
    shop.commit({"src/net.py": changed}, "Five")
    endpoint.answer = says("true", "retries=5")
    ran = lerim(shop.path, "stale")

    assert "sending 1 memory and the changes to their code to careful at 127.0.0.1" in ran.err
    (text,) = endpoint.texts
    assert CLAIM in text
    assert "CODE of M1: src/net.py:4-5" in text
    assert "-    def request(self, url, retries=3):" in text
    assert "+    def request(self, url, retries=5):" in text
    assert secret not in text


def test_a_pair_of_memory_and_code_is_asked_about_once(shop: Repo, endpoint: Endpoint) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = says("unsure", "")
    first = stale(shop)[CLAIM]
    assert first["stale"] is True
    assert first["cause"]["model"]["verdict"] == "unsure"
    shop.commit({"other.py": "x = 1\n"}, "Another file")
    shop.commit({"src/net.py": FIVE + "\n\nMORE = 1\n"}, "Another part of the file")
    assert stale(shop)[CLAIM]["model_says"] is None
    assert len(endpoint.asked) == 1

    shop.commit({"src/net.py": NET.replace("retries=3", "retries=9")}, "Nine")
    stale(shop)
    assert len(endpoint.asked) == 2


def test_a_wrong_detail_is_corrected_by_a_proposal_alone(shop: Repo, endpoint: Endpoint) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    title = CLAIM.replace("retries=3", "retries=5")
    endpoint.answer = says("outdated", "retries=5", title=title, body=f"{title}.")
    before = shop.git("rev-parse", "lerim/memory")
    ran = lerim(shop.path, "stale")

    assert "proposed 1 change; to see them: git lerim review show" in ran.err
    assert f"proposed text: {title}" in ran.out
    assert shop.git("rev-parse", "lerim/memory") == before
    (proposal,) = lerim(shop.path, "review", "--json").json
    trailers = shop.git("log", "-1", "--format=%(trailers)", proposal["proposal"])
    assert "Lerim-Op: edit" in trailers
    assert "Lerim-Model: careful" in trailers
    assert lerim(shop.path, "review", "accept", proposal["proposal"], "--all").code == 0
    (row,) = lerim(shop.path, "list", "--json").json
    assert (row["title"], row["origin"], row["stale"]) == (title, "model", False)
    assert (stale(shop), len(endpoint.asked)) == ({}, 1)


def test_where_all_waits_for_review_the_correction_is_shown_as_pending(
    shop: Repo, endpoint: Endpoint
) -> None:
    shop.git("config", "lerim.review", "proposal")
    shop.commit({"src/net.py": FIVE}, "Five")
    title = CLAIM.replace("retries=3", "retries=5")
    endpoint.answer = says("outdated", "retries=5", title=title, body=f"{title}.")
    stale(shop)
    (row,) = lerim(shop.path, "list", "--json").json
    assert (row["title"], row["stale"], row["pending"]) == (title, False, True)
    assert (stale(shop), len(endpoint.asked)) == ({}, 1)


def test_what_is_untrue_is_proposed_for_the_archive_and_a_rejected_one_not_again(
    shop: Repo, endpoint: Endpoint
) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = says("untrue", "retries=5")
    stale(shop)
    (proposal,) = lerim(shop.path, "review", "--json").json
    assert proposal["archived"] == 1
    assert lerim(shop.path, "review", "reject", proposal["proposal"], "--all").code == 0
    stale(shop)
    assert lerim(shop.path, "review", "--json").json == []
    assert [row["status"] for row in lerim(shop.path, "list", "--json").json] == ["active"]


@pytest.mark.parametrize("how", ["protect", "human"])
def test_what_people_protect_or_said_is_left_to_them(
    how: str, repo: Repo, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"src/net.py": NET}, "Add net")
    if how == "protect":
        id_ = remember(repo, monkeypatch, CLAIM, "src/net.py")
        assert lerim(repo.path, "protect", id_).code == 0
    else:
        assert lerim(repo.path, "remember", CLAIM, "--file", "src/net.py").code == 0
    repo.commit({"src/net.py": FIVE}, "Five")
    title = CLAIM.replace("retries=3", "retries=5")
    endpoint.answer = says("outdated", "retries=5", title=title, body=f"{title}.")
    ran = lerim(repo.path, "stale")

    assert f"proposed text: {title}" in ran.out
    assert lerim(repo.path, "review", "--json").json == []


@pytest.mark.parametrize(
    ("verdict", "more"),
    [
        ("true", {"quote": "def connect(self, host):"}),
        ("true", {"quote": ""}),
        ("outdated", {"quote": "retries=5", "title": CLAIM}),
        ("outdated", {"quote": "retries=5", "title": "`Session.connect_again` tries 7 times"}),
        ("untrue", {"quote": "retries=5", "name": "M7"}),
    ],
)
def test_a_verdict_that_fails_the_checks_is_asked_for_again_and_then_counts_for_nothing(
    verdict: str, more: dict[str, str], shop: Repo, endpoint: Endpoint
) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = says(verdict, **({"quote": ""} | more))
    row = stale(shop)[CLAIM]

    assert len(endpoint.asked) == 2
    assert "cannot be used" in endpoint.texts[1]
    assert (row["stale"], row["model_says"]) == (True, None)
    assert row["cause"]["model"]["reason"] == "its answer did not pass the checks"
    assert lerim(shop.path, "review", "--json").json == []
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize(
    "answer",
    [
        completion("I cannot say."),
        completion({"memories": "none"}),
        completion(None, refusal="I will not."),
        Said(status=400, body=b"{}"),
    ],
)
def test_a_model_that_fails_leaves_it_to_the_words_and_is_named(
    answer: Said, shop: Repo, endpoint: Endpoint
) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = lambda _: answer
    ran = lerim(shop.path, "stale")

    assert ran.code == 0
    assert "no longer contains retries=3" in ran.out
    assert "did not check 1 memory, so only the words were compared: " in ran.err
    endpoint.answer = says("true", "retries=5")
    assert stale(shop)[CLAIM]["stale"] is False


def test_an_endpoint_that_is_down_and_a_budget_are_named(shop: Repo) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    shop.git("config", "--global", "lerim.model", "careful")
    shop.git("config", "--global", "lerim.modelTimeout", "2")
    shop.git("config", "--global", "lerim.apiBase", "http://127.0.0.1:9/v1")
    ran = lerim(shop.path, "stale")
    assert (ran.code, "did not check 1 memory" in ran.err) == (0, True)
    assert "no longer contains retries=3" in ran.out
    shop.git("config", "--global", "lerim.budgetTokens", "10")
    assert "the budget of 10 tokens" in lerim(shop.path, "stale").err


def test_nothing_is_asked_where_no_answer_can_be_kept(shop: Repo, endpoint: Endpoint) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    folder = shop.path / ".git" / "lerim"
    (folder / "model-answers.sqlite3").mkdir()
    (folder / "model-answers.sqlite3.broken").touch()  # a folder cannot be renamed to it
    ran = lerim(shop.path, "stale")
    assert (ran.code, endpoint.asked) == (0, [])
    assert "no longer contains retries=3" in ran.out
    assert "did not check 1 memory, so only the words were compared: cannot write" in ran.err


@pytest.mark.parametrize("words", [["--no-model"], ["--at", "HEAD"], ["docs"]])
def test_a_run_that_may_not_ask_sends_nothing(
    words: list[str], shop: Repo, endpoint: Endpoint
) -> None:
    shop.commit({"src/net.py": FIVE, "docs": "Retries."}, "Five")
    assert lerim(shop.path, "stale", *words).code == 0
    assert endpoint.asked == []


def test_a_path_is_that_of_today_or_that_of_then(shop: Repo, endpoint: Endpoint) -> None:
    shop.git("mv", "src/net.py", "src/http.py")
    shop.commit({"src/http.py": FIVE}, "Rename and five")
    endpoint.answer = says("true", "retries=5")
    assert stale(shop, "src/http.py")[CLAIM]["stale"] is False
    assert "CODE of M1: src/net.py:4-5, now src/http.py" in endpoint.texts[0]


def test_no_other_verb_asks(shop: Repo, endpoint: Endpoint) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    for verb in (["list"], ["search", "proxy"], ["brief"], ["status"], ["show", "x"], ["why", "."]):
        lerim(shop.path, *verb)
    assert endpoint.asked == []


def test_code_that_the_user_keeps_from_models_is_not_sent(shop: Repo, endpoint: Endpoint) -> None:
    shop.git("config", "lerim.ignorePath", "src/")
    shop.commit({"src/net.py": FIVE}, "Five")
    assert set(stale(shop)) == {CLAIM}
    assert endpoint.asked == []


def test_the_stalest_and_most_changed_come_first_within_the_budget(
    shop: Repo, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(shop, monkeypatch, ORDER, "src/net.py:5-10")
    remember(shop, monkeypatch, "`close` empties the pool when we are done", "src/net.py:5-13")
    shop.commit({"src/net.py": FIVE.replace("if page:", "if not page:")}, "Change")
    endpoint.answer = says("unsure", "")
    stale(shop)

    (text,) = endpoint.texts
    titles = re.findall(r"^M\d \([\d-]+\): (.*) \| ", text, re.MULTILINE)
    assert titles == [CLAIM, ORDER, "`close` empties the pool when we are done"]


def test_tokens_are_counted_as_elsewhere(shop: Repo, endpoint: Endpoint) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = says("true", "retries=5")
    stale(shop)
    (month,) = lerim(shop.path, "stats", "--json").json["model"]
    assert (month["runs"], month["tokens_in"], month["tokens_out"]) == (1, 5000, 70)


def test_in_tree_mode_the_verdict_is_shown_and_nothing_proposed(
    repo: Repo, endpoint: Endpoint
) -> None:
    repo.commit({"src/net.py": NET}, "Add net")
    assert lerim(repo.path, "init", "--tree").code == 0
    assert lerim(repo.path, "remember", CLAIM, "--file", "src/net.py", "--commit").code == 0
    repo.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = says("untrue", "retries=5")
    ran = lerim(repo.path, "stale")
    assert "untrue by model careful" in ran.out
    assert "proposed" not in ran.err


def test_a_verb_that_asks_nothing_loads_no_client_for_models(
    shop: Repo, endpoint: Endpoint
) -> None:
    shop.commit({"src/net.py": FIVE}, "Five")
    endpoint.answer = says("true", "retries=5")
    stale(shop)
    verbs = [["stale"], ["stale", "--no-model"], ["list"], ["search", "proxy"], ["brief"]]
    for words in verbs:
        program = (
            f"import sys; from git_lerim.__main__ import main; sys.argv[1:] = {words!r}; main();"
            " print('openai' in sys.modules)"
        )
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=shop.path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "changed, still true by model careful" in ran.stdout, words
        assert ran.stdout.endswith("False\n"), words
    assert len(endpoint.asked) == 1
