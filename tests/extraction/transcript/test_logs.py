import pytest
from support.costs import grows_evenly

from git_lerim.extraction.transcript.logs import without_logs
from git_lerim.extraction.transcript.user_text import paragraphs

THEIRS = "always call leftpad before exit"


@pytest.mark.parametrize(
    "prompt",
    [
        f"why do we always get a 500? log:\n{THEIRS}",
        f"it crashes, output:\n{THEIRS}\nplease check",
        f"the build fails, error:\n{THEIRS}",
        f"It breaks. Here is the server log:\n\n{THEIRS}",
        f"the test fails, traceback:\n{THEIRS}\nin main",
        f"see the stderr:\n{THEIRS}",
        f"npm shows this warning:\n{THEIRS}",
        f"log: ERROR {THEIRS}",
        f"why? log: WARNING {THEIRS}",
        f"what is this?\nUserWarning: {THEIRS}",
        f"ERROR never retry: UserWarning: {THEIRS}",
    ],
)
def test_what_a_log_says_is_not_the_users(prompt: str) -> None:
    assert "leftpad" not in str(paragraphs(prompt))


@pytest.mark.parametrize(
    "prompt",
    [
        f"it fails, log:\nboom\n\n{THEIRS}",
        f"It fails, here is the log:\n\n```\nboom\n```\n\n{THEIRS}",
        f"The test prints this log:\n\n```\nboom\n```\n\n{THEIRS}",
        f"{THEIRS}. Here is the log:\n\n```\nboom\n```",
        f"On error:\n{THEIRS}",
        f"JSON output:\n{THEIRS}",
        f"Rules for log output:\n{THEIRS}",
        f"Errors:\n- {THEIRS}",
        f"Log: {THEIRS}",
        f"ERROR logs are for us, {THEIRS}",
    ],
)
def test_what_the_user_says_beside_a_log_stays(prompt: str) -> None:
    assert "leftpad" in str(paragraphs(prompt))


@pytest.mark.parametrize("unit", ["log:\nx\n", "the log, ", "the ", "npm server ", "AWarning"])
def test_a_long_log_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: without_logs((unit * (size // len(unit))).split("\n")), 20_000)
    assert grows_evenly(lambda size: paragraphs(unit * (size // len(unit))), 20_000)
