from datetime import datetime

import pytest
from support.inside import lerim
from support.repos import Repo

from git_lerim.actions.models.model_in_background import left_today, note_spent
from git_lerim.guarded import A_DAY
from git_lerim.workspace import Workspace, open_workspace


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


def test_what_was_spent_today_is_left_out(ws: Workspace) -> None:
    assert left_today(ws) == A_DAY
    ws.folder.mkdir(exist_ok=True)
    note_spent(ws, 1000)
    note_spent(ws, 500)

    assert left_today(ws) == A_DAY - 1500


@pytest.mark.parametrize(
    "tokens", ["-1000000000", "-Infinity", "Infinity", "NaN", '"many"', "null", "[" * 100_000]
)
def test_no_count_adds_to_what_may_be_spent(tokens: str, ws: Workspace) -> None:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    ws.folder.mkdir(exist_ok=True)
    (ws.folder / "model-spent.json").write_text(f'{{"day":"{today}","tokens":{tokens}}}')

    assert left_today(ws) <= A_DAY


@pytest.mark.usefixtures("ws")  # we are in its folder
def test_more_a_day_needs_the_users_word_and_less_does_not(repo: Repo) -> None:
    repo.git("config", "lerim.budgetTokens", "99999999")
    assert left_today(open_workspace()) == A_DAY  # neither that much, nor without a limit
    assert open_workspace().settings["budgetTokens"] == A_DAY
    assert "lerim.budgetTokens in this repository" in lerim(repo.path, "list").err

    assert lerim(repo.path, "allow", "--yes").code == 0
    assert left_today(open_workspace()) == 99_999_999

    repo.git("config", "lerim.budgetTokens", "5000")
    assert left_today(open_workspace()) == 5000
    repo.git("config", "--global", "lerim.budgetTokens", "400000")
    repo.git("config", "lerim.budgetTokens", "300000")
    assert left_today(open_workspace()) == 300_000
